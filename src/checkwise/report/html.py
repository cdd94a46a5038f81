"""Each report as one HTML file that needs nothing else: no server, no network, no other file.

Responses are written by models and may hold anything. Text reaches the page in two ways only: escaped by Jinja, or as
JSON that the script shows with ``textContent``; the templates mark as safe that JSON and the package's own files. The
page's Content-Security-Policy names the hash of the one style sheet and the one script, so that nothing else runs even
if that failed.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import get_args
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from checkwise.files import write_whole
from checkwise.records import Record
from checkwise.report.axis import metric_axis, shared_axis
from checkwise.report.content import ReportContent
from checkwise.report.live_content import Live, RunCard, RunComparison
from checkwise.report.numbers import decimal, interval, measure, measure_interval, percent
from checkwise.report.packing import packed
from checkwise.report.pair_content import Outcome, PairReportContent

# Overrides of the text's direction make a text look like another one, so they are shown instead of obeyed.
_OVERRIDES = "\u202d\u202e"
_VISIBLE = str.maketrans({character: f"[U+{ord(character):04X}]" for character in _OVERRIDES})
_JSON_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in f"<>&\u2028\u2029{_OVERRIDES}"})
# What a browser leaves as it is in a fragment, so that an address typed by hand finds the instance too.
_FRAGMENT_SAFE = "-._~!$&'()*+,;=:@/?"


_DRAWING = ("markdown.js", "drawing.js", "responses.js")
"""Scripts that draw responses."""

_ORDERS = (
    ("data", "as in the data"),
    ("apart", "models furthest apart"),
    ("low", "lowest scores first"),
    ("upset", "biggest upset against people"),
)
"""How instances may be sorted in the page."""


def write_html(content: ReportContent, path: Path) -> None:
    """Write the report on responses; a reader of the file sees the old one or the new one, never a part.

    Args:
        content: What to show.
        path: The file to write; its folder is made if need be.

    Raises:
        UserError: The file cannot be written.
    """
    write_whole(path, html(content))


def write_pair_html(content: PairReportContent, path: Path) -> None:
    """Write the report on pairs; a reader of the file sees the old one or the new one, never a part.

    Args:
        content: What to show.
        path: The file to write; its folder is made if need be.

    Raises:
        UserError: The file cannot be written.
    """
    write_whole(path, html(content))


def html(content: ReportContent | PairReportContent, *, live: Live | None = None) -> bytes:
    """Make the report.

    Args:
        content: What to show.
        live: What a page needs that is served while its run grows; None for one that stands alone.

    Returns:
        The page, as UTF-8.
    """
    page = _responses_page(content, live) if isinstance(content, ReportContent) else _pairs_page(content, live)
    # Half of a surrogate pair, which JSON can smuggle in, is no UTF-8: written \\udXXX it is also what JSON means.
    return page.encode("utf-8", "backslashreplace")


def _responses_page(content: ReportContent, live: Live | None) -> str:
    category_rows = {(part.category, row.model): row for part in content.categories for row in part.rows}
    models = [row.model for row in content.leaderboard]
    return _page(
        "report.html.j2",
        content=content,
        live=live,
        styles=("page.css",),
        scripts=(*_DRAWING, "instances.js", *_following(live), "entries.js", "page.js"),
        axis=shared_axis(content.leaderboard),
        category_axis=shared_axis(category_rows.values()),
        category_rows=category_rows,
        category_models=list(dict.fromkeys([*models, *(model for _, model in category_rows)])),
        instance_categories=_known(instance.category for instance in content.instances),
        instance_languages=_known(instance.language for instance in content.instances),
        meetings={(met.model, met.opponent): met for met in content.meetings},
        flagged_items={(item.instance_id, item.number) for item in content.trust.items} if content.trust else set(),
        orders=[order for order in _ORDERS if order[0] != "upset" or (content.trust and content.trust.upsets)],
    )


def _pairs_page(content: PairReportContent, live: Live | None) -> str:
    found = {outcome for pair in content.pairs for outcome in pair.outcomes}
    return _page(
        "pairs.html.j2",
        content=content,
        live=live,
        styles=("page.css", "pairs.css"),
        scripts=(*_DRAWING, "pairs.js", *_following(live), "entries.js", "page.js"),
        languages=_known(pair.instance.language for pair in content.pairs),
        subsets=_known(pair.subset for pair in content.pairs),
        outcomes=[outcome for outcome in get_args(Outcome) if outcome in found],
    )


def _following(live: Live | None) -> tuple[str, ...]:
    return () if live is None else ("live.js",)


def overview_html(runs: Sequence[RunCard], *, folder: str, live: Live) -> bytes:
    """Make the list of the runs in a folder, for ``checkwise view``.

    Args:
        runs: In the order in which they are shown.
        folder: What they lie in.
        live: What the page needs to follow them.

    Returns:
        The page, as UTF-8.
    """
    page = _page(
        "overview.html.j2", runs=runs, folder=folder, live=live, styles=("page.css",), scripts=("overview.js",)
    )
    return page.encode("utf-8", "backslashreplace")


def comparison_html(content: RunComparison, *, live: Live) -> bytes:
    """Make the comparison of two runs, for ``checkwise view``.

    Args:
        content: What to show.
        live: What the page needs.

    Returns:
        The page, as UTF-8.
    """
    page = _page("comparison.html.j2", content=content, live=live, styles=("page.css",), scripts=("comparison.js",))
    return page.encode("utf-8", "backslashreplace")


def _page(template: str, *, styles: Sequence[str], scripts: Sequence[str], **data: object) -> str:
    is_live = data.get("live") is not None
    style, script = ("\n".join(_asset(name) for name in names) for names in (styles, scripts))
    data |= {"style": style, "script": script, "policy": _policy(style, script, is_live=is_live)}
    return _environment().get_template(template).render(data)


def _known(names: Iterable[str | None]) -> list[str]:
    return sorted({name for name in names if name is not None})


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("checkwise.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"decimal": decimal, "percent": percent, "payload": _payload, "anchor": _anchor}
    environment.filters |= {"measure": measure, "metric_axis": metric_axis}
    environment.globals |= {"interval": interval, "measure_interval": measure_interval}
    return environment


def _visible(value: object) -> object:
    return value.translate(_VISIBLE) if isinstance(value, str) else value


def _asset(name: str) -> str:
    return resources.files("checkwise.report").joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str, *, is_live: bool) -> str:
    """Forbid everything but the style sheet and the script of the page, each named by its hash.

    A live page may ask the server that it came from.
    """
    asks = "connect-src 'self'; " if is_live else ""
    sends = "'self'" if is_live else "'none'"
    return (
        f"default-src 'none'; {asks}style-src {_source_hash(style)}; script-src {_source_hash(script)}; "
        f"base-uri 'none'; form-action {sends}"
    )


def _source_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _payload(record: Record) -> str:
    """Write an instance or pair as JSON that cannot end the script element it stands in."""
    text = json.dumps(packed(record), ensure_ascii=False, separators=(",", ":"))
    return text.translate(_JSON_ESCAPES)


def _anchor(name: str) -> str:
    """Write an id as the fragment of an address: any id will do, spaces and other scripts included."""
    return quote(name, safe=_FRAGMENT_SAFE, errors="backslashreplace")
