import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.parsing.verdicts import read_choice, read_score


def score(text: str, low: int = 1, high: int = 7) -> int | None:
    return read_score(text, low=low, high=high)


@pytest.mark.parametrize(
    "text",
    [
        "Score: 5",
        "score = 5",
        "SCORE : 5.",
        "Score - 5",
        "Score -> 5",
        "**Score:** 5/7",
        "**Score**: **5**",
        "## Score: [[5]]",
        "> _Score: 5_",
        "- Score: `5`",
        "3. Score: 5",
        "| Score | 5 |",
        '"Score": 5',
        '{"score": 5}',
        "<score>5</score>",
        "Score: <5>",
        "Score: $\\boxed{5}$",
        "[RESULT] 5",
        "Feedback: It is clear. [RESULT] 5",
        "It is clear. Score: 5",
        "Rating: 5 stars.",
        "Final score: 5 out of 7",
        "Therefore, the final score is 5.",
        "Score (1-7): 5",
        "Score: 5 (out of 7)",
        "Score: 5/7 points",
        "Score: 5.0",
        "Score: five",
        "Score: five (5)",
        "Score: 5 - good, not a 6",
        "Score: 5 because 3 facts are right",
        "Score: 5. It is good.",
        "Score:\n5",
        "**Score:**\n\n5\n\nThank you.",
        "```\nScore: 5\n```",
        "Score: 5<|im_end|>",
        "The response is clear.\n\n5",
        "5.",
        "5/7",
    ],
)
def test_a_closing_line_in_whatever_form(text: str) -> None:
    assert score(text) == 5


@pytest.mark.parametrize(
    "text",
    [
        "> Score：５",
        "Score：【５】",
        "很好。Score：５",
        "Score: ٥",
        "Score: ५",
        "Score: ৫/৭",
        "Score: ๕",
        "Score: ⑤",
        "جيد؟ Score: ٥",
    ],
)
def test_digits_colons_and_brackets_of_any_script(text: str) -> None:
    assert score(text) == 5


@pytest.mark.parametrize(
    "text",
    [
        "Score: 2\nScore: 5",
        "Rating: 2\n\n[RESULT] 5",
        "Score: 5\n\nI hope that helps with all 3 points.",
        "Score: 5\nThe score is high because of its tone.",
        "Score: 5\nScore: <1-7>",
        "Score: 5\n(Score: N, where N is a number from 1 to 7.)",
        "Score: 5\nScore: N/7",
        "<think>Score: 2</think>\nScore: 5",
    ],
)
def test_the_last_line_that_carries_a_verdict(text: str) -> None:
    assert score(text) == 5


@pytest.mark.parametrize(
    "value",
    [
        *("8", "0", "-5", "100", "4.5", "4,5", "4٫5", "4½", "4-5", "4–5", "4 or 5", "4, 5", "4 to 5", "4 (or 5)"),
        *("5/10", "5 out of 10", "5/5", "5%", "5+", "5th", "1,000", "high", "about 5", "one of the best"),
    ],
)
def test_an_unusable_verdict_hides_the_earlier_ones(value: str) -> None:
    assert score(f"Score: {value}") is None
    assert score(f"Score: 3\nScore: {value}") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The response is clear.",
        "I would give it 5 of 7.",
        "end with `Score: N`",
        'End with "Score: 5".',
        "Score: <1-7>",
        "Score: [1-7]",
        "Score: an integer between 1 and 7",
        "Score: ...",
        "Score:",
        "The score is not 5",
        "1. Yes.\n2. No.\n5.",
        "Score: 5\n<think>or was it",
        "<think>Score: 5",
    ],
)
def test_no_closing_line_is_no_verdict(text: str) -> None:
    assert score(text) is None


def test_the_range_is_the_guides() -> None:
    assert score("Score: 0", low=0, high=9) == 0
    assert score("Score: 10/10", low=1, high=10) == 10
    assert score("Score: -2", low=-3, high=3) == -2
    assert score("Score: 4-5", low=4, high=5) is None


def test_a_label_of_ones_own() -> None:
    assert read_score("Note: 3\nScore: 4", low=1, high=5, labels=("Note",)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Verdict: A",
        "**Verdict: Response A**",
        "**Verdict:** **A**",
        "verdict: a",
        "Verdict: (A)",
        "Verdict: <response_a>",
        "<verdict>A</verdict>",
        "Verdict：Ａ",
        "Verdict: А",
        "Verdict: Α",
        "[[A]]",
        "It is clear. [[A]]",
        "My verdict is [[A]].",
        "[RESULT] A",
        "Better response: A",
        "The better response is A.",
        "The winner is Response A!",
        "Verdict: A is better than B",
        "Verdict: A > B",
        "Verdict: A (Response A)",
        "Verdict: A (better than B)",
        "Verdict: A, because B is wrong",
        "Verdict: A. B is wrong.",
        "Verdict:\nA",
        "Verdict: B\nVerdict: A",
        "Verdict: A\nVerdict: <A or B>",
        "B is shorter.\n\nA",
        "B is shorter.\n**A**",
        "A.",
        "B is shorter.\nResponse A",
        "Verdict: Response A is clearly better than Response B.",
    ],
)
def test_a_choice_in_whatever_form(text: str) -> None:
    assert read_choice(text) == "A"


def test_the_cyrillic_and_greek_letters_that_look_like_b() -> None:
    assert read_choice("Verdict: \u0412") == read_choice("Verdict: \u0392") == read_choice("Verdict: Ｂ") == "B"


@pytest.mark.parametrize(
    "value",
    [
        *("A or B", "A/B", "A | B", "A, B", "A - B", "A (B)", "A = B", "A and B are equal", "both", "tie", "neither"),
        *("A (tie)", "not A", "A is not better", "A is worse", "AB", "C", "a response that is clear", "[[C]]"),
    ],
)
def test_an_undecided_choice_hides_the_earlier_ones(value: str) -> None:
    assert read_choice(f"Verdict: {value}") is None
    assert read_choice(f"Verdict: A\nVerdict: {value}") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A man went home.",
        "Response A is better.",
        "Response A is not better.",
        "Say A or B.",
        "Verdict: <A or B>",
        "1. Yes.\nA.",
        'End with "Verdict: A".',
        "<think>Verdict: A",
    ],
)
def test_no_closing_line_is_no_choice(text: str) -> None:
    assert read_choice(text) is None


# "<" and "[" may open thinking, which takes away all that follows.
anything = st.text(st.characters(exclude_characters="<[", exclude_categories=["Cs"]), max_size=80)
earlier = st.lists(
    st.sampled_from(["Score: 3", "Verdict: B", "Score: 9", "4", "Score:", "Verdict: tie", "1. yes"]) | anything,
    max_size=5,
).map("\n".join)
closing = st.sampled_from(["Score: {}", "**Score:** {}/7", "[RESULT] {}", "Final score: {}.", "Score:\n{}", "{}"])


@given(earlier, closing, st.integers(-20, 20))
def test_nothing_before_the_last_closing_line_matters(before: str, form: str, number: int) -> None:
    text = form.format(number)
    assert score(f"{before}\n{text}") == score(text) == (number if 1 <= number <= 7 else None)


@given(earlier, st.sampled_from(["Verdict: {}", "**Verdict: Response {}**", "[[{}]]", "Better response: {}", "{}"]))
def test_nothing_before_the_last_choice_matters(before: str, form: str) -> None:
    for side in ("A", "B"):
        assert read_choice(f"{before}\n{form.format(side)}") == side


fragments = st.sampled_from(
    [
        "Score",
        ":",
        "\n",
        " ",
        "[[",
        "]]",
        "/",
        ".",
        "-",
        "or",
        "7",
        "12",
        "٣",
        "５",
        "<think>",
        "</think>",
        "of",
        "*",
        "(",
    ]
)


@given(st.lists(fragments | anything).map("".join), st.integers(-3, 3), st.integers(4, 12))
def test_no_score_is_ever_out_of_the_range(text: str, low: int, high: int) -> None:
    found = score(text, low, high)
    assert found is None or low <= found <= high
