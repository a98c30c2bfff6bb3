"""What the results of an At Bat card are made of: phrases, and what they do with batter and runners.

    less = "double play"
    equal = "runner on first out, batter to first; else batter grounds out"
    more = "batter to first, runners +1"

What follows "; else" holds where a runner that was named is not there. Without it such a runner is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.cards import Phrases, quoted, unknown
from engine.diamond import HOME, Bases

COMPARES = ("less", "equal", "more")
"""The dice against the Gloves (RB-006)."""

NAMES = ("first", "second", "third", "home")
"""The bases, and home, by their number less one."""

ALL, LEAD, BATTER = "runners", "lead runner", "batter"
OUT = -1
"""Instead of how far a runner goes."""

OUTS = ("ground", "air", "other")
"""Ways for a batter to be out: thrown out at first, which alone forces runners on; caught; any other (RB-106, A22)."""

_BASE, _BY = r"(?P<base>first|second|third)", r"(?P<by>\+[1-3]|scores|holds?|out)"

_GRAMMAR = (
    (r"batter stays", "stays"),
    (r"batter grounds out", "ground"),
    (r"batter flies out", "air"),
    (r"batter out", "other"),
    (r"batter walks", "walk"),
    (r"batter to (?P<base>first|second|third|home)", "hit"),
    (r"double play", "double"),
    (rf"runner on {_BASE} {_BY}", "runner"),
    (rf"lead runner {_BY}", LEAD),
    (r"runners (?P<by>\+[1-3]|hold)", ALL),
)
"""Every phrase there is, and what it is about."""

PHRASES: Phrases = {
    "batter to first, batter to second, batter to third, batter to home": "he is on, or in",
    "batter walks": "he is on first, but it is no hit",
    "batter grounds out": "he is out at first: runners who would have had to make room go on",
    "batter flies out": "he is out, and nobody is forced",
    "batter out": "the same, for a strikeout and any other out",
    "batter stays": "he bats on; so it is without any phrase about him",
    "double play": ("short for batter grounds out, runner on first out; with nobody on first only the batter is out"),
    "runners +1, runners +2, runners +3": "all go on that far",
    "runners hold": "they stay, as they do without it",
    "runner on first +1": "one goes on; +2, +3 and scores too, and second and third",
    "runner on first holds": "he stays, whatever the others do, unless he is forced",
    "runner on first out": "he is out",
    "lead runner +1, lead runner out": "the same for the runner nearest to home",
}
"""Every phrase for people, as docs/cards.md has it too."""

_STEPS = {"+1": 1, "+2": 2, "+3": 3, "scores": 3, "hold": 0, "holds": 0, "out": OUT}

Who = int | str
"""The runner on a base, 1 to 3; or LEAD, or ALL."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result, as typed and taken apart.

    `batter` is "stays", "hit", "walk" or one of OUTS, `reach` the base he comes to (0: none; 4: home). `runners` says
    how many bases each goes on, or OUT; `otherwise` is what holds where one that is named is missing.
    """

    text: str
    batter: str = "stays"
    reach: int = 0
    runners: tuple[tuple[Who, int], ...] = ()
    otherwise: Result | None = None

    def named(self) -> tuple[Who, ...]:
        """The runners it speaks of one by one."""
        return tuple(who for who, _ in self.runners if who != ALL)

    def chain(self) -> tuple[Result, ...]:
        """This result, and those that hold instead of it."""
        return (self, *(self.otherwise.chain() if self.otherwise else ()))


def phrase(text: Any) -> Result:
    """The result that `text` says. Raises ValueError with the reason."""
    if not isinstance(text, str):
        raise ValueError(f"wants a phrase, not {quoted(text)}.")
    found: Result | None = None
    for part in reversed(text.split("; else ")):
        found = _single(part, found)
    assert found is not None
    return found


def _single(text: str, otherwise: Result | None) -> Result:
    batter, reach = "stays", 0
    runners: dict[Who, int] = {}
    said: list[Who] = []
    for part in text.split(", "):
        about, groups = _part(part)
        base = NAMES.index(groups["base"]) + 1 if groups.get("base") else 0
        by = _STEPS[groups.get("by") or "out"]
        match about:
            case "runner" | "lead runner" | "runners":
                who: Who = base if about == "runner" else about
                runners[who] = by
                said.append(who)
            case "double":
                batter, runners[1] = "ground", OUT
                said += [BATTER, 1]
            case _:
                batter, reach = about, base or int(about == "walk")
                said.append(BATTER)
    for who in said:
        if said.count(who) > 1:
            named = f"the runner on {NAMES[who - 1]}" if isinstance(who, int) else f"the {who}"
            raise ValueError(f"{quoted(text)} says twice what becomes of {named}.")
    if (batter in OUTS) + list(runners.values()).count(OUT) > 2:
        raise ValueError(f"{quoted(text)} makes more than two outs.")
    return Result(text, batter, reach, tuple(runners.items()), otherwise)


def _part(text: str) -> tuple[str, dict[str, str | None]]:
    for pattern, about in _GRAMMAR:
        if found := re.fullmatch(pattern, text):
            return about, found.groupdict()
    raise ValueError(unknown(text, "result", PHRASES))


# At work -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What a result did. `outs` are those before it and its own, at most 3; `home` who scored, in order.

    `moves` are (from, to) of the runners that went on, `lost` the bases whose runners are out. `moved`: the result's
    own words moved somebody forward; `advanced`: somebody went forward, pushed or not (A8).
    """

    result: Result
    bases: Bases[int]
    outs: int
    home: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    lost: tuple[int, ...]
    moved: bool
    advanced: bool


def holds(result: Result, bases: Bases[int]) -> Result:
    """The result, or the first after an "else" whose runners are all there (RB-103, A6)."""
    if result.otherwise is None or there(result, bases):
        return result
    return holds(result.otherwise, bases)


def there(result: Result, bases: Bases[int]) -> bool:
    """Whether every runner it speaks of one by one is on base."""
    return all(bases[who - 1] if isinstance(who, int) else any(bases) for who in result.named())


def run(result: Result, bases: Bases[int], batter: int, outs: int, run_on_third_out: bool = False) -> Ran:
    """Carry a result out, with ordinary baseball logic (RB-083 to RB-086, RB-099 to RB-106).

    From the batter on, whoever is caught up with is pushed on; who is out pushes all the same, for he was running. A
    batter thrown out at first pushes as if he had reached it. With the third out no run counts (A16).
    """
    by = dict(result.runners)
    lead = max((at for at, runner in enumerate(bases, 1) if runner is not None), default=0)
    taken = 1 if result.batter == "ground" else result.reach
    reached: list[tuple[int, int, int]] = []
    lost: list[int] = []
    moved = result.reach > 0
    for at, runner in enumerate(bases, 1):
        if runner is None:
            continue
        steps = by.get(at, by.get(LEAD, by.get(ALL, 0)) if at == lead else by.get(ALL, 0))
        taken = max(at + max(0, steps), taken + 1)
        moved = moved or steps > 0
        if steps == OUT:
            lost.append(at)
        else:
            reached.append((at, min(taken, HOME), runner))
    outs = min(3, outs + len(lost) + (result.batter in OUTS))
    third = outs == 3
    on = {to: runner for _, to, runner in reached} | ({result.reach: batter} if result.reach else {})
    home = [runner for _, to, runner in reversed(reached) if to == HOME]
    home += [batter] if result.reach == HOME else []
    moves = tuple((at, to) for at, to, _ in reached if to > at)
    return Ran(
        result=result,
        bases=(None, None, None) if third else (on.get(1), on.get(2), on.get(3)),
        outs=outs,
        home=() if third and not run_on_third_out else tuple(home),
        moves=moves,
        lost=tuple(lost),
        moved=moved and not third,
        advanced=bool(moves or result.reach),
    )
