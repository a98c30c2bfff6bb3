"""The demo's devices: virtual buttons, and drawn dice and Gloves under drawn cameras, read by the real reader."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from device.inputs.buttons import MockBoard
from device.inputs.random_player import pick
from device.table.board import LayoutAsk
from device.table.session import Session
from engine.asks import Call, Reroll, Roll, Thrown
from engine.dice import Die, Face
from engine.errors import IllegalAnswer
from engine.printed_board import AREAS
from vision import reading
from vision.cameras.frames import Image, Source
from vision.drawn.camera import DrawnCamera
from vision.drawn.paint import COLOURS
from vision.drawn.tokens import DrawnBoard
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.matching import name_kind

HELD = 2.5  # seconds a hand covers the tray when asked to
TURNED = 1.5  # seconds that dice lie as a hand turned them before some of them are thrown again
REACH = 1.2  # seconds a hand is over the board to lay something down
CUP = 40.0, 90.0  # radius and height, in mm, of the cup that may stand on the board

PALE = ("white", "ivory", "yellow", "orange", "pink", "grey")
"""Colours of dice with black pips or numerals; all others have white ones."""

THINGS = ("pick-up", "cock", "stack", "hand", "unplug", "plug")  # what can be done to the tray besides throwing


class SimulatedTray:
    """A drawn tray that a page can throw dice into. Safe to use from any thread. `seed` None: different throws each
    time."""

    def __init__(self, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tray = DrawnTray(seed=seed)
        self._random = Random(seed)
        self._then: tuple[float, list[tuple[Face, Face]]] | None = None

    def throw(self, dice: Sequence[Die]) -> None:
        """Throw these dice, or one if none is named. All dice in the tray are taken out first.

        Raises IllegalAnswer for a kind that is not drawn.
        """
        drawn = [_drawn(die) for die in dice] or [DrawnDie()]
        with self._lock:
            self._then = None
            self._tray.throw(self._clock(), drawn)

    def reroll(self, ask: Reroll, value: Sequence[Face | None]) -> None:
        """Throw dice that show what `ask` expects again, so that they come to show `value`, the answer.

        If other dice lie there, a hand first turns or lays them that way. Into an empty tray all dice are thrown, with
        the same result.
        """
        now = self._clock()
        dice = [(old, new) for old, new in zip(ask.faces, value, strict=True) if new is not None]
        with self._lock:
            self._then = None
            lie = self._tray.truth(now)
            if lie == ():
                self._tray.throw(now, [_drawn(die) for die in ask.dice], ask.after(value))
            elif lie is not None and Counter(die.value for die in lie) == Counter(ask.faces):
                self._tray.reroll(now, dice)
            else:
                self._tray.turn(now, _drawn(ask.dice[0]), ask.faces)
                self._then = now + TURNED, dice

    def toss(self, die: Die) -> None:
        """Throw one die, again if it is in the tray, while the others lie or roll."""
        drawn, value = _drawn(die), self._random.choice(die.faces)
        with self._lock:
            self._tray.toss(self._clock(), drawn, value)

    def do(self, what: str, dice: Sequence[Die] = ()) -> None:
        """Do one of THINGS. To cock or stack throws `dice`, of which one, any of them, comes to lean, or to lie on
        another. Where there are none, a white d6 is thrown, or two to stack; a single die is stacked with another like
        it, for it takes two.

        Raises ValueError for anything else, and IllegalAnswer for a kind that is not drawn.
        """
        now, thrown = self._clock(), [_drawn(die) for die in dice] or [DrawnDie()]
        with self._lock:
            self._then = None
            match what:
                case "pick-up":
                    self._tray.pick_up(now)
                case "cock" | "stack":
                    if what == "stack" and len(thrown) == 1:
                        thrown *= 2
                    self._random.shuffle(thrown)
                    self._tray.throw(now, thrown, last="cocked" if what == "cock" else "stacked")
                case "hand":
                    self._tray.hand(now, HELD)
                case "unplug":
                    self._tray.unplug()
                case "plug":
                    self._tray.plug()
                case _:
                    raise ValueError(f"The demo cannot do {what!r}; it can {', '.join(THINGS)}.")

    def lying(self) -> tuple[reading.Die, ...] | None:
        """Return the dice as they really lie, left to right; None while they move."""
        with self._lock:
            return self._tray.truth(self._clock())

    def truth(self) -> tuple[Face, ...] | None:
        """Return what the dice really show, left to right; None while they move or when nobody could tell."""
        dice = self.lying()
        if dice is None or any(die.value is None for die in dice):
            return None
        return tuple(die.value for die in dice if die.value is not None)

    def frame(self, now: float) -> Image:
        """Return what the camera sees. Raises CameraError while it is unplugged."""
        with self._lock:
            if self._then is not None and now >= self._then[0]:
                self._tray.reroll(now, self._then[1])
                self._then = None
            return self._tray.frame(now)


@dataclass(frozen=True, slots=True)
class _LaidGlove:
    """A Glove on the board: its piece, whether its back is up, its turn in radians, and its offset in mm."""

    piece: int
    back: bool
    turn: float
    off: float


class SimulatedBoard:
    """A drawn board that a page can lay Gloves on. Safe to use from any thread."""

    def __init__(self, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._board = DrawnBoard(seed=seed)
        self._random = Random(seed)
        self._laid: dict[str, _LaidGlove] = {}
        self._begun = -REACH
        self._then: Callable[[], None] | None = None

    def lay(self, laying: LayoutAsk, value: Mapping[str, str]) -> None:
        """Let a hand clear the board and lay these Gloves, area to name, each with its proper side up."""

        def change() -> None:
            self._laid = {}
            for area, name in value.items():
                piece, turn, off = laying.names.index(name), self._random.uniform(-0.4, 0.4), self._random.uniform(0, 4)
                self._laid[area] = _LaidGlove(piece, laying.wanted[piece], turn, off)
            self._draw()

        self._reach(change)

    def cover(self) -> None:
        """Let a hand put a cup over an area, where it stays until Gloves are laid."""
        self._reach(lambda: self._draw(self._random.choice(AREAS)))

    def _draw(self, cup: str | None = None) -> None:
        self._board.clear()
        for area, laid in self._laid.items():
            if area != cup:
                self._board.lay(laid.piece, area, back=laid.back, turn=laid.turn, off=laid.off)
        if cup is not None:
            self._board.cover(cup, *CUP)

    def _reach(self, change: Callable[[], None]) -> None:
        with self._lock:
            self._begun, self._then = self._clock(), change

    def frame(self, now: float) -> Image:
        """Return what the camera sees."""
        with self._lock:
            there = (now - self._begun) / REACH
            if there >= 0.5 and self._then is not None:
                self._then()
                self._then = None
            # The hand comes from below the picture and goes back there.
            self._board.hand = (0.0, 0.1 + 1.2 * abs(there - 0.5)) if 0 <= there < 1 else None
            return self._board.frame()


def _drawn(die: Die) -> DrawnDie:
    """Return a drawn die of this kind and color, or a white one. Raises IllegalAnswer for a kind that is not drawn."""
    if die.kind not in reading.KINDS:
        raise IllegalAnswer(f"The demo has no {name_kind(die.kind)}: enter what it shows.")
    colour = die.colour if die.colour in COLOURS else "white"
    return DrawnDie(colour, kind=die.kind, pips="black" if colour in PALE else "white")


class SimulatedDevices:
    """The simulated devices of one table, and what the demo page can do with them. `seed` None: different throws each
    time."""

    def __init__(self, pins: Mapping[str, int], seed: int | None = None) -> None:
        self.buttons = MockBoard(pins)
        self.tray, self.ground = SimulatedTray(seed), SimulatedBoard(seed)
        self._random = Random(seed)

    def over_tray(self) -> Source:
        """Return the camera over the tray. Raises CameraError while it is unplugged."""
        self.tray.frame(time.monotonic())
        return DrawnCamera(self.tray, fps=20)

    def over_board(self) -> Source:
        """Return the camera over the board."""
        return DrawnCamera(self.ground, fps=10)

    def press(self, button: str, action: str) -> None:
        """Move a virtual button: the real gpiozero buttons listen to its mock pin."""
        {"press": self.buttons.down, "hold": self.buttons.down, "release": self.buttons.up}[action](button)

    def simulate(self, what: str, session: Session) -> None:
        """Do what a button on the demo page asks for.

        That is to throw the dice that are asked for, or some of them again, for a computer those that it chose; in a
        race, the dice of both seats or of one; to lay the Gloves that are asked for, or put a cup on the board; or to
        do something else with the tray.
        Raises IllegalAnswer if it is not asked for, and for a kind of die that the demo does not have.
        """
        table = session.game.table
        dice = {ask.seat: ask.die for _, ask in table.asks() if isinstance(ask, Call)}
        if what in ("lay", "cover"):
            laying = session.board.laying
            if laying is None:
                raise IllegalAnswer("Nothing goes on the board right now.")
            if what == "cover":
                self.ground.cover()
            else:
                ask = dict(table.asks())[laying.n]
                self.ground.lay(laying, pick(table.ask_view(laying.n, ask, ask.seat), self._random))
        elif what == "throw" and not dice:
            match next(((n, ask) for n, ask in table.asks() if isinstance(ask, Thrown)), None):
                case (n, Reroll() as ask):
                    managed = session.game.view(None).managers.get(ask.seat)
                    again = managed.again if managed else None
                    value = (
                        pick(table.ask_view(n, ask, ask.seat), self._random)
                        if again is None
                        else [self._random.choice(die.faces) if i in again else None for i, die in enumerate(ask.dice)]
                    )
                    self.tray.reroll(ask, value)
                case (_, Roll(dice=wanted)):
                    self.tray.throw(wanted)
                case _:
                    self.tray.throw(())
        elif what.startswith("throw"):
            thrown = [die for seat, die in dice.items() if what in ("throw", f"throw-{seat}")]
            if not thrown:
                raise IllegalAnswer("No race is on: roll the dice asked for.")
            for die in thrown:
                self.tray.toss(die)
        else:
            self.tray.do(what, next((ask.dice for _, ask in table.asks() if isinstance(ask, Thrown)), ()))
