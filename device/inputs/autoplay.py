"""A bot at the table: it plays both seats a step at a time, as people would, from what each is shown."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from device.inputs.random_player import pick
from device.storage.store import StoreError
from device.table import house_turns
from device.table.proposed_roll import SeenThrow, told
from device.table.race import FALSE
from device.table.session import Session
from engine.asks import Call, Reroll, Roll
from engine.errors import EngineError
from engine.seats import Seat
from vision.reading import KINDS

if TYPE_CHECKING:
    from device.simulator.scene import SimulatedBoard, SimulatedTray
    from device.table.board_layout import LayoutAsk
    from engine.table import Table

PATIENCE = 6.0
"""Seconds after dice were thrown or Gloves laid that it waits for the camera before it types what lies there."""

REACTION = 0.6
"""Seconds after which it has seen, as people have, what its die shows in a race."""


class Autoplay:
    """Throws the drawn dice of `tray` and lays Gloves on the drawn `ground`, and confirms what the cameras doubt; with
    None it types dice and Gloves of its own."""

    def __init__(
        self, session: Session, random: Random, tray: SimulatedTray | None = None, ground: SimulatedBoard | None = None
    ) -> None:
        self._session, self._random, self._tray, self._ground = session, random, tray, ground
        self._thrown, self._since = -1, 0.0
        self._again: list[Any] = []
        self._laying: LayoutAsk | None = None
        self._laid: Any = None

    def step(self) -> bool:
        """Do one thing for one seat, if there is one to do now. Returns whether the game goes on."""
        table = self._session.table
        if table.outcome:
            return False
        # Draws belong to chance: no seat may answer one, nor is it shown the options of a secret one.
        draws = house_turns.drawn(table)
        asks = [(n, ask) for n, ask in table.asks() if n not in draws]
        if not asks:
            return True
        n, ask = self._random.choice(asks)
        # Somebody else may have answered meanwhile, or the disk be full: the next step sees.
        with suppress(EngineError, StoreError):
            if isinstance(ask, Call):
                self._race(n, ask)
            elif self._tray is not None and isinstance(ask, Roll) and KINDS.issuperset(die.kind for die in ask.dice):
                self._roll(n, ask, len(table.journal), self._tray)
            elif self._tray is not None and isinstance(ask, Reroll) and {die.kind for die in ask.dice} == {"d6"}:
                self._throw_again(n, ask, table, self._tray)
            elif self._ground is not None and (laying := self._session.laying) and laying.n == n:
                self._lay(laying, pick(table.show(n, ask, ask.seat), self._random), self._ground)
            else:
                self._say(ask.seat, n, pick(table.show(n, ask, ask.seat), self._random))
        return True

    def _say(self, seat: Seat, n: int, value: object) -> None:
        self._session.answer(seat, n, value, "bot")

    def _roll(self, n: int, ask: Roll, length: int, tray: SimulatedTray) -> None:
        """Throw the dice once; the camera reads them, or else the bot types them."""
        view, now = self._session.view(None), self._session.clock()
        if view["watching"]["state"] in ("off", "moving", "hand"):
            return
        shown = view["proposal"]
        if shown is None and self._thrown != length:
            self._thrown, self._since = length, now
            tray.throw(ask.dice)
        elif (shown is None and now - self._since > PATIENCE) or (shown and not shown["sure"]):
            # A person at the table would look at the dice and type what they show.
            faces = told(SeenThrow(tray.lying() or (), now), ask).faces
            if len(faces) == len(ask.dice):
                self._say(ask.seat, n, list(faces))

    def _throw_again(self, n: int, ask: Reroll, table: Table, tray: SimulatedTray) -> None:
        """Throw some dice again, once; the camera reads them, or else the bot types what it threw."""
        view, now, length = self._session.view(None), self._session.clock(), len(table.journal)
        if view["watching"]["state"] in ("off", "moving", "hand"):
            return
        shown = view["proposal"]
        if self._thrown != length:
            self._thrown, self._since = length, now
            self._again = pick(table.show(n, ask, ask.seat), self._random)
            if shown is None:
                tray.again(ask, self._again)
        elif now - self._since > PATIENCE or (shown and not shown["sure"]):
            self._say(ask.seat, n, self._again)

    def _lay(self, laying: LayoutAsk, value: object, ground: SimulatedBoard) -> None:
        """Lay the Gloves once, and confirm them when the camera sees them so, or type them when it does not."""
        now, shown = self._session.clock(), self._session.view(None)["layout"]
        if self._laying is not laying:
            self._laying, self._laid, self._since = laying, value, now
            ground.lay(laying, self._laid)
        elif (shown and shown["sure"] and shown["value"] == self._laid) or now - self._since > PATIENCE:
            self._say(laying.seat, laying.n, self._laid)

    def _race(self, n: int, ask: Call) -> None:
        """Say what is asked, call a die that wins, or throw it again."""
        race = self._session.view(None)["race"]
        if race is None or race["n"].get(ask.seat) != n:
            return
        tray, state = self._tray, race["seats"][ask.seat]["state"]
        face = self._random.choice(ask.wins) if tray is None else tray.shows(ask.die, REACTION)
        if race["confirm"] and race["confirm"]["seat"] == ask.seat:
            self._say(ask.seat, n, face or FALSE)
        elif state in ("called", "confirm"):
            return
        elif face in ask.wins and (tray is None or state != "void"):
            self._session.call(ask.seat, n, self._session.clock(), "bot")
        elif tray is not None and face != 0:
            tray.toss(ask.die)
