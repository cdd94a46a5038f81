"""Results of promptfoo, as ``promptfoo eval --output results.json`` writes them."""

import json

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError


def result(test, prompt, output, provider="openai:gpt-4o-mini", **fields):
    question = f"question {test}"
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": f"prompt {prompt}: {question}", "label": f"prompt {prompt}: {{{{question}}}}"},
        "vars": {"question": question, "reference": "right"},
        "response": {"output": output, "tokenUsage": {"total": 10}},
        "testCase": {"vars": {}, "metadata": {"category": "math"}},
        "success": True,
    } | fields


def written(path, rows):
    whole = {"evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": rows}, "config": {}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def test_two_prompts_are_two_models_on_the_same_tests(tmp_path):
    rows = [result(test, prompt, f"{test}{prompt}") for test in range(2) for prompt in range(2)]
    dataset = load(written(tmp_path / "results.json", rows))
    assert dataset.format == "promptfoo"
    assert dataset.models == tuple(f"openai:gpt-4o-mini · prompt {n}: {{{{question}}}}" for n in range(2))
    assert [(i.id, i.query, i.reference, i.category) for i in dataset.instances] == [
        ("test-1", "question 0", "right", "math"),
        ("test-2", "question 1", "right", "math"),
    ]
    assert {response.text for response in dataset.responses} == {"00", "01", "10", "11"}


def test_one_prompt_is_the_query_and_the_provider_the_model(tmp_path):
    chat = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}])
    prompt = {"prompt": {"raw": chat, "label": "chat"}}
    rows = [result(0, 0, {"a": 1}, name) | prompt for name in ("one", "two")]
    dataset = load(written(tmp_path / "results.json", rows))
    assert dataset.models == ("one", "two")
    assert [turn.content for turn in dataset.instances[0].turns] == ["Be brief.", "Hello."]
    assert dataset.responses[0].text == '{"a": 1}'


def test_failed_calls_are_counted_and_not_judged(tmp_path):
    rows = [result(0, 0, "yes"), result(1, 0, None, error="timeout")]
    dataset = load(written(tmp_path / "results.json", rows))
    assert len(dataset.responses) == 1
    assert "1 of 2 calls have no output" in dataset.notes[0]


def test_several_prompts_without_variables_say_no_query(tmp_path):
    rows = [result(0, prompt, "yes", vars={}) for prompt in range(2)]
    with pytest.raises(DataError, match="no variables that say what was asked"):
        load(written(tmp_path / "results.json", rows))
