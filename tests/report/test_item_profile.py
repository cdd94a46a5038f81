"""What checklists ask about: verbs and their objects, by category."""

import pytest

from checkwise.records import Checklist, Instance, Turn
from checkwise.report.item_profile import item_profiles, verb_and_object


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("Does the response explain the main trade-off?", ("explain", "trade-off")),
        ("Does it correctly name the capital of France?", ("name", "capital")),
        ("Does the response avoid repeating itself?", ("avoid", "itself")),
        ("Is the response concise?", ("be", "concise")),
        ("Is the text in English?", ("be", "english")),
        ("Does the answer say how photosynthesis works?", ("say", None)),
        ("Has the response been translated completely?", ("be", "translated")),
        ("Nennt die Antwort Paris?", None),
        ("Explain it.", None),
        ("Does?", None),
        ("", None),
    ],
)
def test_the_form_of_an_item_tells_what_it_asks(item, expected):
    assert verb_and_object(item) == expected


def test_verbs_are_counted_by_category_and_what_is_not_read_too():
    instances = [
        Instance(id=name, turns=(Turn(role="user", content="q"),), category=category)
        for name, category in (("a", "math"), ("b", None), ("c", "math"), ("d", "none here"))
    ]
    items = {
        "a": ("Does it show the steps?", "Does it show the result?"),
        "b": ("Ist es kurz?",),
        "c": ("Does the response show the steps?", "Does it name a unit?"),
    }
    lists = {name: Checklist(instance_id=name, items=texts) for name, texts in items.items()}
    math, other = item_profiles(instances, lists)
    assert (math.category, math.items, math.read) == ("math", 4, 4)
    assert [(use.verb, use.count, use.objects) for use in math.verbs] == [
        ("show", 3, ("steps", "result")),
        ("name", 1, ("unit",)),
    ]
    assert (other.category, other.items, other.read, other.verbs) == (None, 1, 0, ())
