"""The statistics of players and sides, with the official definitions of their rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class BattingStats:
    """The batting of a player or a side in some games, as in the Official Baseball Rules, 9.02 to 9.22."""

    games: int = 0
    plate_appearances: int = 0
    at_bats: int = 0
    runs: int = 0
    hits: int = 0
    doubles: int = 0
    triples: int = 0
    home_runs: int = 0
    driven_in: int = 0
    """Runs batted in (RBI)."""
    walks: int = 0
    hit_by_pitch: int = 0
    sacrifice_hits: int = 0
    sacrifice_flies: int = 0
    strikeouts: int = 0
    steals: int = 0
    caught_stealing: int = 0

    @property
    def total_bases(self) -> int:
        return self.hits + self.doubles + 2 * self.triples + 3 * self.home_runs

    @property
    def batting_average(self) -> float | None:
        """Hits by at-bat (AVG), None without an at-bat."""
        return _ratio(self.hits, self.at_bats)

    @property
    def on_base_percentage(self) -> float | None:
        """OBP: hits, walks and hit batters by at-bats, walks, hit batters and sacrifice flies (rule 9.21(f))."""
        reached = self.hits + self.walks + self.hit_by_pitch
        return _ratio(reached, self.at_bats + self.walks + self.hit_by_pitch + self.sacrifice_flies)

    @property
    def slugging(self) -> float | None:
        """Total bases by at-bat (SLG)."""
        return _ratio(self.total_bases, self.at_bats)

    @property
    def on_base_plus_slugging(self) -> float | None:
        """OPS: the sum of OBP and SLG, None without an at-bat."""
        on_base, slugging = self.on_base_percentage, self.slugging
        return None if on_base is None or slugging is None else on_base + slugging


@dataclass(frozen=True, slots=True)
class PitchingStats:
    """The pitching of a player in some games. Runs are charged to the pitcher who let the runner on base (9.16)."""

    games: int = 0
    outs: int = 0
    batters: int = 0
    hits: int = 0
    runs: int = 0
    earned_runs: int = 0
    walks: int = 0
    strikeouts: int = 0

    @property
    def innings_pitched(self) -> str:
        """Innings with thirds after the point, such as "6.2" (IP)."""
        return f"{self.outs // 3}.{self.outs % 3}"

    @property
    def earned_run_average(self) -> float | None:
        """Earned runs in nine innings (ERA), None before the first out."""
        return _ratio(27 * self.earned_runs, self.outs)

    @property
    def walks_and_hits_per_inning(self) -> float | None:
        """WHIP, None before the first out."""
        return _ratio(3 * (self.walks + self.hits), self.outs)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


StatsT = TypeVar("StatsT", BattingStats, PitchingStats)


def sum_stats(one: StatsT, other: StatsT) -> StatsT:
    """Return the sum of two lines of statistics."""
    return type(one)(*(getattr(one, each.name) + getattr(other, each.name) for each in fields(one)))


@dataclass(frozen=True, slots=True)
class SideStats:
    """One side of one game.

    seat: the seat that played this side.
    cards: the side's name on its cards, the same in every game with these cards; "" if cards have no teams.
    line: runs by inning, None for one in which the side did not bat.
    total: of all batters, also of those without a name.
    batters, pitchers: by name, in the order of first plays; empty if they have no names.
    """

    seat: Seat
    cards: str
    runs: int
    hits: int
    line: tuple[int | None, ...]
    total: BattingStats
    batters: Mapping[str, BattingStats] = field(default_factory=dict)
    pitchers: Mapping[str, PitchingStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameStats:
    """One finished game of a journal, by side: `away` batted first.

    place: the number of the game in its journal, from 1; a season or a series has several.
    winner: the side that won, None for a tie.
    regulation: the last inning unless the score is tied. The qualifying minimums of short games are lower.
    half_innings: half-innings that one side bats in a game of regulation length, 1 in Bottom of the 9th.
    """

    place: int
    sides: Mapping[Seat, SideStats]
    winner: Seat | None
    innings: int
    regulation: int = 9
    half_innings: int = 9
