"""The button entries of both seats, and which of them the displays show."""

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
    """At most one entry for each seat, on its first open ask. A secret that buttons can give is entered blind."""

    def __init__(self) -> None:
        self.shown: AnswerEntry | SecretEntry | None = None
        """The entry that displays show."""
        self._entries: dict[Seat, AnswerEntry | SecretEntry] = {}

    def settle(self, table: Table, keep: bool = True) -> None:
        """Create and show the entry for the first open ask, after a change.

        With `keep`, a secret entry stays while its ask is open.
        """
        asks = dict(table.asks())
        self._entries = {
            seat: entry
            for seat, entry in self._entries.items()
            if keep and isinstance(entry, SecretEntry) and entry.n in asks
        }
        self.shown = None
        if asks:
            self.lay(table, next(iter(asks.values())).seat)

    def lay(
        self, table: Table, seat: Seat, faces: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()
    ) -> None:
        """Create a seat's entry for its first open ask and show it.

        It starts at `faces` (or pieces), if they are known. `likely` are the other values that each die of a roll may
        show. Calls and draws have no entry, and a secret entry is never replaced.
        """
        ask = next(((n, ask) for n, ask in table.asks() if ask.seat == seat and _turns(ask)), None)
        if ask is None:
            return
        if not isinstance(self._entries.get(seat), SecretEntry):
            self._entries[seat] = _entry_for(table, *ask, faces, likely)
        self.shown = self._entries[seat]

    def put(self, seat: Seat | None, entry: AnswerEntry | None) -> None:
        """Make this the entry of a seat and the only one; None removes all entries."""
        self._entries = {seat: entry} if seat is not None and entry is not None else {}
        self.shown = entry

    def of(self, table: Table, seat: Seat) -> AnswerEntry | SecretEntry:
        """Return a seat's entry. Raises IllegalAnswer if there is nothing to enter."""
        if seat not in self._entries:
            shown = self.shown
            self.lay(table, seat)
            if shown is not None and self.shown is not None and self.shown.secret:
                # Nobody may see who has begun to enter a secret.
                self.shown = shown
        if seat not in self._entries:
            race = any(isinstance(ask, Call) for _, ask in table.asks())
            raise IllegalAnswer("Roll, and press OK to call." if race else "Nothing is asked of you now.")
        return self._entries[seat]

    def blank(self) -> bool:
        """Forget secret entries that were not confirmed. Returns True if there were any."""
        return sum(entry.back() for entry in self._entries.values() if isinstance(entry, SecretEntry)) > 0

    def view(self) -> EntryView | None:
        """Return the entry that displays show, as everybody may see it."""
        return self.shown.view() if self.shown else None


def _turns(ask: Ask) -> bool:
    """True if buttons can answer the ask: it is neither a call nor a draw."""
    return not isinstance(ask.ask if isinstance(ask, Secret) else ask, Call | Draw)


def _entry_for(
    table: Table, n: int, ask: Ask, faces: Sequence[Face | None], likely: Sequence[Sequence[Face]]
) -> AnswerEntry | SecretEntry:
    return blind(n, ask) or entry_for(table.ask_view(n, ask, ask.seat), faces, likely)
