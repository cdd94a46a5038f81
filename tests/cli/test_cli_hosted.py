"""A judge behind OpenAI's API, from the command line: llama.cpp's own server, over HTTP."""

import json
import math
from pathlib import Path

import pytest
from tests.engines.batch_service import batch_service
from tests.engines.chat_service import said

ROWS = [
    {"id": "sky", "query": "What colour is the sky?", "model": "able", "response": "Blue."},
    {"id": "sky", "query": "What colour is the sky?", "model": "weak", "response": "It is a sky."},
]


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bench.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    Path("lists.md").write_text("1. Does the response say blue?\n2. Is it short?\n", encoding="utf-8")


@pytest.mark.real
def test_a_run_over_http_and_no_key_in_any_file(bench, checkwise, llama_http_server, monkeypatch):
    monkeypatch.setenv("CHECKWISE_API_KEY", llama_http_server.key)
    judge = f"{llama_http_server.url}#small"
    command = ("run", "bench.jsonl", "--checklists", "lists.md", "--judge", judge, "--out", "run", "--json")
    result = checkwise(*command)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["facts"]["judge"] == judge
    assert (document["asked"]["answered"], document["asked"]["failed"]) == (4, 0)
    assert {row["model"]: row["n"] for row in document["leaderboard"]} == {"able": 1, "weak": 1}
    again = json.loads(checkwise(*command).stdout)
    assert (again["asked"]["answered"], again["asked"]["reused"]) == (0, 4)
    exported = checkwise("export", "run", "--what", "grades", "--format", "csv", "--to", "grades.csv")
    assert exported.exit_code == 0, exported.output
    key = llama_http_server.key.encode()
    files = [path for path in Path().rglob("*") if path.is_file()]
    assert len(files) >= 5
    assert not [path for path in files if key in path.read_bytes()]
    assert llama_http_server.key not in result.output


@pytest.mark.real
def test_a_wrong_key_ends_the_run_with_the_servers_words(bench, checkwise, llama_http_server, monkeypatch):
    monkeypatch.setenv("CHECKWISE_API_KEY", "sk-planted-and-wrong")
    judge = f"{llama_http_server.url}#small"
    result = checkwise("run", "bench.jsonl", "--checklists", "lists.md", "--judge", judge, "--out", "run")
    assert result.exit_code == 2
    assert "answered 401" in result.output
    assert "CHECKWISE_API_KEY" in result.output
    assert "planted" not in result.output


def test_batches_are_sent_and_collected_by_running_again(bench, checkwise):
    top = {"Yes": math.log(0.7), "No": math.log(0.2)}
    with batch_service(lambda _: (200, said("Yes", top=top))) as service:
        service.ready = False
        judge = f"batch:{service.url}#tiny"
        command = ("run", "bench.jsonl", "--checklists", "lists.md", "--judge", judge, "--out", "run", "--no-wait")
        sent = checkwise(*command)
        assert sent.exit_code == 5, sent.output
        assert "4 requests are in batches that are not done yet" in sent.output
        assert "Run the same command again later" in sent.output
        service.ready = True
        collected = checkwise(*command, "--json")
        assert collected.exit_code == 0, collected.output
        assert json.loads(collected.stdout)["asked"]["answered"] == 4
    assert (len(service.batches), len(service.asked)) == (1, 4)


@pytest.mark.real
def test_the_doctor_says_what_an_endpoint_can_do(llama_http_server, monkeypatch, checkwise):
    monkeypatch.setenv("CHECKWISE_API_KEY", llama_http_server.key)
    result = checkwise("doctor", "--judge", f"{llama_http_server.url}#small", "--json")
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert checks["log-probabilities"]["found"].startswith("the likeliest ")
    assert checks["context"]["found"] == "2,048 tokens"
    assert checks["trial judgment"]["state"] in ("ok", "warning")
    assert llama_http_server.key not in result.output


def test_the_doctor_fails_where_a_judge_cannot_be_reached(checkwise):
    result = checkwise("doctor", "--judge", "http://127.0.0.1:9/v1#small", "--json")
    (check,) = [check for check in json.loads(result.stdout)["checks"] if check["state"] == "failed"]
    assert (result.exit_code, check["name"]) == (2, "judge")
