"""Phrases for each effect of a card. `phrases.parse_effects` joins them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.cards import quoted_value
from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.effects import FIELDING_UNITS, RUNNER_BASES, CardEffect, Trial
from engine.games.clutch.cards.grammar import (
    BASE_SLOT,
    CODES_SLOT,
    POSITION_SLOT,
    RESULT_SLOT,
    ROLL_SLOT,
    UNIT_SLOT,
    plain_phrase,
)
from engine.games.clutch.cards.trigger_phrases import NUMBERS_BY_NAME
from engine.phrases import (
    NO_UPPER_BOUND,
    PhraseError,
    PhraseRow,
    Vocabulary,
    number_slot,
    range_slot,
    value_slot,
    word_slot,
)

CONTROL_DIE = "d16"  # Only for weather cards (CL-387).

DIE_KINDS = ("d6", "d8", "d10", CONTROL_DIE, "d20", "d24")  # Dice that a card may call for.

_NAMED_DICE = {"power die": "d24", "regular die": "d20"} | {die: die for die in DIE_KINDS}
_RUNNER_WORDS = {
    "batter": "batter",
    "lead runner": "lead",
    "runners": "every",
    "every runner": "every",
    "all runners": "every",
    **{f"runner on {base}": base for base in RUNNER_BASES},
}

# Numbers ---------------------------------------------------------------------------------------------------------

_NUMBERS_BY_NAME = {name: what for name, what in NUMBERS_BY_NAME.items() if what not in ("br", "st", "unit", "defense")}
_SPEED_WORDS = {"br": "br", "baserunning": "br", "st": "st", "stealing": "st"}

_NUMBER_PATTERN = "(?:{whose:my|their} )?(?:(?:{runner}(?:'s)? )?{speed}|{unit}|(?:{spot} )?defense|{named})"
"""A number and its owner."""


def _build_number_effect(
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
) -> CardEffect:
    if speed or named:
        what, to = speed or named, runner
    elif unit in FIELDING_UNITS or "+" in unit:
        what, to = "unit", unit
    else:
        what, to = "defense", unit or spot
    return CardEffect(text, verb, what, sign * amount, to=to, **more)


# Trials ----------------------------------------------------------------------------------------------------------


def _parse_throw_runner(text: str) -> str:
    if _RUNNER_WORDS[text] == "every":
        raise ValueError("needs one runner who is thrown at.")
    return _RUNNER_WORDS[text]


def _build_roll_trial(text: str, die: str, target: int, how: str = "") -> tuple[Trial, str]:
    top, less = len(FACES_BY_KIND[die]), how == " or less"
    if not (1 if less else 2) <= target <= top - less:
        raise PhraseError(f"{quoted_value(text)} needs a number from {1 if less else 2} to {top - less}.")
    if not how and target < top:
        raise PhraseError(f"{quoted_value(text)} needs or more, or less, after the number.")
    return Trial("roll", target=target + less, die=die), "failed" if less else "made"


TRIAL_PHRASES = Vocabulary(
    "trial",
    lambda text, came, **fields: (Trial(**fields), came),
    {
        "came": value_slot({"made": "made", "fails": "failed"}),
        "unit": UNIT_SLOT,
        "against": number_slot(1, 40),
        "one": replace(value_slot(_RUNNER_WORDS), read=_parse_throw_runner),
        "die": value_slot(_NAMED_DICE),
        "shown": number_slot(0, 99),
        "how": word_slot(r" or more", " or less", "+"),
    },
    PhraseRow(
        "{unit} check(?: against {target:against})?(?: is)? {came}",
        "against 20 unless the phrase says otherwise",
        "an infield check fails, an outfield check against 15 is made",
        call="check",
    ),
    PhraseRow(
        "{unit} throw at {runner:one}(?:'s {speed:br|st})?(?: is)? {came}",
        "made if the runner is out",
        "an outfield throw at the batter is made",
        call="throw",
        target=0,
    ),
    PhraseRow(
        "{die} shows {target:shown}{how}?",
        "the die shows this",
        "a d20 shows 11 or more, a d6 shows 2 or less",
        _build_roll_trial,
    ),
    plain=plain_phrase,
)
"""Trials that decide about an effect (check, throw or die), with the result they need, "made" or "failed"."""

# Effects ---------------------------------------------------------------------------------------------------------


def _build_alter_effect(
    text: str, to: str, codes: tuple[str, ...] = (), swing: tuple[int, int] = (0, NO_UPPER_BOUND), of: str = ""
) -> CardEffect:
    return CardEffect(text, "alter", "+".join(codes), max(swing[0], 0), of, to=to, most=swing[1] % NO_UPPER_BOUND)


def _build_signed_effect(text: str, verb: str, sign: int, amount: int) -> CardEffect:
    return CardEffect(text, verb, amount=sign * amount)


_PLAY_WORDS = {
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
_SIDE_PATTERN = "(?: {what:offense|defense|neutral})?(?: cards?)?"

ACTION_PHRASES = Vocabulary(
    "effect",
    CardEffect,
    {
        "runner": value_slot({**_RUNNER_WORDS, "runner": ""}),
        "who": value_slot(_RUNNER_WORDS),
        "one": value_slot(
            {name: runner for name, runner in _RUNNER_WORDS.items() if runner in ("lead", *RUNNER_BASES)}
        ),
        "speed": value_slot(_SPEED_WORDS),
        "unit": UNIT_SLOT,
        "spot": POSITION_SLOT,
        "named": value_slot(_NUMBERS_BY_NAME),
        "sign": value_slot({"+": 1, "-": -1}),
        "by": number_slot(1, 20),
        "set": number_slot(0, 40),
        "clutch": word_slot("batter's clutch", "pitcher's clutch"),
        "die": value_slot(_NAMED_DICE, "power die", "regular die", "d24", "d20"),
        "thrown": word_slot(*DIE_KINDS),
        "roll": ROLL_SLOT,
        "base": BASE_SLOT,
        "result": RESULT_SLOT,
        "codes": CODES_SLOT,
        "among": replace(CODES_SLOT, read=lambda text: "+".join(CODES_SLOT.read(text))),
        "swing": range_slot(1, 40),
        "deed": value_slot(_PLAY_WORDS),
        "bases": number_slot(1, 4),
        "face": number_slot(1, 24),
        "cards": number_slot(1, 9),
        "top": number_slot(1, 20),
        "innings": number_slot(1, 2),
        "ignored": value_slot(
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
            plain=plain_phrase,
        ),
        "scored": value_slot({code: code for code in ("E", "FC", "SF", "SAC", "WP")}, plain=plain_phrase),
        "came": value_slot({"made": "made", "fails": "failed"}),
        "random": value_slot({"at random": "random"}),
        "discards": value_slot({"i": "my", "they": "their", "both": "both"}),
        "manager": value_slot({"i": "my", "they": "their", "both": "both", "offense": "offense", "defense": "defense"}),
    },
    PhraseRow(
        f"{_NUMBER_PATTERN} ?{{sign}} ?{{amount:by}}",
        "changes a number; `my` and `their` say whose, if the card stays longer than this at-bat",
        "swing +2, swing roll +1, pitch -1, pitch roll +1, command -2, on-base +1, x-zone +1",
        _build_number_effect,
        verb="mod",
    ),
    PhraseRow(
        f"{_NUMBER_PATTERN} ?{{sign}} ?{{of:clutch}}",
        "changes it by a Clutch rating",
        "swing + batter's clutch, pitch + pitcher's clutch, swing - pitcher's clutch",
        _build_number_effect,
        verb="mod",
    ),
    PhraseRow(
        f"{_NUMBER_PATTERN} ?{{sign}} ?{{of:thrown}}",
        "changes it by a die: d6, d8, d10, d20, d24; on weather cards also d16",
        "swing + d6, throw - d6",
        _build_number_effect,
        verb="mod",
    ),
    PhraseRow(
        "",
        "the speed of the runner who is thrown at, or of this one",
        "br +2, st -1, lead runner br +2, runner on first st +1, batter br +1",
    ),
    PhraseRow("", "the speed of all runners, or of one side's", "runners br +2, my runners st +2, their runners br -1"),
    PhraseRow("", "a throw or a check", "throw +2, throw roll +1, check -2, check roll +1, check target +2"),
    PhraseRow(
        "",
        "a unit, positions together, or one position; `defense` is that of the player concerned",
        "infield +1, outfield -1, battery +2, 3B+SS +2, CF defense +1, defense +1",
    ),
    PhraseRow("", "a bunt", "bunt roll +1, bunt target -2"),
    PhraseRow(
        "",
        "cards that may be held, and that are drawn after a half-inning",
        "my hand limit +1, their hand limit -1, my draw +1",
    ),
    PhraseRow(
        f"{_NUMBER_PATTERN} = {{amount:set}}",
        "the number is this, before anything is added",
        "on-base = 12, br = 20, check target = 15, lead runner br = 11",
        _build_number_effect,
        verb="set",
    ),
    PhraseRow(
        "ignore {what:ignored}", "this counts for nothing; a bonus is what the rules add to a throw", verb="ignore"
    ),
    PhraseRow("ignore the {of:batter|pitcher}'s handedness", "only this player's", verb="ignore", what="handedness"),
    PhraseRow("{of:die} for the {what:roll}", "another die is rolled", verb="die"),
    PhraseRow("reroll the {what:roll}", "its die is rolled again", verb="reroll"),
    PhraseRow("roll the {what:roll} twice for the {of:best|worst}", "rolled twice, and one counts", verb="twice"),
    PhraseRow(
        "{what:roll} die = {amount:face}", "the die counts as this", "swing die = 20, pitch die = 1", verb="face"
    ),
    PhraseRow("the {of:batter|pitcher} has the advantage", "whatever the pitch is", verb="advantage"),
    PhraseRow("a mistake pitch", "the pitch becomes one", verb="mistake", of="cause"),
    PhraseRow("no mistake pitch", "the pitch is not one", verb="mistake", of="prevent"),
    PhraseRow("read the other chart", "of the player without the advantage", verb="switch"),
    PhraseRow(
        "{codes}(?: at {swing})? on (?:{of:batter|pitcher}'s )?chart is {to:result}",
        "a result reads otherwise, on any swing or on these, on one chart or on both; this does not change a result",
        "FB on the batter's chart is 1B, FB at 6 or more on the batter's chart is 1B, GB on the chart is SO, "
        "an out on the chart is 1B",
        _build_alter_effect,
    ),
    PhraseRow(
        "{swing} on (?:{of:batter|pitcher}'s )?chart is {to:result}",
        "the same for any result",
        "6 to 8 on the chart is GB",
        _build_alter_effect,
    ),
    PhraseRow(
        "change (?:the result|{what:among}) to {to:result}",
        "for certain; `out` and `hit` stand for all of them",
        "change GB to 1B, change an out to a single, change SO or GB to FB, change the result to a walk",
        verb="change",
    ),
    PhraseRow(
        "",
        "only if a check, a throw or a die comes out like this; a check is made against 20 unless the phrase says "
        "otherwise",
        "change GB to 1B if an infield check fails, change 1B to GB if an outfield check against 15 is made, "
        "change 1B to GB if an outfield throw at the batter is made, change LD to 2B if a d20 shows 11 or more",
    ),
    PhraseRow("the runner is {to:safe|out}", "the result of the throw", verb="throw"),
    PhraseRow(
        "the check (?:is )?{to:came}", "the result of the check", "the check is made, the check fails", verb="check"
    ),
    PhraseRow(
        "{what:who} advances? {amount:bases}(?: bases?)?(?: by {of:error|steal})?",
        "this many bases, and how that is scored",
        "runners advance 1, lead runner advances 2, runner on first advances 1, batter advances 1, "
        "batter advances 1 by an error, lead runner advances 1 by a steal",
        verb="advance",
    ),
    PhraseRow("{what:who} holds?", "they stay", "runners hold, lead runner holds, runner on third holds", verb="hold"),
    PhraseRow(
        "remove {what:who}",
        "leaves the bases, but is not out",
        "remove the lead runner, remove the runner on second",
        verb="remove",
    ),
    PhraseRow("the {what:batter|pitcher} leaves the game", "somebody replaces him at once", verb="eject"),
    PhraseRow(
        "place {of:one} on {what:base}",
        "puts a runner on a base, if nobody is in the way",
        "place the lead runner on third, place the runner on second on first",
        verb="place",
    ),
    PhraseRow(
        "{what:who} (?:is|are) out",
        "one more out",
        "the batter is out, the lead runner is out, the runner on first is out",
        verb="out",
    ),
    PhraseRow(
        "{verb:forbid|allow} (?:{whose:my|their} )?{what:deed}", "whether this can be done while the effect lasts"
    ),
    PhraseRow(
        "{verb:forbid|allow} (?:{whose:my|their} )?(?:{of:offense|defense|neutral} )?cards",
        "whose cards, or cards of which side",
        "forbid cards, forbid their cards, forbid defense cards",
        what="cards",
    ),
    PhraseRow("score as {what:scored}", "how it appears on the scorecard", verb="score"),
    PhraseRow(
        "(?:{whose:manager} )?draws? {amount:cards}(?: cards?)?",
        "cards from the deck",
        "draw 2, they draw 1, both draw 1, the offense draws 1, the defense draws 1",
        verb="draw",
        whose="my",
    ),
    PhraseRow(
        f"(?:{{whose:discards}} )?discards? {{amount:cards}}{_SIDE_PATTERN}(?: {{of:random}})?",
        "cards from the hand, as many as there are; its owner chooses",
        "discard 1, they discard 1, they discard 1 at random, discard 1 offense card",
        verb="discard",
        whose="my",
        of="choice",
    ),
    PhraseRow(
        "(?:{whose:discards} )?discard (?:my|their) hand",
        "all cards in the hand",
        "they discard their hand",
        verb="discard",
        whose="my",
        of="choice",
    ),
    PhraseRow(
        "look at (?:{whose:my|their} )?hand",
        "only you see it",
        "look at their hand",
        verb="look",
        what="hand",
        amount=1,
    ),
    PhraseRow(
        "look at the top (?:{amount:top} )?(?:cards? )?of {whose:my|their} deck",
        "the same",
        "look at the top card of my deck, look at the top 3 of their deck",
        verb="look",
        what="deck",
        amount=1,
    ),
    PhraseRow(
        f"{{verb:recover|search|bottom}} {{amount:cards}}{_SIDE_PATTERN}",
        "takes cards from the discard pile, or from the deck, into the hand; puts cards of the hand under the deck",
        "recover 1, search 1, recover 1 offense card, bottom 1",
    ),
    PhraseRow("shuffle {whose:my|their} deck", "shuffles this deck", verb="shuffle"),
    PhraseRow("take this card back", "the card returns to the hand", verb="return"),
    PhraseRow("negate the card", "the card that was played has no effect", verb="negate"),
    PhraseRow("cannot be negated", "no card negates this one", verb="immune"),
    PhraseRow(
        "innings {sign} ?{amount:innings}",
        "your pitcher lasts longer, theirs shorter",
        "innings +1, innings -1",
        _build_signed_effect,
        verb="innings",
    ),
    PhraseRow(
        "rest {sign} ?{amount:cards}",
        "games that the pitcher has to rest after this one",
        "rest +1, rest -1",
        _build_signed_effect,
        verb="rest",
    ),
    plain=plain_phrase,
)
"""Every effect without if, and, or either."""

EFFECT_PHRASES: Vocabulary[CardEffect] = Vocabulary(
    "effect",
    CardEffect,
    {},
    *ACTION_PHRASES.framed_rows("{}"),
    PhraseRow("", "the card's owner chooses", "either draw 1 or they discard 1"),
    PhraseRow(
        "",
        "only if this is so, otherwise something else",
        "swing +2 if the batter has HR, swing +2 if the batter has HR else +1",
    ),
    PhraseRow(
        "",
        "only if a check, a throw or a die comes out like this",
        "lead runner advances 1 if an infield check fails, draw 1 if a d6 shows 5 or more else discard 1",
    ),
    PhraseRow("", "several effects; a comma joins them too, and ends what an `if` covers", "swing +2 and draw 1"),
    PhraseRow("", "no more than the card's cost", "nothing"),
)
"""Every form of an effect, as `phrases.parse_effects` combines it."""
