import pytest

from checkwise.records import Checklist, Dataset, Instance, Response, Score, Turn
from checkwise.report import build_content

DEMO = Dataset(
    name="demo",
    format="jsonl",
    instances=(Instance(id="q1", turns=(Turn(role="user", content="Q"),)),),
    responses=(
        Response(instance_id="q1", model="a-last", text="x"),
        Response(instance_id="q1", model="z-first", text="y"),
    ),
)
NOTHING = {"by_category": None, "facts": {}, "notes": []}


def test_facts_and_notes_keep_their_order_and_those_of_the_data_come_first(content):
    assert [(fact.label, fact.value) for fact in content.facts] == [
        ("Data", "demo (jsonl)"),
        ("Judge", "local:small"),
        ("Tie margin", "0.1"),
    ]
    assert content.notes == ("from the data", "from the run")


def test_what_was_left_out_is_counted(content):
    assert {count.label: count.value for count in content.counts} == {
        "models": 2,
        "instances": 2,
        "responses": 3,
        "unscored responses": 2,  # weak on "q 1", able on q2, which has no score at all
        "empty responses": 0,
        "graded items": 2,
        "unscored items": 3,  # both of weak's, and q2's only item
        "low-mass items": 1,
        "missing responses": 1,  # weak on q2
        "grades of other items than the checklist's": 1,
    }


def test_what_is_unscored_is_none_with_a_reason(content, context_reason):
    able, weak = content.instances[0].responses
    assert (able.model, able.score, able.status) == ("able", 0.5, "scored")
    assert (weak.score, weak.status, weak.reason) == (None, "unscored", context_reason)
    assert [(cell.p_yes, cell.reason) for cell in weak.cells] == [
        (None, context_reason),
        (None, "the judge was not asked about this item"),
    ]


def test_a_grade_of_an_item_that_was_edited_since_is_not_shown(content):
    (response,) = content.instances[1].responses
    assert response.cells[0].p_yes is None
    assert (response.score, response.reason) == (None, "it has no score in this run")


def test_every_response_has_one_cell_an_item(content):
    for instance in content.instances:
        assert all(len(response.cells) == len(instance.items) for response in instance.responses)


def test_responses_stand_in_the_order_of_the_leaderboard(board):
    content = build_content(DEMO, {}, [], [], leaderboard=board((1, "z-first", 0.9, 0.8, 1.0, 1)), **NOTHING)
    assert [response.model for response in content.instances[0].responses] == ["z-first", "a-last"]


def test_nan_in_a_frame_is_none(board):
    nan = float("nan")
    content = build_content(DEMO, {}, [], [], leaderboard=board((1, "a", nan, nan, nan, 0)), **NOTHING)
    (row,) = content.leaderboard
    assert (row.score, row.low, row.high, row.mean_mass) == (None, None, None, None)


def test_a_score_by_rule_keeps_its_reason(board):
    rule = Score(instance_id="q1", model="a-last", value=0.0, status="empty", reason="an empty response scores 0")
    content = build_content(DEMO, {}, [], [rule], leaderboard=board(), **NOTHING)
    response = content.instances[0].responses[0]
    assert (response.score, response.status, response.reason) == (0.0, "empty", "an empty response scores 0")


def test_a_method_without_checklists_lacks_none(board):
    labels = [count.label for count in build_content(DEMO, {}, [], [], leaderboard=board(), **NOTHING).counts]
    assert "instances without a checklist" not in labels


def test_an_instance_without_a_checklist_among_others_is_counted(board):
    other = Instance(id="q2", turns=(Turn(role="user", content="Q"),))
    both = DEMO.model_copy(update={"instances": (*DEMO.instances, other)})
    lists = {"q2": Checklist(instance_id="q2", items=("Is it?",))}
    content = build_content(both, lists, [], [], leaderboard=board(), **NOTHING)
    counts = {count.label: count.value for count in content.counts}
    assert counts["instances without a checklist"] == 1
    assert counts["instances nobody answered"] == 1


def test_categories_are_split_in_their_order(board):
    rows = board((1, "a", 0.9, None, None, 2), (2, "b", 0.5, None, None, 2), (1, "b", 0.7, None, None, 1))
    table = rows.insert_column(0, rows["model"].replace_strict({"a": "math", "b": "math"}).alias("category"))
    table[2, "category"] = None
    content = build_content(DEMO, {}, [], [], leaderboard=board(), by_category=table, facts={}, notes=[])
    assert [(part.category, [row.model for row in part.rows]) for part in content.categories] == [
        ("math", ["a", "b"]),
        (None, ["b"]),
    ]


@pytest.mark.parametrize("value", [float("nan"), None])
def test_a_leaderboard_without_an_interval_has_none(board, value):
    content = build_content(DEMO, {}, [], [], leaderboard=board((1, "a", 0.5, value, value, 1)), **NOTHING)
    assert (content.leaderboard[0].low, content.leaderboard[0].high) == (None, None)


def test_a_grade_without_a_checklist_is_counted_and_not_shown(board, grade):
    stray = grade("q1", "a-last", 1, "Is it?", 1.0, mass=1.0)
    content = build_content(DEMO, {}, [stray], [], leaderboard=board(), **NOTHING)
    assert all(response.cells == () for response in content.instances[0].responses)
    assert {c.label: c.value for c in content.counts}["grades of other items than the checklist's"] == 1
