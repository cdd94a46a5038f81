"""A run from data to a leaderboard, with every number worked out by hand."""

import asyncio
import json
import sqlite3

import polars as pl
import pytest

import checkwise
from checkwise import Direct, Result
from checkwise.bootstrap import few_note
from checkwise.engines import ScriptedEngine
from checkwise.errors import DataError, UserError
from checkwise.records import Instance, Response, Turn
from checkwise.runs import Step


def test_the_leaderboard(bench):
    result = bench.run()
    # able: (0.75 + 0.5) / 2 = 0.625 on every instance. weak: 0.625, 0.375 and 0.375.
    board = result.leaderboard
    assert board.select("rank", "model", "n", "unscored", "empty").rows() == [
        (1, "able", 3, 0, 0),
        (2, "weak", 3, 0, 0),
    ]
    assert board["score"].to_list() == pytest.approx([0.625, 1.375 / 3])
    assert board["mean_mass"].to_list() == pytest.approx([1.0, 1.0])
    assert (board["low"][0], board["high"][0]) == pytest.approx((0.625, 0.625))
    assert 0.375 <= board["low"][1] < board["score"][1] < board["high"][1] <= 0.625


def test_scores_and_grades(bench):
    result = bench.run()
    assert result.scores.select("instance_id", "model", "value", "status", "items", "scored_items").rows() == [
        ("grass", "able", 0.625, "scored", 2, 2),
        ("grass", "weak", 0.375, "scored", 2, 2),
        ("sky", "able", 0.625, "scored", 2, 2),
        ("sky", "weak", 0.625, "scored", 2, 2),
        ("snow", "able", 0.625, "scored", 2, 2),
        ("snow", "weak", 0.375, "scored", 2, 2),
    ]
    weak = result.grades.filter(model="weak", instance_id="snow")
    assert weak.select("number", "item", "p_yes", "mass", "mode").rows() == [
        (1, "Does it say white?", 0.25, 1.0, "logprobs"),
        (2, "Is it short?", 0.5, 1.0, "logprobs"),
    ]


def test_what_was_asked(bench):
    bench.run()
    assert bench.written() == ["sky", "grass", "snow"]
    # Responses to one instance come one after another, and so do the items for one response.
    assert bench.asked()[:5] == [
        ("sky", "It is blue.", "Does it say blue?"),
        ("sky", "It is blue.", "Is it short?"),
        ("grass", "It is green.", "Does it say green?"),
        ("grass", "It is green.", "Is it short?"),
        ("grass", "It is pink.", "Does it say green?"),
    ]
    # weak wrote of the sky what able wrote, so that the answer is known: 5 responses of 2 items.
    assert len(bench.asked()) == len(set(bench.asked())) == 10
    texts = [response.text for response in bench.data.responses]
    assert not any(text in prompt.text for prompt in bench.generator.prompts for text in texts)


def test_facts_and_files(bench):
    result = bench.run()
    assert {name: result.facts[name] for name in ("method", "judge", "generator", "checklists", "version")} == {
        "method": "rocketeval",
        "judge": "judge",
        "generator": "writer",
        "checklists": "3 generated; 6 items",
        "version": checkwise.__version__,
    }
    assert json.loads(result.facts["judge_identity"]) == {"engine": "scripted", "model": "judge", "version": "1"}
    assert result.notes == (few_note(3),)
    assert result.dataset == bench.data
    assert bench.lists()["snow"] == {
        "id": "snow",
        "query": "What colour is the snow?",
        "checklist": ["Does it say white?", "Is it short?"],
        "source": "generated",
        "generator": "writer",
    }
    report = (bench.out / "report.html").read_text(encoding="utf-8")
    assert "able" in report
    assert "Does it say white?" in report


def test_the_judge_writes_the_lists_where_there_is_no_generator(bench):
    bench.run(script=lambda p: "1. Is it short?" if p.options is None else {"Yes": 0.5, "No": 0.5}, generator=None)
    assert [prompt.options is None for prompt in bench.judge.prompts] == [True] * 3 + [False] * 5


def test_the_direct_method_needs_no_checklist(bench):
    result = bench.run(method=Direct())
    assert result.leaderboard["score"].to_list() == [1.0, 1.0]
    assert len(bench.judge.prompts) == 5
    assert bench.generator.prompts == []
    assert result.checklists == {}
    assert "generator" not in result.facts


def test_the_direct_method_is_given_no_checklist(bench, tmp_path):
    for checklists in (tmp_path / "lists.md", "generate"):
        with pytest.raises(UserError, match="the method direct has no checklists"):
            bench.run(method=Direct(), checklists=checklists)
    assert not bench.out.exists()


def test_files_are_read_and_the_run_folder_is_named_after_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"id": 1, "query": "2 + 3?", "model": "m", "response": "5"}]
    (tmp_path / "sums.jsonl").write_text("".join(json.dumps(row) for row in rows), encoding="utf-8")
    (tmp_path / "list.md").write_text("1. Is it 5?\n", encoding="utf-8")
    judge = ScriptedEngine(lambda _: {"Yes": 0.8, "No": 0.2})
    result = checkwise.run("sums.jsonl", judge=judge, checklists="list.md")
    assert (tmp_path / "runs" / "sums" / "report.html").is_file()
    assert result.leaderboard["score"].to_list() == pytest.approx([0.8])
    assert result.facts["checklists"] == "1 fixed; 1 items"


def test_an_empty_response_is_zero_by_rule_and_not_asked(bench):
    *others, last = bench.data.responses
    bench.change(responses=(*others, last.model_copy(update={"text": " \n\t"})))
    result = bench.run()
    assert len(bench.asked()) == 8
    assert all(text.strip() for _, text, _ in bench.asked())
    empty = result.scores.filter(model="weak", instance_id="snow").to_dicts()[0]
    assert (empty["value"], empty["status"]) == (0.0, "empty")
    grades = result.grades.filter(model="weak", instance_id="snow")
    assert grades["p_yes"].to_list() == [0.0, 0.0]
    assert grades["mode"].unique().to_list() == ["rule"]
    weak = result.leaderboard.row(by_predicate=pl.col("model") == "weak", named=True)
    assert weak["score"] == pytest.approx((0.625 + 0.375 + 0) / 3)
    assert weak["empty"] == 1


def test_limit_and_models_hold_for_a_data_set_too(bench):
    result = bench.run(limit=2, models=["weak"])
    assert result.scores.select("instance_id", "model").rows() == [("grass", "weak"), ("sky", "weak")]
    assert result.notes == ("Kept 2 of 3 instances (limit).", few_note(2))
    with pytest.raises(UserError, match="responses and turn are about files"):
        bench.run(turn=1)


def test_progress_is_told_and_says_what_is_fresh(bench):
    steps = []
    bench.run(progress=steps.append)
    assert steps == [
        *(Step("checklists", done, 3, done) for done in (1, 2, 3)),
        Step("grading", 1, 6, 1),
        Step("grading", 2, 6, 1),  # What weak wrote, able had written.
        *(Step("grading", done, 6, done - 1) for done in (3, 4, 5, 6)),
    ]
    steps.clear()
    bench.run(progress=steps.append)
    assert {step.fresh for step in steps} == {0}


def test_an_engine_that_works_on_several_instances_at_once_gives_the_same(bench, tmp_path):
    alone = bench.run()

    class Waiting(ScriptedEngine):
        at_once = most = 0

        async def choose(self, question):
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            async for answer in super().choose(question):
                await asyncio.sleep(0.001 * len(self.prompts) % 0.003)
                yield answer
            self.at_once -= 1

    together = Waiting(bench.judge.script, model="judge", concurrency=3)
    result = bench.run(judge=together, out=tmp_path / "together")
    assert together.most == 3
    assert result.grades.equals(alone.grades)
    assert result.scores.equals(alone.scores)
    assert result.leaderboard.equals(alone.leaderboard)


def test_each_answer_is_on_disk_before_the_next_question(bench):
    counted = []

    def looking(prompt):
        with sqlite3.connect(bench.out / "run.sqlite") as other:
            counted.append(other.execute("SELECT count(*) FROM completions").fetchone()[0])
        return {"Yes": 0.5, "No": 0.5}

    bench.run(script=looking)
    assert counted == list(range(3, 13))


def test_every_response_has_its_place_whatever_text_it_is(bench):
    texts = ["{{ query }} %s {0}", "مرحبا", "你好", "🙂", "\u200b", "cut off \ud83d"]
    instance = Instance(id="i", turns=(Turn(role="user", content="Say {x}"),))
    responses = [Response(instance_id="i", model=f"m{n}", text=text) for n, text in enumerate(texts)]
    bench.change(instances=(instance,), responses=tuple(responses))
    result = bench.run(script=lambda _: {"Yes": 0.5, "No": 0.5})
    assert result.leaderboard.height == len(texts)
    assert [response.text for response in Result(bench.out).dataset.responses] == texts


def test_without_responses_nobody_is_asked(bench):
    bench.change(responses=())
    with pytest.raises(DataError, match="3 queries and no responses to judge"):
        bench.run()
    assert not bench.out.exists()


def test_without_a_run_there_is_no_result(tmp_path):
    with pytest.raises(UserError, match="there is no run in this folder"):
        Result(tmp_path)
