"""Ways to put items to a judge: what it is shown each time, and what is made of its answers."""

import pytest

from checkwise.methods import RocketEval
from checkwise.methods.item_asking import Alone, InTurn, Together
from checkwise.questions import Failure
from checkwise.records import Checklist, Instance, Response, Turn

INSTANCE = Instance(id="q", turns=(Turn(role="user", content="Name a primary colour."),))
RESPONSE = Response(instance_id="q", model="m", text="Red, of course.")
LIST = Checklist(instance_id="q", items=("Is a colour named?", "Is it primary?", "Is it one word?"))


async def grade(asking, script, way):
    ask = asking(script)
    return await RocketEval(asking=way).grade(INSTANCE, LIST, RESPONSE, ask), ask.engine.prompts


def item_of(prompt):
    return LIST.items.index(prompt.text.splitlines()[-1]) + 1


async def test_alone_shows_one_item_and_no_other(asking):
    grades, prompts = await grade(asking, {"Yes": 0.6, "No": 0.2}, Alone())
    assert [g.p_yes for g in grades] == pytest.approx([0.75] * 3)
    assert [sum(item in prompt.text for item in LIST.items) for prompt in prompts] == [1, 1, 1]
    assert all("with Yes or No." in prompt.text for prompt in prompts)


async def test_samples_are_counted(asking):
    def script(prompt):
        return [{"Yes": 1.0}, {"Yes": 0.5, "No": 0.5}, {"Hm": 1.0}][item_of(prompt) - 1]

    grades, prompts = await grade(asking, script, Alone(samples=20))
    assert len(prompts) == 60
    assert [(g.mode, g.answers) for g in grades] == [("sampled", 20), ("sampled", 20), ("sampled", 0)]
    assert (grades[0].yes_answers, grades[0].p_yes, grades[0].mass) == (20, 1.0, 1.0)
    # With probability 1 - 2e-4 a fair coin lands within 2 and 18 of 20; the draw is seeded.
    assert 2 <= grades[1].yes_answers <= 18
    assert grades[1].p_yes == grades[1].yes_answers / 20
    assert (grades[2].p_yes, grades[2].reason) == (None, "none of 20 sampled answers was Yes or No")


async def test_a_low_temperature_samples_the_likeliest(asking):
    grades, _ = await grade(asking, {"Yes": 0.6, "No": 0.4}, Alone(samples=10, temperature=0.01))
    assert [g.yes_answers for g in grades] == [10] * 3


async def test_an_answer_that_is_neither_leaves_the_share_of_the_others(asking):
    def failing(prompt):
        return Failure(kind="no_answer", reason="busy") if prompt.repeat == 0 else {"No": 1.0}

    grades, _ = await grade(asking, failing, Alone(samples=4))
    assert [(g.answers, g.p_yes, g.mass) for g in grades] == [(3, 0.0, 0.75)] * 3


async def test_in_turn_shows_the_items_before_with_the_judges_answers(asking):
    def script(prompt):
        return {"Yes": 0.9, "No": 0.1} if item_of(prompt) == 1 else {"Yes": 0.2, "No": 0.8}

    grades, prompts = await grade(asking, script, InTurn())
    assert [g.p_yes for g in grades] == pytest.approx([0.9, 0.2, 0.2])
    assert "Is a colour named?\nYes\n" in prompts[2].text
    assert "Is it primary?\nNo\n" in prompts[2].text
    assert "Is it primary?" not in prompts[0].text


async def test_together_asks_once_and_reads_one_line_an_item(asking):
    grades, prompts = await grade(asking, "1. Yes\n2. No\nI cannot say more.", Together())
    assert [(g.mode, g.p_yes) for g in grades] == [("written", 1.0), ("written", 0.0), ("written", None)]
    assert grades[2].reason.startswith("the judge's text has no clear answer to it")
    (prompt,) = prompts
    assert "1. Is a colour named?\n2. Is it primary?\n3. Is it one word?" in prompt.text


async def test_together_without_an_answer_is_unscored(asking):
    grades, _ = await grade(asking, lambda _: Failure(kind="context_exceeded", reason="too long"), Together())
    assert [(g.p_yes, g.reason) for g in grades] == [(None, "too long")] * 3
