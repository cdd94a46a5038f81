"""CE-Judge with the embedded judge on real weights: every step gives something that can be used."""

from pathlib import Path

import checkwise
from checkwise import CEJudge
from checkwise.engines import LlamaCppEngine
from checkwise.records import Instance, Pair, PairSet, Turn

QUERY = "Was ist 7 mal 8?"
PAIRS = PairSet(
    name="multiplication",
    format="pairs",
    pairs=(
        Pair(
            instance=Instance(id="7x8", turns=(Turn(role="user", content=QUERY),), language="de"),
            a="7 mal 8 ist 56.",
            b="Das weiß ich leider nicht.",
            label="A",
        ),
    ),
)


def test_a_german_pair_in_both_orders(judge: LlamaCppEngine, tmp_path: Path) -> None:
    result = checkwise.compare(PAIRS, method=CEJudge(response_language="de"), judge=judge, out=tmp_path / "run")
    assert result.comparisons["first"].to_list() == ["A", "B"]
    assert set(result.comparisons["verdict"]) <= {"A", "B"}
    written = {(finding.step, finding.model): finding.text for finding in result.findings}
    assert all(written.values()), written
    translation = written["translation", None]
    assert "7" in translation
    assert translation != QUERY
    assert "?" in written["checklist from instruction", "A"]
    assert "?" in written["checklist from response", "B"]
