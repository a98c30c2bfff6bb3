"""The box score of any game, computed from its events, and the star of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.events import LoggedEvent
from engine.innings import Half, Outcome
from engine.scoreboard import last_game_events, line_score
from engine.seats import SEATS, Seat

TURN_STATISTICS = {
    "out": ("at_bats",),
    "strikeout": ("at_bats", "strikeouts"),
    "walk": ("walks",),
    "hit-by-pitch": (),
    "sacrifice": (),
}
"""The statistics of a plate appearance without a hit, by the fact `turn`."""


@dataclass(frozen=True, slots=True)
class BattingTotals:
    """The batting totals of a side or a batter. Walks, hit batters and sacrifices of the rulebook are not at-bats."""

    at_bats: int = 0
    runs: int = 0
    hits: int = 0
    driven_in: int = 0
    """Runs batted in (RBI)."""
    walks: int = 0
    strikeouts: int = 0


@dataclass(frozen=True, slots=True)
class SideBoxScore:
    """The box score of one side."""

    line: tuple[int | None, ...]
    """The runs in each inning; null for one that the side has not batted in."""
    total: BattingTotals
    batters: Mapping[str, BattingTotals]
    """The totals by name, in the order of first statistics; empty if the batters of the game have no names."""


def box_scores(log: Sequence[LoggedEvent]) -> dict[Seat, SideBoxScore]:
    """Return the box score of each seat. Of a series of games, only the last counts.

    Batters are identified by name alone. A run counts for its runner, and as an RBI, only when it is on the board.
    Without names it counts for the side alone, without an RBI.
    """
    log = last_game_events(log)
    line = line_score(log).lines
    totals: dict[Seat, Counter[str]] = {seat: Counter() for seat in SEATS}
    batters: dict[Seat, dict[str, Counter[str]]] = {seat: {} for seat in SEATS}
    seat: Seat = "away"
    home: list[tuple[str, str]] = []

    def count_statistics(name: str, *what: str) -> None:
        totals[seat].update(what)
        if name:
            batters[seat].setdefault(name, Counter()).update(what)

    for logged in log:
        facts = logged.event.facts
        if logged.event.code == "half-inning":
            seat, home = facts["seat"], []
        if facts.get("hit"):
            count_statistics(facts.get("batter", ""), "at_bats", "hits")
        elif "turn" in facts:
            count_statistics(facts.get("batter", ""), *TURN_STATISTICS[facts["turn"]])
        home += [(runner, facts["by"]) for runner in facts.get("runners", ())]
        if scored := facts.get("scored"):
            for runner, by in home or [("", "")] * scored:
                count_statistics(runner, "runs")
                if by:
                    count_statistics(by, "driven_in")
            home = []
    return {
        seat: SideBoxScore(
            line[seat],
            BattingTotals(**totals[seat]),
            {name: BattingTotals(**did) for name, did in batters[seat].items()},
        )
        for seat in SEATS
    }


@dataclass(frozen=True, slots=True)
class Star:
    """The batter who did most for a side. Without names in the game, it is the best half-inning."""

    seat: Seat
    name: str
    """The name of the batter, or the half-inning in words."""
    words: str
    """The statistics in words, such as "2 for 4, 1 run, 3 RBI" or "4 runs"."""


def find_star(box: Mapping[Seat, SideBoxScore], outcome: Outcome) -> Star | None:
    """Return the star of a finished game, or None if nobody has a hit or a run.

    An RBI counts two points, a hit and a run one each. Ties go to the winning side, then to more RBI, then to fewer
    at-bats, then to the order of the box score.
    """
    sides: tuple[Seat, ...] = SEATS if outcome.winner is None else tuple(sorted(SEATS, key=outcome.winner.__ne__))
    batters = [(seat, name, did) for seat in sides for name, did in box[seat].batters.items()]
    best = max(batters, key=lambda one: (_star_points(one[2]), one[2].driven_in, -one[2].at_bats), default=None)
    if best:
        return Star(best[0], best[1], _batting_summary(best[2])) if _star_points(best[2]) else None
    return _best_half_inning(box, sides)


def _star_points(did: BattingTotals) -> int:
    return 2 * did.driven_in + did.hits + did.runs


def _batting_summary(did: BattingTotals) -> str:
    """Return the statistics of a batter in words: "2 for 4, 1 run, 3 RBI"."""
    more = [(did.runs, "run", "runs"), (did.driven_in, "RBI", "RBI"), (did.walks, "walk", "walks")]
    said = [f"{many} {one if many == 1 else several}" for many, one, several in more if many]
    return ", ".join([f"{did.hits} for {did.at_bats}", *said])


def _best_half_inning(box: Mapping[Seat, SideBoxScore], sides: tuple[Seat, ...]) -> Star | None:
    """Return the half-inning with the most runs. Ties go to the first side in `sides`, then to the later inning."""
    played = [(runs, seat, inning) for seat in sides for inning, runs in enumerate(box[seat].line, 1) if runs]
    if not played:
        return None
    most = max(runs for runs, _, _ in played)
    seat = next(seat for runs, seat, _ in played if runs == most)
    inning = max(inning for runs, by, inning in played if (runs, by) == (most, seat))
    half: Half = "top" if seat == "away" else "bottom"
    return Star(seat, f"The {half} of inning {inning}", f"{most} {'run' if most == 1 else 'runs'}")
