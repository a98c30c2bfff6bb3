"""Triggers: when a card can be played. Each phrase names a window and conditions in it.

when = "before the pitch"
when = "after a strikeout by my batter"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.cards import Phrases, unknown
from engine.games.clutch.cards.effects import Trigger
from engine.games.clutch.cards.grammar import CODES, codes, either, neat, plain

TRIGGERS: Phrases = {
    "as the game begins": "before the first half-inning",
    "at the start of a half-inning, at the start of my half-inning, at the start of their half-inning": (
        "mine is the one in which my side bats; a, my and their can be said like that in most phrases here"
    ),
    "at the start of an at-bat": "when the batter comes to the plate",
    "when a steal is declared, when a bunt is declared": "before any die is thrown for it",
    "before the pitch": "before its die is thrown",
    "after the pitch roll": "its die has fallen; numbers that make the Pitch can still be changed",
    "once the advantage is set, before the swing": "it is known who has it, and the Swing is not rolled",
    "when the batter has the advantage, when the pitcher has the advantage, on a mistake pitch": "the same, only then",
    "after the swing roll": "its die has fallen; numbers that make the Swing can still be changed",
    "when a chart is read, when the batter's chart is read, when the pitcher's chart is read": (
        "for stadiums: a result is read, and nobody may change it yet"
    ),
    "when a chart says FB, when the batter's chart says FB": "the same, only for these results",
    "on any result": "a result is there and can be changed",
    "on a GB, on a strikeout, on a ground ball, on a fly ball, on a line drive, on a walk": (
        "the same, only for this result; any code or name of one will do, and several with or between"
    ),
    "on an out, on a hit, on an extra-base hit, on a single or double": "an out is SO, GB, FB or LD",
    "when runners try for a base": "somebody goes for a base beyond the automatic ones",
    "when runners try for an extra base, when runners tag up, when runners go on a ground ball": "only on this play",
    "when runners go with the infield in": "only on this play",
    "on a throw, on an infield throw, on an outfield throw, on a battery throw": "a throw is called, before its die",
    "on a throw home, on a throw to first, on a throw to second, on a throw to third": "only to this base",
    "on a steal, on a steal of third, on an extra base, on a tag-up, on a double play": "a throw in this play",
    "on an infield throw home, on a throw on a ground ball, on a throw with the infield in, on a throw by a card": (
        "who throws, where and in which play can all be said"
    ),
    "after the throw roll, after the throw roll on a steal": "the die of a throw has fallen",
    "when a runner is safe, when a runner is thrown out, when a runner is safe on a steal": "a throw is settled",
    "when a throw is settled": "whatever it came to",
    "on a check, on an infield check": "a check is called, before its die",
    "after the check roll, after the infield check roll": "its die has fallen",
    "when a check is made, when a check fails, when an outfield check fails, when a check is settled": "it is settled",
    "after the bunt roll": "the die of a bunt has fallen",
    "after an at-bat, after my at-bat, after their at-bat": "whatever it came to",
    "after a strikeout, after an out, after a hit, after a walk, after a home run or triple": (
        "with this outcome; any result will do"
    ),
    "after a strikeout by my batter, after a hit by their batter": "only of that side; so with all that follow",
    "after an intentional walk, after a run, after an RBI, after a lead change, after an inning-ending play": (
        "when this came of the at-bat"
    ),
    "after a double play, after a stolen base, after a caught stealing, after an error, after a fielder's choice": (
        "the same"
    ),
    "after a sacrifice, after a sacrifice fly": "the same",
    "at the end of a half-inning, at the end of my half-inning, at the end of their half-inning": "when it is over",
    "at the end of a 1-2-3 half-inning, at the end of a scoreless half-inning, at the end of a scoring half-inning": (
        "only of such a one: three batters and nobody on; no run; a run or more"
    ),
    "at the end of a multi-run half-inning, at the end of a struck-out-the-side half-inning": (
        "two runs or more; three batters and three strikeouts"
    ),
    "when a card is played, when a strategy card is played, when a coach is played": "before it takes effect",
    "when an offense card is played, when a defense card is played, when a neutral card is played": "only such a card",
    "when a momentum card is played": "only such a card",
    "when a card changes the result": "or tries to",
    "when a card adds to the swing, when a card subtracts from the pitch": (
        "any number will do: pitch roll, command, pitch, on-base, swing roll, swing, br, st, defense, unit, throw "
        "roll, throw, check roll, check, check target, bunt roll, bunt target, x-zone, hand limit, draw"
    ),
    "when a player comes in, when a pitcher comes in, when their pinch hitter comes in": "after the substitution",
    "when a pinch runner comes in, when my fielder comes in": "the same",
}
"""Every phrase, with its explanation, as in docs/cards.md."""

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

_WHOSE = r"(?:(?P<whose>my|their) )?"
_PLAYS = {
    "on steal": "steal",
    "on extra base": "hit",
    "on tag-up": "tag",
    "on ground ball": "ground",
    "with infield in": "infield-in",
    "on double play": "double-play",
    "by card": "card",
}
_BY = r"(?:(?P<unit>battery|infield|outfield) )?"
_TO = r"(?: (?:to )?(?P<base>home|first|second|third))?"
_IN = rf"(?: (?P<play>{either(_PLAYS)}))?"
HAPPENED = {
    "intentional walk": "ibb",
    "run": "run",
    "rbi": "rbi",
    "lead change": "lead-change",
    "double play": "double-play",
    "stolen base": "steal",
    "caught stealing": "caught",
    "error": "error",
    "sacrifice": "sacrifice",
    "sacrifice fly": "sacrifice-fly",
    "fielder's choice": "fielders-choice",
    "inning-ending play": "inning-ending",
}
_HALVES = {
    "1-2-3": "one-two-three",
    "scoreless": "scoreless",
    "scoring": "scored",
    "multi-run": "multi-run",
    "struck-out-the-side": "struck-out-the-side",
}
_CARDS = {"strategy card": "strategy", "coach": "coach"}
_CARDS |= {f"{kind} card": kind for kind in ("offense", "defense", "neutral", "momentum")}
_ENTERS = {"pitcher": "pitcher", "pinch hitter": "pinch-hitter", "pinch runner": "pinch-runner", "fielder": "fielder"}
_SETTLED = {"safe": "safe", "thrown out": "out", "made": "made", "settled": ""}
_TRIES = {"try for base": "", "try for extra base": "hit", "tag up": "tag", "go on ground ball": "ground"}
_TRIES |= {"go with infield in": "infield-in"}

_GRAMMAR = (
    (r"as game begins", "game"),
    (rf"at start of {_WHOSE}half-inning", "half"),
    (r"at start of at-bat", "at-bat"),
    (r"when steal is declared", "steal"),
    (r"when bunt is declared", "bunt"),
    (r"before pitch", "before-pitch"),
    (r"after pitch roll", "pitch-roll"),
    (r"once advantage is set|before swing|when (?P<who>batter|pitcher) has advantage", "advantage"),
    (r"on (?P<pitch>mistake) pitch", "advantage"),
    (r"after swing roll", "swing-roll"),
    (rf"when (?:(?P<chart>batter|pitcher)'s )?chart (?:is read|says (?P<codes>{CODES}))", "chart"),
    (rf"on (?:any result|(?P<codes>{CODES}))", "result"),
    (rf"when runners (?P<try>{either(_TRIES)})", "try"),
    (rf"on {_BY}throw{_TO}{_IN}", "throw"),
    (rf"(?P<play>on (?:steal|extra base|tag-up|double play))(?: of{_TO})?", "throw"),
    (rf"after {_BY}throw roll{_TO}{_IN}", "throw-roll"),
    (rf"when (?:runner is (?P<settled>safe|thrown out)|{_BY}throw{_TO} is settled){_IN}", "throw-result"),
    (rf"on {_BY}check", "check"),
    (rf"after {_BY}check roll", "check-roll"),
    (rf"when {_BY}check (?:is (?P<settled>made|settled)|(?P<failed>fails))", "check-result"),
    (r"after bunt roll", "bunt-roll"),
    (rf"after (?:{_WHOSE}at-bat|(?P<codes>{CODES})(?: by (?P<side>my|their) batter)?)", "after"),
    (rf"after (?P<happened>{either(HAPPENED)})(?: by (?P<side>my|their) batter)?", "after"),
    (rf"at end of {_WHOSE}(?:(?P<half>{either(_HALVES)}) )?half-inning", "end"),
    (rf"when (?:card|(?P<card>{either(_CARDS)})) is played", "card"),
    (r"when card (?P<changes>changes) result", "card"),
    (rf"when card (?P<sign>adds to|subtracts from) (?P<number>{either(NUMBERS)})", "card"),
    (rf"when {_WHOSE}(?:player|(?P<enters>{either(_ENTERS)})) comes in", "enter"),
)
"""Every phrase, and its window."""

_SIDES = {"my": "mine", "their": "theirs"}

_MEANS: Mapping[str, Mapping[str, str]] = {
    "whose": _SIDES,
    "side": _SIDES,
    "happened": HAPPENED,
    "half": _HALVES,
    "card": _CARDS,
    "enters": _ENTERS,
    "try": _TRIES,
    "play": _PLAYS,
    "settled": _SETTLED,
    "failed": {"fails": "failed"},
    "changes": {"changes": "change"},
}
"""The tags of parts of a phrase, if they differ from the words."""


def trigger(value: Any) -> Trigger:
    """Read a trigger, as "after a strikeout". Raises ValueError with the nearest phrase."""
    text = neat(value)
    phrase = plain(text)
    for pattern, window in _GRAMMAR:
        if found := re.fullmatch(pattern, phrase):
            first, *more = [*_tags(found.groupdict()), frozenset[str]()]
            return Trigger(text, window, first, frozenset().union(*more))
    raise ValueError(unknown(text, "trigger", TRIGGERS))


def _tags(parts: Mapping[str, str | None]) -> Iterator[frozenset[str]]:
    """Yield for each part of the phrase the tags of which one must hold."""
    if listed := parts.get("codes"):
        yield frozenset(codes(listed))
    if number := parts.get("number"):
        yield frozenset({("+" if parts["sign"] == "adds to" else "-") + NUMBERS[number]})
    for name, part in parts.items():
        if part and name not in ("codes", "number", "sign") and (tag := _MEANS.get(name, {}).get(part, part)):
            yield frozenset({tag})
