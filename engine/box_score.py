"""The box score, folded from the events of any game, and the star of the game in it."""

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
"""The statistics for a turn at the plate that was not a hit."""


@dataclass(frozen=True, slots=True)
class BattingTotals:
    """The batting totals of a side or a batter. Walks, hit batters and the game's sacrifices are not at-bats."""

    at_bats: int = 0
    runs: int = 0
    hits: int = 0
    driven_in: int = 0
    walks: int = 0
    strikeouts: int = 0


@dataclass(frozen=True, slots=True)
class SideBoxScore:
    """A side's box score: runs in each half-inning it batted, its totals, and its batters in the order of their first
    statistic; no batters if the game's batters have no names.
    """

    line: tuple[int | None, ...]
    total: BattingTotals
    batters: Mapping[str, BattingTotals]


def box_scores(log: Sequence[LoggedEvent]) -> dict[Seat, SideBoxScore]:
    """Fold the events of any game into the box score of each seat; if several games follow each other, that of the
    last.

    Batters are identified by name alone. A run counts for its runner and for the batter who drove it in only once it is
    on the board. Without names it counts for the side alone, and nobody drove it in.
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
    """The batter who did most for a side, or in a game whose batters have no names the best half-inning.

    `name` is the batter's, or the half-inning's in words; `words` say what he did, or what came of it.
    """

    seat: Seat
    name: str
    words: str


def find_star(box: Mapping[Seat, SideBoxScore], outcome: Outcome) -> Star | None:
    """Return the star of a finished game; None if nobody has a hit or a run.

    A run driven in counts two, a hit and a run one each. Between equals, the winning side's comes first, then who drove
    in more, then who had fewer at-bats, then the order of the box score.
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
    """Return what a batter did: "2 for 4, 1 run, 3 RBI"."""
    more = [(did.runs, "run", "runs"), (did.driven_in, "RBI", "RBI"), (did.walks, "walk", "walks")]
    said = [f"{many} {one if many == 1 else several}" for many, one, several in more if many]
    return ", ".join([f"{did.hits} for {did.at_bats}", *said])


def _best_half_inning(box: Mapping[Seat, SideBoxScore], sides: tuple[Seat, ...]) -> Star | None:
    """Return the half-inning with the most runs, the last of those with equally many of one side."""
    played = [(runs, seat, inning) for seat in sides for inning, runs in enumerate(box[seat].line, 1) if runs]
    if not played:
        return None
    most = max(runs for runs, _, _ in played)
    seat = next(seat for runs, seat, _ in played if runs == most)
    inning = max(inning for runs, by, inning in played if (runs, by) == (most, seat))
    half: Half = "top" if seat == "away" else "bottom"
    return Star(seat, f"The {half} of inning {inning}", f"{most} {'run' if most == 1 else 'runs'}")
