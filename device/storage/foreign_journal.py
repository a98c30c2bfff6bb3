"""Games from a journal that anybody may have made: read as data and checked value by value.

Nothing of the file is used but the rows of its tables. They have to be exactly the tables of a journal, without
triggers, views or anything else that SQLite would run; each game has to be whole by its checksums. What a game is comes
out of the engine's own parsers, and goes into a new file under new checksums. A game that today's rules cannot read is
kept with what it showed last, if every value of that has its type, its length and only characters that can be seen.
The table's codes and keys are not read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from device.storage import atomic_file, database, game_list, hash_chain, repair
from device.storage.deck_editor import LARGEST, draft
from device.storage.game_list import GameRow
from device.storage.hash_chain import Chain
from device.storage.restore import restore, snapshot
from device.storage.standing_settings import parse
from engine.journal import entry_json, entry_of
from engine.seats import NAME, SEATS

PATIENCE = 180.0
"""Seconds that reading the file may take: a damaged one can lead SQLite in circles."""

GAMES_AT_MOST, ANSWERS_AT_MOST = 5000, 20_000
"""Games in a file, and answers in a game: a season has 3,000."""

LONGEST = {"header": 64 << 10, "decks": 8 << 20, "snapshot": 2 << 20, "body": 256 << 10, "source": 40, "at": 40}
"""Bytes of a value."""

HIGHEST = 999_999
"""The highest number of a game that is kept. With a higher one in it, all games of a file get new numbers."""

DEEPEST, WIDEST, TEXT = 20, 2000, 2000
"""Levels of a value's JSON, its entries on one level, and letters of a text in it."""

OLDER = {
    "turn": "create table turn ( game integer primary key, turn integer not null, name text not null, rev integer not "
    "null, seal text not null ) strict"
}
"""Tables as an older Dugout made them in its backups."""


PARTS = "select type, name, tbl_name, sql from sqlite_schema"
"""SQL for all that a file consists of."""


class ForeignError(ValueError):
    """No games can be taken over from the file; the reason goes after "the journal in the backup "."""


def adopt(found: Path, target: Path, values: dict[str, str]) -> tuple[int, int]:
    """Write the games of the journal `found` into a new one, `target`, with this table's own `values`; durable.

    Returns how many games that are, and how many were left out because of odd values. Raises ForeignError, OSError and
    sqlite3.Error.
    """
    with _reading(found) as db:
        order = [game for _, game in game_list.order(db)]
        rows, damaged = game_list.read(db)
        if damaged - {0} or len(order) > GAMES_AT_MOST or any(game < 1 for game in order):
            raise ForeignError("is damaged")
        games = [(rows.get(game), chain) for game in order if (chain := _whole(db, game)) is not None]
    renumber = any(chain.id > HIGHEST for _, chain in games)
    games.reverse()  # the game on the table comes last, and gets the highest turn
    left, turn = len(order) - len(games), max((chain.id for _, chain in games), default=0)
    if renumber:
        turn = len(games)
    with repair.new_journal(target) as db:
        for n, (row, chain) in enumerate(games, 1):
            game = n if renumber else chain.id
            clean = _clean(chain, game)
            if clean is None:
                left += 1
                continue
            turn += 1
            repair.put(db, clean)
            name, standing = (_name(row.name), _standing(row.standing)) if row else ("", "")
            game_list.put(db, game, GameRow(turn, name, turn, standing))
        for key, value in values.items():
            hash_chain.put_value(db, key, value)
    atomic_file.flush(target)
    if order and left == len(order):
        raise ForeignError("has no game that can be read")
    return len(order) - left, left


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a foreign file to read it, once it has the tables of a journal and nothing else."""
    over = time.monotonic() + PATIENCE
    # Never with a WAL or a rollback journal that somebody left beside it.
    uri = f"{Path(os.path.realpath(path)).as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, factory=database.Connection)) as db:
        db.set_progress_handler(lambda: time.monotonic() > over, 100_000)
        for setting in ("trusted_schema = off", "cell_size_check = on", "mmap_size = 0", "query_only = on"):
            db.execute(f"pragma {setting}")
        if not _is_ours(db):
            raise ForeignError("has other tables than a journal, or is of another version of Dugout")
        ((health,),) = db.execute("pragma quick_check(1)")
        if health != "ok":
            raise ForeignError("is damaged")
        yield db


def _is_ours(db: sqlite3.Connection) -> bool:
    """True if a file has exactly the tables of a journal, as this or an older Dugout writes them."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(database.SCHEMA)
        known = {(kind, name, table, _flat(sql)) for kind, name, table, sql in model.execute(PARTS)}
    found = {(kind, name, table, _flat(sql)) for kind, name, table, sql in db.execute(f"{PARTS} limit 20")}
    older = {("table", name, name, sql) for name, sql in OLDER.items()}
    return found <= known | older and {"game", "entry"} <= {name for _, name, *_ in found}


def _flat(sql: object) -> str | None:
    """Return SQL in small letters on one line; None for an index that SQLite made itself."""
    if not isinstance(sql, str):
        return None
    return " ".join(sql.replace("(", " ( ").replace(")", " ) ").lower().split())


def _whole(db: sqlite3.Connection, game: int) -> Chain | None:
    """Return a game that is whole; None if its values are too large to be looked at. Raises ForeignError."""
    size = "coalesce(length(cast({0} as blob)), 0) > {1}"
    for table, key, columns in (
        ("game", "id", ("header", "decks", "snapshot")),
        ("entry", "game", ("body", "source", "at")),
    ):
        large = " or ".join(size.format(column, LONGEST[column]) for column in columns)
        if db.execute(f"select 1 from {table} where {key} = ? and ({large}) limit 1", (game,)).fetchone():
            return None
    ((answers,),) = db.execute("select count(*) from entry where game = ?", (game,))
    if answers > ANSWERS_AT_MOST:
        return None
    chain = hash_chain.chain([db], game)
    if chain is None or not chain.whole or len(chain.rows) != answers:
        raise ForeignError("is damaged")
    return chain


# One game ------------------------------------------------------------------------------------------------------------


def _clean(chain: Chain, number: int) -> Chain | None:
    """Return a game with this number as this Dugout would have written it; None if it cannot be read at all."""
    try:
        header, decks = loaded(chain.header), _decks(chain.decks)
        bodies = [json.dumps(entry_json(entry_of(loaded(body)))) for body, *_ in chain.rows]
        shown = None
        with suppress(Exception):  # without it, the answers have to do
            shown = json.dumps(_shown(chain.snapshot))
        try:
            table = restore(json.dumps(header), json.dumps(decks), bodies, shown)
        except Exception:  # these rules cannot read it, and say so in many ways
            begun, started = json.dumps(_header(header)), _day(chain.started)
            return None if shown is None else _sealed(number, begun, json.dumps(decks), started, bodies, chain, shown)
    except Exception:  # as anywhere with what strangers wrote
        return None
    own = [{"file": deck.file, "source": deck.source} for deck in table.decks]
    return _sealed(
        *(number, json.dumps(table.header.as_json()), json.dumps(own), _day(chain.started)),
        *([json.dumps(entry_json(entry)) for entry in table.journal], chain, snapshot(table)),
    )


def _sealed(
    number: int, header: str, decks: str, started: str, bodies: Sequence[str], chain: Chain, shown: str
) -> Chain:
    """Return a game with its new checksums; who gave each answer, and when, is from `chain`."""
    head, rows = hash_chain.root(number, header, decks), []
    for place, (body, (_, source, at, _)) in enumerate(zip(bodies, chain.rows, strict=True)):
        row = body, _seen(source, LONGEST["source"], ""), _day(at)
        head = hash_chain.checksum(head, place, *row)
        rows.append((*row, head))
    return replace(
        chain,
        id=number,
        header=header,
        decks=decks,
        started=started,
        rows=tuple(rows),
        head=head,
        snapshot=shown,
    )


def loaded(text: str) -> Any:
    """Return the plain data in a JSON text. Raises ValueError and RecursionError unless all of it is `plain`."""
    return _plain(json.loads(text))


def _plain(value: Any, level: int = 0) -> Any:
    """Return data as it is. Raises ValueError for what is too deep, too long, too large or cannot be seen."""
    match value:
        case None | bool():
            return value
        case int() if abs(value) < 1 << 31:
            return value
        case float() if abs(value) < 1e9:
            return value
        case str() if len(value) <= TEXT and value.replace("\n", "").isprintable():
            return value
        case list() if len(value) <= WIDEST and level < DEEPEST:
            return [_plain(one, level + 1) for one in value]
        case dict() if len(value) <= WIDEST and level < DEEPEST:
            return {_plain(key, level + 1): _plain(one, level + 1) for key, one in value.items()}
    raise ValueError("odd data")


def _decks(text: str) -> list[dict[str, str]]:
    """Return the decks of a game, whose cards the engine checks. Raises ValueError, DeckError and LookupError."""
    found = []
    for deck in json.loads(text):
        name, source = deck["file"], deck["source"]
        if not isinstance(source, str) or len(source.encode()) > LARGEST:
            raise ValueError("odd deck")
        draft(source, _checked(name, 255))  # its lines and brackets are few enough for the parser
        found.append({"file": name, "source": source})
    return found


def _header(header: Any) -> dict[str, Any]:
    """Return the header of a game that these rules cannot read. Raises ValueError, LookupError and TypeError."""
    decks = [{"title": _checked(one["title"], 60), "sha256": _checked(one["sha256"], 64)} for one in header["decks"]]
    house = {_checked(key, 80): _checked(value, 80) for key, value in header["house"].items()}
    if not _is_whole(header["version"]):
        raise ValueError("odd header")
    found = {"game": _checked(header["game"], 40), "version": header["version"], "decks": decks, "house": house}
    names = {seat: _checked(header["names"][seat], NAME) for seat in SEATS if seat in header.get("names", {})}
    return found | {"names": names} if names else found


def _shown(text: str | None) -> Any:
    """Return what such a game showed last, in the types that the list of games reads. Raises as `_header`."""
    shown = loaded(text or "")
    board, end, plays = shown["scoreboard"], shown["outcome"], shown.get("plays")
    for seat in SEATS:
        side = board["sides"][seat]
        if not all(isinstance(side[key], str) for key in ("name", "colour")) or not _is_whole(side["runs"]):
            raise ValueError("odd sides")
    words = [board.get("half"), (board.get("panel") or {}).get("stands")]
    words += [end["winner"], end["reason"], end["sentence"]] if end else []
    if not all(one is None or isinstance(one, str) for one in words) or (end and end["winner"] not in (None, *SEATS)):
        raise ValueError("odd words")
    if not all(one is None or _is_whole(one) for one in (board.get("inning"), plays)):
        raise ValueError("odd numbers")
    return shown


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _checked(value: Any, longest: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest or not value.isprintable():
        raise ValueError("odd text")
    return value


def _seen(value: Any, longest: int, otherwise: str) -> str:
    with suppress(ValueError):
        return _checked(value, longest)
    return otherwise


def _day(stamp: Any) -> str:
    """Return an ISO time as it is stored; "" for anything else."""
    with suppress(ValueError, TypeError, OverflowError):
        return datetime.fromisoformat(_checked(stamp, LONGEST["at"])).isoformat()
    return ""


def _name(name: Any) -> str:
    """Return a game's name if somebody could have typed it here, else ""."""
    with suppress(ValueError, AttributeError):
        return game_list.checked_name(name)
    return ""


def _standing(text: Any) -> str:
    """Return what the seats of a game set, if all of it is known, else ""."""
    with suppress(ValueError, TypeError, RecursionError):
        loaded(text)
        return json.dumps(found) if (found := parse(text)) else ""
    return ""
