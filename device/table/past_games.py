"""Past games: the list of all games, and one game's play log, replay and journal.

They are read on a separate read-only connection, so the game on the table never waits for them. Only what spectators
saw leaves this module; secrets that the rulebook never opened stay sealed.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.storage import game_list, hash_chain
from device.storage.restore import outdated, reason, restore
from device.storage.store import OVER, StoreError
from device.table import play_log
from engine.clock import Outcome
from engine.games import GAMES
from engine.journal import Answer, HeaderJson, JournalJson
from engine.scoreboard import opened
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import GameName, PlayView
from web.models import GameRecord, GamesPage, GameSummary, ReplayStep, TeamScore
from web.port import Wanted, anyway

log = logging.getLogger("dugout.history")

PAGE = 50
"""Games on one page of the list."""

SHELF = 20
"""How many paused games the list of games to resume has; the list of all games has the older ones."""

LONGEST = 1000
"""The most steps in a replay; a longer game keeps its last ones."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A stored game: its row in the list, and its table, or in `trouble` the reason why it cannot be read."""

    row: GameSummary
    header: HeaderJson | None
    table: Table | None
    trouble: str | None


class PastGames:
    """The games in the store at `path`. Any thread may call; every method raises StoreError.

    `now` returns the number of the game on the table. `has` is true if there is a picture of an answer, given the
    game's number and the answer's place in its journal.
    """

    def __init__(self, path: Path, now: Callable[[], int], has: Callable[[int, int], bool]) -> None:
        self._path, self._now, self._has = path, now, has

    def games(self, page: int) -> GamesPage:
        """Return a page of the list (see `web.port`). It reads no answers, so damaged ones do not matter."""
        with closing(self._connect()) as db:
            try:
                order = [game for _, game in game_list.order(db)]
                found = listed(db, order[(page - 1) * PAGE : page * PAGE], self._now())
            except sqlite3.Error as error:
                raise unread(error) from error
        return GamesPage(found, page, max(1, -(-len(order) // PAGE)))

    def aside(self) -> list[GameSummary]:
        """Return the paused games (see `web.port`)."""
        now = self._now()
        with closing(self._connect()) as db:
            try:
                under_way = {game for (game,) in db.execute(f"select id from game where not ({OVER})")} - {now}
                order = [game for _, game in game_list.order(db) if game in under_way]
                return [one for one in listed(db, order[:SHELF], now) if one.aside]
            except sqlite3.Error as error:
                raise unread(error) from error

    def like(self, table: Table) -> GameSummary | None:
        """Return the row of the newest paused game with this table's cards and version of the rules, if any."""
        now = self._now()
        with closing(self._connect()) as db:
            try:
                rows = db.execute(f"select id, header from game where not ({OVER})")
                same = {game for game, header in rows if alike(header, table)}
                order = [game for _, game in game_list.order(db) if game in same]
                return next((one for one in listed(db, order, now) if one.aside), None)
            except sqlite3.Error as error:
                raise unread(error) from error

    def game(self, number: int, wanted: Wanted = anyway) -> GameRecord | None:
        """Return one game with its play log (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None:
            return None
        table = kept.table
        if table is None:
            return GameRecord(kept.row, kept.trouble, None, [])
        log = play_log.lines(table, self._pictures(table, number))
        return GameRecord(kept.row, None, table.view(None), log)

    def replay(self, number: int, wanted: Wanted = anyway) -> list[ReplayStep] | None:
        """Return the steps of one game (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None:
            return None
        return steps(kept.table, self._pictures(kept.table, number), wanted)

    def journal(self, number: int, wanted: Wanted = anyway) -> JournalJson | None:
        """Return the header and entries of one game, its secrets "hidden" (see `web.port`)."""
        kept = self._read(number, wanted)
        if kept is None or kept.table is None or kept.header is None:
            return None
        return {"header": kept.header, "entries": kept.table.entries(None)}

    def _pictures(self, table: Table, number: int) -> dict[int, str]:
        return play_log.pictures(table, number, self._has)

    def _read(self, number: int, wanted: Wanted) -> PastGame | None:
        """Return the game of that number, if there is one."""
        with closing(self._connect()) as db:
            try:
                db.execute("begin")  # one transaction: every query sees the same moment
                row = db.execute("select header, snapshot, decks from game where id = ?", (number,)).fetchone()
                found = listed(db, [number], self._now())
                rows = db.execute("select body from entry where game = ? order by place", (number,)).fetchall()
                chain = hash_chain.chain([db], number)
            except sqlite3.Error as error:
                raise unread(error) from error
        if row is None:
            return None
        begun, shown, decks = row
        try:
            header = json.loads(begun)
            table = restore(begun, decks, _while(wanted, (body for (body,) in rows)), shown)
            if rows and (chain is None or len(chain.rows) < len(rows)):
                raise LookupError("some of its answers are not as they were written.")
        except Exception as error:  # a foreign journal can break anything
            log.info("Game %d cannot be read: %s.", number, type(error).__name__)
            return PastGame(found[0], None, None, f"This game cannot be read under these rules: {reason(error, begun)}")
        return PastGame(found[0], header, table, None)

    def _connect(self) -> sqlite3.Connection:
        try:
            return sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True, timeout=1)
        except sqlite3.Error as error:
            raise unread(error) from error


def _while(wanted: Wanted, bodies: Iterable[str]) -> Iterator[str]:
    for body in bodies:
        wanted()
        yield body


def unread(error: sqlite3.Error) -> StoreError:
    """Return the error to show to everyone, which does not name the file."""
    return StoreError(f"The games cannot be read: {error}.")


def alike(header: str, table: Table) -> bool:
    """True if a game was begun under the rules and with the cards of this table; False for a damaged header."""
    wanted = table.header.as_json()
    try:
        begun = json.loads(header)
        return all(begun[key] == wanted[key] for key in ("game", "version", "decks"))
    except (ValueError, LookupError, TypeError):
        return False


def listed(db: sqlite3.Connection, games: Sequence[int], now: int) -> list[GameSummary]:
    """Return the rows of these games in the list, in their order; `now` is on the table. Raises sqlite3.Error."""
    last = "(select at from entry where game = id order by place desc limit 1)"
    rows, damaged = game_list.read(db)
    found = []
    for game in games:
        row = db.execute(f"select header, started, snapshot, {last} from game where id = ?", (game,)).fetchone()
        if row is not None:
            header, started, snapshot, played = row
            name, note = "", "Its name is damaged: give it another." if game in damaged else None
            if game in rows:
                name = rows[game].name
            found.append(summary(now, game, header, started, snapshot, name, played or started, note))
    return found


def summary(
    now: int,
    number: int,
    header: str,
    started: str,
    snapshot: str | None,
    name: str,
    played: str,
    note: str | None,
) -> GameSummary:
    """Return a game's row in the list, from its last snapshot. `note` wins over any other warning about it."""
    try:
        begun = json.loads(header)
        key = str(begun["game"])
    except (ValueError, LookupError, TypeError):
        key, title = "", "A game"
        warning: str | None = "Its journal is damaged."
    else:
        game = GAMES.get(key)
        title = game.title if game else key
        warning = outdated(header) if game else "This game is not known here."
    last = shown(snapshot)
    aside = number != now and key in GAMES and last.stands is not None and last.outcome is None
    return GameSummary(
        id=number,
        game=GameName(key, title),
        name=name,
        started=started,
        played=played,
        now=number == now,
        aside=aside,
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
        board, end = seen["scoreboard"], seen["outcome"]
        teams = board["sides"]
        return Shown(
            sides={seat: TeamScore(*(teams[seat][key] for key in ("name", "colour", "runs"))) for seat in SEATS},
            outcome=end and Outcome(*(end[key] for key in ("winner", "reason", "sentence"))),
            plays=seen.get("plays"),
            stands=where(board),
            alone=len(board.get("plays", SEATS)) == 1,
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return Shown()


def where(board: Mapping[str, Any]) -> str:
    """Return the state of a game in words: `stands` of its own panel, or inning and score."""
    stands = board.get("panel", {}).get("stands")
    if isinstance(stands, str):
        return stands
    if board.get("batting") is None:
        return "before the first inning"
    away, home = (board["sides"][seat]["runs"] for seat in SEATS)
    return f"{board['half']} of inning {board['inning']}, {away} to {home}"


def steps(table: Table, pictures: Mapping[int, str], wanted: Wanted = anyway) -> list[ReplayStep]:
    """Return what spectators saw of a game from its start: a step for each event or change.

    The current answers are given to a new table one by one, so the replay does not show undone or corrected answers. A
    replay of more than `LONGEST` steps keeps the last ones.
    """
    twin, lines = Table(table.game, table.decks, table.house), play_log.lines(table, pictures)
    found = [_step(twin, lines, 0)]
    count, board = len(twin.log), found[0].scoreboard
    for one in table.answers:
        wanted()
        twin.write(Answer(one.ask.seat, one.n, one.value))
        step = _step(twin, lines, count)
        if len(twin.log) > count or step.scoreboard != board:
            found.append(step)
            count, board = len(twin.log), step.scoreboard
    return found[-LONGEST:]


def _step(twin: Table, lines: list[PlayView], count: int) -> ReplayStep:
    return ReplayStep(opened(twin.scoreboard(), None), twin.outcome, lines[count : len(twin.log)])
