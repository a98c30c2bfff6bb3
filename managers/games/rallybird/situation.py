"""Where the game stands, as one seat's view shows it, in the terms of the value model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.clock import Half as Side
from engine.games.rallybird.results import COMPARES
from engine.seats import Seat, other
from engine.views import TableView
from managers.games.rallybird.fielding import BACK, BARE, FRONT, OUT, Gloves, Kit
from managers.games.rallybird.innings import Birds
from managers.games.rallybird.matchup import Shown
from managers.games.rallybird.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Situation:
    """The score is the lead of the side at bat; cards, Gloves and zones are numbers, -1 or `BARE` for none."""

    seat: Seat
    batting: Seat
    inning: int
    side: Side
    lead: int
    fielding_runs: int
    """The runs of the side in the field."""
    outs: int
    bases: int
    birds: Birds
    gloves: Gloves
    removed: int
    """The card that is out of this half-inning, if this seat knows it."""
    played: frozenset[int]
    """The cards shown in this half-inning: none of them is out."""
    lying: tuple[int, ...]
    """The Glove on each zone, or `BARE`: those of the last at-bat, until they are laid again."""
    shown: Shown | None
    """The at-bat, once its card is shown."""

    @property
    def position(self) -> int:
        """Outs and bases as one number; see `outcomes`."""
        return self.outs * 8 + self.bases

    @property
    def at_bat(self) -> bool:
        """True if the seat bats."""
        return self.seat == self.batting

    @property
    def now(self) -> tuple[int, Side, int, Birds, Gloves]:
        """Return what the values of the innings depend on."""
        return self.inning, self.side, self.lead, self.birds, self.gloves


def situation(view: TableView, cards: Outcomes, kit: Kit) -> Situation:
    """Return the situation of a view; `view.seat` is away or home."""
    board, panel = view.scoreboard, view.scoreboard.panel
    seat: Seat = view.seat or "away"
    batting: Seat = "away" if board.half == "top" else "home"
    fielding = other(batting)
    numbers = {name: number for number, name in enumerate(cards.names)}
    shown: Mapping[str, Any] = panel["card"] or {}
    roll: Mapping[str, Any] = panel["roll"] or {}
    tested = [zone for zone in panel["zones"].values() if zone["tested"]]
    names = [zone["glove"]["name"] if zone["glove"] else "" for zone in tested]
    return Situation(
        seat=seat,
        batting=batting,
        inning=board.inning,
        side=board.half,
        lead=board.sides[batting].runs - board.sides[fielding].runs,
        fielding_runs=board.sides[fielding].runs,
        outs=board.outs,
        bases=sum(1 << at for at, runner in enumerate(board.bases) if runner),
        birds=(panel["rallybird"][batting] != "lost", panel["rallybird"][fielding] != "lost"),
        gloves=tuple(OUT if one["out"] else BACK if one["back"] else FRONT for one in panel["gloves"]),
        removed=numbers.get(panel["removed"] or "", -1) if seat == batting else -1,
        played=frozenset(numbers[name] for name in panel["played"]),
        lying=tuple(
            kit.names.index(zone["glove"]["name"]) if zone["glove"] else BARE for zone in panel["zones"].values()
        ),
        shown=Shown(
            card=numbers[shown["name"]],
            target=shown["target"],
            compare=COMPARES.index(roll["compare"]) if roll else 0,
            rolls=roll["number"] if roll else 0,
            under=tuple(kit.names.index(name) if name else BARE for name in names),
        )
        if shown
        else None,
    )
