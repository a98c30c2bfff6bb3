"""Choices of RallyBird that are none: moot answers, checked by playing every other answer to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.games.rallybird import GAME
from engine.games.rallybird.results import STEPS_FOR_OUT
from engine.games.rallybird.state import State
from engine.table import Table
from tests.each import each
from tests.engine.games.rallybird.fixture import at, bat, deck, dice, lie, new, true
from tests.engine.tables import asked, inside, offered, pick, play

LONG = "E3f F3f"


def moot(table: Table) -> str | None:
    """Return the moot answer to the open question."""
    ((_, ask),) = table.open_asks()
    found = inside(ask)
    assert isinstance(found, Choose), ask
    assert found.moot_option is None or found.moot_option in found.options
    return found.moot_option


def ninth(score: tuple[int, int] = (0, 2), **more: Any) -> Table:
    return at(inning=9, score=score, **more)


# The RallyBird -----------------------------------------------------------------------------------------------------


def test_the_best_result_of_a_card_is_kept() -> None:
    """The roll has succeeded, and no other could do more; a lesser success is a choice."""
    best = bat(ninth(), "F-DRIVE", 12)
    assert (("rallybird-anyway",), "keep", ("keep", "reroll")) == (asked(best), moot(best), offered(best))
    less = bat(ninth(field="D3f E3f"), "F-GAP", 6)
    assert (("rallybird-anyway",), None) == (asked(less), moot(less))
    assert "keep" == moot(bat(ninth(field="D3f E3f"), "F-GAP", 7))


def test_of_two_rolls_a_good_one_is_kept() -> None:
    table = bat(ninth(field=LONG), "F-LONG", 8)
    assert "keep" == moot(table)
    assert "keep" == moot(play(table, "keep", dice(8)))


def test_a_bad_roll_is_kept_where_no_roll_is_better() -> None:
    """Two dice cannot beat fifteen, so the RallyBird would be wasted; not even with two out."""
    for outs in (0, 2):
        assert "keep" == moot(bat(ninth(bases="2", outs=outs, field="A5f"), "F-THIRD", 9))
    assert None is moot(bat(ninth(bases="2", field="A3f"), "F-THIRD", 9))


def test_a_success_that_moves_nobody_is_better_than_a_failure() -> None:
    """It changes a Glove, so a bad roll that leaves everybody where he is may be thrown again."""
    same = 'tests = ["E", "E", "E"]\nless = "batter out"\nequal = "batter out"\nmore = "batter out"\n'
    for succeeds, expected in (('["more"]', "keep"), ('["equal"]', None)):
        table = bat(ninth(field="E4f", cards={"F-DRIVE": f"{same}succeeds = {succeeds}\n"}), "F-DRIVE", 2)
        assert (("rallybird",), expected) == (asked(table), moot(table))


def test_a_roll_that_loses_the_game_is_thrown_again() -> None:
    for table in (ninth(outs=2), ninth((2, 0), outs=2, half="bottom")):
        bat(table, "F-DRIVE", 2)
        assert (("rallybird",), "reroll") == (asked(table), moot(table))
        assert play(table.clone(), "keep").outcome is not None


def test_a_roll_that_wins_the_game_is_kept() -> None:
    """Though another would bring in more."""
    table = bat(ninth((1, 0), bases="123", half="bottom", field="D3f E3f"), "F-GAP", 6)
    assert (("rallybird-anyway",), "keep") == (asked(table), moot(table))


def test_the_result_of_a_blank_card_is_a_choice() -> None:
    """Nobody knows what else it says; but the first of two good rolls is good."""
    blank = play(bat(ninth(), "F-BLANK"), "A", "enough", dice(9), "batter to first")
    assert (("rallybird-anyway",), None) == (asked(blank), moot(blank))
    twice = {"F-BLANK": "blank = true\ntwice = true\n"}
    table = play(bat(ninth(cards=twice), "F-BLANK"), "A", "enough", dice(9), "good")
    assert (("rallybird-anyway",), "keep") == (asked(table), moot(table))


def rallies() -> Iterator[Table]:
    """Return tables that ask for the RallyBird, in random games under any house rules."""
    chance = random.Random(5)
    decks = (house_deck(GAME), deck())
    for game in range(120):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
        house |= {"startInning": "9", "rallyBird": "on", "visitor": "agreed"}
        table = Table(GAME, [decks[game % 2]], house)
        for _ in range(250):
            if not table.open_asks():
                break
            ((n, ask),) = table.open_asks()
            if ask.why.startswith("rallybird"):
                yield table
            table.answer_ask(ask.seat, n, pick(ask, chance.randrange(1 << 16)))


def test_a_moot_answer_is_never_worse() -> None:
    """The other answer is given and each roll tried: a roll that was kept is nowhere bettered for the side at bat, and
    one that is thrown again would have lost the game.
    """
    seen = {"keep": 0, "reroll": 0}
    for table in rallies():
        given = moot(table)
        if given is None:
            continue
        seen[given] += 1
        kept = play(table.clone(), "keep")
        if given == "reroll":
            assert kept.outcome is not None
            assert kept.outcome.winner != table.open_asks()[0][1].seat
            continue
        for total in range(2, 13):
            again = play(table.clone(), "reroll", dice(total))
            if asked(again)[:1] in (("first-roll",), ("result",)):
                continue
            assert not bettered(true(table), true(kept), true(again)), (total, table.log[-1])
    assert min(seen.values()) > 10


def bettered(start: State, kept: State, again: State) -> bool:
    """Return True if `again` is clearly better for the side at bat than `kept`: more runs, or as many and fewer outs,
    or as many of both and more bases.
    """
    if kept.outcome and kept.outcome.winner == start.offense:
        return False

    def value(s: State) -> tuple[int, int, int]:
        same = s.clock == start.clock and not s.outcome
        runs = s.score[0 if start.offense == "away" else 1]
        on = sum(base for base, cube in enumerate(s.bases, 1) if cube is not None) if same else STEPS_FOR_OUT
        return runs, -(s.outs if same else 3), on

    return value(again) > value(kept)


# Gloves and real cards ---------------------------------------------------------------------------------------------


def test_two_gloves_alike_are_no_choice() -> None:
    """Which of them is turned over or taken away does not matter, for they are laid again; different ones do."""
    field = "A3f D3f"
    assert (("flip",), "gA") == (asked(flip := bat(at(field=field), "F-LEFT", 12)), moot(flip))
    assert None is moot(bat(at(field="A4f D3f"), "F-LEFT", 12))
    backs = bat(at(field="A1b D1b"), "F-LEFT", 12)
    assert (("remove",), "gA") == (asked(backs), moot(backs))
    assert None is moot(bat(at(field="A1b D2b"), "F-LEFT", 12))


@each(("gloves", "expected"), [({}, "gF"), ({"F": (5, 4), "X": (4, 6)}, None)])
def test_two_gloves_alike_with_a_baseball(gloves: dict[str, tuple[int, int]], expected: str | None) -> None:
    assert expected == moot(play(new(cards=deck(gloves=gloves)), "F-6"))


def test_a_press_for_a_real_card_is_moot() -> None:
    """The next question says what to do first. A press can still be given, and naming the card is a choice."""
    table = new({"cards": "real"})
    assert (("set-aside",), "ready") == (asked(table), moot(table))
    play(table, "ready")
    assert "Offense sets a real card aside, drawn at random. Which" in table.view_for(None).asks[0].sentence
    play(table, "gX")
    assert (("laid",), "ready") == (asked(table), moot(table))
    play(table, "ready")
    assert (
        table.view_for(None).asks[0].sentence.startswith("Wait until the card is face down. Then place all your Gloves")
    )
    assert None is moot(play(table, lie(table)))
