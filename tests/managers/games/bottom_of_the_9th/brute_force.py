"""What may come of a pitch on the real table: every die, and the better answer to every choice of an ability."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.asks import Ask, Call, Choose, Roll, Secret
from engine.dice import die_sides
from engine.table import Table

Worth = Callable[[Table], float | None]
"""The chance that home wins at a table where the pitch is over; None while it goes on."""


def after(table: Table, thrown: str, guess: str, worth: Worth) -> float:
    """Return the chance that home wins after this throw and this guess."""
    twin = table.clone()
    for n, ask in twin.open_asks():
        twin.answer_ask(ask.seat, n, guess if ask.seat == "home" else thrown)
    return value(twin, worth)


def value(table: Table, worth: Worth) -> float:
    """Return the chance that home wins, by trying everything that dice and players may do until the pitch is over."""
    if table.outcome is not None:
        return float(table.outcome.winner == "home")
    found = worth(table)
    if found is not None:
        return found
    asks = table.open_asks()
    if isinstance(asks[0][1], Call):
        return _race(table, worth)
    ((n, ask),) = asks
    match ask:
        case Roll(why="unopposed" | "swing" | "bonus" | "reroll" | "pitch"):
            return sum(chance * value(_with(table, n, ask, faces), worth) for faces, chance in throws(ask, table.house))
        case Choose(why="ability"):
            both = [value(_with(table, n, ask, option), worth) for option in ("use", "keep")]
            return max(both) if ask.seat == "home" else min(both)
        case Choose(why="blank"):
            return value(_with(table, n, ask, "nothing"), worth)
    raise AssertionError(ask)


def throws(ask: Roll, house: Mapping[str, str]) -> list[tuple[list[int | str], float]]:
    """Return all throws with their chances."""
    found: list[tuple[list[int | str], float]] = [([], 1.0)]
    for die in ask.dice:
        faces = die_sides(die.kind, house)
        found = [([*before, face], chance / len(faces)) for before, chance in found for face in faces]
    return found


def _with(table: Table, n: int, ask: Ask, answer: object) -> Table:
    twin = table.clone()
    twin.answer_ask(ask.seat, n, answer)
    return twin


def _race(table: Table, worth: Worth) -> float:
    """Return the value of a race between two who throw as fast as each other, throw by throw."""
    wins = {ask.seat: (n, ask) for n, ask in table.open_asks() if isinstance(ask, Call)}
    ends = {seat: value(_with(table, n, ask, ask.wins[0]), worth) for seat, (n, ask) in wins.items()}
    total, going = 0.0, 1.0
    home, away = (len(wins[seat][1].wins) / 6 for seat in ("home", "away"))
    for _ in range(200):
        total += going * home * (1 - away / 2) * ends["home"] + going * away * (1 - home / 2) * ends["away"]
        going *= (1 - home) * (1 - away)
    return total


def is_stare_down(table: Table) -> bool:
    """True if a pitch is asked for."""
    return any(isinstance(ask, Secret) and ask.why == "pitch-call" for _, ask in table.open_asks())
