"""What ``promptfoo eval --output results.json`` writes: every prompt, with every provider, on every test."""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checkwise.datasets.fields import as_query, rendered_prompt
from checkwise.datasets.reader import Reader, name_of
from checkwise.datasets.tables import read_text
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Instance, Response, Turn

NAME = "promptfoo"
_Result = Mapping[str, Any]


def matches(path: Path) -> bool:
    """Say whether a JSON file is an object with ``results``, whose ``results`` name a provider and a prompt."""
    if not path.is_file() or path.suffix.lower() != ".json":
        return False
    try:
        return bool(_results(json.loads(read_text(path))))
    except (ValueError, RecursionError):
        return False


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read what providers answered.

    A test is an instance, since it is what prompts and providers have in common; its query is the rendered prompt where
    all of them were given the same one, and else what the test's variables say. The model is the provider, and where
    there are several prompts, the provider and the prompt's label. A variable called ``reference``, ``expected`` or
    ``answer`` is the reference; the test's description is no category, but ``metadata.category`` is. Calls that failed
    have no response, and a note counts them.

    Args:
        path: The JSON file.
        responses: Not used.
        turn: Not used.

    Raises:
        DataError: The file is not as described; says where.
    """
    results = _results(json.loads(read_text(path)))
    draft = Draft(name_of(path), NAME)
    prompts = {_prompt(result): None for result in results}
    tests: dict[str, list[_Result]] = defaultdict(list)
    for result in results:
        tests[_test(result)].append(result)
    failed = 0
    for identifier, rows in tests.items():
        here = Place(path, None, identifier)
        draft.instances.append((_instance(identifier, rows, here), here))
        for result in rows:
            text = _output(result)
            if text is None:
                failed += 1
                continue
            model = _model(result, several=len(prompts) > 1)
            draft.responses.append((Response(instance_id=identifier, model=model, text=text), here))
    if failed:
        draft.notes.append(f"{failed} of {len(results)} calls have no output, and so no response to judge.")
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="results.json of promptfoo eval (results.results with prompt, provider, vars, response)",
    matches=matches,
    read=read,
)


def _results(whole: object) -> list[_Result]:
    """Find the rows, which newer versions keep one level deeper; none where it is something else."""
    for _ in range(2):
        whole = whole.get("results") if isinstance(whole, dict) else whole
    if not isinstance(whole, list):
        return []
    rows: list[_Result] = [row for row in whole if isinstance(row, dict) and "provider" in row and "prompt" in row]
    return rows if len(rows) == len(whole) else []


def _test(result: _Result) -> str:
    """Name the test: by its number, or in files of old versions by its variables."""
    number = result.get("testIdx")
    if isinstance(number, int):
        return f"test-{number + 1}"
    return json.dumps(result.get("vars") or {}, ensure_ascii=False, sort_keys=True)


def _prompt(result: _Result) -> str:
    """Name the prompt: its label, which is its template unless somebody gave it a name."""
    prompt = result["prompt"]
    if not isinstance(prompt, dict):
        return str(prompt)
    number = result.get("promptIdx")
    return str(prompt.get("label") or (f"prompt {number + 1}" if isinstance(number, int) else prompt.get("raw")))


def _model(result: _Result, *, several: bool) -> str:
    provider = result["provider"]
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    name = str(provider or "unknown provider")
    return f"{name} · {' '.join(_prompt(result).split())}" if several else name


def _output(result: _Result) -> str | None:
    response = result.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    if output is None or isinstance(output, str):
        return output
    return json.dumps(output, ensure_ascii=False)


def _instance(identifier: str, rows: list[_Result], place: Place) -> Instance:
    variables = rows[0].get("vars") or {}
    if not isinstance(variables, dict):
        raise DataError("`vars` is not an object", where=place, todo="Write the results anew with promptfoo.")
    reference = next((variables[name] for name in ("reference", "expected", "answer") if variables.get(name)), None)
    return Instance(
        id=identifier,
        turns=_query(rows, variables, place),
        reference=None if reference is None else str(reference),
        category=_category(rows[0]),
    )


def _category(result: _Result) -> str | None:
    test = result.get("testCase")
    metadata = test.get("metadata") if isinstance(test, dict) else None
    category = metadata.get("category") if isinstance(metadata, dict) else None
    return str(category) if category else None


def _query(rows: list[_Result], variables: Mapping[str, object], place: Place) -> tuple[Turn, ...]:
    rendered = {row["prompt"].get("raw") if isinstance(row["prompt"], dict) else row["prompt"] for row in rows}
    if len(rendered) == 1:
        return rendered_prompt(rendered.pop(), place, "prompt")
    said = {name: value for name, value in variables.items() if name not in ("reference", "expected", "answer")}
    if not said:
        raise DataError(
            "several prompts were given, and the test has no variables that say what was asked",
            where=place,
            todo="Judge the results of one prompt at a time.",
        )
    text = str(next(iter(said.values()))) if len(said) == 1 else "\n".join(f"{n}: {v}" for n, v in said.items())
    return (Turn(role="user", content=as_query(text, place, "vars")),)
