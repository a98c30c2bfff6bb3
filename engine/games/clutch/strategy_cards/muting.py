"""Mutes: asks that a manager has turned off for the rest of a half-inning, and how he turns them on."""

from __future__ import annotations

from engine.asks import Choose, Moot
from engine.events import Facts
from engine.games.clutch.state import Shown, State, Step
from engine.lazy import LazyFacts
from engine.seats import Seat

AGAIN = "ask-again"  # The option that lifts all mutes.


def lift_option(s: State, chair: Seat) -> tuple[str, ...]:
    """Return the option to lift the mutes, the last one of every ask, if the chair has muted anything."""
    return (AGAIN,) if any(seat == chair for seat, _ in s.muted) else ()


def lift(s: State, chair: Seat) -> None:
    """Lift all mutes of a chair."""
    s.muted = frozenset(one for one in s.muted if one[0] != chair)


def pick(s: State, side: Seat, why: str, options: tuple[str, ...], moot: Moot, facts: Shown) -> Step[str]:
    """Ask the manager of a side for one of these; mutes may be lifted here. `moot` is the option that everybody would
    take. Facts for every sentence are added: whose ask it is (`team`), both sides, the batter and the pitcher.
    """

    def shown(s: State) -> Facts:
        sides = {"team": s.team(side), "offense": s.team(s.offence), "defense": s.team(s.defence)}
        return {**sides, "batter": s.batter.name, "pitcher": s.pitcher.name, **facts(s)}

    chair, lazy = s.chair(side), LazyFacts(shown, s)
    answer: str = yield Choose(chair, why, (*options, *lift_option(s, chair)), lazy, moot)
    if answer == AGAIN:
        lift(s, chair)
        answer = yield Choose(chair, why, options, lazy)
    return answer


def stir(s: State, *sides: Seat) -> None:
    """Ask these sides about cards again: something has happened since they said that they play none."""
    s.now(content=s.at.content - set(sides))


def muted(s: State, chair: Seat) -> list[str]:
    """Return what a chair has muted, which is public: "cards" for all of them, windows, and menus by their code."""
    return sorted(what for seat, what in s.muted if seat == chair)
