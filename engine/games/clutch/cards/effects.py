"""The parts of a card as data, such as triggers, conditions, costs, effects and durations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.games.clutch.cards.result_chart import RESULT_CODES

RESULT_GROUPS: Mapping[str, frozenset[str]] = {
    "out": frozenset({"SO", "GB", "LD", "FB"}),
    "hit": frozenset({"1B", "2B", "3B", "HR"}),
    "extra-base": frozenset({"2B", "3B", "HR"}),
}
"""Named groups of results (CL-198, CL-379)."""

FIELDING_UNITS = ("battery", "infield", "outfield")
RUNNER_BASES = ("first", "second", "third")

CHANGEABLE_NUMBERS = (
    *("pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing", "br", "st", "defense", "unit"),
    *("throw_roll", "throw", "check_roll", "check", "check_target", "bunt_roll", "bunt_target"),
    *("x_zone", "hand_limit", "draw"),
)
"""Numbers that a card may change, each with its own cap (AM-26)."""

ROLL_KINDS = ("pitch", "swing", "throw", "check", "bunt")

_CHART_TAGS = (*RESULT_CODES, *RESULT_GROUPS)
_THROW_TAGS = (
    *("steal", "hit", "tag", "ground", "infield-in", "double-play", "card"),
    *(*FIELDING_UNITS, *RUNNER_BASES[1:], "home", "first"),
)

WINDOW_TAGS: Mapping[str, tuple[str, ...]] = {
    "game": (),
    "half": ("mine", "theirs"),
    "at-bat": (),
    "steal": (),
    "bunt": (),
    "before-pitch": (),
    "pitch-roll": (),
    "advantage": ("batter", "pitcher", "mistake"),
    "swing-roll": (),
    "chart": (*_CHART_TAGS, "batter", "pitcher"),
    "result": _CHART_TAGS,
    "try": ("hit", "tag", "ground", "infield-in"),
    "throw": _THROW_TAGS,
    "throw-roll": _THROW_TAGS,
    "throw-result": (*_THROW_TAGS, "safe", "out"),
    "check": FIELDING_UNITS,
    "check-roll": FIELDING_UNITS,
    "check-result": (*FIELDING_UNITS, "made", "failed"),
    "bunt-roll": (),
    "after": (
        *(
            *_CHART_TAGS,
            "mine",
            "theirs",
            "ibb",
            "run",
            "rbi",
            "lead-change",
            "double-play",
            "steal",
            "caught",
            "error",
        ),
        *("sacrifice", "sacrifice-fly", "fielders-choice", "inning-ending"),
    ),
    "end": (*("mine", "theirs", "one-two-three", "struck-out-the-side", "multi-run", "scored", "scoreless"),),
    "card": (
        *("strategy", "coach", "offense", "defense", "neutral", "change", "momentum"),
        *(sign + what for what in CHANGEABLE_NUMBERS for sign in "+-"),
    ),
    "enter": ("mine", "theirs", "pitcher", "pinch-hitter", "pinch-runner", "fielder"),
}
"""Windows in which cards can be played, in the order of the game, with their possible tags.

- "game", "half", "at-bat": one of them begins. "mine" if the card's owner bats in the half-inning.
- "steal", "bunt": one is declared. "bunt-roll": its die is rolled.
- "before-pitch": before the die of the pitch. "pitch-roll": it is rolled. "advantage": it is decided, before the swing.
- "swing-roll": its die is rolled. "chart": a result is read, before anybody may change it (for stadiums).
- "result": the result can be changed.
- "try": runners try for a base. "throw": a throw is called. "throw-roll": its die is rolled. "throw-result": it is
  resolved. Checks have the same three.
- "after": the at-bat is over, "mine" if the owner's side batted. "end": the half-inning is over.
- "card": a card was played and has not taken effect. "+" or "-" and a number if it changes one.
- "enter": a player comes in.
"""


@dataclass(frozen=True, slots=True)
class CardTrigger:
    """A window in which a card can be played (see `WINDOW_TAGS`), with one of `tags`, if any, and all of `also`."""

    text: str
    window: str
    tags: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()

    def is_met_in(self, window: str, tags: frozenset[str]) -> bool:
        return window == self.window and self.also <= tags and (not self.tags or bool(self.tags & tags))


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of `fact` with `value` by `op`, which `conditions.are_conditions_met` evaluates."""

    text: str
    fact: str
    op: str = "is"
    value: Any = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A check, throw or roll that decides about an effect.

    call: "check", "throw" or "roll".
    unit: "battery", "infield", "outfield" or positions joined by "+", for a check or throw.
    target: number that a check or a roll of `die` must reach.
    runner, speed: target of a throw ("batter", "first", "second", "third", "lead"), and his number, "br" or "st".
    """

    call: str
    unit: str = ""
    target: int = 20
    runner: str = ""
    speed: str = "br"
    die: str = "d20"


@dataclass(frozen=True, slots=True)
class CardEffect:
    """One effect of a card. The fields depend on `verb`, as strategy_cards/apply.py applies it.

    - mod, set: the number `what` (`CHANGEABLE_NUMBERS`) changes by `amount`, or by a die or a Clutch rating `of` with
      the sign of `amount`; or it becomes `amount`. `to` is the runner of br and st, the position of defense, or the
      unit. `whose` is its owner.
    - ignore: `what` does not count. `of` may limit handedness to that of the batter or the pitcher.
    - die, reroll, twice, face: the roll `what` (`ROLL_KINDS`) uses the die `of`; is repeated; is made twice, and the
      best or worst, `of`, counts; or its die counts as `amount`.
    - advantage: `of` batter or pitcher. mistake: `of` cause or prevent. switch: the other card's chart is read.
    - change, try: the result `what`, codes and groups or any, becomes `to`; for try if the `trial` ends as `of`.
    - alter: a result `what` that a Swing from `amount` to `most` (0 no end) reads on the chart `of` batter, pitcher or
      either is `to`. This does not count as a change of a result.
    - throw, check: its result becomes `to`, safe or out, made or failed.
    - call: a `trial` is made, with `then` if it succeeds and `otherwise` if it fails. A throw alone moves nobody.
    - advance, hold, remove, out: the runners `what`; for advance by `amount` bases, `of` error or steal. place: the
      runner `of` is put on the base `what`. eject: `what`, the batter or the pitcher, leaves the game.
    - forbid, allow: `what` may be done. Cards may be `of` a side, and `whose`. score: the play is scored as `what`.
    - draw, discard, look, recover, search, bottom, shuffle: `amount` cards (discard: 0 all) of the side `what`, by
      `whose` manager. `of` is choice or random for discard. `what` is the hand or the deck for look.
    - return, negate, immune: this card returns to the hand; the other has no effect; this cannot be negated.
    - innings, rest: the owner's pitcher has or owes `amount` more. Negative innings are taken from the opponent's.
    - either: the owner chooses `then` or `otherwise`. if: `then` if `when` holds, else `otherwise`.
    """

    text: str
    verb: str
    what: str = ""
    amount: int = 0
    of: str = ""
    whose: str = ""
    to: str = ""
    most: int = 0
    trial: Trial | None = None
    when: tuple[Condition, ...] = ()
    then: tuple[CardEffect, ...] = ()
    otherwise: tuple[CardEffect, ...] = ()

    def can_change_result(self, code: str) -> bool:
        """True if it changes this result. `what` are codes and groups joined by "+", or "" for any."""
        return not self.what or any(code == one or code in RESULT_GROUPS.get(one, ()) for one in self.what.split("+"))

    def can_alter_result(self, chart: str, swing: int, code: str) -> bool:
        """True if it alters this result at a Swing on a chart, "batter" or "pitcher" (CL-063)."""
        wide = (not self.amount or swing >= self.amount) and (not self.most or swing <= self.most)
        return wide and self.of in ("", chart) and self.can_change_result(code)


@dataclass(frozen=True, slots=True)
class CardCost:
    """A cost. `verb` is "discard" from the hand, "mill" from the deck, or "skip" the next draw. `how` is "choice" or
    "random". `side` limits a discard to cards of that side.
    """

    text: str
    verb: str
    count: int = 1
    how: str = "choice"
    side: str = ""


@dataclass(frozen=True, slots=True)
class EffectDuration:
    """The duration of an effect. `unit` is "roll", "throw", "at-bat", "next-at-bat", "half" (`count` half-innings from
    this one on), "inning", "player" (while he is in the game), "play" (while the card stays in play) or "game".
    """

    text: str
    unit: str
    count: int = 1


THIS_AT_BAT = EffectDuration("this at-bat", "at-bat")


@dataclass(frozen=True, slots=True)
class CardRules:
    """Everything on a card. A card with `leave` stays, on the "batter", "pitcher" or "runner", or in "play" (Momentum),
    until one of `until`. `success` and `failure` follow the throw, check or change that the card was played on.
    """

    when: tuple[CardTrigger, ...] = ()
    clutch: bool = False
    conditions: tuple[Condition, ...] = ()
    cost: tuple[CardCost, ...] = ()
    do: tuple[CardEffect, ...] = ()
    success: tuple[CardEffect, ...] = ()
    failure: tuple[CardEffect, ...] = ()
    lasts: EffectDuration = THIS_AT_BAT
    leave: str = ""
    until: tuple[CardTrigger, ...] = ()
    windows: frozenset[str] = field(init=False, compare=False, repr=False)  # Those of `when`.
    ending: frozenset[str] = field(init=False, compare=False, repr=False)  # Those of `until`.

    def __post_init__(self) -> None:
        object.__setattr__(self, "windows", frozenset([one.window for one in self.when]))
        object.__setattr__(self, "ending", frozenset([one.window for one in self.until]))
