"""Check stored games one by one for damage and for what can still be read.

Nothing here raises for the content of a game's rows, so that one damaged game hides no other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from device.storage import game_list, hash_chain
from device.storage.hash_chain import Chain, checksum, readable_rows

IS_OVER_SQL = """select case when json_valid(snapshot) then
    json_type(snapshot, '$.outcome') is 'object' or json_extract(snapshot, '$.version') is 0
else 0 end from game where id = ?"""
"""SQL for whether nobody will continue a game: it is over, or nobody played it. Damaged JSON counts as not over.

Without the `case`, SQLite would reject the complete query for damaged JSON.
"""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as a file holds it.

    answers: number of answers found.
    chain: the part with valid checksums.
    damage: damaged parts as parts of a sentence, empty for an intact game.
    named: False if its row in the list of games is damaged.
    """

    id: int
    header: str
    decks: str
    started: str
    snapshot: str | None
    answers: int
    chain: Chain | None
    damage: tuple[str, ...]
    named: bool = True

    @property
    def is_intact(self) -> bool:
        """True if header, cards, answers and last snapshot are as they were written."""
        return self.chain is not None and self.chain.whole and len(self.chain.rows) == self.answers

    @property
    def damage_sentence(self) -> str:
        return f"This game is damaged: {' and '.join(self.damage)}." if self.damage else ""


def is_over(db: sqlite3.Connection, game: int) -> bool:
    """True if nobody will continue a game. False if unreadable."""
    return any(bool(one) for (one,) in readable_rows(db, IS_OVER_SQL, game)[0])


def damaged_games(db: sqlite3.Connection) -> list[StoredGame]:
    """Damaged games of a file by number."""
    unnamed = game_list.read_rows(db)[1]
    found = (check_game(db, game, unnamed) for game in hash_chain.game_numbers([db]))
    return [one for one in found if one is not None and (one.damage or not one.named)]


def check_game(db: sqlite3.Connection, game: int, unnamed: set[int] | None = None) -> StoredGame | None:
    """Read and check one game. None if there is no such number.

    `unnamed` are the games with a damaged row in the list of games, if known.
    """
    rows, read = readable_rows(db, "select header, decks, started, snapshot from game where id = ?", game)
    if not rows:
        return None if read else StoredGame(game, "", "", "", None, 0, None, ("its page on the card cannot be read",))
    header, decks, started, snapshot = rows[0]
    chain, found = (
        hash_chain.longest_chain([db], game),
        readable_rows(db, "select count(*) from entry where game = ?", game),
    )
    answers = found[0][0][0] if found[1] else (len(chain.rows) + 1 if chain else 1)
    return StoredGame(
        game,
        header,
        decks,
        started,
        snapshot,
        answers,
        chain,
        (
            *_damaged_parts(chain, answers),
            *([] if is_iso_time(started) else ["the date it was begun"]),
        ),
        game not in (game_list.read_rows(db)[1] if unnamed is None else unnamed),
    )


def _damaged_parts(chain: Chain | None, answers: int) -> Sequence[str]:
    if chain is None:
        return ["its rules, its cards or its first answer"]
    if len(chain.rows) < answers:
        return [f"its answers from number {len(chain.rows) + 1} of {answers} on"]
    return [] if chain.whole else ["its last answers or what was shown last"]


def intact_fingerprint(db: sqlite3.Connection, game: int) -> tuple[object, ...] | None:
    """Identify, at little cost, a game that looks intact at its end. None if it does not.

    An intact game stays intact while this value is the same, unless a card changes earlier rows.
    """
    query = (
        "select snapshot, game.seal, entry.place, entry.seal from game left join entry on game = id where id = ? "
        "order by place desc limit 1"
    )
    for snapshot, seal, place, head in readable_rows(db, query, game)[0]:
        if place is not None and seal == checksum(head, snapshot):
            return (game, seal, place, head)
    return None


def is_iso_time(started: object) -> bool:
    try:
        return bool(datetime.fromisoformat(str(started)))
    except ValueError:
        return False
