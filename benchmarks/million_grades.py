"""From a million item grades in a run folder to leaderboard, ratings and trust page: time and peak memory.

    python benchmarks/million_grades.py [--work runs/million] [--instances 5000] [--naive-draws 3]

Fills a run folder with random grades (5,000 instances, 20 models, 10 items) and votes, and measures each part of what
``checkwise rank`` and ``checkwise trust`` do. Beside it the straightforward way, written for this: one record at a
time, pandas, battles as rows, and a logistic regression for each resample of battles, as FastChat's notebook for Arena
does. Of its resamples a few are timed, and 1,000 are taken to last as much longer. Each way runs in its own process.
"""

import argparse
import json
import multiprocessing
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl

from aggregate import aggregate_scores
from checkwise.ranking.bradley_terry import bradley_terry
from checkwise.ranking.pairs import pair_outcomes
from checkwise.records import Dataset, Instance, Response, Turn
from checkwise.runs import Result
from checkwise.runs.trusting import Trusting
from checkwise.store import DATABASE, RunFolder

MODELS, ITEMS, VOTES, DRAWS = 20, 10, 20_000, 1000
FIELDS = "instance_id, model, number, item, p_yes, mass, mode, bounded, low_mass"

Parts = dict[str, float]
"""Seconds, by part."""


def fill(work: Path, instances: int) -> None:
    """Write a run folder with random grades, and votes beside it."""
    draw = np.random.default_rng(0)
    names = [f"q{number:05}" for number in range(instances)]
    models = [f"model-{number:02}" for number in range(MODELS)]
    data = Dataset(
        name="million",
        format="plain",
        instances=tuple(Instance(id=name, turns=(Turn(role="user", content="Why?"),)) for name in names),
        responses=tuple(
            Response(instance_id=name, model=model, text="Because." * (1 + number % 7))
            for number, name in enumerate(names)
            for model in models
        ),
    )
    with RunFolder(work) as folder:
        folder.database.begin_run(data, {"judge": "random", "method": "rocketeval"})
    worth = np.linspace(-1, 1, MODELS)[:, np.newaxis]
    with sqlite3.connect(work / DATABASE) as database:
        for name in names:
            p_yes = 1 / (1 + np.exp(-worth - draw.normal(0, 1, (MODELS, ITEMS))))
            rows = [
                (name, models[m], i + 1, f"Item {i + 1} of {name}?", float(p_yes[m, i]), 0.99, "logprobs", 0, 0)
                for m in range(MODELS)
                for i in range(ITEMS)
            ]
            database.executemany(f"INSERT INTO grades ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            database.executemany(
                "INSERT INTO scores (instance_id, model, value, status, items, scored_items, low_mass_items, "
                "mean_mass, retried) VALUES (?, ?, ?, 'scored', ?, ?, 0, 0.99, 0)",
                [(name, models[m], float(p_yes[m].mean()), ITEMS, ITEMS) for m in range(MODELS)],
            )
    votes = [
        {
            "instance_id": names[draw.integers(instances)],
            "model_a": models[a],
            "model_b": models[b],
            "winner": str(draw.choice(["model_a", "model_b", "tie"], p=[0.3, 0.5, 0.2])),
            "judge": f"person-{draw.integers(50)}",
        }
        for a, b in (sorted(draw.choice(MODELS, 2, replace=False)) for _ in range(VOTES))
    ]
    (work / "votes.jsonl").write_text("".join(json.dumps(vote) + "\n" for vote in votes), encoding="utf-8")


def timed(parts: Parts, name: str, work: Callable[[], object]) -> object:
    """Do something and note how long it took."""
    started = time.perf_counter()
    found = work()
    parts[name] = time.perf_counter() - started
    return found


def whole(folder: Path, _draws: int) -> Parts:
    """Do all of it as checkwise does."""
    from checkwise.datasets.votes import read_votes  # noqa: PLC0415 - its time is part of what is measured

    parts: Parts = {}
    result = Result(folder)
    grades = timed(parts, "read grades", lambda: result.grades)
    assert isinstance(grades, pl.DataFrame)
    timed(parts, "mean of items", lambda: aggregate_scores(grades))
    timed(parts, "leaderboard, 1,000 draws", lambda: result.leaderboard)
    timed(parts, "ratings, 1,000 draws", lambda: bradley_terry(pair_outcomes(result.scores), draws=DRAWS))
    timed(
        parts,
        "trust page, 1,000 draws",
        lambda: Trusting(result=result, votes=read_votes(folder / "votes.jsonl")).page(),
    )
    return parts


def straightforward(folder: Path, draws: int) -> Parts:
    """Do the same one record at a time, and in pandas."""
    import pandas as pd  # noqa: PLC0415 - of this way alone

    parts: Parts = {}
    sessions = timed(parts, "read grades", lambda: list(_sessions(folder)))
    assert isinstance(sessions, list)
    scores = timed(parts, "mean of items", lambda: {key: sum(ps) / len(ps) for key, ps in sessions})
    assert isinstance(scores, dict)
    table = pd.DataFrame([(i, m, s) for (i, m), s in scores.items()], columns=["instance_id", "model", "score"])
    ids = table["instance_id"].unique()

    def board_draw() -> object:
        drawn = pd.DataFrame({"instance_id": np.random.default_rng(1).choice(ids, len(ids))})
        return drawn.merge(table, on="instance_id").groupby("model")["score"].mean()

    _resampled(parts, "leaderboard, 1,000 draws", board_draw, draws)
    battles = timed(parts, "battles", lambda: pd.DataFrame(_battles(table), columns=["model_a", "model_b", "winner"]))
    assert isinstance(battles, pd.DataFrame)
    _resampled(parts, "ratings, 1,000 draws", lambda: _fit(battles.sample(frac=1.0, replace=True)), draws)
    votes = [json.loads(line) for line in (folder / "votes.jsonl").read_text(encoding="utf-8").splitlines()]
    agreeing = [(vote["instance_id"], _winner(scores, vote) == vote["winner"]) for vote in votes]
    voted = pd.DataFrame(agreeing, columns=["instance_id", "agrees"])

    def trust_draw() -> object:
        drawn = pd.DataFrame({"instance_id": np.random.default_rng(1).choice(ids, len(ids))})
        return drawn.merge(voted, on="instance_id")["agrees"].mean()

    # One figure; the page has five of them.
    _resampled(parts, "trust page, 1,000 draws", lambda: [trust_draw() for _ in range(5)], draws)
    items = timed(parts, "items", lambda: _item_correlations(sessions))
    parts["trust page, 1,000 draws"] += parts.pop("items")
    parts["ratings, 1,000 draws"] += parts.pop("battles")
    assert items
    return parts


def _sessions(folder: Path) -> Iterator[tuple[tuple[str, str], list[float]]]:
    session: tuple[str, str] | None = None
    answers: list[float] = []
    with sqlite3.connect(folder / DATABASE) as database:
        query = f"SELECT {FIELDS} FROM grades ORDER BY instance_id, model, number"
        for row in database.execute(query):
            if (row[0], row[1]) != session:
                if session is not None:
                    yield session, answers
                session, answers = (row[0], row[1]), []
            answers.append(row[4])
    if session is not None:
        yield session, answers


def _battles(table: "object") -> list[tuple[str, str, str]]:
    battles = []
    for _, group in table.groupby("instance_id"):  # type: ignore[attr-defined]
        rows = list(zip(group["model"], group["score"], strict=True))
        for number, (a, score_a) in enumerate(rows):
            for b, score_b in rows[number + 1 :]:
                delta = 9 * (score_a - score_b)
                battles.append((a, b, "tie" if abs(delta) < 0.1 else "model_a" if delta > 0 else "model_b"))
    return battles


def _winner(scores: dict[tuple[str, str], float], vote: dict[str, str]) -> str:
    delta = 9 * (scores[vote["instance_id"], vote["model_a"]] - scores[vote["instance_id"], vote["model_b"]])
    return "tie" if abs(delta) < 0.1 else "model_a" if delta > 0 else "model_b"


def _fit(battles: "object") -> object:
    """Fit Bradley-Terry as a logistic regression on battles, ties as one win each way."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - of this way alone

    models = sorted(set(battles["model_a"]) | set(battles["model_b"]))  # type: ignore[index]
    place = {model: number for number, model in enumerate(models)}
    rows = np.arange(len(battles))  # type: ignore[arg-type]
    design = np.zeros((len(rows), len(models)))
    design[rows, battles["model_a"].map(place)] = 1  # type: ignore[index]
    design[rows, battles["model_b"].map(place)] = -1  # type: ignore[index]
    won = (battles["winner"] == "model_a").to_numpy()  # type: ignore[index]
    tie = (battles["winner"] == "tie").to_numpy()  # type: ignore[index]
    doubled = np.concatenate([design, design])
    outcome = np.concatenate([won | tie, won & ~tie]).astype(int)
    return LogisticRegression(fit_intercept=False, C=1e6).fit(doubled, outcome).coef_


def _item_correlations(sessions: list[tuple[tuple[str, str], list[float]]]) -> int:
    """Correlate each item with the rest of its list, one item at a time."""
    lists: dict[str, list[list[float]]] = {}
    for (instance, _), answers in sessions:
        lists.setdefault(instance, []).append(answers)
    found = 0
    for rows in lists.values():
        table = np.array(rows)
        for number in range(table.shape[1]):
            rest = np.delete(table, number, axis=1).mean(axis=1)
            found += bool(np.isfinite(np.corrcoef(table[:, number], rest)[0, 1]))
    return found


def _resampled(parts: Parts, name: str, draw: Callable[[], object], draws: int) -> None:
    started = time.perf_counter()
    for _ in range(draws):
        draw()
    parts[name] = (time.perf_counter() - started) / draws * DRAWS


def _measured(
    way: Callable[[Path, int], Parts], folder: Path, draws: int, queue: "multiprocessing.Queue[object]"
) -> None:
    parts = way(folder, draws)
    queue.put((parts, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6))


def measure(way: Callable[[Path, int], Parts], folder: Path, draws: int) -> tuple[Parts, float]:
    """Run one way in a fresh process: seconds by part, and peak memory in GB."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_measured, args=(way, folder, draws, queue))
    process.start()
    found: tuple[Parts, float] = queue.get()
    process.join()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("runs/million"))
    parser.add_argument("--instances", type=int, default=5000)
    parser.add_argument("--naive-draws", type=int, default=3, help="resamples of the straightforward way to time")
    options = parser.parse_args()
    if not (options.work / DATABASE).is_file():
        fill(options.work, options.instances)
    ours, memory = measure(whole, options.work, DRAWS)
    theirs, their_memory = measure(straightforward, options.work, options.naive_draws)
    lines = ["| part | checkwise | straightforward | times faster |", "|---|---|---|---|"]
    lines += [f"| {n} | {s:.2f} s | {theirs[n]:,.1f} s | {theirs[n] / s:,.0f} |" for n, s in ours.items()]
    one, other = sum(ours.values()), sum(theirs.values())
    lines.append(f"| all | {one:.1f} s | {other:,.0f} s | {other / one:,.0f} |")
    lines.append(f"| peak memory | {memory:.2f} GB | {their_memory:.2f} GB | |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
