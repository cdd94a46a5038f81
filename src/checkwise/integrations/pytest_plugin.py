"""The pytest plugin: the fixture ``checkwise``, its marker, its options.

pytest imports this file at every start, used or not, so that it imports nothing heavy.
"""

# ruff: noqa: PLC0415 - see above
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from checkwise.integrations.checker import Checker
    from checkwise.integrations.judging_thread import JudgingThread

_JUDGES: "pytest.StashKey[JudgingThread]" = pytest.StashKey()
_MARKER = (
    "checkwise(judge=None, threshold=None): the model that grades the checks of this test, and the mean p_yes of the "
    "items, 0-1, that a response has to reach"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin, on the command line and in the configuration file."""
    group = parser.getgroup("checkwise", "judging texts with checklists")
    group.addoption("--checkwise-judge", metavar="MODEL", help="The model that grades; wins over markers and settings.")
    group.addoption(
        "--checkwise-update-baselines",
        action="store_true",
        help="Keep what was judged as the baseline of each test that is held against one.",
    )
    parser.addini("checkwise_judge", "The model that grades, such as openai:gpt-4o-mini.")
    parser.addini("checkwise_threshold", "The mean p_yes of the items that a response has to reach, 0-1.")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _MARKER)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of the judges that tests have used."""
    if (judges := config.stash.get(_JUDGES, None)) is not None:
        judges.close()


@pytest.fixture(name="checkwise")
def checkwise_fixture(request: pytest.FixtureRequest) -> "Iterator[Checker]":
    """Hold texts against checklists: ``check`` a response, or a whole run that is ``not_worse`` than a baseline."""
    from checkwise.integrations.checker import Checker
    from checkwise.integrations.judging_thread import JudgingThread

    config = request.config
    if _JUDGES not in config.stash:
        config.stash[_JUDGES] = JudgingThread(lambda line: _say(config, line))
    marked: dict[str, object] = {}
    for marker in reversed(list(request.node.iter_markers("checkwise"))):
        marked |= marker.kwargs
    threshold = marked.get("threshold")
    if threshold is None:
        threshold = config.getini("checkwise_threshold") or None
    yield Checker(
        judges=config.stash[_JUDGES],
        cache=_cache(request),
        judge=cast("str | None", config.getoption("--checkwise-judge") or marked.get("judge") or _judge(config)),
        threshold=None if threshold is None else float(cast("str", threshold)),
        updates_baselines=bool(config.getoption("--checkwise-update-baselines")),
        root=config.rootpath,
    )


def _cache(request: pytest.FixtureRequest) -> Path:
    """Give the folder that lasts until the next session, without pytest's cache until the end of this one."""
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    if cache is not None:
        return cache.mkdir("checkwise")
    factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
    return factory.getbasetemp() / "checkwise"


def _judge(config: pytest.Config) -> str | None:
    return config.getini("checkwise_judge") or None


def _say(config: pytest.Config, line: str) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(f"checkwise: {line}")
