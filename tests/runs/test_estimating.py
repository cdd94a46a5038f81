"""What a run would cost is worked out by its own code, without asking anyone."""

from pathlib import Path

import pytest

from checkwise import CEJudge, CoT, Direct, Price, Prices, Prometheus, RocketEval, Spending, load
from checkwise.engines import ScriptedEngine
from checkwise.methods import Alone, InTurn, Together
from checkwise.records import Checklist, Dataset, Instance, Pair, PairSet, Response, Turn
from checkwise.runs import CompareRun, Comparing, Run, estimate_async
from checkwise.runs.stored_run import StoredRun

EXAMPLE = Path(__file__).parents[2] / "examples" / "quickstart"

PRICES = Prices(given={"judge": Price.parse("1,2"), "writer": Price.parse("10,20")})


def judging(prompt):
    """Answer whatever is asked: Yes, a nine, A, or a text in the form that the prompt wants."""
    if prompt.options is not None:
        return {prompt.options[0]: 0.9, prompt.options[-1]: 0.1}
    if "<response_a>" in prompt.text:
        return "Feedback: The first one is better, since it is whole.\nVerdict: A"
    if "checklist_from" in prompt.text or "Write 1 to" in prompt.text:
        return "1. How does it begin?\n2. What is missing?"
    if "bullet list" in prompt.text:
        return "- the colour\n- the thing"
    if "Reply in this form" in prompt.text or "end with one line" in prompt.text:
        return "Feedback: It says what is asked for, and no more than that.\nScore: 4"
    return "\n".join(f"{number}. Yes" for number in range(1, 5))


def query(name):
    return Instance(id=name, turns=(Turn(role="user", content=f"What colour is the {name}?"),), language="en")


def answered(name, model, text):
    return Response(instance_id=name, model=model, text=text, language="en")


LISTS = tuple(
    Checklist(instance_id=name, items=("Does it name a colour?", "Is it short?"), source="imported")
    for name in ("sky", "snow")
)
BENCH = Dataset(
    name="two",
    format="plain",
    instances=(query("sky"), query("snow")),
    responses=tuple(
        answered(name, model, f"It is {colour}, says {model}.")
        for name, colour in (("sky", "blue"), ("snow", "white"))
        for model in ("able", "weak")
    ),
    checklists=LISTS,
)
PAIRS = PairSet(
    name="pairs",
    format="plain",
    pairs=tuple(
        Pair(instance=instance, a="It is blue.", b="It is a colour of its own.") for instance in BENCH.instances
    ),
)


def engine():
    return ScriptedEngine(judging, model="judge")


def leading(out, *, method=None, data=BENCH, **options):
    spending = Spending(prices=PRICES)
    return Run(dataset=data, out=out, method=method or RocketEval(), judge=engine(), spending=spending, **options)


async def estimated_and_actual(run):
    """Estimate a run, then make it, and give the bills of both."""
    estimate = await estimate_async(run)
    assert run.judge.prompts == []
    assert not run.out.exists()
    await (run.grade() if isinstance(run, Run) else run.compare())
    return estimate.bill, StoredRun(run.out).bill()


ASKING = {
    "alone": Alone(),
    "sampled": Alone(samples=3),
    "in turn": InTurn(),
    "together": Together(),
}


@pytest.mark.parametrize("asking", ASKING.values(), ids=ASKING)
async def test_grading_is_estimated_to_the_token(tmp_path, asking):
    before, after = await estimated_and_actual(leading(tmp_path / "run", method=RocketEval(asking=asking)))
    assert before.questions == after.questions
    assert before.usage.prompt_tokens == after.usage.prompt_tokens > 0
    if not isinstance(asking, Together):
        assert before.usage == after.usage


@pytest.mark.parametrize("method", [Direct(), CoT(), Prometheus(), CEJudge(language="en")], ids=lambda m: m.name)
async def test_every_method_is_planned_by_its_own_code(tmp_path, method):
    run = leading(tmp_path / "run", method=method, data=BENCH.model_copy(update={"checklists": ()}), translator="none")
    before, after = await estimated_and_actual(run)
    assert [(line.step, line.questions) for line in before.lines] == [
        (line.step, line.questions) for line in after.lines
    ]
    if not isinstance(method, CEJudge):
        assert before.usage.prompt_tokens == after.usage.prompt_tokens


async def test_a_pair_is_planned_in_both_orders(tmp_path):
    run = CompareRun(
        pairs=PAIRS,
        out=tmp_path / "run",
        how=Comparing(method=CEJudge(language="en")),
        judge=engine(),
        translator="none",
    )
    before, after = await estimated_and_actual(run)
    # Of each pair: concepts of the instruction and of both responses, two lists, and a verdict in each order.
    assert [(line.step, line.questions) for line in before.lines] == [
        ("checklist", 4),
        ("concepts", 4),
        ("judgment", 4),
    ]
    assert [line.questions for line in after.lines] == [4, 4, 4]


async def test_checklists_are_planned_as_long_as_there_are_none(tmp_path):
    data = BENCH.model_copy(update={"checklists": ()})
    run = leading(tmp_path / "run", data=data, generator=ScriptedEngine(judging, model="writer"))
    estimate = await estimate_async(run)
    checklist, grading = estimate.bill.lines
    assert (checklist.step, checklist.model, checklist.questions) == ("checklist", "writer", 2)
    # Eight items each: the list that stands in for one.
    assert (grading.step, grading.model, grading.questions) == ("grading", "judge", 2 * 2 * 8)
    assert any("a text for checklist has" in note and "assumed" in note for note in estimate.notes)


async def test_what_is_stored_is_not_counted_again(tmp_path):
    run = leading(tmp_path / "run")
    await run.grade()
    again = await estimate_async(run)
    assert (again.bill.questions, again.reused, again.bill.cost) == (0, 8, 0)
    first, *others = BENCH.responses
    changed = BENCH.model_copy(update={"responses": (first.model_copy(update={"text": "It is red."}), *others)})
    some = await estimate_async(leading(tmp_path / "run", data=changed))
    assert (some.bill.questions, some.reused) == (2, 6)


async def test_texts_of_the_run_say_how_long_texts_are(tmp_path):
    data = BENCH.model_copy(update={"checklists": ()})
    await leading(tmp_path / "run", data=data).grade()
    more = data.model_copy(update={"instances": (*data.instances, query("grass"))})
    more = more.model_copy(update={"responses": (*data.responses, answered("grass", "able", "It is green."))})
    estimate = await estimate_async(leading(tmp_path / "run", data=more))
    checklist, grading = estimate.bill.lines
    # The scripted judge writes "1. Yes" to "4. Yes": eight words, and one item, since a list has none twice.
    assert (checklist.questions, checklist.usage.generated_tokens) == (1, 8)
    assert grading.questions == 1
    assert any("a text for checklist has 8 tokens, the mean of 2 of this run" in note for note in estimate.notes)


async def test_many_tests_pay_for_checklists_once(tmp_path):
    data = BENCH.model_copy(update={"checklists": ()})
    run = leading(tmp_path / "run", data=data, generator=ScriptedEngine(judging, model="writer"))
    estimate = await estimate_async(run, against="openai:gpt-4o")
    checklist, grading = estimate.bill.lines
    assert estimate.many.once == pytest.approx(checklist.cost)
    assert estimate.many.a_test == pytest.approx(grading.cost / 2)
    assert estimate.many.total(1000) == pytest.approx(checklist.cost + 500 * grading.cost)
    # The big model reads each of the four responses once, and writes its reasons.
    (big,) = estimate.against.lines
    assert (big.step, big.model, big.questions) == ("judgment", "openai:gpt-4o", 4)
    assert estimate.many.against == pytest.approx(big.cost / 2)


async def test_many_tests_are_counted_from_the_beginning(tmp_path):
    data = BENCH.model_copy(update={"checklists": ()})
    run = leading(tmp_path / "run", data=data)
    await run.grade()
    estimate = await estimate_async(run)
    assert estimate.bill.questions == 0
    stored = StoredRun(run.out).bill()
    assert estimate.many.once == pytest.approx(stored.only({"checklist"}).cost)
    assert estimate.many.a_test == pytest.approx(stored.only({"grading"}).cost / 2)


async def test_weights_that_are_not_here_are_not_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("CHECKWISE_CACHE", str(tmp_path / "cache"))
    run = Run(dataset=BENCH, out=tmp_path / "run", judge="local:smollm2-135m")
    estimate = await estimate_async(run)
    (grading,) = estimate.bill.lines
    assert grading.questions == 8
    assert any("estimated from characters, since its weights are not here yet" in note for note in estimate.notes)
    assert not (tmp_path / "cache").exists()


@pytest.fixture
def quickstart():
    """The example's queries and responses, with a list for all."""
    data = load(EXAMPLE, limit=2)
    items = ("Does the response do what the query asks?", "Is everything in it right?", "Is it easy to follow?")
    lists = tuple(Checklist(instance_id=instance.id, items=items) for instance in data.instances)
    return data.model_copy(update={"checklists": lists})


@pytest.mark.real
async def test_the_embedded_engines_tokens_are_estimated_exactly(quickstart, smallest, tmp_path):
    run = Run(dataset=quickstart, out=tmp_path / "run", judge=f"local:{smallest}")
    before = (await estimate_async(run)).bill
    await run.grade()
    after = StoredRun(run.out).bill()
    assert before.questions == after.questions > 0
    assert before.usage.prompt_tokens == after.usage.prompt_tokens
    assert before.usage.computed_tokens == pytest.approx(after.usage.computed_tokens, rel=0.1)


@pytest.mark.real
async def test_a_servers_tokens_are_estimated_within_a_tenth(quickstart, forgetful_http_server, tmp_path, monkeypatch):
    monkeypatch.setenv("CHECKWISE_API_KEY", forgetful_http_server.key)
    run = Run(dataset=quickstart, out=tmp_path / "run", judge=f"{forgetful_http_server.url}#small")
    estimate = await estimate_async(run)
    # By the server's own tokenizer: only what a template puts around messages is assumed.
    assert not any("estimated" in note for note in estimate.notes)
    await run.grade()
    after = StoredRun(run.out).bill()
    assert estimate.bill.questions == after.questions > 0
    assert estimate.bill.usage.prompt_tokens == pytest.approx(after.usage.prompt_tokens, rel=0.1)
