"""The managers at a table: when they answer, what ends a thought, what happens if one fails, and how they race."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs.computer_managers import SECRET_DELAY_STEP_S, ComputerManagers
from device.inputs.computer_race import REACTION_TIMES_S, THROW_TIMES_S, plan_race
from device.storage.decks import house_deck
from device.storage.seat_settings import PACE_DELAYS_S
from device.storage.store import Store, StoreError
from device.table.live_game import RETRY_DELAY_S
from device.table.race.race import FALSE_CALL
from device.table.session import GameSession
from engine.ask_views import AnyAskView, ArrangeView, CallView, ChooseView, DieView, RerollView
from engine.asks import Roll
from engine.dice import D6
from engine.errors import IllegalAnswer, StaleAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import TableView
from managers.manager import WeighedAnswer, build_manager
from tests.device.stored_games import Clock
from tests.web.games.bottom_of_the_9th import contact, ninth
from vision.tray.tracker import RestingFace

NINTH = GAMES["bottom-of-the-9th"]


class First:
    """A manager that takes the first option, after what `thinks` does."""

    def __init__(self, thinks: Callable[[TableView, AnyAskView], None] = lambda view, ask: None) -> None:
        self.thinks, self.thoughts = thinks, 0

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[Any]:
        return ()

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        self.thoughts += 1
        self.thinks(view, ask)
        match ask:
            case ChooseView():
                return [WeighedAnswer(ask.options[0].value, 0.5, 1.0, "It is the first.")]
            case RerollView():
                return [WeighedAnswer([ask.free[0]], 0.5, 1.0)]
            case ArrangeView():
                return [WeighedAnswer(ask.random_answer(Random(1)), 0.5, 1.0)]
        raise AssertionError(ask)


class Bench:
    """A game, of Bottom of the 9th, whose pitcher is a computer, on a clock that the test moves."""

    def __init__(
        self, folder: Path, seats: Sequence[Any] = ("away",), pace: str = "normal", game: Rulebook = NINTH
    ) -> None:
        self.store, self.clock, self.mind = Store(folder / "journal.db"), Clock(), First()
        self.session = GameSession(self.store, lambda: Table(game, [house_deck(game)]), show=0, clock=self.clock)
        for seat in seats:
            self.session.managed.assign_manager(seat, "regular")
        self.session.managed.set_pace(pace)
        self.managers = ComputerManagers(self.session, Random(1), lambda setup, strength: self.mind)

    def wait(self, seconds: float) -> None:
        """Let time pass, and look as the thread would."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.now = min(end, self.clock.now + max(0.01, self.managers.answer_due_asks()))
            self.session.tick()
        self.managers.answer_due_asks()

    def open(self) -> list[str]:
        return sorted(ask.why for _, ask in self.session.game.table.open_asks())

    def play(self, why: str, value: Any) -> None:
        n, ask = next((n, ask) for n, ask in self.session.game.table.open_asks() if ask.why == why)
        self.session.seats.answer_ask(ask.seat, n, value, Source.PHONE)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    bench.play("lineup", "ready-made")
    yield bench
    bench.store.close()


def test_a_table_without_a_manager_pays_nothing_for_them(tmp_path: Path) -> None:
    """No manager and no solver is loaded, and its thread sleeps until a game has one."""
    loaded = (
        "import sys, device.app; print([one for one in sys.modules if one.startswith(('highspy', 'managers.games'))])"
    )
    assert (
        "[]"
        == subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.strip()
    )
    bench = Bench(tmp_path, ())
    assert math.inf == bench.managers.answer_due_asks()
    bench.store.close()


def test_it_answers_at_its_pace(bench: Bench) -> None:
    """Not before, so that people can follow; and it thinks once about each question."""
    bench.wait(PACE_DELAYS_S["normal"] - 0.1)
    assert (["starter"], 1) == (bench.open(), bench.mind.thoughts)
    bench.wait(0.2)
    assert ["reliever"] == bench.open()
    assert "It is the first." == bench.session.game.view_for("home").managers["away"].reason
    bench.session.managed.set_pace("instant")
    bench.wait(0.1)
    assert "reliever" not in bench.open()


@pytest.mark.parametrize("takes", [0.0, 0.3, 0.7, 1.9])
def test_how_long_it_thought_about_a_secret_does_not_show(bench: Bench, takes: float) -> None:
    """A secret answer comes at a multiple of half a second after the question, whatever it chose."""
    bench.session.managed.set_pace("instant")
    bench.wait(0.1)
    bench.wait(0.1)
    assert ["guess", "pitch-call"] == bench.open()

    def thinks(view: TableView, ask: AnyAskView) -> None:
        bench.clock.now += takes

    bench.session.game.undo_answers()
    bench.play("lineup", "ready-made")
    bench.wait(0.1)
    bench.wait(0.1)
    bench.mind.thinks = thinks
    bench.managers._decisions.clear()
    asked = bench.clock.now
    while "pitch-call" in bench.open():
        bench.clock.now += 0.01
        bench.managers.answer_due_asks()
    passed = (bench.clock.now - asked) / SECRET_DELAY_STEP_S
    assert abs(passed - round(passed)) < 0.05
    assert round(passed) == max(1, -(-takes // SECRET_DELAY_STEP_S))


def test_what_it_thought_about_something_taken_back_is_dropped(bench: Bench) -> None:
    """A person answers or takes back while it thinks: it thinks again, and gives nothing for what has passed."""

    def thinks(view: TableView, ask: AnyAskView) -> None:
        bench.mind.thinks = lambda view, ask: None
        bench.session.game.undo_answers()

    bench.mind.thinks = thinks
    bench.wait(10)
    assert (["lineup"], 1) == (bench.open(), bench.mind.thoughts)
    bench.play("lineup", "ready-made")
    bench.wait(10)
    assert ["guess"] == bench.open()


def test_thinking_delays_nobody(bench: Bench) -> None:
    """While it thinks, the table answers phones, buttons and displays: it holds no lock."""
    thinking, done = threading.Event(), threading.Event()

    def thinks(view: TableView, ask: AnyAskView) -> None:
        thinking.set()
        assert done.wait(30)

    bench.mind.thinks = thinks
    bench.managers.start()
    assert thinking.wait(30)
    told = threading.Event()

    def tell() -> None:
        bench.session.game.notices.show_notice("Hello.")
        told.set()

    other = threading.Thread(target=tell)
    other.start()
    assert told.wait(30), "the table waited for the manager"
    done.set()
    other.join()
    bench.managers.stop()


def test_a_manager_that_fails_chooses_anything(bench: Bench) -> None:
    """The game goes on, and the health list names the trouble until the next good answer."""

    def fails(view: TableView, ask: AnyAskView) -> None:
        raise ZeroDivisionError

    bench.mind.thinks = fails
    bench.wait(PACE_DELAYS_S["normal"] + 0.1)
    assert ["reliever"] == bench.open()
    assert any("computer manager failed" in words for words in bench.session.game.view_for(None).missing)
    bench.mind.thinks = lambda view, ask: None
    bench.wait(PACE_DELAYS_S["normal"] + 0.1)
    assert not any("computer manager" in words for words in bench.session.game.view_for(None).missing)


def test_a_full_disk_makes_it_try_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(bench.store, "append", full)
        bench.wait(PACE_DELAYS_S["normal"] + 0.1)
        assert ["starter"] == bench.open()
    bench.wait(RETRY_DELAY_S + 0.1)
    assert ["starter"] != bench.open()


def test_a_full_disk_does_not_make_the_table_throw_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an exhibition nobody else throws: it waits a moment, and throws again."""
    bench = Bench(tmp_path, ("away", "home"), "instant")
    while not any(isinstance(ask, Roll) for _, ask in bench.session.game.table.open_asks()):
        assert bench.session.game.table.outcome is None, "no look left dice to throw"
        bench.clock.now += 0.1
        bench.managers.answer_due_asks()
    tries = 0

    def full(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(bench.store, "append", full)
        bench.wait(3 * RETRY_DELAY_S)
        assert 1 <= tries <= 5
    played = len(bench.session.game.table.journal)
    bench.wait(RETRY_DELAY_S + 0.1)
    assert len(bench.session.game.table.journal) > played
    bench.store.close()


def test_of_another_strength_it_thinks_again(bench: Bench) -> None:
    """Taken over and handed to another one before it answered, the question is for that one."""
    bench.wait(1.0)
    bench.session.managed.assign_manager("away", None)
    bench.session.managed.assign_manager("away", "all-star")
    bench.wait(0.1)
    assert 2 == bench.mind.thoughts


def test_taken_over_it_does_not_answer_any_more(bench: Bench) -> None:
    bench.wait(1.0)
    bench.session.managed.assign_manager("away", None)
    bench.wait(20)
    assert ["starter"] == bench.open()
    bench.session.managed.assign_manager("away", "rookie")
    bench.wait(20)
    assert ["guess"] == bench.open()


def test_two_computers_play_a_whole_game(tmp_path: Path) -> None:
    """An exhibition: nobody is there to throw, so the table throws; nothing is left to take back. The managers answer
    moot choices too.
    """
    bench = Bench(tmp_path, ("away", "home"), "brisk", GAMES["small-ball"])
    bench.managers = ComputerManagers(bench.session, Random(3), build_manager)
    for _ in range(2000):
        if bench.session.game.table.outcome:
            break
        bench.wait(1.0)
    assert bench.session.game.table.outcome
    assert {Source.MANAGER} == set(bench.session.game.sources)
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        bench.session.game.undo_answers()
    bench.store.close()


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    """After every answer the program starts again from what is on the disk, as after a power cut."""
    bench = Bench(tmp_path, ("away", "home"), "instant")
    bench.managers = ComputerManagers(bench.session, Random(3), build_manager)
    for kill in range(150):
        bench.wait(30 if bench.session.race.wanted_dice else 0.6)  # a race begins again
        played = len(bench.session.game.table.journal)
        if bench.session.game.table.outcome:
            break
        bench.session = GameSession(bench.store, lambda: Table(NINTH, [house_deck(NINTH)]), show=0, clock=bench.clock)
        bench.managers = ComputerManagers(bench.session, Random(kill), build_manager)
        assert played == len(bench.session.game.table.journal)
    assert bench.session.game.table.outcome or played >= 60
    bench.store.close()


# Racing ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Bench]:
    """A race between a computer that pitches and a person."""
    bench, store = Bench(tmp_path), Store(tmp_path / "race.db")
    bench.session = GameSession(store, lambda: contact(ninth()), show=0, clock=bench.clock)
    bench.session.managed.assign_manager("away", "regular")
    bench.managers = ComputerManagers(bench.session, Random(5), lambda setup, strength: bench.mind)
    yield bench
    bench.store.close()
    store.close()


def run(race: Bench, seconds: float) -> None:
    end = race.clock.now + seconds
    while race.clock.now < end and race.session.race.wanted_dice:
        race.managers.answer_due_asks()
        race.session.tick()
        race.clock.now += 0.05


def test_the_computer_wins_a_race_that_nobody_else_runs(race: Bench) -> None:
    """Its die is shown as it falls, and its call counts without a question to anybody."""
    faces = set()
    while race.session.race.wanted_dice:
        run(race, 0.1)
        if shown := race.session.game.view_for(None).race:
            faces.add(shown.seats["away"].face)
            assert shown.confirm is None
    assert race.clock.now < 200
    last = race.session.game.table.answers[-1]
    assert ("away", "call-out") == (last.ask.seat, last.ask.why)
    assert faces - {None}, "nobody saw its die"


def test_a_person_who_is_quicker_beats_it(race: Bench) -> None:
    """A call half a second into the race, confirmed with a winning face."""
    n = next(ask.n for ask in race.session.game.view_for("home").table.asks if ask.seat == "home")
    run(race, 0.5)
    race.session.race.call_in_race("home", n, race.clock.now, Source.PHONE)
    run(race, 2.0)
    view = race.session.game.view_for(None).race
    if view is not None and view.confirm:
        race.session.seats.answer_ask("home", n, view.seats["home"].wins[0], Source.PHONE)
        run(race, 2.0)
    assert ("home", "call-safe") == (
        race.session.game.table.answers[-1].ask.seat,
        race.session.game.table.answers[-1].ask.why,
    )


def test_nobody_calls_for_the_computer(race: Bench) -> None:
    view = race.session.game.view_for(None).race
    assert view is not None
    with pytest.raises(Exception, match="The other side has to call"):
        race.session.race.call_in_race("away", view.n["away"], race.clock.now, Source.PHONE)
    with pytest.raises((IllegalAnswer, StaleAnswer)):
        race.session.seats.answer_ask("away", view.n["away"], FALSE_CALL, Source.PHONE)


@pytest.mark.parametrize("strength", THROW_TIMES_S)
def test_its_times_are_those_that_are_published(strength: str) -> None:
    """The mean of many races is that of its throws and of its reaction."""
    ask = CallView(1, "away", "call", False, True, "call-out", "", "", DieView.from_die(D6), (5, 6))
    chance, thrown, throws, calls = Random(1), 0.0, 0, 0.0
    for _ in range(2000):
        *steps, (seen, last), (call, none) = plan_race(ask, strength, 0.0, chance)
        rests = [what for _, what in steps if isinstance(what, RestingFace)]
        assert (rests[-1], call, None) == (last, seen, none)
        assert [False] * (len(rests) - 1) + [True] == [rest.face in ask.wins for rest in rests]
        thrown, throws, calls = thrown + rests[-1].since, throws + len(rests), calls + call - rests[-1].since
    assert abs(thrown / throws - THROW_TIMES_S[strength][0]) < 0.02
    assert abs(calls / 2000 - REACTION_TIMES_S[strength][0]) < 0.02
    assert abs(throws / 2000 - 3) < 0.2


def test_after_a_correction_it_runs_the_race_again(race: Bench) -> None:
    """The corrected roll leads to another race, whose calls have the same numbers: it throws for that one too."""
    while (
        race.session.race.wanted_dice
        and (shown := race.session.game.view_for(None).race)
        and shown.seats["away"].face is None
    ):
        run(race, 0.1)
    before, n = race.session.race.wanted_dice, race.session.game.table.answers[-1].n
    race.session.game.correct_roll(n, [2])
    assert race.session.race.wanted_dice
    assert race.session.race.wanted_dice is not before
    run(race, 200)
    assert "call-out" == race.session.game.table.answers[-1].ask.why


def test_a_busy_machine_does_not_spoil_its_race(race: Bench) -> None:
    """If its thread gets no turn for ten seconds, what its die showed counts at the time at which it did."""
    race.managers.answer_due_asks()
    race.clock.now += 30
    race.managers.answer_due_asks()
    run(race, 3.0)
    assert "call-out" == race.session.game.table.answers[-1].ask.why


def test_the_coach_is_asked_once_about_a_question(bench: Bench) -> None:
    """Asked again, it thinks no second time, says the same, and nobody reads it again, until the game goes on."""
    bench.wait(10)
    thoughts = bench.mind.thoughts
    ((n, ask),) = [(n, ask) for n, ask in bench.session.game.table.open_asks() if ask.seat == "home"]
    first = bench.managers.coach_advice("home", n)
    version = bench.session.game.version
    assert [first] * 5 == [bench.managers.coach_advice("home", n) for _ in range(5)]
    assert (thoughts + 1, version) == (bench.mind.thoughts, bench.session.game.version)
    bench.session.managed.assign_manager("away", None)
    with pytest.raises(IllegalAnswer):
        bench.managers.coach_advice("home", n)
    bench.session.managed.assign_manager("away", "regular")
    assert first == bench.managers.coach_advice("home", n)
    assert thoughts + 1 == bench.mind.thoughts
    bench.play(ask.why, first[0].value)
    with pytest.raises(StaleAnswer):
        bench.managers.coach_advice("home", n)


def test_a_coach_who_failed_thinks_again(bench: Bench) -> None:
    """The same question is not told twice."""

    def fails(view: TableView, ask: AnyAskView) -> None:
        raise ZeroDivisionError

    bench.wait(10)
    ((n, _),) = [(n, ask) for n, ask in bench.session.game.table.open_asks() if ask.seat == "home"]
    thinks, bench.mind.thinks = bench.mind.thinks, fails
    with pytest.raises(ZeroDivisionError):
        bench.managers.coach_advice("home", n)
    bench.mind.thinks, version = thinks, bench.session.game.version
    assert bench.managers.coach_advice("home", n)
    assert version == bench.session.game.version


def test_one_thought_at_a_time(bench: Bench) -> None:
    """The managers of a game share what they have worked out: two phones that ask the coach wait for each other."""
    thinking, twice = threading.Semaphore(1), threading.Event()

    def thinks(view: TableView, ask: AnyAskView) -> None:
        if not thinking.acquire(blocking=False):
            twice.set()
            return
        if second.ident is None:
            second.start()
        twice.wait(0.2)  # time for the other to begin, if it may
        thinking.release()

    bench.wait(10)
    ((n, _),) = [(n, ask) for n, ask in bench.session.game.table.open_asks() if ask.seat == "home"]
    second = threading.Thread(target=bench.managers.coach_advice, args=("home", n))
    bench.mind.thinks = thinks
    bench.managers.coach_advice("home", n)
    second.join()
    assert not twice.is_set()
