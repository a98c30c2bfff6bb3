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


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("2 later answers fell away.", "fell away"),
        ("The table does not answer just now.", "just now"),
        ("Names of the sides (if you like)", "if you like"),
        ("Stop running the table", "running the table"),
        ("It shows on the glass.", "glass"),
        ("Leave it", "Leave it"),
        ("Really remove the whole deck?", "Really remove the whole deck?"),
        ("Really? Its phones will only watch", "Really?"),
        ("A die of another colour", "colour"),
        ("The defence is asked", "defence"),
        ("How large is a millimetre?", "millimetre"),
        ("A fly-out to center", "fly-out"),
        ("Highest 6: home-run.", "home-run"),
        ("Which line-ups do you use?", "line-ups"),
        ("They play in the semi-finals.", "semi-finals"),
        ("Nobody holds it any more.", "any more"),
        ("The table draws by itself.", "by itself"),
        ("Two games are put aside.", "put aside"),
        ("No, play on", "play on"),
        ("Look again before you repeat it.", "Look again"),
        ("It may have gone through all the same.", "all the same"),
        ("Its button switches the Pi off.", "switches the Pi off"),
        ("The die was thrown again.", "thrown again"),
        ("Null if it was left lying", "left lying"),
        ("What each seat is asked", "seat is asked"),
        ("A die is in it: take it out.", "take it out"),
    ],
)
def test_words_that_no_other_page_has_are_found(check: ModuleType, text: str, phrase: str) -> None:
    assert check.sentence_faults("web/one.js", [text]) == [f"web/one.js: {phrase}: {text}"]


def test_baseball_and_plain_words_pass(check: ModuleType) -> None:
    said = [
        "Leave it in force",
        "He really hit that one.",
        "Clear the table",
        "The color of the defense",
        "An eyeglass",
        "The buttons are off: play on phones.",
        "He laid down a bunt.",
        "Who is asked about cards?",
        "Take the sure out.",
    ]
    assert check.sentence_faults("web/one.js", said) == []


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("web/templates/one.html", '<img id="glass">', "glass"),
        ("web/templates/one.html", '<button id="put-aside">', "put-aside"),
        ("web/static/js/one.js", "picture.src = `/glass.png?t=1`;", "glass"),
        ("web/static/css/one.css", "#glass { border: 0; }", "glass"),
        ("web/routes/one.py", '@router.get("/glass.png")', "glass"),
    ],
)
def test_a_bad_name_on_a_page_is_found(check: ModuleType, path: str, text: str, name: str) -> None:
    assert check.name_faults(path, text) == [f"{path}:1: {name}"]
    assert check.name_faults(path, text.replace(name, "display")) == []
    assert check.name_faults("device/one.py", text) == []
