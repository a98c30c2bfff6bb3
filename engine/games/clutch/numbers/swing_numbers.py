"""The Swing's die, chart and result by face, with all cards in force (3.8.D, 3.8.E)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES, signed_text
from engine.games.clutch.cards.effects import RESULT_GROUPS
from engine.games.clutch.numbers.modifiers import card_adjuster, die_with_cards, effects_in_force, last_effect
from engine.games.clutch.numbers.rolls import POWER_DIE, REGULAR_DIE, need_for_title
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State


class SwingOdds(NamedTuple):
    """The odds of a swing.

    usual: its die without cards.
    plus: what is added, such as "Swing −2 from cards", or "".
    gives: result of each face, such as "1–4 SO · 5–9 GB".
    wins: faces that put the batter on base, for a title.
    outlook: `gives` in words.
    """

    usual: str
    plus: str
    gives: str
    wins: str
    outlook: str


def chart_owner(s: State) -> str:
    """Return the owner of the chart in use, "batter" or "pitcher". He has the Advantage unless a card switches it."""
    of = s.at.advantage
    if last_effect(s, "switch"):
        of = "pitcher" if of == "batter" else "batter"
    return of


def swing_by_face(s: State) -> Callable[[int], int]:
    action, roll = card_adjuster(s, "swing"), card_adjuster(s, "swing_roll")
    return lambda face: action(roll(face) + s.at.swing_bonus)


def usual_die(s: State) -> str:
    """Return the die without cards, the Power Die after a Mistake Pitch or against a tired pitcher (CL-099, CL-103)."""
    return POWER_DIE if pitcher_record.is_tired(s.current_record, s.house) or s.at.mistake else REGULAR_DIE


def swing_die(s: State) -> str:
    """Return the die of the Swing. Cards do not change it against a tired pitcher."""
    usual = usual_die(s)
    return usual if pitcher_record.is_tired(s.current_record, s.house) else die_with_cards(s, "swing", usual)


def swing_odds(s: State) -> SwingOdds:
    usual, kind = usual_die(s), swing_die(s)
    rows, comes_to = _result_rows(s, kind), swing_by_face(s)
    ends = [low - 1 for low, _ in rows[1:]] + [int(FACES_BY_KIND[kind][-1])]
    spans = [(f"{low}–{end}" if end > low else f"{low}", code) for (low, code), end in zip(rows, ends, strict=True)]
    walks = s.at.swing_bonus
    added = ((comes_to(10) - 10 - walks, "from cards"), (walks, "after intentional walks"))
    plus = ", ".join(f"{signed_text(amount)} {source}" for amount, source in added if amount)
    return SwingOdds(
        usual,
        f"Swing {plus}" if plus else "",
        " · ".join(f"{span} {code}" for span, code in spans),
        _on_base_faces_text(rows, kind),
        ", ".join(f"{span} {RESULT_NAMES[code].removeprefix('a ')}" for span, code in spans),
    )


def _on_base_faces_text(rows: list[tuple[int, str]], kind: str) -> str:
    """Return the faces that put the batter on base, for a title, or "" if they are not the highest ones."""
    reaches = [code not in RESULT_GROUPS["out"] for _, code in rows]
    if reaches != sorted(reaches):
        return ""
    least = next((low for low, code in rows if code not in RESULT_GROUPS["out"]), 99)
    return need_for_title([int(face) for face in FACES_BY_KIND[kind] if int(face) >= least], kind)


def _result_rows(s: State, kind: str) -> list[tuple[int, str]]:
    """Return rows of the lowest face and the result code, by the chart in use, the stadium and the infield."""
    of = chart_owner(s)
    rows_of = s.batter_card.chart if of == "batter" else s.pitcher_card.chart
    alters = [one.effect for one in effects_in_force(s, "alter")]
    rows: list[tuple[int, str]] = []
    comes_to = swing_by_face(s)
    for face in FACES_BY_KIND[kind]:
        swing = comes_to(int(face))
        code = rows_of[swing]
        for effect in alters:
            if effect.can_alter_result(of, swing, code):
                code = effect.to
        if s.at.infield_in and of == "batter" and code == "GB":
            code = "1B"  # CL-343.
        if not rows or rows[-1][1] != code:
            rows.append((int(face), code))
    return rows
