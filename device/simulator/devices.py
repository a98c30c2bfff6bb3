"""All devices of the demo: virtual buttons, a drawn tray and a drawn board."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from device.inputs.buttons import MockBoard
from device.inputs.random_player import pick
from device.simulator.scene import SimulatedBoard, SimulatedTray
from device.table.session import Session
from engine.asks import Call, Reroll, Roll, Thrown
from engine.errors import IllegalAnswer

if TYPE_CHECKING:
    from vision.cameras.frames import Source


class SimulatedDevices:
    """The simulated devices of one table, and what the demo page can do with them. `seed` None: different throws each
    time."""

    def __init__(self, pins: Mapping[str, int], seed: int | None = None) -> None:
        self.buttons = MockBoard(pins)
        self.tray, self.ground = SimulatedTray(seed), SimulatedBoard(seed)
        self._random = Random(seed)

    def over_tray(self) -> Source:
        """Return the camera over the tray. Raises CameraError while it is unplugged."""
        from vision.drawn.camera import DrawnCamera

        self.tray.frame(time.monotonic())
        return DrawnCamera(self.tray, fps=20)

    def over_board(self) -> Source:
        """Return the camera over the board."""
        from vision.drawn.camera import DrawnCamera

        return DrawnCamera(self.ground, fps=10)

    def press(self, button: str, action: str) -> None:
        """Move a virtual button: the real gpiozero buttons listen to its mock pin."""
        {"press": self.buttons.down, "hold": self.buttons.down, "release": self.buttons.up}[action](button)

    def simulate(self, what: str, session: Session) -> None:
        """Do what a button on the demo page asks for.

        That is to throw the dice that are asked for, or some of them again; in a race, the dice of both seats or of
        one; to lay the Gloves that are asked for, or put a cup on the board; or to do something else with the tray.
        Raises IllegalAnswer if it is not asked for, and for a kind of die that the demo does not have.
        """
        table = session.table
        dice = {ask.seat: ask.die for _, ask in table.asks() if isinstance(ask, Call)}
        if what in ("lay", "cover"):
            laying = session.laying
            if laying is None:
                raise IllegalAnswer("Nothing is to be laid on the board now.")
            if what == "cover":
                self.ground.cover()
            else:
                ask = dict(table.asks())[laying.n]
                self.ground.lay(laying, pick(table.ask_view(laying.n, ask, ask.seat), self._random))
        elif what == "throw" and not dice:
            match next(((n, ask) for n, ask in table.asks() if isinstance(ask, Thrown)), None):
                case (n, Reroll() as ask):
                    self.tray.reroll(ask, pick(table.ask_view(n, ask, ask.seat), self._random))
                case (_, Roll(dice=wanted)):
                    self.tray.throw(wanted)
                case _:
                    self.tray.throw(())
        elif what.startswith("throw"):
            thrown = [die for seat, die in dice.items() if what in ("throw", f"throw-{seat}")]
            if not thrown:
                raise IllegalAnswer("No race is on: throw the dice that are asked for.")
            for die in thrown:
                self.tray.toss(die)
        else:
            self.tray.do(what, next((ask.dice for _, ask in table.asks() if isinstance(ask, Thrown)), ()))
