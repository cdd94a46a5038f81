import pytest

from checkwise.parsing.thinking import strip_thinking


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("1. Is it short?", "1. Is it short?"),
        ("<think>\nNo. Yes?\n</think>\n\nYes", "Yes"),
        ("<think></think>Yes", "Yes"),
        ("<THINKING>hm</THINKING>\nYes", "Yes"),
        ("[THINK]hm[/THINK]Yes", "Yes"),
        ("<think>a</think>\n<think>b</think>\nYes", "Yes"),
        ("Well.\n<think>a</think>\nYes", "Well.\n\nYes"),
        ("思考中…\n</think>\n\nはい", "はい"),
        ("The template opened it.</think>\nYes", "Yes"),
        ("<think>He wrote <think> himself.\n</think>\nNo, more.\n</think>\nYes", "Yes"),
    ],
)
def test_what_stands_outside_the_thinking_is_the_answer(text: str, answer: str) -> None:
    assert strip_thinking(text) == (answer, False)


@pytest.mark.parametrize("text", ["<think>", "<think>\nI have not", "  <think>Yes\n1. Is it?", "[THINK] Yes"])
def test_thinking_left_open_is_incomplete_and_never_the_answer(text: str) -> None:
    assert strip_thinking(text) == ("", True)


def test_thinking_left_open_after_a_closed_one_is_incomplete() -> None:
    assert strip_thinking("<think>a</think>\nYes\n<think>but") == ("Yes", True)


@pytest.mark.parametrize("text", ["Does it use <think> tags?", "Does it put </think> last, and nothing else?"])
def test_a_tag_in_the_middle_of_a_line_is_text(text: str) -> None:
    assert strip_thinking(text) == (text, False)
