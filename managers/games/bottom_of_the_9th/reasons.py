"""One-sentence reasons for answers. They use only public facts and reveal neither a mixed strategy nor a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.games.bottom_of_the_9th.visible_position import NinthPosition
from managers.manager import WeighedAnswer


def with_reasons(
    weighed: Sequence[WeighedAnswer], why: str, here: NinthPosition | None, ace: Sequence[str]
) -> list[WeighedAnswer]:
    """Add a reason to each answer. `here` is None until both sides are set up."""
    return [replace(one, reason=answer_reason(str(one.value), why, here, ace)) for one in weighed]


def answer_reason(value: str, why: str, here: NinthPosition | None, ace: Sequence[str]) -> str:
    """Return a likely reason for this answer, or ""."""
    if here is None:
        return _draft_reason(value, why)
    pitcher, batter = _last_name(here.match.pitcher), _last_name(here.match.lineup[0])
    match why:
        case "guess":
            looks = value.replace("-", " and ")
            return f"{_count_clause(here)}, and {batter} looks for {looks}."
        case "pitch-call" if value == "-".join(ace):
            return f"{_count_clause(here)}, and {pitcher} goes with the ace pitch."
        case "pitch-call" if set(value.split("-")).isdisjoint(ace):
            return f"{_count_clause(here)}, and this pitch saves {pitcher}'s arm."
        case "pitch-call":
            part = next(part for part in value.split("-") if part in ace)
            return f"{_count_clause(here)}, and {pitcher} works {part}."
        case "relief" if value == "bench":
            return f"{_last_name(here.match.reliever or '')} is fresh, and {pitcher} has done his part."
        case "relief" if value == "none":
            return f"{pitcher} keeps going without a rest."
        case "relief":
            return f"{pitcher} takes a breather while a base is open."
        case "ability":
            return "This is the moment for it." if value == "use" else "Better to save it."
    return ""


def _draft_reason(value: str, why: str) -> str:
    if why.startswith("bat-"):
        return f"{_last_name(value)} is a good bat in this spot in the order."
    if why == "lineup":
        return "These six hit well together." if value == "ready-made" else "The batting order deserves some thought."
    if why == "starter":
        return f"{_last_name(value)} can hold these batters from the start."
    return f"{_last_name(value)} is good to have in the pen." if why == "reliever" else ""


def _count_clause(here: NinthPosition) -> str:
    if (here.balls, here.strikes) == (3, 2):
        return "The count is full"
    if here.strikes == 2:
        return "There are two strikes"
    if here.balls == 3:
        return "There are three balls"
    runners = bin(here.bases).count("1")
    if runners == 3:
        return "The bases are loaded"
    if here.bases & 4:
        return "The winning run is on third"
    if runners:
        return "The winning run is on base"
    return ("Nobody is out", "There is one out", "There are two outs")[here.outs] if here.outs < 3 else "It is late"


def _last_name(name: str) -> str:
    return name.split()[-1] if name else ""
