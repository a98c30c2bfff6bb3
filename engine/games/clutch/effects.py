"""What the plays of cards are made of, as plain data: when, if, at what cost, what is done, and how long it lasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a card can be played: in a window (see WINDOWS) in which one of `tags` holds, or any if there are none."""

    text: str
    window: str
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that must hold: `fact` compared with `value` by `op`; see conditions.holds."""

    text: str
    fact: str
    op: str = "is"
    value: Any = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A check, a throw or a die that decides: `call` is "check", "throw" or "roll".

    A check is made by `unit` ("battery", "infield", "outfield" or positions with "+" between) against `target`; a throw
    by `unit` at `runner` ("batter", "first", "second", "third", "lead") with his `speed`, "br" or "st"; a roll of `die`
    must reach `target`.
    """

    call: str
    unit: str = ""
    target: int = 20
    runner: str = ""
    speed: str = "br"
    die: str = "d20"


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a card does; what the fields mean depends on `verb` (see VERBS)."""

    text: str
    verb: str
    what: str = ""
    amount: int = 0
    of: str = ""
    whose: str = ""
    to: str = ""
    trial: Trial | None = None
    when: tuple[Condition, ...] = ()
    then: tuple[Effect, ...] = ()
    otherwise: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What must be paid: `verb` is "discard" (from the hand; `how` "choice" or "random"), "mill" (from the deck), or
    "skip" (the next draw)."""

    text: str
    verb: str
    count: int = 1
    how: str = "choice"


@dataclass(frozen=True, slots=True)
class Lasts:
    """How long: `unit` "roll", "throw", "at-bat", "next-at-bat", "half" (`count` half-innings, this one the first),
    "inning", "player" (while he is in the game), "play" (while the card stays in play) or "game"."""

    text: str
    unit: str
    count: int = 1


AT_BAT = Lasts("this at-bat", "at-bat")


@dataclass(frozen=True, slots=True)
class Play:
    """All that a card says. `leave`: it stays, on "batter", "pitcher" or "runner", or in "play" (Momentum), until
    `until` happens. `success` and `failure` follow once the throw, check or change it was played on is settled."""

    when: tuple[Trigger, ...] = ()
    clutch: bool = False
    conditions: tuple[Condition, ...] = ()
    cost: tuple[Cost, ...] = ()
    do: tuple[Effect, ...] = ()
    success: tuple[Effect, ...] = ()
    failure: tuple[Effect, ...] = ()
    lasts: Lasts = AT_BAT
    leave: str = ""
    until: tuple[Trigger, ...] = ()
