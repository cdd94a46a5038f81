"""A run over the workers of a real Ray cluster on this machine gives what the embedded engine gives."""

import asyncio
import os
import signal

import pytest

from checkwise.engines import EngineOptions, LlamaCppOptions, RayOptions, open_engine
from checkwise.errors import EngineError, MissingExtraError, UnknownModelError
from checkwise.questions import Choose, Generate, Message
from checkwise.records import Checklist, Dataset, Instance, Response, Turn
from checkwise.runs import Run

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.real,
    # Ray leaves closing its pipes and logs to the end of the process.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"),
]

EMBEDDED = LlamaCppOptions(context=2048)
HERE = EngineOptions(embedded=EMBEDDED)
CLUSTER = EngineOptions(embedded=EMBEDDED, ray=RayOptions(workers=2, cpus=0.5))

ITEMS = ("Does it name a colour?", "Does it name a number?", "Is it short?")


def dataset(instances):
    ids = [f"q{number}" for number in range(instances)]
    return Dataset(
        name="colours",
        format="plain",
        instances=tuple(Instance(id=i, turns=(Turn(role="user", content=f"Question {i}: a colour?"),)) for i in ids),
        responses=tuple(
            Response(instance_id=i, model=model, text=f"{model} says {i} is red.") for i in ids for model in ("m", "n")
        ),
        checklists=tuple(Checklist(instance_id=i, items=ITEMS) for i in ids),
    )


def question(number, items=ITEMS):
    return Choose(system="Answer Yes or No.", shared=(f"Text {number}: red. ",), suffixes=items, options=("Yes", "No"))


@pytest.fixture(scope="module")
def cluster(smallest):
    """Two workers, each with the model."""
    engine = open_engine(smallest, options=CLUSTER)
    yield engine
    asyncio.run(engine.close())


async def ask(engine, number, items=ITEMS):
    return [answer async for answer in engine.choose(question(number, items))]


async def test_workers_answer_as_the_embedded_engine_does(cluster, smallest):
    here = open_engine(smallest, options=HERE)
    assert cluster.identity == here.identity
    assert cluster.capabilities.concurrency == 2
    there = await asyncio.gather(*(ask(cluster, number) for number in range(4)))
    for number, answers in enumerate(there):
        for ours, theirs in zip(await ask(here, number), answers, strict=True):
            assert theirs.probabilities == pytest.approx(ours.probabilities, abs=1e-6)
    await here.close()


async def test_text_is_written_on_a_worker(cluster):
    written = await cluster.generate(Generate(messages=(Message(role="user", content="Name a colour."),), max_tokens=4))
    assert written.text
    assert written.usage.generated_tokens <= 4


async def test_a_run_with_a_worker_killed_in_the_middle_has_the_same_rows(smallest, tmp_path):
    expected, asked_here = await Run(dataset=dataset(4), out=tmp_path / "here", judge=smallest, options=HERE).grade()
    engine = open_engine(smallest, options=CLUSTER)

    def kill_one(step):
        if step.name == "grading" and step.done == 2:
            os.kill(engine.processes[0], signal.SIGKILL)

    plan = Run(dataset=dataset(4), out=tmp_path / "there", judge=engine, progress=kill_one)
    result, asked_there = await plan.grade()
    await engine.close()
    key = ["instance_id", "model", "number"]
    ours, theirs = (one.grades.select(*key, "p_yes").sort(key) for one in (expected, result))
    assert theirs.equals(ours)
    assert result.leaderboard.equals(expected.leaderboard)
    # What had come back before is not asked again.
    assert asked_there.questions == asked_here.questions == 4 * 2 * len(ITEMS)
    assert asked_there.failed == 0


async def test_what_the_embedded_engine_answered_is_not_asked_of_the_cluster(smallest, tmp_path):
    await Run(dataset=dataset(1), out=tmp_path, judge=smallest, options=HERE).grade()
    _, asked = await Run(dataset=dataset(1), out=tmp_path, judge=smallest, options=CLUSTER).grade()
    assert (asked.questions, asked.reused) == (0, 2 * len(ITEMS))


def test_what_is_wrong_with_a_model_is_said_as_it_would_be_here():
    with pytest.raises(UnknownModelError, match="no-such-model"):
        open_engine("local:no-such-model", options=CLUSTER)


def test_more_workers_than_the_cluster_holds():
    options = EngineOptions(ray=RayOptions(workers=2, cpus=10_000))
    with pytest.raises(EngineError, match=r"2 workers would take 20000"):
        open_engine("smollm2-135m", options=options)


def test_without_ray_the_message_names_the_package(monkeypatch):
    monkeypatch.setattr("checkwise.engines.ray_cluster.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'pip install "checkwise\[ray\]"'):
        open_engine("smollm2-135m", options=CLUSTER)
