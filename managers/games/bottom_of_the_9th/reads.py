"""Which facts two cards look at, to tell positions apart no more than they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from engine.games.bottom_of_the_9th.cards import NinthBatter, NinthPitcher
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, State

DIE_FACTS = ("control", "letter", "swing", "compare")

FACT_VALUES: Mapping[str, tuple[Any, ...]] = {
    "balls": (0, 1, 2, 3),
    "strikes": (0, 1, 2),
    "outs": (0, 1, 2),
    "first": ("occupied", "empty"),
    "second": ("occupied", "empty"),
    "third": ("occupied", "empty"),
}
"""The facts about a position before a pitch, besides the rows of the fatigue tokens, and their values."""

CHANGING_FACTS = ("outs", "first", "second", "third", "direction_row", "location_row")
"""The facts that may change between the reveal and the cleanup."""


class RelevantFacts:
    """Which facts the cards of a pair look at: positions that look alike to them share a tree.

    With `most`, facts are left out until there are no more kinds of positions than that.
    """

    def __init__(self, cards: Sequence[NinthBatter | NinthPitcher], rows: int, most: int | None = None) -> None:
        abilities = [ability for card in cards for found in card.abilities.values() for ability in found]
        tables: dict[str, set[tuple[Any, ...]]] = {}
        runners = any(ability.effect.verb == "runners" for ability in abilities)
        self.exact_bases = self.late_dice = False
        for ability in abilities:
            for name, values in (need for table in (*ability.when, *ability.unless) for need in table):
                if ability.phase != "cleanup" or name not in CHANGING_FACTS:
                    tables.setdefault(name, set()).add(values)
                late = ability.phase in ("bonus", "run")
                self.exact_bases |= runners and late and name in ("first", "second", "third")
                self.late_dice |= (late or ability.phase == "cleanup") and name in DIE_FACTS
        self.tables = {name: sorted(found, key=repr) for name, found in tables.items()}
        self.rows = any(name.endswith("_row") for name in tables)
        self.parts = tuple(name for name in PITCH_PARTS if name in tables)
        self.tokens = "tokens" in tables
        kinds = {
            name: len({tuple(value in one for one in self.tables[name]) for value in values})
            for name, values in FACT_VALUES.items()
            if name in tables
        }
        kinds |= {"rows": rows * rows} if self.rows else {}
        kinds |= {"bases": 8} if self.exact_bases else {}
        self.left_out: tuple[str, ...] = ()
        while most is not None and prod(kinds.values()) > most:
            out = max(kinds, key=lambda name: (kinds[name], name not in ("strikes", "outs"), name))
            del kinds[out]
            self.left_out = (*self.left_out, out)

    def representative_count(self, count: tuple[int, int]) -> tuple[int, int]:
        """Return a count that may stand for all that look the same, if its balls or strikes are left out."""
        return 1 if "balls" in self.left_out else count[0], 1 if "strikes" in self.left_out else count[1]

    def representative_state(self, s: State) -> State:
        """Return the position that stands for all that look like `s`, in what is left out."""
        twin, out = s.copy(), self.left_out
        twin.outs = 1 if "outs" in out else s.outs
        first, second, third = (
            None if "bases" in out or base in out else runner
            for base, runner in zip(("first", "second", "third"), s.bases, strict=True)
        )
        twin.bases = (first, second, third)
        twin.rows = (s.floor, s.floor) if "rows" in out else s.rows
        return twin

    def position_key(self, s: State, count: tuple[int, int]) -> tuple[Any, ...]:
        """Return the same for positions that look alike to both cards."""
        known: dict[str, Any] = {"balls": count[0], "strikes": count[1], "outs": s.outs}
        known |= {
            base: "empty" if runner is None else "occupied"
            for base, runner in zip(("first", "second", "third"), s.bases, strict=True)
        }
        looks = tuple(
            known[name] in values
            for name, tables in self.tables.items()
            if name in known and name not in self.left_out
            for values in tables
        )
        bases = tuple(runner is None for runner in s.bases) if self.exact_bases and "bases" not in self.left_out else ()
        return looks, bases, (s.rows, s.floor) if self.rows and "rows" not in self.left_out else ()
