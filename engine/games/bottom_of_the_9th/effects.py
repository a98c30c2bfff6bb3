"""What abilities are made of: a phrase says what is done, a table of facts when.

    direction = "swing +1"
    location = { do = "S as B", when = { control = [1, 2] }, may = true, uses = "at-bat" }

When in the round an ability acts follows from both: as soon as what it asks for is known, and not before its turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Field, Phrases, flag, one_of, quoted, several, typed, unknown, whole

DIRECTIONS = ("inside", "away")
LOCATIONS = ("high", "low")
LETTERS = ("B", "S", "C")
RESULTS = ("ball", "strike", "foul", "contact", "crush")

PHASES = ("reveal", "pitch", "swing", "result", "bonus", "run", "cleanup")
"""The moments of a round at which abilities act, in order: after the reveal, with the pitcher's dice thrown, with the
swing die thrown, with the pitch judged, with the bonus thrown, before the race, after it all."""

_LETTER, _RESULT = "|".join(LETTERS), "|".join(RESULTS)

_GRAMMAR = (
    (r"(?P<what>control) (?P<value>[+-][1-5])", "add", "pitch", "swing"),
    (r"(?P<what>swing) (?P<value>[+-][1-5])", "add", "swing", "swing"),
    (r"(?P<what>bonus) (?P<value>[+-][1-5])", "add", "bonus", "bonus"),
    (r"(?P<what>control) = (?P<value>[1-6])", "set", "pitch", "swing"),
    (r"(?P<what>swing) = (?P<value>[1-6])", "set", "swing", "swing"),
    (r"(?P<what>bonus) = (?P<value>[1-6])", "set", "bonus", "bonus"),
    (r"reroll (?P<what>control|pitch)", "reroll", "pitch", "swing"),
    (r"reroll (?P<what>swing)", "reroll", "swing", "swing"),
    (r"reroll (?P<what>bonus)", "reroll", "bonus", "bonus"),
    (rf"(?P<what>{_LETTER}) as (?P<value>{_LETTER})", "letter", "pitch", "swing"),
    (rf"(?P<what>{_RESULT}) as (?P<value>{_RESULT})", "result", "swing", "result"),
    (r"bonus (?P<what>[1-6]) as (?P<value>contact|1B|2B|3B|HR)", "bonus", "bonus", "bonus"),
    (r"(?P<what>ball|strike) (?P<value>\+[12])", "count", "result", "result"),
    (r"runners (?P<value>\+[1-3])", "runners", "result", "result"),
    (r"(?P<what>race|their race) (?P<value>[4-6])", "race", "run", "run"),
    (r"unopposed", "unopposed", "run", "run"),
    (r"cancel (?P<what>direction|location|ace|mvp|trait)", "cancel", "reveal", "run"),
    (r"(?P<what>direction|location|both) fatigue (?P<value>\+[1-5])", "fatigue", "reveal", "reveal"),
    (r"(?P<what>direction|location|both) fatigue (?P<value>-[1-5])", "fatigue", "cleanup", "cleanup"),
)
"""Every phrase there is, its verb, and the first and last phase at which it can be done."""

PHRASES: Phrases = {
    "control +1, swing -2, bonus +1": "changes a die by up to 5; never beyond 1 or 6",
    "control = 4, swing = 4, bonus = 4": "makes it count as that",
    "reroll control, reroll pitch, reroll swing, reroll bonus": (
        "has a die thrown again; pitch is the one with letters"
    ),
    "B as S": "a letter of the pitching die counts as another",
    "strike as ball": (
        "one of ball, strike, foul, contact, crush becomes another; a pitch made a crush is rolled for, as any crush"
    ),
    "bonus 2 as 1B": "a face of the bonus roll is worth contact, 1B, 2B, 3B or HR",
    "ball +1, strike +1": "counts that many more, beside what was thrown",
    "runners +1": "all runners go on, before the pitch counts",
    "race 4, their race 6": "from which face on a die wins the race, ours or theirs",
    "unopposed": "rolls once alone before the race",
    "direction fatigue +1, location fatigue +1, both fatigue +1": "tires the pitcher, at the reveal",
    "direction fatigue -1, location fatigue -1, both fatigue -1": "rests the pitcher, in the cleanup",
    "cancel ace": (
        "switches off what the other card has in direction, location, ace, mvp or trait for this pitch; "
        "trait is speed, fielding and unopposed roll too"
    ),
}
"""Every phrase for people, as docs/cards.md has it too."""

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
"""What an ability may ask for: the phase from which it is known, and the values it can have. `direction` and `location`
are the pitch thrown, `tokens` how many the card's own seat holds, rows those of the fatigue tokens, dice as they fell;
`compare` sets the swing die against the control die."""

Needs = tuple[tuple[str, tuple[Any, ...]], ...]
"""Facts with the values that will do for each; all of them must hold."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What is done, as typed and taken apart: `verb` (see `_GRAMMAR`) to `what`, by or to `value`."""

    text: str
    verb: str
    what: str = ""
    value: int | str = 0


@dataclass(frozen=True, slots=True)
class Ability:
    """One effect at one phase, when any of `when` and none of `unless` holds; `may`: only if its player wants to.

    `uses` says how often: once a `pitch`, an `at-bat` or a `game`.
    """

    effect: Effect
    phase: str
    when: tuple[Needs, ...] = ()
    unless: tuple[Needs, ...] = ()
    may: bool = False
    uses: str = "pitch"


def phrase(text: Any) -> tuple[Effect, str, str]:
    """The effect that `text` says, with the first and last phase at which it can be done. Raises ValueError."""
    for pattern, verb, first, last in _GRAMMAR:
        if isinstance(text, str) and (found := re.fullmatch(pattern, text)):
            parts = found.groupdict()
            value = parts.get("value") or "0"
            number = re.fullmatch(r"[+-]?\d", value)
            return Effect(text, verb, parts.get("what") or "", int(value) if number else value), first, last
    raise ValueError(unknown(text, "ability", PHRASES))


def abilities(value: Any) -> tuple[Ability, ...]:
    """A phrase, a table, or a list of these, as a card has it. Raises ValueError with the reason."""
    found: tuple[Ability, ...] = several(typed(_ability, "swing +1"))(value)
    return found


def _ability(entry: Any) -> Ability:
    table = {"do": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict):
        raise ValueError(f"wants a phrase or a table with do, not {quoted(entry)}.")
    if strange := [name for name in table if name not in ("do", "when", "unless", "may", "uses")]:
        raise ValueError(f"has no {quoted(strange[0])}; there are do, when, unless, may, uses.")
    effect, first, last = phrase(table.get("do"))
    when, unless = (_needs(name, table.get(name, [])) for name in ("when", "unless"))
    asked = [name for needs in (*when, *unless) for name, _ in needs]
    phase = max([first, *(CONDITIONS[name][0] for name in asked)], key=PHASES.index)
    if PHASES.index(phase) > PHASES.index(last):
        late = next(name for name in asked if CONDITIONS[name][0] == phase)
        raise ValueError(f"{effect.text!r} is done before {late} is known.")
    may = _named("may", flag(), table.get("may", False))
    uses = _named("uses", one_of("pitch", "at-bat", "game"), table.get("uses", "pitch"))
    return Ability(effect, phase, when, unless, may, uses)


def _needs(name: str, value: Any) -> tuple[Needs, ...]:
    """A table of conditions, or a list of tables of which one will do."""
    tables = value if isinstance(value, list) else [value]
    if not all(isinstance(table, dict) and table for table in tables):
        raise ValueError(f"{name}: wants a table of conditions, not {quoted(value)}.")
    for table in tables:
        for key in table:
            if key not in CONDITIONS:
                raise ValueError(f"{name}: has no {quoted(key)}; there are {', '.join(CONDITIONS)}.")
    return tuple(
        tuple((key, _named(f"{name}, {key}", several(CONDITIONS[key][1]), item)) for key, item in table.items())
        for table in tables
    )


def _named(name: str, field: Field, value: Any) -> Any:
    """`value` as `field` checks it; what is wrong with it is said under `name`."""
    try:
        return field(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
