"""Cutting: nothing is lost, and what no translator may touch is put aside."""

from hypothesis import given
from hypothesis import strategies as st

from checkwise.translation.pieces import cut

GERMAN = "Der Preis beträgt 5 $ pro Stück, z. B. für Dr. Weber. Reicht das? Ja!\n\nEin neuer Absatz."

PROTECTED = [
    "`a. B`",
    "```py\nprint('ja')\n```\n",
    "$x+1$",
    "$$y.$$",
    "⟦0⟧",
    "https://a.b/c?d=1. ",
    "\\begin{x} Ja. \\end{x}",
]
PROSE = [
    "Ein Satz. ",
    "你好。",
    "यह है। ",
    "مرحبا؟ ",
    "\n\n",
    " ",
    "abc",
    "🙂",
    "$5 und $6",
    "```",
    "\u3000",
    "ไม่มีช่องว่าง",
]
PARTS = st.sampled_from(PROTECTED + PROSE)


def put_together(taken_apart):
    return taken_apart.restore("".join(p.before + p.text + p.after for p in taken_apart.pieces))


@given(st.lists(PARTS | st.text(max_size=30), max_size=20), st.sampled_from(["de", "zh", "hi", "zh-Hant", "xx"]))
def test_pieces_are_the_text_again(parts, language):
    text = "".join(parts)
    for longest in (10, 25, 1000):
        assert put_together(cut(text, language, longest)) == text


@given(st.lists(PARTS, max_size=20), st.integers(min_value=10, max_value=60))
def test_no_piece_is_too_long(parts, longest):
    assert all(len(piece.text) <= longest for piece in cut("".join(parts), "de", longest).pieces)


def test_a_short_text_is_one_piece():
    assert [piece.text for piece in cut(GERMAN, "de", 1000).pieces] == [GERMAN]


def test_it_is_cut_where_sentences_end():
    pieces = [piece.text for piece in cut(GERMAN, "de", 60).pieces]
    assert pieces == ["Der Preis beträgt 5 $ pro Stück, z. B. für Dr. Weber.", "Reicht das? Ja!\n\nEin neuer Absatz."]


def test_sentences_of_other_scripts_end_with_their_own_signs():
    chinese = "今天天气很好。我们去公园！你来吗？"
    assert [p.text for p in cut(chinese, "zh", 8).pieces] == ["今天天气很好。", "我们去公园！", "你来吗？"]
    hindi = "यह पहला वाक्य है। यह दूसरा है।"
    assert [p.text for p in cut(hindi, "hi", 18).pieces] == ["यह पहला वाक्य है।", "यह दूसरा है।"]


def test_a_sentence_that_is_too_long_is_cut_between_words():
    pieces = cut("eins zwei drei vier fünf sechs", "de", 12).pieces
    assert [piece.text for piece in pieces] == ["eins zwei", "drei vier", "fünf sechs"]


def test_forty_thousand_characters_without_a_single_space_are_cut_all_the_same():
    pieces = cut("字" * 40_000, "zh", 1000).pieces
    assert [len(piece.text) for piece in pieces] == [1000] * 40


def test_code_formulas_and_addresses_are_put_aside():
    text = (
        "Nimm `x. Y` oder $a+b$, siehe https://example.org/a.b?c=d.\n```py\nprint('Ja. Nein.')\n```\n\\[ z. \\] Ende."
    )
    taken_apart = cut(text, "de", 1000)
    assert taken_apart.protected == (
        "`x. Y`",
        "$a+b$",
        "https://example.org/a.b?c=d",
        "```py\nprint('Ja. Nein.')\n```",
        "\\[ z. \\]",
    )
    assert [p.text for p in taken_apart.pieces] == ["Nimm ⟦0⟧ oder ⟦1⟧, siehe ⟦2⟧.\n⟦3⟧\n⟦4⟧ Ende."]


def test_prices_are_no_formulas():
    assert cut("Es kostet $5 und $6, also $11.", "de", 100).protected == ()


def test_a_code_block_that_never_closes_goes_to_the_end():
    assert cut("Hier:\n```\nx = 1. y", "de", 100).protected == ("```\nx = 1. y",)
