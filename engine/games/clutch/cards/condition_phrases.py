"""Conditions of cards: phrases about the game, and about players. conditions.holds checks them.

    if = "the batter bats left and a runner on first"
    who = "plays for Harbor or has GG"

"and" binds closer than "or". A name with either in it stands in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.cards import Phrases, unknown
from engine.games.clutch.cards.effects import BASES, ROLLS, UNITS, Condition
from engine.games.clutch.cards.grammar import (
    ANY,
    CODE,
    CODES,
    SIZE,
    SPOT,
    codes,
    either,
    neat,
    plain,
    size,
    split,
    spot,
    spread,
)
from engine.games.clutch.cards.trigger_phrases import HAPPENED

CONDITIONS: Phrases = {
    "inning 7, inning 7 or later, inning 3 or earlier, inning 4 to 6": "the inning",
    "top of the inning, bottom of the inning": "which half of it",
    "nobody out, one out, fewer than two outs": "the outs; any number can be 2, 2 or more, 2+, 2 or less, 1 to 2, odd",
    "a runner on first, runners on first and third, nobody on second": "these bases are taken, or free",
    "bases empty, bases loaded, runners on, 2 or more runners on": "how many there are",
    "a runner in scoring position, nobody in scoring position": "on second or third",
    "the score is tied, I am ahead, I am behind, I am ahead by 2 or more, I am behind by 3 or less": (
        "the runs of the card's owner less the other side's"
    ),
    "a run differential of 3 or less": "whoever is ahead",
    "a clutch moment": "by the rule of the game",
    "I bat, I am in the field, I am at home, I am on the road": "where the card's owner is",
    "the batter has the advantage, the pitcher has the advantage, a mistake pitch": "what the pitch came to",
    "the chart said FB, the batter's chart was read, the pitcher's chart was read": "before any change",
    "the result is GB, the result is an out, the result is a single or double": "as it is now",
    "the outcome is a strikeout": "of this at-bat, when it is over",
    "the last outcome was a strikeout, the last 2 outcomes were hits": "of the at-bats before this one",
    "a natural 20 on the swing, a natural 1 to 3 on the pitch, a natural 1 on the throw, a natural 20 on the check": (
        "what the die shows, whatever is added; also on the bunt"
    ),
    "the swing is 15 or more, the pitch roll is odd, the command is 3 or less, the throw is 20 or more": (
        "with all that is added; pitch roll, command, pitch, on-base, swing roll, swing, throw, check"
    ),
    "the throw goes home, the throw goes to second": "the base where the runner is thrown at",
    "it is a steal, it is a tag-up, it is an extra base, it is a ground ball, it is a double play": "its play",
    "it is an infield throw, it is an outfield check": "who throws or makes the check; battery too",
    "it led to a run, it led to a lead change, it led to a double play": "the at-bat that is over; as with triggers",
    "the pitcher is tired, the pitcher is fresh": "whether his next pitch is beyond his limit",
    "the pitcher has recorded 9 outs or more, the pitcher has faced 3 batters, the pitcher has walked 2 or more": (
        "in this game, so far"
    ),
    "the pitcher has allowed 3 earned runs or more, the pitcher has 3 outs left or less": (
        "the runs are charged to him; outs left before he tires"
    ),
    "I hold 3 cards or less, they hold more than 5 cards, my deck has 10 cards or less": "strategy cards",
    "a card is in play, my Rally Song is in play, a momentum card is in play": "what stays in play, anybody's or whose",
    "I have played a card, they have played an offense card, somebody has played Rally Song": (
        "in this at-bat; defense and neutral card and coach too"
    ),
    "the first time this at-bat, the first time this half-inning": "this card's effect was not had before in it",
    "the first time this inning, the first time this game": "the same",
    "the batting team is Harbor, the stadium is Harbor Field, the weather is Fog": "by name",
    "the batter bats left, the pitcher throws right, the runner is a switch hitter": (
        "a player: the batter, the pitcher, the runner that is thrown at, the lead runner, a runner, a fielder, the "
        "catcher, the CF, an involved player"
    ),
    "the batter has HR, an involved player has GG": "an icon",
    "the batter plays SS, the batter can play SS, the pitcher plays P": "where he is now, or his card lets him",
    "the batter plays for Harbor, the batter is of set Originals, the batter is named Bo Amber": "by name",
    "the batter has on-base 9 or less, the pitcher has command 4 or more, the runner has br 18 or more": (
        "a number on his card; st, clutch, defense and salary too"
    ),
    "the pitcher is an SP, the pitcher is an RP": "his role in this game; OP and BP too",
    "not bases loaded, the batter does not have HR, the batter is not named Bo Amber": "the opposite",
    "bases loaded and nobody out, I am behind or the score is tied": "both, or one of the two",
}
"""Every phrase, with its explanation, as in docs/cards.md."""

WHO: Phrases = {
    "anybody": "all players",
    "bats left, throws right, is a switch hitter": "the side he is on now; what is on his card",
    "has HR": "an icon",
    "plays CF, can play SS": "where he is now, or his card lets him; P and DH too",
    "plays for Harbor, is of set Originals, is named Bo Amber": "by name",
    "has on-base 9 or less, has br 18 or more": "a number on his card; command, st, clutch, defense, salary too",
    "is an SP, is a pitcher, is a batter": "his role",
    "does not have HR, is not a pitcher": "the opposite",
    "plays LF or plays RF, bats left and has HR": "one of the two, or both",
}
"""Every phrase about players, with its explanation, as in docs/cards.md."""

_Fact = tuple[str, str, Any]
"""The fact, op and value of a condition."""

_SIDES = {"left": "L", "right": "R"}
_NUMBERED = {
    "on-base": "on_base",
    "command": "command",
    "br": "br",
    "baserunning": "br",
    "st": "st",
    "stealing": "st",
    "clutch": "clutch",
    "defense": "defense",
    "salary": "salary",
}
_PEOPLE = {
    "batter": "batter",
    "pitcher": "pitcher",
    "lead runner": "lead_runner",
    "involved player": "involved",
    "fielder": "fielders",
}
_KNOWN = {
    "pitch roll": "pitch_roll",
    "command": "command",
    "pitch": "pitch",
    "on-base": "on_base",
    "swing roll": "swing_roll",
    "swing": "swing",
    "throw": "throw",
    "check": "check",
    "i": "my",
    "they": "their",
}
_FIXED: dict[str, _Fact] = {
    "top of inning": ("half", "is", "top"),
    "bottom of inning": ("half", "is", "bottom"),
    "nobody out": ("outs", "range", (0, 0)),
    "bases empty": ("on", "range", (0, 0)),
    "nobody on": ("on", "range", (0, 0)),
    "runners on": ("on", "range", (1, 3)),
    "bases loaded": ("on", "range", (3, 3)),
    "runner in scoring position": ("risp", "is", True),
    "nobody in scoring position": ("risp", "is", False),
    "score is tied": ("lead", "range", (0, 0)),
    "i am ahead": ("lead", "range", (1, ANY)),
    "i am behind": ("lead", "range", (-ANY, -1)),
    "clutch moment": ("clutch", "is", True),
    "i bat": ("offence", "is", True),
    "i am in field": ("offence", "is", False),
    "i am at home": ("home", "is", True),
    "i am on road": ("home", "is", False),
    "batter has advantage": ("advantage", "is", "batter"),
    "pitcher has advantage": ("advantage", "is", "pitcher"),
    "mistake pitch": ("mistake", "is", True),
    "batter's chart was read": ("chart", "is", "batter"),
    "pitcher's chart was read": ("chart", "is", "pitcher"),
    "pitcher is tired": ("tired", "is", True),
    "pitcher is fresh": ("tired", "is", False),
    "throw goes home": ("base", "is", 4),
}
"""The phrases without a variable part."""

_SIZED = (
    (rf"inning {SIZE}", "inning", 1, 99),
    (rf"{SIZE} outs?", "outs", 0, 3),
    (rf"{SIZE} runners?(?: on)?", "on", 0, 3),
    (rf"run differential of {SIZE}", "differential", 0, 99),
    (rf"natural {SIZE} on (?P<roll>{either(ROLLS)})", "natural:{roll}", 1, 24),
    (rf"(?P<known>{either(_KNOWN)}) is {SIZE}", "number:{known}", -99, 99),
    (rf"pitcher has recorded {SIZE} outs?", "pitcher_outs", 0, 99),
    (rf"pitcher has faced {SIZE} batters?", "pitcher_faced", 0, 99),
    (rf"pitcher has walked {SIZE}(?: batters?)?", "pitcher_walks", 0, 99),
    (rf"pitcher has allowed {SIZE} earned runs?", "pitcher_earned", 0, 99),
    (rf"pitcher has {SIZE} outs? left", "innings_left", 0, 99),
    (rf"(?P<hold>i|they) hold {SIZE} cards?", "{hold} hand", 0, 99),
    (rf"(?P<whose>my|their) deck has {SIZE} cards?", "{whose} deck", 0, 99),
)
"""The phrases with a number: pattern, fact, and the bounds of the number."""


def condition(value: Any) -> tuple[Condition, ...]:
    """Read conditions, as "bases loaded and nobody out". Raises ValueError with the nearest phrase."""
    return _ways(neat(value), _fact, "condition", CONDITIONS)


def who(value: Any) -> tuple[Condition, ...]:
    """Read conditions on players, as "plays CF", see conditions.fits. Raises ValueError with the nearest phrase."""
    text = neat(value)
    return () if plain(text) == "anybody" else _ways(text, _trait, "kind of player", WHO)


_Leaf = Callable[[str], tuple[_Fact, ...]]
"""Reads one phrase without and, or and not; returns () if it is unknown."""

_ITEM = rf"(?:(?:an? )?{CODE}|{either(BASES)}|{SPOT})(?= and | or |$)"
_AND = rf" and (?!{_ITEM})"
_OR = rf" or (?!(?:more|less|fewer|higher|lower|later|earlier)\b(?! than))(?!{_ITEM})"
"""An "and" or "or" between two phrases, not within one: "first and third", "GB or FB", "2 or more"."""

_NOT = (
    (r"^not ", ""),
    (r"^nobody has ", "somebody has "),
    (r"\bdoes not have ", "has "),
    (r"\bdoes not (play|bat|throw) ", r"\1s "),
    (r"\b(is|am|was|were|has|have|can|do|did) not ", r"\1 "),
)
"""Negations, and how a phrase reads without them."""


def _ways(text: str, leaf: _Leaf, what: str, phrases: Phrases) -> tuple[Condition, ...]:
    parts = [split(way, _AND) for way in split(text, _OR)]
    ways = tuple(tuple(one for part in way for one in _part(part, leaf, what, phrases)) for way in parts)
    return ways[0] if len(ways) == 1 else (Condition(text, "", "any", ways),)


def _part(text: str, leaf: _Leaf, what: str, phrases: Phrases) -> tuple[Condition, ...]:
    if not text.lower().startswith("not ") and (found := leaf(text)):
        return tuple(Condition(text, *one) for one in found)
    for no, yes in _NOT:
        phrase = re.sub(no, yes, text, count=1, flags=re.IGNORECASE)
        if phrase != text and (found := leaf(phrase)):
            return (Condition(text, "", "not", tuple(Condition(phrase, *one) for one in found)),)
    raise ValueError(unknown(text, what, phrases))


# The game --------------------------------------------------------------------------------------------------------

_PLAYED = {
    "steal": "steal",
    "extra base": "hit",
    "tag-up": "tag",
    "ground ball": "ground",
    "double play": "double-play",
}
_SCOPES = {"at-bat": "at-bat", "half-inning": "half", "inning": "inning", "game": "game"}
_OWNERS = {"my": True, "i": True, "their": False, "they": False, "somebody": None, None: None}
_WHOM = rf"(?:(?P<any>an?|the) )?(?P<one>{either((*_PEOPLE, 'runner'))}|{SPOT})"
_IS = r"(?P<is>(?:has|is|bats|throws|plays|can|does) .+)"


def _fact(text: str) -> tuple[_Fact, ...]:
    phrase, raw = plain(text), text.lower()
    if phrase in _FIXED:
        return (_FIXED[phrase],)
    for pattern, name, low, high in _SIZED:
        if found := re.fullmatch(pattern, phrase):
            named = {key: _KNOWN.get(part, part) for key, part in found.groupdict().items()}
            return ((name.format(**named), *size(found, low, high)),)
    return _spoken(phrase) or _named(raw) or _about(raw)


def _spoken(phrase: str) -> tuple[_Fact, ...]:
    """Read a phrase with results, bases or plays."""
    if by := re.fullmatch(rf"i am (?P<way>ahead|behind) by {SIZE}", phrase):
        low, high = size(by, 1, 99)[1]
        low = max(low, 1)
        return (("lead", "range", (low, high) if by["way"] == "ahead" else (-high, -low)),)
    if on := re.fullmatch(rf"(runners?|nobody) on ((?:{either(BASES)})(?: and (?:{either(BASES)}))*)", phrase):
        return tuple((base, "is", on[1] != "nobody") for base in on[2].split(" and "))
    if to := re.fullmatch(rf"throw goes to ({either(BASES)})", phrase):
        return (("base", "is", BASES.index(to[1]) + 1),)
    if code := re.fullmatch(rf"(result|outcome|chart) (?:is|was|said) ({CODES})", phrase):
        return (("read" if code[1] == "chart" else code[1], "in", spread(codes(code[2]))),)
    if last := re.fullmatch(rf"last (?:(\d) )?outcomes? (?:was|were) ({CODES})s?", phrase):
        return (("previous", "last", (int(last[1] or 1), spread(codes(last[2])))),)
    if play := re.fullmatch(rf"it is (?:({either(_PLAYED)})|({either(UNITS)}) (?:throw|check))", phrase):
        return (("tags", "has", frozenset({_PLAYED.get(play[1], play[2])})),)
    if led := re.fullmatch(rf"it led to ({either(HAPPENED)})", phrase):
        return (("tags", "has", frozenset({HAPPENED[led[1]]})),)
    if first := re.fullmatch(rf"first time this ({either(_SCOPES)})", phrase):
        return ((f"used:{_SCOPES[first[1]]}", "range", (0, 0)),)
    return ()


def _named(raw: str) -> tuple[_Fact, ...]:
    """Read a phrase with the name of a card, team, stadium or the weather."""
    if name := re.fullmatch(r"(?:the )?(batting team|stadium|weather) is (?!not )(.+)", raw):
        return (("team" if name[1] == "batting team" else name[1], "name", _name(name[2])),)
    if kept := re.fullmatch(r"(?:(my|their) )?(.+) is in play", raw):
        return (("in_play", "card", (_OWNERS[kept[1]], _kind(kept[2]))),)
    if played := re.fullmatch(r"(i|they|somebody) ha(?:ve|s) played (.+)", raw):
        return (("played", "card", (_OWNERS[played[1]], _kind(played[2]))),)
    return ()


def _name(text: str) -> str:
    """Return a name for comparison: without quotation marks and case."""
    return text.strip('"').casefold()


def _kind(text: str) -> str:
    """Return which card is meant: "" for any, a kind, a side, or a name."""
    kind = re.fullmatch(r"(?:an? )?(?:(?:(offense|defense|neutral|momentum) )?card|(coach))", text)
    return (kind[1] or kind[2] or "") if kind else _name(text)


# Players ---------------------------------------------------------------------------------------------------------

_ROLES = ("SP", "RP", "OP", "BP")
_SPOTS = rf"(?P<spots>{SPOT}(?: or {SPOT})*)"


def _about(raw: str) -> tuple[_Fact, ...]:
    """Read a phrase about a player: who, and his trait."""
    found = re.fullmatch(rf"{_WHOM} {_IS}", raw)
    if not found:
        return ()
    one = found["one"]
    if one == "runner":
        people = "runners" if found["any"] == "a" else "runner"
    else:
        people = _PEOPLE[one] if one in _PEOPLE else spot(one)
    return ((people, "who", _part(found["is"], _trait, "kind of player", WHO)),)


def _trait(text: str) -> tuple[_Fact, ...]:
    raw, phrase = text.lower(), plain(text)
    if name := re.fullmatch(r"(?:plays for|is of (?:the )?(set)|is (named)) (.+)", raw):
        return (("set" if name[1] else "name" if name[2] else "team", "name", _name(name[3])),)
    if side := re.fullmatch(r"(?:bats|throws) (left|right)", phrase):
        return (("side", "is", _SIDES[side[1]]),)
    if phrase == "is switch hitter":
        return (("hand", "is", "S"),)
    if spots := re.fullmatch(rf"(?P<how>plays|can play) {_SPOTS}", phrase):
        wanted = frozenset(map(spot, spots["spots"].split(" or ")))
        return (("playing", "in", wanted) if spots["how"] == "plays" else ("positions", "has", wanted),)
    if number := re.fullmatch(rf"has (?P<what>{either(_NUMBERED)}) {SIZE}", phrase):
        return ((_NUMBERED[number["what"]], *size(number, -99, 9999)),)
    if role := re.fullmatch(r"is (sp|rp|op|bp|pitcher|batter)", phrase):
        of = {"pitcher": frozenset(_ROLES), "batter": frozenset({""})}
        return (("role", "in", of.get(role[1], frozenset({role[1].upper()}))),)
    if (icon := re.fullmatch(r"has (?:the )?(\w{1,8})", raw)) and icon[1] not in _NUMBERED:
        return (("icons", "icon", icon[1].casefold()),)
    return ()
