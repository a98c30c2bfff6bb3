"""The record book: all finished games of the journal, folded once and folded again when they change."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple
from pathlib import Path

from device.league import book_file
from device.league.journal_fold import FoldedJournal, fold_journal, journal_fingerprints
from device.shapes import AbortCheck, SkippedGame, never_abort
from device.storage.database import is_damage_error, open_read_only
from engine.league.rules import SEASON_PREFIX
from engine.league.stats import GameStats
from engine.seats import SEATS, Seat, opposite_seat


class BookInUseError(OSError):
    """Another process builds the record book."""


class RecordBook:
    """The record book in the file `path`, of the games in the store `journal`. Any thread may call.

    Each method that changes it raises OSError and sqlite3.Error, and then it is as if not called, or as far as it got.
    """

    def __init__(self, path: Path, journal: Path) -> None:
        self.path, self._journal = path, journal
        self._lock = threading.Lock()
        """Held while games are folded, so that two threads do not fold the same ones."""
        self._waiting, self._is_checked = 0, False
        with suppress(OSError, sqlite3.Error):  # `update` raises it, too; the table must open without a book
            book_file.open_book(path).close()

    @property
    def waiting(self) -> int:
        """How many games are still to be folded, as far as is known."""
        return self._waiting

    def update(self, wanted: AbortCheck = never_abort) -> int:
        """Fold the games that are new or have changed, remove deleted ones, and return how many these were.

        Each game is one small transaction. `wanted` is called before each of them, and may raise to stop.
        """
        with self._lock:
            try:
                return self._update(wanted)
            except sqlite3.DatabaseError as error:
                if not is_damage_error(error):
                    raise
                # The book is damaged, or the journal, and then this fails again.
                self._is_checked = False
                return self._update(wanted)
            finally:
                self._waiting = 0

    def _update(self, wanted: AbortCheck) -> int:
        with (
            closing(open_read_only(self._journal)) as games,
            closing(book_file.open_book(self.path, check=not self._is_checked)) as book,
        ):
            now = journal_fingerprints(games)
            # A repair may have made a game whole again, as it was before. Then it has its old fingerprint.
            query = "select number, fingerprint from journal where trouble = '' or ?"
            known = dict(book.execute(query, (self._is_checked,)).fetchall())
            self._is_checked = True
            changed = sorted(number for number in now.keys() | known.keys() if now.get(number) != known.get(number))
            for done, number in enumerate(changed):
                self._waiting = len(changed) - done
                wanted()
                folded = fold_journal(games, number)
                with _transaction(book):
                    replace_journal(book, number, folded)
            return len(changed)

    def rebuild(self, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
        """Fold all games into a new file, which then replaces the content of the book. Return how many these were.

        progress: called after each game with how many are done, and how many there are.

        Raises BookInUseError if another process does the same.
        """
        part = self.path.with_name(f".{self.path.name}.part")
        with self._lock, _locked_file(part):
            with closing(open_read_only(self._journal)) as games, closing(book_file.create_book(part)) as book:
                numbers = sorted(journal_fingerprints(games))
                with _transaction(book):
                    for done, number in enumerate(numbers, 1):
                        replace_journal(book, number, fold_journal(games, number))
                        progress(done, len(numbers))
            book_file.replace_book(self.path, part)
            part.unlink(missing_ok=True)
        return len(numbers)

    def skipped_games(self) -> list[SkippedGame]:
        """The games that are left out, with the reasons."""
        return skipped_games(self.path)


def skipped_games(path: Path) -> list[SkippedGame]:
    """The games that are left out of the record book in this file, with the reasons. Raises sqlite3.Error."""
    with closing(book_file.open_for_reading(path)) as book:
        query = "select number, trouble from journal where trouble != '' order by number"
        return [SkippedGame(number, trouble) for number, trouble in book.execute(query)]


@contextmanager
def _locked_file(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BookInUseError("Another Dugout builds the record book; wait until it is done.") from error
    finally:
        os.close(handle)


@contextmanager
def _transaction(book: sqlite3.Connection) -> Iterator[None]:
    book.execute("begin immediate")
    try:
        yield
        book.execute("commit")
    except BaseException:
        book.rollback()
        raise


def replace_journal(book: sqlite3.Connection, number: int, folded: FoldedJournal | None) -> None:
    """Replace the rows of a stored game, None if it was deleted, within a transaction. Raises sqlite3.Error."""
    query = "select book from game where number = ?1 union select league from journal where number = ?1"
    changed = {key for (key,) in book.execute(query, (number,)) if key is not None}
    for table in ("journal", *book_file.DERIVED_TABLES):
        book.execute(f"delete from {table} where number = ?", (number,))
    if folded is not None:
        _insert_rows(book, "journal", [_journal_row(folded)])
        changed |= {folded.league.league} if folded.league else set()
        for key, one in _books_of(folded):
            changed.add(key)
            _insert_game(book, key, folded, one)
    book_file.mark_changed(book, changed)


def _insert_rows(book: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    if found := list(rows):
        book.executemany(f"insert into {table} values ({', '.join('?' * len(found[0]))})", found)


def _journal_row(folded: FoldedJournal) -> tuple[object, ...]:
    of = folded.league
    return (
        *(folded.number, folded.fingerprint, folded.game, folded.started, folded.played),
        *(folded.finished, folded.simulated),
        *((of.league, of.fixture, of.away, of.home, of.friendly) if of else (None, None, None, None, False)),
        *(folded.people.get("away"), folded.people.get("home"), folded.trouble),
    )


def _books_of(folded: FoldedJournal) -> Iterator[tuple[str, GameStats]]:
    """Books and games to store. A friendly is in the book of its league alone, where it does not count."""
    of = folded.league
    for one in folded.games:
        if of:
            yield of.league, one
        if not (of and of.friendly):
            yield folded.game, one
        if len(folded.games) > 1:
            yield f"{SEASON_PREFIX}{folded.number}", one


def _insert_game(book: sqlite3.Connection, key: str, folded: FoldedJournal, one: GameStats) -> None:
    of = folded.league if folded.league and folded.league.league == key else None
    teams = _teams(folded, one, of is not None)
    winner = one.winner
    friendly = of is not None and of.friendly
    _insert_rows(
        book,
        "game",
        [
            (
                *(key, folded.number, one.place, folded.started, folded.played, of.fixture if of else 0),
                *(teams["away"], teams["home"], one.sides["away"].runs, one.sides["home"].runs),
                *(teams[winner] if winner else "", one.sides[winner].seat if winner else "", one.sides["away"].seat),
                *(one.innings, one.regulation, one.half_innings, folded.simulated, friendly, folded.fingerprint),
            )
        ],
    )
    for side in SEATS:
        did, at = one.sides[side], (folded.number, one.place, side)
        line = ",".join("" if runs is None else str(runs) for runs in did.line)
        about = (teams[opposite_seat(side)], did.seat, did.runs, did.hits, line)
        _insert_rows(book, "side", [(key, teams[side], *at, *about, *astuple(did.total))])
        _insert_rows(
            book, "batting", [(key, teams[side], name, *at, *astuple(line)) for name, line in did.batters.items()]
        )
        _insert_rows(
            book, "pitching", [(key, teams[side], name, *at, *astuple(line)) for name, line in did.pitchers.items()]
        )


def _teams(folded: FoldedJournal, one: GameStats, in_league: bool) -> dict[Seat, str]:
    """Keys of the teams by side."""
    if in_league and folded.league:
        by_seat = {"away": folded.league.away, "home": folded.league.home}
        return {side: by_seat[one.sides[side].seat] for side in SEATS}
    return {side: folded.team_key(one, side) for side in SEATS}
