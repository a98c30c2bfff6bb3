"""Conditions of cards: phrases about the game. conditions.holds checks them.

    if = "the batter bats left and a runner on first"

"and" binds closer than "or". A name with either in it stands in quotation marks.
"""

from __future__ import annotations

import re
from typing import Any

from engine.games.clutch.cards.effects import BASES, UNITS, Condition
from engine.games.clutch.cards.grammar import BASE, CODES, ROLL, SPOT, measure, neat, plain, spread
from engine.games.clutch.cards.player_phrases import NAME, NAMED, TRAITS, WHO, Facts, combined, facts, name, one, trait
from engine.games.clutch.cards.trigger_phrases import HAPPENED
from engine.phrases import ANY, Row, Slot, Vocabulary, either, meaning, size, words

# The game --------------------------------------------------------------------------------------------------------

_KNOWN = ("pitch roll", "command", "pitch", "on-base", "swing roll", "swing", "throw", "check")
_PLAYED = {
    "a steal": "steal",
    "a tag-up": "tag",
    "an extra base": "hit",
    "a ground ball": "ground",
    "a double play": "double-play",
}
_ALL_BASES = Slot(f"(?:{BASE.pattern})(?: and (?:{BASE.pattern}))*", lambda text: tuple(text.split(" and ")), ())

FACTS = Vocabulary(
    "condition",
    facts,
    {
        "inning": measure(1, 99),
        "outs": measure(0, 3),
        "on": measure(0, 3),
        "count": measure(0, 99),
        "face": measure(1, 24),
        "any": measure(-99, 99),
        "lead": size(1, 99, least=1),
        "bases": _ALL_BASES,
        "base": meaning({base: number for number, base in enumerate(BASES, 1)}),
        "codes": CODES,
        "told": meaning({"result": "result", "outcome": "outcome", "chart": "read"}),
        "digit": Slot(r"[0-9]", int, ()),
        "roll": ROLL,
        "known": meaning({name: name.replace(" ", "_").replace("-", "_") for name in _KNOWN}),
        "hold": meaning({"i": "my", "they": "their"}),
        "played": meaning(_PLAYED, plain=plain),
        "unit": words(*UNITS),
        "runners": meaning({"bases empty": (0, 0), "bases loaded": (3, 3), "runners on": (1, 3)}),
        "scoring": meaning({"a runner in scoring position": True, "nobody in scoring position": False}, plain=plain),
        "score": meaning({"the score is tied": (0, 0), "I am ahead": (1, ANY), "I am behind": (-ANY, -1)}, plain=plain),
        "bats": meaning({"I bat": True, "I am in the field": False}, plain=plain),
        "home": meaning({"I am at home": True, "I am on the road": False}, plain=plain),
        "tired": meaning({"tired": True, "fresh": False}),
        "happened": HAPPENED,
        "scope": meaning({"at-bat": "at-bat", "half-inning": "half", "inning": "inning", "game": "game"}),
    },
    Row(
        "inning {size:inning}",
        "the inning",
        "inning 7, inning 7 or later, inning 3 or earlier, inning 4 to 6",
        fact="inning",
    ),
    Row("{value:top|bottom} of the inning", "which half of it", fact="half"),
    Row("nobody out", "no outs", fact="outs", op="range", value=(0, 0)),
    Row(
        "{size:outs} outs?",
        "the outs; any number can be `2`, `2 or more`, `2+`, `2 or less`, `1 to 2` or `odd`",
        "one out, fewer than two outs",
        fact="outs",
    ),
    Row(
        "runners? on {bases}",
        "these bases are occupied",
        "a runner on first, runners on first and third",
        lambda _, bases: tuple((base, "is", True) for base in bases),
    ),
    Row(
        "nobody on {bases}",
        "these bases are empty",
        "nobody on second",
        lambda _, bases: tuple((base, "is", False) for base in bases),
    ),
    Row("{value:runners}", "how many runners are on base", fact="on", op="range"),
    Row("nobody on", "bases empty", fact="on", op="range", value=(0, 0)),
    Row("{size:on} runners?(?: on)?", "this many runners", "2 or more runners on", fact="on"),
    Row("{value:scoring}", "on second or third", fact="risp"),
    Row("{value:score}", "the runs of the card's owner against the other side's", fact="lead", op="range"),
    Row(
        "I am ahead by {lead}",
        "by this many runs",
        "I am ahead by 2 or more",
        lambda _, lead: (("lead", "range", lead),),
    ),
    Row(
        "I am behind by {lead}",
        "by this many runs",
        "I am behind by 3 or less",
        lambda _, lead: (("lead", "range", (-lead[1], -lead[0])),),
    ),
    Row(
        "a run differential of {size:count}",
        "no matter who is ahead",
        "a run differential of 3 or less",
        fact="differential",
    ),
    Row("a clutch moment", "as the rules define it", fact="clutch", value=True),
    Row("{value:bats}", "what the side of the card's owner does", fact="offence"),
    Row("{value:home}", "where the card's owner plays", fact="home"),
    Row("the {value:batter|pitcher} has the advantage", "who has it for this pitch", fact="advantage"),
    Row("a mistake pitch", "the pitch is one", fact="mistake", value=True),
    Row("the {value:batter|pitcher}'s chart was read", "whose chart gave the result", fact="chart"),
    Row(
        "the {fact:told} (?:is|was|said) {codes}",
        "the result as it is now",
        "the result is GB, the result is an out, the result is a single or double",
        lambda _, fact, codes: ((fact, "in", spread(codes)),),
    ),
    Row("", "the result of the chart, before any change", "the chart said FB"),
    Row("", "the outcome of this at-bat, when it is over", "the outcome is a strikeout"),
    Row(
        "the last (?:{count:digit} )?outcomes? (?:was|were) {codes}s?",
        "of the at-bats before this one",
        "the last outcome was a strikeout, the last 2 outcomes were hits",
        lambda _, codes, count=1: (("previous", "last", (count or 1, spread(codes))),),
    ),
    Row(
        "a natural {size:face} on the {roll}",
        "what the die shows, without additions; also on the bunt",
        "a natural 20 on the swing, a natural 1 to 3 on the pitch, a natural 1 on the throw, a natural 20 on the check",
        fact="natural:{roll}",
    ),
    Row(
        "the {known} is {size:any}",
        "with all additions; pitch roll, command, pitch, on-base, swing roll, swing, throw, check",
        "the swing is 15 or more, the pitch roll is odd, the command is 3 or less, the throw is 20 or more",
        fact="number:{known}",
    ),
    Row("the throw goes home", "the runner who is thrown at goes there", fact="base", value=4),
    Row("the throw goes to {value:base}", "the same", fact="base"),
    Row("it is {played}", "the play", "", lambda _, played: (("tags", "has", frozenset({played})),)),
    Row(
        "it is {unit} (?:throw|check)",
        "who throws or makes the check; also battery",
        "it is an infield throw, it is an outfield check",
        lambda _, unit: (("tags", "has", frozenset({unit})),),
    ),
    Row(
        "it led to {happened}",
        "what the at-bat led to, as with triggers",
        "it led to a run, it led to a lead change, it led to a double play",
        lambda _, happened: (("tags", "has", frozenset({happened})),),
    ),
    Row("the pitcher is {value:tired}", "whether the next pitch is beyond the pitcher's limit", fact="tired"),
    Row(
        "the pitcher has recorded {size:count} outs?",
        "in this game",
        "the pitcher has recorded 9 outs or more",
        fact="pitcher_outs",
    ),
    Row(
        "the pitcher has faced {size:count} batters?",
        "in this game",
        "the pitcher has faced 3 batters",
        fact="pitcher_faced",
    ),
    Row(
        "the pitcher has walked {size:count}(?: batters?)?",
        "in this game",
        "the pitcher has walked 2 or more",
        fact="pitcher_walks",
    ),
    Row(
        "the pitcher has allowed {size:count} earned runs?",
        "runs charged to the pitcher in this game",
        "the pitcher has allowed 3 earned runs or more",
        fact="pitcher_earned",
    ),
    Row(
        "the pitcher has {size:count} outs? left",
        "before the pitcher tires",
        "the pitcher has 3 outs left or less",
        fact="innings_left",
    ),
    Row(
        "{hold} hold {size:count} cards?",
        "strategy cards",
        "I hold 3 cards or less, they hold more than 5 cards",
        fact="{hold} hand",
    ),
    Row(
        "{whose:my|their} deck has {size:count} cards?",
        "strategy cards",
        "my deck has 10 cards or less",
        fact="{whose} deck",
    ),
    Row(
        "the first time this {scope}",
        "this card has had no effect in it yet",
        fact="used:{scope}",
        op="range",
        value=(0, 0),
    ),
    plain=plain,
)
"""Conditions on the game."""


def _card(text: str) -> str:
    """Return which card is meant: "" for any, a kind, a side, or a name."""
    kind = re.fullmatch(r"(?:an? )?(?:(?:(offense|defense|neutral|momentum) )?card|(coach))", text)
    return (kind[1] or kind[2] or "") if kind else name(text)


NAMES = Vocabulary(
    "condition",
    facts,
    {
        "place": meaning({"batting team": "team", "stadium": "stadium", "weather": "weather"}),
        "name": NAME,
        "card": Slot(".+", _card, ()),
        "owner": meaning({"my": True, "their": False}),
        "player": meaning({"i": True, "they": False, "somebody": None}),
    },
    Row(
        "(?:the )?{fact:place} is (?!not ){value:name}",
        "by name",
        "the batting team is Harbor, the stadium is Harbor Field, the weather is Fog",
        op="name",
    ),
    Row(
        "(?:{owner} )?{card} is in play",
        "a card that stays in play, anybody's or one side's",
        "a card is in play, my Rally Song is in play, a momentum card is in play",
        lambda _, card, owner=None: (("in_play", "card", (owner, card)),),
    ),
    Row(
        "{player} ha(?:ve|s) played {card}",
        "in this at-bat; also `defense card`, `neutral card` and `coach`",
        "I have played a card, they have played an offense card, somebody has played Rally Song",
        lambda _, player, card: (("played", "card", (player, card)),),
    ),
    plain=str.lower,
)
"""Conditions with the names of cards, teams, stadiums and weather, which stay as typed."""

_PEOPLE = {
    "batter": "batter",
    "pitcher": "pitcher",
    "lead runner": "lead_runner",
    "involved player": "involved",
    "fielder": "fielders",
    "runner": "runner",
}
_PLAYER = re.compile(
    rf"(?:(?P<any>an?|the) )?(?P<one>{either(_PEOPLE)}|{SPOT.pattern}) (?P<is>(?:has|is|bats|throws|plays|can|does) .+)"
)

CONDITIONS: Vocabulary[Any] = Vocabulary(
    "condition",
    tuple,
    {},
    *FACTS.framed("{}"),
    *NAMES.framed("{}"),
    *TRAITS.framed("the batter {}"),
    *NAMED.framed("the batter {}"),
    Row(
        "",
        "other players: also a runner, the lead runner, a fielder, and a position, as the CF",
        "the pitcher throws right, the runner is a switch hitter, an involved player has GG, the catcher has defense 8",
    ),
    Row("", "the opposite", "not bases loaded, the batter does not have HR, the batter is not named Bo Amber"),
    Row("", "both", "bases loaded and nobody out"),
    Row("", "one of the two", "I am behind or the score is tied"),
)
"""Every form of a condition; `condition` puts it together."""


def condition(value: Any) -> tuple[Condition, ...]:
    """Read conditions, as "bases loaded and nobody out". Raises PhraseError."""
    return combined(neat(value), _fact, CONDITIONS)


def _fact(text: str) -> Facts:
    return FACTS.find(text) or NAMES.find(text) or _about(text.lower())


def _about(phrase: str) -> Facts:
    """Read a phrase about a player: who, and his trait."""
    found = _PLAYER.fullmatch(phrase)
    if not found:
        return ()
    player = found["one"]
    people = _PEOPLE[player] if player in _PEOPLE else SPOT.read(player)
    people = "runners" if player == "runner" and found["any"] == "a" else people
    return ((people, "who", one(found["is"], trait, WHO)),)
