"""A game of many dice under a drawn camera: dice are thrown, turned by tokens, picked up and thrown again."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from engine.views import json_data
from tests.device.inputs.scenes import WHITE, Filmed, Knowing, StandIn
from tests.engine.sample_games import pool_game
from vision.cameras.frames import Frame, Image
from vision.reader import Reader
from vision.reading import PixelBox, Reading
from vision.synthetic.tray import SyntheticTray

pytestmark = pytest.mark.slow

ROLL = [1, 2, 3, 3, 5, 6]


class Film(Filmed):
    """A drawn tray that calls `each` before every frame."""

    each: Callable[[], None] = staticmethod(lambda: None)

    def read_frame(self) -> Frame | None:
        self.each()
        return super().read_frame()


class Evening:
    """A table under a drawn camera: `acts` run at their seconds, and `said` records each proposal that was shown."""

    def __init__(self, store: Store, reader: Any = None, seed: int = 4) -> None:
        self.scene = SyntheticTray(seed=seed)
        self.film = Film(self.scene)
        self.session = GameSession(store, pool_game.new, clock=lambda: self.now)
        self.said: list[tuple[list[int], list[int] | None, str | None]] = []
        self.notices: list[str] = []
        self._reader = reader

    @property
    def now(self) -> float:
        return self.film.number * self.film.pace

    def throw(self, *values: int) -> None:
        self.scene.throw_dice(self.now, [WHITE] * len(values), values)

    def answer(self, value: object) -> None:
        ((n, ask),) = self.session.game.table.open_asks()
        self.session.seats.answer_ask(ask.seat, n, value, Source.PHONE)

    def look(self) -> None:
        """Record what the table shows, ten times a second or more."""
        self.session.tick()
        view = json_data(self.session.game.view_for(None))
        shown = view["proposal"]
        if shown:
            one = (shown["faces"], shown["again"], shown["doubt"])
            if one not in self.said[-1:]:
                self.said.append(one)
        if view["notice"] and view["notice"] not in self.notices[-1:]:
            self.notices.append(view["notice"])

    def play(self, seconds: float, acts: dict[float, Callable[[], object]]) -> None:
        film, known = self.film, Knowing(self.scene)
        film.last = round(seconds / film.pace)
        todo = {round(when / film.pace): act for when, act in acts.items()}

        def each() -> None:
            self.look()
            todo.get(film.number, lambda: None)()

        film.each = each

        def read(frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> Reading:
            known.now = film.number * film.pace
            reading: Reading = (self._reader or known).read_dice(frame)
            return reading

        camera = DiceCamera(self.session, lambda: film)
        sight = TrayReader(type("Reads", (StandIn,), {"read_dice": staticmethod(read)})(), None, lambda words: None)
        camera._view = sight
        camera._watch_tray(_FrameFeed(film, camera), sight)

    @property
    def answers(self) -> list[Any]:
        return [one.value for one in self.session.game.table.answers]


@pytest.fixture
def evening(store: Store) -> Evening:
    return Evening(store)


def test_dice_picked_up_by_a_hand_and_thrown_again(evening: Evening) -> None:
    """Two of six are thrown, under a hand, while the others lie still: only those two count."""
    scene = evening.scene

    def take() -> None:
        scene.show_hand(evening.now, 0.9)
        for thing in scene._things:
            if thing.face_value in (1, 5):
                thing.gone = evening.now + 0.45

    def back() -> None:
        scene._throw_apart(evening.now, WHITE, 4)
        scene._throw_apart(evening.now, WHITE, 5)

    evening.play(14, {1: lambda: evening.throw(*ROLL), 5: lambda: evening.answer("go"), 6: take, 8: back})
    assert [tuple(ROLL), "go"] == [tuple(sorted(evening.answers[0])), evening.answers[1]]
    first = evening.answers[0]
    (again,) = evening.answers[2:]
    assert {first.index(1), first.index(5)} == {place for place, face in enumerate(again) if face is not None}
    assert [4, 5] == sorted(face for face in again if face is not None)
    assert ([None, None], []) == ([doubt for _, _, doubt in evening.said], evening.notices)


def test_dice_thrown_again_before_the_camera_saw_them_gone(evening: Evening) -> None:
    """Picked up and thrown in one motion: dice that moved or changed were thrown."""
    evening.play(
        10,
        {
            1: lambda: evening.throw(*ROLL),
            5: lambda: evening.answer("go"),
            6: lambda: evening.scene.reroll_dice(evening.now, [(3, 2), (2, 2)]),
        },
    )
    assert [2, 2] == sorted(face for face in evening.answers[2] if face is not None)
    assert [None, None] == [doubt for _, _, doubt in evening.said]


def test_all_dice_thrown_again_after_the_tray_was_empty(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """They land with the same values at the same places, as old dice put back would: so the table asks."""
    monkeypatch.setattr(pool_game, "FREE", tuple(range(6)))
    monkeypatch.setattr(pool_game, "MOST", 6)
    scene = evening.scene
    first: list[Any] = []

    def take() -> None:
        first.extend(scene._things)
        scene.pick_up_dice(evening.now)

    def same() -> None:
        scene._things = [replace(thing, start=evening.now, gone=inf) for thing in first]

    evening.play(14, {1: lambda: evening.throw(*ROLL), 5: lambda: evening.answer("go"), 6: take, 8: same})
    assert "still" == evening.said[-1][2]
    evening.session.rolls.accept_roll()
    assert sorted(ROLL) == sorted(evening.answers[2])


def test_dice_moved_aside_by_a_hand_were_not_thrown(evening: Evening) -> None:
    """Only those that were thrown count."""
    scene = evening.scene

    def aside() -> None:
        threes = [thing for thing in scene._things if thing.face_value == 3]
        scene._things = [thing for thing in scene._things if thing.face_value != 3]
        for _ in threes:
            scene.place_die(evening.now, WHITE, 3, *scene._freest_place(evening.now, WHITE))

    evening.play(
        14,
        {
            1: lambda: evening.throw(*ROLL),
            5: lambda: evening.answer("go"),
            6: lambda: scene.show_hand(evening.now, 1.0),
            6.4: aside,
            9: lambda: scene.reroll_dice(evening.now, [(1, 2)]),
        },
    )
    assert [2] == [face for face in evening.answers[2] if face is not None]


def test_a_token_turns_a_die_between_two_throws(evening: Evening) -> None:
    """Dice turned under a hand to match the rules are not a throw; the next throw is compared with them."""
    scene = evening.scene
    turned: list[Any] = []

    def up() -> None:
        evening.answer("up")
        turned.extend(evening.session.game.table.scoreboard().dice)

    evening.play(
        16,
        {
            1: lambda: evening.throw(*ROLL),
            5: up,
            6: lambda: scene.show_hand(evening.now, 1.0),
            6.4: lambda: scene.turn_dice(evening.now, WHITE, turned),
            9: lambda: scene.reroll_dice(evening.now, [(turned[1], 6)]),
        },
    )
    assert 3 == len(evening.answers)
    assert 1 == sum(face is not None for face in evening.answers[2])
    assert ([None, None], []) == ([doubt for _, _, doubt in evening.said], evening.notices)


def test_a_token_that_was_not_applied_to_the_dice(evening: Evening) -> None:
    """The camera notices the difference: the table asks, and nothing counts by itself."""
    evening.play(
        12,
        {
            1: lambda: evening.throw(*ROLL),
            5: lambda: evening.answer("up"),
            7: lambda: evening.scene.reroll_dice(evening.now, [(5, 2)]),
        },
    )
    assert 2 == len(evening.answers)
    assert "unlike" == evening.said[-1][2]


def test_the_next_roll_needs_fresh_dice(evening: Evening) -> None:
    """Old dice are not read for it, however often a hand passes over; twelve thrown dice are."""
    evening.play(
        16,
        {
            1: lambda: evening.throw(*ROLL),
            5: lambda: evening.answer("go"),
            6: lambda: evening.scene.reroll_dice(evening.now, [(5, 2)]),
            9.5: lambda: evening.scene.show_hand(evening.now, 1.0),
            12: lambda: evening.throw(*ROLL, *ROLL),
        },
    )
    assert sorted([*ROLL, *ROLL]) == sorted(evening.answers[3])
    assert [None] * 3 == [doubt for _, _, doubt in evening.said]


def test_twelve_dice_are_read_at_once(store: Store) -> None:
    evening = Evening(store, Reader(frozenset({"d6"})), seed=2)
    evening.session.game.begin_game(pool_game.new(ROLL, "go", [1, None, None, None, None, None]))
    evening.play(6, {1: lambda: evening.throw(*ROLL, *ROLL)})
    assert sorted([*ROLL, *ROLL]) == sorted(evening.answers[3])
    assert [None] == [doubt for _, _, doubt in evening.said]
