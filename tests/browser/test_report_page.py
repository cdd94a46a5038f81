"""The report driven as a reader does: filters, search, links, keys, themes, what an instance shows."""

import re

from playwright.sync_api import expect


def shown(page):
    return [article.get_attribute("id") for article in page.locator("article.entry:visible").all()]


def test_filters_and_search_leave_what_was_asked_for(report):
    report.locator("#category").select_option("odd")
    assert shown(report) == ["instance-hostile"]
    expect(report.locator("#found")).to_have_text("1 of 4 shown")
    report.locator("#category").select_option("all")
    report.locator("#language").select_option("ar")
    assert shown(report) == ["instance-arabic"]
    report.locator("#language").select_option("all")
    report.locator("#state").select_option("empty")
    assert shown(report) == ["instance-empty"]
    report.locator("#state").select_option("all")
    report.locator("#find").fill("NESTED bold")
    assert shown(report) == ["instance-markdown"]


def test_instances_are_sorted_by_what_is_asked_for(report):
    assert shown(report)[0] == "instance-markdown"
    report.locator("#order").select_option("low")
    assert shown(report)[:2] == ["instance-empty", "instance-hostile"]
    report.locator("#order").select_option("apart")
    assert shown(report)[-1] == "instance-empty"
    report.locator("#order").select_option("data")
    assert shown(report)[0] == "instance-markdown"


def test_a_link_opens_its_instance(page, run_folder):
    page.goto(f"{(run_folder / 'report.html').as_uri()}#instance-arabic")
    expect(page.locator("#instance-arabic .responses")).to_be_visible()
    expect(page.locator("#instance-markdown .responses")).to_have_count(0)
    page.locator("#instance-arabic .permalink a").click()
    assert page.url.endswith("#instance-arabic")


def test_the_page_is_read_with_keys_alone(report):
    report.keyboard.press("j")
    report.keyboard.press("j")
    report.keyboard.press("o")
    expect(report.locator("#instance-hostile .responses")).to_be_visible()
    report.keyboard.press("k")
    report.keyboard.press("Enter")
    expect(report.locator("#instance-markdown .responses")).to_be_visible()
    report.keyboard.press("/")
    report.keyboard.type("j arabic")
    assert report.locator("#find").input_value() == "j arabic"
    report.keyboard.press("Escape")
    report.keyboard.press("?")
    expect(report.locator("#help")).to_be_visible()
    report.keyboard.press("Escape")
    expect(report.locator("#help")).to_be_hidden()


def test_the_theme_follows_the_system_until_somebody_chooses(report):
    def background():
        return report.evaluate("getComputedStyle(document.body).backgroundColor")

    report.emulate_media(color_scheme="light")
    light = background()
    report.emulate_media(color_scheme="dark")
    dark = background()
    assert light != dark
    report.keyboard.press("t")
    assert background() == light
    report.keyboard.press("t")
    assert background() == dark
    report.reload()
    expect(report.locator("#theme")).to_have_text("Theme: dark")


def test_markdown_is_drawn_and_can_be_read_as_it_was_written(report):
    report.locator("#instance-markdown summary").first.click()
    response = report.get_by_label("Response of better")
    expect(response.locator(".heading")).to_have_text("A heading")
    expect(response.locator("strong")).to_have_text("bold")
    expect(response.locator("ol > li")).to_have_count(2)
    expect(response.locator("li li")).to_have_text("nested")
    expect(response.locator("pre")).to_have_text('print("<b>not bold</b>")')
    expect(response.locator("td")).to_have_text(["1", "2"])
    expect(response.get_by_role("link")).to_have_attribute("href", "https://example.org/")
    report.keyboard.press("m")
    expect(response.locator("strong")).to_have_count(0)
    expect(response.locator(".text")).to_contain_text("Some **bold** text, `code`")


def test_an_instance_shows_responses_side_by_side_with_every_item(report):
    report.locator("#instance-markdown summary").first.click()
    left, right = (report.get_by_label(f"Response of {model}").bounding_box() for model in ("better", "other"))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    cells = report.locator("#instance-markdown table.heat tbody td")
    expect(cells).to_have_text(["0.90", "0.75"] * 3)
    assert "mass 1.00" in cells.first.get_attribute("title")


def test_right_to_left_text_is_laid_out_so(report):
    report.locator("#instance-arabic summary").first.click()
    paragraph = report.locator("#instance-arabic .text p").first
    assert paragraph.evaluate("node => getComputedStyle(node).direction") == "rtl"


def test_a_phone_needs_no_scrolling_sideways(report):
    report.set_viewport_size({"width": 390, "height": 844})
    report.locator("#instance-markdown summary").first.click()
    assert report.evaluate("document.documentElement.scrollWidth") <= 390


def test_everything_of_an_instance_is_printed(report):
    report.locator("#instance-markdown summary").first.click()
    report.emulate_media(media="print")
    expect(report.locator(".toolbar")).to_be_hidden()
    expect(report.get_by_label("Response of other")).to_be_visible()


def test_every_section_has_a_link(report):
    names = report.locator("nav.contents a").all_text_contents()
    assert names == [
        *("Notes", "Leaderboard", "By category", "Head to head", "Distribution of scores"),
        *("What the checklists ask about", "What it took", "Instances", "How this was made"),
    ]
    report.get_by_role("link", name="Head to head").click()
    assert re.search("#head-to-head$", report.url)
