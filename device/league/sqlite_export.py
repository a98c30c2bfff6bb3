"""A record book as one SQLite file, with views for DB Browser, pandas and Datasette.

docs/develop/record-book.md describes each table, view and column.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing

from device.league.book_file import BATTING_COLUMNS, PITCHING_COLUMNS
from device.league.book_tables import BookTables


def _integers(names: Iterable[str]) -> str:
    return ", ".join(f"{name} integer not null" for name in names)


def _sums(names: Iterable[str]) -> str:
    return ", ".join(f"sum({name}) as {name}" for name in names)


EXPORT_SCHEMA = f"""
create table book (title text not null, kind text not null, rulebook text not null) strict;
create table team (id integer primary key, name text not null, person text not null, place integer) strict;
create table game (
    id integer primary key, number integer not null, place integer not null, day text not null, fixture integer,
    title text not null, away integer not null references team, home integer not null references team,
    away_runs integer not null, home_runs integer not null, winner integer references team,
    innings integer not null, regulation integer not null,
    counts integer not null, friendly integer not null, simulated integer not null
) strict;
create table side_line (
    game integer not null references game, side text not null, team integer not null references team,
    line text not null, line_runs integer not null, line_hits integer not null, {_integers(BATTING_COLUMNS)},
    primary key (game, side)
) strict, without rowid;
create table batting_line (
    game integer not null references game, side text not null, team integer not null references team,
    player text not null, {_integers(BATTING_COLUMNS)}, primary key (game, side, player)
) strict, without rowid;
create table pitching_line (
    game integer not null references game, side text not null, team integer not null references team,
    player text not null, {_integers(PITCHING_COLUMNS)}, primary key (game, side, player)
) strict, without rowid;
create view games as
    select game.number, game.place, day, fixture, title, away.name as away, home.name as home, away_runs, home_runs,
        winner.name as winner, innings, regulation, counts, friendly, simulated
    from game join team as away on away.id = game.away join team as home on home.id = game.home
    left join team as winner on winner.id = game.winner order by game.id;
create view results as
    select game.id as game, side, case side when 'away' then away else home end as team,
        case side when 'away' then home else away end as opponent,
        case side when 'away' then away_runs else home_runs end as runs_for,
        case side when 'away' then home_runs else away_runs end as runs_against, winner
    from game, (select 'away' as side union all select 'home') where counts;
create view standings as
    select team.place, team.name as team, count(game) as games, coalesce(sum(winner = team.id), 0) as wins,
        coalesce(sum(winner = opponent), 0) as losses, coalesce(sum(game is not null and winner is null), 0) as ties,
        round((coalesce(sum(winner = team.id), 0) + 0.5 * coalesce(sum(game is not null and winner is null), 0))
            / count(game), 3) as pct,
        coalesce(sum(runs_for), 0) as runs_for, coalesce(sum(runs_against), 0) as runs_against
    from team left join results on results.team = team.id group by team.id order by team.place, team.id;
create view head_to_head as
    select team.name as team, other.name as opponent, count(*) as games, sum(winner is team) as wins,
        sum(winner is opponent) as losses, sum(winner is null) as ties,
        sum(runs_for) as runs_for, sum(runs_against) as runs_against
    from results join team on team.id = team join team as other on other.id = opponent
    group by results.team, results.opponent order by team.name, other.name;
create view batting as
    select team.name as team, player, {_sums(BATTING_COLUMNS)},
        round(1.0 * sum(hits) / nullif(sum(at_bats), 0), 3) as average,
        round(1.0 * (sum(hits) + sum(walks) + sum(hit_by_pitch))
            / nullif(sum(at_bats) + sum(walks) + sum(hit_by_pitch) + sum(sacrifice_flies), 0), 3) as on_base,
        round(1.0 * (sum(hits) + sum(doubles) + 2 * sum(triples) + 3 * sum(home_runs))
            / nullif(sum(at_bats), 0), 3) as slugging
    from batting_line join team on team.id = team
    where game in (select id from game where counts) group by team.id, player order by plate_appearances desc;
create view pitching as
    select team.name as team, player, {_sums(PITCHING_COLUMNS)},
        round(27.0 * sum(earned_runs) / nullif(sum(outs), 0), 2) as era,
        round(3.0 * (sum(walks) + sum(hits)) / nullif(sum(outs), 0), 2) as whip
    from pitching_line join team on team.id = team
    where game in (select id from game where counts) group by team.id, player order by outs desc;
create view team_batting as
    select team.name as team, {_sums(BATTING_COLUMNS)}
    from side_line join team on team.id = team
    where game in (select id from game where counts) group by team.id order by team.name;
"""


def sqlite_export(tables: BookTables) -> bytes:
    """Return the SQLite file of a book. Raises sqlite3.Error."""
    content = tables.content
    keys = list(dict.fromkeys([*content.team_keys, *tables.teams]))
    ids = {key: number for number, key in enumerate(keys, 1)}
    places = {row.team: row.place for row in content.standings}
    games = {(one.number, one.place): number for number, one in enumerate(content.results, 1)}
    with closing(sqlite3.connect(":memory:")) as out:
        out.executescript(EXPORT_SCHEMA)
        out.execute("insert into book values (?, ?, ?)", (content.title, content.kind, content.game))
        _insert(
            out,
            "team",
            ((ids[key], tables.team_name(key), tables.teams[key].person, places.get(key)) for key in keys),
        )
        _insert(
            out,
            "game",
            (
                (
                    *(games[one.number, one.place], row[0], row[1], row[2], row[3] or None, row[4]),
                    *(ids[one.away], ids[one.home], one.away_runs, one.home_runs),
                    *(ids[one.winner] if one.winner else None, *row[10:]),
                )
                for one, row in zip(content.results, tables.games(), strict=True)
            ),
        )
        for table, columns in (
            ("side", ("line", "line_runs", "line_hits", *BATTING_COLUMNS)),
            ("batting", ("player", *BATTING_COLUMNS)),
            ("pitching", ("player", *PITCHING_COLUMNS)),
        ):
            query = f"select number, place, side, team, {', '.join(columns)} from {table} where book = ?"
            rows = tables.db.execute(query, (content.key,))
            lines = ((games[number, place], side, ids[team], *line) for number, place, side, team, *line in rows)
            _insert(out, f"{table}_line", lines)
        out.commit()
        return out.serialize()


def _insert(out: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    columns = len(out.execute(f"select * from {table}").description)
    out.executemany(f"insert into {table} values ({', '.join('?' * columns)})", rows)
