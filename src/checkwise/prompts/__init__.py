"""Text that a model sees, one file a step of a method, versioned by content."""

from checkwise.prompts.fence import fence
from checkwise.prompts.library import BUILT_IN, Prompt, PromptLibrary

__all__ = ["BUILT_IN", "Prompt", "PromptLibrary", "fence"]
