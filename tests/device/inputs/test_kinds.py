"""Dice of every kind: those that the camera looks for, and the advice about others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.store import Store
from device.table.live_game import GameChange
from device.table.session import GameSession
from device.table.throw_match import SeenThrow, match_roll
from engine.asks import Roll
from engine.dice import Die
from engine.journal import Source
from tests.device.inputs.scenes import WHITE, Filmed, Knowing, StandIn, shots
from tests.device.stored_games import Clock, duel, proposal, seen
from tests.engine.sample_games import duel_game as rules
from tests.vision import tints
from tests.web.games.bottom_of_the_9th import contact, ninth
from vision.cameras.frames import Image
from vision.reading import READABLE_KINDS, PixelBox, Reading
from vision.synthetic.tray import SyntheticTray

ALL = frozenset({"d6", "d10", "pitch"})
"""Return the kinds of dice in the duel's only roll."""


def test_the_camera_looks_for_the_requested_dice(store: Store, clock: Clock) -> None:
    """Before any roll, d6; then the dice of the latest ask, even after its answer."""
    begun = GameSession(store, rules.new, clock=clock)
    assert frozenset({"d6"}) == begun.rolls.kinds
    session = duel(store, clock)
    assert ALL == session.rolls.kinds
    session.seats.answer_ask("home", 6, [1, 2, "B"], Source.PHONE)
    assert ALL == session.rolls.kinds
    session.game.undo_answers(4)
    assert ALL == session.rolls.kinds


def test_a_kind_the_camera_cannot_read_is_skipped(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several kinds, it looks for the readable ones; if there are none, it keeps those from before."""
    monkeypatch.setattr(rules, "DICE", (Die("d16"), Die("d20")))
    assert frozenset({"d20"}) == duel(store, clock).rolls.kinds
    monkeypatch.setattr(rules, "DICE", (Die("d16"),))
    session = duel(store, clock)
    assert frozenset({"d6"}) == session.rolls.kinds
    clock.now = 103
    session.rolls.handle_throw(seen(4))
    shown = proposal(session)
    assert ("kind", []) == (shown["doubt"], shown["faces"])
    assert "I can't read a d16: enter it." == shown["advice"]


def test_the_camera_looks_for_the_dice_of_a_race(store: Store) -> None:
    """Not for the dice of the ask before the race."""
    rolls = GameSession(store, lambda: contact(ninth())).rolls
    rolls.kinds = ALL
    rolls.handle_change(GameChange((), another=False, new=False))
    assert frozenset({"d6"}) == rolls.kinds


class _Asked:
    """A session that asks for other kinds from its second roll on."""

    wanted_dice = None

    def __init__(self) -> None:
        self.game = self.notices = self.rolls = self.race = self
        self.kinds = frozenset({"d20"})
        self.seen: list[SeenThrow] = []

    def handle_throw(self, seen: SeenThrow) -> None:
        self.seen.append(seen)
        self.kinds = frozenset({"d6", "pitch"})

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def test_each_throw_is_read_for_the_open_ask(tmp_path: Path) -> None:
    """A calibration always uses a d6."""
    scene = SyntheticTray(seed=4)
    source, known, found = Filmed(scene, 320), Knowing(scene), list[frozenset[str]]()

    class Reads(StandIn):
        kinds = READABLE_KINDS

        def read_dice(self, frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> Reading:
            known.now = source.number * source.pace
            found.append(self.kinds)
            return known.read_dice(frame)

    def throw() -> None:
        scene.throw_dice(source.number * source.pace, [WHITE], [5])

    source.acts = {20: throw, 170: throw}
    session = _Asked()
    camera = DiceCamera(session, lambda: source)  # type: ignore[arg-type]
    sight = TrayReader(Reads(), tmp_path, lambda words: None)
    camera._watch_tray(_FrameFeed(source, camera), sight)
    assert 2 == len(session.seen)
    assert [frozenset({"d20"}), frozenset({"d6", "pitch"})] == list(dict.fromkeys(found))
    scene.clear_tray()
    sight.run_calibration_step("empty", "drawn", shots(scene))
    assert frozenset({"d6"}) == found[-1]


def test_a_die_of_another_kind_is_reported() -> None:
    """The advice is to throw the requested dice, or to take the other one away."""
    foreign = replace(tints.die(1, kind="d8"), value=None)
    fit = match_roll(Reading((foreign,), "kind", 0.0), Roll("home", "why", (Die("d8"),)))
    words = "Wrong kind: roll a d8, or enter it."
    assert ((), "kind", words) == (fit.faces, fit.doubt, fit.advice)
    fit = match_roll(Reading((foreign, tints.die(7, kind="d8")), "kind", 0.0), Roll("home", "why", (Die("d8"),)))
    words = "Wrong kind: remove it, or confirm."
    assert ((7,), "kind", words) == (fit.faces, fit.doubt, fit.advice)
    fit = match_roll(Reading((foreign,), "kind", 0.0), Roll("home", "why", (Die(), Die("pitch"))))
    assert "Wrong kind: roll others, or enter it." == fit.advice
