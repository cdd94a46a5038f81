"""500 instances by 20 models: the page is there within two seconds, and scrolls."""

import random
import time

import pytest
from playwright.sync_api import expect

from checkwise.report import ReportContent, write_html
from checkwise.report.content import Cell, InstanceContent, LeaderboardRow, ResponseContent

INSTANCES, MODELS, ITEMS = 500, 20, 8
SECONDS = 2.0


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    draw = random.Random(1)

    def response(model):
        cells = tuple(Cell(p_yes=draw.random(), mass=0.99, mode="logprobs") for _ in range(ITEMS))
        text = f"## Answer of {model}\n\n" + "Some words of a usual length. " * draw.randint(5, 40)
        return ResponseContent(model=model, text=text, score=draw.random(), status="scored", cells=cells)

    models = [f"model-{number:02}" for number in range(MODELS)]
    instances = tuple(
        InstanceContent(
            id=f"q{number}",
            category=f"category {number % 8}",
            query=f"Question {number}, of a usual length?",
            items=tuple(f"Does the response meet criterion {item} of question {number}?" for item in range(ITEMS)),
            source="generated",
            responses=tuple(response(model) for model in models),
        )
        for number in range(INSTANCES)
    )
    rest = {"n": INSTANCES, "coverage": 1.0, "unscored": 0, "empty": 0, "mean_mass": 0.99, "low_mass_items": 0}
    rows = tuple(
        LeaderboardRow(rank=place, model=model, score=0.5, low=0.4, high=0.6, **rest)
        for place, model in enumerate(models, start=1)
    )
    path = tmp_path_factory.mktemp("large") / "report.html"
    write_html(ReportContent(title="large", leaderboard=rows, instances=instances), path)
    return path


def test_the_page_is_there_soon_and_scrolls(page, large):
    started = time.perf_counter()
    page.goto(large.as_uri())
    expect(page.locator("#found")).to_have_text("500 of 500 shown")
    loaded = time.perf_counter() - started
    # Frames while the page moves a thousand pixels a step: a stutter is a frame that takes long.
    frames = page.evaluate(
        """async () => {
            const frames = [];
            let last = performance.now();
            for (let step = 0; step < 40; step += 1) {
                scrollBy(0, 1000);
                await new Promise(requestAnimationFrame);
                frames.push(performance.now() - last);
                last = performance.now();
            }
            return frames.sort((a, b) => a - b);
        }"""
    )
    print(f"{large.stat().st_size / 1e6:.1f} MB, loaded in {loaded:.2f} s, median frame {frames[20]:.0f} ms")
    assert loaded < SECONDS
    assert frames[20] < 50
    started = time.perf_counter()
    page.locator("#find").fill("criterion 3 of question 499")
    expect(page.locator("#found")).to_have_text("1 of 500 shown")
    assert time.perf_counter() - started < SECONDS
