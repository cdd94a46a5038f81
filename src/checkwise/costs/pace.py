"""How fast a model reads and writes, from the answers that it has given."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from checkwise.store import Used


@dataclass(frozen=True)
class Pace:
    """Seconds of engine time.

    Args:
        a_read: For a prompt token that is computed.
        a_written: For a token that is written.
    """

    a_read: float
    a_written: float

    @classmethod
    def seen(cls, used: Iterable[Used], model: str) -> Self | None:
        """Work the pace of a model out of its answers.

        Choices write one token, so that their time is that of reading; what reading does not explain of the time of
        texts is that of writing.

        Args:
            used: What answers took.
            model: The model.

        Returns:
            The pace; None where no time was kept. Where only texts, or only choices, are known, reading and writing are
            taken to be equally fast, which errs to the slow side for choices after texts.
        """
        own = [each for each in used if each.model == model and each.seconds > 0]
        choices = [each for each in own if each.kind == "choose"]
        texts = [each for each in own if each.kind != "choose"]
        if not own:
            return None
        known = choices or texts
        tokens = sum(each.computed_tokens + each.generated_tokens for each in known)
        if not tokens:
            return None
        a_read = sum(each.seconds for each in known) / tokens
        written = sum(each.generated_tokens for each in texts)
        if not choices or not written:
            return cls(a_read, a_read)
        left = sum(each.seconds for each in texts) - a_read * sum(each.computed_tokens for each in texts)
        return cls(a_read, max(left / written, a_read))

    def seconds(self, computed: int, written: int) -> float:
        """Estimate how long a question takes."""
        return computed * self.a_read + written * self.a_written
