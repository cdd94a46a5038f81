import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise import Direct
from checkwise.engines import ScriptedEngine
from checkwise.questions import Failure
from checkwise.records import Instance, Response, Turn

SUM = Instance(id="q", turns=(Turn(role="user", content="What is 2 + 3?"),), reference="It is 5.")
FIVE = Response(instance_id="q", model="m", text="5")
GOOD = Response(instance_id="q", model="A", text="It is 5.")
POOR = Response(instance_id="q", model="B", text="It is 6.")


async def test_the_expected_digit(asking):
    score, findings = await Direct().score(SUM, FIVE, asking({"9": 0.5, "6": 0.25, "A": 0.25}))
    # (9·0.5 + 6·0.25) / 0.75 = 8
    assert score.value == pytest.approx(8 / 9)
    assert score.mean_mass == pytest.approx(0.75)
    assert (score.status, score.items, score.scored_items, score.low_mass_items) == ("scored", 1, 1, 0)
    assert (score.instance_id, score.model, score.reason) == ("q", "m", None)
    assert findings == ()


async def test_the_likeliest_digit(asking):
    score, _ = await Direct(readout="likeliest").score(SUM, FIVE, asking({"3": 0.4, " 3": 0.1, "9": 0.45}))
    assert score.value == pytest.approx(3 / 9)


async def test_zero_is_a_score(asking):
    score, _ = await Direct().score(SUM, FIVE, asking({"0": 0.9, "no": 0.1}))
    assert (score.value, score.status) == (0.0, "scored")


async def test_no_digit_is_unscored(asking):
    score, _ = await Direct().score(SUM, FIVE, asking({"Eight": 0.8, "10": 0.2}))
    assert (score.value, score.status, score.scored_items) == (None, "unscored", 0)
    assert score.reason == "no digit was among the judge's likeliest words"


async def test_a_failure_is_unscored_with_its_reason(asking):
    score, _ = await Direct().score(SUM, FIVE, asking(Failure(kind="context_exceeded", reason="it does not fit")))
    assert (score.value, score.status, score.reason) == (None, "unscored", "it does not fit")


@pytest.mark.parametrize(("low_mass", "flagged"), [(0.5, 1), (0.3, 0)])
async def test_a_low_mass_is_counted(asking, low_mass, flagged):
    score, _ = await Direct(low_mass=low_mass).score(SUM, FIVE, asking({"7": 0.4, "The": 0.6}))
    assert score.value == pytest.approx(7 / 9)
    assert score.low_mass_items == flagged


@given(st.dictionaries(st.sampled_from("789"), st.floats(1e-6, 0.3), min_size=1))
async def test_no_rounding_leads_out_of_the_range(answer):
    engine = ScriptedEngine(lambda _: answer)

    class Straight:
        model = engine.model

        async def choose(self, question):
            return [each async for each in engine.choose(question)]

    score, _ = await Direct().score(SUM, FIVE, Straight())
    assert 7 / 9 - 1e-9 <= score.value <= 1


async def test_a_mean_of_nines_is_one(asking):
    # 9·p / p is a rounding error above 9 for this p.
    p = next(n / 1000 for n in range(1, 1000) if 9 * (n / 1000) / (n / 1000) > 9)
    score, _ = await Direct().score(SUM, FIVE, asking({"9": p}))
    assert score.value == 1.0


async def test_the_whole_prompt(asking):
    ask = asking({"9": 1.0})
    await Direct().score(SUM, FIVE, ask)
    system, user = ask.engine.prompts[0].messages
    assert system.content.startswith("You rate the response that a language model gave to a query.")
    assert user.content == (
        "<query>\nWhat is 2 + 3?\n</query>\n\n<reference>\nIt is 5.\n</reference>\n\n<response>\n5\n</response>\n\n"
        "How good is the response, from 0 to 9?"
    )
    assert ask.engine.prompts[0].options == tuple("0123456789")


async def test_a_models_own_history_is_in_the_prompt(asking):
    ask = asking({"9": 1.0})
    own = (Turn(role="user", content="2 + 3?"), Turn(role="assistant", content="6!"))
    await Direct().score(SUM, FIVE.model_copy(update={"history": own}), ask)
    user = ask.engine.prompts[0].messages[1].content
    assert "<conversation>\nUSER: 2 + 3?\n\nASSISTANT: 6!\n</conversation>\n\n<query>\nWhat is 2 + 3?" in user
    assert user.count("<query>") == 1


async def test_the_likelier_letter_is_the_verdict(asking):
    comparison, findings = await Direct().compare(SUM, GOOD, POOR, asking({"A": 0.4, " a": 0.2, "B": 0.2, "The": 0.2}))
    assert (comparison.pair_id, comparison.first, comparison.verdict, comparison.status) == ("q", "A", "A", "judged")
    # P(A) = 0.6 of a mass of 0.8.
    assert comparison.p_a == pytest.approx(0.75)
    assert comparison.mass == pytest.approx(0.8)
    assert findings == ()


async def test_the_letters_are_positions_and_the_verdict_is_a_name(asking):
    # B is shown first, so that the letter A means it.
    comparison, _ = await Direct().compare(SUM, POOR, GOOD, asking({"A": 0.6, "B": 0.2}))
    assert (comparison.first, comparison.verdict) == ("B", "B")
    assert comparison.p_a == pytest.approx(0.25)


async def test_exactly_as_likely_is_a_tie(asking):
    comparison, _ = await Direct().compare(SUM, GOOD, POOR, asking({"A": 0.3, "B": 0.3}))
    assert (comparison.verdict, comparison.p_a, comparison.status) == ("tie", 0.5, "judged")


async def test_a_letter_that_was_not_returned_is_bounded(asking):
    comparison, _ = await Direct().compare(SUM, POOR, GOOD, asking({"B": 0.9, "The": 0.1}))
    # The letter B is GOOD; the other cannot be likelier than the least likely word that was returned.
    assert (comparison.verdict, comparison.p_a, comparison.mass) == ("A", pytest.approx(0.9), pytest.approx(0.9))


async def test_neither_letter_is_unscored_and_no_tie(asking):
    comparison, _ = await Direct().compare(SUM, GOOD, POOR, asking({"Both": 0.7, "I": 0.3}))
    assert (comparison.verdict, comparison.p_a, comparison.mass, comparison.status) == (None, None, 0, "unscored")
    assert comparison.reason == "neither A nor B was among the judge's likeliest words"


async def test_a_pair_that_does_not_fit_is_unscored_with_the_reason(asking):
    failure = Failure(kind="context_exceeded", reason="it does not fit")
    comparison, _ = await Direct().compare(SUM, GOOD, POOR, asking(failure))
    assert (comparison.verdict, comparison.status, comparison.reason) == (None, "unscored", "it does not fit")


async def test_the_whole_prompt_of_a_pair(asking):
    ask = asking({"A": 0.6, "B": 0.4})
    await Direct().compare(SUM, POOR, GOOD, ask)
    system, user = ask.engine.prompts[0].messages
    assert system.content.startswith("You compare two responses that language models gave to a query.")
    assert user.content == (
        "<query>\nWhat is 2 + 3?\n</query>\n\n<reference>\nIt is 5.\n</reference>\n\n"
        "<response_a>\nIt is 6.\n</response_a>\n\n<response_b>\nIt is 5.\n</response_b>\n\n"
        "Which response is better, A or B?"
    )
    assert ask.engine.prompts[0].options == ("A", "B")


@given(st.floats(1e-9, 0.5), st.floats(1e-9, 0.5))
async def test_both_orders_agree_when_the_judge_does(good, poor):
    engine = ScriptedEngine(lambda prompt: _by_text(prompt.text, good, poor))

    class Straight:
        model = engine.model

        async def choose(self, question):
            return [each async for each in engine.choose(question)]

    one, _ = await Direct().compare(SUM, GOOD, POOR, Straight())
    other, _ = await Direct().compare(SUM, POOR, GOOD, Straight())
    assert one.verdict == other.verdict == ("A" if good > poor else "B" if good < poor else "tie")
    assert one.p_a == pytest.approx(other.p_a)


def _by_text(prompt, good, poor):
    good_is_first = "<response_a>\nIt is 5." in prompt
    return {"A": good, "B": poor} if good_is_first else {"A": poor, "B": good}


async def test_a_pair_needs_the_names_of_sides(asking):
    with pytest.raises(ValueError, match="has the model A or B, not 'm'"):
        await Direct().compare(SUM, FIVE, POOR, asking({"A": 0.6, "B": 0.4}))
