"""Abilities of cards. A phrase is the effect, and a table of facts its conditions.

    direction = "swing +1"
    location = { do = "S as B", when = { control = [1, 2] }, may = true, uses = "at-bat" }

Phrase and facts decide the phase. An ability acts as soon as its facts are known, but not before its turn.
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
"""Phases of a round: after the reveal, pitch, swing, result and bonus roll, before the race, and at the end."""

ORDER_IN_PHASE = ("", "letter", "result", "bonus")
"""Order within a phase. Changes of dice come first, then those of letter, result and bonus."""


@dataclass(frozen=True, slots=True)
class AbilityEffect:
    """The effect of an ability, `verb` (see `ABILITY_PHRASES`) done to `what`, by or to `value`. `text` is as typed."""

    text: str
    verb: str
    what: str = ""
    value: int | str = 0


_DIE_PHASES = {"control": ("pitch", "swing"), "pitch": ("pitch", "swing")}
"""First and last phase in which a die can be changed. Swing and bonus have only their own."""


@dataclass(frozen=True, slots=True)
class AbilityPhrase:
    """A typed effect with its first and last phase."""

    effect: AbilityEffect
    first: str
    last: str


def _build_phrase(text: str, verb: str, at: str = "", what: str = "", value: int | str = 0) -> AbilityPhrase:
    """Build a phrase. `at` is its phase, or the first and last one, or "" for those of its die."""
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
        "cancels this part of the other card for this pitch; `trait` is speed, fielding and unopposed roll too",
        verb="cancel",
        at="reveal run",
    ),
)
"""Every ability, with its phases where they are not those of its die."""

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
"""Facts for conditions, each with its values and the phase in which it becomes known.

`direction` and `location` are the pitch. `tokens` counts the tokens of the card's own seat, and rows are those of the
fatigue tokens. Dice are natural. `compare` is the swing die against the control die.
"""

Needs = tuple[tuple[str, tuple[Any, ...]], ...]
"""Facts, each with the values that satisfy it. All of them must hold."""


@dataclass(frozen=True, slots=True)
class CardAbility:
    """An effect that acts in `phase` if any of `when` and none of `unless` holds. With `may`, its player decides.

    `uses` limits it to once a "pitch", an "at-bat" or a "game".
    """

    effect: AbilityEffect
    phase: str
    when: tuple[Needs, ...] = ()
    unless: tuple[Needs, ...] = ()
    may: bool = False
    uses: str = "pitch"


def parse_abilities(value: Any) -> tuple[CardAbility, ...]:
    """Parse a phrase, a table, or a list of them. Raises ValueError."""
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
    """Parse a table of conditions, or a list of tables of which one must hold."""
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
    """Parse `value` as `field`. Raises ValueError with `name` first."""
    try:
        return field(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
