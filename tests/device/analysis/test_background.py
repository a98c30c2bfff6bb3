"""Win probabilities at a table: what is published when, what is computed again, and that nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.analysis import stored_games
from device.analysis.background import BackgroundAnalysis
from device.analysis.win_trace import trace_game
from device.inputs.random_player import pick_answer
from device.shapes import AnalysisLevel, GameAnalysis, never_abort
from device.storage.store import Store
from device.table.past_games import PastGames
from device.table.session import GameSession
from engine.journal import Source
from engine.views import TableView
from managers.manager import GameSetup
from tests.device.analysis.evaluators import FakeEvaluator, scoreboard_chance
from tests.device.stored_games import Clock, table

NO_ANALYSIS = GameAnalysis(None, {}, None, None)


class Bench:
    """A game, of Small Ball, whose analysis is computed only when a test says so."""

    def __init__(self, folder: Path, level: AnalysisLevel = "numbers") -> None:
        self.path, self.level = folder / "journal.db", level
        self.store, self.clock = Store(self.path), Clock()
        self.evaluators: list[FakeEvaluator] = []
        self.chance: Callable[[TableView], float | None] = scoreboard_chance
        self.open_table()

    def open_table(self) -> None:
        self.session = GameSession(self.store, table, show=0, clock=self.clock)
        self.game = self.session.game
        self.past = PastGames(self.path, lambda: self.game.number, lambda game, place: False)
        self.analysis = BackgroundAnalysis(self.session, self.past, self.level, self.build)

    def build(self, setup: GameSetup) -> FakeEvaluator:
        self.evaluators.append(FakeEvaluator(lambda view: self.chance(view), studies=2))
        return self.evaluators[-1]

    def play(self, most: int, seed: int = 1) -> None:
        chance = Random(seed)
        for _ in range(most):
            if self.game.table.outcome:
                break
            n, ask = chance.choice(self.game.table.open_asks())
            value = pick_answer(self.game.table.ask_view(n, ask, ask.seat, dealer=True), chance)
            self.session.seats.answer_ask(ask.seat, n, value, Source.PHONE)

    def shown(self) -> Any:
        view = self.game.view_for(None)
        return view.win and view.win.path

    def expected(self) -> Any:
        trace = trace_game(self.game.table, FakeEvaluator(self.chance), never_abort)
        return [round(chance, 3) for chance in trace.values()]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.store.close()


def test_each_audience_sees_the_chance_after_the_play(bench: Bench) -> None:
    bench.play(10)
    assert bench.shown() is None
    bench.analysis.update()
    assert bench.expected() == bench.shown()
    views = bench.game.current_views()
    assert views.public.win == views.home.win == views.away.win
    assert 0.02 == views.public.win.margin  # type: ignore[union-attr]


def test_a_play_is_published_once_more_and_only_if_its_chance_differs(bench: Bench) -> None:
    bench.analysis.update()
    for _ in range(20):
        bench.play(1, seed=bench.game.version)
        before, version = bench.shown(), bench.game.version
        bench.analysis.update()
        bench.analysis.update()
        assert version + (before[-1] != bench.shown()[-1]) == bench.game.version
    bench.chance = lambda view: 0.5
    bench.play(1)
    bench.analysis.update()
    version = bench.game.version
    bench.play(4)
    bench.analysis.update()
    assert version + 4 == bench.game.version


def test_undo_and_correction_change_it_as_if_made_again(bench: Bench) -> None:
    bench.play(30)
    bench.analysis.update()
    rolls = [one for one in bench.game.table.answers if isinstance(one.value, tuple)]
    bench.game.correct_roll(rolls[3].n, [1 + rolls[3].value[0] % 6])
    bench.analysis.update()
    assert bench.expected() == bench.shown()
    bench.game.undo_answers(bench.game.table.answers[-4].n)
    bench.analysis.update()
    assert bench.expected() == bench.shown()


def test_a_restarted_table_shows_the_same(bench: Bench) -> None:
    bench.play(25)
    bench.analysis.update()
    before = bench.shown()
    bench.open_table()
    assert bench.shown() is None
    bench.analysis.update()
    assert before == bench.shown()


def test_another_game_shows_nothing_of_the_one_before(bench: Bench) -> None:
    bench.play(25)
    bench.analysis.update()
    bench.game.begin_game(table())
    assert bench.shown() is None
    bench.analysis.update()
    assert bench.expected() == bench.shown()
    assert 1 == len(bench.evaluators), "games with the same setup share an evaluator"


def test_a_game_that_begins_meanwhile_ends_the_computation(bench: Bench) -> None:
    bench.play(25)

    def begin(view: TableView) -> float:
        bench.chance = scoreboard_chance
        bench.game.begin_game(table())
        return 0.1

    bench.chance = begin
    bench.analysis.update()
    assert bench.shown() is None
    assert 1 == len(bench.evaluators[0].views)
    bench.analysis.update()
    assert bench.expected() == bench.shown()
    assert 1 == len(bench.shown())


def test_a_failing_evaluator_shows_nothing_and_is_reported_once(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.play(5)
    bench.analysis.update()
    bench.chance = lambda view: 1 / 0
    for _ in range(3):
        bench.play(4)
        bench.analysis.update()
    assert bench.shown() is None
    assert ["The win probability of game 1 failed."] == [one.message for one in caplog.records]
    assert NO_ANALYSIS == bench.analysis.game_analysis(1)
    bench.chance = scoreboard_chance
    bench.game.begin_game(table())
    bench.analysis.update()
    assert bench.expected() == bench.shown()


def test_no_answer_or_view_waits_for_a_slow_evaluator(bench: Bench) -> None:
    """One that blocks until the test ends it: answers, views and undo go on."""
    entered, release = threading.Event(), threading.Event()

    def block(view: TableView) -> float:
        entered.set()
        assert release.wait(60)
        return 0.4

    bench.chance = block
    bench.analysis.start()
    try:
        assert entered.wait(60)
        version, done = bench.game.version, threading.Event()

        def evening() -> None:
            bench.play(20)
            bench.game.undo_answers()
            bench.game.view_for("home")
            assert bench.analysis.game_analysis(1) is None
            done.set()

        thread = threading.Thread(target=evening)
        thread.start()
        assert done.wait(60)
        thread.join()
        assert version + 21 == bench.game.version
        assert bench.shown() is None
    finally:
        release.set()
        bench.analysis.stop()


# Stored games ----------------------------------------------------------------------------------------------------


def test_a_stored_game_is_analyzed_when_somebody_asks(bench: Bench) -> None:
    bench.play(10**6)
    bench.game.begin_game(table())
    bench.analysis.update()
    assert bench.analysis.game_analysis(1) is None
    asked = len(bench.evaluators[0].views)
    bench.analysis.update()
    found = bench.analysis.game_analysis(1)
    assert found is not None
    assert found.win is not None
    assert found.win.home in (0.0, 1.0)
    assert list(found.trace)[-1] == max(found.trace)
    assert asked < len(bench.evaluators[0].views)
    asked = len(bench.evaluators[0].views)
    bench.analysis.update()
    assert found == bench.analysis.game_analysis(1)
    assert asked == len(bench.evaluators[0].views), "it is cached"


def test_the_game_on_the_table_needs_no_request(bench: Bench) -> None:
    bench.play(12)
    bench.analysis.update()
    found = bench.analysis.game_analysis(1)
    assert found is not None
    assert bench.game.view_for(None).win == found.win


def test_the_game_that_just_ended_is_not_evaluated_again(bench: Bench) -> None:
    bench.play(10**6)
    bench.analysis.update()
    asked = len(bench.evaluators[0].views)
    assert bench.analysis.game_analysis(1) is None
    bench.analysis.update()
    found = bench.analysis.game_analysis(1)
    assert found is not None
    assert bench.game.view_for(None).win == found.win
    assert asked == len(bench.evaluators[0].views)


def test_a_game_that_nobody_waits_for_is_abandoned(bench: Bench) -> None:
    """It is computed for the next who asks."""
    bench.play(10**6)
    bench.game.begin_game(table())
    bench.analysis.update()
    bench.analysis.game_analysis(1)

    def slow(view: TableView) -> float:
        bench.clock.now += stored_games.ASK_TIMEOUT_S / 4
        return 0.5

    asked, bench.chance = len(bench.evaluators[0].views), slow
    bench.analysis.update()
    assert 5 == len(bench.evaluators[0].views) - asked
    assert bench.analysis.game_analysis(1) is None
    bench.chance = scoreboard_chance
    bench.analysis.update()
    assert bench.analysis.game_analysis(1) is not None


def test_a_stored_game_gives_way_to_the_game_on_the_table(bench: Bench) -> None:
    """A play that comes meanwhile is shown before the stored game is done."""
    bench.play(10**6)
    bench.game.begin_game(table())
    bench.analysis.update()
    bench.game.subscribe(lambda views: bench.analysis._news.set())
    bench.analysis.game_analysis(1)
    seen = list[Any]()

    def chance(view: TableView) -> float:
        seen.append(bench.shown())
        if len(seen) == 3:
            bench.play(8)
        return scoreboard_chance(view)

    bench.chance = chance
    bench.analysis.update()
    assert any(path and len(path) > 1 for path in seen)


def test_missing_and_damaged_games_have_no_analysis(bench: Bench) -> None:
    assert NO_ANALYSIS == bench.analysis.game_analysis(99)


def test_the_queue_is_bounded(bench: Bench) -> None:
    for _ in range(stored_games.MAX_WAITING + 3):
        bench.play(2)
        bench.game.begin_game(table())
    for number in range(1, stored_games.MAX_WAITING + 4):
        assert bench.analysis.game_analysis(number) is None
    bench.analysis.update()
    found = [bench.analysis.game_analysis(number) for number in range(1, stored_games.MAX_WAITING + 4)]
    assert stored_games.MAX_WAITING == sum(one is not None for one in found)


def test_a_table_may_leave_it_out(tmp_path: Path) -> None:
    """No evaluator is built, no page keeps a place, and every game at once has no analysis."""
    bench = Bench(tmp_path, "off")
    bench.analysis.start()
    bench.play(5)
    assert not bench.game.view_for(None).win_expected
    assert NO_ANALYSIS == bench.analysis.game_analysis(1)
    bench.analysis.stop()
    assert [] == bench.evaluators
    bench.store.close()


@pytest.mark.parametrize("level", ["full", "numbers"])
def test_numbers_only_leaves_out_what_is_told(tmp_path: Path, level: AnalysisLevel) -> None:
    bench = Bench(tmp_path, level)
    bench.play(10**6)
    bench.analysis.update()
    view = bench.game.view_for(None)
    bench.analysis.game_analysis(1)
    bench.analysis.update()
    found = bench.analysis.game_analysis(1)
    assert found is not None
    assert found.win is not None
    assert (view.win, view.story) == (found.win, found.story)
    told = [one is not None for one in (found.story, found.review, found.win.biggest)]
    assert [level == "full"] * 3 == told
    bench.store.close()


def test_the_story_of_a_game_whose_end_is_undone_disappears(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "full")
    bench.play(10**6)
    bench.analysis.update()
    assert bench.game.view_for(None).story is not None
    bench.game.undo_answers()
    assert bench.game.view_for(None).story is None
    bench.analysis.update()
    assert bench.game.view_for(None).story is None
    bench.store.close()


def test_a_result_that_is_undone_is_no_chance(bench: Bench) -> None:
    """Before the end, nobody sees 0 or 1, also before the position is evaluated."""
    bench.play(1000)
    bench.analysis.update()
    assert bench.shown()[-1] in (0, 1)
    bench.game.undo_answers()
    assert bench.shown() is None
    bench.analysis.update()
    assert bench.expected() == bench.shown()
