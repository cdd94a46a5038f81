import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise import Direct
from checkwise.engines import ScriptedEngine
from checkwise.questions import Failure
from checkwise.records import Instance, Response, Turn

SUM = Instance(id="q", turns=(Turn(role="user", content="What is 2 + 3?"),), reference="It is 5.")
FIVE = Response(instance_id="q", model="m", text="5")


async def test_the_expected_digit(asking):
    score = await Direct().score(SUM, FIVE, asking({"9": 0.5, "6": 0.25, "A": 0.25}))
    # (9·0.5 + 6·0.25) / 0.75 = 8
    assert score.value == pytest.approx(8 / 9)
    assert score.mean_mass == pytest.approx(0.75)
    assert (score.status, score.items, score.scored_items, score.low_mass_items) == ("scored", 1, 1, 0)
    assert (score.instance_id, score.model, score.reason) == ("q", "m", None)


async def test_the_likeliest_digit(asking):
    score = await Direct(readout="likeliest").score(SUM, FIVE, asking({"3": 0.4, " 3": 0.1, "9": 0.45}))
    assert score.value == pytest.approx(3 / 9)


async def test_zero_is_a_score(asking):
    score = await Direct().score(SUM, FIVE, asking({"0": 0.9, "no": 0.1}))
    assert (score.value, score.status) == (0.0, "scored")


async def test_no_digit_is_unscored(asking):
    score = await Direct().score(SUM, FIVE, asking({"Eight": 0.8, "10": 0.2}))
    assert (score.value, score.status, score.scored_items) == (None, "unscored", 0)
    assert score.reason == "no digit was among the judge's likeliest words"


async def test_a_failure_is_unscored_with_its_reason(asking):
    score = await Direct().score(SUM, FIVE, asking(Failure(kind="context_exceeded", reason="it does not fit")))
    assert (score.value, score.status, score.reason) == (None, "unscored", "it does not fit")


@pytest.mark.parametrize(("low_mass", "flagged"), [(0.5, 1), (0.3, 0)])
async def test_a_low_mass_is_counted(asking, low_mass, flagged):
    score = await Direct(low_mass=low_mass).score(SUM, FIVE, asking({"7": 0.4, "The": 0.6}))
    assert score.value == pytest.approx(7 / 9)
    assert score.low_mass_items == flagged


@given(st.dictionaries(st.sampled_from("789"), st.floats(1e-6, 0.3), min_size=1))
async def test_no_rounding_leads_out_of_the_range(answer):
    engine = ScriptedEngine(lambda _: answer)

    class Straight:
        model = engine.model

        async def choose(self, question):
            return [each async for each in engine.choose(question)]

    score = await Direct().score(SUM, FIVE, Straight())
    assert 7 / 9 - 1e-9 <= score.value <= 1


async def test_a_mean_of_nines_is_one(asking):
    # 9·p / p is a rounding error above 9 for this p.
    p = next(n / 1000 for n in range(1, 1000) if 9 * (n / 1000) / (n / 1000) > 9)
    assert (await Direct().score(SUM, FIVE, asking({"9": p}))).value == 1.0


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
