"""What language a text is in."""

import sys

import pytest

from checkwise.errors import MissingExtraError
from checkwise.translation import detect_language, is_english
from checkwise.translation.language import _detector, seems_english

LONG = {
    "de": "Janets Enten legen sechzehn Eier am Tag. Drei isst sie zum Frühstück, und aus vieren backt sie jeden Tag "
    "Muffins für ihre Freunde. Den Rest verkauft sie auf dem Markt.",
    "es": "Los patos de Janet ponen dieciséis huevos por día. Ella come tres en el desayuno todas las mañanas y hornea "
    "panecillos para sus amigos con cuatro. Vende lo que sobra.",
    "ru": "Утки Джанет несут шестнадцать яиц в день. Три она съедает на завтрак, а из четырёх каждый день печёт кексы "
    "для своих друзей. Остальные она продаёт на рынке.",
    "zh": "珍妮特的鸭子每天下十六个蛋。" * 12,
    "en": "Janet's ducks lay sixteen eggs per day. She eats three for breakfast every morning and bakes muffins for "
    "her friends with four. She sells the remainder at the market.",
    "sw": "Bata wa Janet hutaga mayai kumi na sita kwa siku. Yeye hula matatu kwa kiamsha kinywa kila asubuhi na huoka "
    "keki za marafiki zake kila siku kwa mayai manne.",
}


@pytest.mark.parametrize("language", LONG)
def test_long_texts(language):
    assert detect_language(LONG[language]) == language


def test_what_has_no_letters_has_no_language():
    assert detect_language("42 🙂 ...") is None
    assert detect_language("") is None


def test_code_and_addresses_do_not_count():
    assert detect_language("```\nfor each word in the English text\n```\nhttps://example.org/english") is None
    assert detect_language(f"{LONG['de']}\n```\n{LONG['en']}\n```") == "de"


@pytest.mark.parametrize(
    ("code", "english"), [("en", True), ("en-GB", True), ("EN_us", True), ("eng", True), ("de", False)]
)
def test_codes_of_english(code, english):
    assert is_english(code) is english


def test_another_script_is_not_english():
    assert not seems_english("你好，世界")
    assert not seems_english(LONG["ru"])


def test_a_long_text_in_another_language_is_not_english():
    assert not seems_english(LONG["es"])
    assert seems_english(LONG["en"])


def test_a_short_text_may_always_be_english():
    assert seems_english("Angela Merkel")
    assert seems_english("42")


def test_without_lingua_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lingua", None)
    _detector.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'checkwise\[translate\]'"):
        detect_language("Guten Tag")
    assert seems_english(LONG["es"])
