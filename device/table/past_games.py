"""Past games: the list of all games, and one game's play log, replay and journal.

They are read on a separate read-only connection, so the game on the table never waits for them. Only what spectators
saw leaves this module; secrets that the rulebook never opened stay sealed.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from device.shapes import GameJournal, GameRecord, GamesPage, GameSummary, ReplayPart, ReplayStep, Wanted, anyway
from device.storage import game_check
from device.storage.database import Connection, legible
from device.storage.hash_chain import readable
from device.storage.restore import reason, restore
from device.storage.store import REPAIR, StoreError
from device.table import game_rows, play_log
from device.table.game_rows import GameRows, alike, moment
from engine.journal import Answer, EntryJson, HeaderJson
from engine.scoreboard import opened
from engine.scorecard.fold import sheets
from engine.scorecard.sheet import Sheet
from engine.seats import Seat
from engine.secrets import HIDDEN
from engine.table import Table
from engine.views import PlayView

log = logging.getLogger("dugout.history")

PAGE = 50
"""Games on one page of the list."""

SHELF = 20
"""How many paused games the list of games to resume has; the list of all games has the older ones."""

PART = 40
"""Answers in a part of a replay: some hundred kB of a game with large panels."""

LAST = 20
"""Lines before a part of a replay that may be shown in its first step: those of the last play."""

PIECE = 200
"""Entries of a journal that are read at once."""


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
    game's number and the answer's place in its journal. `draw` returns the picture of a result, or None. Each game is
    read by itself: a damaged one hides no other.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], int],
        has: Callable[[int, int], bool],
        draw: Callable[[GameRecord, Literal["wide", "tall"]], bytes | None] = lambda record, shape: None,
    ) -> None:
        self._path, self._now, self._has, self._draw = path, now, has, draw
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

    def scorecard(self, number: int, wanted: Wanted = anyway) -> dict[Seat, Sheet] | None:
        """Return the scorecard of each side of one game (see `web.port`)."""
        kept = self._read(number, wanted)
        return None if kept is None or kept.table is None else sheets(kept.table, wanted)

    def share(self, number: int, shape: Literal["wide", "tall"], wanted: Wanted = anyway) -> bytes | None:
        """Return the picture of the result of one game (see `web.port`)."""
        found = self.game(number, wanted)
        return self._draw(found, shape) if found else None

    def replay(self, number: int, first: int = 0, wanted: Wanted = anyway) -> ReplayPart | None:
        """Return a part of the steps of one game (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None:
            return None
        return part(kept.table, self._pictures(kept.table, number), first, wanted)

    def journal(self, number: int, wanted: Wanted = anyway) -> GameJournal | None:
        """Return the journal of one game (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None or kept.header is None:
            return None
        return GameJournal(kept.header, self._pieces(number, len(kept.table.journal), kept.table.sealed(None)))

    def _pieces(self, number: int, count: int, sealed: Container[int]) -> Iterator[list[EntryJson]]:
        """Yield the first `count` entries of a game in pieces; the values at the places in `sealed` are hidden."""
        query = "select body from entry where game = ? and place >= ? order by place limit ?"
        for start in range(0, count, PIECE):
            with self._reading() as db:
                rows = db.execute(query, (number, start, min(PIECE, count - start))).fetchall()
            if len(rows) < min(PIECE, count - start):
                raise StoreError("This game was deleted in the meantime.")
            yield [
                json.loads(body) | ({"value": HIDDEN} if place in sealed else {})
                for place, (body,) in enumerate(rows, start)
            ]

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
        uri = f"{Path(os.path.realpath(self._path)).as_uri()}?mode=ro"
        db = sqlite3.connect(uri, uri=True, timeout=1, factory=Connection)
        db.text_factory = legible
        return db


def _while(wanted: Wanted, bodies: Iterable[str]) -> Iterator[str]:
    for body in bodies:
        wanted()
        yield body


def part(table: Table, pictures: Mapping[int, str], first: int = 0, wanted: Wanted = anyway) -> ReplayPart:
    """Return what spectators saw of a game after `first` of the answers that stand, and of the `PART` answers before
    the next part: a step for each that led to an event or a change.

    They are given to a copy of the table one by one, so the replay does not show undone or corrected answers.
    """
    given, twin = table.answers, table.clone()
    first = min(first, len(given))
    if given:
        twin.undo(given[max(first - 1, 0)].n)  # it may take back earlier ones, which were revealed together
    lines = play_log.lines(table, pictures)
    found, before = list[ReplayStep](), list[PlayView]()
    board, count = None, 0
    for place in range(len(twin.answers), min(first + PART, len(given) + 1)):
        wanted()
        if place > len(twin.answers):
            one = given[place - 1]
            twin.write(Answer(one.ask.seat, one.n, one.value))
        if place >= first:
            shown, news = opened(twin.scoreboard(), None), lines[count : len(twin.log)]
            if place == first or news or shown != board:
                found.append(ReplayStep(place, shown, twin.outcome, news))
            board = shown
        else:
            before = lines[: len(twin.log)][-LAST:]
        count = len(twin.log)
    return ReplayPart(found, before, first, len(given), PART)
