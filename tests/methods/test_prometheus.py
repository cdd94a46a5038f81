"""Feedback by a rubric, then a result."""

import re

import pytest

from checkwise import Prometheus, ScoringGuide
from checkwise.questions import Failure
from checkwise.records import Finding, Instance, Response, Turn

SUM = Instance(id="q", turns=(Turn(role="user", content="What is 2 + 3?"),), reference="It is 5.")
FIVE = Response(instance_id="q", model="m", text="5")
GOOD = Response(instance_id="q", model="A", text="It is 5.")
POOR = Response(instance_id="q", model="B", text="It is 6.")


def user(ask, number=0):
    return ask.engine.prompts[number].messages[1].content


def inside(tag, text):
    return re.search(f"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)[1]


@pytest.mark.parametrize("end", ["\n[RESULT] 4", " [RESULT] 4", "\n**[RESULT]** 4", "\n[Result]: [4]", "\nResult: 4/5"])
async def test_absolute_grading(asking, end):
    score, findings = await Prometheus().score(SUM, FIVE, asking(f"Feedback: It is right.{end}"))
    # 4 on the scale from 1 to 5 is (4 - 1) / (5 - 1).
    assert (score.verdict, score.value, score.status) == (4, 0.75, "scored")
    assert (score.instance_id, score.model, score.items, score.scored_items) == ("q", "m", 1, 1)
    assert findings == (Finding(instance_id="q", model="m", step="feedback", text=f"Feedback: It is right.{end}"),)


async def test_the_rubric_and_the_reference_of_the_highest_score_are_shown(asking):
    ask = asking("[RESULT] 3")
    guide = ScoringGuide(name="mine", about="How brief it is.", low=1, high=3, points={1: "long", 3: "brief"})
    score, _ = await Prometheus(guide=guide).score(SUM, FIVE, ask)
    assert score.value == 1
    assert "from 1 to 3. How brief it is.\n1: long\n3: brief\n" in user(ask)
    assert "would have the score 3:\n\n<reference>\nIt is 5.\n</reference>" in user(ask)
    assert (inside("instruction", user(ask)), inside("response", user(ask))) == ("What is 2 + 3?", "5")


async def test_all_five_scores_have_a_meaning(asking):
    ask = asking("[RESULT] 3")
    await Prometheus().score(SUM, FIVE, ask)
    assert all(re.search(rf"^{score}: \w", user(ask), re.MULTILINE) for score in range(1, 6))


async def test_the_conversation_before_the_instruction_is_shown(asking):
    ask = asking("[RESULT] 3\n[RESULT] A")
    turns = (Turn(role="user", content="Hi"), Turn(role="assistant", content="Hello!"), *SUM.turns)
    talk = SUM.model_copy(update={"turns": turns, "reference": None})
    await Prometheus().score(talk, FIVE, ask)
    await Prometheus().compare(talk, GOOD, POOR, ask)
    for number in (0, 1):
        assert inside("conversation", user(ask, number)) == "USER: Hi\n\nASSISTANT: Hello!"
        assert "eference" not in user(ask, number)


async def test_relative_grading(asking):
    ask = asking("Feedback: The second is right. [RESULT] B")
    comparison, findings = await Prometheus().compare(SUM, POOR, GOOD, ask)
    assert (comparison.pair_id, comparison.first, comparison.verdict, comparison.status) == ("q", "B", "A", "judged")
    assert (inside("response_a", user(ask)), inside("response_b", user(ask))) == ("It is 6.", "It is 5.")
    assert "Criterion: How well a response does what was asked." in user(ask)
    assert [(f.step, f.first, f.model) for f in findings] == [("feedback", "B", None)]


async def test_a_rubric_without_a_sentence_compares_by_its_highest_score(asking):
    ask = asking("[RESULT] A")
    await Prometheus(guide=ScoringGuide(name="m", low=1, high=3, points={3: "brief", 1: "long"})).compare(
        SUM, GOOD, POOR, ask
    )
    assert "Criterion: brief\n" in user(ask)


@pytest.mark.parametrize("text", ["It is right.", "[RESULT] 6", "[RESULT] 3.5", "[RESULT] 3 or 4"])
async def test_no_score_is_unscored_with_the_texts(asking, text):
    score, findings = await Prometheus().score(SUM, FIVE, asking(text))
    assert (score.value, score.verdict, score.status, score.retried) == (None, None, "unscored", True)
    assert [(f.step, f.text) for f in findings] == [("feedback", text), ("retry", text)]


async def test_a_missing_result_is_asked_for_once_more(asking):
    ask = asking(lambda prompt: "[RESULT] A" if "is missing" in prompt.text else "The first one is right.")
    comparison, _ = await Prometheus().compare(SUM, GOOD, POOR, ask)
    assert (comparison.verdict, comparison.retried) == ("A", True)


async def test_a_failure_is_unscored_with_its_reason(asking):
    failure = Failure(kind="context_exceeded", reason="it does not fit")
    comparison, _ = await Prometheus().compare(SUM, GOOD, POOR, asking(failure))
    assert (comparison.verdict, comparison.status, comparison.reason) == (None, "unscored", "it does not fit")
