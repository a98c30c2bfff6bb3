"""The list of stored games: a row for each, with what can still be read of a damaged one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from device.shapes import GameSummary, TeamScore
from device.storage import game_check, game_list, hash_chain
from device.storage.hash_chain import readable
from device.storage.restore import UNREADABLE, outdated
from engine.clock import Outcome
from engine.games import GAMES
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import GameName

LONGEST = 200
"""Most letters that are shown of a text from a snapshot; a game's own are much shorter."""

MOST = 10**6
"""Above any count of a game."""


def alike(header: str, table: Table) -> bool:
    """True if a game was begun under the rules and with the cards of this table; False for a damaged header."""
    wanted = table.header.as_json()
    try:
        begun = json.loads(header)
        return all(begun[key] == wanted[key] for key in ("game", "version", "decks"))
    except UNREADABLE:
        return False


QUERY = """select header, started, snapshot, (select at from entry where game = id order by place desc limit 1)
from game where id = ?"""


class GameRows:
    """The rows of games in the list. A game that was found whole is not checked again while its end is the same.

    Several threads may use it, each with a connection of its own.
    """

    def __init__(self) -> None:
        self._whole = dict[int, tuple[object, ...]]()

    def of(self, db: sqlite3.Connection, games: Iterable[int], now: int) -> Iterator[GameSummary]:
        """Yield the rows of these games, in their order; `now` is on the table. Each is read by itself."""
        rows, unnamed = game_list.read(db)
        for game in games:
            with moment(db):
                found, _ = readable(db, QUERY, game)
                damage = self._damage(db, game, now)
            if found or damage:
                header, started, snapshot, played = found[0] if found else ("", "", None, "")
                name = rows[game].name if game in rows else ""
                note = damage or ("Its name is damaged: give it a new one." if game in unnamed else "")
                yield summary(now, game, header, started, snapshot, name, played or started, note, bool(damage))

    def _damage(self, db: sqlite3.Connection, game: int, now: int) -> str:
        """Return what is damaged, in a sentence; "" for nothing."""
        end = game_check.looks_whole(db, game)
        # The game on the table was checked when the journal was opened, and grows.
        if end and (game == now or self._whole.get(game) == end):
            return ""
        found = game_check.check(db, game, set())
        if found and not found.damage and end:
            self._whole[game] = end
        return found.sentence if found else ""


@contextmanager
def moment(db: sqlite3.Connection) -> Iterator[None]:
    """Let every query read the same moment. Raises sqlite3.Error."""
    db.execute("begin")
    try:
        yield
    finally:
        db.rollback()


def order(db: sqlite3.Connection) -> list[int]:
    """Return the numbers of the games, the last on the table first, as far as they can be read."""
    rows, _ = game_list.read(db)
    games = hash_chain.games([db])
    return sorted(games, key=lambda game: (rows[game].turn if game in rows else game, game), reverse=True)


def summary(
    now: int,
    number: int,
    header: str,
    started: str,
    snapshot: str | None,
    name: str,
    played: str,
    note: str,
    damaged: bool,
) -> GameSummary:
    """Return a game's row in the list, from its last snapshot. `note` wins over any other warning about it."""
    try:
        key = words(json.loads(header)["game"])
    except UNREADABLE:
        key = ""
    game = GAMES.get(key)
    warning = outdated(header) if game else "Dugout doesn't know this game." if key else "Its journal is damaged."
    last = shown(snapshot)
    going = number != now and last.outcome is None and (last.stands is not None or damaged)
    return GameSummary(
        id=number,
        game=GameName(key if game else "", game.title if game else key or "A game"),
        name=name,
        started=started,
        played=played,
        now=number == now,
        aside=going and game is not None and not damaged,
        damaged=damaged,
        note=note or warning,
        sides=last.sides,
        outcome=last.outcome,
        plays=last.plays,
        stands=last.stands,
        alone=last.alone,
    )


@dataclass(frozen=True, slots=True)
class Shown:
    """What a game showed last: teams, outcome, number of plays and, in words, where it stood. None: not known.

    `alone` is true if one person plays alone, so that the teams are those of the last of many games.
    """

    sides: Mapping[Seat, TeamScore] | None = None
    outcome: Outcome | None = None
    plays: int | None = None
    stands: str | None = None
    alone: bool = False


def shown(snapshot: str | None) -> Shown:
    """Return what a snapshot says of its game; nothing where it is missing or damaged."""
    try:
        seen = json.loads(snapshot or "")
        board, end, plays = seen["scoreboard"], seen["outcome"], seen.get("plays")
        teams = {seat: board["sides"][seat] for seat in SEATS}
        return Shown(
            sides={
                seat: TeamScore(words(one["name"]), words(one["colour"]), count(one["runs"]))
                for seat, one in teams.items()
            },
            outcome=None if end is None else ended(end),
            plays=None if plays is None else count(plays),
            stands=words(where(board)),
            alone=len(board.get("plays", SEATS)) == 1,
        )
    except UNREADABLE:
        return Shown()


def ended(end: Mapping[str, Any]) -> Outcome:
    """Return the outcome in a snapshot. Raises one of `UNREADABLE`."""
    winner = next((seat for seat in SEATS if seat == end["winner"]), None)
    return Outcome(winner, words(end["reason"]), words(end["sentence"]))


def words(value: object) -> str:
    """Return a text as it can be shown. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError("this is not text")
    return "".join(letter for letter in value[:LONGEST] if letter.isprintable())


def count(value: object) -> int:
    """Return a count. Raises ValueError for anything else."""
    if not isinstance(value, int) or not 0 <= value < MOST:
        raise ValueError("this is not a count")
    return value


def where(board: Mapping[str, Any]) -> str:
    """Return the state of a game in words: `stands` of its own panel, or inning and score."""
    stands = board.get("panel", {}).get("stands")
    if isinstance(stands, str):
        return stands
    if board.get("batting") is None:
        return "before the first inning"
    away, home = (board["sides"][seat]["runs"] for seat in SEATS)
    return f"{board['half']} of inning {board['inning']}, {away} to {home}"
