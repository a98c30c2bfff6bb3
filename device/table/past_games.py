"""Past games: the list of all games, and one game's play log, replay and journal.

A separate read-only connection reads them, so the game on the table never waits. This module returns only what
spectators saw. Secrets that the rulebook never revealed stay hidden.
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

from device.shapes import (
    AbortCheck,
    GameJournal,
    GameRecord,
    GamesPage,
    GameSummary,
    ReplayPart,
    ReplayStep,
    never_abort,
)
from device.storage import game_check
from device.storage.database import JournalConnection, decode_text
from device.storage.hash_chain import readable_rows
from device.storage.restore import restore_table, unreadable_reason
from device.storage.store import REPAIR_ADVICE, StoreError
from device.table import game_rows, play_log
from device.table.game_rows import GameSummaryReader, has_same_setup, read_transaction
from engine.journal import Answer, EntryJson, JournalHeaderJson
from engine.scoreboard import redacted_scoreboard
from engine.scorecard.fold import scorecards
from engine.scorecard.sheet import Scorecard
from engine.seats import Seat
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import PlayView

log = logging.getLogger("dugout.history")

GAMES_PER_PAGE = 50
"""Games on one page of the list."""

MAX_PAUSED_GAMES = 20
"""Paused games in the list to resume. Older ones are in the list of all games."""

ANSWERS_PER_PART = 40
"""Answers in a part of a replay. In a game with large panels they have some hundred kB."""

MAX_EARLIER_LINES = 20
"""Lines of the last play that the first step of a part may repeat."""

ENTRIES_PER_READ = 200
"""Journal entries read at once."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A stored game. If it cannot be read completely, `trouble` is the reason, and `table` may be None."""

    row: GameSummary
    header: JournalHeaderJson | None
    table: Table | None
    trouble: str | None


class PastGames:
    """The games in the store at `path`. Any thread may call. Every method raises StoreError. See `web.port`.

    now: returns the number of the game on the table.
    has: (game, entry index), true if that answer has a picture.
    draw: returns the picture of a result, or None.

    Each game is read separately, so a damaged one hides no other.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], int],
        has: Callable[[int, int], bool],
        draw: Callable[[GameRecord, Literal["wide", "tall"]], bytes | None] = lambda record, shape: None,
    ) -> None:
        self._path, self._now, self._has, self._draw = path, now, has, draw
        self._rows = GameSummaryReader()

    def games_page(self, page: int) -> GamesPage:
        with self._open_database() as db:
            order = game_rows.recent_game_numbers(db)
            found = list(
                self._rows.read_summaries(db, order[(page - 1) * GAMES_PER_PAGE : page * GAMES_PER_PAGE], self._now())
            )
        return GamesPage(found, page, max(1, -(-len(order) // GAMES_PER_PAGE)))

    def paused_games(self) -> list[GameSummary]:
        """The paused games, then damaged ones that may be resumable."""
        now = self._now()
        with self._open_database() as db:
            going = (
                game for game in game_rows.recent_game_numbers(db) if game != now and not game_check.is_over(db, game)
            )
            aside, damaged = list[GameSummary](), list[GameSummary]()
            for one in self._rows.read_summaries(db, going, now):
                if one.damaged and one.outcome is None:
                    damaged.append(one)
                elif one.aside:
                    aside.append(one)
                if len(aside) == MAX_PAUSED_GAMES:
                    break
        return [*aside, *damaged][:MAX_PAUSED_GAMES]

    def find_matching_game(self, table: Table) -> GameSummary | None:
        """Find the newest paused game with this table's cards and version of the rules."""
        with self._open_database() as db:
            going = (game for game in game_rows.recent_game_numbers(db) if not game_check.is_over(db, game))
            query = "select header from game where id = ?"
            same = (
                game
                for game in going
                for (header,) in readable_rows(db, query, game)[0]
                if has_same_setup(header, table)
            )
            return next((one for one in self._rows.read_summaries(db, same, self._now()) if one.aside), None)

    def game_record(self, number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
        kept = self._load_game(number, wanted)
        if kept is None:
            return None
        table = kept.table
        if table is None:
            return GameRecord(kept.row, kept.trouble, None, [])
        log = play_log.play_views(table, self._picture_names(table, number))
        return GameRecord(kept.row, kept.trouble, table.view_for(None), log)

    def game_table(self, number: int, wanted: AbortCheck = never_abort) -> Table | None:
        """Restore a stored game with its secrets. None if it is missing or cannot be read completely."""
        kept = self._load_game(number, wanted)
        return None if kept is None or kept.trouble else kept.table

    def game_fingerprint(self, number: int) -> tuple[object, ...] | None:
        """Return a value that changes with each entry of a game. None if it is missing or damaged at its end."""
        with self._open_database() as db:
            return game_check.intact_fingerprint(db, number)

    def game_scorecards(self, number: int, wanted: AbortCheck = never_abort) -> dict[Seat, Scorecard] | None:
        kept = self._load_game(number, wanted)
        return None if kept is None or kept.table is None else scorecards(kept.table, wanted)

    def share_picture(
        self, number: int, shape: Literal["wide", "tall"], wanted: AbortCheck = never_abort
    ) -> bytes | None:
        found = self.game_record(number, wanted)
        return self._draw(found, shape) if found else None

    def replay_part(self, number: int, first: int = 0, wanted: AbortCheck = never_abort) -> ReplayPart | None:
        kept = self._load_game(number, wanted)
        if kept is None or kept.table is None:
            return None
        return build_replay_part(kept.table, self._picture_names(kept.table, number), first, wanted)

    def game_journal(self, number: int, wanted: AbortCheck = never_abort) -> GameJournal | None:
        kept = self._load_game(number, wanted)
        if kept is None or kept.table is None or kept.header is None:
            return None
        return GameJournal(
            kept.header, self._entry_batches(number, len(kept.table.journal), kept.table.sealed_entry_indexes(None))
        )

    def _entry_batches(self, number: int, count: int, sealed: Container[int]) -> Iterator[list[EntryJson]]:
        """Yield the first `count` entries of a game in batches. Values at the indexes in `sealed` are hidden."""
        query = "select body from entry where game = ? and place >= ? order by place limit ?"
        for start in range(0, count, ENTRIES_PER_READ):
            with self._open_database() as db:
                rows = db.execute(query, (number, start, min(ENTRIES_PER_READ, count - start))).fetchall()
            if len(rows) < min(ENTRIES_PER_READ, count - start):
                raise StoreError("This game was deleted in the meantime.")
            yield [
                json.loads(body) | ({"value": HIDDEN_TEXT} if place in sealed else {})
                for place, (body,) in enumerate(rows, start)
            ]

    def _picture_names(self, table: Table, number: int) -> dict[int, str]:
        return play_log.picture_names(table, number, self._has)

    def _load_game(self, number: int, wanted: AbortCheck) -> PastGame | None:
        with self._open_database() as db:
            rows = list(self._rows.read_summaries(db, [number], self._now()))
            with read_transaction(db):
                stored = game_check.check_game(db, number)
        if not rows or stored is None:
            return None
        damage = f"{stored.damage_sentence} {REPAIR_ADVICE}" if stored.damage else None
        chain = stored.chain
        if chain is None:
            return PastGame(rows[0], None, None, damage)
        bodies = _interruptible_bodies(wanted, (body for body, *_ in chain.rows))
        try:
            header = json.loads(chain.header)
            table = restore_table(chain.header, chain.decks, bodies, chain.snapshot if stored.is_intact else None)
        except Exception as error:  # a foreign journal can break anything
            log.info("Game %d cannot be read: %s.", number, type(error).__name__)
            why = f"This game cannot be read under these rules: {unreadable_reason(error, chain.header)}"
            return PastGame(rows[0], None, None, " ".join(filter(None, (damage, why))))
        return PastGame(rows[0], header, table, damage)

    @contextmanager
    def _open_database(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connect_read_only()) as db:
                yield db
        except sqlite3.Error as error:
            raise StoreError(f"The games cannot be read: {error}.") from error  # no path, as it is public

    def _connect_read_only(self) -> sqlite3.Connection:
        uri = f"{Path(os.path.realpath(self._path)).as_uri()}?mode=ro"
        db = sqlite3.connect(uri, uri=True, timeout=1, factory=JournalConnection)
        db.text_factory = decode_text
        return db


def _interruptible_bodies(wanted: AbortCheck, bodies: Iterable[str]) -> Iterator[str]:
    for body in bodies:
        wanted()
        yield body


def build_replay_part(
    table: Table, pictures: Mapping[int, str], first: int = 0, wanted: AbortCheck = never_abort
) -> ReplayPart:
    """Build a part of a replay, from `first` current answers to before the next part.

    It has a step for each answer that caused an event or a change. The answers are applied one by one to a copy of the
    table, so undone and corrected answers do not appear.
    """
    given, twin = table.answers, table.clone()
    first = min(first, len(given))
    if given:
        twin.undo(given[max(first - 1, 0)].n)  # this may also undo earlier answers that were revealed together
    lines = play_log.play_views(table, pictures)
    found, before = list[ReplayStep](), list[PlayView]()
    board, count = None, 0
    for place in range(len(twin.answers), min(first + ANSWERS_PER_PART, len(given) + 1)):
        wanted()
        if place > len(twin.answers):
            one = given[place - 1]
            twin.apply_entry(Answer(one.ask.seat, one.n, one.value))
        if place >= first:
            shown, news = redacted_scoreboard(twin.scoreboard(), None), lines[count : len(twin.log)]
            if place == first or news or shown != board:
                found.append(ReplayStep(place, shown, twin.outcome, news))
            board = shown
        else:
            before = lines[: len(twin.log)][-MAX_EARLIER_LINES:]
        count = len(twin.log)
    return ReplayPart(found, before, first, len(given), ANSWERS_PER_PART)
