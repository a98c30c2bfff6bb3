"""A game's description of itself, from which the tests of all games are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.asks import Ask, Choose
from engine.cards import Deck
from engine.events import Event
from engine.game import Rulebook
from engine.table import Table
from tests.engine.games.contract.secrecy import Secrets
from tests.engine.tables import houses as houses_of
from tests.engine.tables import inside, step
from tests.engine.tables import pick as any_pick
from tests.golden.stories import Stories

Pick = Callable[[Ask, int], Any]
"""A legal answer to an ask, chosen by a number."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One answer in a game: the states before and after it, and its events."""

    before: Any
    now: Any
    table: Table
    events: tuple[Event, ...]

    @property
    def codes(self) -> list[str]:
        """Return the codes of the events."""
        return [event.code for event in self.events]


Holds = Callable[[Moment], None]
"""Asserts something after an answer."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Random games played to their end: one for each house, and the outcomes that must be among them.

    An outcome is "winner: reason", or just "reason" where the winner does not matter.
    """

    houses: Sequence[Mapping[str, str]]
    outcomes: frozenset[str]


def listed_options(table: Table, ask: Ask) -> set[str]:
    """Return the options of an ask that the game's words name; the others are names of cards, numbers and the like."""
    inner = inside(ask)
    return set(inner.options) & set(table.game.words.options) if isinstance(inner, Choose) else set()


@dataclass(frozen=True, slots=True)
class Walk:
    """Random games whose asks, options, events and panel are compared with the written index.

    `tables` returns random games, each played for at most `longest` answers; `panel` returns a table that shows every
    part of the panel. `options` returns the options of an ask that the index must list, in addition to `more`, which
    it describes. Events count from ask number `since` on.
    """

    tables: Callable[[Random], Iterable[Table]]
    panel: Callable[[], Table] | None = None
    longest: int = 1000
    pick: Pick = any_pick
    options: Callable[[Table, Ask], set[str]] = listed_options
    more: Mapping[str, frozenset[str]] = field(default_factory=dict)
    since: int = -1


@dataclass(frozen=True)
class Contract:
    """What the tests of all games need to know about one game.

    `decks`: the house deck, then the test decks. `house` overrides the house rules that are drawn. `holds` is checked
    after every answer of `examples` games of `longest` answers, `whole` once at the end of each. `taken_back` is the
    length of the games in which answers are taken back or corrected. `index` is the walk that is compared with the
    written index; where there is none, `mixed` are the random games whose fingerprints are stored. `rare` has games
    that come to decisions which those seldom have.
    """

    game: Rulebook
    decks: tuple[Deck, ...]
    holds: tuple[Holds, ...]
    ends: Ends
    stories: Stories
    index: Walk | None = None
    mixed: Walk | None = None
    rare: Walk | None = None
    secrets: Secrets | None = None
    whole: tuple[Callable[[Table], None], ...] = ()
    ended: tuple[Callable[[Any], None], ...] = ()
    pick: Pick = any_pick
    houses: st.SearchStrategy[dict[str, str]] | None = None
    longest: int = 240
    examples: int = 40
    taken_back: int = 120
    few: int = 12
    rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    late: Mapping[str, str] = field(default_factory=dict)

    @property
    def walk(self) -> Walk:
        """Return the random games whose fingerprints are stored. Raises LookupError if there are none."""
        if walk := self.index or self.mixed:
            return walk
        raise LookupError(f"{self.game.title} has no random games to take fingerprints of.")

    @cached_property
    def any_house(self) -> st.SearchStrategy[dict[str, str]]:
        """Return any house rules of the game."""
        return houses_of(self.game) if self.houses is None else self.houses

    def start(self, house: Mapping[str, str], which: int = 0) -> Table:
        """Begin a game with one of the decks; the last of them starts late in the game, so that games end."""
        late = self.late if which == len(self.decks) - 1 else {}
        return Table(self.game, [self.decks[which]], {**late, **house})

    def step(self, table: Table, number: int) -> bool:
        """Give one answer, or return False when the game is over."""
        return step(table, number, self.pick)

    def moments(self, table: Table, numbers: Iterable[int]) -> Iterator[Moment]:
        """Play on, yielding each answer."""
        for number in numbers:
            before, length = table.state.copy(), len(table.log)
            if not self.step(table, number):
                return
            yield Moment(before, table.state, table, tuple(told.event for told in table.log[length:]))
