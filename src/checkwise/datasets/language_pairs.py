"""Which language a translation is from and into, as files of rated translations write it."""

import re

from checkwise.errors import DataError, Place

Languages = tuple[str, str]
"""BCP 47 codes of the source's and the translation's language."""

_TOGETHER = re.compile(r"([a-z]{2})[-_]?([a-z]{2})", re.IGNORECASE)
# Looking ahead finds pairs that overlap too, so that a name such as `my_de_en` is seen to be ambiguous.
_IN_A_NAME = re.compile(r"(?<![^\W_])(?=([a-z]{2})[-_]([a-z]{2})(?![^\W_]))", re.IGNORECASE)

# ISO 639-1: without it, any four letters would be a pair.
_CODES = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_LANGUAGES = frozenset(_CODES.split())


def language_pair(text: str, place: Place, name: str) -> Languages:
    """Read a language pair that is written ``ende``, ``en-de`` or ``en_de``.

    Args:
        text: What the field holds.
        place: Where it stands.
        name: The field it comes from.

    Raises:
        DataError: It is written in another way, or one half is no two-letter code of a language.
    """
    found = _TOGETHER.fullmatch(text.strip())
    pair = _known(found) if found else None
    if pair is None:
        raise DataError(
            f"`{name}` is no language pair that is understood: {text!r}",
            where=place,
            todo="Write two two-letter codes of ISO 639-1, source first: ende, en-de or en_de.",
        )
    return pair


def pair_in_name(name: str) -> Languages | None:
    """Find the one language pair in the name of a file, such as ``liteval_zh-en``; None where there is not just one."""
    pairs = {pair for found in _IN_A_NAME.finditer(name) if (pair := _known(found))}
    return pairs.pop() if len(pairs) == 1 else None


def _known(found: re.Match[str]) -> Languages | None:
    source, target = found[1].lower(), found[2].lower()
    return (source, target) if {source, target} <= _LANGUAGES else None
