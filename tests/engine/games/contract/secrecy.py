"""Prove that secrets stay secret: games that differ only in one look alike, byte for byte.

A story plays a game up to some point and shows the table at each moment that matters. A case has several stories that
differ in one secret, and a seat that must not know it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.asks import Play, Secret
from engine.game import GameState, Rulebook
from engine.journal import entry_json
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import json_data
from tests.engine.tables import Look, everything

Show = Callable[[Table], None]
Story = Callable[[Rulebook, Show], None]
"""Plays the game and shows the table from time to time."""


@dataclass(frozen=True, slots=True)
class Case:
    """Stories that a seat (None: a spectator) must not be able to tell apart."""

    eyes: Seat | None
    stories: tuple[Story, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    """A game with a planted leak, a view that shows the leak, and the cases to look for it in."""

    game: Rulebook
    look: Look
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a game.

    `cases` are checked at every moment, `thorough` ones (by default all) with everything that may leave the engine. The
    stories of each case in `owners` can be told apart. `leaks` are planted in the rules, `careless` ways give out
    too much in addition to those of every game, and `peek` reads a secret from a state, for a scoreboard that shows it.
    """

    cases: tuple[Case, ...]
    owners: tuple[Case, ...]
    thorough: tuple[Case, ...] = ()
    undone: int = 0
    leaks: Mapping[str, Leak] = field(default_factory=dict)
    careless: Mapping[str, Look] = field(default_factory=dict)
    peek: Callable[[Any], Any] | None = None


def seen(game: Rulebook, story: Story, look: Look, eyes: Seat | None) -> tuple[bytes, ...]:
    """Return what this viewer sees of a story, moment by moment."""
    moments: list[bytes] = []
    story(game, lambda table: moments.append(json.dumps(look(table, eyes)).encode()))
    return tuple(moments)


def told_apart(game: Rulebook, cases: Iterable[Case], look: Look) -> int:
    """Return how many stories can be told apart by viewers who must not be able to."""
    return sum(len({seen(game, story, look, case.eyes) for story in case.stories}) - 1 for case in cases)


def leaks(game: Rulebook, cases: Iterable[Case], look: Look) -> bool:
    """Return whether some stories can be told apart so; play no more of them than it takes to know."""
    for case in cases:
        first, *others = case.stories
        known = seen(game, first, look, case.eyes)
        if any(seen(game, story, look, case.eyes) != known for story in others):
            return True
    return False


# Views -------------------------------------------------------------------------------------------------------------


def views(table: Table, seat: Seat | None) -> Any:
    """Return the view."""
    return json_data(table.view_for(seat))


def journal(table: Table, seat: Seat | None) -> Any:
    """Return the journal as it is given out."""
    return table.redacted_entries(seat)


def sentences(table: Table, seat: Seat | None) -> Any:
    """Return the play log in words."""
    return [line.sentence for line in table.play_log_lines()]


def light(table: Table, seat: Seat | None) -> Any:
    """Return view, journal and play log."""
    return [views(table, seat), journal(table, seat), sentences(table, seat)]


def thorough(undone: int) -> Look:
    """Return a view of everything that may leave the engine.

    This includes what would be left after taking back each of the last `undone` answers, or repeating it where it was
    given openly.
    """

    def look(table: Table, seat: Seat | None) -> Any:
        found = [everything(table, seat)]
        for one in table.answers[-undone:] if undone else ():
            twin = table.clone()
            twin.undo(one.n)
            found.append([json_data(twin.view_for(seat)), twin.redacted_entries(seat)])
            if not isinstance(one.ask, Secret):
                twin = table.clone()
                twin.correct_answer(one.n, one.value)
                found.append([json_data(twin.view_for(seat)), twin.redacted_entries(seat)])
        return found

    return look


CARELESS: Mapping[str, Look] = {
    "stored journal": lambda table, seat: [entry_json(entry) for entry in table.journal],
    "wrong eyes": lambda table, seat: [json_data(table.view_for(eyes)) for eyes in SEATS],
    "answers": lambda table, seat: [str(one.value) for one in table.answers],
}
"""Ways to give out too much."""


# Planted leaks -----------------------------------------------------------------------------------------------------


def with_play(game: Rulebook, play: Callable[[Any], Play], whenever: Callable[[Any], object]) -> Rulebook:
    """Return the game with one of its plays replaced by `play`."""

    def next_play(state: GameState) -> Callable[[Any], Play] | None:
        return play if whenever(state) else game.next_play(state)

    return replace(game, next_play=next_play)


def with_peek(game: Rulebook, peek: Callable[[Any], Any]) -> Rulebook:
    """Return the game with a scoreboard that shows a secret."""

    def peeking(state: Any, log: Any) -> Scoreboard:
        shown = game.scoreboard(state, log)
        return replace(shown, panel={**shown.panel, "peek": peek(state)})

    return replace(game, scoreboard=peeking)
