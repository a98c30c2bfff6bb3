"""Abilities: a phrase says what happens, and a table of facts when.

    direction = "swing +1"
    location = { do = "S as B", when = { control = [1, 2] }, may = true, uses = "at-bat" }

Both decide when in the round an ability acts: as soon as its facts are known, and not before its turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import CardField, boolean_field, choice_field, custom_field, integer_field, list_field, quoted_value
from engine.phrases import PhraseRow, Vocabulary, number_slot, signed_number_slot, word_slot

PITCH_DIRECTIONS = ("inside", "away")
PITCH_LOCATIONS = ("high", "low")
PITCH_LETTERS = ("B", "S", "C")
PITCH_RESULTS = ("ball", "strike", "foul", "contact", "crush")

ABILITY_PHASES = ("reveal", "pitch", "swing", "result", "bonus", "run", "cleanup")
"""The moments of a round when abilities act, in order: after the reveal, the pitcher's roll, the swing roll, the result
and the bonus roll, before the race, and at the end."""


ORDER_IN_PHASE = ("", "letter", "result", "bonus")
"""The order in a phase: first what changes dice, then what turns letter, result or bonus into another."""


@dataclass(frozen=True, slots=True)
class AbilityEffect:
    """What an ability does: `verb` (see `ABILITY_PHRASES`) to `what`, by or to `value`; `text` as typed."""

    text: str
    verb: str
    what: str = ""
    value: int | str = 0


_DIE_PHASES = {"control": ("pitch", "swing"), "pitch": ("pitch", "swing")}
"""When a die can be changed; swing and bonus only in their own phase."""


@dataclass(frozen=True, slots=True)
class AbilityPhrase:
    """What can be typed: an effect, and the first and last phase at which it can happen."""

    effect: AbilityEffect
    first: str
    last: str


def _build_phrase(text: str, verb: str, at: str = "", what: str = "", value: int | str = 0) -> AbilityPhrase:
    """Return a phrase; `at` is its phase, or the first and last one, and without it that of the die."""
    phases = tuple(at.split()) or _DIE_PHASES.get(what, (what,))
    return AbilityPhrase(AbilityEffect(text, verb, what, value), phases[0], phases[-1])


ABILITY_PHRASES = Vocabulary(
    "ability",
    _build_phrase,
    {
        "by": signed_number_slot(-5, 5, "+1", "-2"),
        "more": signed_number_slot(1, 5, "+1"),
        "less": signed_number_slot(-5, -1, "-1"),
        "twice": signed_number_slot(1, 2, "+1"),
        "bases": signed_number_slot(1, 3, "+1"),
        "face": number_slot(1, 6, "4"),
        "wins": number_slot(4, 6, "4", "6"),
        "letter": word_slot(*PITCH_LETTERS),
        "result": word_slot(*PITCH_RESULTS),
    },
    PhraseRow("{what:control|swing|bonus} {value:by}", "changes a die by up to 5, never beyond 1 or 6", verb="add"),
    PhraseRow("{what:control|swing|bonus} = {value:face}", "makes a die count as this", verb="set"),
    PhraseRow(
        "reroll {what:control|pitch|swing|bonus}", "rerolls a die; `pitch` is the one with letters", verb="reroll"
    ),
    PhraseRow(
        "{what:letter} as {value:letter}",
        "makes a letter of the pitching die count as another",
        "B as S",
        verb="letter",
        at="pitch swing",
    ),
    PhraseRow(
        "{what:result} as {value:result}",
        "turns one of `ball`, `strike`, `foul`, `contact`, `crush` into another; a new `crush` gets a bonus roll, too",
        "strike as ball",
        verb="result",
        at="swing result",
    ),
    PhraseRow(
        "bonus {what:1|2|3|4|5|6} as {value:contact|1B|2B|3B|HR}",
        "makes a face of the bonus roll worth `contact`, `1B`, `2B`, `3B` or `HR`",
        "bonus 2 as 1B",
        verb="bonus",
        at="bonus",
    ),
    PhraseRow(
        "{what:ball|strike} {value:twice}", "counts this many more, besides the throw", verb="count", at="result"
    ),
    PhraseRow("runners {value:bases}", "all runners advance, before the pitch counts", verb="runners", at="result"),
    PhraseRow(
        "{what:race|their race} {value:wins}",
        "the lowest face that wins the race, yours or theirs",
        verb="race",
        at="run",
    ),
    PhraseRow("unopposed", "rolls once alone before the race", verb="unopposed", at="run"),
    PhraseRow(
        "{what:direction|location|both} fatigue {value:more}",
        "tires the pitcher, at the reveal",
        verb="fatigue",
        at="reveal",
    ),
    PhraseRow(
        "{what:direction|location|both} fatigue {value:less}",
        "rests the pitcher, in the cleanup",
        verb="fatigue",
        at="cleanup",
    ),
    PhraseRow(
        "cancel {what:direction|location|ace|mvp|trait}",
        "switches off this part of the other card for this pitch; `trait` is speed, fielding and unopposed roll too",
        verb="cancel",
        at="reveal run",
    ),
)
"""Every ability, with the phases at which it can act where they are not those of the die."""

_FACE_FIELD = integer_field(1, 6)
_BASE_FIELD = choice_field("occupied", "empty")

CONDITION_FACTS: Mapping[str, tuple[str, CardField]] = {
    "direction": ("reveal", choice_field(*PITCH_DIRECTIONS)),
    "location": ("reveal", choice_field(*PITCH_LOCATIONS)),
    "tokens": ("reveal", integer_field(0, 2)),
    "balls": ("reveal", integer_field(0, 3)),
    "strikes": ("reveal", integer_field(0, 2)),
    "outs": ("reveal", integer_field(0, 2)),
    "first": ("reveal", _BASE_FIELD),
    "second": ("reveal", _BASE_FIELD),
    "third": ("reveal", _BASE_FIELD),
    "direction_row": ("reveal", integer_field(0, 9)),
    "location_row": ("reveal", integer_field(0, 9)),
    "letter": ("pitch", choice_field(*PITCH_LETTERS)),
    "control": ("pitch", _FACE_FIELD),
    "swing": ("swing", _FACE_FIELD),
    "compare": ("swing", choice_field("less", "equal", "more")),
    "result": ("result", choice_field(*PITCH_RESULTS)),
    "bonus": ("bonus", _FACE_FIELD),
}
"""The facts for conditions: the phase from which each is known, and its values.

`direction` and `location` are the pitch, `tokens` counts those of the card's own seat, rows are those of the fatigue
tokens, dice are natural, and `compare` is the swing die against the control die.
"""

Needs = tuple[tuple[str, tuple[Any, ...]], ...]
"""Facts, each with the values that satisfy it; all of them must hold."""


@dataclass(frozen=True, slots=True)
class CardAbility:
    """An effect in its phase, if any of `when` and none of `unless` holds; with `may`, its player decides.

    `uses` says how often: once a `pitch`, an `at-bat` or a `game`.
    """

    effect: AbilityEffect
    phase: str
    when: tuple[Needs, ...] = ()
    unless: tuple[Needs, ...] = ()
    may: bool = False
    uses: str = "pitch"


def parse_abilities(value: Any) -> tuple[CardAbility, ...]:
    """Read a phrase, a table, or a list of them. Raises ValueError."""
    found: tuple[CardAbility, ...] = list_field(custom_field(_parse_ability, "swing +1"))(value)
    return found


def _parse_ability(entry: Any) -> CardAbility:
    table = {"do": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict):
        raise ValueError(f"needs a phrase or a table with do, not {quoted_value(entry)}.")
    if strange := [name for name in table if name not in ("do", "when", "unless", "may", "uses")]:
        raise ValueError(f"has no {quoted_value(strange[0])}; there are do, when, unless, may, uses.")
    phrase = ABILITY_PHRASES.parse_phrase(table.get("do"))
    when, unless = (_parse_needs(name, table.get(name, [])) for name in ("when", "unless"))
    asked = [name for needs in (*when, *unless) for name, _ in needs]
    phase = max([phrase.first, *(CONDITION_FACTS[name][0] for name in asked)], key=ABILITY_PHASES.index)
    if ABILITY_PHASES.index(phase) > ABILITY_PHASES.index(phrase.last):
        late = next(name for name in asked if CONDITION_FACTS[name][0] == phase)
        raise ValueError(f"{phrase.effect.text!r} is done before {late} is known.")
    may = _parse_named_field("may", boolean_field(), table.get("may", False))
    uses = _parse_named_field("uses", choice_field("pitch", "at-bat", "game"), table.get("uses", "pitch"))
    return CardAbility(phrase.effect, phase, when, unless, may, uses)


def _parse_needs(name: str, value: Any) -> tuple[Needs, ...]:
    """Read a table of conditions, or a list of tables of which one must hold."""
    tables = value if isinstance(value, list) else [value]
    if not all(isinstance(table, dict) and table for table in tables):
        raise ValueError(f"{name}: needs a table of conditions, not {quoted_value(value)}.")
    for table in tables:
        for key in table:
            if key not in CONDITION_FACTS:
                raise ValueError(f"{name}: has no {quoted_value(key)}; there are {', '.join(CONDITION_FACTS)}.")
    return tuple(
        tuple(
            (key, _parse_named_field(f"{name}, {key}", list_field(CONDITION_FACTS[key][1]), item))
            for key, item in table.items()
        )
        for table in tables
    )


def _parse_named_field(name: str, field: CardField, value: Any) -> Any:
    """Return the value that `field` reads. Raises ValueError that begins with `name`."""
    try:
        return field(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
