"""Hosted models in batches: gathered, remembered, collected, and asked again where something is missing."""

import asyncio
import json
import math

import pytest
from tests.engines.batch_service import answered_by, batch_service
from tests.engines.chat_service import said

from checkwise.engines.endpoints import Endpoint
from checkwise.engines.openai_api import OpenAIEngine
from checkwise.engines.openai_batch import BatchEngine, batch_files
from checkwise.engines.options import BatchOptions, HostedOptions, LimitOptions
from checkwise.errors import EngineError, WaitingForBatchesError
from checkwise.questions import Choose, Failure, Generate, Message

SURE = {"Yes": math.log(0.6), "No": math.log(0.3)}


def question(number=0, items=("Is it blue?", "Is it red?", "Is it night?")):
    return Choose(system="Answer Yes or No.", shared=(f"Response {number}. ",), suffixes=items, options=("Yes", "No"))


def engine_at(url, *, key=None, model="tiny", attempts=3, **batch):
    return BatchEngine(
        Endpoint(model, (url,), key),
        name="tiny",
        options=HostedOptions(limits=LimitOptions(attempts=attempts)),
        batch=BatchOptions(**({"quiet": 0.2, "poll": 0.01} | batch)),
    )


async def grade(engine, *questions):
    async def one(asked):
        return [answer async for answer in engine.choose(asked)]

    try:
        return await asyncio.gather(*map(one, questions))
    finally:
        await engine.close()


async def test_all_that_is_asked_together_goes_in_one_batch():
    with batch_service(lambda _: (200, said("Yes", top=SURE))) as service:
        found = await grade(engine_at(service.url), *map(question, range(4)))
    assert [[answer.probabilities["Yes"] for answer in answers] for answers in found] == [[pytest.approx(0.6)] * 3] * 4
    assert len(service.batches) == 1
    assert len(service.asked) == 12


async def test_each_answer_goes_to_its_own_item():
    tops = {"Is it blue?": 0.9, "Is it red?": 0.5, "Is it night?": 0.1}

    def answer(body):
        p = tops[body["messages"][-1]["content"].rpartition(". ")[2]]
        return 200, said("Yes", top={"Yes": math.log(p), "No": math.log(1.01 - p)})

    with batch_service(answer) as service:
        (answers,) = await grade(engine_at(service.url), question())
    assert [answer.probabilities["Yes"] for answer in answers] == pytest.approx([0.9, 0.5, 0.1])


async def test_without_waiting_it_stops_and_another_run_collects(tmp_path):
    journal = tmp_path / "run" / "batches.jsonl"
    with batch_service(lambda _: (200, said("Yes", top=SURE))) as service:
        service.ready = False
        for _ in range(2):
            with pytest.raises(WaitingForBatchesError, match="6 requests are in batches that are not done yet"):
                await grade(engine_at(service.url, journal=journal, wait=False), question(0), question(1))
        service.ready = True
        found = await grade(engine_at(service.url, journal=journal, wait=False), question(0), question(1))
    assert [len(answers) for answers in found] == [3, 3]
    assert len(service.asked) == len(set(service.asked)) == 6


async def test_a_run_that_was_killed_finds_its_batch_again(tmp_path):
    journal = tmp_path / "batches.jsonl"
    with batch_service(lambda _: (200, said("Yes", top=SURE))) as service:
        service.ready = False
        running = asyncio.create_task(grade(engine_at(service.url, journal=journal), question()))
        while not journal.exists():  # noqa: ASYNC110 - a file tells no event
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        # Killed while it wrote the next line.
        journal.write_text(journal.read_text() + '{"batch": "bat', encoding="utf-8")
        service.ready = True
        (answers,) = await grade(engine_at(service.url, journal=journal), question())
    assert len(answers) == 3
    assert len(service.asked) == 3


async def test_what_a_batch_lacks_is_asked_again():
    turns = {}

    def answer(body):
        text = json.dumps(body)
        turns[text] = turns.get(text, 0) + 1
        if "red" in text and turns[text] == 1:
            return None
        if "night" in text and turns[text] == 1:
            return 500, {"error": {"message": "overloaded"}}
        return 200, said("Yes", top=SURE)

    with batch_service(answer) as service:
        (answers,) = await grade(engine_at(service.url), question())
    assert all(not isinstance(answer, Failure) for answer in answers)
    assert (len(service.batches), len(service.asked)) == (2, 5)


async def test_what_never_comes_is_unscored_with_the_reason():
    with batch_service(lambda body: None if "red" in json.dumps(body) else (200, said("No", top=SURE))) as service:
        (answers,) = await grade(engine_at(service.url, attempts=2), question())
    assert [isinstance(answer, Failure) for answer in answers] == [False, True, False]
    assert answers[1].kind == "unavailable"
    assert "the batch completed without it" in answers[1].reason


async def test_what_the_endpoint_refuses_is_learned_for_the_next_batch():
    def answer(body):
        if body["top_logprobs"] > 5:
            return 400, {"error": {"message": "'top_logprobs' must be at most 5", "param": "top_logprobs"}}
        return 200, said("Yes", top=SURE)

    with batch_service(answer) as service:
        (answers,) = await grade(engine_at(service.url), question())
    assert [answer.mode for answer in answers] == ["logprobs"] * 3
    assert len(service.batches) == 2


async def test_a_wrong_key_ends_the_run():
    with (
        batch_service(lambda _: (401, {"error": {"message": "no such key sk-planted-1234567"}})) as service,
        pytest.raises(EngineError, match=r"answered 401: no such key \[key\]"),
    ):
        await grade(engine_at(service.url), question())


async def test_an_endpoint_without_batches_says_so():
    with pytest.raises(EngineError, match="no attempt came through"):
        await grade(engine_at("http://127.0.0.1:9/v1", attempts=1), question())


def test_files_stay_within_the_apis_limits():
    bodies = {f"r{n}": {"text": "ä" * n} for n in range(10)}
    files = batch_files(bodies, most=4, most_bytes=10_000)
    assert [len(lines) for lines in files] == [4, 4, 2]
    assert [name for lines in files for name in lines] == list(bodies)
    small = batch_files(bodies, most=100, most_bytes=250)
    assert all(sum(map(len, lines.values())) <= 250 for lines in small)
    row = json.loads(files[0]["r3"])
    assert row == {"custom_id": "r3", "method": "POST", "url": "/v1/chat/completions", "body": {"text": "äää"}}


@pytest.mark.real
async def test_batches_give_what_http_gives(forgetful_http_server):
    endpoint = Endpoint("small", (forgetful_http_server.url,), forgetful_http_server.key)
    text = Generate(messages=(Message(role="user", content="Name a colour."),), max_tokens=6)
    http = OpenAIEngine(endpoint, name="http", options=HostedOptions())
    (expected,) = await grade(http, question())
    with batch_service(answered_by(forgetful_http_server.url, forgetful_http_server.key)) as service:
        engine = engine_at(service.url, model="small")
        written = await engine.generate(text)
        (found,) = await grade(engine, question())
    assert written.text
    for one, other in zip(expected, found, strict=True):
        assert other.probabilities == one.probabilities
