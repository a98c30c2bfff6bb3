"""The roll that is about to count: what lies in the tray, and what a throw there is offered as for the roll asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from device.table.answer_entry import AnswerEntry
from device.table.proposed_roll import ProposedRoll, SeenThrow, told
from device.table.reroll import again, lies
from engine.asks import Ask, Call, Choose, Reroll, Secret, Thrown
from engine.errors import StaleAnswer
from engine.table import Table
from vision.reading import DOUBTS, KINDS, Die
from vision.tray.at_rest import DiceAtRest


class TrayRoll:
    """The dice that lie there and the roll that is shown, None while none is, which counts after `show` seconds.

    Times are in seconds of one clock, given with each call. Not thread-safe.
    """

    def __init__(self, show: float) -> None:
        self.shown: ProposedRoll | None = None
        self.kinds = frozenset({"d6"})
        """The kinds of dice to look for: those that are asked for, of any seat, or else were last."""
        self._show = show
        self._lying = DiceAtRest()
        self._opened: dict[int, float] = {}
        """When each open ask was first asked."""

    def drop(self) -> None:
        """What dice were thrown for, or a roll shown for, may not be asked any more."""
        self.shown, self._opened = None, {}

    def settle(self, asks: Mapping[int, Ask], now: float) -> None:
        """These are the open asks from here on: a roll that is not among them is shown no more."""
        if any(isinstance(ask, Reroll) and n not in self._opened for n, ask in asks.items()):
            self._lying.begin()
        self._opened = {n: self._opened.get(n, now) for n in asks}
        self.kinds = frozenset(kind for ask in asks.values() for kind in _kinds(ask)) & KINDS or self.kinds
        if self.shown and self.shown.n not in asks:
            self.shown = None

    def see(self, seen: SeenThrow, table: Table | None, now: float) -> str | None:
        """A camera saw a throw; it is shown where it was one for the roll that `table` asks for (None: it was for
        something else). Returns what is to be said of it, if anything.

        Dice that were only touched change the roll that is shown; once it counted they are no throw. That dice are
        taken out matters only while more of them are shown than the roll asks for; what is left is asked about.
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
            if isinstance(ask, Reroll) and lies(ask, self._lying):
                return None  # a die was turned because the rules have it so
            return "The dice were touched, not thrown: throw them."
        if seen.began < self._opened[n]:
            self._lying.begin()
            return "Thrown too early: throw again now."
        fit = again(seen, ask, self._lying) if isinstance(ask, Reroll) else told(seen, ask)
        if fit.doubt is None and seen.touched and (fewer or self.shown is None):
            taken = "A die was taken out: confirm what is left, or throw again."
            fit = fit._replace(doubt="turned", advice=taken if fewer else DOUBTS["turned"])
        # Somebody looks at these dice: they wait for him, also when they were nudged meanwhile.
        held = seen.touched and self.shown is not None and self.shown.held
        due = None if fit.doubt or held else now + self._show
        self.shown = ProposedRoll.of(seen, n, ask.seat, fit, due, self._show, held)
        return None

    def lie(self, dice: Sequence[Die] | None) -> None:
        """These dice lie there that nobody threw; with None nobody knows what lies there now."""
        if dice is None:
            self._lying.forget()
        else:
            self._lying.update(dice)

    def reject(self, n: int | None) -> None:
        """Drop the shown roll, for ask `n` where it is named. Raises StaleAnswer."""
        if self.shown is None or n not in (None, self.shown.n):
            raise StaleAnswer("That roll is not shown any more.")
        self.shown = None

    def hold(self, n: int) -> None:
        """Let the roll that is shown for ask `n` wait for a person. Raises StaleAnswer."""
        if self.shown is None or n != self.shown.n:
            raise StaleAnswer("That roll is not shown any more.")
        self.shown = replace(self.shown, due=None, held=True)

    def turn(self, dial: AnswerEntry) -> None:
        """A dial was turned: where it is that of the shown roll, this is what it stands at, and waits."""
        if self.shown and self.shown.n == dial.n:
            faces = tuple(face for face in dial.faces if face is not None)
            self.shown = replace(self.shown, faces=faces, again=dial.again, due=None)

    def due(self, now: float) -> ProposedRoll | None:
        """The shown roll, if it is time that it counts."""
        return self.shown if self.shown and self.shown.due is not None and now >= self.shown.due else None


def _kinds(ask: Ask) -> list[str]:
    """The kinds of the dice that are thrown for an ask, if any are."""
    dice = ask.dice if isinstance(ask, Thrown) else (ask.die,) if isinstance(ask, Call) else ()
    return [die.kind for die in dice]
