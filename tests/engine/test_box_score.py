"""The box score, checked against counts made by hand from the stored playthroughs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from engine.box_score import BattingTotals, SideBoxScore, Star, box_scores, find_star
from engine.events import Event, LoggedEvent
from engine.game import Rulebook
from engine.games import GAMES
from engine.innings import Outcome
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, FO, GO, SINGLE, at, due
from tests.engine.tables import board, play
from tests.golden import entries_of, new

GAME_OF = {game.key: game for game in GAMES.values()}


def stored(key: str) -> Table:
    """Return the stored playthrough of a game, at its end."""
    table = new(GAME_OF[key])
    for entry in entries_of(GAME_OF[key]):
        table.apply_entry(entry)
    return table


def told(*events: tuple[str, dict[str, Any]]) -> list[LoggedEvent]:
    """Return a log of these events in the top of the first."""
    half = ("half-inning", {"seat": "away", "inning": 1, "half": "top"})
    return [LoggedEvent(n, Event(code, facts)) for n, (code, facts) in enumerate((half, *events))]


def test_small_ball_as_counted_by_hand() -> None:
    """One half-inning banked its runs and won in extra innings; the other runs that came home did not count."""
    boxes = box_scores(stored("small-ball").log)
    away, home = boxes["away"], boxes["home"]
    assert (0,) * 12 == away.line
    assert (*(0,) * 11, 6) == home.line
    assert BattingTotals(at_bats=21, hits=10, walks=9, strikeouts=6) == away.total
    assert BattingTotals(at_bats=29, runs=6, hits=16, driven_in=6, walks=6, strikeouts=4) == home.total
    assert BattingTotals(at_bats=4, hits=1, walks=1, strikeouts=3) == away.batters["Ezra Finch"]
    assert BattingTotals(at_bats=1, strikeouts=1) == away.batters["Ada Crispin"]  # three sacrifices besides
    assert BattingTotals(at_bats=4, runs=1, hits=1, driven_in=1, strikeouts=3) == home.batters["Nan Quill"]
    assert BattingTotals(at_bats=4, runs=1, hits=3, driven_in=2) == home.batters["Ike Larkin"]
    assert (
        BattingTotals(at_bats=3, hits=1, driven_in=1, walks=1) == home.batters["Juno Sable"]
    )  # one on a sacrifice fly
    assert ["Pip Marlowe", "Juno Sable", "Otis Fenwick"] == list(home.batters)[:3]


def test_bottom_of_the_9th_as_counted_by_hand() -> None:
    """Only the home team bats; outs that the visitors record are at-bats of the home team."""
    boxes = box_scores(stored("bottom-of-the-9th").log)
    assert ((), BattingTotals(), {}) == (boxes["away"].line, boxes["away"].total, boxes["away"].batters)
    home = boxes["home"]
    assert (1,) == home.line
    assert {
        "Tilly Marsh": BattingTotals(at_bats=1, runs=1, hits=1),
        "Dex Fairweather": BattingTotals(walks=1),
        "Orla Penhallow": BattingTotals(at_bats=1, hits=1),
        "Hugo Lundgaard": BattingTotals(at_bats=1, strikeouts=1),
        "Mina Castellan": BattingTotals(at_bats=1),
        "Bo Trasker": BattingTotals(at_bats=1, hits=1, driven_in=1),
    } == home.batters


def test_rallybird_as_counted_by_hand() -> None:
    """Its batters have no names, so only team totals are counted, and no runs batted in."""
    boxes = box_scores(stored("rallybird").log)
    assert ((1, 1, 0, 0), (0, 0, 2, 4)) == (boxes["away"].line, boxes["home"].line)
    assert BattingTotals(at_bats=19, runs=2, hits=9, walks=2) == boxes["away"].total
    assert BattingTotals(at_bats=16, runs=6, hits=7, walks=1) == boxes["home"].total
    assert {} == boxes["away"].batters == boxes["home"].batters


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_box_score_agrees_with_the_scoreboard(game: Rulebook) -> None:
    """Runs and hits match the line score, batters add up to their team, and the view shows it after the game."""
    table = stored(game.key)
    sides, boxes = table.scoreboard().sides, box_scores(table.log)
    for seat in SEATS:
        total = boxes[seat].total
        assert (sides[seat].runs, sides[seat].hits) == (total.runs, total.hits)
        assert total.runs == sum(runs or 0 for runs in boxes[seat].line)
        if boxes[seat].batters:
            sums = {key: sum(getattr(did, key) for did in boxes[seat].batters.values()) for key in asdict(total)}
            assert asdict(total) == sums
    assert {"at_bats", "runs"} < set(json_data(table.view_for(None))["box"]["home"]["total"])
    table.undo(table.answers[-1].n)
    assert json_data(table.view_for(None))["box"] is None


def test_a_run_counts_once_it_is_on_the_board() -> None:
    """Runs at stake that are lost count for nobody; banked runs count for runner and batter."""
    ann = {"seat": "away", "batter": "Ann", "hit": True}
    home = ("comes-home", {"seat": "away", "runners": ["Ann"], "by": "Bo"})
    half = ("half-inning", {"seat": "home", "inning": 1, "half": "bottom"})
    lost = box_scores(
        told(("triple", ann), home, ("bust", {"seat": "away", "scored": 0}), half, ("x", {"seat": "home"}))
    )
    assert {"Ann": BattingTotals(at_bats=1, hits=1)} == lost["away"].batters
    kept = box_scores(told(("triple", ann), home, ("bank", {"seat": "away", "scored": 1}), half))
    assert {"Ann": BattingTotals(at_bats=1, runs=1, hits=1), "Bo": BattingTotals(driven_in=1)} == kept["away"].batters
    again = ("bank", {"seat": "home", "scored": 1})
    late = box_scores(told(("triple", ann), home, ("bust", {"seat": "away", "scored": 0}), half, again))
    assert (BattingTotals(at_bats=1, hits=1), BattingTotals(runs=1)) == (late["away"].total, late["home"].total)


@each(
    ("bases", "outs", "decision", "face", "expected"),
    [
        ("3", 0, "bat", SINGLE, BattingTotals(at_bats=1, hits=1, driven_in=1)),
        ("3", 0, "bat", FO, BattingTotals(driven_in=1)),
        ("3", 1, "bat", GO, BattingTotals(at_bats=1, driven_in=1)),
        ("13", 0, "bat", GO, BattingTotals(at_bats=1)),
        ("123", 0, "bat", BB, BattingTotals(walks=1, driven_in=1)),
        ("3", 0, "sacrifice", 1, BattingTotals(driven_in=1)),
        ("2", 0, "bat", FO, BattingTotals(at_bats=1)),
        ("3", 2, "bat", FO, BattingTotals(at_bats=1)),
        ("3", 0, "sacrifice", 6, BattingTotals(at_bats=1, strikeouts=1)),
    ],
)
def test_what_a_turn_counts_as(bases: str, outs: int, decision: str, face: int, expected: BattingTotals) -> None:
    """As in baseball, a sacrifice is not an at-bat, and a double play drives nobody in."""
    table = at(bases, outs)
    batter = due(table)
    play(table, decision, face)
    if board(table).stake:
        play(table, "bank")
    assert expected == box_scores(table.log)["away"].batters[batter]


Runs = tuple[int | None, ...]


def boxed(
    away: dict[str, BattingTotals], home: dict[str, BattingTotals], lines: tuple[Runs, Runs] = ((), ())
) -> dict[Seat, SideBoxScore]:
    """Return a box score with these batters, and the lines of away and home."""
    return {
        "away": SideBoxScore(lines[0], BattingTotals(), away),
        "home": SideBoxScore(lines[1], BattingTotals(), home),
    }


HOME_WON = Outcome("home", "regulation", "")


def test_the_star_did_most() -> None:
    """A run driven in counts two, a hit and a run one."""
    boxes = boxed({"Ann": BattingTotals(5, hits=4)}, {"Bo": BattingTotals(4, runs=1, hits=1, driven_in=2, walks=1)})
    assert Star("home", "Bo", "1 for 4, 1 run, 2 RBI, 1 walk") == find_star(boxes, HOME_WON)
    assert Star("away", "Ann", "5 for 5") == find_star(
        boxed({"Ann": BattingTotals(5, hits=5)}, {"Bo": BattingTotals(4, hits=4)}), HOME_WON
    )


def test_between_equals_the_winner_has_the_star() -> None:
    alike = BattingTotals(4, hits=2)
    assert "Bo" == getattr(find_star(boxed({"Ann": alike}, {"Bo": alike}), HOME_WON), "name", None)
    assert "Ann" == getattr(find_star(boxed({"Ann": alike}, {"Bo": alike}), Outcome("away", "", "")), "name", None)
    assert "Ann" == getattr(find_star(boxed({"Ann": alike}, {"Bo": alike}), Outcome(None, "", "")), "name", None)


def test_without_names_a_half_inning_has_the_star() -> None:
    """The one with the most runs; none if nobody scored or had a hit."""
    boxes = boxed({}, {}, ((0, 3, None), (1, 3, 3)))
    assert Star("home", "The bottom of inning 3", "3 runs") == find_star(boxes, HOME_WON)
    assert find_star(boxed({}, {}, ((0,), (0,))), HOME_WON) is None
    assert find_star(boxed({"Ann": BattingTotals(3)}, {}), HOME_WON) is None


def test_only_a_finished_game_has_a_star() -> None:
    table = new(GAME_OF["small-ball"])
    assert table.view_for(None).star is None
    best = stored("small-ball").view_for(None).star
    assert best is not None
    assert best.name in box_scores(stored("small-ball").log)[best.seat].batters
