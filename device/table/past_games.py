"""Past games: the list of all games, and one game's play log, replay and journal.

They are read on a separate read-only connection, so the game on the table never waits for them. Only what spectators
saw leaves this module; secrets that the rulebook never opened stay sealed.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.storage import game_check
from device.storage.database import legible
from device.storage.hash_chain import readable
from device.storage.restore import reason, restore
from device.storage.store import REPAIR, StoreError
from device.table import game_rows, play_log
from device.table.game_rows import GameRows, alike, moment
from engine.journal import Answer, HeaderJson, JournalJson
from engine.scoreboard import opened
from engine.table import Table
from engine.views import PlayView
from web.models import GameRecord, GamesPage, GameSummary, ReplayStep
from web.port import Wanted, anyway

log = logging.getLogger("dugout.history")

PAGE = 50
"""Games on one page of the list."""

SHELF = 20
"""How many paused games the list of games to resume has; the list of all games has the older ones."""

LONGEST = 1000
"""The most steps in a replay; a longer game keeps its last ones."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A stored game: its row in the list, and its table as far as it can be read.

    `trouble` is why not all of it can be read; then `table` may be None.
    """

    row: GameSummary
    header: HeaderJson | None
    table: Table | None
    trouble: str | None


class PastGames:
    """The games in the store at `path`. Any thread may call; every method raises StoreError.

    `now` returns the number of the game on the table. `has` is true if there is a picture of an answer, given the
    game's number and the answer's place in its journal. Each game is read by itself: a damaged one hides no other.
    """

    def __init__(self, path: Path, now: Callable[[], int], has: Callable[[int, int], bool]) -> None:
        self._path, self._now, self._has = path, now, has
        self._rows = GameRows()

    def games(self, page: int) -> GamesPage:
        """Return a page of the list (see `web.port`)."""
        with self._reading() as db:
            order = game_rows.order(db)
            found = list(self._rows.of(db, order[(page - 1) * PAGE : page * PAGE], self._now()))
        return GamesPage(found, page, max(1, -(-len(order) // PAGE)))

    def aside(self) -> list[GameSummary]:
        """Return the paused games (see `web.port`), then those of which damage hides whether they can be resumed."""
        now = self._now()
        with self._reading() as db:
            going = (game for game in game_rows.order(db) if game != now and not game_check.over(db, game))
            aside, damaged = list[GameSummary](), list[GameSummary]()
            for one in self._rows.of(db, going, now):
                if one.damaged and one.outcome is None:
                    damaged.append(one)
                elif one.aside:
                    aside.append(one)
                if len(aside) == SHELF:
                    break
        return [*aside, *damaged][:SHELF]

    def like(self, table: Table) -> GameSummary | None:
        """Return the row of the newest paused game with this table's cards and version of the rules, if any."""
        with self._reading() as db:
            going = (game for game in game_rows.order(db) if not game_check.over(db, game))
            query = "select header from game where id = ?"
            same = (game for game in going for (header,) in readable(db, query, game)[0] if alike(header, table))
            return next((one for one in self._rows.of(db, same, self._now()) if one.aside), None)

    def game(self, number: int, wanted: Wanted = anyway) -> GameRecord | None:
        """Return one game with its play log (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None:
            return None
        table = kept.table
        if table is None:
            return GameRecord(kept.row, kept.trouble, None, [])
        log = play_log.lines(table, self._pictures(table, number))
        return GameRecord(kept.row, kept.trouble, table.view(None), log)

    def replay(self, number: int, wanted: Wanted = anyway) -> list[ReplayStep] | None:
        """Return the steps of one game (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None:
            return None
        return steps(kept.table, self._pictures(kept.table, number), wanted)

    def journal(self, number: int, wanted: Wanted = anyway) -> JournalJson | None:
        """Return the header and entries of one game, its secrets "hidden" (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None or kept.header is None:
            return None
        return {"header": kept.header, "entries": kept.table.entries(None)}

    def _pictures(self, table: Table, number: int) -> dict[int, str]:
        return play_log.pictures(table, number, self._has)

    def _read(self, number: int, wanted: Wanted) -> PastGame | None:
        """Return the game of that number, if there is one."""
        with self._reading() as db:
            rows = list(self._rows.of(db, [number], self._now()))
            with moment(db):
                stored = game_check.check(db, number)
        if not rows or stored is None:
            return None
        damage = f"{stored.sentence} {REPAIR}" if stored.damage else None
        chain = stored.chain
        if chain is None:
            return PastGame(rows[0], None, None, damage)
        bodies = _while(wanted, (body for body, *_ in chain.rows))
        try:
            header = json.loads(chain.header)
            table = restore(chain.header, chain.decks, bodies, chain.snapshot if stored.whole else None)
        except Exception as error:  # a foreign journal can break anything
            log.info("Game %d cannot be read: %s.", number, type(error).__name__)
            why = f"This game cannot be read under these rules: {reason(error, chain.header)}"
            return PastGame(rows[0], None, None, " ".join(filter(None, (damage, why))))
        return PastGame(rows[0], header, table, damage)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect()) as db:
                yield db
        except sqlite3.Error as error:
            raise StoreError(f"The games cannot be read: {error}.") from error  # not the file: everybody sees it

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True, timeout=1)
        db.text_factory = legible
        return db


def _while(wanted: Wanted, bodies: Iterable[str]) -> Iterator[str]:
    for body in bodies:
        wanted()
        yield body


def steps(table: Table, pictures: Mapping[int, str], wanted: Wanted = anyway) -> list[ReplayStep]:
    """Return what spectators saw of a game from its start: a step for each event or change.

    The current answers are given to a new table one by one, so the replay does not show undone or corrected answers. A
    replay of more than `LONGEST` steps keeps the last ones.
    """
    twin, lines = Table(table.game, table.decks, table.house), play_log.lines(table, pictures)
    found = [_step(twin, lines, 0)]
    count, board = len(twin.log), found[0].scoreboard
    for one in table.answers:
        wanted()
        twin.write(Answer(one.ask.seat, one.n, one.value))
        step = _step(twin, lines, count)
        if len(twin.log) > count or step.scoreboard != board:
            found.append(step)
            count, board = len(twin.log), step.scoreboard
    return found[-LONGEST:]


def _step(twin: Table, lines: list[PlayView], count: int) -> ReplayStep:
    return ReplayStep(opened(twin.scoreboard(), None), twin.outcome, lines[count : len(twin.log)])
