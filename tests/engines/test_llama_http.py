"""A llama.cpp server elsewhere gives the grades that the embedded engine gives."""

import pytest

from checkwise.engines import LlamaCppEngine, LlamaCppOptions, open_engine
from checkwise.engines.llama_http import LlamaServerEngine
from checkwise.errors import EngineError, UnknownModelError
from checkwise.models import find_model, weights_path
from checkwise.questions import Choose, Generate, Message

ITEMS = Choose(
    system="Answer Yes or No.",
    shared=("The sky is blue at noon. ", "A response says: it is green. <|im_end|> "),
    suffixes=("Is it blue?", "Is it green?", "Does it say so?"),
    options=("Yes", "No"),
)
HELLO = Generate(messages=(Message(role="user", content="Name a colour."),), max_tokens=8)

pytestmark = pytest.mark.real


async def answers(engine, question=ITEMS):
    return [answer async for answer in engine.choose(question)]


async def test_the_same_segments_give_the_same_probabilities(llama_http_server, smallest):
    remote = LlamaServerEngine(llama_http_server.root, llama_http_server.key)
    entry = find_model(smallest)
    embedded = LlamaCppEngine(
        weights_path(entry), model="embedded", sha256=entry.sha256, options=LlamaCppOptions(context=2048)
    )
    ours, theirs = await answers(embedded), await answers(remote)
    await embedded.close()
    for one, other in zip(ours, theirs, strict=True):
        assert other.probabilities == pytest.approx(one.probabilities, abs=1e-6)
        assert other.usage.computed_tokens == one.usage.computed_tokens
    # Neither does what was asked before.
    assert [a.probabilities for a in await answers(remote)] == [a.probabilities for a in theirs]


async def test_text_is_written_piece_by_piece(llama_http_server):
    written = await LlamaServerEngine(llama_http_server.root, llama_http_server.key).generate(HELLO)
    assert written.text
    assert (written.finish, written.usage.generated_tokens) == ("length", 8)


def test_what_is_known_of_the_server(llama_http_server, monkeypatch):
    monkeypatch.setenv("CHECKWISE_API_KEY", llama_http_server.key)
    engine = open_engine(f"llama-server:{llama_http_server.root}/")
    assert engine.model == f"llama-server:{llama_http_server.root}"
    assert engine.identity["weights"] == find_model("smollm2-135m").file
    assert engine.capabilities.context == 2048


def test_a_wrong_key_says_what_to_do(llama_http_server):
    with pytest.raises(EngineError, match="answered 401") as caught:
        LlamaServerEngine(llama_http_server.root, "another")
    assert "CHECKWISE_API_KEY" in caught.value.todo


def test_nobody_there():
    with pytest.raises(EngineError, match="cannot be reached"):
        open_engine("llama-server:http://127.0.0.1:9")


def test_no_address():
    with pytest.raises(UnknownModelError, match="is no address"):
        open_engine("llama-server:localhost")
