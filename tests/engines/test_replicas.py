"""Which server a request goes to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.engines.replicas import Replicas


def test_one_prefix_has_one_server_and_prefixes_are_spread():
    replicas = Replicas(["a", "b", "c", "d"])
    first = Counter(replicas.order(f"prefix {number}")[0] for number in range(400))
    assert all(60 < count < 140 for count in first.values())
    assert replicas.order("prefix 1") == replicas.order("prefix 1")


@given(st.text(), st.sets(st.text(min_size=1), min_size=2, max_size=6))
def test_losing_a_server_moves_only_what_was_there(prefix, names):
    names = sorted(names)
    order = [names[place] for place in Replicas(names).order(prefix)]
    assert sorted(order) == names
    left = [name for name in names if name != order[0]]
    assert [left[place] for place in Replicas(left).order(prefix)] == order[1:]


def test_round_robin_takes_turns():
    replicas = Replicas(["a", "b", "c"], routing="round-robin")
    assert [replicas.order("same") for _ in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]


def test_no_server_is_an_error():
    with pytest.raises(ValueError, match="no server"):
        Replicas([])
