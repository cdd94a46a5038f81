"""Hosted models: what the engine sends, and what it makes of the answers."""

import json
import logging
import math

import pytest
from tests.engines.chat_service import chat_service, said

from checkwise.engines.endpoints import Endpoint
from checkwise.engines.openai_api import OpenAIEngine, Probed
from checkwise.engines.options import HostedOptions, LimitOptions
from checkwise.errors import EngineError
from checkwise.questions import Choose, Failure, Generate, Message

ITEMS = Choose(
    system="Answer Yes or No.",
    shared=("The sky is blue. ", "It is noon. "),
    suffixes=("Is it blue?", "Is it red?", "Is it night?"),
    options=("Yes", "No"),
)
HELLO = Generate(messages=(Message(role="user", content="Hello"),), max_tokens=20, seed=7, repeat=2)
SURE = {"Yes": math.log(0.6), " yes": math.log(0.1), "No": math.log(0.2)}
QUICK = LimitOptions(attempts=2, timeout=5)


def engine_at(*urls, key=None, **options):
    return OpenAIEngine(
        Endpoint("tiny", urls, key), name="tiny", options=HostedOptions(**({"limits": QUICK} | options))
    )


async def choices(engine, question=ITEMS):
    try:
        return [answer async for answer in engine.choose(question)]
    finally:
        await engine.close()


async def text(engine, question=HELLO):
    try:
        return await engine.generate(question)
    finally:
        await engine.close()


class TestChoosing:
    async def test_each_item_is_a_chat_of_its_own_behind_what_all_share(self):
        with chat_service(lambda _: (200, said("Yes", top=SURE))) as service:
            answers = await choices(engine_at(service.url))
        assert [answer.probabilities for answer in answers] == [
            {"Yes": pytest.approx(0.7), "No": pytest.approx(0.2)}
        ] * 3
        assert answers[0].floor == pytest.approx(0.1)
        assert answers[0].variants == {token: pytest.approx(math.exp(p)) for token, p in SURE.items()}
        assert (answers[0].mode, answers[0].usage.prompt_tokens, answers[0].usage.computed_tokens) == (
            "logprobs",
            10,
            6,
        )
        first = service.requests[0]
        assert first["messages"] == [
            {"role": "system", "content": "Answer Yes or No."},
            {"role": "user", "content": "The sky is blue. It is noon. Is it blue?"},
        ]
        assert (first["max_tokens"], first["temperature"], first["logprobs"], first["top_logprobs"]) == (1, 0, True, 20)
        ends = [
            request["messages"][-1]["content"].removeprefix("The sky is blue. It is noon. ")
            for request in service.requests
        ]
        assert ends[0] == "Is it blue?"
        assert sorted(ends) == sorted(ITEMS.suffixes)

    async def test_answers_come_in_the_order_of_the_items(self):
        tops = {"Is it blue?": 0.9, "Is it red?": 0.5, "Is it night?": 0.1}

        def reply(request):
            p = tops[request["messages"][-1]["content"].rpartition(". ")[2]]
            return 200, said("Yes", top={"Yes": math.log(p), "No": math.log(1 - p + 1e-9)})

        with chat_service(reply) as service:
            answers = await choices(engine_at(service.url, leading_first=False))
        assert [answer.probabilities["Yes"] for answer in answers] == pytest.approx([0.9, 0.5, 0.1])

    async def test_more_tokens_are_asked_for_where_an_option_is_missing(self):
        def reply(request):
            wanted = request["top_logprobs"]
            others = {f"word{n}": math.log(0.001) for n in range(wanted - 1)}
            return 200, said(
                "Yes", top={"Yes": math.log(0.5), **others, **({"No": math.log(1e-4)} if wanted == 100 else {})}
            )

        with chat_service(reply) as service:
            (answer,) = await choices(engine_at(service.url), ITEMS.model_copy(update={"suffixes": ("Is it?",)}))
        assert [request["top_logprobs"] for request in service.requests] == [20, 100]
        assert answer.probabilities["No"] == pytest.approx(1e-4)
        assert answer.usage.prompt_tokens == 20

    async def test_a_missing_side_is_bounded_by_the_least_likely_token(self):
        with chat_service(lambda _: (200, said("Yes", top={"Yes": math.log(0.9), "So": math.log(0.01)}))) as service:
            answer, *_ = await choices(engine_at(service.url))
        assert answer.probabilities == {"Yes": pytest.approx(0.9), "No": None}
        assert answer.floor == pytest.approx(0.01)

    async def test_the_number_of_tokens_adapts_to_what_the_endpoint_gives(self):
        def reply(request):
            if request["top_logprobs"] > 5:
                message = (
                    f"Invalid value for 'top_logprobs': must be less than or equal to 5, got {request['top_logprobs']}"
                )
                return 400, {"error": {"message": message, "param": "top_logprobs", "code": "invalid_value"}}
            return 200, said("Yes", top=SURE)

        with chat_service(reply) as service:
            answers = await choices(engine_at(service.url))
        assert [request["top_logprobs"] for request in service.requests] == [20, 5, 5, 5]
        assert answers[0].probabilities["Yes"] == pytest.approx(0.7)

    async def test_without_log_probabilities_answers_are_sampled_and_the_record_says_so(self):
        def reply(request):
            if "logprobs" in request:
                return 400, {"error": {"message": "logprobs is not supported", "param": "logprobs"}}
            words = ["Yes", '{"answer": "yes"}', "No.", "Perhaps"]
            return 200, said("") | {"choices": [said(word)["choices"][0] for word in words[: request["n"]]]}

        with chat_service(reply) as service:
            engine = engine_at(service.url, samples=4)
            assert engine.capabilities.logprobs
            answers = await choices(engine)
        assert not engine.capabilities.logprobs
        assert answers[1].probabilities == {"Yes": 0.5, "No": 0.25}
        assert (answers[1].mode, answers[1].mass, answers[1].floor) == ("sampled", 0.75, 0)
        assert sum("logprobs" in request for request in service.requests) == 1

    async def test_an_endpoint_that_leaves_log_probabilities_out_is_asked_three_times(self):
        with chat_service(lambda r: (200, said("No"))) as service:
            answers = await choices(engine_at(service.url, samples=1, limits=LimitOptions(attempts=4)))
        assert [answer.mode for answer in answers] == ["sampled"] * 3
        assert answers[0].probabilities == {"Yes": 0.0, "No": 1.0}
        assert sum("logprobs" in request for request in service.requests) == 3

    async def test_an_answer_that_lost_its_log_probabilities_is_asked_for_again(self):
        turns = iter([said("Yes", top=SURE), said("Yes"), said("Yes", top=SURE), said("Yes", top=SURE)])
        with chat_service(lambda _: (200, next(turns))) as service:
            answers = await choices(engine_at(service.url, limits=LimitOptions(attempts=2, concurrency=1)))
        assert [answer.mode for answer in answers] == ["logprobs"] * 3
        assert len(service.requests) == 4

    async def test_a_sampled_answer_has_the_seed_of_its_repeat(self):
        question = ITEMS.model_copy(update={"temperature": 0.7, "seed": 5, "repeat": 3, "suffixes": ("Is it?",)})
        with chat_service(lambda _: (200, said("No"))) as service:
            (answer,) = await choices(engine_at(service.url), question)
        assert answer.probabilities == {"Yes": 0.0, "No": 1.0}
        assert (service.requests[0]["temperature"], service.requests[0]["seed"]) == (0.7, 8)

    async def test_what_the_model_thought_is_no_answer(self):
        entries = [
            {"token": t, "logprob": -0.1, "top_logprobs": [{"token": t, "logprob": -0.1}]}
            for t in ("<think>", "Yes", "</think>", "\n")
        ]
        entries.append(
            {
                "token": "No",
                "logprob": -0.1,
                "top_logprobs": [{"token": "No", "logprob": math.log(0.8)}, {"token": "Yes", "logprob": math.log(0.2)}],
            }
        )

        def reply(request):
            if request["max_tokens"] == 1:
                return 200, said("<think>", top={"<think>": 0.0}, finish="length")
            answer = said("<think>Yes</think>\nNo")
            answer["choices"][0]["logprobs"] = {"content": entries}
            return 200, answer

        with chat_service(reply) as service:
            answers = await choices(engine_at(service.url, reasoning_tokens=100))
        assert answers[0].probabilities == {"Yes": pytest.approx(0.2), "No": pytest.approx(0.8)}
        assert [request["max_tokens"] for request in service.requests] == [1, 101, 101, 101]

    async def test_a_model_that_hides_its_thinking_gets_room_for_it(self):
        def reply(request):
            if "logprobs" in request:
                return 400, {"error": {"message": "logprobs are not supported", "param": "logprobs"}}
            answer = said("") if request["max_tokens"] < 100 else said("No")
            answer["choices"][0]["finish_reason"] = "length" if request["max_tokens"] < 100 else "stop"
            answer["usage"]["completion_tokens_details"] = {"reasoning_tokens": request["max_tokens"] - 1}
            return 200, answer

        with chat_service(reply) as service:
            answers = await choices(engine_at(service.url, samples=1, reasoning_tokens=100))
        assert [answer.probabilities["No"] for answer in answers] == [1.0] * 3
        assert [request["max_tokens"] for request in service.requests] == [1, 32, 132, 132, 132]

    async def test_a_word_without_text_asks_for_no_room(self):
        with chat_service(lambda _: (200, said("", top={"\ufffd": 0.0}, finish="length"))) as service:
            await choices(engine_at(service.url))
        assert {request["max_tokens"] for request in service.requests} == {1}

    async def test_thinking_that_never_ends_is_incomplete(self):
        with chat_service(lambda _: (200, said("<think>Yes, Yes,", top=SURE, finish="length"))) as service:
            answers = await choices(engine_at(service.url))
        assert {answer.kind for answer in answers} == {"incomplete"}


class TestWriting:
    async def test_text_with_its_settings(self):
        with chat_service(lambda _: (200, said("Good day."))) as service:
            answer = await text(engine_at(service.url))
        assert (answer.text, answer.finish, answer.usage.generated_tokens) == ("Good day.", "stop", 1)
        (request,) = service.requests
        assert (request["max_tokens"], request["temperature"], request["top_p"], request["seed"]) == (20, 0, 1, 9)

    async def test_thinking_that_the_server_keeps_apart_stays_apart(self):
        with chat_service(lambda _: (200, said("Good day.", reasoning_content="Politely."))) as service:
            answer = await text(engine_at(service.url))
        assert answer.text == "<think>\nPolitely.\n</think>\nGood day."

    async def test_a_parameter_that_is_refused_is_left_out_or_renamed_from_then_on(self):
        refused = {
            "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "temperature": "Unsupported value: 'temperature' does not support 0 with this model.",
        }

        def reply(request):
            wrong = next((name for name in refused if name in request), None)
            if wrong:
                return 400, {"error": {"message": refused[wrong], "param": wrong, "code": "unsupported"}}
            return 200, said("Good day.")

        with chat_service(reply) as service:
            engine = engine_at(service.url)
            first, second = await engine.generate(HELLO), await text(engine)
        assert (first.text, second.text) == ("Good day.", "Good day.")
        assert len(service.requests) == 4
        assert service.requests[-1]["max_completion_tokens"] == 20
        assert "temperature" not in service.requests[-1]

    @pytest.mark.parametrize(
        ("answer", "kind", "why"),
        [
            (said("Goo", finish="content_filter"), "no_answer", "content filter"),
            (said("", refusal="I cannot."), "no_answer", "refused: I cannot."),
            (said(""), "no_answer", "empty"),
            (said("", finish="length"), "incomplete", "before the model said anything"),
            (said("x") | {"choices": []}, "unavailable", "without a choice"),
            ("not JSON at all", "unavailable", "cannot be read"),
            ('{"choices": [{"mess', "unavailable", "cannot be read"),
            ([1, 2], "unavailable", "no chat response"),
        ],
    )
    async def test_what_is_no_answer_is_a_failure(self, answer, kind, why):
        with chat_service(lambda _: (200, answer)) as service:
            failure = await text(engine_at(service.url, limits=LimitOptions(attempts=1)))
        assert isinstance(failure, Failure)
        assert failure.kind == kind
        assert why in failure.reason

    async def test_another_models_answer_is_not_taken(self):
        turns = iter(["other", "tiny-2026-01-01"])
        with chat_service(
            lambda _: (200, said("Good day.", model=next(turns))), models=["tiny", "other-two"]
        ) as service:
            answer = await text(engine_at(service.url))
        assert answer.text == "Good day."
        assert len(service.requests) == 2

    async def test_a_prompt_that_is_too_long_is_a_failure(self):
        message = "This model's maximum context length is 8192 tokens."
        body = {"error": {"message": message, "code": "context_length_exceeded", "param": "messages"}}
        with chat_service(lambda _: (400, body)) as service:
            failure = await text(engine_at(service.url))
        assert (failure.kind, failure.reason) == ("context_exceeded", message)

    async def test_a_prompt_over_the_context_that_a_server_names_is_not_sent(self):
        long = Generate(messages=(Message(role="user", content="x" * 800),), max_tokens=5)
        with chat_service(lambda _: (200, said("Hm")), models=["tiny"], context=100) as service:
            failure = await text(engine_at(service.url), long)
        assert (failure.kind, failure.reason) == (
            "context_exceeded",
            "the prompt has at least 100 tokens, and the context holds 100",
        )
        assert service.requests == []

    async def test_a_prompt_that_a_server_has_cut_to_its_context_is_a_failure(self):
        # The service counts 10 tokens, whatever it is sent.
        with chat_service(lambda _: (200, said("Hm")), models=["tiny"], context=10) as service:
            failure = await text(engine_at(service.url))
        assert (failure.kind, failure.reason) == (
            "context_exceeded",
            "the prompt may have been cut: the server read 10 tokens, and the context holds 10",
        )

    async def test_half_a_character_does_not_stop_a_run(self):
        with chat_service(lambda _: (200, said("ok"))) as service:
            await text(engine_at(service.url), Generate(messages=(Message(role="user", content="a\ud83d"),)))
        assert service.requests[0]["messages"][0]["content"] == "a?"


class TestRefusing:
    @pytest.mark.parametrize("status", [401, 403, 404])
    async def test_what_cannot_work_ends_at_once_with_the_providers_words(self, status):
        key = "sk-planted-0123456789"
        body = {"error": {"message": f"Incorrect API key provided: {key}."}}
        with chat_service(lambda _: (status, body)) as service, pytest.raises(EngineError) as caught:
            await text(engine_at(service.url, key=key))
        assert len(service.requests) == 1
        assert service.keys == [f"Bearer {key}"]
        assert f"answered {status}: Incorrect API key provided: [key]" in caught.value.what
        assert key not in str(caught.value)

    async def test_a_request_that_makes_no_sense_to_the_endpoint_ends_the_run(self):
        body = {"error": {"message": "Unknown field messages."}}
        with chat_service(lambda _: (400, body)) as service, pytest.raises(EngineError, match="Unknown field messages"):
            await text(engine_at(service.url))
        assert len(service.requests) == 1

    async def test_an_endpoint_that_is_down_ends_the_run_after_some_failures(self):
        engine = engine_at("http://127.0.0.1:9/v1", limits=LimitOptions(attempts=1))
        failures = [await engine.generate(HELLO) for _ in range(7)]
        assert {failure.kind for failure in failures} == {"unavailable"}
        with pytest.raises(EngineError, match="8 requests in a row did not come through"):
            await text(engine)


class TestReplicas:
    async def test_items_of_one_response_go_to_one_server(self):
        reply = lambda _: (200, said("Yes", top=SURE))  # noqa: E731
        with chat_service(reply) as one, chat_service(reply) as two:
            engine = engine_at(one.url, two.url)
            for number in range(12):
                question = ITEMS.model_copy(update={"shared": (f"Response {number}. ",)})
                assert len([answer async for answer in engine.choose(question)]) == 3
            await engine.close()
        seen = [{request["messages"][-1]["content"][:12] for request in service.requests} for service in (one, two)]
        assert not seen[0] & seen[1]
        assert all(seen)

    async def test_what_one_server_cannot_do_another_does(self):
        with chat_service(lambda _: (200, said("Yes", top=SURE))) as service:
            engine = engine_at("http://127.0.0.1:9/v1", service.url, limits=LimitOptions(attempts=1))
            for number in range(6):
                question = ITEMS.model_copy(update={"shared": (f"Response {number}. ",)})
                assert all(not isinstance(answer, Failure) for answer in [a async for a in engine.choose(question)])
            await engine.close()
        assert len(service.requests) == 18

    def test_adding_a_server_asks_nothing_again(self):
        assert engine_at("http://a/v1").identity == engine_at("http://a/v1", "http://b/v1").identity
        assert engine_at("http://a/v1").identity != engine_at("http://b/v1").identity


async def test_no_key_is_seen_anywhere(caplog):
    key = "planted-key-0123456789"
    caplog.set_level(logging.DEBUG)
    with chat_service(lambda _: (429, {"error": {"message": f"slow down, {key}"}}, {"Retry-After": "0"})) as service:
        engine = engine_at(service.url, key=key)
        failure = await text(engine)
    shown = (repr(engine), json.dumps(dict(engine.identity)), failure.reason, caplog.text, repr(engine.__dict__))
    assert not any(key in one for one in shown)
    assert "slow down, [key]" in failure.reason


@pytest.mark.real
class TestRealServer:
    async def test_writing_and_choosing(self, llama_http_server):
        engine = engine_at(llama_http_server.url, key=llama_http_server.key, limits=LimitOptions())
        written = await engine.generate(HELLO)
        answers = await choices(engine)
        assert written.text
        assert written.usage.generated_tokens > 0
        assert [answer.mode for answer in answers] == ["logprobs"] * 3
        assert all(0 < answer.mass <= 1 for answer in answers)
        # The items behind the first one find its prefix computed.
        assert answers[1].usage.computed_tokens < answers[1].usage.prompt_tokens

    async def test_sampled_answers_are_held_to_the_options(self, llama_http_server):
        question = ITEMS.model_copy(update={"temperature": 1.0, "suffixes": ("Is it blue?",)})
        (answer,) = await choices(
            engine_at(llama_http_server.url, key=llama_http_server.key, limits=LimitOptions()), question
        )
        assert answer.mass == 1.0

    async def test_a_prompt_that_is_too_long(self, llama_http_server):
        long = Generate(messages=(Message(role="user", content="word " * 5000),))
        failure = await text(engine_at(llama_http_server.url, key=llama_http_server.key, limits=LimitOptions()), long)
        assert failure.kind == "context_exceeded"

    async def test_a_wrong_key(self, llama_http_server):
        with pytest.raises(EngineError, match="401") as caught:
            await text(engine_at(llama_http_server.url, key="another", limits=LimitOptions()))
        assert "CHECKWISE_API_KEY" in (caught.value.todo or "")


class TestProbing:
    async def test_what_an_endpoint_gives_is_found_out_with_two_questions(self):
        with chat_service(lambda _: (200, said("Yes", top=SURE)), models=["tiny"], context=4096) as service:
            engine = engine_at(service.url)
            found = await engine.probe()
            await engine.close()
        assert found == Probed(log_probabilities=3, seed=True, context=4096, thinks=False)
        assert len(service.requests) == 2

    async def test_what_it_refuses_is_told(self):
        def reply(request):
            for name in ("logprobs", "seed"):
                if name in request:
                    return 400, {"error": {"message": f"unknown parameter {name}", "param": name}}
            return 200, said('{"answer": "Yes"}')

        with chat_service(reply) as service:
            engine = engine_at(service.url)
            found = await engine.probe()
            await engine.close()
        assert found == Probed(log_probabilities=0, seed=False, context=None, thinks=False)
