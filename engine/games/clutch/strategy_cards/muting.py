"""Mutes of asks, which a manager turns off for the rest of a half-inning."""

from __future__ import annotations

from engine.asks import Choose, MootOption
from engine.events import Facts
from engine.games.clutch.state import FactsBuilder, State, Step
from engine.lazy import LazyFacts
from engine.seats import Seat

ASK_AGAIN_OPTION = "ask-again"  # Lifts all mutes.


def lift_option(s: State, chair: Seat) -> tuple[str, ...]:
    """Return the option to lift the mutes, the last one of every ask, if the chair has muted any."""
    return (ASK_AGAIN_OPTION,) if any(seat == chair for seat, _ in s.muted) else ()


def lift_mutes(s: State, chair: Seat) -> None:
    s.muted = frozenset(one for one in s.muted if one[0] != chair)


def ask_side(
    s: State, side: Seat, why: str, options: tuple[str, ...], moot: MootOption, facts: FactsBuilder
) -> Step[str]:
    """Ask the manager of a side for one of these options, and let him lift his mutes.

    `moot` is the option that everybody would take. The facts of every sentence are added. They are `team` (the side
    asked), both sides, the batter and the pitcher.
    """

    def side_facts(s: State) -> Facts:
        sides = {"team": s.team_name(side), "offense": s.team_name(s.offense), "defense": s.team_name(s.defense)}
        return {**sides, "batter": s.batter_card.name, "pitcher": s.pitcher_card.name, **facts(s)}

    chair, lazy = s.chair(side), LazyFacts(side_facts, s)
    answer: str = yield Choose(chair, why, (*options, *lift_option(s, chair)), lazy, moot)
    if answer == ASK_AGAIN_OPTION:
        lift_mutes(s, chair)
        answer = yield Choose(chair, why, options, lazy)
    return answer


def forget_early_passes(s: State, *sides: Seat) -> None:
    """Ask these sides about cards again, since something has happened after they passed."""
    s.update_at_bat(content=s.at.content - set(sides))


def muted_asks(s: State, chair: Seat) -> list[str]:
    """Return the public mutes of a chair, which are codes of windows and menus, or "cards" for all windows."""
    return sorted(what for seat, what in s.muted if seat == chair)
