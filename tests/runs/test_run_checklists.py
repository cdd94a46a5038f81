"""Where lists come from, and whose work is kept."""

import pytest

from checkwise import Result, RocketEval
from checkwise.bootstrap import few_note
from checkwise.datasets import write_checklists
from checkwise.errors import ChecklistError, DataError
from checkwise.prompts import BUILT_IN, PromptLibrary
from checkwise.records import Checklist, Instance, Turn


@pytest.fixture
def file(tmp_path):
    """Write a Markdown file of lists."""

    def file(text, name="lists.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return file


@pytest.fixture
def another_prompt(tmp_path):
    """A method whose prompt for writing lists is another one."""
    path = tmp_path / "mine" / "rocketeval" / "checklist.md"
    path.parent.mkdir(parents=True)
    path.write_text(BUILT_IN["rocketeval/checklist"].replace("Write", "Please write"), encoding="utf-8")
    return RocketEval(prompts=PromptLibrary(tmp_path / "mine"))


def items(result):
    return {name: checklist.items for name, checklist in sorted(result.checklists.items())}


def test_an_edited_list_outlives_the_prompt_and_generated_ones_do_not(bench, another_prompt):
    bench.run()
    bench.edit("sky", "Does it say blue?", "Is it a whole sentence?")
    for _ in range(2):
        # Also when an earlier run has taken the edit up.
        result = bench.run(method=another_prompt, write=lambda _: "1. Is it new?")
        assert items(result) == {
            "grass": ("Is it new?",),
            "sky": ("Does it say blue?", "Is it a whole sentence?"),
            "snow": ("Is it new?",),
        }
    bench.run(method=another_prompt)
    assert bench.written() == []


def test_generated_lists_that_a_dying_run_left_in_the_file_are_no_persons(bench, another_prompt, monkeypatch):
    bench.run()

    def dying(path, lists, instances, **_):
        raise DataError("the checklists cannot be written")

    monkeypatch.setattr("checkwise.runs.checklist_file.write_checklists", dying)
    with pytest.raises(DataError):
        bench.run(method=another_prompt, write=lambda _: "1. Is it new?")
    monkeypatch.undo()
    result = bench.run(method=another_prompt)
    assert result.facts["checklists"] == "3 generated; 3 items"
    assert bench.written() == []


def test_a_list_that_a_person_adds_is_used(bench):
    bench.out.mkdir()
    row = '{"id": "sky", "checklist": ["Does it say blue?"]}\n'
    (bench.out / "checklists.jsonl").write_text(row, encoding="utf-8")
    result = bench.run()
    assert bench.written() == ["grass", "snow"]
    assert result.checklists["sky"].items == ("Does it say blue?",)
    assert result.facts["checklists"] == "2 generated, 1 edited; 5 items"
    assert result.notes == (few_note(3),)


def test_an_edit_that_cannot_be_read_is_an_error_and_is_left_alone(bench):
    bench.run()
    path = bench.out / "checklists.jsonl"
    broken = path.read_text(encoding="utf-8").replace('["Does', '["Does', 1).replace("]", "", 1)
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(DataError, match=r"checklists\.jsonl, line 1"):
        bench.run()
    assert path.read_text(encoding="utf-8") == broken


def test_one_list_without_an_id_holds_for_all(bench, file):
    result = bench.run(checklists=file("1. Is it short?\n2. Is it polite?\n"))
    assert bench.written() == []
    assert set(items(result).values()) == {("Is it short?", "Is it polite?")}
    assert result.facts["checklists"] == "3 fixed; 6 items"
    # The run folder keeps them.
    assert bench.run().facts["checklists"] == "3 fixed; 6 items"
    assert bench.written() == []


def test_a_file_for_some_instances_leaves_the_others_to_the_generator(bench, file):
    result = bench.run(checklists=file("## snow\n\n1. Is it cold?\n"))
    assert bench.written() == ["sky", "grass"]
    assert result.checklists["snow"] == Checklist(instance_id="snow", items=("Is it cold?",), source="imported")
    assert result.notes == (
        "2 of 3 instances have no checklist in lists.md: sky, grass.",
        "2 checklists are not in lists.md; writer wrote them",
        few_note(3),
    )


def test_a_changed_file_is_followed(bench, file):
    bench.run(checklists=file("## snow\n\n1. Is it cold?\n"))
    result = bench.run(checklists=file("## snow\n\n1. Is it icy?\n"))
    assert result.checklists["snow"].items == ("Is it icy?",)


class TestDataWithLists:
    @pytest.fixture(autouse=True)
    def lists_in_the_data(self, bench):
        bench.change(checklists=(Checklist(instance_id="sky", items=("Is the data's?",)),))

    def test_the_datas_lists_are_used(self, bench):
        result = bench.run()
        assert bench.written() == ["grass", "snow"]
        assert result.checklists["sky"].items == ("Is the data's?",)
        assert result.notes[0] == "1 checklists came with the data"

    def test_generate_writes_new_ones(self, bench):
        result = bench.run(checklists="generate")
        assert bench.written() == ["sky", "grass", "snow"]
        assert result.facts["checklists"] == "3 generated; 6 items"
        assert result.notes == (few_note(3),)

    def test_generate_writes_new_ones_where_an_earlier_run_took_the_datas(self, bench):
        bench.run()
        result = bench.run(checklists="generate")
        assert bench.written() == ["sky"]
        assert result.checklists["sky"].items == ("Does it say blue?", "Is it short?")
        assert bench.run().checklists["sky"].items == ("Is the data's?",)

    def test_lists_that_changed_in_the_data_are_followed(self, bench):
        bench.run()
        bench.change(checklists=(Checklist(instance_id="sky", items=("Is it the new one?",)),))
        assert bench.run().checklists["sky"].items == ("Is it the new one?",)

    @pytest.mark.parametrize("checklists", [None, "generate"])
    def test_an_edited_list_comes_before_the_datas(self, bench, checklists):
        bench.run()
        bench.edit("sky", "Is it a person's?")
        assert bench.run(checklists=checklists).checklists["sky"].items == ("Is it a person's?",)

    def test_a_files_list_comes_before_the_datas_now_and_later(self, bench, file):
        for checklists in (file("## sky\n\n1. Is the file's?\n"), None):
            result = bench.run(checklists=checklists)
            assert result.checklists["sky"].items == ("Is the file's?",)
            assert not any("came with the data" in note for note in result.notes)


class TestEditedListsAndAFile:
    LISTS = "## sky\n\n1. Does it say blue?\n2. Is it short?\n\n## snow\n\n1. Is it cold?\n"

    @pytest.mark.parametrize("runs_between", [0, 1])
    def test_a_file_does_not_replace_a_persons_work(self, bench, file, runs_between):
        bench.run()
        bench.edit("snow", "Is it a person's?")
        for _ in range(runs_between):
            bench.run()
        before = (bench.out / "checklists.jsonl").read_bytes()
        with pytest.raises(ChecklistError) as caught:
            bench.run(checklists=file(self.LISTS))
        assert "1 checklists that a person has edited here would be replaced by those of" in caught.value.what
        assert caught.value.what.endswith("lists.md: snow")
        assert caught.value.where.file == bench.out / "checklists.jsonl"
        assert caught.value.todo == (
            "Leave out --checklists to use the edited lists, or choose another folder with --out."
        )
        assert (bench.out / "checklists.jsonl").read_bytes() == before
        assert bench.asked() == []
        assert Result(bench.out).scores.height == 6

    def test_a_file_that_says_the_same_is_welcome(self, bench, file):
        bench.run()
        bench.edit("snow", "Is it cold?")
        assert bench.run(checklists=file(self.LISTS)).checklists["snow"].items == ("Is it cold?",)

    def test_a_file_replaces_lists_that_nobody_edited(self, bench, file):
        bench.run()
        assert bench.run(checklists=file(self.LISTS)).checklists["snow"].items == ("Is it cold?",)

    def test_edited_lists_that_the_file_does_not_have_are_kept(self, bench, file):
        bench.run()
        bench.edit("grass", "Is it a person's?")
        assert items(bench.run(checklists=file(self.LISTS))) == {
            "grass": ("Is it a person's?",),
            "sky": ("Does it say blue?", "Is it short?"),
            "snow": ("Is it cold?",),
        }


def rephrased(question):
    """The benchmark with another query for the sky."""
    return Instance(id="sky", turns=(Turn(role="user", content=question),))


def test_an_edited_list_is_not_used_for_another_query(bench):
    bench.run()
    bench.edit("sky", "Does it say blue?")
    _, *others = bench.data.instances
    bench.change(instances=(rephrased("What is 7 * 8?"), *others))
    with pytest.raises(ChecklistError, match="1 checklists here were made for other queries: sky") as caught:
        bench.run()
    assert "take out the field `query`" in caught.value.todo
    # As it says: without the query's words beside it the list is taken as it is.
    path = bench.out / "checklists.jsonl"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"query": "What colour is the sky?", ', ""), encoding="utf-8"
    )
    assert bench.run().checklists["sky"].items == ("Does it say blue?",)


def test_a_generated_list_follows_its_query(bench):
    bench.run()
    _, *others = bench.data.instances
    bench.change(instances=(rephrased("What hue has the sky?"), *others))
    bench.run()
    assert bench.written() == ["sky"]


def test_an_edit_in_an_exported_file_counts_as_edited(bench, tmp_path):
    result = bench.run()
    copy = tmp_path / "lists.md"
    write_checklists(copy, result.checklists.values(), bench.data.instances)
    copy.write_text(
        copy.read_text(encoding="utf-8").replace("Does it say blue?", "Does it say azure?"), encoding="utf-8"
    )
    edited = bench.run(checklists=copy).checklists
    assert {name: checklist.source for name, checklist in edited.items()} == {
        "sky": "edited",
        "grass": "generated",
        "snow": "generated",
    }
    assert edited["sky"].items == ("Does it say azure?", "Is it short?")
