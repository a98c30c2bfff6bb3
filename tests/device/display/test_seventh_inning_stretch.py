"""7th Inning Stretch on the display: pool, tired pitchers, the season between games, a line-up by buttons."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from PIL import Image

from device.display import content, screens_32, screens_64
from device.inputs.random_player import pick_answer
from device.table.entry.answer_entry import build_entry
from engine.table import Table
from tests.device.display.views import CHOOSE, DIAL, changed, checked, everything, of_table
from tests.engine.games.seventh_inning_stretch.fixture import NINE, against, at, between, new

DRAWS = pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
Draw = Callable[..., Image.Image]


def shown(draw: Draw, table: Table, **more: Any) -> list[str]:
    return checked(lambda: draw(of_table(table, **more)))


def test_pool() -> None:
    """Dice, rerolls and +/-1 tokens stand beside the bases, with the outs."""
    table = at("F-RES", outs=1, pool=(10, 2, 0))
    assert ["11", "3", "1"] == [words for words in shown(screens_64.draw_game, table) if words.isdigit()][2:5]
    assert {"11d", "1+"} <= set(shown(screens_32.draw_game, table, dial=DIAL))
    fewer = of_table(at("F-RES", outs=2, pool=(10, 2, 0)))
    assert screens_64.draw_game(of_table(table)).tobytes() != screens_64.draw_game(fewer).tobytes()


@DRAWS
def test_a_tired_pitcher(draw: Draw) -> None:
    """Of how many exhaustion tokens he has how many; the squares for them are lit."""
    tired, fresh = against(tired={"F-PIT": 1}), against()
    assert ("1/2" in shown(draw, tired), "0/2" in shown(draw, fresh)) == (True, True)
    assert draw(of_table(tired)).tobytes() != draw(of_table(fresh)).tobytes()
    if draw is screens_64.draw_game:
        assert [True, False] == [bool(draw(of_table(tired)).getpixel((x, 17))) for x in (81, 89)]


@DRAWS
def test_the_season_between_games(draw: Draw) -> None:
    """Its marks, its stars and the stage; no score and no bases."""
    table = between("second", won=(True, False, True), stars=2, schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})
    said = shown(draw, table)
    assert ["W", "L", "W", "-", "-", "-"] == [words for words in said if words in ("W", "L", "-")]
    assert "2*" in said
    assert any(words.startswith("Sec") for words in said)
    assert not [words for words in said if "Opponent" in words]


def test_the_next_game() -> None:
    """Where it is, and the letters of the teams that wait."""
    table = between("second", won=(True, False, True), schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})
    assert "Away v U1 U2" in shown(screens_64.draw_game, table)


@DRAWS
def test_a_series_has_marks_of_its_own(draw: Draw) -> None:
    """Three games at most, seven in long playoffs."""
    for mode, most in (("season", 3), ("extended", 7)):
        table = between("finals", {"mode": mode}, series=(True, False), schedule=("U-1",) * 3, won=(True,) * 6)
        said = [words for words in shown(draw, table) if words in ("W", "L", "-")]
        assert ["W", "L", *["-"] * (most - 2)] == said


@DRAWS
def test_the_end_of_a_season(draw: Draw) -> None:
    """Its marks and its last sentence; no team of the last game is called the winner."""
    table = between("entry", won=(False,) * 5 + (True,), stars=2)
    assert table.outcome is not None
    said = shown(draw, table)
    assert ["L"] * 5 + ["W"] == [words for words in said if words in ("W", "L")]
    assert " ".join(said).count("Your team") == 0
    assert "playoffs" in " ".join(said)


@DRAWS
def test_a_duel_is_drafted(draw: Draw) -> None:
    assert "Duel, the draft" in shown(draw, new({"mode": "duel"}), dial=DIAL)


@DRAWS
def test_batting_orders_are_no_draft(draw: Draw) -> None:
    """Once both have their cards, the title says what comes before the duel."""
    table, chance = new({"mode": "duel", "cards": "real"}), Random(3)
    while (first := table.open_asks()[0])[1].why != "line-up":
        n, ask = first
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat), chance))
    said = shown(draw, table)
    assert "Duel, batting order" in said
    assert "Duel, the draft" not in said


@DRAWS
def test_what_stands_beside_the_bases_is_explained(draw: Draw) -> None:
    """In turn with a question: the pool at bat, how tired the pitcher is while the other side bats."""
    for table, words in (
        (at("F-RES", pool=(10, 2, 0)), "Pool: 11 dice, 3 rerolls (ring), 1 +/-1 token (dot)."),
        (against(tired={"F-PIT": 1}), "F-PIT has 1 of 2 exhaustion tokens."),
    ):
        view = changed(of_table(table), table={"asks": [CHOOSE]})
        assert "L: lost." not in everything(draw, view)
        assert set(words.split()) <= set(everything(draw, view).split()), words


@DRAWS
def test_the_marks_of_a_season_are_explained(draw: Draw) -> None:
    """Between two games, in turn with a question."""
    view = changed(of_table(between("first", schedule=("T-1",))), table={"asks": [CHOOSE]})
    assert "W: won. L: lost. *: your stars." in everything(draw, view)


def test_nine_batters_by_buttons() -> None:
    """Place by place with OK; the display says whom, and undo takes one back."""
    table = between("first", schedule=("T-1",))
    while table.open_asks()[0][1].why != "line-up":
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, "new" if ask.why == "line-up-again" else ask.options[0])  # type: ignore[union-attr]
    n, ask = table.open_asks()[0]
    dial = build_entry(table.ask_view(n, ask, ask.seat))
    assert content.decision_title(table.view_for(None).asks[0]) in shown(
        screens_64.draw_game, table, dial=dial.entry_view()
    )
    for place, name in enumerate(NINE, 1):
        assert f"Bats number {place}: {name}" == dial.label
        if place == 3:
            dial.press_ok()
            assert dial.undo_step()
        assert checked(lambda: screens_64.draw_game(of_table(table, dial=dial.entry_view())))
        dial.press_ok()
    assert {str(place): name for place, name in enumerate(NINE, 1)} == dial.answer
