"""axe-core finds no serious problem, in either theme, with an instance open."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.browser.conftest import served


def serious(page):
    found = Axe().run(page).response["violations"]
    return [
        (problem["id"], [node["html"][:200] for node in problem["nodes"][:3]])
        for problem in found
        if problem["impact"] in ("serious", "critical")
    ]


@pytest.fixture
def examined(browser):
    """A page in which axe may run beside the page's own script."""
    context = browser.new_context(bypass_csp=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_report(examined, run_folder, theme):
    examined.emulate_media(color_scheme=theme)
    examined.goto(f"{(run_folder / 'report.html').as_uri()}#instance-markdown")
    assert serious(examined) == []


def test_what_view_serves(examined, run_folder):
    with served(run_folder.parent) as address:
        examined.goto(address)
        assert serious(examined) == []
        examined.goto(f"{address}compare?before=demo&after=demo")
        assert serious(examined) == []
