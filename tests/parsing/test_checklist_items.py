import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.parsing.checklist_items import parse_checklist

TWO = ["Is it short?", "Does it name 1969?"]


@pytest.mark.parametrize(
    "text",
    [
        "1. Is it short?\n2. Does it name 1969?",
        "1) Is it short?\n2) Does it name 1969?",
        "(1) Is it short?\n(2) Does it name 1969?",
        "1.Is it short?\n2.Does it name 1969?",
        "- Is it short?\n- Does it name 1969?",
        "* Is it short?\n* Does it name 1969?",
        "•\tIs it short?\n• Does it name 1969?",
        "- [ ] Is it short?\n- [x] Does it name 1969?",
        "１．Is it short?\n２．Does it name 1969?",
        "١. Is it short?\n٢. Does it name 1969?",
        "一、\n1、Is it short?\n2、Does it name 1969?",
        "**1.** Is it short?\n**2.** Does it name 1969?",
        "**1. Is it short?**\n**2. Does it name 1969?**",
        "1. **Is it short?**\n2. __Does it name 1969?__",
        "1. *Is it short?* (Yes/No)\n2. **Does it name 1969? [yes or no]**",
        "### 1. Is it short?\n### 2. Does it name 1969?",
        "Question 1: Is it short?\nQ2: Does it name 1969?",
        "Is it short?\nDoes it name 1969?",
        "  1. Is it short?\n  2. Does it name 1969?",
        " 9. Is it short?\n10. Does it name 1969?",
        "1. Is it short?\r\n2. Does it name 1969?\r\n",
        "1. Is it short?\n\n\n2. Does it name 1969?\n\n3.\n4.  \n",
        "1. Is it short?\n2. Does it name 1969?\n3. Is it short?",
        "Here is the checklist:\n\n1. Is it short?\n2. Does it name 1969?\n\nUse it well!",
        "Sure? Sure.\n1. Is it short?\n2. Does it name 1969?\nThese questions cover it.",
        "**Form**\n1. Is it short?\n\n**Content**\n2. Does it name 1969?\n## End",
        "1. **Form**\n   - Is it short?\n2. **Content**\n   - Does it name 1969?",
        "1. Form:\n- Is it short?\n- Does it name 1969?",
        "```\n1. Is it short?\n2. Does it name 1969?\n```",
        "Here:\n```markdown\nIs it short?\nDoes it name 1969?\n```\nDone.",
        '["Is it short?", "Does it name 1969?"]',
        '["1. Is it short?", "2. Does it name 1969?"]',
        '[{"question": "Is it short?"}, {"id": 2, "text": "Does it name 1969?"}]',
        '{"checklist": ["Is it short?", "Does it name 1969?"]}',
        '{"1": "Is it short?", "2": "Does it name 1969?"}',
        '{"question": "Is it short?"}\n{"question": "Does it name 1969?"}',
        'Sure:\n```json\n[\n  "Is it short?",\n  "Does it name 1969?",\n]\n```\nBye.',
        'The list [as asked]:\n["Is it short?", " ", "Does it name 1969?"]\nBye.',
    ],
)
def test_each_way_to_write_a_list_gives_its_items(text: str) -> None:
    assert parse_checklist(text) == TWO


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1. 回答は短いですか？\n2. 年はありますか？", ["回答は短いですか？", "年はありますか？"]),
        ("回答は短いですか？\n年はありますか？", ["回答は短いですか？", "年はありますか？"]),
        ("هل هو قصير؟\nهل فيه سنة؟", ["هل هو قصير؟", "هل فيه سنة؟"]),
        ("Είναι σύντομο;\nΑναφέρει το 1969\u037e", ["Είναι σύντομο;", "Αναφέρει το 1969\u037e"]),
        ("1. The answer is short.\n2. It names 1969", ["The answer is short.", "It names 1969"]),
        ("1. Does it\nname 1969?\n2. Short?", ["Does it\nname 1969?", "Short?"]),
        ("1. Does it name\n   - 1969 and\n   - 1972?\n2. Short?", ["Does it name\n- 1969 and\n- 1972?", "Short?"]),
        ("1. Does it ask:\n   why?\n\n   how?\n2. Short?", ["Does it ask:\nwhy?\n\nhow?", "Short?"]),
        ("1. Is there a ## heading? And a #tag?", ["Is there a ## heading? And a #tag?"]),
        ("1. Is it\n   ```\n   x = 1\n   ```\n2. Short?", ["Is it\n```\nx = 1\n```", "Short?"]),
        ("1. **Form**: is it short?\n2. **A** or **B**", ["**Form**: is it short?", "**A** or **B**"]),
        ("- 1.5 litres?\n- 2 * 3 * 4 = 24?", ["1.5 litres?", "2 * 3 * 4 = 24?"]),
        ('["3. Liga?", "1. Liga?"]', ["3. Liga?", "1. Liga?"]),
        ('1. Is the output\n["a", "b"]?\n2. Short?', ['Is the output\n["a", "b"]?', "Short?"]),
        ("1. {braces} %s 👩‍👩‍👧?", ["{braces} %s 👩‍👩‍👧?"]),
    ],
)
def test_an_item_keeps_what_belongs_to_it(text: str, items: list[str]) -> None:
    assert parse_checklist(text) == items


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "I cannot help with that.",
        "Could you show me the response?",
        "1.\n2.  \n- ",
        "```\n```",
        "[]",
        '["", " "]',
        '["Is it short?", "Does it na',
        '{"error": 3}',
    ],
)
def test_no_item_gives_an_empty_list(text: str) -> None:
    assert parse_checklist(text) == []


def test_sixty_items_and_a_very_long_one_come_in_order() -> None:
    items = [f"Is number {n} there?" for n in range(1, 60)] + ["Is " + "x" * 5_000 + " there?"]
    assert parse_checklist("\n".join(f"{n}. {item}" for n, item in enumerate(items, start=1))) == items


# A line starts with a letter, so that it is no marker itself, and ends with a question mark or a letter.
LETTER = st.characters(categories=["Lu", "Ll", "Lo"])
INNER = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]) | st.just(" "), max_size=30)
LINE = st.builds("{}{}{}".format, LETTER, INNER, LETTER | st.sampled_from("?？؟\u037e"))
ITEM = st.lists(LINE, min_size=1, max_size=3).map("\n".join)
ITEMS = st.lists(ITEM, min_size=1, max_size=12, unique=True)
MARKERS = st.sampled_from(["{}. ", "{}) ", "({}) ", "- ", "* ", "• ", "**{}.** ", "Question {}: ", "- [ ] "])


@given(items=ITEMS, marker=MARKERS, blank=st.booleans(), bold=st.booleans(), around=st.booleans())
def test_what_is_rendered_as_a_list_is_read_back(
    items: list[str], marker: str, blank: bool, bold: bool, around: bool
) -> None:
    rendered = []
    for number, item in enumerate(items, start=1):
        is_bold = bold and "*" not in item
        begin = marker.format(number)
        indented = item.replace("\n", "\n" + " " * len(begin))
        rendered.append(begin + (f"**{indented}**" if is_bold else indented))
    text = ("\n\n" if blank else "\n").join(rendered)
    assert parse_checklist(f"Here is the list:\n\n{text}\n\nThat is all." if around else text) == items


@given(items=ITEMS, objects=st.booleans(), fenced=st.booleans(), indent=st.none() | st.just(2))
def test_what_is_rendered_as_json_is_read_back(
    items: list[str], objects: bool, fenced: bool, indent: int | None
) -> None:
    values = [{"question": item} for item in items] if objects else items
    text = json.dumps(values, ensure_ascii=False, indent=indent)
    assert parse_checklist(f"Here:\n```json\n{text}\n```\nBye." if fenced else text) == items


@given(st.text())
def test_no_text_breaks_it_and_no_item_is_blank_or_twice(text: str) -> None:
    items = parse_checklist(text)
    assert all(item.strip() for item in items)
    assert len(items) == len(set(items))
