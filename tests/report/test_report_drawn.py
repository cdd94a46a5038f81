"""What the script makes of a pair, in a browser, with the page's own policy in force."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from checkwise.report import write_pair_html

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PLAIN = {"div", "section", "details", "summary", "h4", "h5", "p", "ul", "ol", "li", "span", "b", "bdi", "a"}
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to draw the page")


def drawn(path: Path, fragment: str, profile: Path) -> str:
    """The page after its script has run, with the pair of this address open."""
    options = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=2000",
        f"--user-data-dir={profile}",
    )
    command = [BROWSER, *options, "--dump-dom", f"{path.as_uri()}#{fragment}"]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode()


@pytest.fixture
def body(pair_content, tmp_path, page_of):
    """The opened pair: its elements and texts."""

    def opened(fragment: str):
        write_pair_html(pair_content, tmp_path / "report.html")
        page = drawn(tmp_path / "report.html", fragment, tmp_path / "profile")
        return page_of(re.search(r'(<div class="body" data-drawn="yes">.*?</div>)</details><script', _tight(page))[1])

    return opened


def _tight(page: str) -> str:
    """Without the white space between elements, which the template decides."""
    return re.sub(r">\s+<", "><", page.replace("\n", " "))


def test_a_pair_is_drawn_from_instruction_to_verdicts(body):
    page = body("pair-p%201")
    assert page.text("h4") == [
        "Conversation before the instruction (2)",
        *("Instruction", "A", "B", "Outcome"),
        *("A shown first", "B shown first"),
    ]
    assert "A in both orders: right" in page.text("p")
    assert page.text("b")[-2:] == ["Verdict A", "Verdict A"]
    assert "better, by the data" in page.text("span")
    assert "P(A is better) 0.75 · mass 0.90" in page.text("span")
    assert "retried" in page.text("span")
    assert "writer one" in page.text("bdi")


def test_findings_are_drawn_under_what_they_are_about(body):
    page = body("pair-p%201")
    assert [text.strip() for text in page.text("h5")] == [
        *("Concepts", "Translation"),
        *("Translation missing:", "Checklist from the response missing:", "Checklist from the instruction"),
        "Checklist from the response",
        "Feedback",
        *("Feedback", "Second asking"),
    ]
    assert page.text("li") == [
        "scattering of light",
        "How is blue explained?",
        "Which light is named?",
        "What does it leave open?",
    ]
    assert "the translator failed twice" in page.text("bdi")


def test_hostile_text_is_drawn_as_text(body):
    page = body("pair-p2")
    assert not page.all("img") + page.all("script")
    assert {name for name, _ in page.elements} <= PLAIN
    assert any("</script><script>document.title='owned'</script>" in text for text in page.text("p"))
    assert not any("\u202e" in text for _, text in page.texts)
