"""Results on At Bat cards. Each phrase is an effect on the batter or the runners.

    less = "double play"
    equal = "runner on first out, batter to first; else batter grounds out"
    more = "batter to first, runners +1"

A part after "; else" applies if a named runner is not on base. Without it, such a runner is ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.cards import quoted_value
from engine.diamond import HOME_BASE, Bases
from engine.phrases import PhraseRow, Vocabulary, value_slot

ROLL_COMPARISONS = ("less", "equal", "more")
"""Results of comparing the dice with the Gloves (RB-006)."""

BASE_NAMES = ("first", "second", "third", "home")
"""The bases and home. Base n, from 1 to 4, is at n - 1."""

ALL_RUNNERS = "runners"
LEAD_RUNNER = "lead runner"
BATTER_SUBJECT = "batter"
STEPS_FOR_OUT = -1
"""Value in place of a number of bases for a runner who is out."""

OUT_KINDS = ("ground", "air", "other")
"""Outs of a batter (RB-106, A22). Only "ground", a throw to first, forces runners on. "air" is a catch."""

RunnerKey = int | str
"""The runner on a base, 1 to 3, or `LEAD_RUNNER` or `ALL_RUNNERS`."""


@dataclass(frozen=True, slots=True)
class ResultPart:
    """One phrase of a result, about the batter ("" if not), a runner (0 if not), or both."""

    text: str
    batter: str = ""
    reach: int = 0
    who: RunnerKey = 0
    by: int = 0

    def subjects(self) -> list[RunnerKey]:
        """Return the batter and runners that the phrase is about."""
        return [who for who in (self.batter and BATTER_SUBJECT, self.who) if who]


_STEPS_BY_WORD = {"+1": 1, "+2": 2, "+3": 3, "scores": 3}

RESULT_PHRASES = Vocabulary(
    "result",
    ResultPart,
    {
        "end": value_slot({name: base for base, name in enumerate(BASE_NAMES, 1)}),
        "base": value_slot({name: base for base, name in enumerate(BASE_NAMES[:3], 1)}),
        "on": value_slot({"+1": 1, "+2": 2, "+3": 3}),
        "steps": value_slot(_STEPS_BY_WORD),
        "any": value_slot({**_STEPS_BY_WORD, "hold": 0, "holds": 0, "out": STEPS_FOR_OUT}, "+1", "out"),
    },
    PhraseRow("batter to {reach:end}", "the batter reaches this base, or scores", batter="hit"),
    PhraseRow("batter walks", "the batter reaches first, but this is not a hit", batter="walk", reach=1),
    PhraseRow("batter grounds out", "the batter is out at first; forced runners advance", batter="ground"),
    PhraseRow("batter flies out", "the batter is out, and nobody is forced", batter="air"),
    PhraseRow("batter out", "the same, for a strikeout and any other out", batter="other"),
    PhraseRow("batter stays", "the batter stays at bat, which is the default", batter="stays"),
    PhraseRow(
        "double play",
        "short for `batter grounds out, runner on first out`; with nobody on first, only the batter is out",
        batter="ground",
        who=1,
        by=STEPS_FOR_OUT,
    ),
    PhraseRow("runners {by:on}", "all runners advance this far", who=ALL_RUNNERS),
    PhraseRow("runners hold", "all runners stay, which is the default", who=ALL_RUNNERS),
    PhraseRow("runner on {who:base} {by:steps}", "this runner advances"),
    PhraseRow(
        "runner on {who:base} holds?",
        "this runner stays, whatever the others do, unless forced",
        "runner on first holds",
    ),
    PhraseRow("runner on {who:base} out", "this runner is out", by=STEPS_FOR_OUT),
    PhraseRow("lead runner {by:any}", "the same for the runner nearest to home", who=LEAD_RUNNER),
)


@dataclass(frozen=True, slots=True)
class CardResult:
    """One result of a card. It covers the batter and every runner.

    Attributes:
        batter: "stays", "hit", "walk" or one of `OUT_KINDS`.
        reach: base that the batter reaches, 0 (none) to 4 (home).
        runners: number of bases for each runner, or `STEPS_FOR_OUT`.
        otherwise: result that applies if a named runner is not on base.
    """

    text: str
    batter: str = "stays"
    reach: int = 0
    runners: tuple[tuple[RunnerKey, int], ...] = ()
    otherwise: CardResult | None = None

    def named_runners(self) -> tuple[RunnerKey, ...]:
        return tuple(who for who, _ in self.runners if who != ALL_RUNNERS)

    def with_alternatives(self) -> tuple[CardResult, ...]:
        """Return this result and its alternatives, in order."""
        return (self, *(self.otherwise.with_alternatives() if self.otherwise else ()))


def parse_result(text: Any) -> CardResult:
    """Parse a result, such as "batter to first, runners +1". Raises ValueError."""
    if not isinstance(text, str):
        raise ValueError(f"needs a phrase, not {quoted_value(text)}.")
    found: CardResult | None = None
    for part in reversed(text.split("; else ")):
        found = _parse_single(part, found)
    assert found is not None
    return found


def _parse_single(text: str, otherwise: CardResult | None) -> CardResult:
    parts = [RESULT_PHRASES.parse_phrase(part) for part in text.split(", ")]
    named = [who for part in parts for who in part.subjects()]
    for who in named:
        if named.count(who) > 1:
            name = f"the runner on {BASE_NAMES[who - 1]}" if isinstance(who, int) else f"the {who}"
            raise ValueError(f"{quoted_value(text)} says twice what becomes of {name}.")
    batter, reach = next(((part.batter, part.reach) for part in parts if part.batter), ("stays", 0))
    runners = tuple((part.who, part.by) for part in parts if part.who)
    if (batter in OUT_KINDS) + [by for _, by in runners].count(STEPS_FOR_OUT) > 2:
        raise ValueError(f"{quoted_value(text)} makes more than two outs.")
    return CardResult(text, batter, reach, runners, otherwise)


# Effects ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AppliedResult:
    """The effect of a result. Runners are cubes.

    Attributes:
        outs: including earlier ones, at most 3.
        home: runners who scored, in order.
        moves: bases (from, to) of runners who advanced.
        lost: bases whose runners are out.
        moved: true if the result itself advanced somebody.
        advanced: true if anybody advanced, forced or not (A8).
    """

    result: CardResult
    bases: Bases[int]
    outs: int
    home: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    lost: tuple[int, ...]
    moved: bool
    advanced: bool

    @property
    def position(self) -> tuple[int, tuple[bool, ...], int, bool]:
        """What can matter later: the outs, which bases are taken, the runs, and whether anybody advanced."""
        return self.outs, tuple(cube is not None for cube in self.bases), len(self.home), self.advanced


def applicable_result(result: CardResult, bases: Bases[int]) -> CardResult:
    """Return the result, or its first alternative whose runners are all on base (RB-103, A6)."""
    if result.otherwise is None or has_named_runners(result, bases):
        return result
    return applicable_result(result.otherwise, bases)


def has_named_runners(result: CardResult, bases: Bases[int]) -> bool:
    """True if every runner that the result names individually is on base."""
    return all(bases[who - 1] if isinstance(who, int) else any(bases) for who in result.named_runners())


def apply_result(
    result: CardResult, bases: Bases[int], batter: int, outs: int, run_on_third_out: bool = False
) -> AppliedResult:
    """Compute the effect of a result by ordinary baseball logic (RB-083 to RB-086, RB-099 to RB-106).

    From the batter on, a player who reaches a base forces its runner on. A runner who is out was running, so he forces
    too. A batter thrown out at first forces as if he had reached it. No run counts on the third out, unless
    `run_on_third_out` (A16).
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
        steps = by.get(at, by.get(LEAD_RUNNER, by.get(ALL_RUNNERS, 0)) if at == lead else by.get(ALL_RUNNERS, 0))
        taken = max(at + max(0, steps), taken + 1)
        moved = moved or steps > 0
        if steps == STEPS_FOR_OUT:
            lost.append(at)
        else:
            reached.append((at, min(taken, HOME_BASE), runner))
    outs = min(3, outs + len(lost) + (result.batter in OUT_KINDS))
    third = outs == 3
    on = {to: runner for _, to, runner in reached} | ({result.reach: batter} if result.reach else {})
    home = [runner for _, to, runner in reversed(reached) if to == HOME_BASE]
    home += [batter] if result.reach == HOME_BASE else []
    moves = tuple((at, to) for at, to, _ in reached if to > at)
    return AppliedResult(
        result=result,
        bases=(None, None, None) if third else (on.get(1), on.get(2), on.get(3)),
        outs=outs,
        home=() if third and not run_on_third_out else tuple(home),
        moves=moves,
        lost=tuple(lost),
        moved=moved and not third,
        advanced=bool(moves or result.reach),
    )
