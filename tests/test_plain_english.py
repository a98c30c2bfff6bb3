"""The check for plain English: where it looks, and what it skips."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).resolve().parent.parent / "scripts/plain_english"
PHRASE = "The seat " + "is told."


@pytest.fixture(scope="module")
def check() -> ModuleType:
    loader = SourceFileLoader("plain_english", str(PATH))
    spec = spec_from_loader("plain_english", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("engine/one.py", f'\n"""{PHRASE}"""\n'),
        ("engine/one.py", f"\nx = 1  # {PHRASE}\n"),
        ("docs/one.md", f"\n{PHRASE}\n"),
        ("install/one.js", f"\n// {PHRASE}\n"),
        ("scripts/one", f"#!/bin/sh\n# {PHRASE}\n"),
        ("systemd/one.service", f"\n# {PHRASE}\n"),
    ],
)
def test_a_bad_phrase_is_found(check: ModuleType, path: str, text: str) -> None:
    assert check.faults(path, text) == [f"{path}:2: is told"]


def test_strings_and_plain_phrases_pass(check: ModuleType) -> None:
    text = f'x = "{PHRASE}"\n"""There is no camera, and the ask is no longer open."""\n'
    assert check.faults("scripts/one.py", text) == []


def test_a_bad_phrase_in_what_people_read_is_found(check: ModuleType) -> None:
    assert check.sentence_faults("web/one.html", ["Throw the dice.", PHRASE]) == [f"web/one.html: is told: {PHRASE}"]
