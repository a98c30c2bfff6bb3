"""Whether what a card wants is so: conditions, held against the game as one manager sees it.

How they are typed is in facts.py. What is not known yet, as the Swing before it is rolled, is never so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.games.clutch.cards.effects import Condition


@dataclass(frozen=True, slots=True)
class Person:
    """A player as cards look at him.

    `hand` is printed, "L", "R" or "S"; `side`, "L" or "R", is from where he bats or throws now. `playing` is his
    position now, "P" on the mound, "DH", or "" if he has none, `defense` his rating there, `positions` are those on his
    card. `role` is a pitcher's, "" for a batter.
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
    """The game as the manager sees it whose card it is; a stadium's is seen by whoever bats (AM-45)."""

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
        """Whether first, second, third are taken."""

    @property
    def lead(self) -> int:
        """His runs less the other side's."""

    @property
    def clutch(self) -> bool:
        """It is a Clutch Moment."""

    @property
    def offence(self) -> bool:
        """He bats."""

    @property
    def home(self) -> bool:
        """He is at home."""

    @property
    def batter(self) -> Person:
        """Who is at bat."""

    @property
    def pitcher(self) -> Person:
        """Who is on the mound."""

    @property
    def runner(self) -> Person | None:
        """The one concerned: who is thrown at."""

    @property
    def lead_runner(self) -> Person | None:
        """The runner nearest home, also if he is alone (CL-375, AM-49)."""

    @property
    def runners(self) -> tuple[Person, ...]:
        """All on the bases, the lead runner last."""

    @property
    def fielders(self) -> Mapping[str, Person]:
        """The side in the field, by position, the pitcher as "P"."""

    @property
    def involved(self) -> tuple[Person, ...]:
        """Players whose numbers enter what is under way (CL-224)."""

    @property
    def advantage(self) -> str:
        """ "batter", "pitcher", or "" before it is set; so are `chart` and the codes below."""

    @property
    def mistake(self) -> bool:
        """The pitch was one."""

    @property
    def chart(self) -> str:
        """On whose chart the result was read, "batter" or "pitcher"."""

    @property
    def read(self) -> str:
        """The code the chart said."""

    @property
    def result(self) -> str:
        """The code as it is now."""

    @property
    def outcome(self) -> str:
        """The code it came to, when the at-bat is over."""

    @property
    def previous(self) -> tuple[str, ...]:
        """Outcomes before this at-bat, the latest last."""

    @property
    def naturals(self) -> Mapping[str, int]:
        """What dice show that have fallen: "pitch", "swing", "throw", "check", "bunt" (CL-223)."""

    @property
    def numbers(self) -> Mapping[str, int]:
        """Those known now: "pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing", "throw", "check"."""

    @property
    def base(self) -> int:
        """Where the throw goes, 1 to 4; 0 without one."""

    @property
    def tags(self) -> frozenset[str]:
        """Of this window, see effects.WINDOWS."""

    @property
    def tired(self) -> bool:
        """The pitcher is."""

    @property
    def pitcher_outs(self) -> int:
        """What the pitcher recorded in this game."""

    @property
    def pitcher_faced(self) -> int:
        """Batters he faced."""

    @property
    def pitcher_walks(self) -> int:
        """Batters he walked."""

    @property
    def pitcher_earned(self) -> int:
        """Earned runs charged to him."""

    @property
    def innings_left(self) -> int:
        """Outs left before the pitcher tires."""

    @property
    def hand(self) -> tuple[int, int]:
        """Cards held, his own and the other manager's."""

    @property
    def deck(self) -> tuple[int, int]:
        """Cards to be drawn, his own and the other manager's."""

    @property
    def in_play(self) -> tuple[tuple[bool, str, str], ...]:
        """Cards that stay in play: whether they are his, their names and what they are, "momentum", "coach" or
        "left" on a player."""

    @property
    def played(self) -> tuple[tuple[bool, str, str], ...]:
        """Cards played in this at-bat: whether they are his, their names and sides; a coach's is "coach"."""

    @property
    def used(self) -> Mapping[str, int]:
        """How often this card's effect was had before, this "at-bat", "half", "inning", "game"."""

    @property
    def team(self) -> str:
        """The side at bat, as its roster is called."""

    @property
    def stadium(self) -> str:
        """Its name, or ""; so of the weather."""

    @property
    def weather(self) -> str:
        """Its name."""


def holds(conditions: Condition | Iterable[Condition], view: View) -> bool:
    """Whether all of these are so."""
    if isinstance(conditions, Condition):
        return _holds(conditions, view)
    return all(_holds(one, view) for one in conditions)


def fits(filters: Iterable[Condition], person: Person) -> bool:
    """Whether a player is such a one, as facts.who says it; anybody is, if nothing is said."""
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
    """A fact and what is wanted of it. None, of what is not known yet, is never that."""
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
    """The players a condition is about, of whom one will do: none if there is no such player."""
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
    """What a condition looks at; None if it is not known yet."""
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
"""Facts that are not a view's own."""
