"""What a die has to show, all cards in force counted: for the sentence that asks for it, and wherever odds are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.dice import FACES
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards.modifiers import changed, in_force, last


def signed(amount: int) -> str:
    """A number that is added: "+2", or "−1" with a true minus."""
    return f"{amount:+}".replace("-", "−")


def total(s: State, what: str, built: int) -> Callable[[int], int]:
    """What each face comes to: `what` is "pitch", "throw" or "check", `built` all that is there without the die."""
    action, roll = changed(s, what), changed(s, f"{what}_roll")
    return lambda face: action(built + roll(face))


def enough(s: State, what: str, kind: str, built: int, want: int) -> tuple[int, ...]:
    """The faces of a die (a key of `FACES`) that come to `want` or more."""
    comes_to = total(s, what, built)
    return tuple(int(face) for face in FACES[kind] if comes_to(int(face)) >= want)


def shown(done: str, good: Sequence[int], kind: str, none: str = "") -> str:
    """What must be rolled: "out with 5 or more"; `good` are the faces that do it, highest of the die included. `none`
    is what is said where there is none."""
    if not good:
        return none or f"no roll does it: {done} is out of reach"
    if len(good) == len(FACES[kind]):
        return f"{done} whatever is rolled"
    return f"{done} with {good[0]} or more" if good[0] < int(FACES[kind][-1]) else f"{done} with {good[0]} alone"


def cards(s: State, what: str, built: int) -> str:
    """What cards add to an action and its roll beside what is `built`: " +2", or "" nothing."""
    more = total(s, what, built)(10) - built - 10
    return f" {signed(more)}" if more else ""


def chart(s: State) -> str:
    """On whose chart the Swing is read: the one who has the Advantage, or the other where a card says so."""
    of = s.at.advantage
    if last(s, "switch"):
        of = "pitcher" if of == "batter" else "batter"
    return of


def swinging(s: State, kind: str) -> tuple[str, str]:
    """The sum of what comes to the Swing ("Swing −2", or ""), and what each number of the die gives after it, by the
    chart in use and what a stadium makes of it: "1–4 SO · 5–9 GB"."""
    of = chart(s)
    rows_of = s.batter.chart if of == "batter" else s.pitcher.chart
    alters = [one.effect for one in in_force(s, "alter")]
    rows: list[tuple[int, str]] = []
    comes_to = swung(s)
    for face in FACES[kind]:
        swing = comes_to(int(face))
        code = rows_of[swing]
        for effect in alters:
            if effect.reads(of, swing, code):
                code = effect.to
        if not rows or rows[-1][1] != code:
            rows.append((int(face), code))
    ends = [low - 1 for low, _ in rows[1:]] + [int(FACES[kind][-1])]
    said = " · ".join(
        f"{low}–{end} {code}" if end > low else f"{low} {code}" for (low, code), end in zip(rows, ends, strict=True)
    )
    more = comes_to(10) - 10
    return (f"Swing {signed(more)}" if more else ""), said


def swung(s: State) -> Callable[[int], int]:
    """The Swing that each face comes to."""
    action, roll = changed(s, "swing"), changed(s, "swing_roll")
    return lambda face: action(roll(face) + s.at.swing_bonus)
