"""The demo throws every kind of die that is asked for; the real reader sees it, and a bot enters it."""

from __future__ import annotations

from random import Random

import pytest

from device.inputs.autoplay import Autoplay
from device.simulator.scene import SimulatedDevices, SimulatedTray
from device.storage.store import Store
from device.table.throw_match import SeenThrow, match_roll
from engine.asks import Roll
from engine.dice import FACES, Die
from engine.errors import IllegalAnswer
from tests.device.stored_games import Clock, duel
from tests.engine.sample_games import duel_game as rules
from vision.reader import Reader
from vision.reading import KINDS

PITCH = Die("d6", "white", "away"), Die("pitch", "white", "away")


@pytest.mark.parametrize(
    "dice", [*((Die(kind, "red"),) for kind in sorted(KINDS)), PITCH], ids=lambda dice: "-".join(d.kind for d in dice)
)
def test_every_kind_is_thrown_and_read(dice: tuple[Die, ...]) -> None:
    """The demo throws the dice asked for, and the real reader sees what they show, each in its place; nothing else
    counts without asking."""
    now, reader, right = 0.0, Reader(), 0
    reader.kinds = frozenset(die.kind for die in dice)
    tray = SimulatedTray(seed=5, clock=lambda: now)
    ask = Roll("away", "why", dice)
    for _ in range(8):
        tray.throw(dice)
        now += 5.0
        reading = reader.read(tray.frame(now))
        fit = match_roll(SeenThrow(reading.dice, 0.0, reading.doubt, reading.advice), ask)
        truth = match_roll(SeenThrow(tray.lying() or (), 0.0), ask).faces
        assert len(dice) == len(truth)
        assert truth == fit.faces or fit.doubt is not None
        assert all(face in FACES[die.kind] for die, face in zip(dice, fit.faces, strict=False))
        right += truth == fit.faces
    assert right >= 6


@pytest.mark.parametrize("what", ["cock", "stack"])
def test_dice_of_the_kind_that_is_asked_for_lie_badly(store: Store, clock: Clock, what: str) -> None:
    """All are like the first die asked for; if none is asked for, white d6."""
    stage = SimulatedDevices({}, seed=3)
    stage.tray._clock = clock
    session = duel(store, clock)
    for dice, kind in (((Die("d20", "blue"),), "d20"), ((), "d6")):
        stage.tray.do(what, dice)
        clock.now += 9
        assert {kind} == {die.kind for die in stage.tray.lying() or ()}
    stage.simulate(what, session)
    clock.now += 9
    assert {("d6", "red")} == {(die.kind, die.colour) for die in stage.tray.lying() or ()}


def test_what_the_demo_does_not_have_is_typed(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal asks a person to type it, and a bot types it."""
    monkeypatch.setattr(rules, "DICE", (Die("d16"),))
    session, stage = duel(store, clock), SimulatedDevices({}, seed=3)
    with pytest.raises(IllegalAnswer, match=r"The demo has no d16: type what it shows\."):
        stage.simulate("throw", session)
    assert Autoplay(session, Random(3), stage.tray).step()
    assert 6 == session.table.answers[-1].n


def test_the_bot_says_what_the_camera_could_not_in_the_order_asked(store: Store, clock: Clock) -> None:
    """However the dice lie, each face is entered by the kind of its die."""
    session = duel(store, clock)
    tray = SimulatedTray(seed=7, clock=clock)
    session.watch("empty", "The tray is empty.")
    player = Autoplay(session, Random(3), tray)
    assert player.step()
    clock.now += 9
    lie = {die.kind: die.value for die in tray.lying() or ()}
    assert player.step()
    assert (lie["d6"], lie["d10"], lie["pitch"]) == session.table.answers[-1].value
