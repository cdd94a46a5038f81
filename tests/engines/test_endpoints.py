"""From a name to an address and a key."""

import pytest

from checkwise.engines.endpoints import OPENAI_URL, Endpoint, find_endpoint, is_hosted
from checkwise.errors import UnknownModelError

KEYS = {"OPENAI_API_KEY": "ours", "CHECKWISE_API_KEY": "theirs"}
PROXY = KEYS | {"OPENAI_BASE_URL": "https://proxy.example/v1/"}


@pytest.mark.parametrize(
    ("name", "environment", "endpoint"),
    [
        ("openai:gpt-4o-mini", KEYS, Endpoint("gpt-4o-mini", (OPENAI_URL,), "ours")),
        ("openai:a:b/c", PROXY, Endpoint("a:b/c", ("https://proxy.example/v1",), "ours")),
        ("http://localhost:8000/v1#qwen", {}, Endpoint("qwen", ("http://localhost:8000/v1",), None)),
        ("https://host.example/v1/#org/model#4", KEYS, Endpoint("org/model#4", ("https://host.example/v1",), "theirs")),
        ("http://b/v1, http://a/v1,http://b/v1#m", {}, Endpoint("m", ("http://b/v1", "http://a/v1"), None)),
    ],
)  # fmt: skip
def test_names(name, environment, endpoint):
    found = find_endpoint(name, environment)
    assert found == endpoint
    assert is_hosted(name)


def test_a_key_goes_to_its_own_host_only():
    assert find_endpoint("https://elsewhere.example/v1#m", {"OPENAI_API_KEY": "ours"}).key is None
    assert find_endpoint("https://api.openai.com/v1#m", KEYS).key == "ours"
    assert "ours" not in repr(find_endpoint("openai:m", KEYS))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openai:", "names no model"),
        ("http://localhost:8000/v1", "does not name a model"),
        ("http://localhost:8000/v1#", "does not name a model"),
        ("http://#m", "is no address"),
        ("http://host:notaport/v1#m", "is no address"),
        ("http://a/v1,ftp://b/v1#m", "is no address"),
        ("https://user:hunter2@host/v1#m", "holds a user, a password or a query"),
        ("https://host/v1?key=hunter2#m", "holds a user, a password or a query"),
    ],
)
def test_a_name_that_cannot_be_read_says_what_to_write(name, said):
    with pytest.raises(UnknownModelError, match=said) as caught:
        find_endpoint(name, {})
    assert caught.value.todo
    assert "hunter2" not in str(caught.value)
