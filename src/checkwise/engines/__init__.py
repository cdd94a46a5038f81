"""One file a way to run a model."""

from checkwise.engines.base import Capabilities, Engine
from checkwise.engines.llama_cpp import LlamaCppEngine
from checkwise.engines.llama_server import LlamaCppOptions
from checkwise.engines.opening import open_engine
from checkwise.engines.scripted import ScriptedEngine

__all__ = ["Capabilities", "Engine", "LlamaCppEngine", "LlamaCppOptions", "ScriptedEngine", "open_engine"]
