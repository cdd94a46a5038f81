"""A whole text through a translator that takes pieces."""

import re

from checkwise.questions import Failure, Generation
from checkwise.translation import translate_text

WORDS = {"Hallo": "Hello", "Welt": "world", "und": "and", "Tschüss": "bye", "Siehe": "See", "Nimm": "Take"}


class Pieces:
    """Translates word by word, and keeps what it was asked; ``say`` changes an answer."""

    def __init__(self, say=lambda piece, attempt: None):
        self.asked = []
        self.say = say

    async def __call__(self, piece, language, attempt):
        self.asked.append((piece, language, attempt))
        said = self.say(piece, attempt)
        if isinstance(said, Failure):
            return said
        text = re.sub(r"\w+", lambda word: WORDS.get(word[0], word[0]), piece) if said is None else said
        return Generation(text=text, finish="stop")


async def test_a_text_is_translated_and_its_white_space_kept():
    pieces = Pieces()
    assert await translate_text("\n  Hallo Welt.\n\n", "de", pieces, longest=100) == "\n  Hello world.\n\n"
    assert pieces.asked == [("Hallo Welt.", "de", 0)]


async def test_every_piece_of_a_long_text_arrives():
    pieces = Pieces()
    english = await translate_text("Hallo Welt. " * 50, "de", pieces, longest=40)
    assert english == "Hello world. " * 50
    assert len(pieces.asked) == 17  # three sentences are 35 characters, four are 47


async def test_code_and_formulas_stay_and_are_not_sent():
    pieces = Pieces()
    text = "Hallo `Welt` und $Welt$.\n```\nHallo\n```\n"
    assert await translate_text(text, "de", pieces, longest=100) == "Hello `Welt` and $Welt$.\n```\nHallo\n```\n"
    assert "Welt" not in pieces.asked[0][0]


async def test_what_loses_the_place_of_code_is_translated_around_it():
    pieces = Pieces(lambda piece, attempt: "Hello you" if "⟦" in piece else None)
    assert await translate_text("Hallo `Welt` und Tschüss", "de", pieces, longest=100) == "Hello `Welt` and bye"
    assert [asked[0] for asked in pieces.asked] == ["Hallo ⟦0⟧ und Tschüss"] * 3 + ["Hallo", "und Tschüss"]


async def test_what_has_no_words_is_not_sent():
    pieces = Pieces()
    assert await translate_text("42 + 1 = 43 🙂\n`x`", "de", pieces, longest=100) == "42 + 1 = 43 🙂\n`x`"
    assert pieces.asked == []


async def test_a_failed_piece_is_tried_again():
    pieces = Pieces(lambda piece, attempt: Failure(kind="untranslated", reason="busy") if attempt == 0 else None)
    assert await translate_text("Hallo", "de", pieces, longest=100) == "Hello"
    assert [attempt for _, _, attempt in pieces.asked] == [0, 1]


async def test_a_piece_that_keeps_failing_fails_the_text():
    def second(piece, attempt):
        return Failure(kind="untranslated", reason="busy") if "Tschüss" in piece else None

    pieces = Pieces(second)
    failure = await translate_text("Hallo Welt. Tschüss.", "de", pieces, longest=12)
    assert failure == Failure(
        kind="untranslated", reason="piece 2 of 2 was not translated from de, tried 3 times: busy"
    )
    assert len(pieces.asked) == 1 + 3


async def test_an_empty_answer_is_no_translation():
    failure = await translate_text("Hallo", "de", Pieces(lambda piece, attempt: "  "), longest=100)
    assert failure.reason == "the text was not translated from de, tried 3 times: the answer is empty: '  '"


async def test_a_text_that_comes_back_as_it_was_is_no_translation():
    german = "Dieser Satz ist lang genug, um keiner Sprache sonst zu gehören."
    failure = await translate_text(german, "de", Pieces(), longest=100)
    assert "the answer is the text itself" in failure.reason


async def test_a_name_may_stay_as_it_is():
    assert await translate_text("Angela Merkel", "de", Pieces(), longest=100) == "Angela Merkel"


async def test_an_answer_in_another_language_is_no_translation():
    failure = await translate_text("Hallo", "de", Pieces(lambda piece, attempt: "你好，世界"), longest=100)
    assert "the answer is not in English" in failure.reason
    french = (
        "Voici une réponse assez longue pour que l'on reconnaisse sans aucun doute la langue dans laquelle elle est "
        "écrite, à savoir le français, et non l'anglais que l'on attendait."
    )
    failure = await translate_text("Hallo", "de", Pieces(lambda piece, attempt: french), longest=100)
    assert "the answer is not in English" in failure.reason


async def test_marks_that_the_text_has_itself_are_no_places_of_code():
    assert await translate_text("Hallo ⟦7⟧ `Welt`", "de", Pieces(), longest=100) == "Hello ⟦7⟧ `Welt`"
