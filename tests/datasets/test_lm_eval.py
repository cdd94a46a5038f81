"""Samples of lm-evaluation-harness, as ``--log_samples`` writes them."""

import json

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

CHAT = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}])


def sample(number, prompt, written, **fields):
    return {
        "doc_id": number,
        "doc": {"question": prompt},
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[written]],
        "filtered_resps": [written],
        "filter": "none",
        "metrics": ["exact_match"],
    } | fields


def written(folder, model, rows, task="gsm8k"):
    path = folder / model / f"samples_{task}_2026-12-01T10-00-00.123456.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_two_models_on_a_task(tmp_path):
    written(tmp_path, "org__m1", [sample(0, CHAT, "4"), sample(1, "3 + 3?", "6")])
    written(tmp_path, "org__m2", [sample(0, CHAT, "5")])
    dataset = load(tmp_path)
    assert (dataset.format, dataset.models) == ("lm-eval", ("org__m1", "org__m2"))
    first, second = dataset.instances
    assert (first.id, first.query, first.reference, first.category) == ("gsm8k-0", "2 + 2?", "4", "gsm8k")
    assert [turn.content for turn in first.history] == ["Be brief."]
    assert second.query == "3 + 3?"
    assert [response.text for response in dataset.responses] == ["4", "6", "5"]


def test_of_several_filters_the_first_counts(tmp_path):
    rows = [
        sample(0, "2 + 2?", "It is 4.", filter="strict"),
        sample(1, "3 + 3?", "6", filter="strict"),
        sample(0, "2 + 2?", "It is 4.", filter="flexible"),
    ]
    dataset = load(written(tmp_path, "m", rows))
    assert [(response.instance_id, response.text) for response in dataset.responses] == [
        ("gsm8k-0", "It is 4."),
        ("gsm8k-1", "6"),
    ]


def test_arguments_as_a_list_of_requests(tmp_path):
    dataset = load(written(tmp_path, "m", [sample(0, "", "4", arguments=[["2 + 2?", {"until": []}]])]))
    assert dataset.instances[0].query == "2 + 2?"


@pytest.mark.parametrize("answer", [[-1.5, False], ["-1.5", "False"]])
def test_likelihoods_are_no_texts(tmp_path, answer):
    chosen = sample(0, "2 + 2?", "", resps=[[answer], [[-2.0, False]]])
    with pytest.raises(DataError, match="scored by likelihood"):
        load(written(tmp_path, "m", [chosen], task="arc"))
    written(tmp_path, "m", [sample(0, "2 + 2?", "4")])
    dataset = load(tmp_path)
    assert len(dataset.responses) == 1
    assert "1 samples were scored by likelihood" in dataset.notes[0]
