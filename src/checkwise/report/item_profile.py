"""What checklists ask about: the verbs of their items, and the things that these are about.

The paper parses items with a grammar of English; here the fixed form of a checklist item is enough: an auxiliary, the
response, a verb, its object. Items of another form, or in another language, are counted as not read.

Source: RocketEval (arXiv 2503.05142), appendix A.5.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from checkwise.records import Checklist, Instance
from checkwise.report.sections import ItemProfile, VerbUse

_MOST_VERBS = 8
_MOST_OBJECTS = 4


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DOES = _words("does do did can could will would should")
_IS = _words("is are was were")
_HAS = _words("has have had")
_ARTICLES = _words("the a an this that each every any all its their at least one")
_SUBJECTS = _words(
    "response responses answer answers text output reply it they translation code explanation solution summary essay "
    "email letter poem story list function script assistant model author program message paragraph post description "
    "argument conclusion content tone language format result final written provided entire overall"
)
_ENDS = _words(
    "of in on at to for with from by about as that which who whose how why when where what whether if and or but than "
    "into between without within using while so because after before during per not"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def item_profiles(instances: Iterable[Instance], checklists: Mapping[str, Checklist]) -> tuple[ItemProfile, ...]:
    """Count verbs and their objects by category.

    Args:
        instances: In the order of the data, which is that of the categories.
        checklists: The list of each instance, by its id.

    Returns:
        One profile a category that has items; those without a category together, last.
    """
    items: dict[str | None, list[str]] = defaultdict(list)
    for instance in instances:
        if instance.id in checklists:
            items[instance.category] += checklists[instance.id].items
    named = [category for category in items if category is not None]
    return tuple(_profile(category, items[category]) for category in [*named, *([None] if None in items else [])])


def verb_and_object(item: str) -> tuple[str, str | None] | None:
    """Read what an item asks about.

    Args:
        item: The question, such as ``Does the response explain the trade-off?``.

    Returns:
        The verb and its object, such as ``explain`` and ``trade-off``, the object None where there is none; None where
        the item has another form.
    """
    words = [word.lower() for word in _WORD.findall(item)]
    if not words:
        return None
    auxiliary, rest = words[0], words[1:]
    if auxiliary in _HAS and "been" in rest[:4]:
        auxiliary, rest = "is", [word for word in rest if word != "been"]
    if auxiliary not in _DOES | _IS | _HAS:
        return None
    rest = _after_subject(rest)
    if not rest:
        return None
    if auxiliary in _IS:
        return ("be", rest[0]) if rest[0] not in _ENDS else ("be", rest[1] if len(rest) > 1 else None)
    if rest[0] in _ENDS:
        return None
    return rest[0], _object(rest[1:])


def _after_subject(words: list[str]) -> list[str]:
    """Leave out the response, and adverbs and negations before the verb."""
    place = 0
    while place < len(words) and (words[place] in _ARTICLES or words[place] in _SUBJECTS):
        place += 1
    while place < len(words) and (words[place].endswith("ly") or words[place] in {"not", "also", "both"}):
        place += 1
    return words[place:] if place else []


def _object(words: list[str]) -> str | None:
    """Take the last word of the phrase behind the verb."""
    phrase: list[str] = []
    for word in words:
        if word in _ENDS:
            break
        if word not in _ARTICLES:
            phrase.append(word)
    return phrase[-1] if phrase else None


def _profile(category: str | None, items: list[str]) -> ItemProfile:
    verbs: Counter[str] = Counter()
    objects: dict[str, Counter[str]] = defaultdict(Counter)
    for found in filter(None, map(verb_and_object, items)):
        verb, thing = found
        verbs[verb] += 1
        if thing is not None:
            objects[verb][thing] += 1
    used = [
        VerbUse(verb=verb, count=count, objects=tuple(name for name, _ in objects[verb].most_common(_MOST_OBJECTS)))
        for verb, count in verbs.most_common(_MOST_VERBS)
    ]
    return ItemProfile(category=category, items=len(items), read=verbs.total(), verbs=tuple(used))
