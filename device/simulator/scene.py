"""The demo's devices: virtual buttons, and synthetic dice and Gloves that the real reader reads."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from device.inputs.buttons import MockButtons
from device.inputs.random_player import pick_answer
from device.table.board import LayoutAsk
from device.table.session import GameSession
from engine.asks import Call, DiceAsk, Reroll, Roll
from engine.dice import Die, Face
from engine.errors import IllegalAnswer
from engine.printed_board import BOARD_AREAS
from vision import reading
from vision.cameras.frames import FrameSource, Image
from vision.matching import kind_name
from vision.synthetic.camera import SyntheticCamera
from vision.synthetic.paint import COLORS_BGR
from vision.synthetic.tokens import SyntheticBoard
from vision.synthetic.tray import SyntheticDie, SyntheticTray

HAND_COVER_S = 2.5  # seconds for which a hand covers the tray
TURNED_DICE_S = 1.5  # seconds from a hand's turning of the dice to the reroll
HAND_REACH_S = 1.2  # seconds for which a hand is over the board
CUP_SIZE_MM = 40.0, 90.0  # radius and height of the cup on the board, in mm

PALE_COLORS = ("white", "ivory", "yellow", "orange", "pink", "grey")
"""Colors of dice with black pips or numerals. All others have white ones."""

TRAY_ACTIONS = ("pick-up", "cock", "stack", "hand", "unplug", "plug")  # actions on the tray besides throwing


class SimulatedTray:
    """A synthetic tray that a page can throw dice into. Safe to use from any thread. `seed` None: varying throws."""

    def __init__(self, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tray = SyntheticTray(seed=seed)
        self._random = Random(seed)
        self._pending_reroll: tuple[float, list[tuple[Face, Face]]] | None = None

    def throw_dice(self, dice: Sequence[Die]) -> None:
        """Clear the tray and throw these dice, or one d6 if empty. Raises IllegalAnswer for an unsupported kind."""
        drawn = [_synthetic_die(die) for die in dice] or [SyntheticDie()]
        with self._lock:
            self._pending_reroll = None
            self._tray.throw_dice(self._clock(), drawn)

    def reroll_dice(self, ask: Reroll, value: Sequence[Face | None]) -> None:
        """Reroll dice that show the faces of `ask`, so that they come to show the answer `value`.

        If other dice are in the tray, a hand first turns them to those faces. Into an empty tray all dice are thrown,
        with the same result.
        """
        now = self._clock()
        dice = [(old, new) for old, new in zip(ask.faces, value, strict=True) if new is not None]
        with self._lock:
            self._pending_reroll = None
            lie = self._tray.ground_truth(now)
            if lie == ():
                self._tray.throw_dice(now, [_synthetic_die(die) for die in ask.dice], ask.faces_after(value))
            elif lie is not None and Counter(die.value for die in lie) == Counter(ask.faces):
                self._tray.reroll_dice(now, dice)
            else:
                self._tray.turn_dice(now, _synthetic_die(ask.dice[0]), ask.faces)
                self._pending_reroll = now + TURNED_DICE_S, dice

    def throw_die(self, die: Die) -> None:
        """Throw one die, again if it is in the tray, while the others rest or roll."""
        drawn, value = _synthetic_die(die), self._random.choice(die.faces)
        with self._lock:
            self._tray.throw_die(self._clock(), drawn, value)

    def perform_action(self, what: str, dice: Sequence[Die] = ()) -> None:
        """Perform one of `TRAY_ACTIONS`.

        "cock" and "stack" throw `dice`, of which a random one leans or comes to lie on another. Without `dice`, one
        white d6 is cocked or two are stacked. A single die is stacked with another like it. Raises ValueError for an
        unknown action, IllegalAnswer for an unsupported kind.
        """
        now, thrown = self._clock(), [_synthetic_die(die) for die in dice] or [SyntheticDie()]
        with self._lock:
            self._pending_reroll = None
            match what:
                case "pick-up":
                    self._tray.pick_up_dice(now)
                case "cock" | "stack":
                    if what == "stack" and len(thrown) == 1:
                        thrown *= 2
                    self._random.shuffle(thrown)
                    self._tray.throw_dice(now, thrown, last="cocked" if what == "cock" else "stacked")
                case "hand":
                    self._tray.show_hand(now, HAND_COVER_S)
                case "unplug":
                    self._tray.unplug_camera()
                case "plug":
                    self._tray.plug_in_camera()
                case _:
                    raise ValueError(f"The demo cannot do {what!r}; it can {', '.join(TRAY_ACTIONS)}.")

    def resting_dice(self) -> tuple[reading.DieReading, ...] | None:
        """The true dice, left to right, None while they move."""
        with self._lock:
            return self._tray.ground_truth(self._clock())

    def true_faces(self) -> tuple[Face, ...] | None:
        """The true faces, left to right, None while the dice move or one cannot be known."""
        dice = self.resting_dice()
        if dice is None or any(die.value is None for die in dice):
            return None
        return tuple(die.value for die in dice if die.value is not None)

    def render_frame(self, now: float) -> Image:
        """Render the camera's picture. Raises CameraError while it is unplugged."""
        with self._lock:
            if self._pending_reroll is not None and now >= self._pending_reroll[0]:
                self._tray.reroll_dice(now, self._pending_reroll[1])
                self._pending_reroll = None
            return self._tray.render_frame(now)


@dataclass(frozen=True, slots=True)
class _PlacedGlove:
    """A Glove on the board: piece, whether its back is up, rotation in radians, and offset in mm."""

    piece: int
    back: bool
    turn: float
    off: float


class SimulatedBoard:
    """A synthetic board that a page can place Gloves on. Safe to use from any thread."""

    def __init__(self, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._board = SyntheticBoard(seed=seed)
        self._random = Random(seed)
        self._laid: dict[str, _PlacedGlove] = {}
        self._begun = -HAND_REACH_S
        self._pending_change: Callable[[], None] | None = None

    def place_gloves(self, laying: LayoutAsk, value: Mapping[str, str]) -> None:
        """Let a hand clear the board and place these Gloves, area to name, each with its proper side up."""

        def replace_gloves() -> None:
            self._laid = {}
            for area, name in value.items():
                piece, turn, off = laying.names.index(name), self._random.uniform(-0.4, 0.4), self._random.uniform(0, 4)
                self._laid[area] = _PlacedGlove(piece, laying.wanted[piece], turn, off)
            self._draw_board()

        self._schedule_change(replace_gloves)

    def cover_area(self) -> None:
        """Let a hand put a cup over an area, until Gloves are placed."""
        self._schedule_change(lambda: self._draw_board(self._random.choice(BOARD_AREAS)))

    def _draw_board(self, cup: str | None = None) -> None:
        self._board.clear_board()
        for area, laid in self._laid.items():
            if area != cup:
                self._board.place_token(laid.piece, area, back=laid.back, turn=laid.turn, off=laid.off)
        if cup is not None:
            self._board.place_cover(cup, *CUP_SIZE_MM)

    def _schedule_change(self, change: Callable[[], None]) -> None:
        with self._lock:
            self._begun, self._pending_change = self._clock(), change

    def render_frame(self, now: float) -> Image:
        with self._lock:
            there = (now - self._begun) / HAND_REACH_S
            if there >= 0.5 and self._pending_change is not None:
                self._pending_change()
                self._pending_change = None
            # The hand comes from below the picture and goes back there.
            self._board.hand = (0.0, 0.1 + 1.2 * abs(there - 0.5)) if 0 <= there < 1 else None
            return self._board.render_frame()


def _synthetic_die(die: Die) -> SyntheticDie:
    """Build a synthetic die of this kind and color, white by default. Raises IllegalAnswer for an unsupported kind."""
    if die.kind not in reading.READABLE_KINDS:
        raise IllegalAnswer(f"The demo has no {kind_name(die.kind)}: enter what it shows.")
    colour = die.colour if die.colour in COLORS_BGR else "white"
    return SyntheticDie(colour, kind=die.kind, pips="black" if colour in PALE_COLORS else "white")


class SimulatedDevices:
    """The simulated devices of one table, and the actions of the demo page. `seed` None: varying throws."""

    def __init__(self, pins: Mapping[str, int], seed: int | None = None) -> None:
        self.buttons = MockButtons(pins)
        self.tray, self.ground = SimulatedTray(seed), SimulatedBoard(seed)
        self._random = Random(seed)

    def open_tray_camera(self) -> FrameSource:
        """Open the camera over the tray. Raises CameraError while it is unplugged."""
        self.tray.render_frame(time.monotonic())
        return SyntheticCamera(self.tray, fps=20)

    def open_board_camera(self) -> FrameSource:
        return SyntheticCamera(self.ground, fps=10)

    def move_button(self, button: str, action: str) -> None:
        """Move a virtual button, whose mock pin the real gpiozero buttons read."""
        {"press": self.buttons.push_button, "hold": self.buttons.push_button, "release": self.buttons.release_button}[
            action
        ](button)

    def simulate_action(self, what: str, session: GameSession) -> None:
        """Perform the action of a button on the demo page.

        "throw" throws or rerolls the dice of the open ask. For a computer it rerolls those that the computer chose.
        In a race it throws the dice of both seats, "throw-home" and "throw-away" those of one. "lay" places the
        requested Gloves, and "cover" puts a cup on the board. The others are `TRAY_ACTIONS`. Raises IllegalAnswer if
        nothing asks for the action, and for a kind of die that the demo lacks.
        """
        table = session.game.table
        dice = {ask.seat: ask.die for _, ask in table.open_asks() if isinstance(ask, Call)}
        if what in ("lay", "cover"):
            laying = session.board.laying
            if laying is None:
                raise IllegalAnswer("Nothing goes on the board right now.")
            if what == "cover":
                self.ground.cover_area()
            else:
                ask = dict(table.open_asks())[laying.n]
                self.ground.place_gloves(laying, pick_answer(table.ask_view(laying.n, ask, ask.seat), self._random))
        elif what == "throw" and not dice:
            match next(((n, ask) for n, ask in table.open_asks() if isinstance(ask, DiceAsk)), None):
                case (n, Reroll() as ask):
                    managed = session.game.view_for(None).managers.get(ask.seat)
                    again = managed.again if managed else None
                    value = (
                        pick_answer(table.ask_view(n, ask, ask.seat), self._random)
                        if again is None
                        else [self._random.choice(die.faces) if i in again else None for i, die in enumerate(ask.dice)]
                    )
                    self.tray.reroll_dice(ask, value)
                case (_, Roll(dice=wanted)):
                    self.tray.throw_dice(wanted)
                case _:
                    self.tray.throw_dice(())
        elif what.startswith("throw"):
            thrown = [die for seat, die in dice.items() if what in ("throw", f"throw-{seat}")]
            if not thrown:
                raise IllegalAnswer("No race is on: roll the dice asked for.")
            for die in thrown:
                self.tray.throw_die(die)
        else:
            self.tray.perform_action(
                what, next((ask.dice for _, ask in table.open_asks() if isinstance(ask, DiceAsk)), ())
            )
