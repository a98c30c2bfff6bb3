"""Odds of a bunt with all cards in force (CL-324, CL-325)."""

from __future__ import annotations

from engine.dice import FACES_BY_KIND
from engine.games.clutch.numbers.modifiers import die_with_cards, number_with_cards
from engine.games.clutch.numbers.rolls import chance_clause, need_clause
from engine.games.clutch.state import State

BUNT_TARGET = 12  # A bunt roll must exceed it (CL-324, CL-325).


def bunt_target(s: State) -> int:
    return number_with_cards(s, "bunt_target", BUNT_TARGET)


def winning_faces_and_die(s: State) -> tuple[list[int], str]:
    kind = die_with_cards(s, "bunt")
    return [
        int(one) for one in FACES_BY_KIND[kind] if number_with_cards(s, "bunt_roll", int(one)) > bunt_target(s)
    ], kind


def bunt_odds_text(s: State) -> str:
    good, kind = winning_faces_and_die(s)
    return need_clause("down", good, kind) + chance_clause(s, "bunt", good, kind)
