import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.questions import Choose, Generate, Message
from checkwise.store import choose_keys, generate_key

ENGINE = {"engine": "scripted", "model": "m", "version": "1"}
CHOOSE = Choose(system="Be brief.", shared=("Query. ", "Response. "), suffixes=("Is it right?",), options=("Yes", "No"))
GENERATE = Generate(messages=(Message(role="user", content="Write."),))


def key(question=CHOOSE, engine=ENGINE):
    (only,) = choose_keys(engine, question)
    return only


@pytest.mark.parametrize(
    "change",
    [
        {"system": "Be strict."},
        {"system": None},
        {"shared": ("Query. ", "Another response. ")},
        {"shared": ("Query. Response. ",)},
        {"suffixes": ("Is it short?",)},
        {"options": ("No", "Yes")},
        {"options": ("Yes", "No", "Maybe")},
        {"repeat": 1},
        {"temperature": 1.0},
    ],
)
def test_everything_in_a_choice_is_in_its_key(change):
    assert key(CHOOSE.model_copy(update=change)) != key()


@pytest.mark.parametrize(
    "change",
    [
        {"messages": (Message(role="user", content="Write!"),)},
        {"messages": (Message(role="system", content="Write."),)},
        {"messages": (*GENERATE.messages, Message(role="assistant", content=""))},
        {"max_tokens": 512},
        {"temperature": 0.7},
        {"top_p": 0.95},
        {"seed": 43},
        {"repeat": 1},
    ],
)
def test_everything_in_a_request_for_text_is_in_its_key(change):
    assert generate_key(ENGINE, GENERATE.model_copy(update=change)) != generate_key(ENGINE, GENERATE)


@pytest.mark.parametrize("change", [{"model": "n"}, {"version": "2"}, {"sha256": "00"}, {"context": 4096}])
def test_everything_about_the_engine_is_in_the_key(change):
    assert key(engine=ENGINE | change) != key()
    assert generate_key(ENGINE | change, GENERATE) != generate_key(ENGINE, GENERATE)


def test_the_order_of_the_engines_identity_is_not_in_the_key():
    assert key(engine=dict(reversed(ENGINE.items()))) == key()


@given(st.lists(st.text(), min_size=1, unique=True))
def test_the_key_of_a_suffix_does_not_depend_on_its_neighbours(suffixes):
    together = choose_keys(ENGINE, CHOOSE.model_copy(update={"suffixes": tuple(suffixes)}))
    alone = [key(CHOOSE.model_copy(update={"suffixes": (suffix,)})) for suffix in suffixes]
    assert together == alone
    assert len(set(together)) == len(suffixes)


def test_half_of_a_surrogate_pair_has_a_key_too():
    assert key(CHOOSE.model_copy(update={"shared": ("\ud83d",)})) != key(CHOOSE.model_copy(update={"shared": ("",)}))


def test_the_seed_of_a_choice_counts_only_where_an_answer_is_sampled():
    assert key(CHOOSE.model_copy(update={"seed": 1})) == key()
    sampled = CHOOSE.model_copy(update={"temperature": 1.0})
    assert key(sampled.model_copy(update={"seed": 1})) != key(sampled)
