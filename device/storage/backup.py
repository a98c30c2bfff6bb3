"""Back up games, decks, leagues, calibrations and settings in one file. device/storage/backup_restore.py restores it.

The file is for its owner only, because it contains the secrets of games. It contains no codes, no key of the phones'
passes and no roll pictures. All of its content passed the checks of a restore.
"""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.named_file import open_file
from device.storage import backup_files, database, game_file, game_list, hash_chain, repair
from device.storage.backup_files import BackupError
from device.storage.backup_switch import JOURNAL_FILE
from device.storage.game_list import GameRow


def write_backup(file: BinaryIO, data: Path, settings: Path | None) -> tuple[int, int, list[str]]:
    """Write a backup to `file`. The table may run. Raises BackupError, OSError and sqlite3.Error.

    Returns the number of games in it, the number of damaged games left out, and the names of other files left out
    because a restore would reject them.
    """
    journal, odd = data / JOURNAL_FILE, list[str]()
    if not journal.is_file():
        raise BackupError(f"there is no journal in {data}.")
    with zipfile.ZipFile(file, "w") as packed:
        backup_files.add_file(packed, backup_files.FORMAT_FILE, backup_files.FORMAT_CONTENT)
        games, lost = _add_games(packed, journal)
        for path, name in _extra_files(data, settings):
            with suppress(FileNotFoundError), open_file(path) as found:  # unless the table took it away just now
                content = found.read(backup_files.max_file_bytes(name) + 1)
                try:
                    backup_files.check_file(name, content)
                    backup_files.add_file(packed, name, content)
                except BackupError:
                    odd.append(name)
    file.flush()
    return games, lost, odd


def backup_sentence(games: int, lost: int, odd: Sequence[str], name: Path | str) -> str:
    """Sentence about the backup of this name, from the result of `write_backup`."""
    missing = (
        f" {lost} of {game_count_text(games + lost)} {'is' if lost == 1 else 'are'} damaged and not in it."
        if lost
        else ""
    )
    missing += f" Not in it, because a restore would refuse it: {backup_files.names_summary(odd)}." if odd else ""
    return f"{game_count_text(games)}, decks, leagues, calibrations and settings are kept in {name}.{missing}"


def game_count_text(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _extra_files(data: Path, settings: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield the path and the name in the backup of each file other than games."""
    if settings is not None and settings.is_file():
        yield settings, backup_files.SETTINGS_NAME
    if (people := data / backup_files.PEOPLE_NAME).is_file() and not people.is_symlink():
        yield people, backup_files.PEOPLE_NAME
    for folder in (data / name for name in backup_files.BACKUP_FOLDERS):
        found = [] if folder.is_symlink() else sorted(folder.rglob("*"))
        files = [(one, one.relative_to(data).as_posix()) for one in found if not one.is_symlink() and one.is_file()]
        known = [(one, name) for one, name in files if backup_files.max_file_bytes(name)]
        yield from known[: backup_files.MAX_FILES_BY_FOLDER.get(folder.name)]


def _add_games(packed: zipfile.ZipFile, journal: Path) -> tuple[int, int]:
    """Add the intact games of the journal or its copy, all read at one moment.

    Returns their number, and the number of damaged games of the journal.
    """
    added, size = set[int](), 0
    with ExitStack() as stack:
        sources = [_open_for_reading(journal, stack), *repair.open_sources(repair.copy_paths(journal), stack)]
        rows = game_list.merged_rows(sources)
        for number in hash_chain.game_numbers(sources):
            name, row = f"games/{number:06}.jsonl", rows.get(number, GameRow(number, "", number))
            chain = hash_chain.longest_chain(sources, number) if row.turn else None
            with suppress(ValueError, TypeError, RecursionError):
                if chain is not None and chain.whole:
                    content = game_file.encode_game(chain, row)
                    game_file.read_game(io.BytesIO(content), name, number)
                    backup_files.add_file(packed, name, content)
                    added.add(number)
                    size += len(content)
        here = set(hash_chain.game_numbers(sources[:1]))
    if size > backup_files.MAX_GAMES_BYTES:
        raise BackupError(f"the games take more than {backup_files.MAX_GAMES_BYTES >> 20} MiB: delete a league first.")
    if here and not added:
        raise BackupError(f"all games in {journal} are damaged: there is nothing to keep.")
    return len(added), len(here - added)


def _open_for_reading(journal: Path, stack: ExitStack) -> sqlite3.Connection:
    """Open a snapshot of a journal until `stack` closes it. Raises OSError and sqlite3.Error."""
    try:
        return stack.enter_context(_read_transaction(f"{Path(os.path.realpath(journal)).as_uri()}?mode=ro"))
    except sqlite3.OperationalError:
        # On a full card SQLite cannot read either: it needs space for an index of the WAL.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        away = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=memory)), JOURNAL_FILE)
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(database.sibling_path(journal, end), database.sibling_path(away, end))
        return stack.enter_context(_read_transaction(away.as_uri()))


@contextmanager
def _read_transaction(uri: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, factory=database.JournalConnection)) as db:
        db.execute("begin")
        db.execute("select count(*) from game").fetchone()
        yield db
