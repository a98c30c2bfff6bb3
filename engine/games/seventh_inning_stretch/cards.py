"""Cards of 7th Inning Stretch: batters and pitchers with a team on the back, and playoff cards (SI-002)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import (
    Card,
    CardShape,
    boolean_field,
    choice_field,
    custom_field,
    duplicate_faults,
    integer_field,
    list_field,
    optional_field,
    quoted_value,
    text_field,
)
from engine.errors import DeckError, DeckFault
from engine.events import spoken_list
from engine.games.seventh_inning_stretch.dice import abilities, conditions, scoring
from engine.games.seventh_inning_stretch.dice.abilities import PitcherAbility, parse_ability
from engine.games.seventh_inning_stretch.dice.conditions import (
    DICE_PHRASES,
    CardLine,
    DiceRule,
    normal_phrase,
    parse_dice,
    parse_line,
    plain_phrase,
)
from engine.games.seventh_inning_stretch.dice.scoring import ScoringRule, parse_scoring_rule
from engine.phrases import PhraseError, PhraseRow, PhraseSlot, Vocabulary, value_slot

TIER_CARD_COUNTS = {1: 18, 2: 14, 3: 14}
"""Cards of each tier (SI-002)."""

TIER_1_PITCHER_COUNT = 2
"""Pitchers in tier 1. The other tiers may have any number."""

MAX_CARD_LINES = 4
"""The most lines on a batter's card."""

CARD_SERIES = ("semifinals", "finals")
"""Series of the playoff cards (SI-006)."""
CARD_LEVELS = (1, 2, 3)
"""Levels of the playoff cards of each series, one card each (SI-006)."""


# Conditions of playoff cards -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayoffCondition:
    """The condition of a playoff card (SI-171). `text` is as typed.

    Attributes:
        ban: forbidden "rerolls", "nudges", "steals", "extra-bases", "abilities", or substitutions of "batters" and
            "pitchers".
        limit: most dice in one roll.
        more_dice, more_runs: the opponent's additional dice and runs per half.
        most: limits on the same uses as `ban`, per half.
        down: runs by which the manager starts behind.
        dice, least: replace the team's own (A9).
    """

    text: str
    ban: frozenset[str] = frozenset()
    limit: int | None = None
    more_dice: int = 0
    more_runs: int = 0
    most: tuple[tuple[str, int], ...] = ()
    down: int = 0
    dice: int | None = None
    least: int | None = None


NO_CONDITION = PlayoffCondition("none")

_BAN_NAMES = {
    "rerolls": "rerolls",
    "nudges": "nudges",
    "steals": "steals",
    "extra bases": "extra-bases",
    "batter substitutions": "batters",
    "pitcher substitutions": "pitchers",
    "pitcher abilities": "abilities",
}
_LIMIT_NAMES = {"rerolls": "rerolls", "nudge": "nudges", "steal": "steals", "pitcher abilities": "abilities"}
_LIMIT_NAMES |= {"reroll": "rerolls", "nudges": "nudges", "steals": "steals", "pitcher ability": "abilities"}

CONDITION_PHRASES = Vocabulary(
    "condition",
    lambda _, field, value, most=0: (field, (value, most) if field == "most" else value),
    {
        "name": value_slot(_BAN_NAMES),
        "some": value_slot(_LIMIT_NAMES),
        "digit": PhraseSlot(r"[0-9]", int, ("1",)),
        "dice": PhraseSlot(r"[0-9][0-9]?", int, ("3",)),
    },
    PhraseRow("", "the game is played as usual", "none"),
    PhraseRow("no {value:name}", "these are not used, tried or made; a nudge is a +/-1 token", field="ban"),
    PhraseRow(
        "at most {most:digit} {value:some} a half",
        "not used or tried more often",
        "at most 2 rerolls a half, at most 1 nudge a half, at most 1 steal a half, at most 2 pitcher abilities a half",
        field="most",
    ),
    PhraseRow(
        "at most {value:dice} (?:dice|die) a roll", "you roll no more at once", "at most 3 dice a roll", field="limit"
    ),
    PhraseRow(
        "the opponent rolls {value:digit} (?:dice|die) more",
        "more than on the team's card",
        "the opponent rolls 1 die more",
        field="more_dice",
    ),
    PhraseRow(
        "the opponent rolls {value:digit} (?:dice|die)",
        "instead of the dice on the team's card",
        "the opponent rolls 4 dice",
        field="dice",
    ),
    PhraseRow(
        "the opponent rolls at least {value:digit} (?:dice|die)",
        "instead of the least dice on the team's card",
        "the opponent rolls at least 2 dice",
        field="least",
    ),
    PhraseRow(
        "the opponent scores {value:digit} runs? more a half",
        "in addition to what the dice score",
        "the opponent scores 1 run more a half",
        field="more_runs",
    ),
    PhraseRow("start {value:digit} runs? down", "the opponent begins with this many", "start 1 run down", field="down"),
    PhraseRow("", "several together", "no rerolls and no nudges"),
    plain=plain_phrase,
)
"""Every condition of a playoff card; `parse_condition` combines them."""


def parse_condition(value: Any) -> PlayoffCondition:
    """Parse a condition, such as "no rerolls and start 1 run down". Raises PhraseError."""
    phrase = normal_phrase(value)
    found = PlayoffCondition(phrase)
    for part in phrase.split(" and ") if phrase != "none" else ():
        more = _with_phrase(found, *CONDITION_PHRASES.parse_phrase(part))
        if more == found:
            raise PhraseError(f"{quoted_value(phrase)} says something twice, or says nothing.")
        found = more
    if (found.limit, found.dice, found.least).count(0):
        raise PhraseError(f"{quoted_value(phrase)} needs one die at least.")
    return found


def _with_phrase(so_far: PlayoffCondition, field: str, value: Any) -> PlayoffCondition:
    """Return the condition with one more phrase. The first of two for the same field counts."""
    if field == "ban":
        return replace(so_far, ban=so_far.ban | {value})
    if field == "most":
        return replace(so_far, most=tuple(sorted((dict([value]) | dict(so_far.most)).items())))
    return so_far if getattr(so_far, field) else replace(so_far, **{field: value})


# Shapes ----------------------------------------------------------------------------------------------------------


def _parse_lines(value: Any) -> tuple[CardLine, ...]:
    found: tuple[CardLine, ...] = _lines_field(value)
    if len(found) > MAX_CARD_LINES:
        raise ValueError(f"can have at most {MAX_CARD_LINES} lines.")
    return found


_lines_field = list_field(custom_field(parse_line, "highest 5+: double", conditions.LINE_PHRASES.help_rows))

_name_field = text_field(20).with_meaning("What the player is called; no other card has that name.")
_back_field = optional_field(text_field(3), "").with_meaning(
    "The letters of the team on the back; of tiers 2 and 3 only."
)
_tier_field = integer_field(1, 3).with_meaning("The tier of the card.")
_condition_field = custom_field(parse_condition, "no rerolls", CONDITION_PHRASES.help_rows)

CARD_SHAPES: dict[str, CardShape] = {
    "batter": {
        "name": _name_field,
        "tier": _tier_field,
        "back": _back_field,
        "dice": optional_field(custom_field(parse_dice, "2", DICE_PHRASES.help_rows)).with_meaning(
            "The dice he brings, none to four or by a star's rule."
        ),
        "rerolls": optional_field(integer_field(0, 2), 0).with_meaning("The reroll tokens he brings."),
        "nudges": optional_field(integer_field(0, 2), 0).with_meaning("The +/-1 tokens he brings."),
        "lines": optional_field(replace(_lines_field, check=_parse_lines)).with_meaning(
            "What dice must show and what that is, one to four."
        ),
        "blank": optional_field(boolean_field(), False).with_meaning(
            "Leave out dice, tokens and lines; the table is then asked for them."
        ),
    },
    "pitcher": {
        "name": _name_field,
        "tier": _tier_field,
        "back": _back_field,
        "stamina": integer_field(1, 6).with_meaning("The exhaustion tokens he can take."),
        "ability": optional_field(
            custom_field(parse_ability, "lower one die by 2", abilities.ABILITY_PHRASES.help_rows)
        ).with_meaning("What he does for a token."),
        "blank": optional_field(boolean_field(), False).with_meaning(
            "Leave out the ability; the table then says what it does."
        ),
    },
    "team": {
        "name": text_field(20).with_meaning("What the team is called."),
        "short": text_field(3).with_meaning("Its letters, as on the front of the card whose back it is."),
        "tier": integer_field(2, 3).with_meaning("The tier of that card."),
        "dice": integer_field(2, 7).with_meaning("The dice it rolls."),
        "least": integer_field(1, 5).with_meaning("The dice it rolls whatever a pitcher does."),
        "runs": optional_field(
            custom_field(parse_scoring_rule, "the difference of the two lowest", scoring.SCORE_PHRASES.help_rows)
        ).with_meaning("How its dice score."),
        "blank": optional_field(boolean_field(), False).with_meaning(
            "Leave out the runs; the table is then asked for them."
        ),
    },
    "playoff": {
        "series": choice_field(*CARD_SERIES).with_meaning("The series it is for."),
        "level": integer_field(1, 3).with_meaning("Its level."),
        "grey": _condition_field.with_meaning("The condition on its gray side."),
        "green": optional_field(_condition_field).with_meaning(
            "The condition on its green side, Home Field; without it, the gray one."
        ),
    },
}


# The box ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StretchBatter:
    """A batter's card (SI-022, SI-024). `back` is its team, "" in tier 1 (SI-023). A `blank` card has no lines here."""

    name: str
    tier: int
    back: str
    dice: DiceRule
    rerolls: int
    nudges: int
    lines: tuple[CardLine, ...]
    blank: bool


@dataclass(frozen=True, slots=True)
class StretchPitcher:
    """A pitcher's card with stamina and ability (SI-025, SI-026). `ability` is None if the card is blank."""

    name: str
    tier: int
    back: str
    stamina: int
    ability: PitcherAbility | None
    blank: bool


@dataclass(frozen=True, slots=True)
class OpponentTeam:
    """The team side of a card with its dice, their minimum `least`, and its scoring, None if blank (SI-028, SI-029).

    `player` is on the other side. `letter` is "B" for a batter, "P" for a pitcher (SI-027).
    """

    name: str
    short: str
    tier: int
    dice: int
    least: int
    runs: ScoringRule | None
    blank: bool
    player: str
    letter: str


@dataclass(frozen=True, slots=True)
class PlayoffCard:
    """A playoff card with the condition on each side."""

    series: str
    level: int
    grey: PlayoffCondition
    green: PlayoffCondition


@dataclass(frozen=True, slots=True)
class StretchBox:
    """All cards. Teams are by the player on the other side, playoff cards by series and level."""

    batters: Mapping[str, StretchBatter] = field(default_factory=dict)
    pitchers: Mapping[str, StretchPitcher] = field(default_factory=dict)
    teams: Mapping[str, OpponentTeam] = field(default_factory=dict)
    playoffs: Mapping[tuple[str, int], PlayoffCard] = field(default_factory=dict)

    def players_of_tier(self, tier: int) -> tuple[str, ...]:
        """Return the batters, then the pitchers of a tier, in deck order."""
        players: tuple[StretchBatter | StretchPitcher, ...] = (*self.batters.values(), *self.pitchers.values())
        return tuple(player.name for player in players if player.tier == tier)


def build_box(cards: Sequence[Card]) -> StretchBox:
    """Build the box. Raises DeckError with a fault for everything missing, duplicate or inconsistent."""
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in CARD_SHAPES}
    faces = [*kinds["batter"], *kinds["pitcher"]]
    faults = [
        *duplicate_faults(faces, "name", "players"),
        *duplicate_faults(kinds["team"], "name", "teams"),
        *duplicate_faults(kinds["team"], "short", "teams"),
        *duplicate_faults([card for card in faces if card.fields["back"]], "back", "players"),
        *_count_faults(faces, files),
        *_back_faults(faces, kinds["team"]),
        *_playoff_faults(kinds["playoff"], files),
        *(fault for card in cards for fault in _card_faults(card)),
    ]
    if faults:
        raise DeckError(*faults)
    batters = [
        StretchBatter(**{**of, "dice": of["dice"] or parse_dice(0), "lines": of["lines"] or ()})
        for of in (card.fields for card in kinds["batter"])
    ]
    pitchers = [StretchPitcher(**card.fields) for card in kinds["pitcher"]]
    players: list[StretchBatter | StretchPitcher] = [*batters, *pitchers]
    fronts = {one.back: one for one in players}
    teams = [
        OpponentTeam(
            **card.fields,
            player=(front := fronts[card.fields["short"]]).name,
            letter="BP"[isinstance(front, StretchPitcher)],
        )
        for card in kinds["team"]
    ]
    playoffs = [
        PlayoffCard(**{**card.fields, "green": card.fields["green"] or card.fields["grey"]})
        for card in kinds["playoff"]
    ]
    return StretchBox(
        {one.name: one for one in batters},
        {one.name: one for one in pitchers},
        {one.player: one for one in teams},
        {(one.series, one.level): one for one in playoffs},
    )


def _count_faults(players: Sequence[Card], files: str) -> Iterator[DeckFault]:
    for tier, count in TIER_CARD_COUNTS.items():
        found = [card.kind for card in players if card.fields["tier"] == tier]
        if len(found) != count:
            yield DeckFault(files, f"tier {tier}", "name", f"needs {count} players, not {len(found)}.")
        if tier == 1 and found.count("pitcher") != TIER_1_PITCHER_COUNT:
            yield DeckFault(
                files, "tier 1", "name", f"needs {TIER_1_PITCHER_COUNT} pitchers, not {found.count('pitcher')}."
            )


def _back_faults(players: Sequence[Card], teams: Sequence[Card]) -> Iterator[DeckFault]:
    """Yield cards of tiers 2 and 3 without their team, and teams without their card."""
    tiers = {card.fields["short"]: card.fields["tier"] for card in teams}
    for card in players:
        back, tier = card.fields["back"], card.fields["tier"]
        if tier == 1:
            if back:
                yield card.field_fault("back", "a card of tier 1 has no team on its back; leave it out.")
        elif not back:
            yield card.field_fault("back", "is missing: which team is on the back?")
        elif back not in tiers:
            yield card.field_fault("back", f"there is no team with short {back}.")
        elif tiers[back] != tier:
            yield card.field_fault("back", f"the team {back} is of tier {tiers[back]}, but this card of tier {tier}.")
    known = {card.fields["back"] for card in players}
    for team in teams:
        if team.fields["short"] not in known:
            yield team.field_fault("short", f"no player has {team.fields['short']} on the back.")


def _playoff_faults(cards: Sequence[Card], files: str) -> Iterator[DeckFault]:
    count = Counter((card.fields["series"], card.fields["level"]) for card in cards)
    for series in CARD_SERIES:
        if missing := [level for level in CARD_LEVELS if not count[series, level]]:
            yield DeckFault(
                files, "playoff cards", "level", f"level {spoken_list(missing)} of the {series} is missing."
            )
    for card in cards:
        series, level = card.fields["series"], card.fields["level"]
        if count[series, level] > 1:
            yield card.field_fault("level", f"there are {count[series, level]} cards of level {level} of the {series}.")


_FIELDS_READ_FROM_BLANK = {"batter": ("dice", "lines"), "pitcher": ("ability",), "team": ("runs",), "playoff": ()}
"""Fields that people read from a blank card, and that every other card must have."""


def _card_faults(card: Card) -> Iterator[DeckFault]:
    of, needed = card.fields, _FIELDS_READ_FROM_BLANK[card.kind]
    if needed and card.kind != "team" and of["name"] == of["name"].lower():
        yield card.field_fault("name", f"needs a name with a capital letter, not {quoted_value(of['name'])}.")
    if card.kind == "team" and not re.fullmatch(r"[A-Z0-9]+", of["short"]):
        yield card.field_fault(
            "short", f"needs one to three capital letters or digits, not {quoted_value(of['short'])}."
        )
    blank = of.get("blank", False)
    for name in (*needed, *(("rerolls", "nudges") if card.kind == "batter" and blank else ())):
        if blank and of[name]:
            yield card.field_fault(name, "a blank card is read on the table; leave out this or blank.")
        if not blank and of[name] is None:
            yield card.field_fault(name, "is missing; or mark the card blank = true, and the table reads it.")
    if card.kind == "team" and of["least"] > of["dice"]:
        yield card.field_fault("least", f"can be at most the {of['dice']} dice it rolls, not {of['least']}.")
