"""What a bad day of a server does to grades: nothing but that some take longer, or are unscored with the reason."""

import asyncio

import pytest
from benchmarks.fault_proxy import FAULTS, LASTING, fault_proxy

from checkwise.engines.endpoints import Endpoint
from checkwise.engines.openai_api import OpenAIEngine
from checkwise.engines.options import HostedOptions, LimitOptions
from checkwise.questions import Choice, Choose, Failure

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

pytestmark = pytest.mark.real


def question(number):
    items = tuple(f"Does it say {word}?" for word in WORDS)
    return Choose(
        system="Answer Yes or No.", shared=(f"Response {number}: one. ",), suffixes=items, options=("Yes", "No")
    )


async def grade(url, key, responses):
    engine = OpenAIEngine(
        Endpoint("small", (url,), key), name="small", options=HostedOptions(limits=LimitOptions(concurrency=4))
    )

    async def one(number):
        return [answer async for answer in engine.choose(question(number))]

    try:
        return await asyncio.gather(*(one(number) for number in range(responses)))
    finally:
        await engine.close()


@pytest.mark.parametrize(
    "responses", [pytest.param(6, id="60 items"), pytest.param(50, id="500 items", marks=pytest.mark.slow)]
)
async def test_every_item_ends_judged_or_unscored_with_the_right_reason(forgetful_http_server, responses):
    calm = await grade(forgetful_http_server.url, forgetful_http_server.key, responses)
    with fault_proxy(forgetful_http_server.url, share=0.2) as proxy:
        stormy = await grade(proxy.url, forgetful_http_server.key, responses)
    assert [len(answers) for answers in stormy] == [len(WORDS)] * responses
    unscored = [answer for answers in stormy for answer in answers if isinstance(answer, Failure)]
    assert len(unscored) == sum(proxy.injected[fault] for fault in LASTING)
    assert all(failure.kind == "no_answer" and "content filter" in failure.reason for failure in unscored)
    # Every item is asked until it comes through, and then no more.
    assert len(proxy.answered) >= responses * len(WORDS)
    assert set(proxy.answered.values()) == {1}
    for ours, theirs in zip(stormy, calm, strict=True):
        for answer, expected in zip(ours, theirs, strict=True):
            if isinstance(answer, Choice):
                assert answer.mode == "logprobs"
                known = {option: p for option, p in answer.probabilities.items() if p is not None}
                assert known == pytest.approx({option: expected.probabilities[option] for option in known}, abs=1e-6)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in LASTING])
async def test_each_fault_alone(forgetful_http_server, fault):
    with fault_proxy(forgetful_http_server.url, share=0.4, seed=3, faults=(fault,)) as proxy:
        (answers,) = await grade(proxy.url, forgetful_http_server.key, 1)
    assert proxy.injected[fault] > 0
    assert all(isinstance(answer, Choice) and answer.mode == "logprobs" for answer in answers)
