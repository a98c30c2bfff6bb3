"""Effects of cards: phrases for one effect each; phrases.effect combines them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.cards import Phrases, quoted
from engine.dice import FACES
from engine.games.clutch.cards.effects import BASES, ROLLS, UNITS, Effect, Trial
from engine.games.clutch.cards.grammar import ANY, CODE, CODES, SIZE, SPOT, UNIT, codes, either, plain, size, spot, unit
from engine.games.clutch.cards.result_chart import RESULTS
from engine.games.clutch.cards.trigger_phrases import NUMBERS

EFFECTS: Phrases = {
    "swing +2, swing roll +1, pitch -1, pitch roll +1, command -2, on-base +1, x-zone +1": (
        "changes a number; my and their before it say whose, when the card stays longer than this at-bat"
    ),
    "swing + batter's clutch, pitch + pitcher's clutch, swing - pitcher's clutch": "changes it by a Clutch rating",
    "swing + d6, throw - d6": "changes it by a die that is thrown: d6, d8, d10, d20, d24; on weather cards d16 too",
    "br +2, st -1, lead runner br +2, runner on first st +1, batter br +1": "the speed of who is thrown at, or his",
    "runners br +2, my runners st +2, their runners br -1": "the speed of all runners, or of those of one side",
    "throw +2, throw roll +1, check -2, check roll +1, check target +2": "a throw or a check",
    "infield +1, outfield -1, battery +2, 3B+SS +2, CF defense +1, defense +1": (
        "a unit, positions together, one position; of the player concerned"
    ),
    "bunt roll +1, bunt target -2": "a bunt",
    "my hand limit +1, their hand limit -1, my draw +1": "cards that may be held, and are drawn after a half-inning",
    "on-base = 12, br = 20, check target = 15, lead runner br = 11": "the number is this, before anything is added",
    "ignore handedness, ignore the batter's handedness, ignore the pitcher's handedness": "nobody gains by a hand",
    "ignore the stadium, ignore the weather, ignore icons, ignore cards, ignore offense cards, ignore defense cards": (
        "these count for nothing"
    ),
    "ignore the runner bonus, ignore the unit bonus": "what the rules add in a throw to a speed, or to a unit",
    "power die for the swing, regular die for the swing, d24 for the pitch, d20 for the throw, d24 for the check": (
        "another die is thrown; for the bunt too"
    ),
    "reroll the swing, reroll the pitch, reroll the throw, reroll the check, reroll the bunt": "its die, once more",
    "roll the swing twice for the best, roll the pitch twice for the worst": "thrown again, and one of the two counts",
    "swing die = 20, pitch die = 1": "it counts as that",
    "the batter has the advantage, the pitcher has the advantage": "whatever the pitch came to",
    "a mistake pitch, no mistake pitch": "the pitch is made one, or is none",
    "read the other chart": "of the player without the advantage",
    "FB on the batter's chart is 1B, FB at 6 or more on the batter's chart is 1B, 6 to 8 on the chart is GB": (
        "a result reads otherwise, anywhere or at these swings; this is no change of a result"
    ),
    "GB on the chart is SO, an out on the chart is 1B": "the same on both charts; out and hit stand for all of them",
    "change GB to 1B, change an out to a single, change SO or GB to FB, change the result to a walk": "for certain",
    "change GB to 1B if an infield check fails, change 1B to GB if an outfield check against 15 is made": (
        "only if the check comes out so; it is made against 20 if nothing else is said"
    ),
    "change 1B to GB if an outfield throw at the batter is made, change LD to 2B if a d20 shows 11 or more": (
        "only if the throw is out, or fails; only if the die shows so much, or 10 or less"
    ),
    "the runner is safe, the runner is out": "the throw comes out so",
    "the check is made, the check fails": "the check comes out so",
    "runners advance 1, lead runner advances 2, runner on first advances 1, batter advances 1": "that many bases",
    "batter advances 1 by an error, lead runner advances 1 by a steal": "the same, and what it is counted as",
    "runners hold, lead runner holds, runner on third holds": "they stay where they are",
    "remove the lead runner, remove the runner on second": "gone from the bases, and not out",
    "the batter leaves the game, the pitcher leaves the game": "somebody else comes in for him at once",
    "place the lead runner on third, place the runner on second on first": "put there, if nobody is in the way",
    "the batter is out, the lead runner is out, the runner on first is out": "one more out",
    "forbid steals, forbid extra bases, forbid tag-ups, forbid throws, forbid double plays, forbid bunts": (
        "cannot be done while it lasts"
    ),
    "forbid intentional walks, forbid changes, forbid cards, forbid substitutions, forbid infield in": "the same",
    "forbid their cards, forbid defense cards, allow substitutions, allow bunts": (
        "whose, or cards of which side; allow is the opposite"
    ),
    "score as E, score as FC, score as SF, score as SAC, score as WP": "how it stands on the scorecard",
    "draw 2, they draw 1, both draw 1, the offense draws 1, the defense draws 1": "cards from the deck",
    "discard 1, they discard 1, they discard 1 at random, discard 1 offense card, they discard their hand": (
        "cards from the hand, as many as there are; chosen by whose hand it is"
    ),
    "look at their hand, look at the top card of my deck, look at the top 3 of their deck": "only its owner sees",
    "recover 1, search 1, recover 1 offense card": "takes cards of the discard pile, or of the deck, into the hand",
    "bottom 1, shuffle my deck, shuffle their deck": "puts cards of the hand under the deck; shuffles a deck",
    "take this card back": "it goes to the hand again",
    "negate the card": "what was played takes no effect",
    "cannot be negated": "no card negates this one",
    "innings +1, innings -1": "your pitcher lasts longer, theirs shorter",
    "rest +1, rest -1": "games the pitcher has to rest after this one",
    "either draw 1 or they discard 1": "the card's owner chooses",
    "swing +2 if the batter has HR, swing +2 if the batter has HR else +1": "only if it is so, else something else",
    "lead runner advances 1 if an infield check fails, draw 1 if a d6 shows 5 or more else discard 1": (
        "only if a check, a throw or a die comes out so"
    ),
    "swing +2 and draw 1": "several things; a comma does as well, and ends what hangs on an if",
    "nothing": "no more than the card's cost",
}
"""Every phrase, with its explanation, as in docs/cards.md."""

CONTROL = "d16"
"""The Control Die, only for weather cards (CL-387)."""

DICE = ("d6", "d8", "d10", CONTROL, "d20", "d24")
"""The dice that a card may call for."""

_DICE = {"power die": "d24", "regular die": "d20"} | {die: die for die in DICE}
_RUNNERS = {
    "batter": "batter",
    "lead runner": "lead",
    "runners": "every",
    "every runner": "every",
    "all runners": "every",
}
_RUNNERS |= {f"runner on {base}": base for base in BASES}
_RUNNER, _ROLL, _BASE = either(_RUNNERS), either(ROLLS), either(BASES)
_DEEDS = {
    "steals": "steal",
    "extra bases": "extra-base",
    "tag-ups": "tag",
    "throws": "throw",
    "double plays": "double-play",
    "bunts": "bunt",
    "intentional walks": "walk",
    "changes": "change",
    "substitutions": "substitution",
    "infield in": "infield-in",
}
_MANAGERS = {"i": "my", "they": "their", "both": "both", "offense": "offense", "defense": "defense"}
_WHOSE = r"(?:(?P<whose>my|their) )?"
_SPEEDS = {"br": "br", "baserunning": "br", "st": "st", "stealing": "st"}
_NAMED = {name: what for name, what in NUMBERS.items() if what not in ("br", "st", "unit", "defense")}
_WHAT = (
    rf"(?:(?:(?P<runner>{_RUNNER}|runner)(?:'s)? )?(?P<speed>{either(_SPEEDS)})|(?P<unit>{UNIT})"
    rf"|(?:(?P<spot>{SPOT}) )?defense|(?P<number>{either(_NAMED)}))"
)
_MUCH = rf"(?P<much>\d{{1,2}}|(?P<of>{either(DICE)}|(?:batter|pitcher)'s clutch))"
_AMOUNT = r"(?P<amount>\d{1,2})"
_SIDES = r"(?: (?P<what>offense|defense|neutral))?(?: cards?)?"

_GRAMMAR = (
    (
        r"ignore (?P<what>handedness|stadium|weather|icons|cards|(?:offense|defense) cards|(?:runner|unit) bonus)",
        "ignore",
    ),
    (r"ignore (?P<of>batter|pitcher)'s (?P<what>handedness)", "ignore"),
    (rf"(?P<of>{either(_DICE)}) for (?P<what>{_ROLL})", "die"),
    (rf"reroll (?P<what>{_ROLL})", "reroll"),
    (rf"roll (?P<what>{_ROLL}) twice for (?P<of>best|worst)", "twice"),
    (rf"(?P<what>{_ROLL}) die = {_AMOUNT}", "face"),
    (r"(?P<of>batter|pitcher) has advantage", "advantage"),
    (r"(?P<of>mistake|0 mistake) pitch", "mistake"),
    (r"read other chart", "switch"),
    (r"runner is (?P<to>safe|out)", "throw"),
    (r"check (?:is )?(?P<to>made|fails)", "check"),
    (rf"(?P<what>{_RUNNER}) advances? {_AMOUNT}(?: bases?)?(?: by (?P<of>error|steal))?", "advance"),
    (rf"(?P<what>{_RUNNER}) holds?", "hold"),
    (rf"remove (?P<what>{_RUNNER})", "remove"),
    (r"(?P<what>batter|pitcher) leaves game", "eject"),
    (rf"place (?P<of>lead runner|runner on (?:{_BASE})) on (?P<what>{_BASE})", "place"),
    (rf"(?P<what>{_RUNNER}) (?:is|are) out", "out"),
    (rf"(?P<verb>forbid|allow) {_WHOSE}(?P<what>{either(_DEEDS)})", ""),
    (rf"(?P<verb>forbid|allow) {_WHOSE}(?:(?P<of>offense|defense|neutral) )?(?P<what>cards)", ""),
    (r"score as (?P<what>e|fc|sf|sac|wp)", "score"),
    (rf"(?:(?P<whose>{either(_MANAGERS)}) )?draws? {_AMOUNT}(?: cards?)?", "draw"),
    (rf"(?:(?P<whose>i|they|both) )?discards? {_AMOUNT}{_SIDES}(?P<of> at random)?", "discard"),
    (r"(?:(?P<whose>i|they) )?discard (?:my|their) hand", "discard"),
    (rf"look at {_WHOSE}(?P<what>hand)", "look"),
    (rf"look at top (?:{_AMOUNT} )?(?:cards? )?of (?P<whose>my|their) (?P<what>deck)", "look"),
    (rf"(?P<verb>recover|search|bottom) {_AMOUNT}{_SIDES}", ""),
    (r"shuffle (?P<whose>my|their) deck", "shuffle"),
    (r"take this card back", "return"),
    (r"negate card", "negate"),
    (r"cannot be negated", "immune"),
    (rf"(?P<verb>innings|rest) (?P<sign>[+-]) ?{_AMOUNT}", ""),
)
"""Phrases whose parts are fields of their effect, and the verb unless it is one of the parts."""

_MEANS: Mapping[str, Mapping[str, str]] = {
    "what": {**_RUNNERS, **_DEEDS, **{code: code.upper() for code in ("e", "fc", "sf", "sac", "wp")}},
    "of": {**_DICE, **_RUNNERS, "mistake": "cause", "0 mistake": "prevent", " at random": "random"},
    "whose": _MANAGERS,
    "to": {"fails": "failed"},
}
"""The values of the parts, if they differ from the words."""

_BOUNDS = {"face": (1, 24), "advance": (1, 4), "draw": (1, 9), "discard": (1, 9), "look": (1, 20)}
_BOUNDS |= {"recover": (1, 9), "search": (1, 9), "bottom": (1, 9), "innings": (1, 2), "rest": (1, 9)}
"""The bounds of the number in a phrase, by verb."""

_USUAL = {
    "draw": Effect("", "draw", whose="my"),
    "discard": Effect("", "discard", whose="my", of="choice"),
    "look": Effect("", "look", amount=1),
}


def single(text: str) -> Effect | None:
    """Read the effect of a neat phrase without if, and or either; return None if it is unknown.

    Raises ValueError if a number is out of bounds.
    """
    phrase = plain(text)
    return _number(text, phrase) or _chart(text, phrase) or _plain(text, phrase)


def trial(text: str) -> tuple[Trial, str] | None:
    """Read a trial and the result it needs, "made" or "failed"; return None if the phrase is not a trial."""
    phrase = plain(text)
    if check := re.fullmatch(rf"({UNIT}) check(?: against (\d{{1,2}}))?(?: is)? (made|fails)", phrase):
        return Trial("check", unit(check[1]), _bounded(text, check[2] or "20", 1, 40)), _came(check[3])
    if throw := re.fullmatch(rf"({UNIT}) throw at ({_RUNNER})(?:'s (br|st))?(?: is)? (made|fails)", phrase):
        if (runner := _RUNNERS[throw[2]]) == "every":
            raise ValueError(f"{quoted(text)} wants one runner who is thrown at.")
        return Trial("throw", unit(throw[1]), 0, runner, throw[3] or "br"), _came(throw[4])
    if die := re.fullmatch(rf"({either(_DICE)}) shows (\d{{1,2}})( or more| or less|\+)?", phrase):
        kind, less = _DICE[die[1]], die[3] == " or less"
        top = len(FACES[kind])
        number = _bounded(text, die[2], 1 if less else 2, top - less)
        if not die[3] and number < top:
            raise ValueError(f"{quoted(text)} wants or more, or less, after the number.")
        return Trial("roll", target=number + less, die=kind), "failed" if less else "made"
    return None


def _came(phrase: str) -> str:
    return "made" if phrase == "made" else "failed"


def _number(text: str, phrase: str) -> Effect | None:
    """Read a phrase that changes or sets a number."""
    if mod := re.fullmatch(rf"{_WHOSE}{_WHAT} ?(?P<sign>[+-]) ?{_MUCH}", phrase):
        amount = 1 if mod["of"] else _bounded(text, mod["much"], 1, 20)
        what, to = _what(mod)
        return Effect(
            text, "mod", what, -amount if mod["sign"] == "-" else amount, mod["of"] or "", mod["whose"] or "", to
        )
    if made := re.fullmatch(rf"{_WHOSE}{_WHAT} = (?P<much>\d{{1,2}})", phrase):
        what, to = _what(made)
        return Effect(text, "set", what, _bounded(text, made["much"], 0, 40), "", made["whose"] or "", to)
    return None


def _what(found: re.Match[str]) -> tuple[str, str]:
    """Return the number that is meant, and whose it is."""
    if found["speed"]:
        return _SPEEDS[found["speed"]], _RUNNERS.get(found["runner"] or "", "")
    if found["number"]:
        return _NAMED[found["number"]], ""
    if found["unit"] and (found["unit"] in UNITS or "+" in found["unit"]):
        return "unit", unit(found["unit"])
    place = found["unit"] or found["spot"]
    return "defense", spot(place) if place else ""


def _chart(text: str, phrase: str) -> Effect | None:
    """Read a phrase that alters a chart, or changes a result."""
    on = rf" on (?:(?P<of>batter|pitcher)'s )?chart is (?P<to>{CODE})"
    if read := re.fullmatch(rf"(?P<codes>{CODES})(?: at {SIZE})?{on}", phrase) or re.fullmatch(f"{SIZE}{on}", phrase):
        op, bounds = size(read, 1, 40) if read["size"] else ("range", (0, ANY))
        if op != "range":
            raise ValueError(f"{quoted(text)} wants a number.")
        low, high = bounds
        what, to = _among(read.groupdict().get("codes")), _one(text, read["to"])
        return Effect(text, "alter", what, max(low, 0), read["of"] or "", to=to, most=high % ANY)
    if change := re.fullmatch(rf"change (?:result|(?P<codes>{CODES})) to (?P<to>{CODE})", phrase):
        return Effect(text, "change", _among(change["codes"]), to=_one(text, change["to"]))
    return None


def _among(listed: str | None) -> str:
    return "+".join(codes(listed)) if listed else ""


def _one(text: str, code: str) -> str:
    """Return a single result. Raises ValueError if it is a group of results."""
    (found,) = codes(code)
    if found not in RESULTS:
        raise ValueError(f"{quoted(text)} wants one result to turn it into, as 1B.")
    return found


def _plain(text: str, phrase: str) -> Effect | None:
    for pattern, verb in _GRAMMAR:
        if found := re.fullmatch(pattern, phrase):
            parts = {name: part for name, part in found.groupdict().items() if part}
            effect = _USUAL.get(verb) or Effect("", parts.pop("verb", verb))
            sign = -1 if parts.pop("sign", "+") == "-" else 1
            if number := parts.pop("amount", ""):
                effect = replace(effect, amount=sign * _bounded(text, number, *_BOUNDS[effect.verb]))
            fields: dict[str, Any] = {name: _MEANS[name].get(part, part) for name, part in parts.items()}
            return replace(effect, text=text, **fields)
    return None


def _bounded(text: str, number: str, low: int, high: int) -> int:
    if not low <= int(number) <= high:
        raise ValueError(f"{quoted(text)} wants a number from {low} to {high}.")
    return int(number)
