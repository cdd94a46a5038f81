"""The scorer for Inspect, run by ``inspect eval`` with its mock model and the embedded judge."""

import os
import subprocess
import sys

import pytest

from checkwise.models import list_cached

pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.real, pytest.mark.filterwarnings("ignore")]

TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from checkwise.integrations.inspect_scorer import checklist


@task
def capitals():
    samples = [
        Sample(input="Capital of France?", metadata={"checklist": ["Does the response name Paris?"]}),
        Sample(input="Capital of Italy?", metadata={"checklist": ["Does the response name Rome?"]}),
        Sample(input="Capital of Spain?", metadata={"checklist": ["Does the response name Madrid?"]}),
    ]
    answers = [ModelOutput.from_content("mockllm/model", text) for text in ("Paris.", "I like cheese.", "")]
    for answer in answers:
        # Else the mock model counts tokens with a file from the network.
        answer.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=answers)
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=checklist(cache="answers"), model=model)
"""


def test_inspect_eval_with_the_scorer(tmp_path):
    if "qwen2.5-coder-1.5b" not in {cached.entry.name for cached in list_cached()}:
        pytest.skip("the weights of the default judge are not in the cache; `make weights` fetches them")
    from inspect_ai.log import list_eval_logs, read_eval_log

    (tmp_path / "task.py").write_text(TASK, encoding="utf-8")
    command = [sys.executable, "-m", "inspect_ai", "eval", "task.py", "--display", "plain", "--max-samples", "1"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, env=os.environ | {"NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    log = read_eval_log(list_eval_logs(str(tmp_path / "logs"))[0])
    assert log.status == "success", log.error
    good, bad, empty = (next(iter(sample.scores.values())) for sample in log.samples)
    assert good.value > 0.5 > bad.value
    assert empty.value == 0
    (item,) = good.metadata["items"]
    assert item["item"] == "Does the response name Paris?"
    assert item["p_yes"] == pytest.approx(good.value)
    metrics = log.results.scores[0].metrics
    assert metrics["mean"].value == pytest.approx((good.value + bad.value + empty.value) / 3)
    assert {"lower", "upper"} <= {name.split("/")[-1] for name in metrics} | {n.split("_")[-1] for n in metrics}
