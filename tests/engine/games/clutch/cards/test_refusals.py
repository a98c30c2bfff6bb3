"""Refusals of cards that were typed in wrong, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games.clutch.cards.card_fields import copies, dry, glove, icon, owed, role
from engine.games.clutch.cards.grammar import LONGEST
from engine.games.clutch.cards.phrases import condition, cost, effect, lasts, trigger, who
from engine.games.clutch.cards.result_chart import EXAMPLE, chart

SPOTS = "needs a position like 'SS +2', one of CA, 1B, 2B, 3B, SS, LF, CF, RF and DH, not"
ROLES = "needs a role and its innings like 'SP 6', one of SP, RP, OP and BP, not"
COPIES = "needs a number and a title like '3 Slide Step', not"
OWED = "needs a name and a number of games like 'Ann Orme 2', not"
TRIAL = "changes a result by a trial and does more; that belongs in success, failure."
WEATHER = "the d16 is thrown for weather cards alone."
LONG = "needs a phrase of at most 240 characters on one line."

REFUSED: tuple[tuple[Callable[[Any], object], object, str], ...] = (
    (effect, "swing +lots", "Unknown effect 'swing +lots'. Did you mean 'swing +2'?"),
    (effect, "swng +2", "Unknown effect 'swng +2'. Did you mean 'swing +2'?"),
    (effect, "swing +0", "'swing +0' needs a number from 1 to 20."),
    (effect, "swing +21", "'swing +21' needs a number from 1 to 20."),
    (effect, "on-base = 41", "'on-base = 41' needs a number from 0 to 40."),
    (effect, "swing die = 25", "'swing die = 25' needs a number from 1 to 24."),
    (effect, "draw 0", "'draw 0' needs a number from 1 to 9."),
    (effect, "draw 10", "'draw 10' needs a number from 1 to 9."),
    (effect, "innings +3", "'innings +3' needs a number from 1 to 2."),
    (effect, "rest +0", "'rest +0' needs a number from 1 to 9."),
    (effect, "runners advance 5", "'runners advance 5' needs a number from 1 to 4."),
    (
        effect,
        "FB at 41 or more on the chart is 1B",
        "'FB at 41 or more on the chart is 1B' needs a number from 1 to 40.",
    ),
    (effect, "0 to 5 on the chart is GB", "'0 to 5 on the chart is GB' needs a number from 1 to 40."),
    (
        effect,
        "odd on the chart is 1B",
        "Unknown effect 'odd on the chart is 1B'. Did you mean 'an out on the chart is 1B'?",
    ),
    (effect, "change GB to an out", "'change GB to an out' needs one result to turn it into, as 1B."),
    (effect, "FB on the chart is a hit", "'FB on the chart is a hit' needs one result to turn it into, as 1B."),
    (effect, "change GB to 1B if a d6 shows 7 or more", "'a d6 shows 7 or more' needs a number from 2 to 6."),
    (effect, "draw 1 if a d20 shows 1+", "'a d20 shows 1+' needs a number from 2 to 20."),
    (effect, "change GB to 1B if a d20 shows 20 or less", "'a d20 shows 20 or less' needs a number from 1 to 19."),
    (effect, "draw 1 if a d20 shows 0 or less", "'a d20 shows 0 or less' needs a number from 1 to 19."),
    (effect, "change GB to 1B if a d20 shows 11", "'a d20 shows 11' needs or more, or less, after the number."),
    (
        effect,
        "change GB to 1B if an infield check against 41 fails",
        "'an infield check against 41 fails' needs a number from 1 to 40.",
    ),
    (
        effect,
        "draw 1 if an infield check against 0 is made",
        "'an infield check against 0 is made' needs a number from 1 to 40.",
    ),
    (
        effect,
        "change GB to 1B if an infield throw at runners is made",
        "'an infield throw at runners is made' needs one runner who is thrown at.",
    ),
    (
        effect,
        "change GB to 1B and draw 1 if an infield check fails",
        f"'change GB to 1B and draw 1 if an infield check fails' {TRIAL}",
    ),
    (
        effect,
        "change GB to 1B if an infield check fails else draw 1",
        f"'change GB to 1B if an infield check fails else draw 1' {TRIAL}",
    ),
    (
        effect,
        "draw 1 if an infield check fails else change GB to 1B",
        f"'draw 1 if an infield check fails else change GB to 1B' {TRIAL}",
    ),
    (effect, "swing +2 if", "Unknown effect 'swing +2 if'. Did you mean 'swing +2'?"),
    (effect, "swing +2 if bases loadd", "Unknown condition 'bases loadd'. Did you mean 'bases loaded'?"),
    (
        effect,
        "swing +2 if one out if bases loaded",
        "'swing +2 if one out if bases loaded' can have one if and one else.",
    ),
    (
        effect,
        "swing +2 if one out else +1 else +3",
        "'swing +2 if one out else +1 else +3' can have one if and one else.",
    ),
    (effect, "swing +2 if inning 0", "'inning 0' needs a number from 1 to 99."),
    (effect, "draw 1 if one out else +1", "Unknown effect '+1'. One example is 'swing +2'."),
    (effect, "else draw 1", "Unknown effect 'else draw 1'. Did you mean 'they draw 1'?"),
    (effect, "either draw 1", "Unknown effect 'either draw 1'. Did you mean 'they draw 1'?"),
    (effect, "swing +2, ", "Unknown effect 'swing +2,'. Did you mean 'swing +2'?"),
    (effect, "draw 1 and nothing", "Unknown effect 'nothing'. One example is 'swing +2'."),
    (effect, "look at the top 21 of my deck", "'look at the top 21 of my deck' needs a number from 1 to 20."),
    (effect, "", "needs a phrase, not ''."),
    (effect, "   ", "needs a phrase, not '   '."),
    (effect, 12, "needs a phrase, not 12."),
    (effect, None, "needs a phrase, not None."),
    (effect, "swing\t+2", LONG),
    (cost, "discard 0", "'discard 0' needs a number from 1 to 7."),
    (cost, "discard 8", "'discard 8' needs a number from 1 to 7."),
    (cost, "discard", "Unknown cost 'discard'. Did you mean 'discard 2'?"),
    (cost, "discard 10 from the deck", "'discard 10 from the deck' needs a number from 1 to 9."),
    (cost, "discrd 1", "Unknown cost 'discrd 1'. Did you mean 'discard 1'?"),
    (cost, 1, "needs a phrase, not 1."),
    (lasts, "0 half-innings", "'0 half-innings' needs a number from 1 to 9."),
    (lasts, "10 half-innings", "'10 half-innings' needs a number from 1 to 9."),
    (lasts, "half-inning", "Unknown length of time 'half-inning'. Did you mean '2 half-innings'?"),
    (lasts, "for ever", "Unknown length of time 'for ever'. One example is 'this roll'."),
    (lasts, "", "needs a phrase, not ''."),
    (lasts, 2, "needs a phrase, not 2."),
    (trigger, "befor the pitch", "Unknown trigger 'befor the pitch'. Did you mean 'before the pitch'?"),
    (trigger, "on a result", "Unknown trigger 'on a result'. Did you mean 'on any result'?"),
    (trigger, "on a GB or", "Unknown trigger 'on a GB or'. Did you mean 'on a GB'?"),
    (
        trigger,
        "when a card adds to the score",
        "Unknown trigger 'when a card adds to the score'. Did you mean 'when a card adds to the swing'?",
    ),
    (trigger, "after a natural 20", "Unknown trigger 'after a natural 20'. Did you mean 'after an at-bat'?"),
    (
        trigger,
        "before the pitch and after it",
        "Unknown trigger 'before the pitch and after it'. Did you mean 'before the pitch'?",
    ),
    (trigger, "", "needs a phrase, not ''."),
    (trigger, None, "needs a phrase, not None."),
    (condition, "inning 0", "'inning 0' needs a number from 1 to 99."),
    (condition, "inning 100 or later", "'inning 100 or later' needs a number from 1 to 99."),
    (condition, "4 outs", "'4 outs' needs a number from 0 to 3."),
    (condition, "I am ahead by 0", "'I am ahead by 0' needs a number from 1 to 99."),
    (condition, "bases loadd", "Unknown condition 'bases loadd'. Did you mean 'bases loaded'?"),
    (condition, "not", "Unknown condition 'not'. One example is 'inning 7'."),
    (condition, "a natural 25 on the swing", "'a natural 25 on the swing' needs a number from 1 to 24."),
    (condition, "the batter plays ZZ", "Unknown kind of player 'plays zz'. Did you mean 'plays CF'?"),
    (condition, "the batter bats up", "Unknown kind of player 'bats up'. Did you mean 'bats left'?"),
    (condition, "", "needs a phrase, not ''."),
    (who, "plays", "Unknown kind of player 'plays'. Did you mean 'plays CF'?"),
    (who, "plays ZZ", "Unknown kind of player 'plays ZZ'. Did you mean 'plays CF'?"),
    (
        who,
        "has on-base 10000 or more",
        "Unknown kind of player 'has on-base 10000 or more'. Did you mean 'has on-base 9 or less'?",
    ),
    (who, "somebody", "Unknown kind of player 'somebody'. One example is 'anybody'."),
    (who, "not anybody", "Unknown kind of player 'not anybody'. Did you mean 'anybody'?"),
    (who, None, "needs a phrase, not None."),
    (glove, "XX +1", f"{SPOTS} 'XX +1'."),
    (glove, "SS", "'SS': needs the rating too, as 'SS +2'."),
    (glove, "DH +1", "'DH +1': a designated hitter has no rating."),
    (glove, "SS +100", f"{SPOTS} 'SS +100'."),
    (glove, 7, f"{SPOTS} 7."),
    (role, "XX 1", f"{ROLES} 'XX 1'."),
    (role, "SP", f"{ROLES} 'SP'."),
    (role, "SP 10", f"{ROLES} 'SP 10'."),
    (role, 6, f"{ROLES} 6."),
    (copies, "Slide Step", f"{COPIES} 'Slide Step'."),
    (copies, "0 Slide Step", f"{COPIES} '0 Slide Step'."),
    (copies, "100 Slide Step", f"{COPIES} '100 Slide Step'."),
    (copies, "3", f"{COPIES} '3'."),
    (copies, 3, f"{COPIES} 3."),
    (owed, "Ann Orme", f"{OWED} 'Ann Orme'."),
    (owed, "Ann Orme 0", f"{OWED} 'Ann Orme 0'."),
    (owed, "Ann Orme 10", f"{OWED} 'Ann Orme 10'."),
    (owed, "2", f"{OWED} '2'."),
    (owed, None, f"{OWED} None."),
    (icon, "", "needs one to six letters or digits, as 'GG', not ''."),
    (icon, "TOOLONGX", "needs one to six letters or digits, as 'GG', not 'TOOLONGX'."),
    (icon, "A-B", "needs one to six letters or digits, as 'GG', not 'A-B'."),
    (icon, 5, "needs one to six letters or digits, as 'GG', not 5."),
    (dry, "swing + d16", f"'swing + d16': {WEATHER}"),
    (dry, "draw 1 if a d16 shows 9 or more", f"'draw 1 if a d16 shows 9 or more': {WEATHER}"),
    (dry, "either swing + d16 or draw 1", f"'either swing + d16 or draw 1': {WEATHER}"),
    (dry, "draw 1 if one out else swing + d16", f"'draw 1 if one out else swing + d16': {WEATHER}"),
    (dry, "swing +0", "'swing +0' needs a number from 1 to 20."),
    (chart, 12, f"needs a line like {EXAMPLE!r}, not 12."),
    (effect, "swing +2" + " and draw 1" * 22, LONG),
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
    assert 2 == len(effect(f"swing +2,{'draw 1':>{LONGEST - 9}}"))
