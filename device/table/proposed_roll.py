"""The proposed roll: what lies in the tray, and the roll that people see before it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from device.table.entry.answer_entry import AnswerEntry, spoken
from device.table.throw_match import Guess, RollMatch, SeenThrow, lay_as_asked, match_reroll, match_roll, others
from engine.asks import Ask, Call, Choose, Reroll, Secret, Thrown
from engine.dice import Face
from engine.errors import StaleAnswer
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from engine.views import ProposalView
from vision.reading import DOUBTS, KINDS, Die
from vision.tray.at_rest import DiceAtRest

if TYPE_CHECKING:
    from vision.clips import ThrowClip

FIRST = 2
"""How many other likely values of a die the buttons offer first."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A roll that is shown before it counts. It counts by itself at `due`; if that is None, a person must confirm it.

    In a reroll, `faces` are the faces of all dice and `again` the places of the dice that were thrown again. `advice`
    says what to do about the dice in the tray, `refused` why the roll could not be counted.
    """

    n: int
    seat: Seat
    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    source: Source
    due: float | None
    total: float
    picture: bytes | None
    glimpse: Any = None
    guesses: tuple[Guess, ...] = ()
    held: bool = False
    again: tuple[int, ...] | None = None
    refused: str | None = None
    clip: ThrowClip | None = None

    @classmethod
    def of(
        cls, seen: SeenThrow, n: int, seat: Seat, fit: RollMatch, due: float | None, total: float, held: bool
    ) -> ProposedRoll:
        """Return the proposal for ask `n` of `seat` that a throw makes, given its match with the ask."""
        faces, doubt, advice, guesses, again = fit
        read = (faces, doubt, advice, Source.CAMERA, due, total, seen.picture, seen.glimpse, guesses)
        return cls(n, seat, *read, held, again, clip=seen.clip)

    @property
    def value(self) -> tuple[Face | None, ...]:
        """The answer that the roll gives, as far as it is known."""
        if self.again is None:
            return self.faces
        return tuple(face if place in self.again else None for place, face in enumerate(self.faces))

    @property
    def likely(self) -> list[tuple[Face, ...]]:
        """For each die, the other values that buttons offer first."""
        return [guess.order[:FIRST] for guess in self.guesses]

    def view(self, now: float, ask: Thrown, evidence: str | None, outcome: str = "") -> ProposalView:
        """Return the roll as everybody may see it at `now` seconds; `evidence` will be the name of its picture, and
        `outcome` says what it would do.
        """
        faces = (*self.faces, *[None] * (len(ask.dice) - len(self.faces)))
        return ProposalView(
            n=self.n,
            seat=self.seat,
            faces=self.faces,
            words=spoken(ask.dice, self.faces),
            again=self.again,
            likely=others(ask.dice, faces, self.guesses),
            clear=[guess.clear for guess in self.guesses],
            sure=self.doubt is None,
            doubt=self.doubt,
            advice=self.refused or self.advice,
            source=self.source.value,
            seconds=None if self.due is None else round(max(0.0, self.due - now), 2),
            total=self.total,
            evidence=evidence,
            outcome=outcome,
        )


class TrayRoll:
    """The dice in the tray and the proposed roll, if any, which counts after `show` seconds.

    Times are in seconds of one clock, passed to each method. Not thread-safe.
    """

    def __init__(self, show: float) -> None:
        self.shown: ProposedRoll | None = None
        self.kinds = frozenset({"d6"})
        """The kinds of dice to look for: those of any seat's open asks, or else those of the last."""
        self._show = show
        self._lying = DiceAtRest()
        self._opened: dict[int, float] = {}
        """When each open ask was opened."""

    def drop(self) -> None:
        """Forget the proposed roll and the open asks: the dice may have been thrown for an ask that is gone."""
        self.shown, self._opened = None, {}

    def settle(self, asks: Mapping[int, Ask], now: float) -> None:
        """Take the new open asks, and drop the proposed roll if its ask is not among them."""
        if any(isinstance(ask, Reroll) and n not in self._opened for n, ask in asks.items()):
            self._lying.begin()
        self._opened = {n: self._opened.get(n, now) for n in asks}
        self.kinds = frozenset(kind for ask in asks.values() for kind in _kinds(ask)) & KINDS or self.kinds
        if self.shown and self.shown.n not in asks:
            self.shown = None

    def see(self, seen: SeenThrow, table: Table | None, now: float) -> str | None:
        """Take a throw that a camera saw, and propose it if it fits the roll that `table` asks for (None: it was for
        something else). Returns a notice to show, if any.

        Dice that were only touched change the proposed roll; once it has counted, they are not a throw. Taking dice out
        matters only while the tray holds more dice than the roll needs; then a person must confirm the rest.
        """
        lay = len(self._lying.dice or ())
        self._lying.update(seen.dice, seen.touched)
        if table is None:
            return None
        fewer = seen.touched and len(seen.dice) < lay
        roll = next(((n, ask) for n, ask in table.asks() if isinstance(ask, Thrown)), None)
        if fewer and (self.shown is None or roll is None or lay <= len(roll[1].dice)):
            return None
        if roll is None:
            waiting = next((ask for _, ask in table.asks() if isinstance(ask, Choose | Secret)), None)
            return "Choose first, then throw." if waiting else "No roll is asked for now."
        n, ask = roll
        if seen.touched and self.shown is None and not (isinstance(ask, Reroll) and self._lying.thrown):
            if isinstance(ask, Reroll) and lay_as_asked(ask, self._lying):
                return None  # A player turned a die to match the rules' faces.
            covered = DOUBTS["hand"] if seen.doubt == "hand" else None
            return covered or "The dice were touched, not thrown: throw them."
        if seen.began < self._opened[n]:
            self._lying.begin()
            return "Thrown too early: throw again now."
        fit = match_reroll(seen, ask, self._lying) if isinstance(ask, Reroll) else match_roll(seen, ask)
        if fit.doubt is None and seen.touched and (fewer or self.shown is None):
            taken = "A die was taken out: confirm what is left, or throw again."
            fit = fit._replace(doubt="turned", advice=taken if fewer else DOUBTS["turned"])
        # A person is looking at these dice: they wait for that person even if they were nudged meanwhile.
        held = seen.touched and self.shown is not None and self.shown.held
        due = None if fit.doubt or held else now + self._show
        self.shown = ProposedRoll.of(seen, n, ask.seat, fit, due, self._show, held)
        return None

    def lie(self, dice: Sequence[Die] | None) -> None:
        """Note dice that nobody threw; None: it is unknown what lies in the tray."""
        if dice is None:
            self._lying.forget()
        else:
            self._lying.update(dice)

    def pick_up(self) -> bool:
        """Drop the advice on the dice of the proposed roll: the tray is empty. The roll can still be confirmed or
        corrected. Returns True if there was any."""
        advised = self.shown is not None and self.shown.advice is not None
        if self.shown is not None and advised:
            self.shown = replace(self.shown, advice=None)
        return advised

    def reject(self, n: int | None) -> None:
        """Drop the proposed roll; `n`, if given, names its ask. Raises StaleAnswer."""
        if self.shown is None or n not in (None, self.shown.n):
            raise StaleAnswer("That roll is not shown any more.")
        self.shown = None

    def hold(self, n: int) -> bool:
        """Make the roll proposed for ask `n` wait for a person; return False if it does already. Raises StaleAnswer."""
        if self.shown is None or n != self.shown.n:
            raise StaleAnswer("That roll is not shown any more.")
        if self.shown.held and self.shown.due is None:
            return False
        self.shown = replace(self.shown, due=None, held=True)
        return True

    def turn(self, entry: AnswerEntry) -> None:
        """Follow a seat's entry: if it is for the proposed roll, the roll takes its faces and waits."""
        if self.shown and self.shown.n == entry.n:
            faces = tuple(face for face in entry.faces if face is not None)
            self.shown = replace(self.shown, faces=faces, again=entry.again, due=None)

    def due(self, now: float) -> ProposedRoll | None:
        """Return the proposed roll if it is time to count it."""
        return self.shown if self.shown and self.shown.due is not None and now >= self.shown.due else None


def _kinds(ask: Ask) -> list[str]:
    """Return the kinds of the dice that are thrown for an ask; empty if none are."""
    dice = ask.dice if isinstance(ask, Thrown) else (ask.die,) if isinstance(ask, Call) else ()
    return [die.kind for die in dice]
