"""Autoplay: a bot that plays both seats step by step, from what each seat is shown."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from device.inputs.random_player import pick
from device.storage.store import StoreError
from device.table import house_turns
from device.table.race.race import FALSE
from device.table.session import Session
from device.table.throw_match import match_roll
from engine.asks import Call, Reroll, Roll, Thrown
from engine.errors import EngineError
from engine.journal import Source
from engine.seats import Seat
from vision import reading
from vision.reading import KINDS, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from device.table.board import LayoutAsk
    from engine.dice import Die, Face
    from engine.table import Table
    from engine.views import ManagerView

PATIENCE = 6.0  # seconds the bot waits for the camera to read thrown dice or laid Gloves before it types them
REACTION = 0.6  # seconds the bot needs, as people do, to see what its die shows in a race


class Tray(Protocol):
    """The simulated tray, as autoplay uses it: `device.simulator.scene.SimulatedTray`."""

    def throw(self, dice: Sequence[Die]) -> None:
        """Throw these dice."""

    def reroll(self, ask: Reroll, value: Sequence[Face | None]) -> None:
        """Throw the dice of `ask` with a value again, so that they show it."""

    def lying(self) -> tuple[reading.Die, ...] | None:
        """Return the dice at rest, None while they move."""

    def toss(self, die: Die) -> None:
        """Throw one die of a race."""

    def shows(self, die: Die, still: float) -> Face | None:
        """Return the face of a die that has rested for `still` seconds, 0 before, None if it was not thrown."""


class Board(Protocol):
    """The simulated board, as autoplay uses it: `device.simulator.scene.SimulatedBoard`."""

    def lay(self, laying: LayoutAsk, value: Mapping[str, str]) -> None:
        """Lay Gloves on areas."""


class Autoplay:
    """Throws the dice of `tray`, lays Gloves on `board`, confirms what the cameras doubt, and types the rest."""

    def __init__(self, session: Session, random: Random, tray: Tray | None = None, board: Board | None = None) -> None:
        self._session, self._random, self._tray, self._board = session, random, tray, board
        self._thrown, self._since = -1, 0.0
        self._reroll: list[Any] = []
        self._laying: LayoutAsk | None = None
        self._laid: Any = None

    def step(self) -> bool:
        """Do one thing for one seat, if there is something to do now; return True while the game goes on."""
        table = self._session.game.table
        if table.outcome:
            return False
        # Draws belong to chance: no seat may answer one, nor is it shown the options of a secret one.
        draws, managers = house_turns.drawn(table), self._session.game.view(None).managers
        asks = [
            (n, ask)
            for n, ask in table.asks()
            if n not in draws and (ask.seat not in managers or isinstance(ask, Thrown))
        ]
        if not asks:
            return True
        n, ask = self._random.choice(asks)
        # Someone else may have answered in the meantime, or the disk may be full: the next step will see.
        with suppress(EngineError, StoreError):
            if isinstance(ask, Call):
                self._race(n, ask)
            elif self._tray is not None and isinstance(ask, Roll) and KINDS.issuperset(die.kind for die in ask.dice):
                self._roll(n, ask, len(table.journal), self._tray)
            elif self._tray is not None and isinstance(ask, Reroll) and {die.kind for die in ask.dice} == {"d6"}:
                self._throw_again(n, ask, table, self._tray)
            elif self._board is not None and (laying := self._session.board.laying) and laying.n == n:
                self._lay(laying, pick(table.ask_view(n, ask, ask.seat), self._random), self._board)
            elif isinstance(ask, Reroll):
                managed = managers.get(ask.seat)
                if managed is None or managed.again is not None:
                    self._answer(ask.seat, n, self._faces(table, n, ask, managed))
            else:
                self._answer(ask.seat, n, pick(table.ask_view(n, ask, ask.seat), self._random))
        return True

    def _answer(self, seat: Seat, n: int, value: object) -> None:
        self._session.seats.answer(seat, n, value, Source.BOT)

    def _roll(self, n: int, ask: Roll, length: int, tray: Tray) -> None:
        """Throw the dice once; if the camera does not read them, type what they show."""
        view, now = self._session.game.view(None), self._session.game.clock()
        if view.watching.state in ("off", "moving", "hand"):
            return
        shown = view.proposal
        if shown is None and self._thrown != length:
            self._thrown, self._since = length, now
            tray.throw(ask.dice)
        elif (shown is None and now - self._since > PATIENCE) or (shown and not shown.sure):
            # A person at the table would look at the dice and type what they show.
            faces = match_roll(Reading(tray.lying() or (), None, 0.0), ask).faces
            if len(faces) == len(ask.dice):
                self._answer(ask.seat, n, list(faces))

    def _throw_again(self, n: int, ask: Reroll, table: Table, tray: Tray) -> None:
        """Throw some dice again, once; if the camera does not read them, type what they show."""
        view, now, length = self._session.game.view(None), self._session.game.clock(), len(table.journal)
        if view.watching.state in ("off", "moving", "hand"):
            return
        shown = view.proposal
        managed = view.managers.get(ask.seat)
        if managed and managed.again is None:
            return
        if self._thrown != length:
            self._thrown, self._since = length, now
            self._reroll = self._faces(table, n, ask, managed)
            if shown is None:
                tray.reroll(ask, self._reroll)
        elif now - self._since > PATIENCE or (shown and not shown.sure):
            self._answer(ask.seat, n, self._reroll)

    def _faces(self, table: Table, n: int, ask: Reroll, managed: ManagerView | None) -> list[Face | None]:
        """Return what the dice show that are thrown again; the manager of that seat has said which."""
        if managed is None or managed.again is None:
            faces: list[Face | None] = pick(table.ask_view(n, ask, ask.seat), self._random)
            return faces
        return [self._random.choice(die.faces) if i in managed.again else None for i, die in enumerate(ask.dice)]

    def _lay(self, laying: LayoutAsk, value: object, board: Board) -> None:
        """Lay the Gloves once; confirm them if the camera sees them so, else type them after `PATIENCE`."""
        now, shown = self._session.game.clock(), self._session.game.view(None).layout
        if self._laying is not laying:
            self._laying, self._laid, self._since = laying, value, now
            board.lay(laying, self._laid)
        elif (shown and shown.sure and shown.value == self._laid) or now - self._since > PATIENCE:
            self._answer(laying.seat, laying.n, self._laid)

    def _race(self, n: int, ask: Call) -> None:
        """Answer the question about a called die, call a die that wins, or throw it again."""
        race = self._session.game.view(None).race
        if race is None or race.n.get(ask.seat) != n:
            return
        tray, state = self._tray, race.seats[ask.seat].state
        face = self._random.choice(ask.wins) if tray is None else tray.shows(ask.die, REACTION)
        if race.confirm and race.confirm.seat == ask.seat:
            self._answer(ask.seat, n, face or FALSE)
        elif state in ("called", "confirm"):
            return
        elif face in ask.wins and (tray is None or state != "void"):
            self._session.race.call(ask.seat, n, self._session.game.clock(), Source.BOT)
        elif tray is not None and face != 0:
            tray.toss(ask.die)
