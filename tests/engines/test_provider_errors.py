"""What the statuses of an endpoint mean."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from openai import AsyncOpenAI
from tests.engines.chat_service import chat_service

from checkwise.engines.limits import TemporaryError
from checkwise.engines.provider_errors import Provider, RefusedError
from checkwise.errors import EngineError


async def call(reply):
    """Put one request to an endpoint that answers so."""
    with chat_service(lambda _: reply) as service:
        client = AsyncOpenAI(base_url=service.url, api_key="none", max_retries=0, timeout=5)
        try:
            return await Provider(service.url).call(lambda: client.post("/chat/completions", cast_to=object, body={}))
        finally:
            await client.close()


def error(message, **fields):
    return {"error": {"message": message, **fields}}


@pytest.mark.parametrize(("status", "crowded"), [(408, False), (409, False), (429, True), (500, False), (503, True)])
async def test_what_may_come_through_another_time(status, crowded):
    with pytest.raises(TemporaryError, match=f"answered {status}: busy") as caught:
        await call((status, error("busy")))
    assert (caught.value.crowded, caught.value.wait) == (crowded, None)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500", "Retry-After": "7"}, 1.5),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
async def test_when_the_endpoint_wants_it_again(headers, wait):
    with pytest.raises(TemporaryError) as caught:
        await call((429, error("slow down"), headers))
    assert caught.value.wait == wait


async def test_a_date_is_a_time_from_now():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    with pytest.raises(TemporaryError) as caught:
        await call((503, error("later"), {"Retry-After": later}))
    assert 60 < caught.value.wait <= 90


async def test_a_quota_that_is_used_up_ends_the_run():
    with pytest.raises(EngineError, match="quota is used up: You exceeded"):
        await call((429, error("You exceeded your quota.", code="insufficient_quota", type="insufficient_quota")))


@pytest.mark.parametrize(
    ("said", "code", "too_long"),
    [
        ("maximum context length is 8192", "context_length_exceeded", True),
        ("request (9000 tokens) exceeds the available context size (2048 tokens)", None, True),
        ("Unsupported parameter", "unsupported_parameter", False),
    ],
)
async def test_what_the_endpoint_does_not_take(said, code, too_long):
    with pytest.raises(RefusedError) as caught:
        await call((400, error(said, code=code, param="logprobs")))
    assert (caught.value.said, caught.value.parameter, caught.value.too_long) == (said, "logprobs", too_long)


@pytest.mark.parametrize(("status", "todo"), [(401, "OPENAI_API_KEY"), (403, "may use this model"), (404, "/v1")])
async def test_what_ends_the_run_says_what_to_do(status, todo):
    with pytest.raises(EngineError, match=f"answered {status}: no") as caught:
        await call((status, error("no")))
    assert todo in caught.value.todo


async def test_a_message_is_shortened():
    with pytest.raises(TemporaryError) as caught:
        await call((500, "<html>" + "x" * 9000))
    assert len(caught.value.reason) < 600


async def test_nobody_there():
    client = AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key="none", max_retries=0)
    with pytest.raises(TemporaryError, match="the connection broke"):
        await Provider("x").call(lambda: client.post("/chat/completions", cast_to=object, body={}))
    await client.close()
