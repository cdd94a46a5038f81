"""One file a way to run a model."""

from checkwise.engines.base import Capabilities, Engine
from checkwise.engines.llama_cpp import LlamaCppEngine
from checkwise.engines.opening import open_engine
from checkwise.engines.options import (
    BatchOptions,
    EngineOptions,
    HostedOptions,
    LimitOptions,
    LlamaCppOptions,
    RayOptions,
    VllmOptions,
)
from checkwise.engines.scripted import ScriptedEngine

__all__ = [
    "BatchOptions",
    "Capabilities",
    "Engine",
    "EngineOptions",
    "HostedOptions",
    "LimitOptions",
    "LlamaCppEngine",
    "LlamaCppOptions",
    "RayOptions",
    "ScriptedEngine",
    "VllmOptions",
    "open_engine",
]
