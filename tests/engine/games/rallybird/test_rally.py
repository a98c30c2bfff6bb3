"""The RallyBird."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import WrongSeat
from engine.innings import Half
from engine.table import Table
from tests.each import each
from tests.engine.games.rallybird.fixture import REMOVED, at, bat, dice, sides, stand, true
from tests.engine.tables import asked, codes, panel, play

LONG = "E3f F3f"
"""Six for the long ball."""


def ninth(score: tuple[int, int] = (0, 2), **more: Any) -> Table:
    return at(inning=9, score=score, **more)


def again(table: Table, total: int) -> Table:
    return play(table, "reroll", dice(total))


def birds(table: Table) -> tuple[str, str]:
    shown = panel(table, "rallybird")
    return shown["away"], shown["home"]


@pytest.mark.rule("RB-089")
def test_a_game_may_have_it_or_not() -> None:
    assert ("rallybird",) == asked(bat(ninth(), "F-DRIVE", 2))
    table = ninth(house={"rallyBird": "off"})
    assert (("no", "no"), ("at-bat",)) == (birds(table), asked(bat(table, "F-DRIVE", 2)))


@pytest.mark.rule("RB-090")
@each("half", ["top", "bottom"])
@each("inning", [7, 8, 9, 10, 11, 12])
def test_it_is_offered_in_the_ninth_only(inning: int, half: Half) -> None:
    """To either side that is behind, after a bad roll and after a good one; `rallyExtraInnings` has it fly later."""
    for house, last in (({}, 9), ({"rallyExtraInnings": "false"}, 9), ({"rallyExtraInnings": "true"}, 99)):
        offered = 9 <= inning <= last
        table = at(inning=inning, half=half, score=(0, 2) if half == "top" else (2, 0), house=house)
        side = ("away", "home").index(table.open_asks()[0][1].seat)
        assert ("ready" if offered else "no", "no") == (birds(table)[side], birds(table)[1 - side])
        assert ("rallybird" if offered else "at-bat",) == asked(bat(table.clone(), "F-DRIVE", 2))
        assert ("rallybird-anyway" if offered else "at-bat",) == asked(bat(table.clone(), "F-DRIVE", 12))


@pytest.mark.rule("RB-091")
def test_only_the_trailing_side_at_bat_has_it() -> None:
    """Not a side that is tied or ahead, and not Defense; it is gone once the score is tied."""
    assert ("ready", "no") == birds(ninth())
    for score in ((2, 2), (3, 2)):
        assert ("at-bat",) == asked(bat(ninth(score), "F-DRIVE", 2))
    table = bat(ninth(), "F-DRIVE", 2)
    ((n, ask),) = table.open_asks()
    assert "away" == ask.seat
    with pytest.raises(WrongSeat):
        table.answer_ask("home", n, "reroll")
    level = play(bat(ninth((0, 1), field=LONG), "F-LONG", 8), "keep", dice(8), "keep", "gE")
    assert (("", 0, 2), ("no", "no")) == (stand(level), birds(level))
    assert ("at-bat",) == asked(bat(level, "F-DRIVE", 2))
    assert ("no", "ready") == birds(at(inning=9, half="bottom", score=(2, 0)))


@pytest.mark.rule("RB-092")
def test_the_dice_are_rerolled() -> None:
    table = again(bat(ninth(field="E7f"), "F-DRIVE", 5), 9)
    assert (("1", 0, 2), {"sum": 9, "target": 7, "compare": "more", "number": 2}) == (
        stand(table),
        panel(table, "roll"),
    )
    assert "Visitors use the RallyBird to roll again!" in [line.sentence for line in table.play_log_lines()]
    kept = play(bat(ninth(field="E7f"), "F-DRIVE", 5), "keep")
    assert ("", 1, 2) == stand(kept)


@pytest.mark.rule("RB-093", "RB-112")
def test_after_success_it_is_kept_for_the_next_at_bat() -> None:
    table = again(bat(ninth(field="E7f"), "F-DRIVE", 5), 9)
    assert (("at-bat",), ("ready", "no"), {"gE": "back"}) == (asked(table), birds(table), sides(table))
    assert ("rallybird",) == asked(bat(table, "F-RIGHT", 2))


@pytest.mark.rule("RB-094")
def test_after_failure_it_is_lost() -> None:
    table = again(bat(ninth(), "F-DRIVE", 2), 3)
    assert (("lost", "no"), True) == (birds(table), "rallybird-lost" in codes(table.log))
    assert ("at-bat",) == asked(bat(table, "F-DRIVE", 2))


@pytest.mark.rule("RB-095", "RB-096")
@each("lost", [True, False])
def test_each_side_has_its_own(lost: bool) -> None:
    """After the visitor used it, kept or lost, and took the lead, home may use its own in the bottom of the ninth."""
    table = again(bat(ninth((0, 1), outs=2, bases="1", field=LONG), "F-LONG", 2), 2 if lost else 8)
    if lost:
        assert table.outcome is not None
        table = at(inning=9, half="bottom", score=(3, 2), rally=(False, True))
    else:
        play(table, dice(8), "gF")
        play(bat(table, "F-DRIVE", 2), REMOVED, "gX")
    assert ("lost" if lost else "no", "ready") == birds(table)
    table = bat(table, "F-DRIVE", 2)
    ((_, ask),) = table.open_asks()
    assert ("rallybird", "home") == (ask.why, ask.seat)
    assert (not lost, False) == true(again(table, 2)).rally


@pytest.mark.rule("RB-113")
def test_of_two_rolls_the_last_is_rerolled() -> None:
    """8 then 5, 9 instead: home, and kept. 4 instead: out, and lost. 5, 8 instead, then 4: out, and lost."""
    good = again(play(bat(ninth(field=LONG), "F-LONG", 8), "keep", dice(5)), 9)
    assert (("flip",), ("ready", "no"), (1, 2)) == (asked(good), birds(good), true(good).score)
    bad = again(play(bat(ninth(field=LONG), "F-LONG", 8), "keep", dice(5)), 4)
    assert (("", 1, 2), ("lost", "no")) == (stand(bad), birds(bad))
    late = play(again(bat(ninth(field=LONG), "F-LONG", 5), 8), dice(4))
    assert (("", 1, 2), ("lost", "no")) == (stand(late), birds(late))
