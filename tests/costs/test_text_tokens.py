"""Tokens estimated from characters."""

import pytest

from checkwise.costs.text_tokens import estimate_tokens

# Counted with the tokenizer of Qwen2.5.
COUNTED = [
    ("Сегодня утром мы пошли в лес и увидели много интересных растений. Правительство объявило о новых мерах "
     "поддержки малого бизнеса.", 42),
    ("今朝私たちは森へ行き、たくさんの面白い植物を見ました。政府は中小企業を支援する新しい対策を発表しました。", 33),
    ("오늘 아침 우리는 숲에 가서 많은 흥미로운 식물을 보았습니다. 정부는 중소기업을 지원하기 위한 새로운 조치를 "
     "발표했습니다.", 41),
    ("เช้านี้เราไปป่าและเห็นพืชที่น่าสนใจมากมาย รัฐบาลประกาศมาตรการใหม่เพื่อสนับสนุนธุรกิจขนาดเล็ก", 45),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_prose_of_many_scripts_is_within_15_percent(text, tokens):
    assert estimate_tokens(text) == pytest.approx(tokens, rel=0.15)


def test_a_chinese_character_is_more_than_a_latin_letter():
    assert estimate_tokens("植物" * 50) == 70
    assert estimate_tokens("ab" * 50) == 24


def test_no_text_has_no_tokens():
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1
