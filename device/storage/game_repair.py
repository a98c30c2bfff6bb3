"""Repair stored games one by one: from the journal's copy, or from the game's own answers.

`repair.repair` builds a whole new journal at the start, for damage that the table cannot play with. This leaves all
other games alone, and a table may be running.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from device.storage import database, game_check, game_list, hash_chain, journal_copy, repair
from device.storage.game_check import StoredGame
from device.storage.hash_chain import Chain, readable
from device.storage.restore import restore, retell, snapshot

AGAIN = "Game {} is on the table: stop the table and start it again, and it repairs this game."


def mend_all(journal: Path, cut: int = 0) -> list[str]:
    """Repair every damaged game of a journal, or only cut game `cut`; return a sentence about each.

    Raises OSError and sqlite3.Error.
    """
    told = list[str]()
    with closing(database.connect(journal, "full")) as db, ExitStack() as stack:
        copies = repair.sources(repair.copies(journal), stack)
        _, on_table = game_list.current(db)
        for found in game_check.damaged(db):
            if cut in (0, found.id):
                told.append(AGAIN.format(found.id) if found.id == on_table else mend(db, copies, found, bool(cut)))
                journal_copy.add(journal, db, found.id)
    return told


def mend(db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame, cut: bool = False) -> str:
    """Repair one damaged game in `db` as far as possible; return what was done and what was not, in a sentence.

    No answer that was found is given up, unless `cut`: then what follows the first damaged answer is deleted. Raises
    sqlite3.Error.
    """
    done, left = list[str](), list[str]()
    chain, how = _best(db, copies, found, cut)
    if chain is not None:
        done += [how] if how else []
    else:
        left.append(how)
    started = next(filter(game_check.dated, _starts(db, copies, found)), None)
    row = game_list.merged([db, *copies]).get(found.id)
    with db:
        db.execute("begin immediate")
        if game_check.check(db, found.id) != found:
            return f"Game {found.id} changed in the meantime: try again."
        if chain is not None and how:
            game_list.delete_rows(db, found.id)
            repair.put(db, chain)
        if not game_check.dated(found.started):
            db.execute("update game set started = ? where id = ?", (started or "", found.id))
            done.append("its date is known again" if started else "its date is lost")
        if not found.named:
            if row is None:
                game_list.rename(db, found.id, "")
            else:
                game_list.put(db, found.id, row)
            done.append("its name is known again" if row else "its name is lost: give it another")
    return f"Game {found.id}: {'; '.join([*done, *left])}."


def _best(
    db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame, cut: bool
) -> tuple[Chain | None, str]:
    """Return the game as it can be stored, and in words how, "" for as it is; or None, and why it cannot be."""
    if found.whole:
        return found.chain, ""
    chain = hash_chain.chain([db, *copies], found.id)
    if chain is not None and chain.whole and len(chain.rows) >= found.answers:
        return chain, "repaired, as it was written"
    if (told := _told(db, found)) is not None:
        return told, "repaired: its answers lead to what was shown last"
    if chain is None:
        return None, "cannot be repaired: neither the journal nor its copy has its beginning as it was written"
    lost = found.answers - len(chain.rows)
    shown = retell(chain)
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


def _told(db: sqlite3.Connection, found: StoredGame) -> Chain | None:
    """Return the game as it is in the journal, if its answers lead to exactly what was shown last.

    So it is where the damage is in a time or in a word that no rule reads.
    """
    query = "select body, source, at, seal from entry where game = ? order by place"
    rows, whole = readable(db, query, found.id)
    (seal,) = next(iter(readable(db, "select seal from game where id = ?", found.id)[0]), ("",))
    if not rows or not whole or seal != hash_chain.checksum(rows[-1][3], found.snapshot):
        return None
    try:
        table = restore(found.header, found.decks, [body for body, *_ in rows])
        if len(table.journal) != len(rows) or snapshot(table) != found.snapshot:
            return None
    except Exception:  # as with any stored game
        return None
    answers = [(body, source, at) for body, source, at, _ in rows]
    return hash_chain.sealed(found.id, found.header, found.decks, found.started, answers, found.snapshot)


def _starts(db: sqlite3.Connection, copies: Sequence[sqlite3.Connection], found: StoredGame) -> Iterator[str]:
    """Yield what may be the time a game was begun: its own, those of the copies, that of its first answer."""
    for one in (db, *copies):
        for (started,) in readable(one, "select started from game where id = ?", found.id)[0]:
            yield started
    for (at,) in readable(db, "select at from entry where game = ? order by place limit 1", found.id)[0]:
        yield at
