"""The scripted engine answers from one callable and keeps what was asked."""

from checkwise.engines import ScriptedEngine
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Message


async def test_it_records_the_exact_prompts():
    engine = ScriptedEngine(lambda prompt: {"Yes": 0.9, "No": 0.1})
    question = Choose(system="Be fair.", shared=("Query. ", "Response. "), suffixes=("A?", "B?"), options=("Yes", "No"))
    answers = [answer async for answer in engine.choose(question)]
    assert [answer.probabilities for answer in answers if isinstance(answer, Choice)] == [{"Yes": 0.9, "No": 0.1}] * 2
    assert [prompt.text for prompt in engine.prompts] == [
        "Be fair.\nQuery. Response. A?",
        "Be fair.\nQuery. Response. B?",
    ]


async def test_it_writes_text_and_fails_as_scripted():
    answers = iter(["a text", Failure(kind="incomplete", reason="broke off")])
    engine = ScriptedEngine(lambda prompt: next(answers))
    question = Generate(messages=(Message(role="user", content="Write."),))
    # A word is a token.
    usage = {"prompt_tokens": 1, "computed_tokens": 1, "generated_tokens": 2}
    assert (await engine.generate(question)) == Generation(text="a text", finish="stop", usage=usage)
    assert isinstance(await engine.generate(question), Failure)
