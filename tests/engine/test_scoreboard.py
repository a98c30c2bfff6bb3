"""The scoreboard: each event is read once, however often it is shown, and games in a row are kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.asks import Choose
from engine.box_score import BattingTotals, box_scores
from engine.events import Event, GameWords, LoggedEvent
from engine.games.small_ball import GAME
from engine.scoreboard import EventLog, last_game_events, line_score
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.fixture import deck
from tests.engine.sample_games.series_game import series

OPENS, HALF, HIT, RUN = "opened", "half-inning", "hit", "run"


def told(*codes: str, game: int = 0) -> list[LoggedEvent]:
    """Return a log in which away bats first in inning 1, two codes per answer; `game` events come before it."""
    facts: dict[str, dict[str, Any]] = {
        OPENS: {"opens": True},
        HALF: {"seat": "away", "inning": 1, "half": "top"},
        HIT: {"seat": "away", "hit": True, "batter": "Ann"},
        RUN: {"seat": "away", "scored": 1},
    }
    return [LoggedEvent((game + n) // 2, Event(code, facts.get(code, {}))) for n, code in enumerate(codes)]


def sensible(table: Table, random: Random) -> None:
    """Answer the open ask of Small Ball in a way that lets the game end."""
    n, ask = table.open_asks()[0]
    if isinstance(ask, Choose):
        table.answer_ask(ask.seat, n, "bank" if ask.why == "decision" and ask.facts["stake"] else ask.options[0])
    else:
        table.answer_ask(ask.seat, n, [random.randint(1, 6)])


@pytest.mark.parametrize("log", [told, lambda *codes: EventLog(told(*codes))], ids=["list", "log"])
def test_the_line_score_is_that_of_the_last_game(log: Any) -> None:
    """So is the box score; with one game in the log, both cover all of it."""
    first, second = (HALF, HIT, RUN, RUN), (OPENS, HALF, RUN)
    assert ((2,), 1) == (line_score(log(*first)).lines["away"], line_score(log(*first)).hits["away"])
    both = line_score(log(*first, *second))
    assert ((1,), (), 0) == (both.lines["away"], both.lines["home"], both.hits["away"])
    assert BattingTotals(at_bats=1, runs=2, hits=1) == box_scores(log(*first))["away"].total
    assert ((1,), BattingTotals(runs=1), {}) == (
        (away := box_scores(log(*first, *second))["away"]).line,
        away.total,
        away.batters,
    )
    assert [OPENS, HALF, RUN] == [one.event.code for one in last_game_events(log(*first, *second))]


def test_a_changed_log_gives_the_same_score_as_a_fresh_one() -> None:
    """Whatever events are added, removed or replaced."""
    random, log = Random(5), EventLog()
    for _ in range(400):
        if random.random() < 0.3:
            del log[random.randrange(len(log) + 1) :]
        log += told(*random.choices((OPENS, HALF, HALF + HIT, HIT), k=random.randint(0, 3)), game=len(log))
        assert line_score(list(log)) == line_score(log)
        assert len({one.n for one in log}) == log.read_new_events().plays
        assert [i for i, one in enumerate(log) if one.event.code == OPENS] == log.games


def test_an_event_is_read_once() -> None:
    """The cost of reading a long log is that of its new events."""

    class Counted(dict[str, Any]):
        read = 0

        def get(self, key: str, default: Any = None) -> Any:
            Counted.read += 1
            return super().get(key, default)

    log = EventLog(LoggedEvent(n, Event("x", Counted())) for n in range(100))
    line_score(log)
    once = Counted.read
    for n in range(100, 110):
        log.append(LoggedEvent(n, Event("x", Counted())))
        line_score(log)
    reads = 6  # of each event: three by the score, three by its moment
    assert (100, 10) == (once / reads, (Counted.read - once) / reads)


@each(
    ("codes", "expected"),
    [
        (("a", HALF, "b"), [(1, 1), (1, 1), (1, 1)]),
        (("a", OPENS, HALF), [(1, 1), (1, 1), (1, 1)]),
        ((OPENS, HALF, "ninth", OPENS, HALF), [(1, 1), (1, 1), (1, 9), (2, 1), (2, 1)]),
        ((HALF, "ninth", "b", OPENS, "a", HALF, "c"), [(1, 1), (1, 9), (1, 9), (2, 1), (2, 1), (2, 1), (2, 1)]),
        ((HALF, "ninth", OPENS, "a"), [(1, 1), (1, 9), (2, 1), (2, 1)]),
    ],
)
def test_lines_know_their_game_and_half(codes: Sequence[str], expected: list[tuple[int, int]]) -> None:
    """Events before a game's first half-inning belong to that game, not to the one before it."""
    ninth = Event(HALF, {"seat": "home", "inning": 9, "half": "bottom"})
    log = EventLog(LoggedEvent(one.n, ninth) if one.event.code == "ninth" else one for one in told(*codes))
    words = GameWords({}, {one.event.code: "It happened." for one in log})
    assert expected == [(line.game, line.inning) for line in log.play_log_lines(words)]


def test_games_in_a_row_at_a_table() -> None:
    """With two games in one journal, each line has its game, the board is the second's, and undo goes back."""
    table, random = Table(series(GAME), [deck()]), Random(3)
    while len(table.log.read_new_events().games) < 2:
        before = table.scoreboard()
        sensible(table, random)
    assert any(side.runs for side in before.sides.values())
    assert [()] * 2 == [side.line for side in table.scoreboard().sides.values()]
    lines = table.play_log_lines()
    opened = [line.game for line in lines if line.code == OPENS]
    assert ([2, 3], [1, 2, 3]) == (opened, sorted({line.game for line in lines}))
    assert [line.game for line in lines] == sorted(line.game for line in lines)
    for start in (0, 7, len(lines) - 3, len(lines)):
        assert lines[start:] == table.play_log_lines(start)
    table.undo(table.answers[-1].n)
    assert before == table.scoreboard()
    assert table.clone().play_log_lines() == table.play_log_lines()
