"""Phrases for triggers, each a window and conditions in it, such as `when = "after a strikeout by my batter"`."""

from __future__ import annotations

from typing import Any

from engine.games.clutch.cards.effects import CardTrigger
from engine.games.clutch.cards.grammar import CODES_SLOT, normalized_phrase, plain_phrase
from engine.phrases import PhraseRow, Vocabulary, value_slot

NUMBERS_BY_NAME = {
    "pitch roll": "pitch_roll",
    "command": "command",
    "pitch": "pitch",
    "on-base": "on_base",
    "swing roll": "swing_roll",
    "swing": "swing",
    "br": "br",
    "baserunning": "br",
    "st": "st",
    "stealing": "st",
    "defense": "defense",
    "unit": "unit",
    "throw roll": "throw_roll",
    "throw": "throw",
    "check roll": "check_roll",
    "check": "check",
    "check target": "check_target",
    "bunt roll": "bunt_roll",
    "bunt target": "bunt_target",
    "x-zone": "x_zone",
    "hand limit": "hand_limit",
    "draw": "draw",
}
"""The `CHANGEABLE_NUMBERS` by their names in phrases."""

_PLAY_WORDS = {
    "on steal": "steal",
    "on extra base": "hit",
    "on tag-up": "tag",
    "on ground ball": "ground",
    "with infield in": "infield-in",
    "on double play": "double-play",
    "by card": "card",
}
_HALF_INNING_WORDS = {
    "1-2-3": "one-two-three",
    "scoreless": "scoreless",
    "scoring": "scored",
    "multi-run": "multi-run",
    "struck-out-the-side": "struck-out-the-side",
}
_CARD_WORDS = {
    "a strategy card": "strategy",
    "a coach": "coach",
    "an offense card": "offense",
    "a defense card": "defense",
}
_CARD_WORDS |= {"a neutral card": "neutral", "a momentum card": "momentum"}
_NEWCOMER_WORDS = {
    "pitcher": "pitcher",
    "pinch hitter": "pinch-hitter",
    "pinch runner": "pinch-runner",
    "fielder": "fielder",
}
_THROW_PLAY_WORDS = ("on steal", "on extra base", "on tag-up", "on double play")
_ATTEMPT_WORDS = {
    "try for a base": "",
    "try for an extra base": "hit",
    "tag up": "tag",
    "go on a ground ball": "ground",
}
_ATTEMPT_WORDS |= {"go with the infield in": "infield-in"}

EVENT_SLOT = value_slot(
    {
        "an intentional walk": "ibb",
        "a run": "run",
        "an RBI": "rbi",
        "a lead change": "lead-change",
        "an inning-ending play": "inning-ending",
        "a double play": "double-play",
        "a stolen base": "steal",
        "a caught stealing": "caught",
        "an error": "error",
        "a fielder's choice": "fielders-choice",
        "a sacrifice": "sacrifice",
        "a sacrifice fly": "sacrifice-fly",
    },
    plain=plain_phrase,
)
"""Events of an at-bat."""

_SIDE_WORDS = {"my": "mine", "their": "theirs"}


def _build_trigger(
    text: str, window: str, codes: tuple[str, ...] = (), sign: str = "", number: str = "", **tags: str
) -> CardTrigger:
    """Build a trigger. It needs one of `codes`, or else the first tag, and all other tags."""
    parts = [frozenset(codes), frozenset({sign + number} - {""}), *(frozenset({tag} - {""}) for tag in tags.values())]
    first, *more = [*filter(None, parts), frozenset[str]()]
    return CardTrigger(text, window, first, frozenset().union(*more))


_WHOSE_PATTERN = "(?:{whose} )?"
_UNIT_PATTERN = "(?:{unit:battery|infield|outfield} )?"
_BASE_PATTERN = "(?: (?:to )?{base:home|first|second|third})?"
_PLAY_PATTERN = "(?: {play})?"
_BATTER_PATTERN = "(?: by {side} batter)?"

TRIGGER_PHRASES = Vocabulary(
    "trigger",
    _build_trigger,
    {
        "whose": value_slot(_SIDE_WORDS),
        "side": value_slot(_SIDE_WORDS),
        "codes": CODES_SLOT,
        "play": value_slot(_PLAY_WORDS),
        "thrown": value_slot({name: tag for name, tag in _PLAY_WORDS.items() if name in _THROW_PLAY_WORDS}),
        "happened": EVENT_SLOT,
        "half": value_slot(_HALF_INNING_WORDS),
        "card": value_slot(_CARD_WORDS, plain=plain_phrase),
        "enters": value_slot(_NEWCOMER_WORDS),
        "attempt": value_slot(_ATTEMPT_WORDS, plain=plain_phrase),
        "sign": value_slot({"adds to": "+", "subtracts from": "-"}),
        "number": value_slot(NUMBERS_BY_NAME),
        "runner": value_slot({"safe": "safe", "thrown out": "out"}),
        "check": value_slot({"is made": "made", "fails": "failed", "is settled": ""}),
    },
    PhraseRow("as the game begins", "before the first half-inning", window="game"),
    PhraseRow(
        f"at the start of {_WHOSE_PATTERN}half-inning",
        "your side bats in yours; most phrases here can say `a`, `my` or `their` like that",
        "at the start of a half-inning, at the start of my half-inning, at the start of their half-inning",
        window="half",
    ),
    PhraseRow("at the start of an at-bat", "when the batter comes to the plate", window="at-bat"),
    PhraseRow("when a steal is declared", "before any die is rolled for it", window="steal"),
    PhraseRow("when a bunt is declared", "the same", window="bunt"),
    PhraseRow("before the pitch", "before its die is rolled", window="before-pitch"),
    PhraseRow(
        "after the pitch roll", "its die is rolled; numbers that make the Pitch can still change", window="pitch-roll"
    ),
    PhraseRow(
        "once the advantage is set|before the swing",
        "it is known who has it, and the Swing is not rolled yet",
        "once the advantage is set, before the swing",
        window="advantage",
    ),
    PhraseRow("when the {who:batter|pitcher} has the advantage", "the same, only then", window="advantage"),
    PhraseRow("on a mistake pitch", "the same, only then", window="advantage", pitch="mistake"),
    PhraseRow(
        "after the swing roll", "its die is rolled; numbers that make the Swing can still change", window="swing-roll"
    ),
    PhraseRow(
        "when (?:{chart:batter|pitcher}'s )?chart is read",
        "for stadiums: a result is read, and nobody may change it yet",
        "when a chart is read, when the batter's chart is read, when the pitcher's chart is read",
        window="chart",
    ),
    PhraseRow(
        "when (?:{chart:batter|pitcher}'s )?chart says {codes}",
        "the same, only for these results",
        "when a chart says FB, when the batter's chart says FB",
        window="chart",
    ),
    PhraseRow("on any result", "a result is there and can be changed", window="result"),
    PhraseRow(
        "on {codes}",
        "the same, only for this result; any code or name of one, and several with `or` between",
        "on a GB, on a strikeout, on a ground ball, on a fly ball, on a line drive, on a walk",
        window="result",
    ),
    PhraseRow("", "an out is SO, GB, FB or LD", "on an out, on a hit, on an extra-base hit, on a single or double"),
    PhraseRow(
        "when runners {attempt}", "runners try for a base beyond the automatic ones, or only in this play", window="try"
    ),
    PhraseRow(
        f"on {_UNIT_PATTERN}throw{_BASE_PATTERN}{_PLAY_PATTERN}",
        "a throw is called, before its die",
        "on a throw, on an infield throw, on an outfield throw, on a battery throw",
        window="throw",
    ),
    PhraseRow(
        "", "only to this base", "on a throw home, on a throw to first, on a throw to second, on a throw to third"
    ),
    PhraseRow(
        f"{{play:thrown}}(?: of{_BASE_PATTERN})?",
        "a throw in this play",
        "on a steal, on a steal of third, on an extra base, on a tag-up, on a double play",
        window="throw",
    ),
    PhraseRow(
        "",
        "who throws, where, and in which play, together",
        "on an infield throw home, on a throw on a ground ball, on a throw with the infield in, on a throw by a card",
    ),
    PhraseRow(
        f"after {_UNIT_PATTERN}throw roll{_BASE_PATTERN}{_PLAY_PATTERN}",
        "the die of a throw is rolled",
        "after the throw roll, after the throw roll on a steal",
        window="throw-roll",
    ),
    PhraseRow(
        f"when runner is {{runner}}{_PLAY_PATTERN}",
        "a throw is settled",
        "when a runner is safe, when a runner is thrown out, when a runner is safe on a steal",
        window="throw-result",
    ),
    PhraseRow(
        f"when {_UNIT_PATTERN}throw{_BASE_PATTERN} is settled{_PLAY_PATTERN}",
        "the same, either way",
        "when a throw is settled",
        window="throw-result",
    ),
    PhraseRow(
        f"on {_UNIT_PATTERN}check",
        "a check is called, before its die",
        "on a check, on an infield check",
        window="check",
    ),
    PhraseRow(
        f"after {_UNIT_PATTERN}check roll",
        "its die is rolled",
        "after the check roll, after the infield check roll",
        window="check-roll",
    ),
    PhraseRow(
        f"when {_UNIT_PATTERN}check {{check}}",
        "it is settled",
        "when a check is made, when a check fails, when an outfield check fails, when a check is settled",
        window="check-result",
    ),
    PhraseRow("after the bunt roll", "the die of a bunt is rolled", window="bunt-roll"),
    PhraseRow(
        f"after {_WHOSE_PATTERN}at-bat",
        "whatever its outcome",
        "after an at-bat, after my at-bat, after their at-bat",
        window="after",
    ),
    PhraseRow(
        f"after {{codes}}{_BATTER_PATTERN}",
        "with this outcome; any result will do",
        "after a strikeout, after an out, after a hit, after a walk, after a home run or triple",
        window="after",
    ),
    PhraseRow(
        "",
        "only for a batter of that side; so with all that follow",
        "after a strikeout by my batter, after a hit by their batter",
    ),
    PhraseRow(f"after {{happened}}{_BATTER_PATTERN}", "when the at-bat led to this", window="after"),
    PhraseRow(
        f"at the end of {_WHOSE_PATTERN}(?:{{half}} )?half-inning",
        "when it is over",
        "at the end of a half-inning, at the end of my half-inning, at the end of their half-inning",
        window="end",
    ),
    PhraseRow(
        "",
        "only of this kind: three batters and nobody on; no run; a run or more; two or more; three batters struck out",
        "at the end of a 1-2-3 half-inning, at the end of a scoreless half-inning, "
        "at the end of a scoring half-inning, at the end of a multi-run half-inning, "
        "at the end of a struck-out-the-side half-inning",
    ),
    PhraseRow("when a card is played", "before it takes effect", window="card"),
    PhraseRow("when {card} is played", "only such a card", window="card"),
    PhraseRow("when a card changes the result", "or tries to", window="card", changes="change"),
    PhraseRow(
        "when a card {sign} {number}",
        "any number: pitch roll, command, pitch, on-base, swing roll, swing, br, st, defense, unit, throw roll, throw, "
        "check roll, check, check target, bunt roll, bunt target, x-zone, hand limit, draw",
        "when a card adds to the swing, when a card subtracts from the pitch",
        window="card",
    ),
    PhraseRow(
        f"when {_WHOSE_PATTERN}(?:player|{{enters}}) comes in",
        "after the substitution",
        "when a player comes in, when a pitcher comes in, when their pinch hitter comes in, "
        "when a pinch runner comes in, when my fielder comes in",
        window="enter",
    ),
    plain=plain_phrase,
)
"""Every trigger and its window."""


def parse_trigger(value: Any) -> CardTrigger:
    """Parse a trigger, such as "after a strikeout". Raise PhraseError."""
    return TRIGGER_PHRASES.parse_phrase(normalized_phrase(value))
