"""The score book: outs, runs, and the lines of batters and pitchers (3.3, 3.4.B, CL-373 to CL-384)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import State
from engine.seats import SEATS, put

CREDIT: Mapping[str, Mapping[str, int]] = {
    "1B": {"pa": 1, "ab": 1, "h": 1},
    "2B": {"pa": 1, "ab": 1, "h": 1, "doubles": 1},
    "3B": {"pa": 1, "ab": 1, "h": 1, "triples": 1},
    "HR": {"pa": 1, "ab": 1, "h": 1, "hr": 1},
    "BB": {"pa": 1, "bb": 1},
    "IBB": {"pa": 1, "ibb": 1},
    "HBP": {"pa": 1, "hbp": 1},
    "SO": {"pa": 1, "ab": 1, "so": 1},
    "out": {"pa": 1, "ab": 1},
    "SF": {"pa": 1, "sf": 1},
    "SAC": {"pa": 1, "sac": 1},
    "FC": {"pa": 1, "ab": 1, "fc": 1},
    "E": {"pa": 1, "ab": 1, "e": 1},
    "GDP": {"pa": 1, "ab": 1, "gdp": 1},
    "SB": {"sb": 1},
    "CS": {"cs": 1},
}
"""What an entry in the book adds to a batter's line; an intentional walk is not a walk (CL-315)."""

TURNS = {"BB": "walk", "IBB": "walk", "HBP": "hit-by-pitch", "SO": "strikeout", "SF": "sacrifice", "SAC": "sacrifice"}
"""How a turn at the plate ended, for the box scores of every game. Hits have a fact of their own; others are outs."""

HITS = ("1B", "2B", "3B", "HR")


def mark(s: State, name: str, **more: int) -> None:
    """Add to a batter's line."""
    side, lines = s.offence, s.lines[s.offence == "home"]
    before = lines[name]
    after = replace(before, **{what: getattr(before, what) + count for what, count in more.items()})
    s.lines = put(s.lines, side, {**lines, name: after})


def credit(s: State, what: str, name: str = "") -> None:
    """Record how a turn ended, or a stolen base, for the batter or for `name`; and for the pitcher."""
    mark(s, name or s.batter.name, **CREDIT[what])
    arm = s.arm
    match what:
        case "1B" | "2B" | "3B" | "HR":
            arm = replace(arm, hits=arm.hits + 1, homers=arm.homers + (what == "HR"))
        case "BB":
            arm = pitcher_record.walk(arm)
        case "IBB":
            arm = pitcher_record.ibb(arm)
        case "HBP":
            arm = pitcher_record.hit_by_pitch(arm)
        case "SO":
            arm = replace(arm, strikeouts=arm.strikeouts + 1)
        case "E":
            s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
    s.pitched(s.defence, arm)


def put_out(s: State, name: str) -> None:
    """Count an out, for the pitcher too; there is never a fourth. The next event of the play names who is out."""
    if s.outs == 3:
        return
    s.outs += 1
    s.retired += (name,)
    s.pitched(s.defence, pitcher_record.retire(s.arm, 1))
    s.now(tags=s.at.tags | {"out"})


def judge(s: State) -> None:
    """Judge the Quality Appearance of pitchers who got their 15th out in the play that is over (CL-104, CL-105)."""
    team = tuple(s.arms[SEATS.index(s.defence)].values())
    for arm in team:
        if arm.due:
            s.pitched(s.defence, pitcher_record.judge(arm, s.house, team))


def score(s: State, runner: Runner, rbi: bool = True) -> bool:
    """Score a run. Return False, and record nothing, if an earlier run has already won the game (AM-79)."""
    if s.over and s.house["walkoffRuns"] == "baseball" and s.at.outcome != "HR":
        return False
    before = leader(s.score)
    s.score = put(s.score, s.offence, s.score[SEATS.index(s.offence)] + 1)
    s.runs += 1
    happened = {"run", "rbi"} if rbi else {"run"}
    if leader(s.score) != before:
        happened.add("lead-change")
    s.now(tags=s.at.tags | happened)
    mark(s, runner.name, r=1)
    if rbi:
        mark(s, s.batter.name, rbi=1)
    charged = s.arms[SEATS.index(s.defence)].get(runner.pitcher)
    if charged and not runner.automatic:
        s.pitched(s.defence, pitcher_record.run(charged, runner.earned))
    if s.arm.name != runner.pitcher and not runner.automatic:
        s.pitched(s.defence, replace(s.arm, scored=s.arm.scored + 1))
    return True


def leader(score: tuple[int, int]) -> int:
    """Return who is ahead: -1 away, 1 home, 0 nobody (CL-373)."""
    return (score[1] > score[0]) - (score[0] > score[1])


def tell(s: State, code: str, runs: Sequence[str] = (), rbi: bool = True, ending: str = "", **facts: Any) -> None:
    """Send an event of the side at bat with the facts for box scores. `runs` are the names of those who scored.
    `ending` is how a turn at the plate ended, a key of `CREDIT`.
    """
    batter = s.batter.name
    if ending:
        facts |= {"hit": True} if ending in HITS else {"turn": TURNS.get(ending, "out")}
    if runs:
        facts |= {"scored": len(runs), "runners": tuple(runs), "by": batter if rbi else ""}
    s.tell(code, seat=s.offence, batter=batter, pitcher=s.pitcher.name, **facts, **retired(s))


def retired(s: State) -> dict[str, tuple[str, ...]]:
    """Return the fact of who was put out since the last event that had it; nothing if nobody was."""
    names, s.retired = s.retired, ()
    return {"retired": names} if names else {}
