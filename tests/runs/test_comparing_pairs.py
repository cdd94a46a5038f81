"""Runs over pairs, from the records to the numbers."""

import asyncio
import math
import re

import polars as pl
import pytest
from tests.engines.batch_service import batch_service
from tests.engines.chat_service import said

import checkwise
from checkwise import CEJudge, Direct, HostedOptions, PairResult, RocketEval
from checkwise.engines import BatchOptions, ScriptedEngine
from checkwise.engines.endpoints import Endpoint
from checkwise.engines.openai_batch import BatchEngine
from checkwise.errors import NothingJudgedError, UserError
from checkwise.questions import Failure, Generate, Message
from checkwise.records import Instance, Pair, PairSet, Turn
from checkwise.runs import CompareRun, Comparing
from checkwise.runs.ask import StoredAsk
from checkwise.store import RunFolder


def pair(name, a, b, label=None, **more):
    instance = Instance(id=name, turns=(Turn(role="user", content=f"Say something about {name}."),), language="en")
    return Pair(instance=instance, a=a, b=b, label=label, **more)


PAIRS = PairSet(
    name="sayings",
    format="plain",
    pairs=(
        pair("tea", "Tea is good.", "Tea is bad.", "A", subset="drinks"),
        pair("milk", "Milk is bad.", "Milk is good.", "B", subset="drinks"),
        pair("bread", "Bread is good.", "Bread is bad.", "A", subset="food"),
        pair("soup", "Soup is bad.", "Soup is good.", "B", subset="food"),
    ),
)


def shown(prompt, tag):
    return re.search(f"<{tag}>\n(.*?)\n</{tag}>", prompt.messages[-1].content, re.DOTALL)[1]


def writing(judgment):
    """Write what CE-Judge asks for; ``judgment`` makes the closing line from the prompt."""

    def answer(prompt):
        user = prompt.messages[-1].content
        if "<response_a>" in user:
            return judgment(prompt)
        if "numbered list" in user:
            return "1. How is it said?"
        return f"- {shown(prompt, 'passage')}"

    return answer


def knowing(prompt):
    return "Verdict: A" if "good" in shown(prompt, "response_a") else "Verdict: B"


def always_first(_prompt):
    return "Both are fine, but I like the first.\nVerdict: A"


def swapped(pairs):
    other = {"A": "B", "B": "A", "tie": "tie", None: None}
    return pairs.model_copy(
        update={"pairs": tuple(p.model_copy(update={"a": p.b, "b": p.a, "label": other[p.label]}) for p in pairs.pairs)}
    )


def compare(out, script, pairs=PAIRS, *, method=None, **options):
    engine = ScriptedEngine(script, model="judge")
    arguments = {"method": method or CEJudge(), "judge": engine, "translator": "none", "out": out} | options
    return checkwise.compare(pairs, **arguments), engine


def test_a_judge_that_knows_is_right_in_both_orders(tmp_path):
    result, _ = compare(tmp_path, writing(knowing))
    metrics = result.metrics
    assert (metrics.accuracy.value, metrics.consistency.value, metrics.first_share.value) == (1.0, 1.0, 0.5)
    assert (metrics.pairs, metrics.judged, metrics.unscored) == (4, 4, 0)
    assert result.comparisons.height == 8
    assert result.verdicts.sort("pair_id")["outcome"].to_list() == ["A", "B", "B", "A"]
    assert (tmp_path / "report.html").is_file()


def test_a_judge_that_always_says_a_is_right_half_of_the_time_and_never_consistent(tmp_path):
    result, _ = compare(tmp_path, writing(always_first))
    metrics = result.metrics
    assert metrics.accuracy.value == 0.5
    assert metrics.consistency.value == 0.0
    assert metrics.first_share.value == 1.0
    assert metrics.inconsistent == 4
    assert metrics.accuracy_consistent.value is None
    assert set(result.verdicts["outcome"]) == {"inconsistent"}


def test_the_order_that_is_given_hides_it_where_the_better_one_is_always_first(tmp_path):
    better_first = PAIRS.model_copy(
        update={"pairs": tuple(p if p.label == "A" else swapped(PAIRS).pairs[i] for i, p in enumerate(PAIRS.pairs))}
    )
    given, _ = compare(tmp_path / "given", writing(always_first), better_first, order="given")
    both, _ = compare(tmp_path / "both", writing(always_first), better_first)
    assert given.metrics.accuracy.value == 1.0
    assert given.metrics.consistency.value is None
    assert both.metrics.accuracy.value == 0.5


@pytest.mark.parametrize("order", ["both", "random"])
@pytest.mark.parametrize(
    "script",
    [writing(always_first), writing(knowing), writing(lambda p: f"Verdict: {'AB'[len(p.text) % 2]}")],
    ids=["always first", "knowing", "erratic"],
)
def test_swapping_the_responses_in_the_input_changes_nothing(tmp_path, order, script):
    one, _ = compare(tmp_path / "one", script, order=order)
    other, _ = compare(tmp_path / "other", script, swapped(PAIRS), order=order)
    assert one.metrics == other.metrics
    turned = {"A": "B", "B": "A", "inconsistent": "inconsistent"}
    assert [turned[outcome] for outcome in one.verdicts["outcome"]] == other.verdicts["outcome"].to_list()
    assert one.by("subset").equals(other.by("subset"))


def test_swapping_asks_nothing_anew(tmp_path):
    compare(tmp_path, writing(knowing))
    _, engine = compare(tmp_path, writing(knowing), swapped(PAIRS))
    assert engine.prompts == []


def test_the_second_order_asks_for_the_judgment_alone(tmp_path):
    _, engine = compare(tmp_path, writing(knowing), PAIRS.model_copy(update={"pairs": PAIRS.pairs[:1]}))
    # Concepts of three texts, two lists for each response, and a judgment for each order.
    assert len(engine.prompts) == 3 + 4 + 2


def test_the_random_order_is_the_same_for_the_same_seed(tmp_path):
    def firsts(name, seed):
        result, _ = compare(tmp_path / name, writing(knowing), order="random", seed=seed)
        return result.comparisons["first"].to_list()

    assert firsts("one", 1) == firsts("again", 1)
    assert len({tuple(firsts(f"seed {seed}", seed)) for seed in range(6)}) > 1


def test_an_empty_response_loses_and_identical_ones_tie_without_asking(tmp_path):
    pairs = PairSet(
        name="rules",
        format="plain",
        pairs=(
            pair("empty", "", "Something.", "B"),
            pair("same", "Just this.", "Just this.\n", "A"),
            pair("nothing", " ", "\n", None),
        ),
    )
    result, engine = compare(tmp_path, writing(knowing), pairs)
    assert engine.prompts == []
    rows = {row["pair_id"]: row for row in result.comparisons.filter(first="A").iter_rows(named=True)}
    assert (rows["empty"]["verdict"], rows["empty"]["status"]) == ("B", "empty")
    assert (rows["same"]["verdict"], rows["same"]["status"]) == ("tie", "identical")
    assert rows["nothing"]["verdict"] == "tie"
    # B is right, a tie counts half, and the third has no label.
    assert result.metrics.accuracy.value == pytest.approx((1 + 0.5) / 2)
    assert "3 pairs were decided by rule: a response is empty, or both are identical" in result.notes


def test_a_pair_that_fails_in_one_order_is_unscored_and_counted(tmp_path):
    def failing(prompt):
        if "Tea is bad." in shown(prompt, "response_a"):
            return Failure(kind="context_exceeded", reason="it does not fit")
        return knowing(prompt)

    result, _ = compare(tmp_path, writing(failing))
    assert (result.metrics.judged, result.metrics.unscored) == (3, 1)
    assert result.metrics.accuracy.value == 1.0
    assert result.metrics.accuracy.n == 3
    assert any(note.startswith("1 of 4 pairs lack a verdict") and "it does not fit" in note for note in result.notes)


def test_nothing_judged_is_an_error(tmp_path):
    with pytest.raises(NothingJudgedError, match="none of the 4 pairs has a verdict"):
        compare(tmp_path, lambda _: Failure(kind="context_exceeded", reason="it does not fit"))


def test_pairs_without_labels_are_compared_and_in_no_accuracy(tmp_path):
    bare = PAIRS.model_copy(update={"pairs": tuple(p.model_copy(update={"label": None}) for p in PAIRS.pairs)})
    result, _ = compare(tmp_path, writing(knowing), bare)
    assert result.metrics.accuracy.value is None
    assert result.metrics.accuracy.reason
    assert result.metrics.consistency.value == 1.0
    assert "4 of 4 pairs have no label, and are in no accuracy" in result.notes


def test_concepts_lists_and_feedback_are_kept_once(tmp_path):
    result, _ = compare(tmp_path, writing(knowing), PAIRS.model_copy(update={"pairs": PAIRS.pairs[:1]}))
    steps = [(finding.step, finding.model, finding.first) for finding in PairResult(tmp_path).findings]
    assert steps.count(("concepts", None, None)) == 1
    assert len(steps) == len(set(steps))
    assert {("feedback", None, "A"), ("feedback", None, "B")} <= set(steps)
    assert {("checklist from response", "A", None), ("checklist from instruction", "B", None)} <= set(steps)
    assert result.findings == PairResult(tmp_path).findings


def scoring(prompt):
    """Grade an item by whether the response is about something good, as far as the item asks for that."""
    p_yes = 0.9 if "good" in shown(prompt, "response") else 0.3
    return {"Yes": p_yes, "No": 1 - p_yes}


def test_rocketeval_decides_by_scores_and_knows_no_order(tmp_path):
    (tmp_path / "list.jsonl").write_text('{"checklist": ["Is it good?", "Is it short?"]}\n', encoding="utf-8")
    result, _ = compare(tmp_path / "run", scoring, method=RocketEval(), checklists=tmp_path / "list.jsonl")
    assert result.comparisons["first"].null_count() == 4
    assert result.metrics.accuracy.value == 1.0
    assert result.metrics.first_share.value is None
    assert result.metrics.consistency.value is None
    assert result.scores.filter(instance_id="tea")["value"].to_list() == pytest.approx([0.9, 0.3])


def test_scores_within_the_margin_are_a_tie(tmp_path):
    (tmp_path / "list.jsonl").write_text('{"checklist": ["Is it good?"]}\n', encoding="utf-8")
    # 9·0.6 = 5.4 points apart on the scale from 1 to 10.
    for margin, outcome in ((5.3, "A"), (5.5, "tie")):
        result, _ = compare(
            tmp_path / outcome, scoring, method=RocketEval(), checklists=tmp_path / "list.jsonl", margin=margin
        )
        assert result.verdicts.filter(pair_id="tea")["outcome"].item() == outcome


def test_direct_reads_the_probabilities_of_a_and_b(tmp_path):
    def choosing(prompt):
        p = 0.8 if "good" in shown(prompt, "response_a") else 0.4
        return {"A": p, "B": 0.9 - p}

    result, _ = compare(tmp_path, choosing, method=Direct())
    rows = {row["first"]: row for row in result.comparisons.filter(pair_id="tea").iter_rows(named=True)}
    assert rows["A"]["p_a"] == pytest.approx(0.8 / 0.9)
    assert rows["B"]["p_a"] == pytest.approx(1 - 0.4 / 0.9)
    assert result.metrics.accuracy.value == 1.0


def test_checklists_from_a_file_are_refused_where_the_method_makes_its_own(tmp_path):
    with pytest.raises(UserError, match="takes no checklists from files"):
        compare(tmp_path, writing(knowing), checklists=tmp_path / "list.jsonl")


def test_by_language_and_subset(tmp_path):
    german = PAIRS.pairs[0].instance.model_copy(update={"language": "de"})
    pairs = PAIRS.model_copy(
        update={"pairs": (PAIRS.pairs[0].model_copy(update={"instance": german}), *PAIRS.pairs[1:])}
    )
    result, _ = compare(tmp_path, writing(knowing), pairs)
    assert result.by("language").select("language", "pairs").rows() == [("de", 1), ("en", 3)]
    assert result.by("subset").select("subset", "accuracy").rows() == [("drinks", 1.0), ("food", 1.0)]
    titles = [table.title for table in result.tables()]
    assert titles == ["All pairs", "By language", "By subset"]


def test_accuracy_is_the_mean_over_the_pairs_that_have_a_label(tmp_path):
    wrong_on_soup = writing(lambda p: "Verdict: A" if "Soup is bad." in shown(p, "response_a") else knowing(p))
    result, _ = compare(tmp_path, wrong_on_soup)
    credit = result.verdicts.select(pl.col("credit").mean()).item()
    assert result.metrics.accuracy.value == credit
    soup = result.verdicts.filter(pair_id="soup").row(0, named=True)
    assert (soup["outcome"], soup["credit"]) == ("inconsistent", 0.5)
    assert credit == pytest.approx((3 + 0.5) / 4)


class Killed(BaseException):
    """What ends a process, and no ``except Exception`` holds up."""


def test_wherever_a_run_is_killed_the_next_one_asks_for_the_rest_and_nothing_twice(tmp_path):
    one = PAIRS.model_copy(update={"pairs": PAIRS.pairs[:1]})
    _, whole = compare(tmp_path / "whole", writing(knowing), one)
    # Concepts of the instruction and both responses, two lists for each response, a judgment in each order.
    assert len(whole.prompts) == 3 + 4 + 2
    for number in range(1, 9):
        asked = []

        def until_killed(prompt, number=number, asked=asked):
            if len(asked) == number:
                raise Killed
            asked.append(prompt)
            return writing(knowing)(prompt)

        with pytest.raises(BaseException) as caught:
            compare(tmp_path / str(number), until_killed, one)
        assert "Killed" in repr(caught.value)
        result, rest = compare(tmp_path / str(number), writing(knowing), one)
        assert [prompt.messages for prompt in asked + rest.prompts] == [prompt.messages for prompt in whole.prompts]
        assert result.metrics.accuracy.value == 1


def test_languages_that_nobody_named_are_found_out_and_translated_by_the_judge(tmp_path):
    german = (
        "Nenne mir bitte die Hauptstadt von Frankreich und erkläre kurz, seit wann sie es ist und warum gerade diese "
        "Stadt dazu geworden ist."
    )
    instance = Instance(id="paris", turns=(Turn(role="user", content=german),))
    pairs = PAIRS.model_copy(
        update={"pairs": (Pair(instance=instance, a="Paris is good.", b="Berlin is bad.", label="A"),)}
    )

    def script(prompt):
        if prompt.messages[0].role == "system" and "<passage>" in prompt.messages[-1].content:
            return "Name the capital of France."
        return writing(knowing)(prompt)

    result, engine = compare(tmp_path, script, pairs, translator="llm")
    assert result.facts["translator"] == "judge"
    english = [finding for finding in result.findings if finding.step == "translation" and finding.model is None]
    assert [(e.text, e.reason) for e in english] == [("Name the capital of France.", "translated from de by judge")]
    assert sum("<passage>" in p.messages[-1].content and p.messages[0].role == "system" for p in engine.prompts) == 1


async def test_a_judge_in_batches_has_both_orders_of_all_pairs_in_one_batch(tmp_path):
    chosen = {"A": math.log(0.8), "B": math.log(0.2)}
    with batch_service(lambda _: (200, said("A", top=chosen))) as service:
        judge = BatchEngine(
            Endpoint("tiny", (service.url,)),
            name="tiny",
            options=HostedOptions(),
            batch=BatchOptions(quiet=0.3, poll=0.01),
        )
        pairs = PairSet(name="two", format="plain", pairs=(pair("tea", "one", "two"), pair("milk", "one", "two")))
        result, asked = await CompareRun(
            pairs=pairs, out=tmp_path, how=Comparing(method=Direct()), judge=judge
        ).compare()
        await judge.close()
    assert (len(service.batches), len(service.asked), asked.questions) == (1, 4, 4)
    assert result.verdicts.height == 2


async def test_what_two_ask_at_the_same_time_is_asked_once(tmp_path):
    class Slow(ScriptedEngine):
        async def generate(self, question):
            await asyncio.sleep(0.01)
            return await super().generate(question)

    engine = Slow(lambda _: "A text.")
    question = Generate(messages=(Message(role="user", content="Write."),))
    with RunFolder(tmp_path) as folder:
        ask = StoredAsk(engine, folder.database)
        texts = await asyncio.gather(*(ask.generate(question) for _ in range(3)))
    assert [text.text for text in texts] == ["A text."] * 3
    assert len(engine.prompts) == 1
    assert (ask.asked.answered, ask.asked.reused) == (1, 2)
