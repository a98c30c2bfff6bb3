"""What a game in play remembers of its computer managers: their reasons, and which dice they throw again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from device.table.standing_answers import StandingSettings
from engine.asks import Ask, Reroll, Thrown
from engine.errors import IllegalAnswer, WrongSeat
from engine.events import spoken
from engine.seats import Seat, other
from engine.table import Table
from engine.views import ManagerView
from managers.manager import has_manager


class ManagedSeats:
    """Reasons and rerolls of one game. It is kept in memory alone: a manager thinks again after a restart.

    Not thread-safe.
    """

    def __init__(self) -> None:
        self._reasons: dict[Seat, tuple[int, str]] = {}
        """The number of the last answer of a seat, and its reason."""
        self._again: tuple[int, int, list[int]] | None = None
        """The places of the dice that are thrown again for an ask, behind the table's version and its number."""

    def settle(self, table: Table, new: bool) -> None:
        """Forget what concerns answers that were taken back, or with `new` another game."""
        if new:
            self._reasons = {}
        elif self._reasons:
            given = {one.n for one in table.answers} | table.hidden()
            self._reasons = {seat: one for seat, one in self._reasons.items() if one[0] in given}

    def explain(self, seat: Seat, n: int, reason: str) -> None:
        """Remember why the manager of a seat gave answer `n`."""
        self._reasons[seat] = n, reason

    def throw_again(self, table: Table, n: int, ask: Reroll, places: Sequence[int]) -> None:
        """Take the places of the dice that people throw again for ask `n`. Raises IllegalAnswer."""
        ask.check([ask.faces[place] if place in places else None for place in range(len(ask.dice))])
        self._again = len(table.journal), n, sorted(places)

    def again(self, table: Table, n: int) -> list[int] | None:
        """Return these places for ask `n`, None if they are not known."""
        return self._again[2] if self._again and self._again[:2] == (len(table.journal), n) else None

    def check(self, table: Table, settings: StandingSettings, ask: Ask, n: int, value: Any) -> None:
        """Check an answer that people give: for a managed seat they only throw, what it has chosen.

        Raises WrongSeat or IllegalAnswer.
        """
        if ask.seat not in settings.managers:
            return
        if not isinstance(ask, Thrown):
            raise WrongSeat("The computer manages that side. Take it over first.")
        if isinstance(ask, Reroll):
            places = self.again(table, n)
            if places is None:
                raise IllegalAnswer("One moment: the computer is choosing which dice to throw again.")
            if isinstance(value, list | tuple) and not _same_dice(ask, places, value):
                chosen = spoken(f"the {ask.faces[place]}" for place in places)
                raise IllegalAnswer(f"Throw again what the computer chose: {chosen}.")

    def views(self, table: Table, settings: StandingSettings) -> dict[Seat, ManagerView]:
        """Return the managers, as everybody may see them: a reason of a secret only once that is open."""
        if not settings.managers:
            return {}
        hidden = table.hidden()
        rerolls = {ask.seat: n for n, ask in table.asks() if isinstance(ask, Reroll)}
        return {
            seat: ManagerView(
                strength,
                next((words for n, words in [self._reasons.get(seat, (-1, ""))] if n not in hidden), ""),
                self.again(table, rerolls[seat]) if seat in rerolls else None,
            )
            for seat, strength in settings.managers.items()
        }


def _same_dice(ask: Reroll, places: Sequence[int], value: Sequence[Any]) -> bool:
    """True if the dice that `value` throws again are those at `places`, or others just like them that show the same."""
    chosen = Counter((ask.dice[place], ask.faces[place]) for place in places)
    return chosen == Counter(
        (die, face) for die, face, new in zip(ask.dice, ask.faces, value, strict=False) if new is not None
    )


def may_ask_coach(table: Table, settings: StandingSettings, plays: Collection[Seat]) -> list[Seat]:
    """Return which seats of those in `plays` may ask the coach: a person's against a computer or alone; of two people
    both or none.
    """
    if not has_manager(table.game.key):
        return []
    people = [seat for seat in plays if seat not in settings.managers]
    alone = len(plays) < 2 or other(people[0]) in settings.managers if people else False
    return people if alone or set(people) <= set(settings.coached) else []
