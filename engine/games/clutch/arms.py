"""A pitcher in one game: what he did, when he tires, and when he may be taken out (CL-096 to CL-117, 4.4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arm:
    """A pitcher's game so far.

    `limit` is the inning limit of the `role` he fills ("SP", "RP", "OP", "BP"). `outs` are recorded by him, also over
    several innings; `faced` are plate appearances completed against him, `now` those and `outs_now` the outs of this
    half-inning. `walks`, `runs` and `earned` are charged to him. `added` are innings that cards gave in the game,
    `added_now` in this half-inning. `quality`: he has earned the Quality Appearance. `owes`: games of rest he still
    owed when he came in. `pitched`: he threw a pitch; `tired`: one while he was tired. `beyond` are the numbers of outs
    (3, 6, 9, 12) after which he faced another batter. `inherited` are runners he came in with, and `scored` those of
    them who did. `hits`, `strikeouts`, `homers` are of the box score.
    """

    name: str
    role: str
    limit: int
    owes: int = 0
    outs: int = 0
    outs_now: int = 0
    faced: int = 0
    now: int = 0
    walks: int = 0
    intentional: int = 0
    hit_batters: int = 0
    runs: int = 0
    earned: int = 0
    hits: int = 0
    homers: int = 0
    strikeouts: int = 0
    inherited: int = 0
    scored: int = 0
    added: int = 0
    added_now: int = 0
    quality: bool = False
    pitched: bool = False
    tired: bool = False
    beyond: frozenset[int] = frozenset()
    finished: bool = False
    """The half-inning he came in was completed by him (CL-135)."""
