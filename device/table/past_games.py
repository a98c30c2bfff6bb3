"""The games that were played, for anyone to look at, to replay and to take home.

They are read on a connection of their own, which cannot write: the game on the table waits for none of it. Whatever a
journal holds, only what spectators saw leaves this module; what the rulebook never opened stays sealed for good.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.storage import game_list, hash_chain
from device.storage.restore import reason, restore
from device.storage.store import OVER, StoreError
from device.table import play_log
from engine.games import GAMES
from engine.journal import Answer
from engine.seats import SEATS
from engine.secrets import view
from engine.table import Table

log = logging.getLogger("dugout.history")

PAGE = 50
"""Games on a page of the list."""

SHELF = 20
"""Games that were put aside, in the list to play on; older ones stand in the list of all."""

LONGEST = 1000
"""Steps of a replay; of a longer game the newest."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game as it lies in the store: what the list says of it, and its table, or in `trouble` why there is none."""

    told: dict[str, Any]
    header: dict[str, Any]
    table: Table | None
    trouble: str | None


class PastGames:
    """The games in the store at `path`. Safe to use from any thread; every method raises StoreError.

    `now` gives the number of the game on the table; `has` says whether there is a picture of an answer, by the game's
    number and the answer's place in its journal.
    """

    def __init__(self, path: Path, now: Callable[[], int], has: Callable[[int, int], bool]) -> None:
        self._path, self._now, self._has = path, now, has

    def games(self, page: int) -> dict[str, Any]:
        """A page of the list; see `web.port.Port.games`. It reads no journal, so a damaged one breaks nothing."""
        with closing(self._connect()) as db:
            try:
                order = [game for _, game in game_list.order(db)]
                found = listed(db, order[(page - 1) * PAGE : page * PAGE], self._now())
            except sqlite3.Error as error:
                raise unread(error) from error
        return {"games": found, "page": page, "pages": max(1, -(-len(order) // PAGE))}

    def aside(self) -> list[dict[str, Any]]:
        """The games that were put aside; see `web.port.Port.aside`."""
        now = self._now()
        with closing(self._connect()) as db:
            try:
                under_way = {game for (game,) in db.execute(f"select id from game where not ({OVER})")} - {now}
                order = [game for _, game in game_list.order(db) if game in under_way]
                return [one for one in listed(db, order[:SHELF], now) if one["aside"]]
            except sqlite3.Error as error:
                raise unread(error) from error

    def like(self, table: Table) -> dict[str, Any] | None:
        """The last on the table of the games put aside that have this one's cards and version of the rules, as the list
        has it; None where there is none."""
        now = self._now()
        with closing(self._connect()) as db:
            try:
                rows = db.execute(f"select id, header from game where not ({OVER})")
                same = {game for game, header in rows if alike(header, table)}
                order = [game for _, game in game_list.order(db) if game in same]
                return next((one for one in listed(db, order, now) if one["aside"]), None)
            except sqlite3.Error as error:
                raise unread(error) from error

    def game(self, number: int) -> dict[str, Any] | None:
        """One game with its play log; see `web.port.Port.past`."""
        kept = self._read(number)
        if kept is None:
            return None
        table = kept.table
        return kept.told | {
            "trouble": kept.trouble,
            "table": table and table.view(None),
            "log": play_log.lines(table, self._pictures(table, number)) if table else [],
        }

    def replay(self, number: int) -> list[dict[str, Any]] | None:
        """The steps of one game; see `web.port.Port.replay`."""
        kept = self._read(number)
        if kept is None or kept.table is None:
            return None
        return steps(kept.table, self._pictures(kept.table, number))

    def journal(self, number: int) -> dict[str, Any] | None:
        """The header and entries of one game, its secrets "hidden"; see `web.port.Port.journal`."""
        kept = self._read(number)
        if kept is None or kept.table is None:
            return None
        return {"header": kept.header, "entries": kept.table.entries(None)}

    def _pictures(self, table: Table, number: int) -> dict[int, str]:
        return play_log.pictures(table, number, self._has)

    def _read(self, number: int) -> PastGame | None:
        """The game of that number; None where there is none."""
        with closing(self._connect()) as db:
            try:
                db.execute("begin")  # an answer stored between the two looks is in neither
                row = db.execute("select header, snapshot, decks from game where id = ?", (number,)).fetchone()
                told = listed(db, [number], self._now())
                rows = db.execute("select body from entry where game = ? order by place", (number,)).fetchall()
                kept = hash_chain.chain([db], number)
            except sqlite3.Error as error:
                raise unread(error) from error
        if row is None:
            return None
        begun, shown, decks = row
        try:
            header = json.loads(begun)
            table = restore(header, json.loads(decks), [body for (body,) in rows], shown)
            if rows and (kept is None or len(kept.rows) < len(rows)):
                raise LookupError("some of its answers are not as they were written.")
        except Exception as error:  # there is no end to what a foreign journal can break
            log.info("Game %d cannot be read: %s.", number, type(error).__name__)
            return PastGame(told[0], {}, None, f"This game cannot be read under these rules: {reason(error)}")
        return PastGame(told[0], header, table, None)

    def _connect(self) -> sqlite3.Connection:
        try:
            return sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True, timeout=1)
        except sqlite3.Error as error:
            raise unread(error) from error


def unread(error: sqlite3.Error) -> StoreError:
    """For everyone: the file's name is nobody's business."""
    return StoreError(f"The games cannot be read: {error}.")


def alike(header: str, table: Table) -> bool:
    """Whether a game was begun under the rules and with the cards of this one; of a damaged one that is not known."""
    wanted = table.header.as_json()
    try:
        begun = json.loads(header)
        return all(begun[key] == wanted[key] for key in ("game", "version", "decks"))
    except (ValueError, LookupError, TypeError):
        return False


def listed(db: sqlite3.Connection, games: Sequence[int], now: int) -> list[dict[str, Any]]:
    """What the list says of these games, in their order; `now` is on the table. Raises sqlite3.Error."""
    last = "(select at from entry where game = id order by place desc limit 1)"
    rows, damaged = game_list.read(db)
    found = []
    for game in games:
        row = db.execute(f"select header, started, snapshot, {last} from game where id = ?", (game,)).fetchone()
        if row is not None:
            *stored, played = row
            told = told_of(now, game, *stored)
            told |= {"name": rows[game].name if game in rows else "", "played": played or told["started"]}
            if game in damaged:
                told["note"] = "Its name is damaged: give it another."
            found.append(told)
    return found


def told_of(now: int, number: int, header: str, started: str, snapshot: str | None) -> dict[str, Any]:
    """What the list says of a game, from what was last shown of it. `note` is what is odd about it, or null."""
    try:
        begun = json.loads(header)
        key, version = str(begun["game"]), begun["version"]
    except (ValueError, LookupError, TypeError):
        key, title = "", "A game"
        note: str | None = "Its journal is damaged."
    else:
        game = GAMES.get(key)
        title, note = game.title if game else key, None
        if game is None:
            note = "This game is not known here."
        elif version != game.version:
            note = f"It was begun under version {version} of its rules; they are at version {game.version} now."
    told = {"id": number, "game": {"key": key, "title": title}, "started": started, "now": number == now, "note": note}
    last = shown(snapshot)
    aside = number != now and key in GAMES and last["stands"] is not None and last["outcome"] is None
    return told | last | {"aside": aside}


def shown(snapshot: str | None) -> dict[str, Any]:
    """The teams, the outcome, the number of plays, and in words where the game stands, that a snapshot has, each null
    where it has none; and whether one person plays alone, so that the teams are those of the last of many games."""
    try:
        seen = json.loads(snapshot or "")
        teams = seen["scoreboard"]["sides"]
        sides = {seat: {key: teams[seat][key] for key in ("name", "colour", "runs")} for seat in SEATS}
        end = seen["outcome"]
        outcome = end and {key: end[key] for key in ("winner", "reason", "sentence")}
        alone = len(seen["scoreboard"].get("plays", SEATS)) == 1
        stands = where(seen["scoreboard"])
        return {"sides": sides, "outcome": outcome, "plays": seen.get("plays"), "stands": stands, "alone": alone}
    except (ValueError, LookupError, TypeError, AttributeError):
        return {"sides": None, "outcome": None, "plays": None, "stands": None, "alone": False}


def where(board: Mapping[str, Any]) -> str:
    """Where a game stands: as its own panel says under `stands`, else by inning and score."""
    said = board.get("panel", {}).get("stands")
    if isinstance(said, str):
        return said
    if board.get("batting") is None:
        return "before the first inning"
    away, home = (board["sides"][seat]["runs"] for seat in SEATS)
    return f"{board['half']} of inning {board['inning']}, {away} to {home}"


def steps(table: Table, pictures: Mapping[int, str]) -> list[dict[str, Any]]:
    """What spectators saw of a game, from its first picture on: a step wherever something was told or changed.

    The answers that stand are given to a fresh table one by one, so what was taken back or put right is not played
    again. Of more than `LONGEST` steps the first are left out, and what was told in them.
    """
    twin, lines = Table(table.game, table.decks, table.house), play_log.lines(table, pictures)
    found = [_step(twin, lines, 0)]
    heard, board = len(twin.log), found[0]["scoreboard"]
    for one in table.answers:
        twin.write(Answer(one.ask.seat, one.n, one.value))
        step = _step(twin, lines, heard)
        if len(twin.log) > heard or step["scoreboard"] != board:
            found.append(step)
            heard, board = len(twin.log), step["scoreboard"]
    return found[-LONGEST:]


def _step(twin: Table, lines: list[dict[str, Any]], heard: int) -> dict[str, Any]:
    return {
        "scoreboard": view(twin.scoreboard(), None),
        "outcome": view(twin.outcome, None),
        "lines": lines[heard : len(twin.log)],
    }
