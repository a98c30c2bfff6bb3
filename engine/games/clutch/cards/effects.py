"""The parts of a card's play as plain data: triggers, conditions, costs, effects, and how long they last."""

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
"""Groups of results with a name (CL-198, CL-379)."""

FIELDING_UNITS = ("battery", "infield", "outfield")
RUNNER_BASES = ("first", "second", "third")

CHANGEABLE_NUMBERS = (
    *("pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing", "br", "st", "defense", "unit"),
    *("throw_roll", "throw", "check_roll", "check", "check_target", "bunt_roll", "bunt_target"),
    *("x_zone", "hand_limit", "draw"),
)
"""The numbers that a card may change, each with its own cap (AM-26)."""

ROLL_KINDS = ("pitch", "swing", "throw", "check", "bunt")  # The purposes of rolls.

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
"""The windows in which cards can be played, in the order of the game, with their possible tags.

- "game": the game begins. "half": a half-inning begins; "mine" if the card's owner bats. "at-bat": an at-bat begins.
- "steal", "bunt": one is declared. "bunt-roll": its die is rolled.
- "before-pitch"; "pitch-roll": its die is rolled; "advantage": it is settled, before the swing.
- "swing-roll": its die is rolled. "chart": a result is read, before anybody may change it (for stadiums).
- "result": the result can be changed.
- "try": runners try for a base. "throw": a throw is called; "throw-roll": its die is rolled; "throw-result": it is
  settled. Checks have the same three.
- "after": the at-bat is over; "mine" if the owner's side batted. "end": the half-inning is over.
- "card": a card was played and has not taken effect; "+" or "-" and a number if it changes one.
- "enter": a player comes in.
"""


@dataclass(frozen=True, slots=True)
class CardTrigger:
    """When a card can be played: in a window (see WINDOWS) with one of `tags`, if there are any, and all of `also`."""

    text: str
    window: str
    tags: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()

    def is_met_in(self, window: str, tags: frozenset[str]) -> bool:
        """True if this window with these tags fits."""
        return window == self.window and self.also <= tags and (not self.tags or bool(self.tags & tags))


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: `fact` compared with `value` by `op`; see conditions.holds."""

    text: str
    fact: str
    op: str = "is"
    value: Any = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A check, a throw or a roll that decides; `call` is "check", "throw" or "roll".

    A `unit` ("battery", "infield", "outfield" or positions joined by "+") makes a check against `target`, or a throw at
    `runner` ("batter", "first", "second", "third", "lead") with his `speed`, "br" or "st". A roll of `die` must reach
    `target`.
    """

    call: str
    unit: str = ""
    target: int = 20
    runner: str = ""
    speed: str = "br"
    die: str = "d20"


@dataclass(frozen=True, slots=True)
class CardEffect:
    """One effect of a card. What the fields mean depends on `verb`; strategy_cards/apply.py carries them out.

    - mod, set: the number `what` (ATTRIBUTES) changes by `amount`, or by a die or a Clutch rating `of` with the sign of
      `amount`; or it is `amount`. `to`: of br and st the runner, of defense the position, of unit which. `whose` it is.
    - ignore: `what` counts for nothing; the handedness of the batter or the pitcher may be in `of`.
    - die, reroll, twice, face: the roll `what` (ROLLS) is made with the die `of`; again; twice, and the best or worst,
      `of`, counts; or its die counts as `amount`.
    - advantage: `of` batter or pitcher. mistake: `of` cause or prevent. switch: the other card's chart is read.
    - change, try: the result `what`, codes and groups or any, becomes `to`; of try if the `trial` comes out as `of`.
    - alter: a result `what` that a Swing from `amount` to `most` (0 no end) reads on the chart `of` batter, pitcher or
      either is `to`. This does not count as a change of a result.
    - throw, check: it comes out as `to`: safe or out, made or failed.
    - call: a `trial` is held: `then` if it is made, `otherwise` if it fails; a throw moves nobody by itself.
    - advance, hold, remove, out: the runners `what`, of advance by `amount` bases, `of` error or steal. place: the
      runner `of` is put on the base `what`. eject: `what`, the batter or the pitcher, leaves the game.
    - forbid, allow: `what` may be done; cards may be `of` a side, and `whose`. score: the play is scored as `what`.
    - draw, discard, look, recover, search, bottom, shuffle: `amount` cards (discard: 0 all) of the side `what`, by
      `whose` manager; of discard `of` choice or random, of look `what` is the hand or the deck.
    - return, negate, immune: this card goes back to the hand; the other takes no effect; this cannot be negated.
    - innings, rest: the owner's pitcher has or owes `amount` more; negative innings are taken from the other's.
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
        """True if it changes this result; `what` are codes and groups joined by "+", or "" for any."""
        return not self.what or any(code == one or code in RESULT_GROUPS.get(one, ()) for one in self.what.split("+"))

    def can_alter_result(self, chart: str, swing: int, code: str) -> bool:
        """True if it alters this result at a Swing on a chart, "batter" or "pitcher" (CL-063)."""
        wide = (not self.amount or swing >= self.amount) and (not self.most or swing <= self.most)
        return wide and self.of in ("", chart) and self.can_change_result(code)


@dataclass(frozen=True, slots=True)
class CardCost:
    """A cost: `verb` is "discard" from the hand, "mill" from the deck, or "skip" the next draw. `how` is "choice" or
    "random"; `side` limits a discard to cards of that side.
    """

    text: str
    verb: str
    count: int = 1
    how: str = "choice"
    side: str = ""


@dataclass(frozen=True, slots=True)
class EffectDuration:
    """How long an effect lasts.

    `unit` is "roll", "throw", "at-bat", "next-at-bat", "half" (`count` half-innings, starting with this one), "inning",
    "player" (while he is in the game), "play" (while the card stays in play) or "game".
    """

    text: str
    unit: str
    count: int = 1


THIS_AT_BAT = EffectDuration("this at-bat", "at-bat")


@dataclass(frozen=True, slots=True)
class CardRules:
    """Everything that a card says.

    A card with `leave` stays, on the "batter", "pitcher" or "runner", or in "play" (Momentum), until one of `until`.
    `success` and `failure` follow once the throw, check or change that the card was played on is settled.
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
