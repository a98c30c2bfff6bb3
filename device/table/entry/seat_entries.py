"""The button entries of both seats, and which one the displays show. Entering a secret changes no display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from device.table.entry.answer_entry import AnswerEntry, RerollEntry, build_entry
from engine.ask_views import RerollView
from engine.asks import Ask, Call, Choose, DiceAsk, Draw, Reroll, Secret
from engine.dice import Face
from engine.errors import IllegalAnswer
from engine.events import spoken_list
from engine.game import Rulebook
from engine.seats import Seat
from engine.table import Table
from engine.views import ButtonEntryView, SecretButtonEntryView

PREVIOUS_INCREMENT = 5
""""Previous" adds this to a number, "next" adds one."""


class SecretEntry:
    """The presses of one seat for secret ask `n`, until OK. Not checked: whether the answer is an option."""

    secret = True
    how = ""
    """The presses to use, in a few words."""
    brief = ""
    """The same in a word or two, or ""."""
    again = "choose again, "
    """Start of a rejection, before `how`."""

    def __init__(self, n: int, seat: Seat) -> None:
        self.n, self.seat = n, seat
        self._pressed: list[int] = []

    def entry_view(self) -> ButtonEntryView:
        """Public view: that there is an entry, and the presses to use."""
        return SecretButtonEntryView(self.seat, self.n, "secret", None, None, False, self.how, self.brief)

    def press_next(self) -> None:
        self._pressed.append(1)

    def press_previous(self) -> None:
        self._pressed.append(0)

    def press_ok(self) -> str | None:
        """Return the answer, or None if the presses do not make one. Either way the entry restarts."""
        pressed, self._pressed = self._pressed, []
        return self._answer_from_presses(pressed)

    def undo_step(self) -> bool:
        """Clear the presses. Returns True if there were any."""
        pressed, self._pressed = self._pressed, []
        return bool(pressed)

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        raise NotImplementedError


class PartsEntry(SecretEntry):
    """A choice of several parts. For each, "previous" chooses its first word and "next" its second.

    `parts` has the two words of each part, in order. The answer joins one word of each by "-". A press after the last
    part restarts with the first.
    """

    def __init__(self, n: int, seat: Seat, parts: Sequence[Sequence[str]]) -> None:
        super().__init__(n, seat)
        self._parts = parts
        self.how = ", then ".join([*(f"< {first} or > {second}" for first, second in parts), "OK"])

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        begun = (len(pressed) - 1) // len(self._parts) * len(self._parts)
        last = pressed[begun:] if pressed else ()
        if len(last) < len(self._parts):
            return None
        return "-".join(part[word] for part, word in zip(self._parts, last, strict=True))


class NumberEntry(SecretEntry):
    """A choice among many numbered options. "Previous" adds five, "next" adds one."""

    how = "card number (< +5, > +1), then OK"
    again = "no such card to play now. Enter a "

    def __init__(self, n: int, seat: Seat, numbers: Mapping[str, int]) -> None:
        super().__init__(n, seat)
        self._options = {number: option for option, number in numbers.items()}

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return self._options.get(sum(1 if step else PREVIOUS_INCREMENT for step in pressed))


class PassEntry(SecretEntry):
    """A choice with an answer that changes nothing. OK alone gives it, and no other can be entered in secret."""

    def __init__(self, n: int, seat: Seat, answer: str, words: tuple[str, str]) -> None:
        super().__init__(n, seat)
        self._quiet_answer = answer
        self.how, self.brief = words

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return None if pressed else self._quiet_answer


class PhoneOnlyEntry(SecretEntry):
    """A choice of a card that a player can see only on a phone."""

    how = "take your seat on a phone, pick a card"
    brief = "use a phone"
    again = ""

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return None


def build_secret_entry(game: Rulebook, n: int, ask: Ask) -> SecretEntry | None:
    """Build the secret entry for ask `n`, or return None for any other ask or one with a normal entry.

    The type follows from the `parts` or `numbers` in its facts, from a quiet answer of the game, or from `on_phones`.
    """
    if not isinstance(ask, Secret) or not isinstance(ask.ask, Choose):
        return None
    if parts := ask.facts.get("parts"):
        return PartsEntry(n, ask.seat, parts)
    if numbers := ask.facts.get("numbers"):
        return NumberEntry(n, ask.seat, numbers)
    if still := next((one for one in game.quiet if one in ask.ask.options), None):
        return PassEntry(n, ask.seat, still, game.quiet[still])
    return PhoneOnlyEntry(n, ask.seat) if ask.why in game.on_phones else None


class SeatEntries:
    """At most one entry for each seat, on its first open ask. Secrets are entered blind. Not thread-safe."""

    def __init__(self) -> None:
        self.shown: AnswerEntry | SecretEntry | None = None
        """The entry that displays show."""
        self._entries: dict[Seat, AnswerEntry | SecretEntry] = {}
        self._reroll: tuple[int, int, list[int]] | None = None
        """Version of the table, number of the ask, and indexes of the dice that a computer rerolls."""

    def update_entries(self, table: Table, keep: bool = True, managed: Container[Seat] = ()) -> None:
        """Show the entry of the first open ask that people answer. For a seat in `managed`, people only throw the dice.

        With `keep`, secret entries stay while their ask is open.
        """
        asks = dict(table.open_asks())
        self._entries = {
            seat: entry
            for seat, entry in self._entries.items()
            if keep and isinstance(entry, SecretEntry) and entry.n in asks
        }
        self.shown = None
        if ask := next((ask for ask in asks.values() if ask.seat not in managed or isinstance(ask, DiceAsk)), None):
            self.start_entry(table, ask.seat)

    def start_entry(
        self, table: Table, seat: Seat, faces: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()
    ) -> None:
        """Build a seat's entry for its first open ask and show it.

        It starts at `faces` (or pieces) if known. `likely` has the other likely faces of each die. Calls and draws have
        no entry, and a secret entry is never replaced.
        """
        ask = next(((n, ask) for n, ask in table.open_asks() if ask.seat == seat and _is_button_ask(ask)), None)
        if ask is None:
            return
        if not isinstance(self._entries.get(seat), SecretEntry):
            self._entries[seat] = self._build_entry(table, *ask, faces, likely)
        self.shown = self._entries[seat]

    def _build_entry(
        self, table: Table, n: int, ask: Ask, faces: Sequence[Face | None], likely: Sequence[Sequence[Face]]
    ) -> AnswerEntry | SecretEntry:
        view = table.ask_view(n, ask, ask.seat)
        if isinstance(view, RerollView) and (places := self.reroll_indexes(table, n)):
            return RerollEntry(replace(view, free=tuple(places), most=len(places)), faces, stays=False)
        return build_secret_entry(table.game, n, ask) or build_entry(view, faces, likely)

    def set_reroll_indexes(self, table: Table, n: int, ask: Reroll, places: Sequence[int]) -> None:
        """Set the indexes of the dice that people reroll for a computer in ask `n`. Raises IllegalAnswer."""
        ask.validate_answer([ask.faces[place] if place in places else None for place in range(len(ask.dice))])
        self._reroll = len(table.journal), n, sorted(places)
        self.start_entry(table, ask.seat)

    def reroll_indexes(self, table: Table, n: int) -> list[int] | None:
        """Indexes of the dice that the computer rerolls in ask `n`, or None if not known."""
        return self._reroll[2] if self._reroll and self._reroll[:2] == (len(table.journal), n) else None

    def check_reroll(self, table: Table, managed: Container[Seat], n: int, value: Any) -> None:
        """Raise IllegalAnswer if people rerolled other dice than the computer chose."""
        ask = dict(table.open_asks()).get(n)
        if not isinstance(ask, Reroll) or ask.seat not in managed:
            return
        places = self.reroll_indexes(table, n)
        if places is None:
            raise IllegalAnswer("One moment: the computer is choosing which dice to reroll.")
        if isinstance(value, list | tuple) and not _is_same_reroll(ask, places, value):
            chosen = spoken_list(f"the {ask.faces[place]}" for place in places)
            raise IllegalAnswer(f"Reroll what the computer chose: {chosen}.")

    def set_only_entry(self, seat: Seat | None, entry: AnswerEntry | None) -> None:
        """Set the entry of one seat and remove all others. None removes every entry."""
        self._entries = {seat: entry} if seat is not None and entry is not None else {}
        self.shown = entry

    def entry_for_seat(self, table: Table, seat: Seat) -> AnswerEntry | SecretEntry:
        """Return a seat's entry. Raises IllegalAnswer if there is nothing to enter."""
        if seat not in self._entries:
            shown = self.shown
            self.start_entry(table, seat)
            if shown is not None and self.shown is not None and self.shown.secret:
                # Nobody may see who has begun to enter a secret.
                self.shown = shown
        if seat not in self._entries:
            race = any(isinstance(ask, Call) for _, ask in table.open_asks())
            raise IllegalAnswer("Roll, and press OK to call." if race else _not_asked_text(table))
        return self._entries[seat]

    def clear_secrets(self) -> bool:
        """Clear unconfirmed secret entries. Returns True if there were any."""
        return sum(entry.undo_step() for entry in self._entries.values() if isinstance(entry, SecretEntry)) > 0


def _is_same_reroll(ask: Reroll, places: Sequence[int], value: Sequence[Any]) -> bool:
    """True if `value` rerolls the dice at `places`, or equal dice with equal faces."""
    chosen = Counter((ask.dice[place], ask.faces[place]) for place in places)
    return chosen == Counter(
        (die, face) for die, face, new in zip(ask.dice, ask.faces, value, strict=False) if new is not None
    )


def _not_asked_text(table: Table) -> str:
    board = table.scoreboard()
    sides = [board.plays.get(ask.seat) for _, ask in table.open_asks() if _is_button_ask(ask)]
    names = dict.fromkeys(board.sides[side].name for side in sides if side)
    return "Nothing for you to do right now." + (f" It's up to {spoken_list(names)}." if names else "")


def _is_button_ask(ask: Ask) -> bool:
    return not isinstance(ask.ask if isinstance(ask, Secret) else ask, Call | Draw)
