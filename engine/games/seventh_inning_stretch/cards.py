"""The cards of 7th Inning Stretch: batters and pitchers with a team on the back, and playoff cards (SI-002)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import Card, Shape, doubled, flag, one_of, optional, quoted, several, text, typed, whole
from engine.errors import DeckError, Fault
from engine.events import spoken
from engine.games.seventh_inning_stretch.dice import abilities, conditions, scoring
from engine.games.seventh_inning_stretch.dice.abilities import Ability, ability
from engine.games.seventh_inning_stretch.dice.conditions import DICE_PHRASES, Dice, Line, dice, line, normal, plain
from engine.games.seventh_inning_stretch.dice.scoring import Runs, runs
from engine.phrases import PhraseError, Row, Slot, Vocabulary, meaning

COUNTS = {1: 18, 2: 14, 3: 14}
"""The cards of each tier (SI-002)."""

PITCHERS = 2
"""Pitchers in tier 1; the other tiers may have any number."""

LINES = 4
"""The most lines on a batter's card."""

SERIES, LEVELS = ("semifinals", "finals"), (1, 2, 3)
"""The playoff cards: one of each level for each series (SI-006)."""


# Conditions of playoff cards -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Force:
    """The condition of a playoff card, as typed and as its parts (SI-171).

    `ban` is what it forbids: "rerolls", "nudges", "steals", "extra-bases", "abilities", or the substitutions of
    "batters" and "pitchers". `most` limits the same things, per half. `limit` is the most dice in one roll. The
    opponent rolls `more_dice` and scores `more_runs` per half; the game starts `down` runs behind. `dice` and `least`
    replace the team's own (A9).
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


NO_FORCE = Force("none")

_NAMES = {
    "rerolls": "rerolls",
    "nudges": "nudges",
    "steals": "steals",
    "extra bases": "extra-bases",
    "batter substitutions": "batters",
    "pitcher substitutions": "pitchers",
    "pitcher abilities": "abilities",
}
_SOME = {"rerolls": "rerolls", "nudge": "nudges", "steal": "steals", "pitcher abilities": "abilities"}
_SOME |= {"reroll": "rerolls", "nudges": "nudges", "steals": "steals", "pitcher ability": "abilities"}

PHRASES = Vocabulary(
    "condition",
    lambda _, field, value, most=0: (field, (value, most) if field == "most" else value),
    {
        "name": meaning(_NAMES),
        "some": meaning(_SOME),
        "digit": Slot(r"[0-9]", int, ("1",)),
        "dice": Slot(r"[0-9][0-9]?", int, ("3",)),
    },
    Row("", "the game is played as usual", "none"),
    Row("no {value:name}", "these are not used, tried or made; a nudge is a +/-1 token", field="ban"),
    Row(
        "at most {most:digit} {value:some} a half",
        "not used or tried more often",
        "at most 2 rerolls a half, at most 1 nudge a half, at most 1 steal a half, at most 2 pitcher abilities a half",
        field="most",
    ),
    Row("at most {value:dice} (?:dice|die) a roll", "you roll no more at once", "at most 3 dice a roll", field="limit"),
    Row(
        "the opponent rolls {value:digit} (?:dice|die) more",
        "more than on the team's card",
        "the opponent rolls 1 die more",
        field="more_dice",
    ),
    Row(
        "the opponent rolls {value:digit} (?:dice|die)",
        "instead of the dice on the team's card",
        "the opponent rolls 4 dice",
        field="dice",
    ),
    Row(
        "the opponent rolls at least {value:digit} (?:dice|die)",
        "instead of the least dice on the team's card",
        "the opponent rolls at least 2 dice",
        field="least",
    ),
    Row(
        "the opponent scores {value:digit} runs? more a half",
        "in addition to what the dice score",
        "the opponent scores 1 run more a half",
        field="more_runs",
    ),
    Row("start {value:digit} runs? down", "the opponent begins with this many", "start 1 run down", field="down"),
    Row("", "several together", "no rerolls and no nudges"),
    plain=plain,
)
"""Every condition of a playoff card; `force` puts them together."""


def force(value: Any) -> Force:
    """Read a condition, as "no rerolls and start 1 run down". Raises PhraseError."""
    phrase = normal(value)
    found = Force(phrase)
    for part in phrase.split(" and ") if phrase != "none" else ():
        more = _forced(found, *PHRASES.read(part))
        if more == found:
            raise PhraseError(f"{quoted(phrase)} says something twice, or says nothing.")
        found = more
    if (found.limit, found.dice, found.least).count(0):
        raise PhraseError(f"{quoted(phrase)} needs one die at least.")
    return found


def _forced(so_far: Force, field: str, value: Any) -> Force:
    """Return the condition with one more phrase; the first of two for the same field counts."""
    if field == "ban":
        return replace(so_far, ban=so_far.ban | {value})
    if field == "most":
        return replace(so_far, most=tuple(sorted((dict([value]) | dict(so_far.most)).items())))
    return so_far if getattr(so_far, field) else replace(so_far, **{field: value})


# Shapes ----------------------------------------------------------------------------------------------------------


def _lines(value: Any) -> tuple[Line, ...]:
    found: tuple[Line, ...] = _several(value)
    if len(found) > LINES:
        raise ValueError(f"can have at most {LINES} lines.")
    return found


_several = several(typed(line, "highest 5+: double", conditions.PHRASES.help))

_name = text(20).means("What the player is called; no other card has that name.")
_back = optional(text(3), "").means("The letters of the team on the back; of tiers 2 and 3 only.")
_tier = whole(1, 3).means("The tier of the card.")
_condition = typed(force, "no rerolls", PHRASES.help)

SHAPES: dict[str, Shape] = {
    "batter": {
        "name": _name,
        "tier": _tier,
        "back": _back,
        "dice": optional(typed(dice, "2", DICE_PHRASES.help)).means(
            "The dice he brings, none to four or by a star's rule."
        ),
        "rerolls": optional(whole(0, 2), 0).means("The reroll tokens he brings."),
        "nudges": optional(whole(0, 2), 0).means("The +/-1 tokens he brings."),
        "lines": optional(replace(_several, check=_lines)).means("What dice must show and what that is, one to four."),
        "blank": optional(flag(), False).means("Leave out dice, tokens and lines; the table is then asked for them."),
    },
    "pitcher": {
        "name": _name,
        "tier": _tier,
        "back": _back,
        "stamina": whole(1, 6).means("The exhaustion tokens he can take."),
        "ability": optional(typed(ability, "lower one die by 2", abilities.PHRASES.help)).means(
            "What he does for a token."
        ),
        "blank": optional(flag(), False).means("Leave out the ability; the table then says what it does."),
    },
    "team": {
        "name": text(20).means("What the team is called."),
        "short": text(3).means("Its letters, as on the front of the card whose back it is."),
        "tier": whole(2, 3).means("The tier of that card."),
        "dice": whole(2, 7).means("The dice it rolls."),
        "least": whole(1, 5).means("The dice it rolls whatever a pitcher does."),
        "runs": optional(typed(runs, "the difference of the two lowest", scoring.PHRASES.help)).means(
            "How its dice score."
        ),
        "blank": optional(flag(), False).means("Leave out the runs; the table is then asked for them."),
    },
    "playoff": {
        "series": one_of(*SERIES).means("The series it is for."),
        "level": whole(1, 3).means("Its level."),
        "grey": _condition.means("The condition on its gray side."),
        "green": optional(_condition).means("The condition on its green side, Home Field; without it, the gray one."),
    },
}


# The box ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Batter:
    """A batter's card: the dice and tokens he brings, and his lines (SI-022, SI-024).

    `back` is the team on the other side, "" in tier 1 (SI-023). A `blank` card has no lines: people read the real card.
    """

    name: str
    tier: int
    back: str
    dice: Dice
    rerolls: int
    nudges: int
    lines: tuple[Line, ...]
    blank: bool


@dataclass(frozen=True, slots=True)
class Pitcher:
    """A pitcher's card: the exhaustion he can take, and his ability; None if blank (SI-025, SI-026)."""

    name: str
    tier: int
    back: str
    stamina: int
    ability: Ability | None
    blank: bool


@dataclass(frozen=True, slots=True)
class Team:
    """The team side of a card: its dice, the `least` of them, and how they score; None if blank (SI-028, SI-029).

    `player` is on the other side; `letter` is "B" if he is a batter, "P" if a pitcher (SI-027).
    """

    name: str
    short: str
    tier: int
    dice: int
    least: int
    runs: Runs | None
    blank: bool
    player: str
    letter: str


@dataclass(frozen=True, slots=True)
class Playoff:
    """A playoff card, with the condition on each side."""

    series: str
    level: int
    grey: Force
    green: Force


@dataclass(frozen=True, slots=True)
class Box:
    """All cards: players by name, teams by the player on the other side, playoff cards by series and level."""

    batters: Mapping[str, Batter] = field(default_factory=dict)
    pitchers: Mapping[str, Pitcher] = field(default_factory=dict)
    teams: Mapping[str, Team] = field(default_factory=dict)
    playoffs: Mapping[tuple[str, int], Playoff] = field(default_factory=dict)

    def tier(self, tier: int) -> tuple[str, ...]:
        """Return the players of a tier: batters, then pitchers, in the order of the deck."""
        players: tuple[Batter | Pitcher, ...] = (*self.batters.values(), *self.pitchers.values())
        return tuple(player.name for player in players if player.tier == tier)


def unpack(cards: Sequence[Card]) -> Box:
    """Return the box of these cards. Raises DeckError with everything missing, doubled, or inconsistent."""
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in SHAPES}
    faces = [*kinds["batter"], *kinds["pitcher"]]
    faults = [
        *doubled(faces, "name", "players"),
        *doubled(kinds["team"], "name", "teams"),
        *doubled(kinds["team"], "short", "teams"),
        *doubled([card for card in faces if card.fields["back"]], "back", "players"),
        *_counted(faces, files),
        *_backs(faces, kinds["team"]),
        *_playoffs(kinds["playoff"], files),
        *(fault for card in cards for fault in _faults(card)),
    ]
    if faults:
        raise DeckError(*faults)
    batters = [
        Batter(**{**of, "dice": of["dice"] or dice(0), "lines": of["lines"] or ()})
        for of in (card.fields for card in kinds["batter"])
    ]
    pitchers = [Pitcher(**card.fields) for card in kinds["pitcher"]]
    players: list[Batter | Pitcher] = [*batters, *pitchers]
    fronts = {one.back: one for one in players}
    teams = [
        Team(
            **card.fields, player=(front := fronts[card.fields["short"]]).name, letter="BP"[isinstance(front, Pitcher)]
        )
        for card in kinds["team"]
    ]
    playoffs = [
        Playoff(**{**card.fields, "green": card.fields["green"] or card.fields["grey"]}) for card in kinds["playoff"]
    ]
    return Box(
        {one.name: one for one in batters},
        {one.name: one for one in pitchers},
        {one.player: one for one in teams},
        {(one.series, one.level): one for one in playoffs},
    )


def _counted(players: Sequence[Card], files: str) -> Iterator[Fault]:
    for tier, count in COUNTS.items():
        found = [card.kind for card in players if card.fields["tier"] == tier]
        if len(found) != count:
            yield Fault(files, f"tier {tier}", "name", f"needs {count} players, not {len(found)}.")
        if tier == 1 and found.count("pitcher") != PITCHERS:
            yield Fault(files, "tier 1", "name", f"needs {PITCHERS} pitchers, not {found.count('pitcher')}.")


def _backs(players: Sequence[Card], teams: Sequence[Card]) -> Iterator[Fault]:
    """Yield cards of tiers 2 and 3 without their team, and teams without their card."""
    tiers = {card.fields["short"]: card.fields["tier"] for card in teams}
    for card in players:
        back, tier = card.fields["back"], card.fields["tier"]
        if tier == 1:
            if back:
                yield card.fault("back", "a card of tier 1 has no team on its back; leave it out.")
        elif not back:
            yield card.fault("back", "is missing: which team is on the back?")
        elif back not in tiers:
            yield card.fault("back", f"there is no team with short {back}.")
        elif tiers[back] != tier:
            yield card.fault("back", f"the team {back} is of tier {tiers[back]}, but this card of tier {tier}.")
    known = {card.fields["back"] for card in players}
    for team in teams:
        if team.fields["short"] not in known:
            yield team.fault("short", f"no player has {team.fields['short']} on the back.")


def _playoffs(cards: Sequence[Card], files: str) -> Iterator[Fault]:
    count = Counter((card.fields["series"], card.fields["level"]) for card in cards)
    for series in SERIES:
        if missing := [level for level in LEVELS if not count[series, level]]:
            yield Fault(files, "playoff cards", "level", f"level {spoken(missing)} of the {series} is missing.")
    for card in cards:
        series, level = card.fields["series"], card.fields["level"]
        if count[series, level] > 1:
            yield card.fault("level", f"there are {count[series, level]} cards of level {level} of the {series}.")


_READ = {"batter": ("dice", "lines"), "pitcher": ("ability",), "team": ("runs",), "playoff": ()}
"""Fields that people read from a blank card, and that every other card must have."""


def _faults(card: Card) -> Iterator[Fault]:
    """Yield what is wrong with one card by itself."""
    of, needed = card.fields, _READ[card.kind]
    if needed and card.kind != "team" and of["name"] == of["name"].lower():
        yield card.fault("name", f"needs a name with a capital letter, not {quoted(of['name'])}.")
    if card.kind == "team" and not re.fullmatch(r"[A-Z0-9]+", of["short"]):
        yield card.fault("short", f"needs one to three capital letters or digits, not {quoted(of['short'])}.")
    blank = of.get("blank", False)
    for name in (*needed, *(("rerolls", "nudges") if card.kind == "batter" and blank else ())):
        if blank and of[name]:
            yield card.fault(name, "a blank card is read on the table; leave out this or blank.")
        if not blank and of[name] is None:
            yield card.fault(name, "is missing; or mark the card blank = true, and the table reads it.")
    if card.kind == "team" and of["least"] > of["dice"]:
        yield card.fault("least", f"can be at most the {of['dice']} dice it rolls, not {of['least']}.")
