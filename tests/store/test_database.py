import contextlib
import sqlite3

import pytest

from checkwise.errors import DataError, UserError
from checkwise.questions import Choice, Failure, Generation, Usage
from checkwise.records import Checklist, Dataset, Instance, ItemGrade, Response, Score, Turn
from checkwise.store import Database, PlacedChecklist, Used

FIVE = Generation(text="5 ✓", finish="stop", usage=Usage(generated_tokens=1))
YES = Choice(probabilities={"Yes": 0.75, "No": None}, variants={" yes": 0.5, "Yes": 0.25}, floor=0.01)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.sqlite"


@pytest.fixture
def database(path):
    with contextlib.closing(Database(path)) as database:
        yield database


def query(path, statement):
    """Ask over a connection of one's own, as another process would."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def test_an_answer_comes_back_as_it_was(database):
    database.keep_answer("a", "m", FIVE)
    database.keep_answer("b", "m", YES)
    assert database.find_answer("a", Generation) == FIVE
    assert database.find_answer("b", Choice) == YES
    assert database.find_answer("c", Choice) is None
    assert database.count_answers() == 2


def test_an_answer_is_committed_at_once(database, path):
    for number in range(1, 4):
        database.keep_answer(f"key {number}", "m", FIVE)
        assert query(path, "SELECT count(*) FROM completions") == [(number,)]


def test_the_first_answer_stays(database):
    database.keep_answer("a", "m", FIVE)
    database.keep_answer("a", "m", FIVE.model_copy(update={"text": "6"}))
    assert database.find_answer("a", Generation) == FIVE


def test_a_failure_is_recorded_and_is_no_answer(database, path):
    for _ in range(2):
        database.keep_failure("a", "m", Failure(kind="context_exceeded", reason="too long"))
    assert database.find_answer("a", Choice) is None
    assert database.count_answers() == 0
    assert (
        query(path, "SELECT key, model, kind, reason FROM failures") == [("a", "m", "context_exceeded", "too long")] * 2
    )


def test_a_new_run_replaces_the_records_and_keeps_the_answers(database):
    def begin(name, text):
        instance = Instance(id=name, turns=(Turn(role="user", content=text),), category="c", language="ar")
        own = (Turn(role="user", content="before"),)
        dataset = Dataset(
            name=name,
            format="plain",
            instances=(instance,),
            responses=(Response(instance_id=name, model="m", text=text, history=own),),
            notes=("ملاحظة",),
        )
        database.begin_run(dataset, {"judge": name}, [Checklist(instance_id=name, items=("?",))])
        return dataset

    begin("first", "one")
    database.keep_answer("a", "m", FIVE)
    grade = ItemGrade(instance_id="first", model="m", number=1, item="?", p_yes=0.5, mass=1, mode="logprobs")
    score = Score(instance_id="first", model="m", value=0.5, status="scored", items=1, scored_items=1)
    database.keep_judgment(score, [grade])
    assert database.grades() == [grade]
    assert database.scores() == [score]

    # Half of a surrogate pair, as JSON cut off in the middle of an emoji has it.
    second = begin("second", "سؤال 🙂 \ud83d")
    assert database.dataset() == second
    assert database.facts()["judge"] == "second"
    assert list(database.checklists()) == ["second"]
    assert database.grades() == []
    assert database.scores() == []
    assert database.find_answer("a", Generation) == FIVE


def test_grades_are_read_in_the_order_of_the_items(database):
    grades = [
        ItemGrade(instance_id="i", model="m", number=number, item=f"{number}?", mode="logprobs", reason="none")
        for number in (10, 2, 1, 12)
    ]
    database.keep_judgment(Score(instance_id="i", model="m", status="unscored"), grades)
    assert [grade.number for grade in database.grades()] == [1, 2, 10, 12]
    frame = database.grades_frame()
    assert frame["p_yes"].to_list() == [None] * 4
    assert frame["bounded"].to_list() == [False] * 4


def test_while_the_lists_file_is_replaced_both_lists_are_known(database, path):
    def placed(*items):
        return PlacedChecklist(Checklist(instance_id="i", items=items, source="generated"), "generator")

    with database.placing([placed("old?")]):
        pass
    with pytest.raises(DataError), database.placing([placed("new?")]):
        raise DataError("the file cannot be written")
    assert {each.checklist.items for each in database.placed_checklists()} == {("old?",), ("new?",)}
    with database.placing([placed("new?")]):
        pass
    assert database.placed_checklists() == [placed("new?")]


def test_there_is_no_run_where_there_is_no_database(path):
    with pytest.raises(DataError, match="there is no run in this folder"):
        Database(path, create=False)
    assert not path.exists()


def test_an_empty_file_is_no_run_but_can_become_one(path):
    path.touch()
    with pytest.raises(DataError, match="there is no run in this folder"):
        Database(path, create=False)
    Database(path).close()
    Database(path, create=False).close()


def test_the_database_of_another_layout_is_refused_and_left_alone(path):
    Database(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for create in (True, False, True):
        with pytest.raises(UserError, match=r"another version of checkwise \(layout 99"):
            Database(path, create=create)
    assert query(path, "PRAGMA user_version") == [(99,)]


def as_before_steps(path):
    """Make a database as the layout before this one had it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE completions DROP COLUMN step")
        connection.execute("PRAGMA user_version = 2")


def test_a_database_from_before_steps_were_kept_is_read_and_brought_up_to_date(path):
    with contextlib.closing(Database(path)) as database:
        database.keep_answer("a", "m", FIVE)
    as_before_steps(path)
    with contextlib.closing(Database(path, create=False)) as database:
        assert database.find_answer("a", Generation) == FIVE
        assert [(used.step, used.questions) for used in database.used()] == [(None, 1)]
        assert database.typical_text("m", "judgment") is None
    assert query(path, "PRAGMA user_version") == [(2,)]
    with contextlib.closing(Database(path)) as database:
        database.keep_answer("b", "m", FIVE, step="judgment")
        assert [(used.step, used.questions) for used in database.used()] == [("judgment", 1), (None, 1)]
    assert query(path, "PRAGMA user_version") == [(3,)]


def test_what_answers_took_is_added_up_by_step_and_model(database):
    written = Usage(prompt_tokens=100, computed_tokens=40, generated_tokens=7, seconds=0.5)
    for number in range(2):
        database.keep_answer(f"t{number}", "m", FIVE.model_copy(update={"usage": written}), step="judgment")
    database.keep_answer("c", "m", YES.model_copy(update={"usage": written}), step="grading")
    database.keep_answer("d", "n", FIVE, "translate", step="translation")
    assert database.used() == [
        Used("translation", "translate", "n", 1, 0, 0, 1, 0.0),
        Used("grading", "choose", "m", 1, 100, 40, 7, 0.5),
        Used("judgment", "generate", "m", 2, 200, 80, 14, 1.0),
    ]


def test_the_typical_text_is_the_one_of_median_length(database):
    for length in (9, 1, 5):
        text = Generation(text=f"{length} words", finish="stop", usage=Usage(generated_tokens=length))
        database.keep_answer(f"key {length}", "m", text, step="checklist")
    assert database.typical_text("m", "checklist") == "5 words"
    assert database.typical_text("m", "concepts") is None
    assert database.typical_text("n", "checklist") is None


@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_said_to_be_damaged(path, create):
    path.write_text("This is a text, and not a short one. " * 200, encoding="utf-8")
    with pytest.raises(UserError, match="the run's database is damaged") as caught:
        Database(path, create=create)
    assert str(path) in str(caught.value)
    assert "Put the file away and run again" in caught.value.todo


def test_damage_that_shows_later_is_said_too(path):
    with contextlib.closing(Database(path)) as database:
        for number in range(200):
            database.keep_answer(f"key {number}", "m", FIVE)
    bytes_ = bytearray(path.read_bytes())
    for page in range(4096, len(bytes_), 4096):
        bytes_[page : page + 200] = b"\xff" * 200
    path.write_bytes(bytes_)
    with (
        contextlib.closing(Database(path, create=False)) as database,
        pytest.raises(UserError, match="the run's database is damaged"),
    ):
        for number in range(200):
            database.find_answer(f"key {number}", Generation)


def test_a_full_disk_is_said_and_what_was_stored_is_kept(path, monkeypatch):
    connect = sqlite3.connect

    def connect_to_a_small_disk(*args, **options):
        connection = connect(*args, **options)
        connection.execute("PRAGMA max_page_count = 40")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_small_disk)
    stored = 0
    with contextlib.closing(Database(path)) as database:
        with pytest.raises(UserError, match="the disk is full") as caught:
            for number in range(1000):
                database.keep_answer(f"key {number}", "m", FIVE.model_copy(update={"text": "long " * 200}))
                stored += 1
        # In a transaction as well.
        long = Score(instance_id="i", model="m", status="unscored", reason="long " * 20_000)
        with pytest.raises(UserError, match="the disk is full"):
            database.keep_judgment(long, [])
        assert database.scores() == []
    assert "Free some space, and run the same command again" in caught.value.todo
    monkeypatch.undo()
    with contextlib.closing(Database(path)) as database:
        assert database.count_answers() == stored > 10
