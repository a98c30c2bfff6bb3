"""Moments: what each play means for the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.events import GAME_END_CODES, Event, Moment, MomentTracker
from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from tests import golden
from tests.each import each
from tests.engine.games.contract.games import CONTRACTS

GAME_OF = {game.key: game for game in GAMES.values()}


def read(*events: tuple[str, dict[str, Any]]) -> list[Moment | None]:
    """Return the moments of these events."""
    fold = MomentTracker()
    return [fold.classify_event(Event(code, facts)) for code, facts in events]


def half(which: str) -> tuple[str, dict[str, Any]]:
    """Return a half-inning."""
    return "half-inning", {"half": which, "inning": 9, "seat": "home" if which == "bottom" else "away"}


def runs(seat: Seat, many: int, code: str = "scores", **facts: Any) -> tuple[str, dict[str, Any]]:
    """Return runs of one side."""
    return code, {"seat": seat, "scored": many, **facts}


@each(
    ("event", "moment"),
    [
        (("single", {"seat": "away", "hit": True}), "hit"),
        (("home-run", {"seat": "away", "hit": True}), "home-run"),
        (("strikeout", {"seat": "away", "turn": "strikeout"}), "strikeout"),
        (("strike-double-play", {"seat": "away", "turn": "strikeout"}), "double-play"),
        (("hit-by-pitch", {"seat": "away", "turn": "hit-by-pitch"}), "walk"),
        (("sacrifice", {"seat": "away", "turn": "sacrifice"}), "out"),
        (("draws", {"seat": "away"}), None),
    ],
)
def test_a_play_is_what_its_facts_say(event: tuple[str, dict[str, Any]], moment: Moment | None) -> None:
    """Codes that all games share, and the facts `hit` and `turn`, decide."""
    assert [moment] == read(event)


def test_runs_lead_tie_or_come_back() -> None:
    """Behind by three or more and then ahead is a comeback; a lead that grows is just a run."""
    assert ["lead", "run", "run", "tie", "comeback", "lead"] == read(
        runs("away", 1), runs("away", 2), runs("home", 1), runs("home", 2), runs("home", 1), runs("away", 2)
    )


def test_a_home_run_that_takes_the_lead_is_a_home_run() -> None:
    """Of two moments of one event the greater counts."""
    assert ["home-run"] == read(runs("home", 2, "home-run", hit=True))


def test_the_home_side_walks_off_only_with_the_lead_it_has_just_taken() -> None:
    """A lead from before, a game that ends with the top, and one that the visitors win just end."""
    over = ("game-over", {"seat": "home"})
    assert "walk-off" == read(half("bottom"), runs("home", 1), over)[-1]
    assert "final" == read(half("bottom"), runs("home", 1), runs("home", 1), half("top"), over)[-1]
    assert "final" == read(runs("away", 2), half("bottom"), runs("home", 1), over)[-1]
    assert "final" == read(runs("home", 2), half("bottom"), over)[-1]


def games() -> Iterator[tuple[str, Table]]:
    """Yield whole games of every rulebook: the stored one, and some at random."""
    for key, contract in CONTRACTS.items():
        table = golden.new(GAME_OF[key])
        for entry in golden.entries_of(GAME_OF[key]):
            table.apply_entry(entry)
        yield key, table
        for number, played in enumerate(contract.walk.tables(Random(5))):
            if number == 6:
                break
            chance = Random(number)
            while played.open_asks() and len(played.answers) < contract.walk.longest:
                n, ask = chance.choice(played.open_asks())
                played.answer_ask(ask.seat, n, contract.walk.pick(ask, chance.randrange(1 << 16)))
            yield key, played


@pytest.mark.slow
def test_whole_games_end_once_and_walk_off_as_their_outcome_says() -> None:
    """Each event that ends a game is a walk-off or final, nothing else is, and the outcome agrees."""
    seen = set()
    for key, table in games():
        lines = table.play_log_lines()
        ends = [line for line in lines if line.moment in ("walk-off", "final")]
        assert [line for line in lines if line.code in GAME_END_CODES] == ends, key
        if table.outcome and table.outcome.reason.startswith("walk-off"):
            assert "walk-off" == ends[-1].moment, key
            seen.add(key)
        scoring = [line for line in lines if line.scored]
        assert all(line.moment for line in scoring), key
    assert len(seen) >= 2


def test_an_undo_takes_its_moments_back() -> None:
    """The log reads everything again once events were removed."""
    table = golden.new(GAME_OF["small-ball"])
    for entry in golden.entries_of(GAME_OF["small-ball"])[:60]:
        table.apply_entry(entry)
    before = [line.moment for line in table.play_log_lines()]
    n, ask = table.open_asks()[0]
    table.answer_ask(ask.seat, n, [6] if hasattr(ask, "dice") else ask.options[0])  # type: ignore[union-attr]
    table.undo(n)
    assert before == [line.moment for line in table.play_log_lines()]
