"""Autoplay plays from each seat's view, and races as people do."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from device.inputs.autoplay import PATIENCE, REACTION, Autoplay
from device.storage.store import Store
from device.table import house_turns
from device.table.board import LayoutAsk
from device.table.session import Session
from engine.asks import Choose, Draw, Play, Reroll, Secret, together
from engine.dice import Die
from engine.seats import Seat
from engine.table import Table
from tests.device import gloves_game
from tests.device.stored_games import Clock
from tests.device.throws import thrown
from tests.engine.sample_games import pool_game
from tests.engine.sample_games.duel_game import DUEL, HANDS, State, deck
from tests.vision.tints import die, row
from tests.web.games.bottom_of_the_9th import contact, ninth
from vision.tray.tracker import MOVING, UNSURE, RestingFace, ShownDie


class Tray:
    """A tray in which a thrown die lands a second later with the next of `faces`; a camera sees it if `sees`."""

    def __init__(self, session: Session, clock: Clock, faces: dict[Seat, list[int]], sees: bool = True) -> None:
        self.session, self.clock, self.faces, self.sees = session, clock, faces, sees
        self.fell: dict[Seat, tuple[float, int]] = {}
        self.tosses: list[tuple[Seat, float]] = []

    def toss(self, die: Die) -> None:
        assert die.owner is not None
        self.tosses.append((die.owner, self.clock.now))
        self.fell[die.owner] = self.clock.now + 1, self.faces[die.owner].pop(0)

    def shows(self, die: Die, still: float) -> int | None:
        assert die.owner is not None
        when, face = self.fell.get(die.owner, (0.0, None))
        return face if face is None or self.clock.now >= when + still else 0

    def picture(self) -> None:
        for seat, (when, face) in self.fell.items():
            lies: ShownDie = RestingFace(face, when) if self.sees else UNSURE
            self.session.race.follow(self.clock.now, {seat: MOVING if self.clock.now < when else lies})


@pytest.fixture
def race(store: Store, clock: Clock) -> Session:
    session = Session(store, lambda: contact(ninth()), clock=clock)
    session.race.follow(clock.now, {"home": UNSURE, "away": UNSURE})
    return session


def play(session: Session, clock: Clock, tray: Any = None, pause: float = 0.4) -> None:
    player = Autoplay(session, Random(3), tray)
    for step in range(1, 400):
        clock.now += 0.1
        if tray is not None:
            tray.picture()
        session.tick()
        if session.race.wanted is None:
            return
        if step % round(pause * 10) == 0:
            assert player.step()
    raise AssertionError("The race never ended.")


def test_it_throws_until_it_wins_and_then_calls(race: Session, clock: Clock) -> None:
    """A die is thrown once the last throw is at rest and lost; the first winning one is called in time."""
    tray = Tray(race, clock, {"home": [1, 2, 5], "away": [3, 4, 2, 1, 1, 1, 1]})
    play(race, clock, tray)
    (answer,) = race.game.table.answers[-1:]
    assert ("home", 5) == (answer.ask.seat, answer.value)
    mine = [when for seat, when in tray.tosses if seat == "home"]
    assert len(mine) == 3
    assert min(later - earlier for earlier, later in pairwise(mine)) >= 1 + REACTION


def test_it_confirms_what_the_camera_could_not_see(race: Session, clock: Clock) -> None:
    play(race, clock, Tray(race, clock, {"home": [2] * 20, "away": [1, 6]}, sees=False))
    (answer,) = race.game.table.answers[-1:]
    assert ("away", 6) == (answer.ask.seat, answer.value)


def test_without_a_tray_it_calls_and_confirms(race: Session, clock: Clock) -> None:
    """Without a tray its dice win, and the table asks for a confirmation."""
    play(race, clock)
    assert race.game.table.answers[-1].value in (5, 6)


def test_it_plays_to_the_end(store: Store, clock: Clock) -> None:
    """Secrets, dice, choices and races: a whole game, typed."""
    session = Session(store, ninth, clock=clock)
    player = Autoplay(session, Random(8))
    for _ in range(3000):
        clock.now += 0.1
        session.tick()
        if not player.step():
            break
    assert session.game.table.outcome is not None
    whys = {one.ask.why for one in session.game.table.answers}
    assert {"guess", "pitch-call", "pitch", "swing"} <= whys


def drawing(s: State) -> Play:
    s.step += 1
    yield from together(Secret(Draw("home", "show", HANDS["low"])), Choose("away", "call", ("heads", "tails")))


def test_it_leaves_draws_to_chance(store: Store, clock: Clock) -> None:
    game = replace(DUEL, next_play=lambda s: drawing if s.step < 1 else None)
    session = Session(store, lambda: Table(game, [deck()]), clock=clock)
    player = Autoplay(session, Random(3))
    assert all(player.step() for _ in range(20))
    assert [0] == list(house_turns.drawn(session.game.table)) == [n for n, _ in session.game.table.asks()]


class Felt:
    """A tray in which dice thrown again land a second later as planned; a camera offers them, certain or not."""

    def __init__(self, session: Session, clock: Clock, doubt: str | None, sees: bool = True) -> None:
        self.session, self.clock, self.doubt, self.sees = session, clock, doubt, sees
        self.thrown: list[Any] = []

    def reroll(self, ask: Reroll, value: list[int | None]) -> None:
        self.thrown.append(value)
        if self.sees:
            lay = row(*ask.faces)  # type: ignore[arg-type]
            dice = [
                one if face is None else die(face, x=one.box[0] + 900) for one, face in zip(lay, value, strict=True)
            ]
            self.session.rolls.saw(thrown(tuple(dice), self.clock.now, self.doubt))


@pytest.mark.parametrize(("doubt", "sees"), [(None, True), ("unclear", True), (None, False)])
def test_it_throws_some_dice_again_once(store: Store, clock: Clock, doubt: str | None, sees: bool) -> None:
    """The camera reads them; the bot types what it threw if the camera is in doubt or sees nothing."""
    session = Session(store, lambda: pool_game.new([1, 2, 3, 4, 5, 6], "go"), clock=clock)
    session.rolls.lie(row(1, 2, 3, 4, 5, 6))
    session.rolls._resting.begin()
    session.rolls.watch("settled", "The dice lie still.")
    felt, begun = Felt(session, clock, doubt, sees), clock.now
    player = Autoplay(session, Random(3), felt)  # type: ignore[arg-type]
    while len(session.game.table.answers) < 3:
        clock.now += 0.5
        assert player.step()
        session.tick()
        assert clock.now < begun + 30
    (thrown,) = felt.thrown
    assert tuple(thrown) == session.game.table.answers[-1].value
    assert (clock.now - begun < PATIENCE) == sees


class Lawn:
    """A board whose camera sees, a second later, the Gloves that were laid, or others."""

    def __init__(self, session: Session, clock: Clock, sees: Mapping[str, str] | None = None) -> None:
        self.session, self.clock, self.sees = session, clock, sees
        self.laid: list[Mapping[str, str]] = []
        self.due = 0.0

    def lay(self, laying: LayoutAsk, value: Mapping[str, str]) -> None:
        self.laid.append(value)
        self.due = self.clock.now + 1

    def picture(self) -> None:
        laying = self.session.board.laying
        if laying is not None and self.laid and self.clock.now >= self.due:
            self.session.board.lies(laying, gloves_game.layout(self.laid[-1] if self.sees is None else self.sees))


def laid(store: Store, clock: Clock, sees: Mapping[str, str] | None = None) -> tuple[Lawn, float]:
    """Let the bot lay the Gloves; return the board and how many seconds it took."""
    session = gloves_game.session(store, clock)
    lawn = Lawn(session, clock, sees)
    player, begun = Autoplay(session, Random(3), None, lawn), clock.now
    while session.board.laying is not None:
        clock.now += 0.1
        lawn.picture()
        assert player.step()
        assert clock.now < begun + 30
    assert session.game.table.answers[-1].value == lawn.laid[-1]
    return lawn, clock.now - begun


def test_it_lays_gloves_once_and_confirms_them(store: Store, clock: Clock) -> None:
    """It waits until the camera has seen them, and no longer."""
    lawn, seconds = laid(store, clock)
    assert len(lawn.laid) == 1
    assert 1 <= seconds < PATIENCE


@pytest.mark.parametrize("sees", [{}, gloves_game.WELL])
def test_it_types_gloves_that_are_not_seen_as_laid(store: Store, clock: Clock, sees: Mapping[str, str]) -> None:
    """It never confirms a doubtful or different layout."""
    lawn, seconds = laid(store, clock, sees)
    assert lawn.laid != [sees]
    assert seconds >= PATIENCE
