"""The button entries of both seats, which of them the displays show, and the entry of secrets: no display changes,
whatever the seat presses.
"""

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
"""How much "previous" adds to a number; "next" adds one."""


class SecretEntry:
    """The presses of one seat for secret ask `n`, until OK. Not checked: whether the answer is an option; the table
    does that.
    """

    secret = True
    how = ""
    """What to press, in a few words."""
    brief = ""
    """The same in a word or two, or ""."""
    again = "choose again, "
    """The start of a refusal, before what to press."""

    def __init__(self, n: int, seat: Seat) -> None:
        self.n, self.seat = n, seat
        self._pressed: list[int] = []

    def entry_view(self) -> ButtonEntryView:
        """Return the entry as everybody may see it: that there is one, and how to press it."""
        return SecretButtonEntryView(self.seat, self.n, "secret", None, None, False, self.how, self.brief)

    def press_next(self) -> None:
        """Press the right button of the two."""
        self._pressed.append(1)

    def press_previous(self) -> None:
        """Press the left button."""
        self._pressed.append(0)

    def press_ok(self) -> str | None:
        """Return the answer, or None if the presses do not make one. Either way the entry starts over."""
        pressed, self._pressed = self._pressed, []
        return self._answer_from_presses(pressed)

    def undo_step(self) -> bool:
        """Forget what was pressed. Returns True if anything was."""
        pressed, self._pressed = self._pressed, []
        return bool(pressed)

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        raise NotImplementedError


class PartsEntry(SecretEntry):
    """A choice made of parts: "previous" chooses the first word of a part, "next" the second; each press goes to the
    next part.

    `parts` are the two words of each part, in order; the answer is one word of each, joined by "-". After the last
    part, the next press starts again with the first.
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
    """A choice of one of many numbered options: "previous" adds five, "next" adds one."""

    how = "card number (< +5, > +1), then OK"
    again = "no such card to play now. Enter a "

    def __init__(self, n: int, seat: Seat, numbers: Mapping[str, int]) -> None:
        super().__init__(n, seat)
        self._options = {number: option for option, number in numbers.items()}

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return self._options.get(sum(1 if step else PREVIOUS_INCREMENT for step in pressed))


class PassEntry(SecretEntry):
    """A choice with an answer that changes nothing: OK alone gives it, and nothing else can be chosen in secret."""

    def __init__(self, n: int, seat: Seat, answer: str, words: tuple[str, str]) -> None:
        super().__init__(n, seat)
        self._still = answer
        self.how, self.brief = words

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return None if pressed else self._still


class PhoneOnlyEntry(SecretEntry):
    """A choice of a card that a player can see only on a phone."""

    how = "take your seat on a phone, pick a card"
    brief = "use a phone"
    again = ""

    def _answer_from_presses(self, pressed: Sequence[int]) -> str | None:
        return None


def build_secret_entry(game: Rulebook, n: int, ask: Ask) -> SecretEntry | None:
    """Return the secret entry for ask `n` of a game: by the `parts` or `numbers` in its facts, by an answer that
    changes nothing, or on a phone alone; None if the ask is not a secret choice or has a normal entry.
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
    """At most one entry for each seat, on its first open ask. A secret that buttons can give is entered blind.

    Not thread-safe.
    """

    def __init__(self) -> None:
        self.shown: AnswerEntry | SecretEntry | None = None
        """The entry that displays show."""
        self._entries: dict[Seat, AnswerEntry | SecretEntry] = {}
        self._again: tuple[int, int, list[int]] | None = None
        """The places of the dice that a computer throws again, behind the table's version and the ask's number."""

    def update_entries(self, table: Table, keep: bool = True, managed: Container[Seat] = ()) -> None:
        """Create and show the entry for the first open ask that people answer, after a change: for the seats that a
        computer has `managed` they only throw.

        With `keep`, a secret entry stays while its ask is open.
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
        """Create a seat's entry for its first open ask and show it.

        It starts at `faces` (or pieces), if they are known. `likely` are the other values that each die of a roll may
        show. Calls and draws have no entry, and a secret entry is never replaced.
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
        """Take the places of the dice that a computer has people throw again for ask `n`. Raises IllegalAnswer."""
        ask.validate_answer([ask.faces[place] if place in places else None for place in range(len(ask.dice))])
        self._again = len(table.journal), n, sorted(places)
        self.start_entry(table, ask.seat)

    def reroll_indexes(self, table: Table, n: int) -> list[int] | None:
        """Return these places for ask `n`, None if they are not known."""
        return self._again[2] if self._again and self._again[:2] == (len(table.journal), n) else None

    def check_reroll(self, table: Table, managed: Container[Seat], n: int, value: Any) -> None:
        """Raise IllegalAnswer if people throw other dice again than the computer that has `managed` the seat chose."""
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
        """Make this the entry of a seat and the only one; None removes all entries."""
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
        """Forget secret entries that were not confirmed. Returns True if there were any."""
        return sum(entry.undo_step() for entry in self._entries.values() if isinstance(entry, SecretEntry)) > 0


def _is_same_reroll(ask: Reroll, places: Sequence[int], value: Sequence[Any]) -> bool:
    """True if the dice that `value` throws again are those at `places`, or others just like them that show the same."""
    chosen = Counter((ask.dice[place], ask.faces[place]) for place in places)
    return chosen == Counter(
        (die, face) for die, face, new in zip(ask.dice, ask.faces, value, strict=False) if new is not None
    )


def _not_asked_text(table: Table) -> str:
    """Return what to say to a seat that is not asked: who is."""
    board = table.scoreboard()
    sides = [board.plays.get(ask.seat) for _, ask in table.open_asks() if _is_button_ask(ask)]
    names = dict.fromkeys(board.sides[side].name for side in sides if side)
    return "Nothing for you to do right now." + (f" It's up to {spoken_list(names)}." if names else "")


def _is_button_ask(ask: Ask) -> bool:
    """True if buttons can answer the ask: it is neither a call nor a draw."""
    return not isinstance(ask.ask if isinstance(ask, Secret) else ask, Call | Draw)
