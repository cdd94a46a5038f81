"""What the server behind ``checkwise view`` gives, and what it refuses."""

import http.client
import json
import threading
from pathlib import Path

import pytest

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.records import Checklist, Dataset, Instance, Response, Turn
from checkwise.runs import Result
from checkwise.view import ViewServer
from checkwise.view.found_runs import find_runs
from checkwise.view.regrading import Command


def make_run(folder: Path, p_yes=0.8, **options):
    instances = tuple(Instance(id=name, turns=(Turn(role="user", content=name),)) for name in "ab")
    data = Dataset(
        name="demo",
        format="plain",
        instances=instances,
        responses=tuple(Response(instance_id=one.id, model=m, text=m) for one in instances for m in ("x", "y")),
        checklists=tuple(Checklist(instance_id=one.id, items=("Is it good?", "Is it short?")) for one in instances),
    )
    checkwise.run(data, judge=ScriptedEngine(lambda _: {"Yes": p_yes, "No": 1 - p_yes}), out=folder, **options)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "one")
    make_run(folder / "deep" / "two ü", p_yes=0.3)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.sqlite").write_bytes(b"nothing")
    return folder


@pytest.fixture(scope="module")
def server(runs):
    with ViewServer(runs) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server, path, method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply, text


def test_runs_are_found_below_the_folder_and_a_broken_one_says_why(server, runs):
    assert {run.name for run in find_runs(runs)} == {"one", "deep/two ü", "broken"}
    reply, text = ask(server, "/")
    assert reply.status == 200
    assert 'href="/run/one/"' in text
    assert 'href="/run/deep/two%20%C3%BC/"' in text
    assert "y (0.800)" in text or "x (0.800)" in text
    assert "broken" in text


def test_one_run_can_be_served_alone(runs):
    (run,) = find_runs(runs / "one")
    assert (run.name, run.progress()) == ("one", (4, 4))


def test_a_run_s_page_and_state(server):
    reply, text = ask(server, "/run/deep/two%20%C3%BC/")
    assert (reply.status, "Is it short?" in text) == (200, True)
    assert reply.getheader("X-Frame-Options") == "DENY"
    state = json.loads(ask(server, "/run/one/state")[1])
    assert (state["judged"], state["total"], state["running"], state["failure"]) == (4, 4, False, None)
    assert ask(server, "/run/none/")[0].status == 404
    assert ask(server, "/run/../../etc/")[0].status == 404


def test_two_runs_compared(server):
    text = ask(server, "/compare?before=one&after=deep/two%20%C3%BC")[1]
    assert "-0.500" in text
    assert text.count('data-turned="lost"') == 8
    assert ask(server, "/compare?before=one&after=none")[0].status == 404


def test_only_this_machine_by_its_own_name_is_answered(server):
    assert ask(server, "/", Host="evil.example")[0].status == 403
    assert ask(server, "/", Host=f"localhost:{server.server_port}")[0].status == 200


def test_changes_want_the_token_of_the_page(server, runs):
    body = json.dumps({"instance": "a", "items": ["Is it new?", " "]})
    before = Result(runs / "one").checklists
    assert ask(server, "/run/one/checklist", "POST", body)[0].status == 403
    assert not list((runs / "one").glob("*.part"))
    reply, _ = ask(server, "/run/one/checklist", "POST", body, X_Checkwise_Token=server.token)
    assert reply.status == 200
    lines = (runs / "one" / "checklists.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["checklist"] for line in lines] == [["Is it new?"], ["Is it good?", "Is it short?"]]
    # Nothing is graded before somebody asks for it.
    assert Result(runs / "one").checklists == before


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"instance": "a", "items": [" "]}, "the checklist has no items"),
        ({"instance": "z", "items": ["Is it?"]}, "no checklist for this instance"),
        ({"instance": "a"}, "has no list of items"),
    ],
)
def test_what_cannot_be_saved_is_said(server, body, message):
    reply, text = ask(server, "/run/one/checklist", "POST", json.dumps(body), X_Checkwise_Token=server.token)
    assert (reply.status, message in json.loads(text)["error"]) == (409, True)


def test_a_run_that_a_program_made_is_not_graded_from_the_page(server):
    reply, text = ask(server, "/run/one/regrade", "POST", "{}", X_Checkwise_Token=server.token)
    assert (reply.status, "nobody knows how this run was made" in text) == (409, True)


def test_grading_again_uses_the_edited_lists_in_place_of_a_file(tmp_path, monkeypatch):
    make_run(tmp_path / "run")
    assert Command.of(tmp_path / "run") is None
    call = ["run", "data", "--checklists", "lists.md", "--judge", "x", "--checklists=more.md"]
    kept = json.dumps({"arguments": call, "folder": str(tmp_path)})
    monkeypatch.setattr("checkwise.runs.stored_run.StoredRun.facts", {"command": kept})
    command = Command.of(tmp_path / "run")
    assert (str(command), command.folder) == ("checkwise run data --judge x", tmp_path)
