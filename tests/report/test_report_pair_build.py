import pytest

from checkwise.errors import DataError
from checkwise.records import Checklist, Comparison, Finding, Instance, ItemGrade, Pair, PairSet, Score, Turn
from checkwise.report import build_pair_content
from checkwise.report.pair_content import PairContent

NOTHING = {"metrics": (), "facts": {}, "notes": ()}


def pair(id="p", label="A", a="good", b="bad", **more) -> Pair:
    return Pair(instance=Instance(id=id, turns=(Turn(role="user", content="Q"),)), a=a, b=b, label=label, **more)


def shown(first, verdict, *, id="p", **more) -> Comparison:
    status = "unscored" if verdict is None else "judged"
    return Comparison.model_validate({"pair_id": id, "first": first, "verdict": verdict, "status": status} | more)


def built(one: Pair, *comparisons: Comparison, findings=(), **more) -> PairContent:
    data = PairSet(name="demo", format="jsonl", pairs=(one,))
    return build_pair_content(data, comparisons, findings, **(NOTHING | more)).pairs[0]


@pytest.mark.parametrize(
    ("label", "verdicts", "outcomes", "summary"),
    [
        ("A", ("A", "A"), ("right",), "A in both orders: right"),
        ("B", ("A", "A"), ("wrong",), "A in both orders: wrong, the data says B"),
        ("tie", ("A", "A"), ("wrong",), "A in both orders: wrong, the data says tie"),
        ("tie", ("tie", "tie"), ("right",), "tie in both orders: right"),
        ("B", ("tie", "tie"), ("tie",), "tie in both orders: the data says B, counts half"),
        ("A", ("A", "B"), ("inconsistent",), "inconsistent: the first-shown response won both times; counts half"),
        ("A", ("B", "A"), ("inconsistent",), "inconsistent: the second-shown response won both times; counts half"),
        (
            "A",
            ("A", "tie"),
            ("inconsistent",),
            "inconsistent: A with A shown first, tie with B shown first; counts half",
        ),
        (None, ("B", "B"), ("no label",), "B in both orders: the data has no label"),
        (
            None,
            ("A", "B"),
            ("inconsistent", "no label"),
            "inconsistent: the first-shown response won both times; the data has no label",
        ),
    ],
)
def test_both_orders_come_to_one_sentence(label, verdicts, outcomes, summary):
    content = built(pair(label=label), shown("A", verdicts[0]), shown("B", verdicts[1]))
    assert (content.outcomes, content.summary) == (outcomes, summary)


def test_the_sentence_does_not_depend_on_the_order_of_the_verdicts():
    forth = built(pair(), shown("A", "A"), shown("B", "tie"))
    assert built(pair(), shown("B", "tie"), shown("A", "A")) == forth
    assert [order.first for order in forth.orders] == ["A", "B"]


def test_one_order_alone_says_which():
    assert built(pair(), shown("B", "A")).summary == "A in the only order, B shown first: right"


def test_a_pair_decided_by_rule_says_by_which():
    rule = {"status": "empty", "reason": "an empty response loses against one that is not"}
    content = built(pair(b=" "), shown("A", "A", **rule), shown("B", "A", **rule))
    assert content.summary == "A by rule, an empty response loses against one that is not: right"
    assert content.outcomes == ("right", "decided by rule")


@pytest.mark.parametrize(
    ("comparisons", "summary"),
    [
        ([], "unscored: it was not compared in this run"),
        ([shown("A", None), shown("B", None)], "unscored: no reason was recorded"),
        ([shown("A", None, reason="too long"), shown("B", None, reason="too long")], "unscored: too long"),
        (
            [shown("A", None, reason="no verdict"), shown("B", None, reason="too long")],
            "unscored: with A shown first, no verdict; with B shown first, too long",
        ),
        ([shown("A", "A"), shown("B", None, reason="no verdict")], "unscored: with B shown first, no verdict"),
    ],
)
def test_an_unscored_pair_gives_its_reasons(comparisons, summary):
    content = built(pair(label=None), *comparisons)
    assert (content.outcomes, content.summary) == (("unscored", "no label"), summary)
    assert all(order.reason for order in content.orders if order.verdict is None)


def test_an_order_that_others_have_and_a_pair_lacks_leaves_it_unscored():
    data = PairSet(name="demo", format="jsonl", pairs=(pair("whole"), pair("half")))
    verdicts = [shown("A", "A", id="whole"), shown("B", "A", id="whole"), shown("A", "A", id="half")]
    whole, half = build_pair_content(data, verdicts, (), **NOTHING).pairs
    assert whole.outcomes == ("right",)
    assert (half.outcomes, half.summary) == (("unscored",), "unscored: only the order with A shown first was asked")


def test_each_pair_is_judged_decided_by_rule_or_unscored():
    data = PairSet(
        name="demo",
        format="jsonl",
        pairs=(pair("judged"), pair("torn", label=None), pair("same", b="good"), pair("late"), pair("failed")),
        notes=("from the data",),
    )
    rule = {"id": "same", "status": "identical", "reason": "the responses are identical"}
    content = build_pair_content(
        data,
        [
            shown("A", "A", id="judged", retried=True),
            shown("B", "A", id="judged"),
            shown("A", "A", id="torn", retried=True),
            shown("B", "B", id="torn"),
            shown("A", "tie", **rule),
            shown("B", "tie", **rule),
            shown("A", None, id="failed"),
            shown("B", "A", id="failed"),
            shown("A", "A", id="a pair of another data set"),
        ],
        (),
        metrics=(),
        facts={"Judge": "small"},
        notes=["from the run"],
    )
    assert {count.label: count.value for count in content.counts} == {
        "pairs": 5,
        "judged": 2,
        "decided by rule": 1,
        "unscored": 2,
        "inconsistent": 1,
        "without label": 1,
        "retried verdicts": 2,
    }
    assert [(fact.label, fact.value) for fact in content.facts] == [("Data", "demo (jsonl)"), ("Judge", "small")]
    assert content.notes == ("from the data", "from the run")


def test_findings_stand_with_what_they_are_about_in_the_order_of_the_steps():
    def found(step, model=None, first=None, **more):
        return Finding(instance_id="p", step=step, model=model, first=first, **more)

    content = built(
        pair(),
        shown("A", "A"),
        shown("B", "A", retried=True),
        findings=[
            found("retry", first="B", text="A, then."),
            found("feedback", first="A", text="A is shorter."),
            found("feedback", first="B", text="A is better?"),
            found("checklist from response", "A", text="Is it?\nWas it?"),
            found("translation", "A", text="good", reason="translated from de by llm"),
            found("translation", "B", reason="the translator failed"),
            found("checklist from response", "B"),
            found("concepts", text="- a word"),
            found("concepts", text="- a word"),
            Finding(instance_id="another", step="concepts", text="- not here"),
        ],
    )
    a, b = content.instance.responses
    assert [(f.step, f.text) for f in content.instance.findings] == [("concepts", "- a word")]
    assert [(f.step, f.text, f.reason) for f in a.findings] == [
        ("translation", "good", "translated from de by llm"),
        ("checklist from response", "Is it?\nWas it?", None),
    ]
    assert [(f.step, f.text, f.reason) for f in b.findings] == [
        ("translation", None, "the translator failed"),
        ("checklist from response", None, "no reason was recorded"),
    ]
    assert [[f.text for f in order.findings] for order in content.orders] == [
        ["A is shorter."],
        ["A is better?", "A, then."],
    ]
    assert [order.retried for order in content.orders] == [False, True]


def test_responses_that_were_scored_alone_have_scores_and_grades():
    def grade(side, p_yes):
        return ItemGrade(instance_id="p", model=side, number=1, item="Is it?", p_yes=p_yes, mode="logprobs")

    scores = [
        Score(instance_id="p", model="A", value=0.75, status="scored", verdict=6, retried=True),
        Score(instance_id="p", model="B", value=0.25, status="scored"),
    ]
    data = PairSet(name="demo", format="jsonl", pairs=(pair(), pair("other")))
    content = build_pair_content(
        data,
        [shown(None, "A")],
        (),
        grades=[grade("A", 0.75), grade("B", 0.25)],
        scores=scores,
        checklists={"p": Checklist(instance_id="p", items=("Is it?",), source="generated", generator="writer")},
        **NOTHING,
    )
    scored, unscored = content.pairs
    assert scored.is_scored_alone
    assert scored.summary == "A by the scores 0.75 and 0.25: right"
    assert [(r.model, r.score, r.verdict, r.cells[0].p_yes) for r in scored.instance.responses] == [
        ("A", 0.75, 6, 0.75),
        ("B", 0.25, None, 0.25),
    ]
    assert not unscored.is_scored_alone
    assert {count.label: count.value for count in content.counts}["retried verdicts"] == 1


def test_probabilities_and_writers_are_kept():
    content = built(pair(model_a="one", subset="chat"), shown("A", "A", p_a=0.8, mass=0.9), shown("B", "A"))
    assert (content.writers, content.subset) == (("one", None), "chat")
    assert [(order.p_a, order.mass) for order in content.orders] == [(0.8, 0.9), (None, None)]


def test_two_verdicts_in_one_order_are_refused():
    with pytest.raises(DataError):
        built(pair(), shown("A", "A"), shown("A", "B"))
