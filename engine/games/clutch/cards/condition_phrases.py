"""Phrases for conditions on the game. numbers/conditions.py evaluates them.

    if = "the batter bats left and a runner on first"

"and" binds closer than "or". Quote a name that contains either.
"""

from __future__ import annotations

import re
from typing import Any

from engine.games.clutch.cards.effects import FIELDING_UNITS, RUNNER_BASES, Condition
from engine.games.clutch.cards.grammar import (
    BASE_SLOT,
    CODES_SLOT,
    POSITION_SLOT,
    ROLL_SLOT,
    comparison_slot,
    expand_groups,
    normalized_phrase,
    plain_phrase,
)
from engine.games.clutch.cards.player_phrases import (
    NAME_SLOT,
    NAMED_TRAIT_PHRASES,
    PLAYER_PHRASES,
    TRAIT_PHRASES,
    ConditionFacts,
    build_facts,
    comparable_name,
    parse_combined,
    parse_single,
    parse_trait,
)
from engine.games.clutch.cards.trigger_phrases import EVENT_SLOT
from engine.phrases import (
    NO_UPPER_BOUND,
    PhraseRow,
    PhraseSlot,
    Vocabulary,
    alternatives_pattern,
    range_slot,
    value_slot,
    word_slot,
)

# The game --------------------------------------------------------------------------------------------------------

_NUMBER_NAMES = ("pitch roll", "command", "pitch", "on-base", "swing roll", "swing", "throw", "check")
_PLAY_WORDS = {
    "a steal": "steal",
    "a tag-up": "tag",
    "an extra base": "hit",
    "a ground ball": "ground",
    "a double play": "double-play",
}
_BASES_SLOT = PhraseSlot(
    f"(?:{BASE_SLOT.pattern})(?: and (?:{BASE_SLOT.pattern}))*", lambda text: tuple(text.split(" and ")), ()
)

FACT_PHRASES = Vocabulary(
    "condition",
    build_facts,
    {
        "inning": comparison_slot(1, 99),
        "outs": comparison_slot(0, 3),
        "on": comparison_slot(0, 3),
        "count": comparison_slot(0, 99),
        "face": comparison_slot(1, 24),
        "any": comparison_slot(-99, 99),
        "lead": range_slot(1, 99, least=1),
        "bases": _BASES_SLOT,
        "base": value_slot({base: number for number, base in enumerate(RUNNER_BASES, 1)}),
        "codes": CODES_SLOT,
        "told": value_slot({"result": "result", "outcome": "outcome", "chart": "read"}),
        "digit": PhraseSlot(r"[0-9]", int, ()),
        "roll": ROLL_SLOT,
        "known": value_slot({name: name.replace(" ", "_").replace("-", "_") for name in _NUMBER_NAMES}),
        "hold": value_slot({"i": "my", "they": "their"}),
        "played": value_slot(_PLAY_WORDS, plain=plain_phrase),
        "unit": word_slot(*FIELDING_UNITS),
        "runners": value_slot({"bases empty": (0, 0), "bases loaded": (3, 3), "runners on": (1, 3)}),
        "scoring": value_slot(
            {"a runner in scoring position": True, "nobody in scoring position": False}, plain=plain_phrase
        ),
        "score": value_slot(
            {"the score is tied": (0, 0), "I am ahead": (1, NO_UPPER_BOUND), "I am behind": (-NO_UPPER_BOUND, -1)},
            plain=plain_phrase,
        ),
        "bats": value_slot({"I bat": True, "I am in the field": False}, plain=plain_phrase),
        "home": value_slot({"I am at home": True, "I am on the road": False}, plain=plain_phrase),
        "tired": value_slot({"tired": True, "fresh": False}),
        "happened": EVENT_SLOT,
        "scope": value_slot({"at-bat": "at-bat", "half-inning": "half", "inning": "inning", "game": "game"}),
    },
    PhraseRow(
        "inning {size:inning}",
        "the inning",
        "inning 7, inning 7 or later, inning 3 or earlier, inning 4 to 6",
        fact="inning",
    ),
    PhraseRow("{value:top|bottom} of the inning", "which half of it", fact="half"),
    PhraseRow("nobody out", "no outs", fact="outs", op="range", value=(0, 0)),
    PhraseRow(
        "{size:outs} outs?",
        "the outs; any number can be `2`, `2 or more`, `2+`, `2 or less`, `1 to 2` or `odd`",
        "one out, fewer than two outs",
        fact="outs",
    ),
    PhraseRow(
        "runners? on {bases}",
        "these bases are occupied",
        "a runner on first, runners on first and third",
        lambda _, bases: tuple((base, "is", True) for base in bases),
    ),
    PhraseRow(
        "nobody on {bases}",
        "these bases are empty",
        "nobody on second",
        lambda _, bases: tuple((base, "is", False) for base in bases),
    ),
    PhraseRow("{value:runners}", "how many runners are on base", fact="on", op="range"),
    PhraseRow("nobody on", "bases empty", fact="on", op="range", value=(0, 0)),
    PhraseRow("{size:on} runners?(?: on)?", "this many runners", "2 or more runners on", fact="on"),
    PhraseRow("{value:scoring}", "on second or third", fact="risp"),
    PhraseRow("{value:score}", "the runs of the card's owner against the other side's", fact="lead", op="range"),
    PhraseRow(
        "I am ahead by {lead}",
        "by this many runs",
        "I am ahead by 2 or more",
        lambda _, lead: (("lead", "range", lead),),
    ),
    PhraseRow(
        "I am behind by {lead}",
        "by this many runs",
        "I am behind by 3 or less",
        lambda _, lead: (("lead", "range", (-lead[1], -lead[0])),),
    ),
    PhraseRow(
        "a run differential of {size:count}",
        "no matter who is ahead",
        "a run differential of 3 or less",
        fact="differential",
    ),
    PhraseRow("a clutch moment", "as the rules define it", fact="clutch", value=True),
    PhraseRow("{value:bats}", "what the side of the card's owner does", fact="offence"),
    PhraseRow("{value:home}", "where the card's owner plays", fact="home"),
    PhraseRow("the {value:batter|pitcher} has the advantage", "who has it for this pitch", fact="advantage"),
    PhraseRow("a mistake pitch", "the pitch is one", fact="mistake", value=True),
    PhraseRow("the {value:batter|pitcher}'s chart was read", "whose chart gave the result", fact="chart"),
    PhraseRow(
        "the {fact:told} (?:is|was|said) {codes}",
        "the result as it is now",
        "the result is GB, the result is an out, the result is a single or double",
        lambda _, fact, codes: ((fact, "in", expand_groups(codes)),),
    ),
    PhraseRow("", "the result of the chart, before any change", "the chart said FB"),
    PhraseRow("", "the outcome of this at-bat, when it is over", "the outcome is a strikeout"),
    PhraseRow(
        "the last (?:{count:digit} )?outcomes? (?:was|were) {codes}s?",
        "of the at-bats before this one",
        "the last outcome was a strikeout, the last 2 outcomes were hits",
        lambda _, codes, count=1: (("previous", "last", (count or 1, expand_groups(codes))),),
    ),
    PhraseRow(
        "a natural {size:face} on the {roll}",
        "what the die shows, without additions; also on the bunt",
        "a natural 20 on the swing, a natural 1 to 3 on the pitch, a natural 1 on the throw, a natural 20 on the check",
        fact="natural:{roll}",
    ),
    PhraseRow(
        "the {known} is {size:any}",
        "with all additions; pitch roll, command, pitch, on-base, swing roll, swing, throw, check",
        "the swing is 15 or more, the pitch roll is odd, the command is 3 or less, the throw is 20 or more",
        fact="number:{known}",
    ),
    PhraseRow("the throw goes home", "the runner who is thrown at goes there", fact="base", value=4),
    PhraseRow("the throw goes to {value:base}", "the same", fact="base"),
    PhraseRow("it is {played}", "the play", "", lambda _, played: (("tags", "has", frozenset({played})),)),
    PhraseRow(
        "it is {unit} (?:throw|check)",
        "who throws or makes the check; also battery",
        "it is an infield throw, it is an outfield check",
        lambda _, unit: (("tags", "has", frozenset({unit})),),
    ),
    PhraseRow(
        "it led to {happened}",
        "what the at-bat led to, as with triggers",
        "it led to a run, it led to a lead change, it led to a double play",
        lambda _, happened: (("tags", "has", frozenset({happened})),),
    ),
    PhraseRow("the pitcher is {value:tired}", "whether the next pitch is beyond the pitcher's limit", fact="tired"),
    PhraseRow(
        "the pitcher has recorded {size:count} outs?",
        "in this game",
        "the pitcher has recorded 9 outs or more",
        fact="pitcher_outs",
    ),
    PhraseRow(
        "the pitcher has faced {size:count} batters?",
        "in this game",
        "the pitcher has faced 3 batters",
        fact="pitcher_faced",
    ),
    PhraseRow(
        "the pitcher has walked {size:count}(?: batters?)?",
        "in this game",
        "the pitcher has walked 2 or more",
        fact="pitcher_walks",
    ),
    PhraseRow(
        "the pitcher has allowed {size:count} earned runs?",
        "runs charged to the pitcher in this game",
        "the pitcher has allowed 3 earned runs or more",
        fact="pitcher_earned",
    ),
    PhraseRow(
        "the pitcher has {size:count} outs? left",
        "before the pitcher tires",
        "the pitcher has 3 outs left or less",
        fact="innings_left",
    ),
    PhraseRow(
        "{hold} hold {size:count} cards?",
        "strategy cards",
        "I hold 3 cards or less, they hold more than 5 cards",
        fact="{hold} hand",
    ),
    PhraseRow(
        "{whose:my|their} deck has {size:count} cards?",
        "strategy cards",
        "my deck has 10 cards or less",
        fact="{whose} deck",
    ),
    PhraseRow(
        "the first time this {scope}",
        "this card has had no effect in it yet",
        fact="used:{scope}",
        op="range",
        value=(0, 0),
    ),
    plain=plain_phrase,
)
"""Conditions on the game."""


def _parse_card(text: str) -> str:
    """Return the card meant as "" for any, a kind, a side, or a name."""
    kind = re.fullmatch(r"(?:an? )?(?:(?:(offense|defense|neutral|momentum) )?card|(coach))", text)
    return (kind[1] or kind[2] or "") if kind else comparable_name(text)


NAME_PHRASES = Vocabulary(
    "condition",
    build_facts,
    {
        "place": value_slot({"batting team": "team", "stadium": "stadium", "weather": "weather"}),
        "name": NAME_SLOT,
        "card": PhraseSlot(".+", _parse_card, ()),
        "owner": value_slot({"my": True, "their": False}),
        "player": value_slot({"i": True, "they": False, "somebody": None}),
    },
    PhraseRow(
        "(?:the )?{fact:place} is (?!not ){value:name}",
        "by name",
        "the batting team is Harbor, the stadium is Harbor Field, the weather is Fog",
        op="name",
    ),
    PhraseRow(
        "(?:{owner} )?{card} is in play",
        "a card that stays in play, anybody's or one side's",
        "a card is in play, my Rally Song is in play, a momentum card is in play",
        lambda _, card, owner=None: (("in_play", "card", (owner, card)),),
    ),
    PhraseRow(
        "{player} ha(?:ve|s) played {card}",
        "in this at-bat; also `defense card`, `neutral card` and `coach`",
        "I have played a card, they have played an offense card, somebody has played Rally Song",
        lambda _, player, card: (("played", "card", (player, card)),),
    ),
    plain=str.lower,
)
"""Conditions with the names of cards, teams, stadiums and weather, which keep their spelling."""

_PERSON_WORDS = {
    "batter": "batter",
    "pitcher": "pitcher",
    "lead runner": "lead_runner",
    "involved player": "involved",
    "fielder": "fielders",
    "runner": "runner",
}
_PLAYER_PATTERN = re.compile(
    rf"(?:(?P<any>an?|the) )?(?P<one>{alternatives_pattern(_PERSON_WORDS)}|{POSITION_SLOT.pattern}) "
    r"(?P<is>(?:has|is|bats|throws|plays|can|does) .+)"
)

CONDITION_PHRASES: Vocabulary[Any] = Vocabulary(
    "condition",
    tuple,
    {},
    *FACT_PHRASES.framed_rows("{}"),
    *NAME_PHRASES.framed_rows("{}"),
    *TRAIT_PHRASES.framed_rows("the batter {}"),
    *NAMED_TRAIT_PHRASES.framed_rows("the batter {}"),
    PhraseRow(
        "",
        "other players: also a runner, the lead runner, a fielder, and a position, as the CF",
        "the pitcher throws right, the runner is a switch hitter, an involved player has GG, the catcher has defense 8",
    ),
    PhraseRow("", "the opposite", "not bases loaded, the batter does not have HR, the batter is not named Bo Amber"),
    PhraseRow("", "both", "bases loaded and nobody out"),
    PhraseRow("", "one of the two", "I am behind or the score is tied"),
)
"""Every form of a condition, as `parse_condition` combines it."""


def parse_condition(value: Any) -> tuple[Condition, ...]:
    """Parse conditions, such as "bases loaded and nobody out". Raise PhraseError."""
    return parse_combined(normalized_phrase(value), _parse_fact, CONDITION_PHRASES)


def _parse_fact(text: str) -> ConditionFacts:
    return FACT_PHRASES.find_effect(text) or NAME_PHRASES.find_effect(text) or _parse_player_phrase(text.lower())


def _parse_player_phrase(phrase: str) -> ConditionFacts:
    found = _PLAYER_PATTERN.fullmatch(phrase)
    if not found:
        return ()
    player = found["one"]
    people = _PERSON_WORDS[player] if player in _PERSON_WORDS else POSITION_SLOT.read(player)
    people = "runners" if player == "runner" and found["any"] == "a" else people
    return ((people, "who", parse_single(found["is"], parse_trait, PLAYER_PHRASES)),)
