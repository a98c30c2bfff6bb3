"""Conditions of cards, checked against the game as one manager sees it.

cards/condition_phrases.py reads them. A condition on a fact that is not known yet, as the Swing before it is rolled, is
false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.games.clutch.cards.effects import Condition


@dataclass(frozen=True, slots=True)
class Person:
    """A player as conditions read him.

    `hand` is printed, "L", "R" or "S"; `side` is where he bats or throws from now, "L" or "R". `playing` is his
    position now ("P", "DH", or "" for none), `defense` his rating there, and `positions` are those on his card. `role`
    is a pitcher's, "" for a batter.
    """

    name: str
    hand: str
    side: str
    team: str
    set: str
    icons: frozenset[str]
    salary: int
    on_base: int
    command: int
    br: int
    st: int
    clutch: int
    positions: frozenset[str]
    playing: str
    role: str
    defense: int


class View(Protocol):
    """The game as the card's owner sees it; for a stadium, as the side at bat sees it (AM-45)."""

    @property
    def inning(self) -> int:
        """The inning, from 1."""

    @property
    def half(self) -> str:
        """ "top" or "bottom"."""

    @property
    def outs(self) -> int:
        """Outs of this half-inning."""

    @property
    def bases(self) -> tuple[bool, bool, bool]:
        """True for each of first, second and third that is taken."""

    @property
    def lead(self) -> int:
        """His runs minus the other side's."""

    @property
    def clutch(self) -> bool:
        """True in a Clutch Moment."""

    @property
    def offence(self) -> bool:
        """True if his side bats."""

    @property
    def home(self) -> bool:
        """True if he is the home side."""

    @property
    def batter(self) -> Person:
        """The batter."""

    @property
    def pitcher(self) -> Person:
        """The pitcher on the mound."""

    @property
    def runner(self) -> Person | None:
        """The runner in question: the one who is thrown at."""

    @property
    def lead_runner(self) -> Person | None:
        """The runner nearest home, even if he is the only one (CL-375, AM-49)."""

    @property
    def runners(self) -> tuple[Person, ...]:
        """All runners on base, the lead runner last."""

    @property
    def fielders(self) -> Mapping[str, Person]:
        """The side in the field by position, with the pitcher as "P"."""

    @property
    def involved(self) -> tuple[Person, ...]:
        """Players whose numbers count in what is under way (CL-224)."""

    @property
    def advantage(self) -> str:
        """ "batter", "pitcher", or "" before it is set; `chart` and the codes below are "" too until then."""

    @property
    def mistake(self) -> bool:
        """True if the pitch was a Mistake Pitch."""

    @property
    def chart(self) -> str:
        """Whose chart was read, "batter" or "pitcher"."""

    @property
    def read(self) -> str:
        """The code on the chart."""

    @property
    def result(self) -> str:
        """The code with the changes so far."""

    @property
    def outcome(self) -> str:
        """The final code, once the at-bat is over."""

    @property
    def previous(self) -> tuple[str, ...]:
        """Outcomes before this at-bat, the latest last."""

    @property
    def naturals(self) -> Mapping[str, int]:
        """The natural rolls so far: "pitch", "swing", "throw", "check", "bunt" (CL-223)."""

    @property
    def numbers(self) -> Mapping[str, int]:
        """Known numbers: "pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing", "throw", "check"."""

    @property
    def base(self) -> int:
        """The base of the throw, 1 to 4; 0 without one."""

    @property
    def tags(self) -> frozenset[str]:
        """The tags of this window, see effects.WINDOWS."""

    @property
    def tired(self) -> bool:
        """True if the pitcher is tired."""

    @property
    def pitcher_outs(self) -> int:
        """Outs that the pitcher has recorded in this game."""

    @property
    def pitcher_faced(self) -> int:
        """Batters that he has faced."""

    @property
    def pitcher_walks(self) -> int:
        """Batters that he has walked."""

    @property
    def pitcher_earned(self) -> int:
        """Earned runs charged to him."""

    @property
    def innings_left(self) -> int:
        """Outs left before the pitcher tires."""

    @property
    def hand(self) -> tuple[int, int]:
        """Cards in hand, his own and the other manager's."""

    @property
    def deck(self) -> tuple[int, int]:
        """Cards left in the deck, his own and the other manager's."""

    @property
    def in_play(self) -> tuple[tuple[bool, str, str], ...]:
        """Cards that stay in play: (is it his, name, kind); the kind is "momentum", "coach" or "left" on a player."""

    @property
    def played(self) -> tuple[tuple[bool, str, str], ...]:
        """Cards played in this at-bat: (is it his, name, side); the side of a coach is "coach"."""

    @property
    def used(self) -> Mapping[str, int]:
        """How often this card took effect before, in this "at-bat", "half", "inning" and "game"."""

    @property
    def team(self) -> str:
        """The name of the side at bat."""

    @property
    def stadium(self) -> str:
        """The name of the stadium, or ""."""

    @property
    def weather(self) -> str:
        """The name of the weather, or ""."""


def holds(conditions: Condition | Iterable[Condition], view: View) -> bool:
    """True if all of these conditions hold."""
    if isinstance(conditions, Condition):
        return _holds(conditions, view)
    return all(_holds(one, view) for one in conditions)


def fits(filters: Iterable[Condition], person: Person) -> bool:
    """True if a player meets these conditions, as condition_phrases.who reads them; without any, everybody does."""
    return all(_fits(one, person) for one in filters)


def _holds(one: Condition, view: View) -> bool:
    match one.op:
        case "not":
            return not holds(one.value, view)
        case "any":
            return any(holds(way, view) for way in one.value)
        case "who":
            return any(fits(one.value, person) for person in _people(one.fact, view))
        case "last":
            count: int = one.value[0]
            wanted: frozenset[str] = one.value[1]
            return len(view.previous) >= count and set(view.previous[-count:]) <= wanted
        case "card":
            mine, what = one.value
            shown = view.in_play if one.fact == "in_play" else view.played
            return any(mine in (None, whose) and what in ("", name.casefold(), kind) for whose, name, kind in shown)
    return _compared(one, _fact(one.fact, view))


def _fits(one: Condition, person: Person) -> bool:
    match one.op:
        case "not":
            return not fits(one.value, person)
        case "any":
            return any(fits(way, person) for way in one.value)
        case "icon":
            return bool(one.value in map(str.casefold, person.icons))
    return _compared(one, getattr(person, one.fact))


def _compared(one: Condition, now: Any) -> bool:
    """True if a fact meets a condition; None, a fact that is not known yet, never does."""
    match one.op:
        case _ if now is None:
            return False
        case "range":
            return bool(one.value[0] <= now <= one.value[1])
        case "odd":
            return bool(now % 2 == one.value)
        case "in":
            return bool(now in one.value)
        case "has":
            return not one.value.isdisjoint(now)
        case "name":
            return bool(now.casefold() == one.value)
    return bool(now == one.value)


def _people(who: str, view: View) -> Iterable[Person]:
    """Return the players that a condition is about; one of them has to meet it."""
    match who:
        case "batter" | "pitcher" | "runner" | "lead_runner":
            found = getattr(view, who)
            return (found,) if found else ()
        case "runners" | "involved":
            return tuple(getattr(view, who))
        case "fielders":
            return view.fielders.values()
    return (view.fielders[who],) if who in view.fielders else ()


def _fact(name: str, view: View) -> Any:
    """Return the fact that a condition is about; None if it is not known yet."""
    if name in _FACTS:
        return _FACTS[name](view)
    kind, _, key = name.partition(":")
    match kind:
        case "natural":
            return view.naturals.get(key)
        case "number":
            return view.numbers.get(key)
        case "used":
            return view.used.get(key, 0)
    return getattr(view, name)


_FACTS: Mapping[str, Callable[[View], Any]] = {
    "first": lambda view: view.bases[0],
    "second": lambda view: view.bases[1],
    "third": lambda view: view.bases[2],
    "risp": lambda view: view.bases[1] or view.bases[2],
    "on": lambda view: sum(view.bases),
    "differential": lambda view: abs(view.lead),
    "my hand": lambda view: view.hand[0],
    "their hand": lambda view: view.hand[1],
    "my deck": lambda view: view.deck[0],
    "their deck": lambda view: view.deck[1],
}
"""Facts that are computed from a view."""
