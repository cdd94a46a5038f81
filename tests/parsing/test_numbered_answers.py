"""Yes or No to numbered questions, from one text."""

import pytest

from checkwise.parsing.numbered_answers import read_numbered_answers


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1. Yes\n2. No\n3. yes", [True, False, True]),
        ("1) YES.\n2) no, it is not.\n3) Yes!", [True, False, True]),
        ("**1:** Yes\n**2:** No\n- 3: *No*", [True, False, False]),
        ("Question 1: Yes\nItem 2: No\nQ3. No", [True, False, False]),
        ("1. Does it say blue? Yes\n2. Is it short? No\n3. Is it long? - No", [True, False, False]),
        ("Here are my answers:\n\n1. Yes\n\n2. No\n\n3. Yes\n\nI hope that helps.", [True, False, True]),
        ("<think>1. No\n2. No</think>\n1. Yes\n2. Yes\n3. Yes", [True, True, True]),
        ("٣. Yes\n١. No", [False, None, True]),
        ("1. Yes", [True, None, None]),
        ("1. Yes or No\n2. No", [None, False, None]),
        ("1. Yes\n1. No\n2. No", [None, False, None]),
        ("1. Nothing to say about yesterday\n2. No", [None, False, None]),
        ("10. Yes\n11. No", [None, None, None]),
        ("Yes\nNo\nYes", [None, None, None]),
        ("<think>1. Yes", [None, None, None]),
        ("", [None, None, None]),
    ],
)
def test_answers(text, answers):
    assert read_numbered_answers(text, 3) == answers
