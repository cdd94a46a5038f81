"""``checkwise trust``: a run beside what people said; the judge is scripted."""

import json
from pathlib import Path

import pytest

QUESTIONS = [f"q{n}" for n in range(8)]
MODELS = ("good", "poor", "vain")
TEXTS = {"good": "Right.", "poor": "Wrong.", "vain": "Right, " + "and so on " * 20}


def write(path, rows):
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def vote(question, a, b, winner, judge="ann"):
    return {"id": question, "model_a": a, "model_b": b, "winner": winner, "judge": judge}


@pytest.fixture
def judged(tmp_path, monkeypatch, engines, checkwise):
    """A run whose judge likes what is right, and long texts a little less."""
    monkeypatch.chdir(tmp_path)
    write(
        "bench.jsonl",
        [
            {"id": q, "query": "?", "category": "xy"[n % 2], "model": m, "response": TEXTS[m]}
            for n, q in enumerate(QUESTIONS)
            for m in MODELS
        ],
    )
    Path("lists.md").write_text("1. Is it right?\n2. Is it true?\n", encoding="utf-8")

    def judge(prompt):
        p = 0.9 if "Right." in prompt.text else 0.6 if "Right," in prompt.text else 0.2
        return {"Yes": p, "No": 1 - p}

    engines.script = judge
    assert checkwise("run", "bench.jsonl", "--checklists", "lists.md", "--out", "run").exit_code == 0


def people():
    cast = []
    for question in QUESTIONS:
        cast += [vote(question, "good", "poor", "model_a"), vote(question, "poor", "good", "model_b", "bob")]
        cast += [vote(question, "vain", "poor", "model_a"), vote(question, "vain", "good", "model_b")]
    return cast


def rows_of(document, title):
    table = next(table for table in document["tables"] if table["title"].startswith(title))
    return {(row["label"], row["group"]): row for row in table["rows"]}


def test_a_judge_that_sees_what_people_see(judged, checkwise):
    write("votes.jsonl", people())
    result = checkwise("trust", "run", "--votes", "votes.jsonl", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    rows = rows_of(document, "Agreement with people, per vote")
    rate = next(row for (label, _), row in rows.items() if "rocketeval" in label and label.startswith("Agreement"))
    assert (rate["value"], rate["n"]) == (1.0, 32)
    # "Wrong." is as long as "Right.", a tie; "vain" is longer than "poor", rightly, and than "good".
    assert rows["Agreement: the longer response wins", None]["value"] == pytest.approx(8 / 32)
    assert rows["Agreement: people with each other", None]["value"] == 1.0
    assert "people" in document["verdict"]
    assert document["items_in_all"] == 16


def test_the_page_is_kept_in_the_run_folder(judged, checkwise):
    write("votes.jsonl", people())
    result = checkwise("trust", "run", "--votes", "votes.jsonl")
    assert result.exit_code == 0, result.output
    assert "Page: run/trust.md" in result.stdout
    page = Path("run/trust.md").read_text(encoding="utf-8")
    assert page.startswith("# How far to trust")
    assert "| Agreement: people with each other |" in page
    assert json.loads(Path("run/trust.json").read_text(encoding="utf-8"))["verdict"] in page.replace("\\", "")


def test_votes_on_what_the_run_does_not_know_are_listed_with_their_number(judged, checkwise):
    strange = [
        vote("q99", "good", "poor", "tie"),
        vote("q0", "good", "unheard", "tie"),
        vote("q1", "good", "poor", "error"),
    ]
    write("votes.jsonl", people() + strange)
    document = json.loads(checkwise("trust", "run", "--votes", "votes.jsonl", "--json").stdout)
    notes = "\n".join(document["notes"])
    assert "1 votes are about instances that are not in the run: q99" in notes
    assert "models without a response in the run are named 1 times: unheard" in notes
    assert "1 votes name no winner" in notes
    assert "3 of 35 votes are in no figure" in notes


@pytest.mark.parametrize(
    ("votes", "says"),
    [
        ([vote("q99", "good", "poor", "tie")], "none of the 1 votes is about a pair"),
        ([], "no rows"),
    ],
)
def test_votes_on_nothing_that_was_judged_are_an_error(judged, checkwise, votes, says):
    write("votes.jsonl", votes)
    result = checkwise("trust", "run", "--votes", "votes.jsonl")
    assert result.exit_code in (1, 3)
    assert "Traceback" not in result.output


def test_one_vote_gives_a_rate_and_no_interval(judged, checkwise):
    write("votes.jsonl", [vote("q0", "good", "poor", "model_a")])
    result = checkwise("trust", "run", "--votes", "votes.jsonl", "--json")
    assert result.exit_code == 0, result.output
    assert "NaN" not in result.stdout
    rows = rows_of(json.loads(result.stdout), "Agreement with people, per vote")
    own = next(row for (label, _), row in rows.items() if "rocketeval" in label and label.startswith("Agreement"))
    assert (own["value"], own["low"], own["n"]) == (1.0, None, 1)


def test_nothing_but_ties(judged, checkwise):
    write("votes.jsonl", [vote(q, "good", "poor", "tie", judge) for q in QUESTIONS for judge in ("ann", "bob")])
    result = checkwise("trust", "run", "--votes", "votes.jsonl", "--json")
    assert result.exit_code == 0, result.output
    assert "NaN" not in result.stdout


def test_another_judge_is_measured_on_the_same_votes(judged, checkwise, engines):
    assert (
        checkwise("run", "bench.jsonl", "--method", "rocketeval", "--checklists", "lists.md", "--out", "two").exit_code
        == 0
    )
    write("votes.jsonl", people())
    write("gpt.jsonl", [vote(q, "good", "poor", "model_b", "gpt") for q in QUESTIONS])
    options = ("--beside", "twin=two", "--beside", "contrary=gpt.jsonl", "--json")
    document = json.loads(checkwise("trust", "run", "--votes", "votes.jsonl", *options).stdout)
    rows = rows_of(document, "Agreement with people, per vote")
    assert (rows["Agreement: twin", None]["value"], rows["Agreement: twin", None]["n"]) == (1.0, 16)
    assert rows["Agreement: contrary", None]["value"] == 0.0
    own = next(table for table in document["tables"] if "less the others" in table["title"])
    differences = {row["label"]: row["value"] for row in own["rows"]}
    assert (differences["twin"], differences["contrary"]) == (0.0, 1.0)


def test_ratings_of_some_responses_give_rank_correlation_and_each_models_mean(judged, checkwise):
    given = {"good": 9, "vain": 7, "poor": 2}
    write("ratings.jsonl", [{"id": q, "model": m, "score": given[m]} for q in QUESTIONS[:6] for m in MODELS])
    result = checkwise("trust", "run", "--ratings", "ratings.jsonl", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert rows_of(document, "Rank correlation")["Kendall τ-b", None]["value"] == pytest.approx(1.0)
    means = rows_of(document, "Mean rating of each model")
    assert means["Mean rating, rated responses alone", "good"]["value"] == 9
    assert document["verdict"] is None


def test_ratings_may_be_on_any_scale(judged, checkwise):
    given = {"good": 95.5, "vain": 40, "poor": 0}
    write("ratings.jsonl", [{"id": q, "model": m, "score": given[m]} for q in QUESTIONS for m in MODELS])
    document = json.loads(checkwise("trust", "run", "--ratings", "ratings.jsonl", "--json").stdout)
    assert rows_of(document, "Rank correlation")["Kendall τ-b", None]["value"] == pytest.approx(1.0)


def test_without_votes_or_ratings_there_are_still_the_items(judged, checkwise):
    document = json.loads(checkwise("trust", "run", "--json").stdout)
    assert (document["verdict"], document["items_in_all"]) == (None, 16)


def test_repeated_answers_tell_how_steady_the_judge_is(judged, checkwise):
    run = ("run", "bench.jsonl", "--checklists", "lists.md", "--repeats", 4, "--out", "steady")
    assert checkwise(*run).exit_code == 0
    document = json.loads(checkwise("trust", "steady", "--json").stdout)
    rows = rows_of(document, "The judge's own steadiness")
    assert 0.5 < rows["Two sampled answers to an item are the same", None]["value"] <= 1


LITTLE = {
    "one instance": (QUESTIONS[:1], MODELS, False),
    "one model": (QUESTIONS, MODELS[:1], False),
    "constant scores": (QUESTIONS, MODELS, True),
}
"""Questions, models, and whether the judge and the labels say the same of everything."""


@pytest.fixture(params=LITTLE)
def judged_little(request, tmp_path, monkeypatch, engines, checkwise):
    """A run that tells next to nothing."""
    monkeypatch.chdir(tmp_path)
    questions, models, constant = LITTLE[request.param]
    rows = [{"id": q, "query": "?", "model": m, "response": TEXTS[m]} for q in questions for m in models]
    labels = [{"id": q, "model": m, "score": 5 if constant else 3 + n} for q in questions for n, m in enumerate(models)]
    write("bench.jsonl", rows)
    write("votes.jsonl", people())
    write("labels.jsonl", labels)
    Path("lists.md").write_text("1. Is it right?\n2. Is it true?\n", encoding="utf-8")
    engines.script = lambda prompt: {"Yes": 0.5 if constant or "Wrong" in prompt.text else 0.9, "No": 0.1}
    assert checkwise("run", "bench.jsonl", "--checklists", "lists.md", "--out", "run").exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        ("trust", "run", "--votes", "votes.jsonl"),
        ("trust", "run", "--ratings", "labels.jsonl"),
        ("rank", "run", "--ratings", "--head-to-head"),
        ("supervise", "run", "--labels", "labels.jsonl"),
    ],
    ids=" ".join,
)
def test_little_to_go_by_is_said_and_is_no_number(judged_little, checkwise, command):
    result = checkwise(*command, "--json")
    assert result.exit_code in (0, 1, 3), result.output
    said = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in the output"))
    assert said.get("error", {}).get("kind") != "Fault"
    assert any(said.get(part) for part in ("error", "notes", "tables", "ratings", "chosen"))
