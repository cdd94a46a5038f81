"""vLLM on weights converted from the 135M GGUF orders items as the embedded engine does. Run with `make test-vllm`."""

import asyncio
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from checkwise.engines import EngineOptions, LlamaCppOptions, VllmOptions, open_engine
from checkwise.errors import EngineError, MissingExtraError, UnknownModelError
from checkwise.models import find_model, weights_path
from checkwise.questions import Choice, Choose, Failure, Generate, Message

pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("ignore")]

TEXTS = (
    "Paris is the capital of France.",
    "I do not know.",
    "The answer is 42, because six times seven is 42.",
    "Berlin liegt an der Spree.",
)
ITEMS = (
    "Does the text name a city?",
    "Is the text in English?",
    "Does the text contain a number?",
    "Does the text say that its writer does not know?",
    "Is the text longer than a page?",
    "Does the text name a river?",
)


def question(text, items=ITEMS, **fields):
    return Choose(
        system="Answer with one word: Yes or No.",
        shared=("You see a text and a question about it.\n\n", f"Text: {text}\n\nQuestion: "),
        suffixes=items,
        options=("Yes", "No"),
        **fields,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The weights of the small model as vLLM wants them, in bfloat16."""
    pytest.importorskip("vllm")
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    gguf = weights_path(find_model("smollm2-135m"))
    into = tmp_path_factory.mktemp("smollm2-135m")
    given = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    plain = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(**given, dtype=torch.bfloat16, quantization_config=plain)
    model.save_pretrained(into)
    AutoTokenizer.from_pretrained(**given).save_pretrained(into)
    return into


@pytest.fixture(scope="module")
def vllm(folder):
    arguments = {"dtype": "bfloat16", "enforce_eager": True, "gpu_memory_utilization": 0.3}
    options = EngineOptions(vllm=VllmOptions(context=1024, arguments=arguments))
    return open_engine(f"vllm:{folder}", options=options)


async def ask(engine, *questions):
    async def one(asked):
        return [answer async for answer in engine.choose(asked)]

    return await asyncio.gather(*(one(asked) for asked in questions))


def p_yes(answer):
    yes, no = answer.probabilities["Yes"], answer.probabilities["No"]
    return yes / (yes + no)


async def test_items_are_ordered_as_by_the_embedded_engine(vllm):
    asked = [question(text) for text in TEXTS]
    here = open_engine("smollm2-135m", options=EngineOptions(embedded=LlamaCppOptions(context=1024)))
    ours = [p_yes(answer) for answers in await ask(here, *asked) for answer in answers]
    theirs = [p_yes(answer) for answers in await ask(vllm, *asked) for answer in answers]
    await here.close()
    apart = sorted(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    tau = kendalltau(ours, theirs).statistic
    print(f"tau {tau:.3f}, differences: median {apart[len(apart) // 2]:.4f}, largest {apart[-1]:.4f}")
    # 4-bit weights taken for bfloat16: the last digits differ, the order of what is not level does not.
    assert tau > 0.8
    assert apart[len(apart) // 2] < 0.02


async def test_siblings_share_their_prefix(vllm):
    # On a processor vLLM keeps prefixes in blocks of 128 tokens, so that a short one is hardly shared.
    (answers,) = await ask(vllm, question("A text that nobody has asked about yet. " * 60))
    assert all(isinstance(answer, Choice) and answer.mode == "logprobs" for answer in answers)
    prompt = sum(answer.usage.prompt_tokens for answer in answers)
    assert sum(answer.usage.computed_tokens for answer in answers) < prompt / 2


async def test_probabilities_are_of_all_tokens_and_none_is_missing(vllm):
    ((answer,),) = await ask(vllm, question(TEXTS[0], ITEMS[:1]))
    assert 0 < answer.mass <= 1.0001
    assert None not in answer.probabilities.values()
    assert {text.strip().casefold() for text in answer.variants} == {"yes", "no"}


async def test_sampled_answers(vllm):
    ((answer,),) = await ask(vllm, question(TEXTS[0], ITEMS[:1], temperature=1.0))
    assert answer.mode == "sampled"


async def test_markup_in_a_text_is_plain_text(vllm):
    prompt = vllm.count_tokens("<|im_end|>")
    assert prompt > 1


async def test_text_and_what_does_not_fit(vllm):
    message = Message(role="user", content="Name a colour.")
    written = await vllm.generate(Generate(messages=(message,), max_tokens=5))
    assert written.text
    assert written.usage.generated_tokens <= 5
    long = Message(role="user", content="long " * 2000)
    refused = await vllm.generate(Generate(messages=(long,), max_tokens=5))
    assert (refused.kind, "see --context" in refused.reason) == ("context_exceeded", True)
    (answers,) = await ask(vllm, question(TEXTS[0], (ITEMS[0], "long " * 2000, ITEMS[1])))
    assert [isinstance(answer, Failure) for answer in answers] == [False, True, False]


async def test_weights_that_it_cannot_load(tmp_path):
    pytest.importorskip("vllm")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EngineError, match=r"tokenizer|cannot load"):
        await ask(open_engine(f"vllm:{tmp_path}"), question(TEXTS[0]))


def test_a_folder_that_is_not_there(monkeypatch):
    pytest.importorskip("vllm")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UnknownModelError, match="is no folder"):
        open_engine(f"vllm:{Path('no/such/folder/at/all')}")


def test_without_vllm_the_message_names_the_package(monkeypatch):
    monkeypatch.setattr("checkwise.engines.vllm_local.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'pip install "checkwise\[vllm\]"'):
        open_engine("vllm:any")
