"""Facts that two cards depend on, so that equivalent positions share one tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from engine.games.bottom_of_the_9th.cards import NinthBatter, NinthPitcher
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, State

DIE_FACTS = ("control", "letter", "swing", "compare")  # Facts that dice determine.

FACT_VALUES: Mapping[str, tuple[Any, ...]] = {
    "balls": (0, 1, 2, 3),
    "strikes": (0, 1, 2),
    "outs": (0, 1, 2),
    "first": ("occupied", "empty"),
    "second": ("occupied", "empty"),
    "third": ("occupied", "empty"),
}
"""Values of each fact about a position before a pitch. The rows of the fatigue tokens are handled separately."""

CHANGING_FACTS = ("outs", "first", "second", "third", "direction_row", "location_row")
"""Facts that may change between the reveal and the cleanup."""


class RelevantFacts:
    """Facts that the cards of a pair depend on. Positions in which these agree share a tree.

    With `most`, facts are left out until there are at most that many classes of positions.
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
        """Return the representative of the count's class."""
        return 1 if "balls" in self.left_out else count[0], 1 if "strikes" in self.left_out else count[1]

    def representative_state(self, s: State) -> State:
        """Return the representative of a position's class."""
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
        """Return the key of a position's class."""
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
