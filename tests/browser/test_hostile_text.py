"""Text that wants to run, load or reach something in the report does none of it."""

from playwright.sync_api import expect


def test_nothing_of_the_data_runs_or_is_loaded(page, run_folder):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((run_folder / "report.html").as_uri())
    for article in page.locator("article.entry").all():
        article.locator("summary").first.click()
    expect(page.locator(".responses")).to_have_count(4)
    for link in page.locator("article a").all():
        assert link.get_attribute("href").startswith(("#", "https://example.org/"))
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.dataset.canary ?? 'silent'") == "silent"
    assert all(url.startswith("file:") for url in asked)
    assert page.locator("article :is(img, iframe, style, svg, object, form, link)").count() == 0


def test_what_hides_is_shown(report):
    report.locator("#instance-hostile summary").first.click()
    text = report.get_by_label("Response of better").inner_text()
    assert "[U+202E]gnp.exe" in text
    assert "<style>* { display: none !important }</style>" in text
    assert "{{ 7 * 7 }}" in text


def test_a_served_page_is_as_safe(page, run_folder):
    from tests.browser.conftest import served

    with served(run_folder.parent) as address:
        page.goto(f"{address}run/demo/#instance-hostile")
        expect(page.locator("#instance-hostile .responses")).to_be_visible()
        assert page.evaluate("document.documentElement.dataset.canary ?? 'silent'") == "silent"
