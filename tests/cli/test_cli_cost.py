"""``checkwise cost``, and the limits of ``run`` and ``compare``; the judge is scripted."""

import json

import pytest

from checkwise.cli.exit_codes import ExitCode

from .conftest import write_lines


def document(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_cost_of_a_run_is_told_before_it_is_made(data, engines, checkwise):
    result = checkwise("cost", "bench", "--checklists", "lists.md", "--price", "1,2")
    assert result.exit_code == 0, result.output
    assert all(engine.prompts == [] for engine in engines)
    assert not (data.parent / "runs").exists()
    row = next(line for line in result.stdout.splitlines() if "grading" in line)
    assert [cell.strip() for cell in row.split("│")][1:4] == ["grading", "local:qwen2.5-coder-1.5b", "7"]
    assert "Models tested" in result.stdout
    assert "$1 read, $1 from the cache, $2 written, per million tokens (given)" in result.stdout


def test_the_same_figures_come_out_after_the_run(data, engines, checkwise):
    before = document(checkwise("cost", "bench", "--checklists", "lists.md", "--price", "1,2", "--json"))
    run = checkwise("run", "bench", "--checklists", "lists.md", "--price", "1,2")
    after = document(checkwise("cost", "runs/bench", "--json"))
    assert before["total"] == after["total"]
    # Seven items; of each two millionths of a dollar for the one word that is written.
    assert after["total"]["generated_tokens"] == 7
    assert after["total"]["cost"] == pytest.approx((after["total"]["prompt_tokens"] + 14) / 1e6)
    last = run.stdout.splitlines()[-1]
    assert last.startswith("asked 7, from the store 0")
    assert last.endswith(f"${after['total']['cost']:.4f}")
    left = document(checkwise("cost", "bench", "--checklists", "lists.md", "--json"))
    assert (left["total"]["questions"], left["from_the_store"]) == (0, 7)


def test_a_price_that_nobody_knows_is_never_zero(data, engines, checkwise):
    result = checkwise("cost", "bench", "--checklists", "lists.md")
    assert "unknown" in result.stdout
    assert "$0.00" not in result.stdout
    assert "is not known, and is not taken for 0. Give it with --price IN,OUT" in result.stdout
    shown = document(checkwise("cost", "bench", "--checklists", "lists.md", "--json"))
    assert shown["total"]["cost"] is None
    assert shown["many_tests"]["rows"][3] == {"tests": 1000, "cost": None, "against": None, "ratio": None}


def test_many_tests_stand_beside_a_big_judge(data, engines, checkwise):
    shown = document(
        checkwise("cost", "bench", "--checklists", "lists.md", "--price", "1,2", "--against", "openai:gpt-4o", "--json")
    )
    # Five responses are not empty.
    assert [(line["step"], line["questions"]) for line in shown["against"]["lines"]] == [("judgment", 5)]
    once, a_test = shown["many_tests"]["once"], shown["many_tests"]["a_test"]
    assert once == 0
    assert a_test == pytest.approx(shown["total"]["cost"] / 2)
    row = shown["many_tests"]["rows"][2]
    assert row["cost"] == pytest.approx(100 * a_test)
    assert row["against"] == pytest.approx(50 * shown["against"]["total"]["cost"])
    assert row["ratio"] == pytest.approx(row["against"] / row["cost"])


def test_pairs_are_counted_in_both_orders(data, engines, checkwise):
    pairs = [
        {"id": "q", "query": "Two and three?", "response_a": "5", "response_b": "6"},
        {"id": "r", "query": "And one?", "response_a": "6", "response_b": ""},
    ]
    write_lines(data.parent / "pairs.jsonl", pairs)
    both = document(checkwise("cost", "pairs.jsonl", "--pairs", "--method", "direct", "--json"))
    # An empty response loses by rule.
    assert both["total"]["questions"] == 2
    given = document(checkwise("cost", "pairs.jsonl", "--pairs", "--method", "direct", "--order", "given", "--json"))
    assert given["total"]["questions"] == 1
    assert "many_tests" not in both


def test_a_run_stops_at_the_limit_and_goes_on_with_a_higher_one(data, engines, checkwise):
    stopped = checkwise("run", "bench", "--checklists", "lists.md", "--max-calls", 4)
    assert stopped.exit_code == ExitCode.BUDGET_SPENT == 4
    assert (
        "Stopped at --max-calls: 4 of 4 questions are asked. 2 of 6 responses are judged and kept in" in stopped.stderr
    )
    assert "Run the same command with a higher limit to go on." in stopped.stderr
    assert not (data.parent / "runs" / "bench" / "report.html").exists()
    result = checkwise("run", "bench", "--checklists", "lists.md", "--max-calls", 7)
    assert result.exit_code == 0, result.output
    assert "asked 3, from the store 4" in result.stdout


def test_a_limit_is_told_in_json_too(data, engines, checkwise):
    limit = ("--price", "1000,1000", "--max-cost", 0.2)
    stopped = checkwise("run", "bench", "--checklists", "lists.md", *limit, "--json")
    assert stopped.exit_code == ExitCode.BUDGET_SPENT
    error = json.loads(stopped.stdout)["error"]
    assert error["kind"] == "BudgetSpentError"
    assert error["what"].startswith("Stopped at --max-cost: $0.")
    spent = document(checkwise("cost", "runs/bench", "--json"))["total"]
    assert 0 < spent["cost"] <= 0.2
    # One question less than what would have been too much.
    assert spent["cost"] * (spent["questions"] + 1.2) / spent["questions"] > 0.2


def test_a_limit_of_cost_wants_a_price(data, engines, checkwise):
    result = checkwise("run", "bench", "--checklists", "lists.md", "--max-cost", 1)
    assert result.exit_code == ExitCode.USER_ERROR
    assert "--max-cost cannot be kept: the price of local:qwen2.5-coder-1.5b is not known" in result.stderr
    assert engines == []


def test_a_comparison_stops_at_the_limit_too(data, engines, checkwise):
    pairs = [{"id": str(n), "query": "Which?", "response_a": f"{n}.", "response_b": f"not {n}"} for n in range(3)]
    write_lines(data.parent / "pairs.jsonl", pairs)
    engines.script = lambda _: {"A": 0.7, "B": 0.3}
    stopped = checkwise("compare", "pairs.jsonl", "--method", "direct", "--max-calls", 3)
    assert stopped.exit_code == ExitCode.BUDGET_SPENT
    assert "1 of 3 pairs are compared and kept in" in stopped.stderr
    result = checkwise("compare", "pairs.jsonl", "--method", "direct", "--max-calls", 6)
    assert "asked 3, from the store 3" in result.stdout


def test_against_is_about_data(data, engines, checkwise):
    checkwise("run", "bench", "--checklists", "lists.md")
    result = checkwise("cost", "runs/bench", "--against", "openai:gpt-4o")
    assert result.exit_code == ExitCode.USER_ERROR
    assert "--against is about data, and this is a run" in result.stderr
