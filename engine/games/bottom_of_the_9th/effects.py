"""Abilities: a phrase says what happens, and a table of facts when.

    direction = "swing +1"
    location = { do = "S as B", when = { control = [1, 2] }, may = true, uses = "at-bat" }

Both decide when in the round an ability acts: as soon as its facts are known, and not before its turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Field, flag, one_of, quoted, several, typed, whole
from engine.phrases import Row, Vocabulary, number, signed, words

DIRECTIONS = ("inside", "away")
LOCATIONS = ("high", "low")
LETTERS = ("B", "S", "C")
RESULTS = ("ball", "strike", "foul", "contact", "crush")

PHASES = ("reveal", "pitch", "swing", "result", "bonus", "run", "cleanup")
"""The moments of a round when abilities act, in order: after the reveal, the pitcher's roll, the swing roll, the result
and the bonus roll, before the race, and at the end."""


TURNS = ("", "letter", "result", "bonus")
"""The order in a phase: first what changes dice, then what turns letter, result or bonus into another."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What an ability does: `verb` (see `PHRASES`) to `what`, by or to `value`; `text` as typed."""

    text: str
    verb: str
    what: str = ""
    value: int | str = 0


_TIMES = {"control": ("pitch", "swing"), "pitch": ("pitch", "swing")}
"""When a die can be changed; swing and bonus only in their own phase."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What can be typed: an effect, and the first and last phase at which it can happen."""

    effect: Effect
    first: str
    last: str


def _phrase(text: str, verb: str, at: str = "", what: str = "", value: int | str = 0) -> Phrase:
    """Return a phrase; `at` is its phase, or the first and last one, and without it that of the die."""
    phases = tuple(at.split()) or _TIMES.get(what, (what,))
    return Phrase(Effect(text, verb, what, value), phases[0], phases[-1])


PHRASES = Vocabulary(
    "ability",
    _phrase,
    {
        "by": signed(-5, 5, "+1", "-2"),
        "more": signed(1, 5, "+1"),
        "less": signed(-5, -1, "-1"),
        "twice": signed(1, 2, "+1"),
        "bases": signed(1, 3, "+1"),
        "face": number(1, 6, "4"),
        "wins": number(4, 6, "4", "6"),
        "letter": words(*LETTERS),
        "result": words(*RESULTS),
    },
    Row("{what:control|swing|bonus} {value:by}", "changes a die by up to 5, never beyond 1 or 6", verb="add"),
    Row("{what:control|swing|bonus} = {value:face}", "makes a die count as this", verb="set"),
    Row("reroll {what:control|pitch|swing|bonus}", "rerolls a die; `pitch` is the one with letters", verb="reroll"),
    Row(
        "{what:letter} as {value:letter}",
        "makes a letter of the pitching die count as another",
        "B as S",
        verb="letter",
        at="pitch swing",
    ),
    Row(
        "{what:result} as {value:result}",
        "turns one of `ball`, `strike`, `foul`, `contact`, `crush` into another; a new `crush` gets a bonus roll, too",
        "strike as ball",
        verb="result",
        at="swing result",
    ),
    Row(
        "bonus {what:1|2|3|4|5|6} as {value:contact|1B|2B|3B|HR}",
        "makes a face of the bonus roll worth `contact`, `1B`, `2B`, `3B` or `HR`",
        "bonus 2 as 1B",
        verb="bonus",
        at="bonus",
    ),
    Row("{what:ball|strike} {value:twice}", "counts this many more, besides the throw", verb="count", at="result"),
    Row("runners {value:bases}", "all runners advance, before the pitch counts", verb="runners", at="result"),
    Row(
        "{what:race|their race} {value:wins}",
        "the lowest face that wins the race, yours or theirs",
        verb="race",
        at="run",
    ),
    Row("unopposed", "rolls once alone before the race", verb="unopposed", at="run"),
    Row(
        "{what:direction|location|both} fatigue {value:more}",
        "tires the pitcher, at the reveal",
        verb="fatigue",
        at="reveal",
    ),
    Row(
        "{what:direction|location|both} fatigue {value:less}",
        "rests the pitcher, in the cleanup",
        verb="fatigue",
        at="cleanup",
    ),
    Row(
        "cancel {what:direction|location|ace|mvp|trait}",
        "switches off this part of the other card for this pitch; `trait` is speed, fielding and unopposed roll too",
        verb="cancel",
        at="reveal run",
    ),
)
"""Every ability, with the phases at which it can act where they are not those of the die."""

_FACE, _BASE = whole(1, 6), one_of("occupied", "empty")

CONDITIONS: Mapping[str, tuple[str, Field]] = {
    "direction": ("reveal", one_of(*DIRECTIONS)),
    "location": ("reveal", one_of(*LOCATIONS)),
    "tokens": ("reveal", whole(0, 2)),
    "balls": ("reveal", whole(0, 3)),
    "strikes": ("reveal", whole(0, 2)),
    "outs": ("reveal", whole(0, 2)),
    "first": ("reveal", _BASE),
    "second": ("reveal", _BASE),
    "third": ("reveal", _BASE),
    "direction_row": ("reveal", whole(0, 9)),
    "location_row": ("reveal", whole(0, 9)),
    "letter": ("pitch", one_of(*LETTERS)),
    "control": ("pitch", _FACE),
    "swing": ("swing", _FACE),
    "compare": ("swing", one_of("less", "equal", "more")),
    "result": ("result", one_of(*RESULTS)),
    "bonus": ("bonus", _FACE),
}
"""The facts for conditions: the phase from which each is known, and its values.

`direction` and `location` are the pitch, `tokens` counts those of the card's own seat, rows are those of the fatigue
tokens, dice are natural, and `compare` is the swing die against the control die.
"""

Needs = tuple[tuple[str, tuple[Any, ...]], ...]
"""Facts, each with the values that satisfy it; all of them must hold."""


@dataclass(frozen=True, slots=True)
class Ability:
    """An effect in its phase, if any of `when` and none of `unless` holds; with `may`, its player decides.

    `uses` says how often: once a `pitch`, an `at-bat` or a `game`.
    """

    effect: Effect
    phase: str
    when: tuple[Needs, ...] = ()
    unless: tuple[Needs, ...] = ()
    may: bool = False
    uses: str = "pitch"


def abilities(value: Any) -> tuple[Ability, ...]:
    """Read a phrase, a table, or a list of them. Raises ValueError."""
    found: tuple[Ability, ...] = several(typed(_ability, "swing +1"))(value)
    return found


def _ability(entry: Any) -> Ability:
    table = {"do": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict):
        raise ValueError(f"needs a phrase or a table with do, not {quoted(entry)}.")
    if strange := [name for name in table if name not in ("do", "when", "unless", "may", "uses")]:
        raise ValueError(f"has no {quoted(strange[0])}; there are do, when, unless, may, uses.")
    phrase = PHRASES.read(table.get("do"))
    when, unless = (_needs(name, table.get(name, [])) for name in ("when", "unless"))
    asked = [name for needs in (*when, *unless) for name, _ in needs]
    phase = max([phrase.first, *(CONDITIONS[name][0] for name in asked)], key=PHASES.index)
    if PHASES.index(phase) > PHASES.index(phrase.last):
        late = next(name for name in asked if CONDITIONS[name][0] == phase)
        raise ValueError(f"{phrase.effect.text!r} is done before {late} is known.")
    may = _named("may", flag(), table.get("may", False))
    uses = _named("uses", one_of("pitch", "at-bat", "game"), table.get("uses", "pitch"))
    return Ability(phrase.effect, phase, when, unless, may, uses)


def _needs(name: str, value: Any) -> tuple[Needs, ...]:
    """Read a table of conditions, or a list of tables of which one must hold."""
    tables = value if isinstance(value, list) else [value]
    if not all(isinstance(table, dict) and table for table in tables):
        raise ValueError(f"{name}: needs a table of conditions, not {quoted(value)}.")
    for table in tables:
        for key in table:
            if key not in CONDITIONS:
                raise ValueError(f"{name}: has no {quoted(key)}; there are {', '.join(CONDITIONS)}.")
    return tuple(
        tuple((key, _named(f"{name}, {key}", several(CONDITIONS[key][1]), item)) for key, item in table.items())
        for table in tables
    )


def _named(name: str, field: Field, value: Any) -> Any:
    """Return the value that `field` reads. Raises ValueError that begins with `name`."""
    try:
        return field(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
