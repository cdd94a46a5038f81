"""Outcomes as matches in the form of Chatbot Arena's battles, for tools that read those."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from checkwise.errors import DataError, Place
from checkwise.ranking.battles import known_outcomes
from checkwise.ranking.matrix import require_unique
from checkwise.ranking.pairs import PAIR

UNKNOWN_LANGUAGE = "unknown"
"""What Arena's files say where they do not know the language."""

_TURN = re.compile(r"(.+)-([1-9][0-9]*)")
_TURNED = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
# Arena's files name languages in English, and its tools filter by those names.
_LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}


def arena_matches(
    outcomes: pl.DataFrame,
    *,
    judge: str,
    languages: Mapping[str, str | None] | None = None,
    start: float = 0.0,
    seed: int = 42,
) -> list[dict[str, Any]]:
    """Write each pair that was decided as one match.

    A hash of the pair, seeded, decides which model is A and when the match took place, so that neither position nor
    order says anything.

    Args:
        outcomes: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where unknown), each pair once.
        judge: Who decided.
        languages: BCP 47 codes by instance.
        start: Seconds since 1970 of the first match; each later one is a second after.
        seed: Of positions and order.

    Returns:
        The matches in order: question_id, model_a, model_b, winner (model_a, model_b, tie), judge, turn (the number
        behind the hyphen where the instance is called such as 81-2, else 1), anony, language and tstamp.

    Raises:
        DataError: The outcomes are not as described, or hold a pair twice.
        NothingJudgedError: No pair has an outcome.

    Source: FastChat, fastchat/serve/monitor/clean_battle_data.py and elo_analysis.py (Apache-2.0), field names.
    """
    known = known_outcomes(outcomes)
    require_unique(known, PAIR, of="outcomes")
    shuffled = sorted((_hash(seed, *pair), pair, outcome) for *pair, outcome in known.iter_rows())
    matches = []
    for number, (digest, (instance, one, other), outcome) in enumerate(shuffled):
        turned = digest[-1] % 2 == 1
        question, turn = _question(instance)
        matches.append(
            {
                "question_id": question,
                "model_a": other if turned else one,
                "model_b": one if turned else other,
                "winner": _TURNED[outcome] if turned else outcome,
                "judge": judge,
                "turn": turn,
                "anony": True,
                "language": _language((languages or {}).get(instance)),
                "tstamp": start + number,
            }
        )
    return matches


def matches_bytes(matches: Iterable[Mapping[str, Any]], name: str) -> bytes:
    """Write matches as a file, whose name tells its kind.

    Args:
        matches: The matches.
        name: Ends in ``.json``, one list, as FastChat reads it, or in ``.jsonl`` or ``.ndjson``, one object a line.

    Returns:
        UTF-8.

    Raises:
        DataError: The name ends in something else.
    """
    lines = [json.dumps(match, ensure_ascii=False) for match in matches]
    if name.lower().endswith((".jsonl", ".ndjson")):
        return "".join(line + "\n" for line in lines).encode("utf-8", "backslashreplace")
    if name.lower().endswith(".json"):
        return ("[\n" + ",\n".join(lines) + "\n]\n").encode("utf-8", "backslashreplace")
    raise DataError("matches are written as .json or .jsonl", where=Place(name), todo="Choose another suffix.")


def _hash(seed: int, *pair: str) -> bytes:
    return hashlib.sha256(json.dumps([seed, *pair]).encode()).digest()


def _question(instance: str) -> tuple[str, int]:
    found = _TURN.fullmatch(instance)
    return (found[1], int(found[2])) if found else (instance, 1)


def _language(code: str | None) -> str:
    if code is None:
        return UNKNOWN_LANGUAGE
    return _LANGUAGES.get(code.split("-")[0].lower(), code)
