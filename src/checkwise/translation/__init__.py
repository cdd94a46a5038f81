"""Text into English: one file a translator, behind one protocol."""

from checkwise.translation.base import Translator
from checkwise.translation.document import translate_text
from checkwise.translation.language import detect_language, is_english
from checkwise.translation.opening import open_translator

__all__ = ["Translator", "detect_language", "is_english", "open_translator", "translate_text"]
