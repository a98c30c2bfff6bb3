"""A game on the table from moment to moment: hands play it, and observers look at each moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.browser.chromium import PATIENCE
from tests.browser.room import Room

ROLLED = ("roll", "reroll", "call", "draw")
"""Kinds of asks that nobody decides: dice and cards answer them."""


@dataclass(frozen=True)
class Moment:
    """What the operator sees between two answers."""

    view: dict[str, Any]

    @property
    def version(self) -> int:
        found: int = self.view["table"]["version"]
        return found

    @property
    def asks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.view["table"]["asks"]
        return found

    @property
    def choices(self) -> set[tuple[int, str]]:
        """The number and seat of each open ask that a person decides."""
        managed = self.view["managers"]
        return {
            (ask["n"], ask["seat"])
            for ask in self.asks
            if ask["kind"] not in ROLLED and managed.get(ask["seat"]) is None
        }

    @property
    def last_inning(self) -> bool:
        return bool(self.over or self.view["table"]["scoreboard"]["inning"] >= 9)

    @property
    def over(self) -> bool:
        return bool(self.view["table"]["outcome"])


class Observer(Protocol):
    def look(self, moment: Moment) -> None:
        """Look at a moment once every hand rests."""

    def complaints(self) -> list[str]:
        """Return what was wrong so far, in words."""


class Hand(Protocol):
    def play(self) -> object:
        """Answer an ask of one seat, if it is asked anything."""


class Evening:
    """A game in a room. Every change of it is a moment, which all observers see."""

    def __init__(self, room: Room, *observers: Observer) -> None:
        self.room, self.observers = room, list(observers)
        self._seen = -1

    def play(self, hands: Sequence[Hand], done: Callable[[Moment], object]) -> Moment:
        """Let the hands play until it is `done`; return that moment. Fails where nobody can go on."""
        last = time.monotonic() + PATIENCE / 1000
        while True:
            moment = Moment(self.room.program.view())
            if moment.version != self._seen:
                self._seen = moment.version
                last = time.monotonic() + PATIENCE / 1000
                for observer in self.observers:
                    observer.look(moment)
            if done(moment):
                return moment
            for hand in hands:
                hand.play()
            assert time.monotonic() < last, f"nobody goes on: {hands}, asked: {moment.asks}"
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Return those of all observers."""
        return [one for observer in self.observers for one in observer.complaints()]
