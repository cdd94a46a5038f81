"""Text that a model sees, one file a step of a method, versioned by content."""

from checkwise.prompts.fence import fence
from checkwise.prompts.guides import GUIDE_FILES, GUIDES, ScoringGuide, find_guide, read_guide
from checkwise.prompts.library import BUILT_IN, Prompt, PromptLibrary

__all__ = [
    "BUILT_IN",
    "GUIDES",
    "GUIDE_FILES",
    "Prompt",
    "PromptLibrary",
    "ScoringGuide",
    "fence",
    "find_guide",
    "read_guide",
]
