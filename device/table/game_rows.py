"""The list of stored games, a row for each. A damaged game's row has what can still be read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from device.shapes import GameSummary, TeamScore
from device.storage import game_check, game_list, hash_chain
from device.storage.hash_chain import readable_rows
from device.storage.restore import JSON_ERRORS, version_difference
from device.storage.seat_settings import parse_seat_settings
from engine.games import GAMES
from engine.innings import Outcome
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import GameName
from managers.cast import CAST_BY_CHOICE

MAX_TEXT_LENGTH = 200
"""Characters shown of a text from a snapshot. A game's own texts are much shorter."""

COUNT_LIMIT = 10**6
"""No count of a game reaches this."""


def has_same_setup(header: str, table: Table) -> bool:
    """True if a game was begun with this table's rules and cards. False for a damaged header."""
    wanted = table.journal_header.as_json()
    try:
        begun = json.loads(header)
        return all(begun[key] == wanted[key] for key in ("game", "version", "decks"))
    except JSON_ERRORS:
        return False


GAME_ROW_QUERY = """select header, started, snapshot, (select at from entry where game = id order by place desc limit 1)
from game where id = ?"""


class GameSummaryReader:
    """Read the rows of games in the list. Threads may share it, each with its own connection.

    A game found intact is not checked again while its last entry is the same.
    """

    def __init__(self) -> None:
        self._intact_fingerprints = dict[int, tuple[object, ...]]()

    def read_summaries(self, db: sqlite3.Connection, games: Iterable[int], now: int) -> Iterator[GameSummary]:
        """Yield the rows of these games, in their order. Each is read separately. `now` is on the table."""
        rows, unnamed = game_list.read_rows(db)
        for game in games:
            with read_transaction(db):
                found, _ = readable_rows(db, GAME_ROW_QUERY, game)
                damage = self._damage_text(db, game, now)
            if found or damage:
                header, started, snapshot, played = found[0] if found else ("", "", None, "")
                listed = rows.get(game, game_list.GameRow(game, "", 0))
                note = damage or ("Its name is damaged: give it a new one." if game in unnamed else "")
                yield game_summary(now, game, header, started, snapshot, listed, played or started, note, bool(damage))

    def _damage_text(self, db: sqlite3.Connection, game: int, now: int) -> str:
        end = game_check.intact_fingerprint(db, game)
        # The game on the table was checked when the journal was opened, and grows.
        if end and (game == now or self._intact_fingerprints.get(game) == end):
            return ""
        found = game_check.check_game(db, game, set())
        if found and not found.damage and end:
            self._intact_fingerprints[game] = end
        return found.damage_sentence if found else ""


@contextmanager
def read_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Let all queries read the same state. Raises sqlite3.Error."""
    db.execute("begin")
    try:
        yield
    finally:
        db.rollback()


def recent_game_numbers(db: sqlite3.Connection) -> list[int]:
    """Numbers of the readable games, the one last on the table first."""
    rows, _ = game_list.read_rows(db)
    games = hash_chain.game_numbers([db])
    return sorted(games, key=lambda game: (rows[game].turn if game in rows else game, game), reverse=True)


def game_summary(
    now: int,
    number: int,
    header: str,
    started: str,
    snapshot: str | None,
    listed: game_list.GameRow,
    played: str,
    note: str,
    damaged: bool,
) -> GameSummary:
    """Build a game's row from its last snapshot. `note` replaces any other warning."""
    try:
        key = parse_text(json.loads(header)["game"])
    except JSON_ERRORS:
        key = ""
    game = GAMES.get(key)
    warning = (
        version_difference(header) if game else "Dugout doesn't know this game." if key else "Its journal is damaged."
    )
    last = snapshot_summary(snapshot)
    going = number != now and last.outcome is None and (last.stands is not None or damaged)
    return GameSummary(
        id=number,
        game=GameName(key if game else "", game.title if game else key or "A game"),
        name=listed.name,
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
        computers=computer_names(listed.standing),
    )


def computer_names(standing: str) -> dict[Seat, str]:
    """Names of the computers in stored seat settings, {} if those are damaged."""
    try:
        return {
            seat: CAST_BY_CHOICE[key].name for seat, key in parse_seat_settings(standing).get("managers", {}).items()
        }
    except JSON_ERRORS:
        return {}


@dataclass(frozen=True, slots=True)
class SnapshotSummary:
    """Teams, outcome, count of plays, and situation in words as last shown. None if unknown.

    `alone` is true if one person plays alone. The teams are then those of the last of many games.
    """

    sides: Mapping[Seat, TeamScore] | None = None
    outcome: Outcome | None = None
    plays: int | None = None
    stands: str | None = None
    alone: bool = False


def snapshot_summary(snapshot: str | None) -> SnapshotSummary:
    """Read a game's snapshot. If it is missing or damaged, every field is None."""
    try:
        seen = json.loads(snapshot or "")
        board, end, plays = seen["scoreboard"], seen["outcome"], seen.get("plays")
        teams = {seat: board["sides"][seat] for seat in SEATS}
        return SnapshotSummary(
            sides={
                seat: TeamScore(parse_text(one["name"]), parse_text(one["colour"]), parse_count(one["runs"]))
                for seat, one in teams.items()
            },
            outcome=None if end is None else parse_outcome(end),
            plays=None if plays is None else parse_count(plays),
            stands=parse_text(progress_text(board)),
            alone=len(board.get("plays", SEATS)) == 1,
        )
    except JSON_ERRORS:
        return SnapshotSummary()


def parse_outcome(end: Mapping[str, Any]) -> Outcome:
    """Parse the outcome in a snapshot. Raises one of `JSON_ERRORS`."""
    winner = next((seat for seat in SEATS if seat == end["winner"]), None)
    return Outcome(winner, parse_text(end["reason"]), parse_text(end["sentence"]))


def parse_text(value: object) -> str:
    """Return the printable characters of a text. Raises ValueError for any other value."""
    if not isinstance(value, str):
        raise ValueError("this is not text")
    return "".join(letter for letter in value[:MAX_TEXT_LENGTH] if letter.isprintable())


def parse_count(value: object) -> int:
    """Return a count. Raises ValueError for any other value."""
    if not isinstance(value, int) or not 0 <= value < COUNT_LIMIT:
        raise ValueError("this is not a count")
    return value


def progress_text(board: Mapping[str, Any]) -> str:
    """The situation of a game in words: `stands` of its panel, or inning and score."""
    stands = board.get("panel", {}).get("stands")
    if isinstance(stands, str):
        return stands
    if board.get("batting") is None:
        return "before the first inning"
    away, home = (board["sides"][seat]["runs"] for seat in SEATS)
    return f"{board['half']} of inning {board['inning']}, {away} to {home}"
