"""The score book of outs, runs, and lines of batters and pitchers (3.3, 3.4.B, CL-373 to CL-384)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import State
from engine.seats import SEATS, replace_for_seat

STATISTICS_BY_ENTRY: Mapping[str, Mapping[str, int]] = {
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
"""Statistics that an entry adds to a batter's line. An intentional walk is not a walk (CL-315)."""

TURN_ENDINGS = {
    "BB": "walk",
    "IBB": "walk",
    "HBP": "hit-by-pitch",
    "SO": "strikeout",
    "SF": "sacrifice",
    "SAC": "sacrifice",
}
"""Endings of a plate appearance for the box scores of every game. Hits have their own fact; all others are outs."""

HIT_CODES = ("1B", "2B", "3B", "HR")


def add_statistics(s: State, name: str, **more: int) -> None:
    side, lines = s.offense, s.lines[s.offense == "home"]
    before = lines[name]
    after = replace(before, **{what: getattr(before, what) + count for what, count in more.items()})
    s.lines = replace_for_seat(s.lines, side, {**lines, name: after})


def record_entry(s: State, what: str, name: str = "") -> None:
    """Record the end of a plate appearance or a stolen base, for the batter or for `name`, and for the pitcher."""
    add_statistics(s, name or s.batter_card.name, **STATISTICS_BY_ENTRY[what])
    arm = s.current_record
    match what:
        case "1B" | "2B" | "3B" | "HR":
            arm = replace(arm, hits=arm.hits + 1, homers=arm.homers + (what == "HR"))
        case "BB":
            arm = pitcher_record.count_walk(arm)
        case "IBB":
            arm = pitcher_record.count_intentional_walk(arm)
        case "HBP":
            arm = pitcher_record.count_hit_batter(arm)
        case "SO":
            arm = replace(arm, strikeouts=arm.strikeouts + 1)
        case "E":
            s.errors = replace_for_seat(s.errors, s.defense, s.errors[SEATS.index(s.defense)] + 1)
    s.store_record(s.defense, arm)


def put_out(s: State, name: str) -> None:
    """Count an out, for the pitcher too, but never a fourth. The next event of the play names who is out."""
    if s.outs == 3:
        return
    s.outs += 1
    s.retired += (name,)
    s.store_record(s.defense, pitcher_record.count_outs(s.current_record, 1))
    s.update_at_bat(tags=s.at.tags | {"out"})


def judge_quality(s: State) -> None:
    """Judge the Quality Appearance of pitchers who got their 15th out in the completed play (CL-104, CL-105)."""
    team = tuple(s.arms[SEATS.index(s.defense)].values())
    for arm in team:
        if arm.due:
            s.store_record(s.defense, pitcher_record.judge_quality(arm, s.house, team))


def score_run(s: State, runner: BaseRunner, rbi: bool = True) -> bool:
    """Score a run. Return False and record nothing if an earlier run has already won the game (AM-79)."""
    if s.is_walk_off and s.house["walkoffRuns"] == "baseball" and s.at.outcome != "HR":
        return False
    before = lead_sign(s.score)
    s.score = replace_for_seat(s.score, s.offense, s.score[SEATS.index(s.offense)] + 1)
    s.runs += 1
    happened = {"run", "rbi"} if rbi else {"run"}
    if lead_sign(s.score) != before:
        happened.add("lead-change")
    s.update_at_bat(tags=s.at.tags | happened)
    add_statistics(s, runner.name, r=1)
    if rbi:
        add_statistics(s, s.batter_card.name, rbi=1)
    charged = s.arms[SEATS.index(s.defense)].get(runner.pitcher)
    if charged and not runner.automatic:
        s.store_record(s.defense, pitcher_record.charge_run(charged, runner.earned))
    if s.current_record.name != runner.pitcher and not runner.automatic:
        s.store_record(s.defense, replace(s.current_record, scored=s.current_record.scored + 1))
    return True


def lead_sign(score: tuple[int, int]) -> int:
    """Return -1 if away leads, 1 if home leads, and 0 if tied (CL-373)."""
    return (score[1] > score[0]) - (score[0] > score[1])


def emit_play(s: State, code: str, runs: Sequence[str] = (), rbi: bool = True, ending: str = "", **facts: Any) -> None:
    """Emit an event of the side at bat with the facts for box scores. `runs` are the names of those who scored.
    `ending` is a key of `STATISTICS_BY_ENTRY` if it ends a plate appearance.
    """
    batter = s.batter_card.name
    if ending:
        facts |= {"hit": True} if ending in HIT_CODES else {"turn": TURN_ENDINGS.get(ending, "out")}
    if runs:
        facts |= {"scored": len(runs), "runners": tuple(runs), "by": batter if rbi else ""}
    s.emit(code, seat=s.offense, batter=batter, pitcher=s.pitcher_card.name, **facts, **retired_fact(s))


def retired_fact(s: State) -> dict[str, tuple[str, ...]]:
    """Return the fact of the players put out since the last event that had it, or {}."""
    names, s.retired = s.retired, ()
    return {"retired": names} if names else {}
