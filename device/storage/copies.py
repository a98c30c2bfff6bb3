"""Two copies of the journal beside it, brought up to date in turns: one of them is always left alone.

Rows are copied, not pages, and only those whose seals are right: what a failing card spoils in the journal never spoils
a good copy. A copy that cannot be made endangers nothing and is only logged.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from device.storage import game_list, hash_chain, repair
from device.storage.atomic_file import sync
from engine.table import Table

log = logging.getLogger("dugout.copies")

OFTEN = 10
"""A copy is due after so many answers, and at the end of each half-inning and game."""

ROOM = 16 << 20
"""Bytes that must be free for a copy: the journal comes first."""

QUIET = 0.5
"""Seconds without an answer in which a copy is made, so that none waits for it; it is put off `PATIENCE` times."""

PATIENCE = 5


class Copies:
    """The copies of the journal at `path`: `note` what was written, and `make` one now and then."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._paths = [path.with_name(path.name + end) for end in repair.COPIES]
        self._making = threading.Lock()
        self._news = 0
        self._half: object = None
        self._last = clock()

    @property
    def changed(self) -> bool:
        """Whether anything was written since the last copy."""
        return self._news > 0

    @property
    def due(self) -> bool:
        """Whether enough was written since the last copy."""
        return self._news >= OFTEN

    @property
    def quiet(self) -> bool:
        """Whether nobody has answered for a moment."""
        return self._clock() - self._last >= QUIET

    def note(self, table: Table | None = None, now: bool = False) -> None:
        """An answer was written to this table, or something else: a copy is due some time, or `now`."""
        self._last = self._clock()
        half = None
        if table is not None:
            board = table.scoreboard()
            half = (board.inning, board.half, table.outcome is not None)
        ended = table is None or now or half != self._half
        self._half = self._half if table is None else half
        self._news += OFTEN if ended else 1

    def found(self) -> Iterator[sqlite3.Connection]:
        """The copies that are there and at rest, to read."""
        for path in self._paths:
            if path.exists() and not path.with_name(path.name + "-journal").exists():
                with suppress(sqlite3.Error):
                    yield repair.reader(path)

    def make(self) -> bool:
        """Bring the older copy up to date; gives whether that was done."""
        with self._making:
            news, target = self._news, min(self._paths, key=_turn)
            try:
                if shutil.disk_usage(self._path.parent).free < ROOM:
                    log.warning("There is no room for a copy of the journal.")
                    return False
                self._bring(target)
            except (OSError, sqlite3.Error) as error:
                log.warning("The copy %s cannot be made: %s.", target.name, error)
                if isinstance(error, sqlite3.Error) and repair.damage(error):
                    with suppress(OSError):
                        target.unlink(missing_ok=True)
                        target.with_name(target.name + "-journal").unlink(missing_ok=True)
                return False
            self._news -= news
            return True

    def _bring(self, target: Path) -> None:
        os.close(os.open(target, os.O_RDWR | os.O_CREAT, 0o600))
        uri = f"{self._path.resolve().as_uri()}?mode=ro"
        with (
            closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1)) as source,
            closing(sqlite3.connect(target, isolation_level=None, timeout=1)) as copy,
        ):
            copy.execute("pragma synchronous = full")
            copy.executescript(repair.SCHEMA)
            source.execute("begin")
            copy.execute("begin immediate")
            try:
                _update(source, copy)
                copy.execute(f"pragma user_version = {max(map(_turn, self._paths)) + 1}")
            except BaseException:
                copy.execute("rollback")
                raise
            copy.execute("commit")
        sync(target.parent)


def _update(source: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    values, _ = hash_chain.remembered(source)
    for key, value in values.items():
        copy.execute(
            "insert into meta (key, value, seal) values (?, ?, ?) "
            "on conflict (key) do update set value = excluded.value, seal = excluded.seal",
            (key, value, hash_chain.seal("meta", key, value)),
        )
    since, _ = game_list.current(copy)
    for turn, game in reversed(game_list.order(source)):
        if turn < since:
            continue  # it was put aside before the copy was made
        kept = hash_chain.chain([source], game)
        if kept is None or not kept.whole:
            log.warning("Game %d is not copied: it is not as it was written.", game)
            continue
        copied = [mark for (mark,) in copy.execute("select seal from entry where game = ? order by place", (game,))]
        begun = copy.execute("select header, decks, started from game where id = ?", (game,)).fetchone()
        same = begun in (None, (kept.header, kept.decks, kept.started))
        if not same or [row[3] for row in kept.rows[: len(copied)]] != copied:
            copy.execute("delete from entry where game = ?", (game,))
            copy.execute("delete from game where id = ?", (game,))
            copied = []
        repair.put(copy, kept, len(copied))
    ours = game_list.read(copy)[0]
    for game, row in game_list.read(source)[0].items():
        if game not in ours or ours[game].rev < row.rev:
            game_list.put(copy, game, row)
            if not row.turn:
                copy.execute("delete from entry where game = ?", (game,))
                copy.execute("delete from game where id = ?", (game,))


def _turn(path: Path) -> int:
    """Which copy in turn it is, by what it says itself: clocks go back. 0 for none, or one that was cut off."""
    if path.with_name(path.name + "-journal").exists():
        return 0
    try:
        with closing(repair.reader(path)) as db:
            return int(db.execute("pragma user_version").fetchone()[0])
    except sqlite3.Error:
        return 0


class Copier:
    """Makes copies on a thread of its own, when they are due and nobody answers."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="copies", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        waited = 0
        while not self._done.wait(QUIET):
            if not self._copies.due:
                waited = 0
            elif self._copies.quiet or waited >= PATIENCE:
                self._copies.make()
                waited = 0
            else:
                waited += 1

    def stop(self) -> None:
        """End it, and bring both copies up to date a last time."""
        self._done.set()
        self._thread.join(10)
        if self._copies.changed and not self._thread.is_alive():
            self._copies.make()
            self._copies.make()
