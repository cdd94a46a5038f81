import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checkwise.datasets import read_all_checklists, read_checklists, write_checklists
from checkwise.errors import DataError, UserError
from checkwise.records import Checklist, Dataset, Instance, Turn


def data(*ids: str, query: str = "Why?") -> Dataset:
    turns = (Turn(role="user", content=query),)
    return Dataset(name="bench", format="plain", instances=tuple(Instance(id=i, turns=turns) for i in ids))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
ITEM = (
    TEXT | st.sampled_from(["# a", "1. a?", "- a\n- b", "> a", "## a\n\n## b", "a\n\n\n   b", "a \n", "\na", "a\r\nb"])
).filter(lambda item: bool(item.strip()))
ITEMS = st.lists(ITEM, min_size=1, max_size=12).map(tuple)


@pytest.mark.parametrize("name", ["lists.md", "lists.jsonl"])
@given(
    lists=st.lists(ITEMS, min_size=1, max_size=3),
    origin=st.sampled_from([("generated", "gpt-4o"), ("edited", "--> 模型\n##"), ("imported", None), ("fixed", None)]),
    query=TEXT,
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_what_is_written_is_read_back_exactly(
    tmp_path: Path, name: str, lists: list[tuple[str, ...]], origin: tuple[str, str | None], query: str
) -> None:
    dataset = data(*(f"q {n}" for n in range(len(lists))), query=query)
    checklists = [
        Checklist.model_validate({"instance_id": f"q {n}", "items": items, "source": origin[0], "generator": origin[1]})
        for n, items in enumerate(lists)
    ]
    write_checklists(tmp_path / name, checklists, dataset.instances)
    assert read_checklists(tmp_path / name, dataset) == (checklists, [])
    assert list(read_all_checklists(tmp_path / name).values()) == checklists


def test_the_markdown_is_what_a_person_would_write(tmp_path: Path) -> None:
    lists = [
        Checklist(instance_id="q1", items=("Is it short?", "Does it name\nboth?"), source="generated", generator="g")
    ]
    write_checklists(tmp_path / "new" / "lists.md", lists, data("q1", query="Why  is\nit so? " + "x" * 90).instances)
    assert (tmp_path / "new" / "lists.md").read_text(encoding="utf-8") == (
        "## q1\n"
        "\n"
        '<!-- {"source": "generated", "generator": "g"} -->\n'
        f"> Why is it so? {'x' * 66}…\n"
        "\n"
        "1. Is it short?\n"
        "2. Does it name\n"
        "   both?\n"
    )
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["lists.md"]


def test_json_lines_are_open_to_a_person(tmp_path: Path) -> None:
    write_checklists(tmp_path / "l.jsonl", [Checklist(instance_id="q1", items=("短いですか？",))], data("q1").instances)
    assert (tmp_path / "l.jsonl").read_text(encoding="utf-8") == (
        '{"id": "q1", "query": "Why?", "checklist": ["短いですか？"], "source": "imported"}\n'
    )


def test_markdown_edited_by_hand_is_read(tmp_path: Path) -> None:
    text = "# Lists\nMine.\n\n## b\n- One?\n* Two?\n  and\n\n  more?\n\n 3) Three?\n## a\n> old\n7. One?\n"
    path = write(tmp_path / "l.md", text.replace("\n", "\r\n"))
    checklists, _ = read_checklists(path, data("a", "b"))
    assert [(c.instance_id, c.items) for c in checklists] == [
        ("a", ("One?",)),
        ("b", ("One?", "Two?\nand\n\nmore?", "Three?")),
    ]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"id": 7, "checklist": ["Is it?"], "note": "x", "category": "y"}, "7"),
        ({"session_id": "s", "items": ["Is it?"], "source": "wildbench"}, "s"),
        ({"question_id": 81, "turn": 2, "checklist": ["Is it?"]}, "81-2"),
        ({"question_id": "q", "checklist": ["Is it?"]}, "q"),
    ],
)
def test_ids_and_items_have_several_names(tmp_path: Path, row: dict[str, object], name: str) -> None:
    path = write(tmp_path / "l.jsonl", json.dumps(row))
    assert read_checklists(path, data(name))[0] == [Checklist(instance_id=name, items=("Is it?",), source="imported")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l.jsonl", '{"checklist": ["Is it short?", "Is it true?"]}'),
        ("l.md", "# For all\n\nAsk this:\n\n1. Is it short?\n2. Is it true?\n"),
        ("l.md", "- Is it short?\n- Is it true?"),
        ("l.md", "  1. Is it short?\n  2. Is it true?"),
        ("l.txt", "Is it short?\n\nIs it true?\n"),
        ("l.txt", "\ufeffIs it short?\r\nIs it true?\r\n"),
    ],
)
def test_one_list_without_an_id_is_fixed_for_all_instances(tmp_path: Path, name: str, text: str) -> None:
    checklists, notes = read_checklists(write(tmp_path / name, text), data("a", "b"))
    items = ("Is it short?", "Is it true?")
    assert checklists == [Checklist(instance_id=i, items=items, source="fixed") for i in ("a", "b")]
    assert notes == []


def test_sixty_items_and_a_very_long_one_are_read_in_order(tmp_path: Path) -> None:
    items = (*(f"Is number {n} there?" for n in range(1, 60)), "Is " + "x" * 5_000 + "?")
    for name in ("l.md", "l.jsonl"):
        write_checklists(tmp_path / name, [Checklist(instance_id="a", items=items)], ())
        assert read_checklists(tmp_path / name, data("a"))[0][0].items == items


def test_lists_for_other_instances_and_instances_without_a_list_are_noted(tmp_path: Path) -> None:
    path = write(tmp_path / "l.jsonl", "\n".join(json.dumps({"id": n, "checklist": ["Is it?"]}) for n in range(8)))
    checklists, notes = read_checklists(path, data("7", "x", "0"))
    assert [c.instance_id for c in checklists] == ["7", "0"]
    assert notes == [
        "6 checklists in l.jsonl are for instances that are not in the data: 1, 2, 3, 4, 5 and 1 more.",
        "1 of 3 instances have no checklist in l.jsonl: x.",
    ]


def test_an_empty_file_holds_no_list_of_a_run(tmp_path: Path) -> None:
    write_checklists(tmp_path / "l.jsonl", [], ())
    assert read_all_checklists(tmp_path / "l.jsonl") == {}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("l.jsonl", '{"id": "a", "checklist": []}', r"l\.jsonl, line 1, id a: the checklist has no items"),
        ("l.jsonl", '{"id": "a", "checklist": ["x", " "]}', "line 1, id a: item 2 of the checklist is blank"),
        ("l.jsonl", '{"id": "a", "checklist": 3}', "`checklist` is not a list but a number"),
        ("l.jsonl", '{"id": "a", "checklist": [1]}', r"`checklist\[0\]` is not text but a number"),
        ("l.jsonl", '{"id": "a"}', "the field `checklist` or `items` is missing; found: `id`"),
        ("l.jsonl", "", "the file is empty"),
        (
            "l.jsonl",
            '{"id": "a", "checklist": ["x"]}\n{"id": "a", "checklist": ["y"]}',
            "line 2, id a: the instance has two checklists; the first is in line 1",
        ),
        (
            "l.jsonl",
            '{"id": "a", "checklist": ["x"]}\n{"checklist": ["y"]}',
            "line 2: this list has no id, and the file has 2 lists",
        ),
        (
            "l.jsonl",
            '{"id": "x", "checklist": ["x"]}',
            r"none of the 1 checklists is for an instance of bench\nIds in this file: x. Ids in the data: a",
        ),
        ("l.md", "## a\n\n## b\n1. x", r"l\.md, line 1, id a: the checklist has no items"),
        ("l.md", "", "the checklist has no items"),
        ("l.md", "## a\n1. x\n2.\n", "id a: item 2 of the checklist is blank"),
        ("l.md", "## a\n1. x\n\nAnd this?\n", "line 4, id a: this line belongs to no question: And this"),
        ("l.md", "## a\n1. x\n## a\n1. y\n", "line 3, id a: the instance has two checklists; the first is in line 1"),
    ],
)
def test_bad_files_are_refused_with_place_and_reason(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_checklists(write(tmp_path / name, text), data("a", "b"))


def test_missing_files_and_lists_without_an_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        read_checklists(tmp_path / "gone.md", data("a"))
    with pytest.raises(DataError, match="this list has no id"):
        read_all_checklists(write(tmp_path / "l.txt", "Is it?"))


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    lists = [Checklist(instance_id="two\nlines", items=("x",))]
    with pytest.raises(DataError, match=r"cannot stand in a heading\nWrite the checklists as \.jsonl"):
        write_checklists(tmp_path / "l.md", lists, ())
    with pytest.raises(DataError, match=r"Use \.jsonl or \.md"):
        write_checklists(tmp_path / "l.csv", lists, ())
    blocked = write(tmp_path / "file", "x") / "l.jsonl"
    with pytest.raises(UserError, match=r"the file cannot be written: .*\nChoose a folder"):
        write_checklists(blocked, lists, ())


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    # Root may write anywhere but here.
    folder = Path("/proc/self") if os.geteuid() == 0 else tmp_path
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UserError, match=r"the file cannot be written: .*\nChoose a folder that you may write to"):
            write_checklists(folder / "l.jsonl", [], ())
    finally:
        tmp_path.chmod(0o700)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = write(tmp_path / "l.md", "old")
    with pytest.raises(DataError):
        write_checklists(path, [Checklist(instance_id=i, items=("x",)) for i in ("a", " b")], ())
    assert path.read_text(encoding="utf-8") == "old"
