"""Running again asks what is new, and nothing else."""

import polars as pl
import pytest

from checkwise import PromptLibrary, Result, RocketEval
from checkwise.errors import ChecklistError, EngineError
from checkwise.prompts import BUILT_IN
from checkwise.records import Instance, Response, Turn


def changed_prompt(folder, name, old, new):
    file = folder / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    assert old in BUILT_IN[name]
    file.write_text(BUILT_IN[name].replace(old, new), encoding="utf-8")
    return RocketEval(prompts=PromptLibrary(folder))


def test_the_same_again_asks_nothing(bench):
    first = bench.run()
    rows = first.grades, first.scores, first.leaderboard
    again = bench.run()
    assert bench.judge.prompts == bench.generator.prompts == []
    assert all(
        one.equals(other) for one, other in zip(rows, (again.grades, again.scores, again.leaderboard), strict=True)
    )


def test_a_changed_response_is_judged_anew(bench):
    bench.run()
    *others, last = bench.data.responses
    bench.change(responses=(*others, last.model_copy(update={"text": "It is white, too."})))
    result = bench.run()
    assert bench.written() == []
    assert bench.asked() == [
        ("snow", "It is white, too.", "Does it say white?"),
        ("snow", "It is white, too.", "Is it short?"),
    ]
    assert result.leaderboard["score"].to_list() == pytest.approx([0.625, (0.625 + 0.375 + 0.625) / 3])


def test_a_changed_item_is_asked_of_every_response_to_its_instance(bench):
    bench.run()
    bench.edit("snow", "Does it say white?", "Does it say black?")
    result = bench.run()
    assert bench.written() == []
    assert bench.asked() == [
        ("snow", "It is white.", "Does it say black?"),
        ("snow", "It is black.", "Does it say black?"),
    ]
    assert result.facts["checklists"] == "2 generated, 1 edited; 6 items"
    assert result.checklists["snow"].source == "edited"
    assert bench.lists()["snow"]["source"] == "edited"


def test_items_in_another_order_ask_nothing(bench):
    bench.run()
    bench.edit("snow", "Is it short?", "Does it say white?")
    result = bench.run()
    assert bench.asked() == []
    assert result.grades.filter(instance_id="snow", model="weak")["p_yes"].to_list() == [0.5, 0.25]


def test_a_changed_grading_prompt_asks_every_item_and_writes_no_list(bench, tmp_path):
    bench.run()
    bench.run(method=changed_prompt(tmp_path / "mine", "rocketeval/grade", "Be strict", "Be severe"))
    assert bench.written() == []
    assert len(bench.asked()) == 10
    bench.run()
    assert bench.asked() == []


def test_another_judge_asks_every_item(bench):
    bench.run()
    bench.run(version="2")
    assert bench.written() == []
    assert len(bench.asked()) == 10
    bench.run(version="1")
    assert bench.asked() == []


def test_another_threshold_or_reading_asks_nothing(bench):
    bench.run()
    bench.run(method=RocketEval(low_mass=0.9, paper=True))
    assert bench.asked() == []


def test_a_new_model_is_all_that_is_asked(bench):
    bench.run()
    bench.change(responses=(*bench.data.responses, Response(instance_id="sky", model="new", text="It is grey.")))
    result = bench.run()
    assert bench.written() == []
    assert bench.asked() == [("sky", "It is grey.", "Does it say blue?"), ("sky", "It is grey.", "Is it short?")]
    # Only the sky was answered by all three.
    assert result.leaderboard.select("rank", "model", "score", "n").rows() == [
        (1, "able", 0.625, 1),
        (1, "weak", 0.625, 1),
        (3, "new", 0.375, 1),
    ]
    assert "2 instances are not in the means, since not every model has a score there" in result.notes


def test_a_new_instance_is_all_that_is_asked(bench):
    bench.run()
    sea = Instance(id="sea", turns=(Turn(role="user", content="What colour is the sea?"),))
    bench.change(
        instances=(sea, *bench.data.instances),
        responses=(*bench.data.responses, Response(instance_id="sea", model="able", text="something")),
    )
    bench.run()
    assert bench.written() == ["sea"]
    assert bench.asked() == [
        ("sea", "something", "Does it say something?"),
        ("sea", "something", "Is it short?"),
    ]


def test_a_part_first_and_the_whole_later(bench):
    bench.run(limit=1)
    assert bench.written() == ["sky"]
    result = bench.run()
    assert bench.written() == ["grass", "snow"]
    assert {name for name, _, _ in bench.asked()} == {"grass", "snow"}
    assert result.scores.height == 6
    # The results are those of the last run, whole or part.
    part = bench.run(limit=1)
    assert part.scores["instance_id"].to_list() == ["sky", "sky"]
    assert list(part.checklists) == ["sky"]
    assert list(bench.lists()) == ["grass", "snow", "sky"]


def test_a_part_leaves_a_persons_lists_for_the_rest(bench):
    bench.run()
    bench.edit("snow", "Is it cold?")
    bench.run(limit=1)
    assert bench.lists()["snow"]["checklist"] == ["Is it cold?"]
    result = bench.run()
    assert result.checklists["snow"].items == ("Is it cold?",)
    assert result.checklists["snow"].source == "edited"
    assert result.checklists["grass"].source == "generated"
    assert {(name, item) for name, _, item in bench.asked()} == {("snow", "Is it cold?")}


def test_an_error_keeps_the_results_of_the_last_run_until_grading_begins(bench, tmp_path):
    before = bench.run().scores
    bench.edit("snow", "Is it cold?")
    (tmp_path / "lists.md").write_text("1. Is it short?\n", encoding="utf-8")
    with pytest.raises(ChecklistError):
        bench.run(checklists=tmp_path / "lists.md")
    assert Result(bench.out).scores.equals(before)


def test_an_engine_that_stops_leaves_what_it_has_answered(bench):
    answered = []

    def stopping(prompt):
        if len(answered) == 5:
            raise EngineError("the engine has stopped answering")
        answered.append(prompt)
        return {"Yes": 0.5, "No": 0.5}

    with pytest.raises(EngineError, match="stopped answering"):
        bench.run(script=stopping)
    # The sky's two responses are alike; the second one of the grass was under way.
    stopped = Result(bench.out)
    judged = stopped.scores.filter(pl.col("value").is_not_null())
    assert judged["instance_id"].to_list() == ["grass", "sky", "sky"]
    # What was not judged yet counts: the table does not look like that of a finished run.
    assert stopped.scores.height == 6
    assert stopped.leaderboard["unscored"].sum() == 3
    assert "3 of 6 responses are unscored; most often (3): it is not judged yet; run again to go on" in stopped.notes
    first = bench.asked()[:5]
    bench.run(script=lambda _: {"Yes": 0.5, "No": 0.5})
    assert bench.written() == []
    assert len(bench.asked()) == 5
    assert not set(first) & set(bench.asked())
