"""Questions that begin alike go to one worker, and all workers have as much to do."""

from contextlib import ExitStack

from checkwise.engines.affinity import Affinity


def ask(affinity, prefix):
    with affinity.worker_for(prefix) as worker:
        return worker


def test_the_same_beginning_goes_to_the_same_worker():
    affinity = Affinity(3, at_once=3)
    first = [ask(affinity, prefix) for prefix in "abc"]
    assert sorted(first) == [0, 1, 2]
    assert [ask(affinity, prefix) for prefix in "cab"] == [first[2], first[0], first[1]]


def test_an_instance_that_ended_makes_room_on_its_worker():
    affinity = Affinity(2, at_once=2)
    with affinity.worker_for("long") as busy:
        for prefix in ("short 1", "short 2", "short 3"):
            assert ask(affinity, prefix) != busy


def test_workers_that_take_several_at_once_share_them_evenly():
    affinity = Affinity(2, at_once=6)
    with ExitStack() as running:
        workers = [running.enter_context(affinity.worker_for(f"prefix {number}")) for number in range(6)]
    assert sorted(workers) == [0, 0, 0, 1, 1, 1]


def test_a_question_that_runs_is_never_forgotten():
    affinity = Affinity(2, at_once=1)
    with affinity.worker_for("a") as first, affinity.worker_for("b") as second:
        assert first != second
        assert ask(affinity, "a") == first
