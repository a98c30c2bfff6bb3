"""Conversion of a seat's view to the terms of the value model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.games.rallybird.results import ROLL_COMPARISONS
from engine.innings import Half as Side
from engine.seats import Seat, opposite_seat
from engine.views import TableView
from managers.games.rallybird.gloves import GLOVE_BACK, GLOVE_FRONT, GLOVE_OUT, NO_GLOVE, GloveKit, GloveStates
from managers.games.rallybird.innings import RallybirdHolders
from managers.games.rallybird.matchup import RolledAtBat
from managers.games.rallybird.outcomes import CardOutcomes


@dataclass(frozen=True, slots=True)
class RallybirdPosition:
    """A seat's position. `lead` is of the side at bat. Cards, Gloves and zones are indexes (none: -1 or `NO_GLOVE`)."""

    seat: Seat
    batting: Seat
    inning: int
    side: Side
    lead: int
    fielding_runs: int
    """Runs of the side in the field."""
    outs: int
    bases: int
    rallybird_holders: RallybirdHolders
    gloves: GloveStates
    removed: int
    """Card removed in this half-inning, if this seat knows it."""
    played: frozenset[int]
    """Cards shown in this half-inning, none of which is the removed one."""
    layout: tuple[int, ...]
    """Glove on each zone, or `NO_GLOVE`. Until new ones are laid, these are those of the last at-bat."""
    shown: RolledAtBat | None
    """The at-bat after its card is shown."""

    @property
    def base_out_state(self) -> int:
        return self.outs * 8 + self.bases

    @property
    def is_batting(self) -> bool:
        return self.seat == self.batting

    @property
    def inning_key(self) -> tuple[int, Side, int, RallybirdHolders, GloveStates]:
        """Arguments of the methods of `InningProbabilities`."""
        return self.inning, self.side, self.lead, self.rallybird_holders, self.gloves


def position_from_view(view: TableView, cards: CardOutcomes, kit: GloveKit) -> RallybirdPosition:
    """Build the position from a view. `view.seat` must be away or home."""
    board, panel = view.scoreboard, view.scoreboard.panel
    seat: Seat = view.seat or "away"
    batting: Seat = "away" if board.half == "top" else "home"
    fielding = opposite_seat(batting)
    numbers = {name: number for number, name in enumerate(cards.names)}
    shown: Mapping[str, Any] = panel["card"] or {}
    roll: Mapping[str, Any] = panel["roll"] or {}
    tested = [zone for zone in panel["zones"].values() if zone["tested"]]
    names = [zone["glove"]["name"] if zone["glove"] else "" for zone in tested]
    return RallybirdPosition(
        seat=seat,
        batting=batting,
        inning=board.inning,
        side=board.half,
        lead=board.sides[batting].runs - board.sides[fielding].runs,
        fielding_runs=board.sides[fielding].runs,
        outs=board.outs,
        bases=sum(1 << at for at, runner in enumerate(board.bases) if runner),
        rallybird_holders=(panel["rallybird"][batting] != "lost", panel["rallybird"][fielding] != "lost"),
        gloves=tuple(
            GLOVE_OUT if one["out"] else GLOVE_BACK if one["back"] else GLOVE_FRONT for one in panel["gloves"]
        ),
        removed=numbers.get(panel["removed"] or "", -1) if seat == batting else -1,
        played=frozenset(numbers[name] for name in panel["played"]),
        layout=tuple(
            kit.names.index(zone["glove"]["name"]) if zone["glove"] else NO_GLOVE for zone in panel["zones"].values()
        ),
        shown=RolledAtBat(
            card=numbers[shown["name"]],
            target=shown["target"],
            compare=ROLL_COMPARISONS.index(roll["compare"]) if roll else 0,
            rolls=roll["number"] if roll else 0,
            tested_gloves=tuple(kit.names.index(name) if name else NO_GLOVE for name in names),
        )
        if shown
        else None,
    )
