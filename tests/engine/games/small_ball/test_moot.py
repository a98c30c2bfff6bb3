"""Choices of Small Ball that are none: a bank that wins, and everything that only wastes something."""

from __future__ import annotations

import random

from engine.asks import Choose
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.contract import pick
from tests.engine.games.small_ball.fixture import FO, ON_BASE, POWER, SINGLE, at, stand
from tests.engine.tables import asked, offered, play, score, step

USED = ((0, 1), (0, 1))
IDLE = {("red", number): ("GO", "FO", "BB", "GO", "FO", "BB") for number in range(1, 10)}
"""Cards on which neither pinch hitter finds anything to change."""


def moot(table: Table) -> str | None:
    """Return the moot answer to the open question."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Choose), ask
    assert ask.moot_option is None or ask.moot_option in ask.options
    return ask.moot_option


def test_a_bank_that_wins_the_game_is_moot() -> None:
    """In the bottom of the ninth and later; a tie goes on, and a lead of the visitor must still be defended."""
    for inning in (9, 10):
        table = at("12", 0, 2, inning=inning, half="bottom", score=(3, 2))
        assert "bank" == moot(table)
        assert play(table, "bank").outcome is not None
    assert None is moot(at("12", 0, 1, inning=9, half="bottom", score=(3, 2)))
    assert None is moot(at("12", 0, 2, inning=8, half="bottom", score=(3, 2)))
    assert None is moot(at("12", 0, 2, inning=9, score=(3, 2)))


def test_to_bat_is_moot_where_only_a_bank_of_nothing_is_left() -> None:
    assert ("bat", ("bat", "bank")) == (moot(table := at(used=USED)), offered(table))
    assert "bat" == moot(at("3", 2, used=USED, house={"sacrificeTwoOuts": "refuse"}))
    assert None is moot(at("", 0, 1, used=USED))
    for used in ((), (0,), (1,)):
        assert None is moot(at(used=(used, ())))
    for bases in ("1", "2", "12"):
        assert None is moot(at(bases, used=USED))


def test_a_sacrifice_that_is_the_third_out_is_wasted() -> None:
    assert ("bat", "sacrifice" in offered(table := at("3", 2, used=USED))) == (moot(table), True)
    assert None is moot(at("3", 1, used=USED))


def test_a_pinch_hitter_who_changes_nothing_is_wasted() -> None:
    assert ("bat", ("bat", POWER, ON_BASE, "bank")) == (moot(table := at(cards=IDLE)), offered(table))
    assert None is moot(at(cards={("red", 1): ("GO", "FO", "BB", "GO", "FO", "SO")}))
    assert None is moot(at(cards={("red", 1): ("GO", "FO", "BB", "GO", "FO", "1B")}))


def test_a_pinch_hitter_who_saves_a_bunt_is_not_wasted() -> None:
    """ON-BASE turns the strikeout of a missed bunt into a single, whatever is on the batter's card; POWER does not."""
    for value, used, expected in (("refuse", (), "bat"), ("allow", (), None), ("allow", (1,), "bat")):
        table = at("3", 2, used=(used, ()), cards=IDLE, house={"pinchWithSacrifice": value})
        assert expected == moot(table), (value, used)


@each("house", [{}, {"pinchOrder": "playFirst"}, {"pinchStack": "allow"}])
def test_a_wasted_pinch_hitter_is_seen_by_playing_him(house: dict[str, str]) -> None:
    """In random positions: where the decision is moot, each face does the same with him and without."""
    chance, seen = random.Random(2), 0
    for _ in range(60):
        codes = tuple(chance.choice(("GO", "FO", "BB", "SO", "1B")) for _ in range(6))
        cards = {("red", number): codes for number in range(1, 10)}
        table = at(chance.choice(("", "3")), chance.choice((0, 2)), cards=cards, house=house)
        given = moot(table)
        helps = False
        for face in range(1, 7):
            plain = stand(play(table.clone(), "bat", face))
            for card in (POWER, ON_BASE):
                called = play(table.clone(), card)
                if asked(called) == ("swing",):
                    play(called, "bat")
                helps = helps or stand(play(called, face)) != plain
        if given == "bat":
            seen += 1
            assert not helps, codes
    assert seen


def test_after_the_die_nobody_is_called_in_vain() -> None:
    late = {"pinchTiming": "afterRoll"}
    idle = play(at(house=late), "bat", FO)
    assert (("pinch-after",), "no") == (asked(idle), moot(idle))
    assert None is moot(play(at(house=late), "bat", SINGLE))
    spent = play(at(house=late, used=((0,), ())), "bat", SINGLE)
    assert (("pinch-after",), "no") == (asked(spent), moot(spent))
    flies = play(at("1", house=late | {"pinchOrder": "playFirst"}), "hit-and-run", 3)
    assert None is moot(flies)


def test_a_pinch_hitter_is_taken_back_where_there_is_only_one() -> None:
    """To have him again costs nothing; of two, one is chosen."""
    for used, expected in (((0,), POWER), ((0, 1), None)):
        table = at("", 2, 1, inning=9, half="bottom", score=(2, 1), used=(used, ()))
        play(table, "bank")
        assert (("reactivate",), expected) == (asked(table), moot(table))


def test_no_moot_answer_loses_a_run() -> None:
    """In random games, a moot bank ends the game with a win, and batting is moot only with nothing at stake or when
    the bank would lose the game.
    """
    seen = {"bank": 0, "bat": 0}
    for seed in range(150):
        chance = random.Random(seed)
        table = at(inning=8 + seed % 3, score=(1, 1), used=USED if seed % 2 else ((), ()))
        while asked(table) and len(table.answers) < 120:
            if asked(table) == ("decision",) and (given := moot(table)):
                seen[given] += 1
                end = play(table.clone(), "bank")
                if given == "bank":
                    assert end.outcome is not None
                    assert end.outcome.winner == table.open_asks()[0][1].seat
                elif asked(end) != ("bank-nothing",):
                    assert end.outcome is not None
                    assert end.outcome.winner != table.open_asks()[0][1].seat
            step(table, chance.randrange(1 << 16), pick)
        assert min(score(table)) >= 1
    assert min(seen.values()) > 10
