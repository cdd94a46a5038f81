import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.records import Dataset, Instance, Response, Turn

INSTANCES = [
    Instance(id=f"i{n}", turns=(Turn(role="user", content=f"query {n}"),), category="ab"[n % 2]) for n in range(4)
]
RESPONSES = [
    Response(instance_id=f"i{n}", model=model, text=f"{model} writes {n * weight % 5}" if n * weight != 2 else "")
    for n in range(4)
    for model, weight in (("m1", 1), ("m2", 2), ("m3", 3))
]


def answer(prompt):
    """Answer from the text alone, unevenly, so that each pair of response and item has a p_yes of its own."""
    if prompt.options is None:
        return "1. Is it one?\n2. Is it two?\n3. Is it three?"
    p_yes = sum(prompt.text.encode()) % 97 / 97
    return {"Yes": p_yes, "No": 1 - p_yes} if p_yes > 0.05 else {"Hm": 1.0}


def judged(instances, responses):
    data = Dataset(name="d", format="plain", instances=tuple(instances), responses=tuple(responses))
    with tempfile.TemporaryDirectory() as folder:
        result = checkwise.run(data, judge=ScriptedEngine(answer), out=Path(folder) / "run")
        return result.grades, result.scores, result.leaderboard, result.by_category


AS_IT_IS = judged(INSTANCES, RESPONSES)


def test_the_scores_differ():
    assert AS_IT_IS[1]["value"].n_unique() > 6
    assert AS_IT_IS[2]["score"].n_unique() == 3


@settings(max_examples=12, deadline=None)
@given(st.permutations(INSTANCES), st.permutations(RESPONSES))
def test_the_order_of_instances_models_and_responses_changes_nothing(instances, responses):
    for table, same in zip(judged(instances, responses), AS_IT_IS, strict=True):
        assert table.equals(same)
