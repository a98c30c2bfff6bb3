"""Effects: each thing that a card can do, as a phrase. phrases.effect joins them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.cards import quoted
from engine.dice import FACES
from engine.games.clutch.cards.effects import BASES, UNITS, Effect, Trial
from engine.games.clutch.cards.grammar import BASE, CODES, RESULT, ROLL, SPOT, UNIT, plain
from engine.games.clutch.cards.trigger_phrases import NUMBERS
from engine.phrases import ANY, PhraseError, Row, Vocabulary, meaning, number, size, words

CONTROL = "d16"  # The Control Die, only for weather cards (CL-387).

DICE = ("d6", "d8", "d10", CONTROL, "d20", "d24")  # The dice that a card may call for.

_NAMED_DICE = {"power die": "d24", "regular die": "d20"} | {die: die for die in DICE}
_RUNNERS = {
    "batter": "batter",
    "lead runner": "lead",
    "runners": "every",
    "every runner": "every",
    "all runners": "every",
    **{f"runner on {base}": base for base in BASES},
}

# Numbers ---------------------------------------------------------------------------------------------------------

_NAMED = {name: what for name, what in NUMBERS.items() if what not in ("br", "st", "unit", "defense")}
_SPEEDS = {"br": "br", "baserunning": "br", "st": "st", "stealing": "st"}

_WHAT = "(?:{whose:my|their} )?(?:(?:{runner}(?:'s)? )?{speed}|{unit}|(?:{spot} )?defense|{named})"
"""A number, and whose it is."""


def _number(
    text: str,
    verb: str,
    amount: int = 1,
    speed: str = "",
    runner: str = "",
    unit: str = "",
    spot: str = "",
    named: str = "",
    sign: int = 1,
    **more: Any,
) -> Effect:
    """Return an effect on a number: a speed of a runner, a unit or a position of the defense, or a named one."""
    if speed or named:
        what, to = speed or named, runner
    elif unit in UNITS or "+" in unit:
        what, to = "unit", unit
    else:
        what, to = "defense", unit or spot
    return Effect(text, verb, what, sign * amount, to=to, **more)


# Trials ----------------------------------------------------------------------------------------------------------


def _thrown_at(text: str) -> str:
    if _RUNNERS[text] == "every":
        raise ValueError("needs one runner who is thrown at.")
    return _RUNNERS[text]


def _roll(text: str, die: str, target: int, how: str = "") -> tuple[Trial, str]:
    top, less = len(FACES[die]), how == " or less"
    if not (1 if less else 2) <= target <= top - less:
        raise PhraseError(f"{quoted(text)} needs a number from {1 if less else 2} to {top - less}.")
    if not how and target < top:
        raise PhraseError(f"{quoted(text)} needs or more, or less, after the number.")
    return Trial("roll", target=target + less, die=die), "failed" if less else "made"


TRIALS = Vocabulary(
    "trial",
    lambda text, came, **fields: (Trial(**fields), came),
    {
        "came": meaning({"made": "made", "fails": "failed"}),
        "unit": UNIT,
        "against": number(1, 40),
        "one": replace(meaning(_RUNNERS), read=_thrown_at),
        "die": meaning(_NAMED_DICE),
        "shown": number(0, 99),
        "how": words(r" or more", " or less", "+"),
    },
    Row(
        "{unit} check(?: against {target:against})?(?: is)? {came}",
        "against 20 unless the phrase says otherwise",
        "an infield check fails, an outfield check against 15 is made",
        call="check",
    ),
    Row(
        "{unit} throw at {runner:one}(?:'s {speed:br|st})?(?: is)? {came}",
        "made if the runner is out",
        "an outfield throw at the batter is made",
        call="throw",
        target=0,
    ),
    Row(
        "{die} shows {target:shown}{how}?", "the die shows this", "a d20 shows 11 or more, a d6 shows 2 or less", _roll
    ),
    plain=plain,
)
"""What may decide about an effect: a check, a throw or a die, and the result it needs, "made" or "failed"."""

# Effects ---------------------------------------------------------------------------------------------------------


def _alter(text: str, to: str, codes: tuple[str, ...] = (), swing: tuple[int, int] = (0, ANY), of: str = "") -> Effect:
    return Effect(text, "alter", "+".join(codes), max(swing[0], 0), of, to=to, most=swing[1] % ANY)


def _signed(text: str, verb: str, sign: int, amount: int) -> Effect:
    return Effect(text, verb, amount=sign * amount)


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
_SIDES = "(?: {what:offense|defense|neutral})?(?: cards?)?"

ACTIONS = Vocabulary(
    "effect",
    Effect,
    {
        "runner": meaning({**_RUNNERS, "runner": ""}),
        "who": meaning(_RUNNERS),
        "one": meaning({name: runner for name, runner in _RUNNERS.items() if runner in ("lead", *BASES)}),
        "speed": meaning(_SPEEDS),
        "unit": UNIT,
        "spot": SPOT,
        "named": meaning(_NAMED),
        "sign": meaning({"+": 1, "-": -1}),
        "by": number(1, 20),
        "set": number(0, 40),
        "clutch": words("batter's clutch", "pitcher's clutch"),
        "die": meaning(_NAMED_DICE, "power die", "regular die", "d24", "d20"),
        "thrown": words(*DICE),
        "roll": ROLL,
        "base": BASE,
        "result": RESULT,
        "codes": CODES,
        "among": replace(CODES, read=lambda text: "+".join(CODES.read(text))),
        "swing": size(1, 40),
        "deed": meaning(_DEEDS),
        "bases": number(1, 4),
        "face": number(1, 24),
        "cards": number(1, 9),
        "top": number(1, 20),
        "innings": number(1, 2),
        "ignored": meaning(
            {
                "handedness": "handedness",
                "the stadium": "stadium",
                "the weather": "weather",
                "icons": "icons",
                "cards": "cards",
                "offense cards": "offense cards",
                "defense cards": "defense cards",
                "the runner bonus": "runner bonus",
                "the unit bonus": "unit bonus",
            },
            plain=plain,
        ),
        "scored": meaning({code: code for code in ("E", "FC", "SF", "SAC", "WP")}, plain=plain),
        "came": meaning({"made": "made", "fails": "failed"}),
        "random": meaning({"at random": "random"}),
        "discards": meaning({"i": "my", "they": "their", "both": "both"}),
        "manager": meaning({"i": "my", "they": "their", "both": "both", "offense": "offense", "defense": "defense"}),
    },
    Row(
        f"{_WHAT} ?{{sign}} ?{{amount:by}}",
        "changes a number; `my` and `their` say whose, if the card stays longer than this at-bat",
        "swing +2, swing roll +1, pitch -1, pitch roll +1, command -2, on-base +1, x-zone +1",
        _number,
        verb="mod",
    ),
    Row(
        f"{_WHAT} ?{{sign}} ?{{of:clutch}}",
        "changes it by a Clutch rating",
        "swing + batter's clutch, pitch + pitcher's clutch, swing - pitcher's clutch",
        _number,
        verb="mod",
    ),
    Row(
        f"{_WHAT} ?{{sign}} ?{{of:thrown}}",
        "changes it by a die: d6, d8, d10, d20, d24; on weather cards also d16",
        "swing + d6, throw - d6",
        _number,
        verb="mod",
    ),
    Row(
        "",
        "the speed of the runner who is thrown at, or of this one",
        "br +2, st -1, lead runner br +2, runner on first st +1, batter br +1",
    ),
    Row("", "the speed of all runners, or of one side's", "runners br +2, my runners st +2, their runners br -1"),
    Row("", "a throw or a check", "throw +2, throw roll +1, check -2, check roll +1, check target +2"),
    Row(
        "",
        "a unit, positions together, or one position; `defense` is that of the player concerned",
        "infield +1, outfield -1, battery +2, 3B+SS +2, CF defense +1, defense +1",
    ),
    Row("", "a bunt", "bunt roll +1, bunt target -2"),
    Row(
        "",
        "cards that may be held, and that are drawn after a half-inning",
        "my hand limit +1, their hand limit -1, my draw +1",
    ),
    Row(
        f"{_WHAT} = {{amount:set}}",
        "the number is this, before anything is added",
        "on-base = 12, br = 20, check target = 15, lead runner br = 11",
        _number,
        verb="set",
    ),
    Row("ignore {what:ignored}", "this counts for nothing; a bonus is what the rules add to a throw", verb="ignore"),
    Row("ignore the {of:batter|pitcher}'s handedness", "only this player's", verb="ignore", what="handedness"),
    Row("{of:die} for the {what:roll}", "another die is rolled", verb="die"),
    Row("reroll the {what:roll}", "its die is rolled again", verb="reroll"),
    Row("roll the {what:roll} twice for the {of:best|worst}", "rolled twice, and one counts", verb="twice"),
    Row("{what:roll} die = {amount:face}", "the die counts as this", "swing die = 20, pitch die = 1", verb="face"),
    Row("the {of:batter|pitcher} has the advantage", "whatever the pitch is", verb="advantage"),
    Row("a mistake pitch", "the pitch becomes one", verb="mistake", of="cause"),
    Row("no mistake pitch", "the pitch is not one", verb="mistake", of="prevent"),
    Row("read the other chart", "of the player without the advantage", verb="switch"),
    Row(
        "{codes}(?: at {swing})? on (?:{of:batter|pitcher}'s )?chart is {to:result}",
        "a result reads otherwise, on any swing or on these, on one chart or on both; this does not change a result",
        "FB on the batter's chart is 1B, FB at 6 or more on the batter's chart is 1B, GB on the chart is SO, "
        "an out on the chart is 1B",
        _alter,
    ),
    Row(
        "{swing} on (?:{of:batter|pitcher}'s )?chart is {to:result}",
        "the same for any result",
        "6 to 8 on the chart is GB",
        _alter,
    ),
    Row(
        "change (?:the result|{what:among}) to {to:result}",
        "for certain; `out` and `hit` stand for all of them",
        "change GB to 1B, change an out to a single, change SO or GB to FB, change the result to a walk",
        verb="change",
    ),
    Row(
        "",
        "only if a check, a throw or a die comes out like this; a check is made against 20 unless the phrase says "
        "otherwise",
        "change GB to 1B if an infield check fails, change 1B to GB if an outfield check against 15 is made, "
        "change 1B to GB if an outfield throw at the batter is made, change LD to 2B if a d20 shows 11 or more",
    ),
    Row("the runner is {to:safe|out}", "the result of the throw", verb="throw"),
    Row("the check (?:is )?{to:came}", "the result of the check", "the check is made, the check fails", verb="check"),
    Row(
        "{what:who} advances? {amount:bases}(?: bases?)?(?: by {of:error|steal})?",
        "this many bases, and how that is scored",
        "runners advance 1, lead runner advances 2, runner on first advances 1, batter advances 1, "
        "batter advances 1 by an error, lead runner advances 1 by a steal",
        verb="advance",
    ),
    Row("{what:who} holds?", "they stay", "runners hold, lead runner holds, runner on third holds", verb="hold"),
    Row(
        "remove {what:who}",
        "leaves the bases, but is not out",
        "remove the lead runner, remove the runner on second",
        verb="remove",
    ),
    Row("the {what:batter|pitcher} leaves the game", "somebody replaces him at once", verb="eject"),
    Row(
        "place {of:one} on {what:base}",
        "puts a runner on a base, if nobody is in the way",
        "place the lead runner on third, place the runner on second on first",
        verb="place",
    ),
    Row(
        "{what:who} (?:is|are) out",
        "one more out",
        "the batter is out, the lead runner is out, the runner on first is out",
        verb="out",
    ),
    Row("{verb:forbid|allow} (?:{whose:my|their} )?{what:deed}", "whether this can be done while the effect lasts"),
    Row(
        "{verb:forbid|allow} (?:{whose:my|their} )?(?:{of:offense|defense|neutral} )?cards",
        "whose cards, or cards of which side",
        "forbid cards, forbid their cards, forbid defense cards",
        what="cards",
    ),
    Row("score as {what:scored}", "how it appears on the scorecard", verb="score"),
    Row(
        "(?:{whose:manager} )?draws? {amount:cards}(?: cards?)?",
        "cards from the deck",
        "draw 2, they draw 1, both draw 1, the offense draws 1, the defense draws 1",
        verb="draw",
        whose="my",
    ),
    Row(
        f"(?:{{whose:discards}} )?discards? {{amount:cards}}{_SIDES}(?: {{of:random}})?",
        "cards from the hand, as many as there are; its owner chooses",
        "discard 1, they discard 1, they discard 1 at random, discard 1 offense card",
        verb="discard",
        whose="my",
        of="choice",
    ),
    Row(
        "(?:{whose:discards} )?discard (?:my|their) hand",
        "all cards in the hand",
        "they discard their hand",
        verb="discard",
        whose="my",
        of="choice",
    ),
    Row(
        "look at (?:{whose:my|their} )?hand",
        "only you see it",
        "look at their hand",
        verb="look",
        what="hand",
        amount=1,
    ),
    Row(
        "look at the top (?:{amount:top} )?(?:cards? )?of {whose:my|their} deck",
        "the same",
        "look at the top card of my deck, look at the top 3 of their deck",
        verb="look",
        what="deck",
        amount=1,
    ),
    Row(
        f"{{verb:recover|search|bottom}} {{amount:cards}}{_SIDES}",
        "takes cards from the discard pile, or from the deck, into the hand; puts cards of the hand under the deck",
        "recover 1, search 1, recover 1 offense card, bottom 1",
    ),
    Row("shuffle {whose:my|their} deck", "shuffles this deck", verb="shuffle"),
    Row("take this card back", "the card returns to the hand", verb="return"),
    Row("negate the card", "the card that was played has no effect", verb="negate"),
    Row("cannot be negated", "no card negates this one", verb="immune"),
    Row(
        "innings {sign} ?{amount:innings}",
        "your pitcher lasts longer, theirs shorter",
        "innings +1, innings -1",
        _signed,
        verb="innings",
    ),
    Row(
        "rest {sign} ?{amount:cards}",
        "games that the pitcher has to rest after this one",
        "rest +1, rest -1",
        _signed,
        verb="rest",
    ),
    plain=plain,
)
"""Every effect without if, and or either."""

EFFECTS: Vocabulary[Effect] = Vocabulary(
    "effect",
    Effect,
    {},
    *ACTIONS.framed("{}"),
    Row("", "the card's owner chooses", "either draw 1 or they discard 1"),
    Row(
        "",
        "only if this is so, otherwise something else",
        "swing +2 if the batter has HR, swing +2 if the batter has HR else +1",
    ),
    Row(
        "",
        "only if a check, a throw or a die comes out like this",
        "lead runner advances 1 if an infield check fails, draw 1 if a d6 shows 5 or more else discard 1",
    ),
    Row("", "several effects; a comma joins them too, and ends what an `if` covers", "swing +2 and draw 1"),
    Row("", "no more than the card's cost", "nothing"),
)
"""Every form of an effect; phrases.effect puts it together."""
