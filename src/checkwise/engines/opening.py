"""From what a user calls a model to an engine that runs it."""

# ruff: noqa: PLC0415 - what an engine needs may take long to import, and be an extra
from collections.abc import Callable
from pathlib import Path

from checkwise.engines.base import Engine
from checkwise.engines.endpoints import find_endpoint, find_server, is_hosted
from checkwise.engines.llama_cpp import LlamaCppEngine
from checkwise.engines.llama_http import LlamaServerEngine
from checkwise.engines.options import EngineOptions
from checkwise.errors import UnknownModelError
from checkwise.models import Progress, check_gguf, file_sha256, find_model, weights_path
from checkwise.models.progress import silent


def open_engine(name: str, *, options: EngineOptions | None = None, progress: Progress = silent) -> Engine:
    """Open the engine that a name stands for; weights that are not there yet are fetched.

    Args:
        name: ``local:NAME`` or just ``NAME`` for a model of the registry, ``gguf:PATH`` for any local GGUF file;
            ``openai:MODEL``, or ``http(s)://HOST/v1#MODEL`` for any server that speaks OpenAI's API;
            ``batch:`` before either asks through the Batch API;
            ``llama-server:http://HOST:PORT`` for a llama.cpp server, asked in the embedded engine's segments;
            ``vllm:MODEL`` for a folder, or a model of the hub, that vLLM runs in this process.
        options: How it runs; with ``options.ray`` on the workers of a cluster, whatever it is.
        progress: Told how far fetching and hashing weights has come.

    Returns:
        The engine; its model is loaded when the first question comes.

    Raises:
        UnknownModelError: Nothing answers to the name.
        WeightsError: The weights cannot be had, or are not a GGUF file.
        MissingExtraError: The engine's optional package is not installed.
    """
    options = options or EngineOptions()
    if options.ray is not None:
        from checkwise.engines.ray_cluster import RayEngine

        return RayEngine(name, options=options)
    scheme = "local" if ":" not in name else "hosted" if is_hosted(name) else name.partition(":")[0]
    if scheme not in _OPENERS:
        raise UnknownModelError(
            f"{name!r} names no model that this version can run",
            todo="Name a model as local:NAME (`checkwise models` lists them), gguf:PATH, openai:MODEL, ADDRESS#MODEL, "
            "llama-server:ADDRESS or vllm:MODEL.",
        )
    return _OPENERS[scheme](name, options, progress)


def _local(name: str, options: EngineOptions, progress: Progress) -> Engine:
    entry = find_model(name.removeprefix("local:"))
    path = weights_path(entry, progress=progress)
    return LlamaCppEngine(path, model=f"local:{entry.name}", sha256=entry.sha256, options=options.embedded)


def _gguf(name: str, options: EngineOptions, progress: Progress) -> Engine:
    path = Path(name.removeprefix("gguf:")).expanduser()
    check_gguf(path)
    return LlamaCppEngine(path, model=name, sha256=file_sha256(path, progress=progress), options=options.embedded)


def _hosted(name: str, options: EngineOptions, progress: Progress) -> Engine:
    del progress
    # The SDK takes half a second to import, which a run with an embedded judge need not wait for.
    from checkwise.engines.openai_api import OpenAIEngine

    return OpenAIEngine(find_endpoint(name), name=name, options=options.hosted)


def _batch(name: str, options: EngineOptions, progress: Progress) -> Engine:
    del progress
    from checkwise.engines.openai_batch import BatchEngine

    endpoint = find_endpoint(name.removeprefix("batch:"))
    return BatchEngine(endpoint, name=name, options=options.hosted, batch=options.batch)


def _llama_server(name: str, options: EngineOptions, progress: Progress) -> Engine:
    del options, progress
    return LlamaServerEngine(*find_server(name.removeprefix("llama-server:")))


def _vllm(name: str, options: EngineOptions, progress: Progress) -> Engine:
    from checkwise.engines.vllm_local import VllmEngine

    return VllmEngine(name.removeprefix("vllm:"), name=name, options=options.vllm, progress=progress)


_OPENERS: dict[str, Callable[[str, EngineOptions, Progress], Engine]] = {
    "local": _local,
    "gguf": _gguf,
    "hosted": _hosted,
    "batch": _batch,
    "llama-server": _llama_server,
    "vllm": _vllm,
}
"""By how a name begins."""
