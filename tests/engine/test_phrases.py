"""Card languages: rows of phrases, how they are read, and the examples of every game."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CardField
from engine.phrases import PhraseRow, Vocabulary, number_slot, signed_number_slot, value_slot
from tests.each import each

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts/phrases"))


@dataclass(frozen=True)
class Move:
    """The effect of a phrase in the toy language."""

    text: str
    how: str
    base: str = ""
    steps: int = 0


MOVES = Vocabulary(
    "move",
    Move,
    {
        "far": signed_number_slot(-2, 2, "+1", "-2"),
        "steps": number_slot(1, 3),
        "base": value_slot({"1st": "first", "1st base": "1B"}),
    },
    PhraseRow("{how:hop|skip} {steps:far}", "moves by `far`"),
    PhraseRow("run {steps} bases?", "runs", "run 1 base, run 2 bases", how="run"),
    PhraseRow("go to {base}", "goes there", how="go"),
    PhraseRow("stand|stay", "stays", "stand", lambda text, how: Move(text, how.upper()), how="still"),
    PhraseRow("", "two moves", "stand and stand"),
    plain=str.lower,
)


def test_a_phrase_is_read_by_its_row() -> None:
    """The effect has the slots, the row's own fields and the phrase as typed; the longer of two matching words wins."""
    read = [MOVES.parse_phrase(phrase) for phrase in ("skip -2", "Run 3 Bases", "go to 1st base", "stay")]
    assert [
        Move("skip -2", "skip", steps=-2),
        Move("Run 3 Bases", "run", steps=3),
        Move("go to 1st base", "go", "1B"),
        Move("stay", "STILL"),
    ] == read


def test_examples_come_from_the_samples() -> None:
    """Each slot takes its next sample; help lists them row by row, without code marks."""
    rows = [
        ("hop +1, skip -2", "moves by far"),
        ("run 1 base, run 2 bases", "runs"),
        ("go to 1st, go to 1st base", "goes there"),
        ("stand", "stays"),
        ("stand and stand", "two moves"),
    ]
    assert [{"say": say, "does": does} for say, does in rows] == MOVES.help_rows
    assert tuple(one for say, _ in rows for one in say.split(", ")) == MOVES.examples


@each(
    ("phrase", "fault"),
    [
        ("hopp +1", "Unknown move 'hopp +1'. Did you mean 'hop +1'?"),
        ("hop 1 +", "Unknown move 'hop 1 +'. Did you mean 'hop +1'?"),
        ("hop +0", "Unknown move 'hop +0'. Did you mean 'hop +1'?"),
        ("fly", "Unknown move 'fly'. One example is 'hop +1'."),
        (None, "Unknown move None. One example is 'hop +1'."),
        ("stand and stand", "Unknown move 'stand and stand'. Did you mean 'stand and stand'?"),
        ("run 4 bases", "'run 4 bases' needs a number from 1 to 3."),
    ],
)
def test_a_fault_says_what_is_wrong(phrase: object, fault: str) -> None:
    """The error has the closest example, or the bounds of a number."""
    with pytest.raises(ValueError, match=re.escape(fault)):
        MOVES.parse_phrase(phrase)


# Every game ------------------------------------------------------------------------------------------------------

VOCABULARIES: list[tuple[str, CardField, list[str]]] = list(SCRIPT["vocabularies"]())


def test_the_phrase_tables_are_current() -> None:
    """scripts/phrases updates them."""
    for path, text in SCRIPT["files"]().items():
        assert path.read_text("utf-8") == text, path.name


@each("name", [name for name, _, _ in VOCABULARIES])
def test_an_example_has_its_effect(name: str) -> None:
    """tests/engine/phrases.txt lists the effects for review."""
    recorded = (ROOT / "tests/engine/phrases.txt").read_text("utf-8").split(f"[{name}]\n")[1].split("\n[")[0]
    _, field, examples = next(one for one in VOCABULARIES if one[0] == name)
    assert recorded.splitlines() == [f"{example}  ->  {SCRIPT['short'](field(example))}" for example in examples]


def texts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield each effect in a field that has its phrase, with the phrase."""
    for effect in value if isinstance(value, tuple) else (value,):
        if phrase := getattr(effect, "text", ""):
            yield phrase, effect


@given(
    st.sampled_from(VOCABULARIES).flatmap(lambda one: st.tuples(st.just(one[1]), st.sampled_from(one[2]))), st.data()
)
def test_phrases_and_effects_round_trip(phrase: tuple[CardField, str], data: st.DataObject) -> None:
    """Any changed example is refused with a reason, or read as an effect whose text means the same."""
    field, text = phrase
    start, end = (data.draw(st.integers(0, len(text))) for _ in "ab")
    typed = text[:start] + data.draw(st.sampled_from(["", " ", "2", "or", "+", " and "])) + text[end:]
    reason, found = "", ()
    try:
        found = field(typed)
    except ValueError as error:
        reason = str(error)
    assert reason == "" or reason.endswith((".", "?"))
    for words, effect in texts(found):
        assert field(words) in (effect, (effect,))
