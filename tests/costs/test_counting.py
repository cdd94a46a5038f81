"""Prompts are counted without asking."""

from checkwise.costs.counting import Read, SegmentCounter, TextCounter, counter_for, hosted_counter
from checkwise.engines import ScriptedEngine
from checkwise.questions import Choose, Generate, Message


def words(text):
    return len(text.split())


QUESTION = Choose(
    system="one two",
    shared=("three four five ", "six "),
    suffixes=("seven", "eight nine"),
    options=("Yes", "No"),
)


def test_what_suffixes_share_is_computed_for_the_first_one():
    counter = TextCounter(words, a_message=1, least=0)
    # 2 + 1 for the system message, 4 + 1 for what is shared.
    assert list(counter.choose(QUESTION)) == [Read(9, 9), Read(10, 2)]


def test_a_service_keeps_whole_blocks_and_no_short_prompts():
    long = Choose(shared=("word " * 1300,), suffixes=("a", "b"), options=("Yes", "No"))
    counter = TextCounter(words, a_message=0, least=1024, step=128)
    # 1,280 is the last multiple of 128.
    assert list(counter.choose(long)) == [Read(1301, 1301), Read(1301, 21)]
    short = long.model_copy(update={"shared": ("word " * 1000,)})
    assert list(counter.choose(short)) == [Read(1001, 1001), Read(1001, 1001)]


def test_messages_are_added_up():
    messages = (Message(role="system", content="one two"), Message(role="user", content="three"))
    assert TextCounter(words, a_message=4).generate(Generate(messages=messages)) == Read(11, 11)


def test_openai_keeps_prompts_from_1024_tokens_on():
    assert (hosted_counter("openai:gpt-4o").least, hosted_counter("openai:gpt-4o").step) == (1024, 128)
    assert hosted_counter("http://rack:8000/v1#qwen").step == 16


def test_an_engine_that_has_a_tokenizer_counts_exactly():
    counter = counter_for(ScriptedEngine(lambda _: "Yes"))
    assert counter.note is None
    assert list(counter.choose(QUESTION)) == [Read(7, 7), Read(8, 8)]


class Cutting:
    """Each character is a token, each part of a prompt a segment."""

    def prompt_segments(self, question):
        shared = [tuple(map(ord, part)) for part in (question.system, *question.shared)]
        return [(*shared, tuple(map(ord, suffix))) for suffix in question.suffixes]

    def message_segments(self, question):
        return tuple(tuple(map(ord, message.content)) for message in question.messages)

    def count_tokens(self, text):
        return len(text)


def test_the_embedded_engine_computes_each_segment_once():
    counter = SegmentCounter(Cutting(), context=None)
    ask = Choose(system="abc", shared=("de",), suffixes=("fgh", "xyz"), options=("Yes", "No"))
    assert list(counter.choose(ask)) == [Read(8, 8), Read(8, 3)]
    # Begins like the last item, which lies in the cache: one token is thrown away before it.
    again = ask.model_copy(update={"suffixes": ("xab",)})
    assert list(counter.choose(again)) == [Read(8, 4)]


def test_a_prompt_that_does_not_fit_is_not_computed():
    counter = SegmentCounter(Cutting(), context=8)
    ask = Choose(system="abc", shared=("de",), suffixes=("fg", "fgh"), options=("Yes", "No"))
    assert list(counter.choose(ask)) == [Read(7, 7), Read(8, 0)]
