"""Choices of Small Ball that are none: a bank that wins, and everything that only wastes something.

The last tests play each half to its end in every way. They rate its ends at random, but more runs and an unused pinch
hitter never lower: a side that has them can play on as if they were not there.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from typing import Any

import pytest

from engine.asks import Choose
from engine.games.small_ball import GAME
from engine.table import Table
from tests.each import each
from tests.engine.games.contract.exact_play import ExactPlay, is_never_worse
from tests.engine.games.small_ball.contract import pick
from tests.engine.games.small_ball.fixture import FO, ON_BASE, POWER, SINGLE, at, stand, true
from tests.engine.tables import asked, offered, play, score, step

USED = ((0, 1), (0, 1))
IDLE = {("red", number): ("GO", "FO", "BB", "GO", "FO", "BB") for number in range(1, 10)}
"""Cards on which neither pinch hitter finds anything to change."""
IDLE_BOTH = IDLE | {("blue", number): codes for (_, number), codes in IDLE.items()}
REFUSE = {"bankWithZero": "refuse"}
LAST: dict[str, Any] = {"inning": 9, "half": "bottom", "score": (1, 0)}
"""The last half, in which the side at bat is behind, so that a bank of nothing loses."""


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


def test_to_bank_nothing_is_a_choice() -> None:
    """It lets the next batter lead off another half. It is none where it is refused, or loses the game."""
    assert (None, ("bat", "bank")) == (moot(table := at(used=USED)), offered(table))
    assert None is moot(at(outs=2, used=USED))
    assert ("bat", ("bat",)) == (moot(table := at(used=USED, house=REFUSE)), offered(table))
    assert ("bat", ("bat", "bank")) == (moot(table := at(used=USED, **LAST)), offered(table))
    for used in ((), (0,), (1,)):
        assert None is moot(at(used=(used, ()), house=REFUSE))
    for bases in ("1", "2", "12"):
        assert None is moot(at(bases, used=USED, house=REFUSE))


def test_a_sacrifice_that_is_the_third_out_is_wasted() -> None:
    """Unless nothing can be banked after the at-bat: then it is the only way to have the next batter lead off."""
    assert ("bat", "sacrifice" in offered(table := at("3", 2, used=USED, **LAST))) == (moot(table), True)
    assert None is moot(at("3", 1, used=USED, **LAST))
    assert None is moot(at("3", 2, used=USED, house=REFUSE))
    assert None is moot(at("3", 2, used=USED, house=REFUSE, **LAST))
    assert "bat" == moot(at("3", 2, 1, used=USED, house=REFUSE, **LAST | {"score": (2, 0)}))


def test_a_pinch_hitter_who_changes_nothing_is_wasted() -> None:
    assert ("bat", ("bat", POWER, ON_BASE)) == (moot(table := at(cards=IDLE, house=REFUSE)), offered(table))
    assert ("bat", ("bat", POWER, ON_BASE, "bank")) == (moot(table := at(cards=IDLE_BOTH, **LAST)), offered(table))
    assert None is moot(at(cards={("red", 1): ("GO", "FO", "BB", "GO", "FO", "SO")}, house=REFUSE))
    assert None is moot(at(cards={("red", 1): ("GO", "FO", "BB", "GO", "FO", "1B")}, house=REFUSE))


def test_a_pinch_hitter_who_saves_a_bunt_is_not_wasted() -> None:
    """ON-BASE turns the strikeout of a missed bunt into a single, whatever is on the batter's card; POWER does not."""
    for value, used, expected in (("refuse", (), "bat"), ("allow", (), None), ("allow", (1,), "bat")):
        table = at("3", 2, used=((), used), cards=IDLE_BOTH, house={"pinchWithSacrifice": value}, **LAST)
        assert expected == moot(table), (value, used)


def test_a_bank_of_nothing_that_wins_is_not_asked_twice() -> None:
    """A manager who takes it back is asked what else to do, whatever is answered unasked."""
    table = at("1", 1, inning=9, half="bottom", score=(1, 2), house={"skipBottomWhenAhead": "false"})
    assert (("decision",), "bank") == (asked(table), moot(table))
    assert (("bank-nothing",), "bank") == (asked(play(table, "bank")), moot(table))
    assert (("decision",), None) == (asked(play(table, "bat-on")), moot(table))
    assert "home" == play(table, "bank", "bank").outcome.winner
    assert (("bank-nothing",), None) == (asked(play(at("1"), "bank")), moot(play(at("1"), "bank")))


@each("house", [{}, {"pinchOrder": "playFirst"}, {"pinchStack": "allow"}])
def test_a_wasted_pinch_hitter_is_seen_by_playing_him(house: dict[str, str]) -> None:
    """In random positions: where the decision is moot, each face does the same with him and without."""
    chance, seen = random.Random(2), 0
    for _ in range(60):
        codes = tuple(chance.choice(("GO", "FO", "BB", "SO", "1B")) for _ in range(6))
        cards = {("red", number): codes for number in range(1, 10)}
        cards |= {("blue", number): codes for number in range(1, 10)}
        table = at(chance.choice(("", "3")), chance.choice((0, 2)), cards=cards, house=house, **LAST)
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


# Every way to play on ------------------------------------------------------------------------------------------------

USED_SETS = ((), (0,), (1,), (0, 1))


def exact_half(table: Table, chance: random.Random) -> ExactPlay:
    """Return exact values of this half, for random values of its ends."""
    start = true(table)
    raw = {(runs, due, used): chance.random() for runs in range(10) for due in range(1, 10) for used in USED_SETS}

    def worth(then: Table) -> float | None:
        now, side = true(then), start.side_index
        if then.outcome:
            return 2 if then.outcome.winner == start.batting_seat else -1
        if now.clock == start.clock:
            return None
        runs, due, used = now.score[side] - start.score[side], now.due[side], now.used[side]
        more = [other for other in USED_SETS if used <= set(other)]
        return max(raw[fewer, due, other] for fewer in range(runs + 1) for other in more)

    return ExactPlay(start.batting_seat, worth, position)


def position(table: Table) -> Hashable:
    ((_, ask),) = table.open_asks()
    s, options = true(table), offered(table)
    half = (s.outs, tuple(map(bool, s.bases)), len(s.scored), s.batted, s.stolen, s.used[s.side_index])
    return ask.why, options, half, s.pinching, s.hit_and_run, s.dice if ask.why == "pinch-after" else ()


def late_positions(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield random positions for `at` with two outs, of cards that differ much, in the last half or before it."""
    keys = ("bankWithZero", "bankTiming", "pinchTiming", "pinchStack", "pinchWithSacrifice", "pinchOrder")
    rules = [rule for rule in GAME.house_rules if rule.key in keys]
    while True:
        cards = {
            (colour, number): tuple(chance.choice(("SO", "GO", "FO", "BB", "1B", "2B")) for _ in range(6))
            if chance.random() < 0.6
            else (chance.choice(("SO", "GO", "FO", "BB", "1B")),) * 6
            for colour in ("red", "blue")
            for number in range(1, 10)
        }
        yield {
            "bases": chance.choice(("", "3", "3", "1", "12", "123")),
            "outs": 2,
            "stake": chance.choice((0, 0, 0, 1, 2)),
            "inning": chance.choice((5, 9)),
            "half": "bottom",
            "score": (chance.choice((0, 0, 1, 3)), chance.choice((0, 1))),
            "used": ((), chance.choice((*USED_SETS, *USED))),
            "cards": cards,
            "house": {rule.key: chance.choice(rule.values) for rule in rules},
        }


def check_moot_answers(chance: random.Random) -> None:
    """Check three moot answers of each kind against every way to play on."""
    seen = dict.fromkeys(("bat", "bank", "no"), 0)
    for where in late_positions(chance):
        table = at(**where)
        if where["house"]["pinchTiming"] == "afterRoll" and chance.random() < 0.7:
            play(table, "bat", chance.randint(1, 6))
        given = moot(table) if asked(table) not in ((), ("at-bat",)) else None
        if given is None or seen[given] == 3:
            continue
        seen[given] += 1
        found = exact_half(table, chance).option_values(table)
        assert is_never_worse(found, given), (given, found, where)
        if min(seen.values()) == 3:
            return


@each("seed", range(2))
def test_a_moot_answer_is_never_worse_however_the_half_goes_on(seed: int) -> None:
    check_moot_answers(random.Random(seed))


@pytest.mark.slow
@each("seed", range(2, 14))
def test_no_moot_answer_of_many_is_ever_worse(seed: int) -> None:
    check_moot_answers(random.Random(seed))


def test_an_unused_pinch_hitter_is_never_worse() -> None:
    """So the only one who was used is taken back: in a half with the same ends, he makes no position worth less."""
    chance = random.Random(1)
    for where, ends in zip(late_positions(chance), range(6), strict=False):
        tables = [at(**where | {"used": ((), used)}) for used in USED_SETS]
        both, power, on_base, none = (exact_half(one, random.Random(ends)).value(one) for one in tables)
        assert both >= max(power, on_base) - 1e-9
        assert min(power, on_base) >= none - 1e-9
