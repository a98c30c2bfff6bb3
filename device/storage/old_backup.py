"""Convert a backup of the first format, whose ZIP holds an untrusted SQLite file.

The next version removes it with `backup_files.OLD_JOURNAL`, and reads the second format only.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from device.storage import backup_files, database, game_file, game_list, hash_chain
from device.storage.backup_files import BackupError
from device.storage.game_list import GameRow

READ_TIMEOUT_S = 180.0
"""Timeout for reading the file, in seconds. A damaged file can make SQLite loop."""

MAX_VALUE_BYTES = 8 << 20  # maximum bytes of a value or a row


def convert_backup(old: zipfile.ZipFile, onto: BinaryIO, work: Path) -> str:
    """Convert a backup of the first format to the second, written to `onto`. Its list of files must be checked already.

    `work` is a folder with space for its journal. Returns a sentence about files left out because Dugout keeps no such
    files, "" for none. Raises BackupError, OSError and the errors of `zipfile`.
    """
    left_out = list[str]()
    with zipfile.ZipFile(onto, "w") as new, tempfile.TemporaryDirectory(dir=work) as folder:
        backup_files.add_file(new, backup_files.FORMAT_FILE, backup_files.FORMAT_CONTENT)
        for member in old.infolist():
            name, path = member.filename, Path(folder, backup_files.OLD_JOURNAL)
            with old.open(member) as file:
                if name == backup_files.OLD_JOURNAL:
                    with path.open("wb") as target:
                        shutil.copyfileobj(file, target)
                    try:
                        for number, content in _encoded_games(path):
                            backup_files.add_file(new, f"games/{number:06}.jsonl", content)
                    except (sqlite3.Error, TypeError, ValueError, OverflowError, RecursionError) as error:
                        raise backup_files.backup_error(backup_files.OLD_JOURNAL, error) from None
                    continue
                data = file.read(backup_files.max_file_bytes(name) + 1)
            try:
                backup_files.check_file(name, data)
            except BackupError:
                left_out.append(name)
            else:
                backup_files.add_file(new, name, data)
    return f" Left out, because Dugout keeps no such file: {backup_files.names_summary(left_out)}." if left_out else ""


def _encoded_games(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each game in a journal and the game as encoded by `game_file.encode_game`.

    SQLite runs no code of the file, because only tables are allowed in it.
    """
    over = time.monotonic() + READ_TIMEOUT_S
    # Ignores a WAL or a rollback journal next to it.
    uri = f"{Path(os.path.realpath(path)).as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, factory=database.JournalConnection)) as db:
        db.set_progress_handler(lambda: time.monotonic() > over, 100_000)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        for setting in ("trusted_schema = off", "cell_size_check = on", "mmap_size = 0", "query_only = on"):
            db.execute(f"pragma {setting}")
        if db.execute("select 1 from sqlite_schema where sql not like 'create table %'").fetchone():
            raise ValueError("it has more than the tables of a journal")
        ((health,),) = db.execute("pragma quick_check(1)")
        rows, damaged = game_list.read_rows(db)
        if health != "ok" or damaged - {0}:
            raise ValueError("it is not as it was written")
        for _, number in game_list.games_by_turn(db):
            chain = hash_chain.longest_chain([db], number)
            if chain is None or not chain.whole:
                raise ValueError(f"game {number} is not as it was written")
            yield number, game_file.encode_game(chain, rows.get(number, GameRow(number, "", number)))
