"""Asking for a verdict, and once more where none can be read."""

from functools import partial

from checkwise.methods.verdict_asking import ask_for_verdict, feedback
from checkwise.parsing.verdicts import read_score
from checkwise.questions import Failure, Generate, Generation, Message
from checkwise.records import Finding

QUESTION = Generate(messages=(Message(role="user", content="How good is it?"),), max_tokens=400, temperature=0.7)
RESTATE = "Reply with the closing line alone."
read = partial(read_score, low=1, high=10)


class Judge:
    """Gives prepared answers, one after another, and keeps the questions."""

    model = "prepared"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def generate(self, question):
        self.asked.append(question)
        return self.answers.pop(0)


def wrote(text, finish="stop"):
    return Generation(text=text, finish=finish)


async def ask(*answers):
    judge = Judge(*answers)
    return await ask_for_verdict(judge, QUESTION, read, RESTATE), judge.asked


async def test_a_verdict_that_can_be_read_is_not_asked_for_again():
    asked, questions = await ask(wrote("It is good.\nScore: 8"))
    assert (asked.verdict, asked.text, asked.retried, asked.reason) == (8, "It is good.\nScore: 8", False, None)
    assert questions == [QUESTION]
    assert feedback(asked, instance_id="q", model="m") == (
        Finding(instance_id="q", model="m", step="feedback", text="It is good.\nScore: 8"),
    )


async def test_the_second_try_goes_on_with_the_conversation():
    asked, questions = await ask(wrote("It is good."), wrote("Score: 8"))
    assert (asked.verdict, asked.retried, asked.reason) == (8, True, None)
    assert [(m.role, m.content) for m in questions[1].messages] == [
        ("user", "How good is it?"),
        ("assistant", "It is good."),
        ("user", RESTATE),
    ]
    assert (questions[1].max_tokens, questions[1].temperature) == (24, 0.0)
    assert [(f.step, f.text, f.first) for f in feedback(asked, instance_id="p", first="B")] == [
        ("feedback", "It is good.", "B"),
        ("retry", "Score: 8", "B"),
    ]


async def test_two_texts_without_a_verdict_are_kept_with_the_reason():
    asked, _ = await ask(wrote("It is good."), wrote("I said so.\nIt is good."))
    assert (asked.verdict, asked.retried) == (None, True)
    assert asked.reason == "no verdict could be read, not even when asked again: 'I said so. It is good.'"
    assert [f.text for f in feedback(asked, instance_id="q")] == ["It is good.", "I said so.\nIt is good."]


async def test_the_reason_quotes_no_more_than_the_end_of_a_long_text():
    asked, _ = await ask(wrote("well"), wrote("so " * 500 + "end"))
    assert asked.reason.endswith("so end'")
    assert len(asked.reason) < 200


async def test_a_failure_is_final():
    asked, questions = await ask(Failure(kind="context_exceeded", reason="9000 tokens do not fit"))
    assert (asked.verdict, asked.text, asked.retried, asked.reason) == (None, None, False, "9000 tokens do not fit")
    assert len(questions) == 1
    (found,) = feedback(asked, instance_id="q", model="m")
    assert (found.step, found.text, found.reason) == ("feedback", None, "9000 tokens do not fit")


async def test_a_second_try_that_does_not_fit_is_the_reason():
    asked, _ = await ask(wrote("It is good."), Failure(kind="context_exceeded", reason="4097 tokens do not fit"))
    assert (asked.verdict, asked.text, asked.retried) == (None, "It is good.", True)
    assert "4097 tokens do not fit" in asked.reason
    assert [(f.step, f.text) for f in feedback(asked, instance_id="q")] == [
        ("feedback", "It is good."),
        ("retry", None),
    ]


async def test_a_text_that_the_limit_cut_is_asked_about_again():
    # The next token might have been a 0.
    asked, _ = await ask(wrote("It is good.\nScore: 1", "length"), wrote("Score: 10"))
    assert (asked.verdict, asked.retried) == (10, True)


async def test_a_verdict_in_a_line_before_the_cut_counts():
    asked, _ = await ask(wrote("Score: 8\nThis is beca", "length"))
    assert (asked.verdict, asked.retried) == (8, False)
