"""Triggers: when a card can be played. Each phrase names a window and conditions in it.

when = "before the pitch"
when = "after a strikeout by my batter"
"""

from __future__ import annotations

from typing import Any

from engine.games.clutch.cards.effects import Trigger
from engine.games.clutch.cards.grammar import CODES, neat, plain
from engine.phrases import Row, Vocabulary, meaning

NUMBERS = {
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
"""The ATTRIBUTES by their names in phrases."""

_PLAYS = {
    "on steal": "steal",
    "on extra base": "hit",
    "on tag-up": "tag",
    "on ground ball": "ground",
    "with infield in": "infield-in",
    "on double play": "double-play",
    "by card": "card",
}
_HALVES = {
    "1-2-3": "one-two-three",
    "scoreless": "scoreless",
    "scoring": "scored",
    "multi-run": "multi-run",
    "struck-out-the-side": "struck-out-the-side",
}
_CARDS = {"a strategy card": "strategy", "a coach": "coach", "an offense card": "offense", "a defense card": "defense"}
_CARDS |= {"a neutral card": "neutral", "a momentum card": "momentum"}
_ENTERS = {"pitcher": "pitcher", "pinch hitter": "pinch-hitter", "pinch runner": "pinch-runner", "fielder": "fielder"}
_THROWN = ("on steal", "on extra base", "on tag-up", "on double play")
_TRIES = {"try for a base": "", "try for an extra base": "hit", "tag up": "tag", "go on a ground ball": "ground"}
_TRIES |= {"go with the infield in": "infield-in"}

HAPPENED = meaning(
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
    plain=plain,
)
"""What an at-bat can lead to."""

_SIDES = {"my": "mine", "their": "theirs"}


def _trigger(
    text: str, window: str, codes: tuple[str, ...] = (), sign: str = "", number: str = "", **tags: str
) -> Trigger:
    """Return a trigger: one of `codes` must hold, or the first tag, and all other tags."""
    parts = [frozenset(codes), frozenset({sign + number} - {""}), *(frozenset({tag} - {""}) for tag in tags.values())]
    first, *more = [*filter(None, parts), frozenset[str]()]
    return Trigger(text, window, first, frozenset().union(*more))


_WHOSE = "(?:{whose} )?"
_BY = "(?:{unit:battery|infield|outfield} )?"
_TO = "(?: (?:to )?{base:home|first|second|third})?"
_IN = "(?: {play})?"
_BATTER = "(?: by {side} batter)?"

TRIGGERS = Vocabulary(
    "trigger",
    _trigger,
    {
        "whose": meaning(_SIDES),
        "side": meaning(_SIDES),
        "codes": CODES,
        "play": meaning(_PLAYS),
        "thrown": meaning({name: tag for name, tag in _PLAYS.items() if name in _THROWN}),
        "happened": HAPPENED,
        "half": meaning(_HALVES),
        "card": meaning(_CARDS, plain=plain),
        "enters": meaning(_ENTERS),
        "attempt": meaning(_TRIES, plain=plain),
        "sign": meaning({"adds to": "+", "subtracts from": "-"}),
        "number": meaning(NUMBERS),
        "runner": meaning({"safe": "safe", "thrown out": "out"}),
        "check": meaning({"is made": "made", "fails": "failed", "is settled": ""}),
    },
    Row("as the game begins", "before the first half-inning", window="game"),
    Row(
        f"at the start of {_WHOSE}half-inning",
        "your side bats in yours; most phrases here can say `a`, `my` or `their` like that",
        "at the start of a half-inning, at the start of my half-inning, at the start of their half-inning",
        window="half",
    ),
    Row("at the start of an at-bat", "when the batter comes to the plate", window="at-bat"),
    Row("when a steal is declared", "before any die is rolled for it", window="steal"),
    Row("when a bunt is declared", "the same", window="bunt"),
    Row("before the pitch", "before its die is rolled", window="before-pitch"),
    Row("after the pitch roll", "its die is rolled; numbers that make the Pitch can still change", window="pitch-roll"),
    Row(
        "once the advantage is set|before the swing",
        "it is known who has it, and the Swing is not rolled yet",
        "once the advantage is set, before the swing",
        window="advantage",
    ),
    Row("when the {who:batter|pitcher} has the advantage", "the same, only then", window="advantage"),
    Row("on a mistake pitch", "the same, only then", window="advantage", pitch="mistake"),
    Row("after the swing roll", "its die is rolled; numbers that make the Swing can still change", window="swing-roll"),
    Row(
        "when (?:{chart:batter|pitcher}'s )?chart is read",
        "for stadiums: a result is read, and nobody may change it yet",
        "when a chart is read, when the batter's chart is read, when the pitcher's chart is read",
        window="chart",
    ),
    Row(
        "when (?:{chart:batter|pitcher}'s )?chart says {codes}",
        "the same, only for these results",
        "when a chart says FB, when the batter's chart says FB",
        window="chart",
    ),
    Row("on any result", "a result is there and can be changed", window="result"),
    Row(
        "on {codes}",
        "the same, only for this result; any code or name of one, and several with `or` between",
        "on a GB, on a strikeout, on a ground ball, on a fly ball, on a line drive, on a walk",
        window="result",
    ),
    Row("", "an out is SO, GB, FB or LD", "on an out, on a hit, on an extra-base hit, on a single or double"),
    Row(
        "when runners {attempt}", "runners try for a base beyond the automatic ones, or only in this play", window="try"
    ),
    Row(
        f"on {_BY}throw{_TO}{_IN}",
        "a throw is called, before its die",
        "on a throw, on an infield throw, on an outfield throw, on a battery throw",
        window="throw",
    ),
    Row("", "only to this base", "on a throw home, on a throw to first, on a throw to second, on a throw to third"),
    Row(
        f"{{play:thrown}}(?: of{_TO})?",
        "a throw in this play",
        "on a steal, on a steal of third, on an extra base, on a tag-up, on a double play",
        window="throw",
    ),
    Row(
        "",
        "who throws, where, and in which play, together",
        "on an infield throw home, on a throw on a ground ball, on a throw with the infield in, on a throw by a card",
    ),
    Row(
        f"after {_BY}throw roll{_TO}{_IN}",
        "the die of a throw is rolled",
        "after the throw roll, after the throw roll on a steal",
        window="throw-roll",
    ),
    Row(
        f"when runner is {{runner}}{_IN}",
        "a throw is settled",
        "when a runner is safe, when a runner is thrown out, when a runner is safe on a steal",
        window="throw-result",
    ),
    Row(
        f"when {_BY}throw{_TO} is settled{_IN}",
        "the same, either way",
        "when a throw is settled",
        window="throw-result",
    ),
    Row(f"on {_BY}check", "a check is called, before its die", "on a check, on an infield check", window="check"),
    Row(
        f"after {_BY}check roll",
        "its die is rolled",
        "after the check roll, after the infield check roll",
        window="check-roll",
    ),
    Row(
        f"when {_BY}check {{check}}",
        "it is settled",
        "when a check is made, when a check fails, when an outfield check fails, when a check is settled",
        window="check-result",
    ),
    Row("after the bunt roll", "the die of a bunt is rolled", window="bunt-roll"),
    Row(
        f"after {_WHOSE}at-bat",
        "whatever its outcome",
        "after an at-bat, after my at-bat, after their at-bat",
        window="after",
    ),
    Row(
        f"after {{codes}}{_BATTER}",
        "with this outcome; any result will do",
        "after a strikeout, after an out, after a hit, after a walk, after a home run or triple",
        window="after",
    ),
    Row(
        "",
        "only for a batter of that side; so with all that follow",
        "after a strikeout by my batter, after a hit by their batter",
    ),
    Row(f"after {{happened}}{_BATTER}", "when the at-bat led to this", window="after"),
    Row(
        f"at the end of {_WHOSE}(?:{{half}} )?half-inning",
        "when it is over",
        "at the end of a half-inning, at the end of my half-inning, at the end of their half-inning",
        window="end",
    ),
    Row(
        "",
        "only of this kind: three batters and nobody on; no run; a run or more; two or more; three batters struck out",
        "at the end of a 1-2-3 half-inning, at the end of a scoreless half-inning, "
        "at the end of a scoring half-inning, at the end of a multi-run half-inning, "
        "at the end of a struck-out-the-side half-inning",
    ),
    Row("when a card is played", "before it takes effect", window="card"),
    Row("when {card} is played", "only such a card", window="card"),
    Row("when a card changes the result", "or tries to", window="card", changes="change"),
    Row(
        "when a card {sign} {number}",
        "any number: pitch roll, command, pitch, on-base, swing roll, swing, br, st, defense, unit, throw roll, throw, "
        "check roll, check, check target, bunt roll, bunt target, x-zone, hand limit, draw",
        "when a card adds to the swing, when a card subtracts from the pitch",
        window="card",
    ),
    Row(
        f"when {_WHOSE}(?:player|{{enters}}) comes in",
        "after the substitution",
        "when a player comes in, when a pitcher comes in, when their pinch hitter comes in, "
        "when a pinch runner comes in, when my fielder comes in",
        window="enter",
    ),
    plain=plain,
)
"""Every trigger, and its window."""


def trigger(value: Any) -> Trigger:
    """Read a trigger, as "after a strikeout". Raises PhraseError."""
    return TRIGGERS.read(neat(value))
