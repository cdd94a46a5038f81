"""From what a user calls a model to an engine that runs it."""

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
            ``llama-server:http://HOST:PORT`` for a llama.cpp server, asked in the embedded engine's segments.
        options: How it runs.
        progress: Told how far fetching and hashing weights has come.

    Returns:
        The engine; its model is loaded when the first question comes.

    Raises:
        UnknownModelError: Nothing answers to the name.
        WeightsError: The weights cannot be had, or are not a GGUF file.
        MissingExtraError: The engine's optional package is not installed.
    """
    options = options or EngineOptions()
    scheme, colon, rest = name.partition(":")
    if not colon:
        scheme, rest = "local", name
    if scheme == "local":
        entry = find_model(rest)
        path = weights_path(entry, progress=progress)
        return LlamaCppEngine(path, model=f"local:{entry.name}", sha256=entry.sha256, options=options.embedded)
    if name.startswith("batch:"):
        from checkwise.engines.openai_batch import BatchEngine  # noqa: PLC0415

        endpoint = find_endpoint(name.removeprefix("batch:"))
        return BatchEngine(endpoint, name=name, options=options.hosted, batch=options.batch)
    if is_hosted(name):
        # The SDK takes half a second to import, which a run with an embedded judge need not wait for.
        from checkwise.engines.openai_api import OpenAIEngine  # noqa: PLC0415

        return OpenAIEngine(find_endpoint(name), name=name, options=options.hosted)
    if scheme == "llama-server":
        return LlamaServerEngine(*find_server(rest))
    if scheme == "gguf":
        path = Path(rest).expanduser()
        check_gguf(path)
        return LlamaCppEngine(path, model=name, sha256=file_sha256(path, progress=progress), options=options.embedded)
    raise UnknownModelError(
        f"{name!r} names no model that this version can run",
        todo="Name a model as local:NAME (`checkwise models` lists them), gguf:PATH, openai:MODEL, ADDRESS#MODEL or "
        "llama-server:ADDRESS.",
    )
