"""From what a user calls a translator to one that translates."""

from checkwise.errors import UnknownModelError
from checkwise.prompts import PromptLibrary
from checkwise.translation.argos import ArgosTranslator
from checkwise.translation.base import Translator, Writer
from checkwise.translation.google import GoogleTranslator
from checkwise.translation.model import ModelTranslator


def open_translator(name: str, *, engine: Writer, prompts: PromptLibrary) -> Translator | None:
    """Open the translator that a name stands for.

    Args:
        name: ``llm`` (a language model), ``google``, ``argos`` or ``none``.
        engine: Runs the model for ``llm``.
        prompts: Where the prompt for ``llm`` comes from.

    Returns:
        The translator; None for ``none``, with which texts stay as they are.

    Raises:
        UnknownModelError: Nothing answers to the name.
        MissingExtraError: The translator's optional package is not installed.
    """
    match name:
        case "llm":
            return ModelTranslator(engine, prompts)
        case "google":
            return GoogleTranslator()
        case "argos":
            return ArgosTranslator()
        case "none":
            return None
    raise UnknownModelError(
        f"no translator is called {name!r}",
        todo="Translators: llm (the judge), llm:MODEL (another model), google, argos, none.",
    )
