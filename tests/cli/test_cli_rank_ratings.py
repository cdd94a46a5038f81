"""What rank says of pairs: ratings, head-to-head counts, other rankings, the tie margin, and Arena's matches."""

import json
import re

import pytest

from checkwise.datasets.votes import read_votes

# The judge says Yes with these probabilities; on the 1-10 scale, 0.01 are 0.09, less than the margin.
GRADES = {
    "gut": (0.9, 0.8, 0.7, 0.9, 0.60, 0.8),
    "mid": (0.8, 0.9, 0.7, 0.3, 0.61, 0.5),
    "low": (0.1, 0.3, 0.4, 0.2, 0.10, 0.6),
}


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def judge(prompt):
    grade = float(re.search(r"<response>\s*grade ([0-9.]+)", prompt.text)[1])
    return {"Yes": grade, "No": 1 - grade}


@pytest.fixture
def run(tmp_path, monkeypatch, engines, checkwise):
    """A run over six questions, two turns of three, and three models."""
    monkeypatch.chdir(tmp_path)
    engines.script = judge
    ids = [f"{question}-{turn}" for question in (81, 82, 83) for turn in (1, 2)]
    rows = [
        {"id": id, "query": f"Question {id}?", "model": model, "response": f"grade {grade}", "language": "de"}
        for model, grades in GRADES.items()
        for id, grade in zip(ids, grades, strict=True)
    ]
    write_lines(tmp_path / "data.jsonl", rows)
    (tmp_path / "list.md").write_text("1. Is it good?\n", encoding="utf-8")
    result = checkwise("run", "data.jsonl", "--checklists", "list.md", "--out", "run")
    assert result.exit_code == 0, result.output
    return tmp_path / "run"


def document(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_ratings_are_shown_with_ranks_and_counts(run, checkwise):
    shown = checkwise("rank", run, "--ratings").stdout
    table = shown.partition("Bradley-Terry ratings")[2]
    row = next(line for line in table.splitlines() if "gut" in line)
    # Level with mid in 82-1 (0.7 each) and in 83-1 (0.60 and 0.61), and behind in 81-2; low loses all six.
    assert [cell.strip() for cell in row.split("│")][-5:-1] == ["12", "9", "2", "1"]
    assert "Note: " in table
    assert "low" in table


def test_without_options_there_are_none(run, checkwise):
    assert "ratings" not in document(checkwise("rank", run, "--json"))
    assert "Bradley-Terry" not in checkwise("rank", run).stdout


def test_ratings_as_json(run, checkwise):
    found = document(checkwise("rank", run, "--ratings", "--json"))
    ratings = found["ratings"]
    assert [row["model"] for row in ratings["table"]] == ["gut", "mid", "low"]
    assert sum(row["rating"] for row in ratings["table"]) / 3 == pytest.approx(1000)
    assert {row["model_a"] for row in ratings["beats"]} == set(GRADES)
    assert (ratings["draws"], ratings["seed"], found["margin"]) == (1000, 42, 0.1)


def test_an_anchor_asks_for_ratings_too(run, checkwise):
    for anchor, level in (("mid", 1000), ("mid=1200", 1200)):
        table = document(checkwise("rank", run, "--anchor", anchor, "--json"))["ratings"]["table"]
        assert {row["model"]: row["rating"] for row in table}["mid"] == level
    for anchor, said in (("gpt-4", "none of the models"), ("mid=high", "no rating behind =")):
        result = checkwise("rank", run, "--anchor", anchor)
        assert (result.exit_code, said in result.stderr) == (1, True)


def test_head_to_head(run, checkwise):
    rows = document(checkwise("rank", run, "--head-to-head", "--json"))["head_to_head"]
    (pair,) = [row for row in rows if (row["model_a"], row["model_b"]) == ("gut", "mid")]
    assert [pair[name] for name in ("wins", "ties", "losses", "n")] == [3, 2, 1, 6]
    assert pair["win_rate"] == pytest.approx(4 / 6)
    assert "Head to head" in checkwise("rank", run, "--head-to-head").stdout


def test_the_margin_decides_what_is_a_tie(run, checkwise):
    def ties(margin):
        rows = document(checkwise("rank", run, "--head-to-head", "--margin", margin, "--json"))["head_to_head"]
        return [row["ties"] for row in rows if (row["model_a"], row["model_b"]) == ("gut", "mid")]

    assert (ties("0"), ties("0.1"), ties("1"), ties("10")) == ([1], [2], [4], [6])


def test_a_margin_fitted_to_votes(run, checkwise, tmp_path):
    # Half of the votes are ties. The differences are 0, 0.09, 0.9, 0.9, 2.7 and 5.4: none gives three ties, and the
    # least of those that give two or four lies midway between 0.09 and 0.9.
    winners = ["model_a", "tie", "tie", "model_a", "tie", "model_a"]
    ids = [(81, 1), (81, 2), (82, 1), (82, 2), (83, 1), (83, 2)]
    votes = [
        {"question_id": q, "turn": t, "model_a": "gut", "model_b": "mid", "winner": winner, "judge": "p"}
        for (q, t), winner in zip(ids, winners, strict=True)
    ]
    write_lines(tmp_path / "votes.jsonl", votes)
    result = checkwise("rank", run, "--ratings", "--margin", "votes.jsonl", "--json")
    fit = document(result)["margin_fit"]
    assert (fit["votes"], fit["questions"], fit["vote_tie_rate"], fit["folds"]) == (6, 3, 0.5, 3)
    assert fit["margin"] == pytest.approx(0.495)
    assert "is fitted to 6 votes, 50.0% of them ties" in result.stderr


@pytest.mark.parametrize("margin", ["-1", "nan", "inf"])
def test_a_margin_is_a_distance(run, checkwise, margin):
    result = checkwise("rank", run, "--ratings", f"--margin={margin}")
    assert (result.exit_code, "is no distance" in result.stderr) == (1, True)


def test_against_another_ranking(run, checkwise, tmp_path):
    (tmp_path / "elo.csv").write_text("model,elo\nmid,1200\ngut,1100\nlow,900\ngpt-4,1300\n", encoding="utf-8")
    result = checkwise("rank", run, "--against", "elo.csv", "--json")
    found = document(result)["against"]
    # Ranks differ by 1, 1, 0: rho = 1 - 6 * 2 / (3 * 8) = 0.5.
    assert found["mean score"]["spearman"]["value"] == pytest.approx(0.5)
    assert found["rating"]["kendall"]["value"] == pytest.approx(1 / 3)
    assert found["rating"]["only_there"] == ["gpt-4"]
    assert "Note: in elo only: gpt-4" in result.stderr
    assert "Spearman of the mean score" in checkwise("rank", run, "--against", "elo.csv").stdout


def test_two_models_in_common_are_too_few_and_that_is_said(run, checkwise, tmp_path):
    rows = [{"name": "gut", "arena_model": "gut-2", "rating": 2}, {"name": "mid", "arena_model": "mid", "rating": 1}]
    write_lines(tmp_path / "elo.jsonl", rows)
    shown = checkwise("rank", run, "--against", "elo.jsonl").stdout
    assert "2 models are in both rankings; a rank correlation needs 3" in shown
    assert "Note: elo gives these models the rating of another name: gut (gut-2)" in shown
    assert "Note: not in elo, and left out of the correlations: low" in shown


@pytest.mark.parametrize("name", ["battles.json", "battles.jsonl"])
def test_matches_in_arenas_form(run, checkwise, tmp_path, name):
    result = checkwise("rank", run, "--matches", tmp_path / name, "--json")
    document(result)
    assert f"matches: {tmp_path / name}" in result.stderr
    votes = read_votes(tmp_path / name)
    assert votes.height == 18
    assert (votes["winner"] == "tie").sum() == 2
    assert set(votes["instance_id"]) == {f"{q}-{t}" for q in (81, 82, 83) for t in (1, 2)}
    assert '"language": "German"' in (tmp_path / name).read_text(encoding="utf-8")


def test_matches_are_json(run, checkwise):
    result = checkwise("rank", run, "--matches", "battles.csv")
    assert (result.exit_code, result.stdout) == (1, "")


def test_options_that_do_not_go_together(run, checkwise):
    result = checkwise("rank", run, "--ratings", "--by", "language")
    assert (result.exit_code, "Leave --by out" in result.stderr) == (1, True)
    result = checkwise("rank", run, "--margin", "0.5")
    assert (result.exit_code, "nothing asked for rests on pairs" in result.stderr) == (1, True)


def test_instances_that_a_model_lacks_are_left_out_unless_told_otherwise(run, checkwise, tmp_path, engines):
    lines = (tmp_path / "data.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "less.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    checkwise("run", "less.jsonl", "--checklists", "list.md", "--out", "less")
    common = document(checkwise("rank", "less", "--ratings", "--json"))
    assert common["ratings"]["instances"] == 5
    assert "1 instances are not compared, since not every model has a score there" in common["notes"]
    everything = document(checkwise("rank", "less", "--ratings", "--keep-all", "--json"))
    assert everything["ratings"]["instances"] == 6
    assert any("not on the same for all" in note for note in everything["notes"])


def test_a_model_alone_has_no_ratings(tmp_path, monkeypatch, engines, checkwise):
    monkeypatch.chdir(tmp_path)
    engines.script = judge
    row = {"id": "1", "query": "What?", "model": "m", "response": "grade 0.5"}
    (tmp_path / "list.md").write_text("1. Is it good?\n", encoding="utf-8")
    checkwise("run", "-", "--checklists", "list.md", "--out", "run", input=json.dumps(row))
    result = checkwise("rank", "run", "--ratings")
    assert (result.exit_code, "at least two models" in result.stderr) == (3, True)
