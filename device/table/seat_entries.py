"""The dials of both seats, and the one that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from device.table.answer_entry import AnswerEntry, entry_for
from device.table.secret_entry import SecretEntry, blind
from engine.asks import Ask, Call, Draw, Secret
from engine.dice import Face
from engine.errors import IllegalAnswer
from engine.seats import Seat
from engine.table import Table
from engine.views import EntryView


class SeatEntries:
    """At most one dial for each seat, on its first open ask; a secret that buttons can give is entered blind."""

    def __init__(self) -> None:
        self.shown: AnswerEntry | SecretEntry | None = None
        """The dial that faces show."""
        self._dials: dict[Seat, AnswerEntry | SecretEntry] = {}

    def settle(self, table: Table, keep: bool = True) -> None:
        """After a change: the first open ask's dial is laid anew and shown.

        With `keep`, what a seat has entered blindly stays while its ask is open.
        """
        asks = dict(table.asks())
        self._dials = {
            seat: dial
            for seat, dial in self._dials.items()
            if keep and isinstance(dial, SecretEntry) and dial.n in asks
        }
        self.shown = None
        if asks:
            self.lay(table, next(iter(asks.values())).seat)

    def lay(
        self, table: Table, seat: Seat, faces: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()
    ) -> None:
        """Lay a seat's dial on its first open ask, and on `faces` or pieces where they are known, and show it.

        `likely` is what else each die of a roll may show.
        A call and a draw have none, and nothing is laid over what is entered blindly.
        """
        ask = next(((n, ask) for n, ask in table.asks() if ask.seat == seat and _turns(ask)), None)
        if ask is None:
            return
        if not isinstance(self._dials.get(seat), SecretEntry):
            self._dials[seat] = _dial(table, *ask, faces, likely)
        self.shown = self._dials[seat]

    def put(self, seat: Seat | None, dial: AnswerEntry | None) -> None:
        """Have this dial for a seat, and no other; None for none at all."""
        self._dials = {seat: dial} if seat is not None and dial is not None else {}
        self.shown = dial

    def of(self, table: Table, seat: Seat) -> AnswerEntry | SecretEntry:
        """A seat's dial. Raises IllegalAnswer when there is nothing for it to turn to."""
        if seat not in self._dials:
            shown = self.shown
            self.lay(table, seat)
            if shown is not None and self.shown is not None and self.shown.secret:
                # Who began to enter a secret, nobody sees.
                self.shown = shown
        if seat not in self._dials:
            race = any(isinstance(ask, Call) for _, ask in table.asks())
            raise IllegalAnswer("Roll, and press OK to call." if race else "Nothing is asked of you now.")
        return self._dials[seat]

    def blank(self) -> bool:
        """Forget what was entered blindly and not confirmed. Returns whether anything was."""
        return sum(dial.back() for dial in self._dials.values() if isinstance(dial, SecretEntry)) > 0

    def view(self) -> EntryView | None:
        """Return the entry that displays show, as everybody may see it."""
        return self.shown.view() if self.shown else None


def _turns(ask: Ask) -> bool:
    """Whether buttons turn to an answer of it: neither a call nor what chance decides."""
    return not isinstance(ask.ask if isinstance(ask, Secret) else ask, Call | Draw)


def _dial(
    table: Table, n: int, ask: Ask, faces: Sequence[Face | None], likely: Sequence[Sequence[Face]]
) -> AnswerEntry | SecretEntry:
    return blind(n, ask) or entry_for(table.ask_view(n, ask, ask.seat), faces, likely)
