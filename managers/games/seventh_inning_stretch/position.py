"""Conversion of a seat's view to cards and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.seventh_inning_stretch.cards import (
    NO_CONDITION,
    OpponentTeam,
    PlayoffCondition,
    StretchBatter,
    StretchBox,
    StretchPitcher,
    parse_condition,
)
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.house_rules import COACHES_BY_VALUE, DIFFICULTIES_BY_VALUE
from engine.innings import InningClock
from engine.seats import Seat, opposite_seat
from engine.views import TableView
from managers.games.seventh_inning_stretch.half import MAX_POOL_TOKENS, BattingRules
from managers.games.seventh_inning_stretch.lines import BLANK_CARD_BATTER


@dataclass(frozen=True, slots=True)
class VisibleSquad:
    """The players of one seat. `due` is an index into the order. `pitchers` are those still in the game."""

    order: tuple[str, ...]
    due: int
    bench: tuple[str, ...]
    pitchers: tuple[str, ...]
    pitcher: str
    batters: tuple[str, ...]
    arms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StretchPosition:
    """A seat's view as its manager uses it.

    mine: side that the seat plays now.
    lead: of that side, in runs.
    scored: runs in the current half.
    left: remaining uses of each pitcher.
    """

    box: StretchBox
    house: Mapping[str, str]
    duel: bool
    seat: Seat
    mine: Seat
    clock: InningClock
    lead: int
    scored: int
    outs: int
    bases: tuple[str | None, str | None, str | None]
    batter: str
    dice: tuple[int, ...]
    pool: tuple[int, int, int]
    coach: bool
    squads: Mapping[Seat, VisibleSquad]
    uses_left: Mapping[str, int]
    team: OpponentTeam | None
    condition: PlayoffCondition
    phase: str
    season: Any
    panel: Mapping[str, Any]

    @property
    def batting_seat(self) -> Seat:
        return self.clock.batting_seat

    @property
    def batting_squad(self) -> VisibleSquad:
        """Squad at bat. In a season it is always the manager's."""
        return self.squads[self.batting_seat if self.duel else self.seat]

    @property
    def fielding_squad(self) -> VisibleSquad:
        """Squad in the field. In a season it is always the manager's."""
        return self.squads[opposite_seat(self.batting_seat) if self.duel else self.seat]

    def bases_mask(self) -> int:
        return sum(1 << at for at, runner in enumerate(self.bases) if runner)

    def guard_facts(self) -> GuardFacts:
        """Return the facts for guards from the perspective of the side at bat."""
        first, second, third = (runner is not None for runner in self.bases)
        bench = len(self.batting_squad.bench)
        return GuardFacts(
            self.outs, (first, second, third), self.clock.inning, self.side_lead(self.batting_seat), bench
        )

    def side_lead(self, side: Seat) -> int:
        return self.lead if side == self.mine else -self.lead

    def batter_card(self, name: str) -> StretchBatter:
        """Return a batter's card, or `BLANK_CARD_BATTER` for a blank one."""
        card = self.box.batters[name]
        return BLANK_CARD_BATTER if card.blank else card

    def batting_order_cards(self, squad: VisibleSquad) -> tuple[StretchBatter, ...]:
        return tuple(self.batter_card(name) for name in squad.order)

    def pitcher_card(self, name: str) -> StretchPitcher:
        return self.box.pitchers[name]

    def has_option(self, what: str) -> bool:
        """True if a difficulty or a coach was chosen. A duel has none."""
        return (
            not self.duel
            and what in DIFFICULTIES_BY_VALUE[self.house["difficulty"]] | COACHES_BY_VALUE[self.house["coach"]]
        )

    def batting_rules(self) -> BattingRules:
        limits = dict(self.condition.most)
        banned = {what for what in ("rerolls", "nudges", "steals", "extra-bases") if limits.get(what) == 0}
        banned |= self.condition.ban
        return BattingRules(
            any_runner=self.house["extraBaseOut"] == "anyRunner",
            best=self.house["conditionChoice"] == "best",
            coach=self.has_option("hitting"),
            coach_runs=self.has_option("hitting") and self.house["coachDiePerRoll"] == "true",
            rerolls="rerolls" not in banned,
            nudges="nudges" not in banned,
            steals="steals" not in banned,
            extra_bases="extra-bases" not in banned,
            limit=min(self.condition.limit or 12, 12),
        )

    def starting_pool(self) -> tuple[int, int, int]:
        """Return the dice, rerolls and nudges in the pool at the start of a half, without a coach's die."""
        return (1, 1, 1) if self.has_option("rookie") else (0, 0, 0)


def capped_pool(pool: Sequence[int], dice: int) -> tuple[int, int, int]:
    """Limit a pool to the sizes in the tables."""
    return max(0, min(pool[0], dice)), min(pool[1], MAX_POOL_TOKENS), min(pool[2], MAX_POOL_TOKENS)


def position_from_view(box: StretchBox, house: Mapping[str, str], view: TableView, seat: Seat) -> StretchPosition:
    board, panel = view.scoreboard, view.scoreboard.panel
    duel = house["mode"] == "duel"
    mine = seat if duel else board.plays.get(seat, seat)
    clock = InningClock(board.inning, board.half)
    side, opposite = board.sides[mine], board.sides[opposite_seat(mine)]
    pool = panel["pool"]
    coach = bool(pool and pool["coach"])
    now = (pool["dice"] - coach, pool["rerolls"], pool["nudges"]) if pool else (0, 0, 0)
    squads = {of: _build_squad(shown) for of, shown in panel["squads"].items()}
    left = {
        arm["name"]: arm["stamina"] - arm["tired"] for shown in panel["squads"].values() for arm in shown["pitchers"]
    }
    faced = panel["team"]
    team = next((one for one in box.teams.values() if faced and one.name == faced["name"]), None)
    shown_force = panel["force"]
    return StretchPosition(
        box=box,
        house=house,
        duel=duel,
        seat=seat,
        mine=mine,
        clock=clock,
        lead=side.runs - opposite.runs,
        scored=_last_half_runs(board.sides[clock.batting_seat].line, house),
        outs=min(board.outs, 2),
        bases=board.bases,
        batter=board.batter or "",
        dice=tuple(face for face in board.dice if isinstance(face, int)),
        pool=now,
        coach=coach,
        squads=squads,
        uses_left=left,
        team=team,
        condition=NO_CONDITION if shown_force == "none" else parse_condition(shown_force),
        phase=panel["phase"],
        season=panel["season"],
        panel=panel,
    )


def _last_half_runs(line: Sequence[int | None], house: Mapping[str, str]) -> int:
    """Return the runs of the last half in a line score (A35)."""
    if not line or line[-1] is None:
        return 0
    before = line[-2] if house["scoreToken"] == "total" and len(line) > 1 else 0
    return line[-1] - (before or 0)


def _build_squad(shown: Any) -> VisibleSquad:
    order = tuple(one["name"] for one in shown["lineup"])
    due = next((at for at, one in enumerate(shown["lineup"]) if one["due"]), 0)
    arms = tuple(one["name"] for one in shown["pitchers"])
    pitcher = next((one["name"] for one in shown["pitchers"] if one["pitches"]), "")
    able = tuple(one["name"] for one in shown["pitchers"] if not one["out"])
    batters = tuple(one["name"] for one in shown["batters"])
    return VisibleSquad(order, due, tuple(shown["bench"]), able, pitcher, batters, arms)
