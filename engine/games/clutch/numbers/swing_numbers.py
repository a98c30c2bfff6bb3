"""The Swing: its die, its chart, and the result of each face, with all cards in force (3.8.D, 3.8.E)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.dice import FACES
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES, signed
from engine.games.clutch.cards.effects import GROUPS
from engine.games.clutch.numbers.modifiers import changed, die, in_force, last
from engine.games.clutch.numbers.rolls import POWER, REGULAR, short_need
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State


class SwingOdds(NamedTuple):
    """The die of a swing without cards on it (`usual`), what is added ("Swing −2 from cards", or ""), and what each
    number of the die gives ("1–4 SO · 5–9 GB"). `wins` are the faces that put the batter on base, for a title, and
    `outlook` is `gives` in words.
    """

    usual: str
    plus: str
    gives: str
    wins: str
    outlook: str


def chart(s: State) -> str:
    """Return whose chart the Swing is read on: "batter" or "pitcher", who has the Advantage unless a card switches."""
    of = s.at.advantage
    if last(s, "switch"):
        of = "pitcher" if of == "batter" else "batter"
    return of


def total(s: State) -> Callable[[int], int]:
    """Return a function from a face of the die to the Swing."""
    action, roll = changed(s, "swing"), changed(s, "swing_roll")
    return lambda face: action(roll(face) + s.at.swing_bonus)


def usual_die(s: State) -> str:
    """Return the die of the Swing without cards on it. The Power Die is rolled after a Mistake Pitch, and always
    against a tired pitcher (CL-099, CL-103).
    """
    return POWER if pitcher_record.tires(s.arm, s.house) or s.at.mistake else REGULAR


def swing_die(s: State) -> str:
    """Return the die of the Swing. Cards do not change that of a tired pitcher."""
    usual = usual_die(s)
    return usual if pitcher_record.tires(s.arm, s.house) else die(s, "swing", usual)


def odds(s: State) -> SwingOdds:
    """Return the die and the results of the Swing."""
    usual, kind = usual_die(s), swing_die(s)
    rows, comes_to = _results(s, kind), total(s)
    ends = [low - 1 for low, _ in rows[1:]] + [int(FACES[kind][-1])]
    spans = [(f"{low}–{end}" if end > low else f"{low}", code) for (low, code), end in zip(rows, ends, strict=True)]
    walks = s.at.swing_bonus
    added = ((comes_to(10) - 10 - walks, "from cards"), (walks, "after intentional walks"))
    plus = ", ".join(f"{signed(amount)} {source}" for amount, source in added if amount)
    return SwingOdds(
        usual,
        f"Swing {plus}" if plus else "",
        " · ".join(f"{span} {code}" for span, code in spans),
        _on_base(rows, kind),
        ", ".join(f"{span} {RESULT_NAMES[code].removeprefix('a ')}" for span, code in spans),
    )


def _on_base(rows: list[tuple[int, str]], kind: str) -> str:
    """Return the faces that put the batter on base, for a title; "" if they are not the highest ones."""
    reaches = [code not in GROUPS["out"] for _, code in rows]
    if reaches != sorted(reaches):
        return ""
    least = next((low for low, code in rows if code not in GROUPS["out"]), 99)
    return short_need([int(face) for face in FACES[kind] if int(face) >= least], kind)


def _results(s: State, kind: str) -> list[tuple[int, str]]:
    """Return the result of each face by the chart in use, the stadium and the infield, as rows of the lowest face and
    the code.
    """
    of = chart(s)
    rows_of = s.batter.chart if of == "batter" else s.pitcher.chart
    alters = [one.effect for one in in_force(s, "alter")]
    rows: list[tuple[int, str]] = []
    comes_to = total(s)
    for face in FACES[kind]:
        swing = comes_to(int(face))
        code = rows_of[swing]
        for effect in alters:
            if effect.reads(of, swing, code):
                code = effect.to
        if s.at.infield_in and of == "batter" and code == "GB":
            code = "1B"  # CL-343.
        if not rows or rows[-1][1] != code:
            rows.append((int(face), code))
    return rows
