"""What ``checkwise rank`` says of models beyond their means: ratings, who beats whom, and other rankings."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkwise.errors import Place, UserError

if TYPE_CHECKING:
    import polars as pl

    from checkwise.datasets.rankings import Ranking
    from checkwise.ranking.bradley_terry import BradleyTerry
    from checkwise.runs import Result
    from checkwise.trust.rank_agreement import RankAgreement
    from checkwise.trust.tie_margin import TieMargin


@dataclass(frozen=True)
class Wanted:
    """What the options ask for."""

    ratings: bool = False
    anchor: str | None = None
    head_to_head: bool = False
    against: Path | None = None
    margin: str | None = None
    matches: Path | None = None
    common_only: bool = True

    @property
    def anything(self) -> bool:
        """Whether there is anything to compare."""
        return self.rates or self.head_to_head or self.against is not None or self.matches is not None

    @property
    def rates(self) -> bool:
        """Whether to show ratings; an anchor is no use without."""
        return self.ratings or self.anchor is not None


@dataclass
class Comparison:
    """What was found, part by part; what was not asked for is None."""

    margin: float
    margin_fit: "TieMargin | None" = None
    ratings: "BradleyTerry | None" = None
    head_to_head: "pl.DataFrame | None" = None
    against: "dict[str, RankAgreement] | None" = None
    matches: bytes | None = None
    notes: list[str] = field(default_factory=list)


def compare_models(result: "Result", wanted: Wanted) -> Comparison:
    """Decide every pair of responses by their scores, and put the outcomes together in the ways that were asked for.

    Args:
        result: The run.
        wanted: What to find out.

    Returns:
        What was found.

    Raises:
        NothingJudgedError: There is nothing to compare.
        UserError: A file cannot be read, or the anchor is no model of the run.
    """
    from checkwise.ranking.bradley_terry import bradley_terry
    from checkwise.ranking.head_to_head import head_to_head
    from checkwise.ranking.pairs import pair_outcomes
    from checkwise.ranking.shared import shared_scores

    shared = shared_scores(result.scores, common_only=wanted.common_only)
    margin, fit = _margin(wanted.margin, shared.scores)
    found = Comparison(margin, fit, notes=[*shared.notes, *_margin_notes(fit)])
    outcomes = pair_outcomes(shared.scores, margin=margin)
    rated = None
    if wanted.rates or wanted.against is not None:
        rated = bradley_terry(outcomes, anchor=_anchor(wanted.anchor, shared.scores["model"].unique().to_list()))
        found.notes += rated.notes
    if wanted.rates:
        found.ratings = rated
    if wanted.head_to_head:
        found.head_to_head = head_to_head(outcomes)
    if wanted.against is not None and rated is not None:
        found.against = _against(wanted.against, shared.scores, rated, found)
    if wanted.matches is not None:
        found.matches = _matches(result, outcomes, wanted.matches)
    return found


def _margin(given: str | None, scores: "pl.DataFrame") -> "tuple[float, TieMargin | None]":
    from checkwise.datasets.votes import read_votes
    from checkwise.ranking.pairs import TIE_MARGIN
    from checkwise.trust.tie_margin import fit_tie_margin

    if given is None:
        return TIE_MARGIN, None
    try:
        margin = float(given)
    except ValueError:
        fit = fit_tie_margin(scores, read_votes(given))
        return fit.margin, fit
    if not 0 <= margin < float("inf"):
        raise UserError(f"the margin {given} is no distance", todo="Give a number from 0 on, such as 0.1.")
    return margin, None


def _margin_notes(fit: "TieMargin | None") -> list[str]:
    if fit is None:
        return []
    notes = [
        f"the tie margin {fit.margin:.3f} is fitted to {fit.votes} votes, {100 * fit.vote_tie_rate:.1f}% of them ties; "
        f"the judge then has {100 * fit.tie_rate:.1f}%"
    ]
    if fit.held_out is not None:
        notes.append(
            f"on questions that it was not fitted to, such a margin agrees with {100 * fit.held_out.rate:.1f}% of the "
            f"votes; 0.1 agrees with {100 * fit.published.rate:.1f}%"
        )
    if fit.left_out:
        notes.append(f"{fit.left_out} votes are left out of that, without a winner or a score")
    return notes


def _anchor(given: str | None, models: list[str]) -> str | tuple[str, float] | None:
    """Read ``MODEL`` or ``MODEL=RATING``; a model may have an equals sign in its name."""
    if given is None or given in models or "=" not in given:
        return given
    model, _, rating = given.rpartition("=")
    try:
        level = float(rating)
    except ValueError:
        level = float("nan")
    if abs(level) < float("inf"):
        return model, level
    raise UserError(f"the anchor {given!r} has no rating behind =", todo="Write MODEL=1000, or MODEL alone.")


def _against(
    path: Path, scores: "pl.DataFrame", rated: "BradleyTerry", found: Comparison
) -> "dict[str, RankAgreement]":
    from checkwise.datasets.rankings import read_ranking
    from checkwise.trust.rank_agreement import rank_agreement, rating_agreement

    ranking = read_ranking(path)
    # The scores have been brought down to what models share, where that is wanted.
    means = rank_agreement(scores, ranking.table, common_only=False)
    found.notes += _against_notes(ranking, means)
    return {"mean score": means, "rating": rating_agreement(rated, ranking.table)}


def _against_notes(ranking: "Ranking", agreement: "RankAgreement") -> list[str]:
    from checkwise.datasets.validate import few

    others = [f"{name} ({ranking.stands_for[name]})" for name in agreement.models if name in ranking.stands_for]
    notes = [f"{ranking.name}: {note}" for note in ranking.notes]
    if others:
        notes.append(f"{ranking.name} gives these models the rating of another name: {', '.join(others)}")
    if agreement.only_here:
        notes.append(f"not in {ranking.name}, and left out of the correlations: {', '.join(agreement.only_here)}")
    if agreement.only_there:
        notes.append(f"in {ranking.name} only: {few(agreement.only_there)}")
    return notes


def _matches(result: "Result", outcomes: "pl.DataFrame", path: Path) -> bytes:
    from datetime import datetime

    from checkwise.ranking.matches import arena_matches, matches_bytes

    created = result.facts.get("created")
    matches = arena_matches(
        outcomes,
        judge=result.facts.get("judge", "checkwise"),
        languages={instance.id: instance.language for instance in result.dataset.instances},
        start=datetime.fromisoformat(created).timestamp() if created else 0.0,
    )
    return matches_bytes(matches, path.name)


def comparison_document(found: Comparison) -> dict[str, Any]:
    """Lay out what was found for ``--json``; only what was asked for is in it."""
    from dataclasses import asdict

    document: dict[str, Any] = {"margin": found.margin}
    if found.margin_fit is not None:
        document["margin_fit"] = asdict(found.margin_fit)
    if found.ratings is not None:
        about = ("anchor", "level", "instances", "undecided", "groups", "virtual_tie", "virtual_draws")
        echoed = {name: getattr(found.ratings, name) for name in (*about, "draws", "seed", "confidence")}
        tables = {"table": found.ratings.table.to_dicts(), "beats": found.ratings.beats.to_dicts()}
        document["ratings"] = tables | echoed | {"notes": found.ratings.notes}
    if found.head_to_head is not None:
        document["head_to_head"] = found.head_to_head.to_dicts()
    if found.against is not None:
        document["against"] = {name: asdict(agreement) for name, agreement in found.against.items()}
    return document


def refuse_groups(by: str | None, wanted: Wanted, run: Path) -> None:
    """Say so where options do not go together.

    Raises:
        UserError: They do not.
    """
    if by is not None and wanted.anything:
        raise UserError("models are compared over the whole run", where=Place(run), todo="Leave --by out.")
    if wanted.margin is not None and not wanted.anything:
        todo = "Add --ratings, --head-to-head, --against or --matches."
        raise UserError("--margin decides pairs, and nothing asked for rests on pairs", where=Place(run), todo=todo)
