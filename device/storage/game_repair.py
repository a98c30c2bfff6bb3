"""Repair stored games one by one, from the journal's copy or from the game's own answers.

`repair.repair_journal` builds a complete journal at the start if the damage prevents playing. The repair here leaves
all other games alone, and a table may run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from device.storage import database, game_check, game_list, hash_chain, journal_copy, repair
from device.storage.game_check import StoredGame
from device.storage.hash_chain import Chain, readable_rows
from device.storage.restore import replayed_snapshot, restore_table, table_snapshot

ON_TABLE_ADVICE = "Game {} is on the table: stop the table and start it again, and it repairs this game."


def repair_games(journal: Path, cut: int = 0) -> list[str]:
    """Repair every damaged game of a journal, or cut only game `cut` short. Return a sentence about each.

    Raises OSError and sqlite3.Error.
    """
    told = list[str]()
    with closing(database.open_writable(journal, "full")) as db, ExitStack() as stack:
        copies = repair.open_sources(repair.copy_paths(journal), stack)
        _, on_table = game_list.current_game(db)
        for found in game_check.damaged_games(db):
            if cut in (0, found.id):
                told.append(
                    ON_TABLE_ADVICE.format(found.id)
                    if found.id == on_table
                    else repair_game(db, copies, found, bool(cut))
                )
                journal_copy.update_game(journal, db, found.id)
    return told


def repair_game(
    db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame, cut: bool = False
) -> str:
    """Repair one damaged game in `db` as far as possible. Return a sentence about what was and was not done.

    No readable answer is lost unless `cut`, which deletes all from the first damaged one. Raises sqlite3.Error.
    """
    done, left = list[str](), list[str]()
    chain, how = _best_repair(db, copies, found, cut)
    if chain is not None:
        done += [how] if how else []
    else:
        left.append(how)
    started = next(filter(game_check.is_iso_time, _possible_start_times(db, copies, found)), None)
    row = game_list.merged_rows([db, *copies]).get(found.id)
    with db:
        db.execute("begin immediate")
        if game_check.check_game(db, found.id) != found:
            return f"Game {found.id} changed in the meantime: try again."
        if chain is not None and how:
            game_list.delete_game_rows(db, found.id)
            repair.write_chain(db, chain)
        if not game_check.is_iso_time(found.started):
            db.execute("update game set started = ? where id = ?", (started or "", found.id))
            done.append("its date is known again" if started else "its date is lost")
        if not found.named:
            if row is None:
                game_list.rename_game(db, found.id, "")
            else:
                game_list.write_row(db, found.id, row)
            done.append("its name is known again" if row else "its name is lost: give it another")
    return f"Game {found.id}: {'; '.join([*done, *left])}."


def _best_repair(
    db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame, cut: bool
) -> tuple[Chain | None, str]:
    """Best recoverable chain and how it was repaired ("" if intact), or None and why it can't be repaired."""
    if found.is_intact:
        return found.chain, ""
    chain = hash_chain.longest_chain([db, *copies], found.id)
    if chain is not None and chain.whole and len(chain.rows) >= found.answers:
        return chain, "repaired, as it was written"
    if (told := _chain_matching_snapshot(db, found)) is not None:
        return told, "repaired: its answers lead to what was shown last"
    if chain is None:
        return None, "cannot be repaired: neither the journal nor its copy has its beginning as it was written"
    lost = found.answers - len(chain.rows)
    shown = replayed_snapshot(chain)
    if shown is None:
        return None, "cannot be repaired, because these rules cannot read its answers"
    chain = replace(chain, snapshot=shown, whole=True)
    if lost <= 0:
        return chain, "repaired: what was shown last was worked out from its answers"
    if cut:
        return chain, f"cut before its first damaged answer: {len(chain.rows)} are kept, {lost} are lost"
    return None, (
        f"{len(chain.rows)} of its {found.answers} answers are as they were written. To give up the others, run "
        f"dugout games --repair {found.id}"
    )


def _chain_matching_snapshot(db: sqlite3.Connection, found: StoredGame) -> Chain | None:
    """The game as it is in the journal, if its answers reproduce the last snapshot. None otherwise.

    This is so if the damage is in a time or in a word that no rule reads.
    """
    query = "select body, source, at, seal from entry where game = ? order by place"
    rows, whole = readable_rows(db, query, found.id)
    (seal,) = next(iter(readable_rows(db, "select seal from game where id = ?", found.id)[0]), ("",))
    if not rows or not whole or seal != hash_chain.checksum(rows[-1][3], found.snapshot):
        return None
    try:
        table = restore_table(found.header, found.decks, [body for body, *_ in rows])
        if len(table.journal) != len(rows) or table_snapshot(table) != found.snapshot:
            return None
    except Exception:  # any stored game can break anything
        return None
    answers = [(body, source, at) for body, source, at, _ in rows]
    return hash_chain.build_chain(found.id, found.header, found.decks, found.started, answers, found.snapshot)


def _possible_start_times(
    db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame
) -> Iterator[str]:
    """Yield possible start times of a game: its own, those of the copies, the time of its first answer."""
    for one in (db, *copies):
        for (started,) in readable_rows(one, "select started from game where id = ?", found.id)[0]:
            yield started
    for (at,) in readable_rows(db, "select at from entry where game = ? order by place limit 1", found.id)[0]:
        yield at
