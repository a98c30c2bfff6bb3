"""Sums of the statistics of players and teams in a book, and its leaders."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from device.league.book_content import COUNTS_SQL, BookContent, LiveState
from device.league.book_file import BATTING_COLUMNS, PITCHING_COLUMNS
from engine.league.leaders import batting_leaders, pitching_leaders
from engine.league.stats import BattingStats, PitchingStats
from engine.league.views import LeaderCategory, PlayerGame, PlayerLine

BATTING_SUMS = ", ".join(f"sum({one})" for one in BATTING_COLUMNS)
PITCHING_SUMS = ", ".join(f"sum({one})" for one in PITCHING_COLUMNS)


def player_lines(db: sqlite3.Connection, content: BookContent) -> list[PlayerLine]:
    """The totals of all players of a book, in the order of plate appearances and outs pitched. Raises sqlite3.Error."""
    found = content.cache.get("players")
    if not isinstance(found, list):
        batting = {key: BattingStats(*sums) for key, sums in _sums(db, content, "batting", BATTING_SUMS)}
        pitching = {key: PitchingStats(*sums) for key, sums in _sums(db, content, "pitching", PITCHING_SUMS)}
        keys = dict.fromkeys([*batting, *pitching])
        found = [
            PlayerLine(player, team, batting.get((team, player)), pitching.get((team, player))) for team, player in keys
        ]
        found.sort(key=_playing_time, reverse=True)
        content.cache["players"] = found
    return found


def leader_categories(db: sqlite3.Connection, content: BookContent) -> Sequence[LeaderCategory]:
    """The leaders of each category. Raises sqlite3.Error."""
    found = content.cache.get("leaders")
    if not isinstance(found, list):
        innings = Counter[str]()
        for one in content.counting:
            for team in (one.away, one.home):
                innings[team] += one.half_innings
        players = player_lines(db, content)
        found = [*batting_leaders(players, innings), *pitching_leaders(players, innings)]
        content.cache["leaders"] = found
    return found


def _playing_time(line: PlayerLine) -> tuple[int, int]:
    return (
        line.batting.plate_appearances if line.batting else 0,
        line.pitching.outs if line.pitching else 0,
    )


def _sums(
    db: sqlite3.Connection, content: BookContent, table: str, sums: str
) -> Iterator[tuple[tuple[str, str], tuple[int, ...]]]:
    query = f"select team, player, {sums} from {table} where book = :book and {COUNTS_SQL} group by team, player"
    for team, player, *found in db.execute(query, {"book": content.key, "left_out": content.left_out}):
        yield (team, player), tuple(found)


def team_total(db: sqlite3.Connection, content: BookContent, team: str) -> BattingStats:
    """The batting of a team, also of batters without names. Raises sqlite3.Error."""
    query = f"select {BATTING_SUMS} from side where book = :book and team = :team and {COUNTS_SQL}"
    row = db.execute(query, {"book": content.key, "team": team, "left_out": content.left_out}).fetchone()
    return BattingStats(*(value or 0 for value in row))


def player_log(
    db: sqlite3.Connection, content: BookContent, team: str, player: str, live: LiveState
) -> list[PlayerGame]:
    """What a player did for a team in each game that counts, the newest first. Raises sqlite3.Error."""
    of = {"book": content.key, "team": team, "player": player}
    batting, pitching = (
        {
            (number, place): tuple(line)
            for number, place, *line in db.execute(
                f"select number, place, {', '.join(columns)} from {table} "
                "where book = :book and team = :team and player = :player",
                of,
            )
        }
        for table, columns in (("batting", BATTING_COLUMNS), ("pitching", PITCHING_COLUMNS))
    )
    return [
        PlayerGame(
            content.game_view(one, live),
            BattingStats(*batting[at]) if at in batting else None,
            PitchingStats(*pitching[at]) if at in pitching else None,
        )
        for one in reversed(content.counting)
        if (at := (one.number, one.place)) in batting or at in pitching
    ]


def books_of_player(db: sqlite3.Connection, player: str) -> list[tuple[str, str]]:
    """Books and teams with a player of this name. Raises sqlite3.Error."""
    query = "select book, team from batting where player = ?1 union select book, team from pitching where player = ?1"
    return [(book, team) for book, team in db.execute(query, (player,))]


def player_total(db: sqlite3.Connection, content: BookContent, team: str, player: str) -> PlayerLine | None:
    """The totals of a player for a team, None without any. Raises sqlite3.Error."""
    of = {"book": content.key, "team": team, "player": player, "left_out": content.left_out}
    rows: list[Any] = [
        db.execute(
            f"select {sums} from {table} where book = :book and team = :team and player = :player and {COUNTS_SQL}", of
        ).fetchone()
        for table, sums in (("batting", BATTING_SUMS), ("pitching", PITCHING_SUMS))
    ]
    batting, pitching = rows
    if batting[0] is None and pitching[0] is None:
        return None
    return PlayerLine(
        player,
        team,
        BattingStats(*batting) if batting[0] is not None else None,
        PitchingStats(*pitching) if pitching[0] is not None else None,
    )
