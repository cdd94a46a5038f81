"""Logs of Inspect, written by Inspect itself."""

import json

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError, MissingExtraError

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.filterwarnings("ignore")


def log(folder, outputs, *, model="mockllm/model", name="capitals", epochs=1, log_format="eval"):
    """Run a task of two samples with Inspect's mock model, and give the path of the log."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    samples = [
        Sample(id="fr", input="Capital of France?", target="Paris", metadata={"checklist": ["Does it name Paris?"]}),
        Sample(id="it", input=[ChatMessageSystem(content="Be brief."), ChatMessageUser(content="Capital of Italy?")]),
    ]
    answers = [ModelOutput.from_content(model, text) for text in outputs * epochs]
    for answer in answers:
        # Else the mock model counts tokens with a file from the network.
        answer.usage = ModelUsage()
    task = Task(dataset=MemoryDataset(samples), solver=generate(), name=name, epochs=epochs)
    (written,) = eval(
        task,
        model=get_model(model, custom_outputs=answers, memoize=False),
        log_dir=str(folder),
        log_format=log_format,
        display="none",
        max_samples=1,
    )
    return written.location


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_a_log(tmp_path, log_format):
    dataset = load(log(tmp_path, ["Paris.", "Rome."], log_format=log_format))
    france, italy = dataset.instances
    assert (dataset.format, dataset.models) == ("inspect", ("mockllm/model",))
    assert (france.id, france.query, france.reference) == ("fr", "Capital of France?", "Paris")
    assert (italy.query, [turn.content for turn in italy.history]) == ("Capital of Italy?", ["Be brief."])
    assert [response.text for response in dataset.responses] == ["Paris.", "Rome."]
    assert [(one.instance_id, one.items) for one in dataset.checklists] == [("fr", ("Does it name Paris?",))]


def test_a_folder_of_logs_holds_models_and_epochs_against_each_other(tmp_path):
    log(tmp_path, ["Paris.", "Rome."], epochs=2)
    log(tmp_path, ["Lyon.", "Rome."])
    dataset = load(tmp_path)
    assert len(dataset.models) == 2
    assert all(model.startswith("mockllm/model · ") for model in dataset.models)
    assert len(dataset.responses) == 4
    assert dataset.notes == ("2 samples are of later epochs than the first, and left out.",)


def test_what_is_no_log_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.eval"
    path.write_bytes(b"no zip")
    with pytest.raises(DataError, match="this is no log of Inspect"):
        load(path)
    monkeypatch.setattr("checkwise.datasets.inspect_log.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'pip install "checkwise\[inspect\]"'):
        load(path)


def test_a_json_file_that_only_looks_like_one_is_no_log(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"id": "a", "query": "b"}]))
    assert load(tmp_path / "a.json").format == "plain"
