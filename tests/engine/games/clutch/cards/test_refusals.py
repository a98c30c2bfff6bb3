"""Refusals of cards that were typed in wrong, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games.clutch.cards.card_fields import (
    parse_copies,
    parse_glove,
    parse_icon,
    parse_non_weather_effects,
    parse_owed_rest,
    parse_role,
)
from engine.games.clutch.cards.grammar import MAX_PHRASE_LENGTH
from engine.games.clutch.cards.phrases import (
    parse_condition,
    parse_cost,
    parse_duration,
    parse_effects,
    parse_player_conditions,
    parse_trigger,
)
from engine.games.clutch.cards.result_chart import EXAMPLE_CHART, parse_chart

SPOTS = "needs a position like 'SS +2', one of CA, 1B, 2B, 3B, SS, LF, CF, RF and DH, not"
ROLES = "needs a role and its innings like 'SP 6', one of SP, RP, OP and BP, not"
COPIES = "needs a number and a title like '3 Slide Step', not"
OWED = "needs a name and a number of games like 'Ann Orme 2', not"
TRIAL = "changes a result by a trial and does more; that belongs in success, failure."
WEATHER = "the d16 is thrown for weather cards alone."
LONG = "needs a phrase of at most 240 characters on one line."

REFUSED: tuple[tuple[Callable[[Any], object], object, str], ...] = (
    (parse_effects, "swing +lots", "Unknown effect 'swing +lots'. Did you mean 'swing +2'?"),
    (parse_effects, "swng +2", "Unknown effect 'swng +2'. Did you mean 'swing +2'?"),
    (parse_effects, "swing +0", "'swing +0' needs a number from 1 to 20."),
    (parse_effects, "swing +21", "'swing +21' needs a number from 1 to 20."),
    (parse_effects, "on-base = 41", "'on-base = 41' needs a number from 0 to 40."),
    (parse_effects, "swing die = 25", "'swing die = 25' needs a number from 1 to 24."),
    (parse_effects, "draw 0", "'draw 0' needs a number from 1 to 9."),
    (parse_effects, "draw 10", "'draw 10' needs a number from 1 to 9."),
    (parse_effects, "innings +3", "'innings +3' needs a number from 1 to 2."),
    (parse_effects, "rest +0", "'rest +0' needs a number from 1 to 9."),
    (parse_effects, "runners advance 5", "'runners advance 5' needs a number from 1 to 4."),
    (
        parse_effects,
        "FB at 41 or more on the chart is 1B",
        "'FB at 41 or more on the chart is 1B' needs a number from 1 to 40.",
    ),
    (parse_effects, "0 to 5 on the chart is GB", "'0 to 5 on the chart is GB' needs a number from 1 to 40."),
    (
        parse_effects,
        "odd on the chart is 1B",
        "Unknown effect 'odd on the chart is 1B'. Did you mean 'an out on the chart is 1B'?",
    ),
    (parse_effects, "change GB to an out", "'change GB to an out' needs one result to turn it into, as 1B."),
    (parse_effects, "FB on the chart is a hit", "'FB on the chart is a hit' needs one result to turn it into, as 1B."),
    (parse_effects, "change GB to 1B if a d6 shows 7 or more", "'a d6 shows 7 or more' needs a number from 2 to 6."),
    (parse_effects, "draw 1 if a d20 shows 1+", "'a d20 shows 1+' needs a number from 2 to 20."),
    (
        parse_effects,
        "change GB to 1B if a d20 shows 20 or less",
        "'a d20 shows 20 or less' needs a number from 1 to 19.",
    ),
    (parse_effects, "draw 1 if a d20 shows 0 or less", "'a d20 shows 0 or less' needs a number from 1 to 19."),
    (parse_effects, "change GB to 1B if a d20 shows 11", "'a d20 shows 11' needs or more, or less, after the number."),
    (
        parse_effects,
        "change GB to 1B if an infield check against 41 fails",
        "'an infield check against 41 fails' needs a number from 1 to 40.",
    ),
    (
        parse_effects,
        "draw 1 if an infield check against 0 is made",
        "'an infield check against 0 is made' needs a number from 1 to 40.",
    ),
    (
        parse_effects,
        "change GB to 1B if an infield throw at runners is made",
        "'an infield throw at runners is made' needs one runner who is thrown at.",
    ),
    (
        parse_effects,
        "change GB to 1B and draw 1 if an infield check fails",
        f"'change GB to 1B and draw 1 if an infield check fails' {TRIAL}",
    ),
    (
        parse_effects,
        "change GB to 1B if an infield check fails else draw 1",
        f"'change GB to 1B if an infield check fails else draw 1' {TRIAL}",
    ),
    (
        parse_effects,
        "draw 1 if an infield check fails else change GB to 1B",
        f"'draw 1 if an infield check fails else change GB to 1B' {TRIAL}",
    ),
    (parse_effects, "swing +2 if", "Unknown effect 'swing +2 if'. Did you mean 'swing +2'?"),
    (parse_effects, "swing +2 if bases loadd", "Unknown condition 'bases loadd'. Did you mean 'bases loaded'?"),
    (
        parse_effects,
        "swing +2 if one out if bases loaded",
        "'swing +2 if one out if bases loaded' can have one if and one else.",
    ),
    (
        parse_effects,
        "swing +2 if one out else +1 else +3",
        "'swing +2 if one out else +1 else +3' can have one if and one else.",
    ),
    (parse_effects, "swing +2 if inning 0", "'inning 0' needs a number from 1 to 99."),
    (parse_effects, "draw 1 if one out else +1", "Unknown effect '+1'. One example is 'swing +2'."),
    (parse_effects, "else draw 1", "Unknown effect 'else draw 1'. Did you mean 'they draw 1'?"),
    (parse_effects, "either draw 1", "Unknown effect 'either draw 1'. Did you mean 'they draw 1'?"),
    (parse_effects, "swing +2, ", "Unknown effect 'swing +2,'. Did you mean 'swing +2'?"),
    (parse_effects, "draw 1 and nothing", "Unknown effect 'nothing'. One example is 'swing +2'."),
    (parse_effects, "look at the top 21 of my deck", "'look at the top 21 of my deck' needs a number from 1 to 20."),
    (parse_effects, "", "needs a phrase, not ''."),
    (parse_effects, "   ", "needs a phrase, not '   '."),
    (parse_effects, 12, "needs a phrase, not 12."),
    (parse_effects, None, "needs a phrase, not None."),
    (parse_effects, "swing\t+2", LONG),
    (parse_cost, "discard 0", "'discard 0' needs a number from 1 to 7."),
    (parse_cost, "discard 8", "'discard 8' needs a number from 1 to 7."),
    (parse_cost, "discard", "Unknown cost 'discard'. Did you mean 'discard 2'?"),
    (parse_cost, "discard 10 from the deck", "'discard 10 from the deck' needs a number from 1 to 9."),
    (parse_cost, "discrd 1", "Unknown cost 'discrd 1'. Did you mean 'discard 1'?"),
    (parse_cost, 1, "needs a phrase, not 1."),
    (parse_duration, "0 half-innings", "'0 half-innings' needs a number from 1 to 9."),
    (parse_duration, "10 half-innings", "'10 half-innings' needs a number from 1 to 9."),
    (parse_duration, "half-inning", "Unknown length of time 'half-inning'. Did you mean '2 half-innings'?"),
    (parse_duration, "for ever", "Unknown length of time 'for ever'. One example is 'this roll'."),
    (parse_duration, "", "needs a phrase, not ''."),
    (parse_duration, 2, "needs a phrase, not 2."),
    (parse_trigger, "befor the pitch", "Unknown trigger 'befor the pitch'. Did you mean 'before the pitch'?"),
    (parse_trigger, "on a result", "Unknown trigger 'on a result'. Did you mean 'on any result'?"),
    (parse_trigger, "on a GB or", "Unknown trigger 'on a GB or'. Did you mean 'on a GB'?"),
    (
        parse_trigger,
        "when a card adds to the score",
        "Unknown trigger 'when a card adds to the score'. Did you mean 'when a card adds to the swing'?",
    ),
    (parse_trigger, "after a natural 20", "Unknown trigger 'after a natural 20'. Did you mean 'after an at-bat'?"),
    (
        parse_trigger,
        "before the pitch and after it",
        "Unknown trigger 'before the pitch and after it'. Did you mean 'before the pitch'?",
    ),
    (parse_trigger, "", "needs a phrase, not ''."),
    (parse_trigger, None, "needs a phrase, not None."),
    (parse_condition, "inning 0", "'inning 0' needs a number from 1 to 99."),
    (parse_condition, "inning 100 or later", "'inning 100 or later' needs a number from 1 to 99."),
    (parse_condition, "4 outs", "'4 outs' needs a number from 0 to 3."),
    (parse_condition, "I am ahead by 0", "'I am ahead by 0' needs a number from 1 to 99."),
    (parse_condition, "bases loadd", "Unknown condition 'bases loadd'. Did you mean 'bases loaded'?"),
    (parse_condition, "not", "Unknown condition 'not'. One example is 'inning 7'."),
    (parse_condition, "a natural 25 on the swing", "'a natural 25 on the swing' needs a number from 1 to 24."),
    (parse_condition, "the batter plays ZZ", "Unknown kind of player 'plays zz'. Did you mean 'plays CF'?"),
    (parse_condition, "the batter bats up", "Unknown kind of player 'bats up'. Did you mean 'bats left'?"),
    (parse_condition, "", "needs a phrase, not ''."),
    (parse_player_conditions, "plays", "Unknown kind of player 'plays'. Did you mean 'plays CF'?"),
    (parse_player_conditions, "plays ZZ", "Unknown kind of player 'plays ZZ'. Did you mean 'plays CF'?"),
    (
        parse_player_conditions,
        "has on-base 10000 or more",
        "Unknown kind of player 'has on-base 10000 or more'. Did you mean 'has on-base 9 or less'?",
    ),
    (parse_player_conditions, "somebody", "Unknown kind of player 'somebody'. One example is 'anybody'."),
    (parse_player_conditions, "not anybody", "Unknown kind of player 'not anybody'. Did you mean 'anybody'?"),
    (parse_player_conditions, None, "needs a phrase, not None."),
    (parse_glove, "XX +1", f"{SPOTS} 'XX +1'."),
    (parse_glove, "SS", "'SS': needs the rating too, as 'SS +2'."),
    (parse_glove, "DH +1", "'DH +1': a designated hitter has no rating."),
    (parse_glove, "SS +100", f"{SPOTS} 'SS +100'."),
    (parse_glove, 7, f"{SPOTS} 7."),
    (parse_role, "XX 1", f"{ROLES} 'XX 1'."),
    (parse_role, "SP", f"{ROLES} 'SP'."),
    (parse_role, "SP 10", f"{ROLES} 'SP 10'."),
    (parse_role, 6, f"{ROLES} 6."),
    (parse_copies, "Slide Step", f"{COPIES} 'Slide Step'."),
    (parse_copies, "0 Slide Step", f"{COPIES} '0 Slide Step'."),
    (parse_copies, "100 Slide Step", f"{COPIES} '100 Slide Step'."),
    (parse_copies, "3", f"{COPIES} '3'."),
    (parse_copies, 3, f"{COPIES} 3."),
    (parse_owed_rest, "Ann Orme", f"{OWED} 'Ann Orme'."),
    (parse_owed_rest, "Ann Orme 0", f"{OWED} 'Ann Orme 0'."),
    (parse_owed_rest, "Ann Orme 10", f"{OWED} 'Ann Orme 10'."),
    (parse_owed_rest, "2", f"{OWED} '2'."),
    (parse_owed_rest, None, f"{OWED} None."),
    (parse_icon, "", "needs one to six letters or digits, as 'GG', not ''."),
    (parse_icon, "TOOLONGX", "needs one to six letters or digits, as 'GG', not 'TOOLONGX'."),
    (parse_icon, "A-B", "needs one to six letters or digits, as 'GG', not 'A-B'."),
    (parse_icon, 5, "needs one to six letters or digits, as 'GG', not 5."),
    (parse_non_weather_effects, "swing + d16", f"'swing + d16': {WEATHER}"),
    (parse_non_weather_effects, "draw 1 if a d16 shows 9 or more", f"'draw 1 if a d16 shows 9 or more': {WEATHER}"),
    (parse_non_weather_effects, "either swing + d16 or draw 1", f"'either swing + d16 or draw 1': {WEATHER}"),
    (
        parse_non_weather_effects,
        "draw 1 if one out else swing + d16",
        f"'draw 1 if one out else swing + d16': {WEATHER}",
    ),
    (parse_non_weather_effects, "swing +0", "'swing +0' needs a number from 1 to 20."),
    (parse_chart, 12, f"needs a line like {EXAMPLE_CHART!r}, not 12."),
    (parse_effects, "swing +2" + " and draw 1" * 22, LONG),
)
"""What reads a field, what was typed, and the answer."""


@pytest.mark.parametrize(
    ("read", "typed", "said"), REFUSED, ids=[f"{one[0].__name__}: {one[1]!r:.60}" for one in REFUSED]
)
def test_a_refusal_says_what_is_wrong(read: Callable[[Any], object], typed: object, said: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole message is compared
        read(typed)
    assert said == str(refused.value)


def test_a_phrase_of_the_greatest_length_is_read() -> None:
    assert 2 == len(parse_effects(f"swing +2,{'draw 1':>{MAX_PHRASE_LENGTH - 9}}"))
