"""Prompts are computed in fixed segments, whatever is cached. The server here only keeps the rules of its cache."""

import contextlib
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from checkwise.engines.llama_server import Tokens
from checkwise.engines.segments import SegmentedSlot


@dataclass
class CacheOfAServer:
    """Reuses the longest common prefix, computes the rest in one batch, and tells which batches made up a prompt."""

    tokens: Tokens = ()
    batches: list[Tokens] = field(default_factory=list)
    writes: int = 0

    def __call__(self, prompt: Tokens, *, answer: bool) -> dict[str, object]:
        common = 0
        while common < min(len(prompt) - 1, len(self.tokens)) and prompt[common] == self.tokens[common]:
            common += 1
        kept, length = [], 0
        for batch in self.batches:
            kept.append(batch[: max(0, common - length)])
            length += len(batch)
        self.batches = [batch for batch in kept if batch] + [prompt[common:]]
        self.tokens = prompt + (7,) * self.writes if answer else prompt
        return {"batches": tuple(self.batches)}


def test_the_shared_part_is_computed_once_and_each_item_whole():
    server, slot = CacheOfAServer(), SegmentedSlot()
    first = slot.compute([(1, 2), (3, 4), (5, 6)], server)
    second = slot.compute([(1, 2), (3, 4), (5, 9)], server)
    third = slot.compute([(1, 2), (3, 4), (8, 9)], server)
    assert first.computed_tokens == 6
    assert second.computed_tokens == 3  # a throw-away token, since both items begin with 5, and the item's two
    assert third.computed_tokens == 2  # no item begins alike, nothing to throw away
    assert second.answer == {"batches": ((1, 2), (3, 4), (5, 9))}
    assert third.answer == {"batches": ((1, 2), (3, 4), (8, 9))}


def test_a_prompt_that_goes_on_after_written_text_is_not_mixed_with_it():
    server, slot = CacheOfAServer(writes=2), SegmentedSlot()
    slot.compute([(1, 2)], server, writes=True)
    server.writes = 0
    assert slot.compute([(1, 2), (7, 8)], server).answer == {"batches": ((1, 2), (7, 8))}


def test_after_an_interrupted_request_nothing_is_reused():
    server, slot = CacheOfAServer(), SegmentedSlot()

    def interrupted(prompt: Tokens, *, answer: bool) -> dict[str, object]:
        server(prompt, answer=answer)
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        slot.compute([(1, 2), (3,)], interrupted)
    assert slot.compute([(1, 2), (3,)], server).answer == {"batches": ((1, 2), (3,))}


segments = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=3).map(tuple), min_size=1, max_size=4)


@given(st.lists(st.tuples(segments, st.booleans()), max_size=12))
def test_a_prompt_is_always_made_of_its_own_segments(questions: list[tuple[list[Tokens], bool]]):
    server, slot = CacheOfAServer(), SegmentedSlot()
    for prompt, writes in questions:
        server.writes = 3 if writes else 0
        assert slot.compute(prompt, server, writes=writes).answer == {"batches": tuple(prompt)}
