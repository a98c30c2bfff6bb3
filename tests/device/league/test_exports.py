"""Exports of record books: they say what the pages say, and docs/develop/record-book.md describes every column."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.league.exports import EXPORTS, export
from device.league.player_pages import PlayerPages
from engine.league.fixtures_csv import parse_fixtures
from engine.league.views import SOMEBODY, Person
from tests.device.league.made_games import LEAGUE, Bookkeeping, played_table

DOCUMENT = Path("docs/develop/record-book.md").read_text()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bookkeeping]:
    """A league with games that count and games that do not, and games between people."""
    found = Bookkeeping(
        tmp_path, replace(LEAGUE, title="=Summer", teams=[replace(LEAGUE.teams[0], name="=Gulls"), *LEAGUE.teams[1:]])
    )
    fixtures = [(0, 1, "gulls owls"), (1, 0, "owls terns"), (0, 0, "terns gulls"), (0, 1, "gulls owls")]
    for seed, (kind, fixture, teams) in enumerate(fixtures):
        found.put(played_table(kind, seed), fixture, teams)
    found.put(played_table(0, 1), 0, "gulls owls", friendly=True)
    found.people["pat"] = Person("pat", "Pat")
    found.put(played_table(2, 1), away="pat", home="gone")
    found.book.update()
    yield found
    found.store.close()


def exported(kept: Bookkeeping, kind: str, book: str = "summer") -> bytes:
    found = export(kept.reader, book, kind)
    assert found is not None
    return found


def csv_rows(kept: Bookkeeping, kind: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(exported(kept, kind).decode("utf-8-sig"))))


@pytest.fixture
def opened(kept: Bookkeeping, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    (tmp_path / "export.db").write_bytes(exported(kept, "sqlite"))
    with closing(sqlite3.connect(tmp_path / "export.db")) as db:
        db.row_factory = sqlite3.Row
        yield db


def rows(db: sqlite3.Connection, query: str) -> list[dict[str, Any]]:
    return [dict(row) for row in db.execute(query)]


def test_every_kind_is_exported_and_only_of_a_book(kept: Bookkeeping) -> None:
    for kind in EXPORTS:
        assert exported(kept, kind)
        assert export(kept.reader, "winter", kind) is None
    assert export(kept.reader, "summer", "xml") is None


def test_the_files_agree_with_the_pages(kept: Bookkeeping, opened: sqlite3.Connection) -> None:
    view, leaders = kept.reader.book_view("summer"), PlayerPages(kept.reader).leaders_view("summer")
    assert view
    assert leaders
    names = {key: team.name for key, team in view.teams.items()}
    shown = [(row.place, names[row.team], row.wins, row.losses, row.ties, row.runs_for) for row in view.standings]
    columns = ("place", "team", "wins", "losses", "ties", "runs_for")
    assert shown == [tuple(row[name] for name in columns) for row in rows(opened, "select * from standings")]
    assert [tuple(map(str, row)) for row in shown] == [
        tuple(row[name].removeprefix("'") for name in columns) for row in csv_rows(kept, "standings.csv")
    ]
    document = json.loads(exported(kept, "json"))
    assert [row[1] for row in shown] == [row["team"] for row in document["standings"]]
    did = {(names[one.team], one.player): one.batting for one in leaders.players}
    for row in rows(opened, "select * from batting"):
        line = did.pop((row["team"], row["player"]))
        assert line
        assert (line.hits, line.driven_in, line.steals) == (row["hits"], row["driven_in"], row["steals"])
        assert (line.batting_average or 0) == pytest.approx(row["average"] or 0, abs=0.0006)
        assert (line.on_base_percentage or 0) == pytest.approx(row["on_base"] or 0, abs=0.0006)
        assert (line.slugging or 0) == pytest.approx(row["slugging"] or 0, abs=0.0006)
    assert {} == did


def test_games_that_do_not_count_are_marked(kept: Bookkeeping, opened: sqlite3.Connection) -> None:
    found = [(row["number"], row["counts"], row["friendly"]) for row in rows(opened, "select * from games")]
    assert [(5, 0, 1)] == [one for one in found if one[2]]
    view = kept.reader.book_view("summer")
    assert view
    assert (5, view.summary.games) == (len(found), sum(counts for _, counts, _ in found))
    columns = ("game", "counts", "friendly")
    assert found == [tuple(int(row[name]) for name in columns) for row in csv_rows(kept, "games.csv")]


def test_sides_and_players_add_up(opened: sqlite3.Connection) -> None:
    (total,) = rows(opened, "select sum(runs_for) as scored, sum(runs_against) as allowed from results")
    assert total["scored"] == total["allowed"] > 0
    for row in rows(opened, "select * from team_batting"):
        (players,) = opened.execute("select sum(hits), sum(runs) from batting where team = ?", (row["team"],))
        assert tuple(players) == (row["hits"], row["runs"])
    (versus,) = rows(opened, "select sum(wins) as wins, sum(losses) as losses from head_to_head")
    assert versus["wins"] == versus["losses"]


def test_exported_fixtures_can_be_imported(kept: Bookkeeping) -> None:
    page = kept.reader.games_page("summer")
    assert page
    fixtures = [one.fixture for one in page.games if one.fixture]
    assert fixtures == parse_fixtures(exported(kept, "fixtures.csv").decode(), kept.leagues[0])


def test_a_text_is_no_formula_in_a_spreadsheet(kept: Bookkeeping) -> None:
    assert b",=" not in b"".join(exported(kept, kind) for kind in EXPORTS if kind.endswith(".csv"))


def test_people_have_their_current_names(kept: Bookkeeping) -> None:
    for kind in EXPORTS:
        data = exported(kept, kind, "rallybird")
        assert b"gone" not in data
        assert b"person:" not in data
    assert ["Pat", SOMEBODY] == [one["name"] for one in json.loads(exported(kept, "json", "rallybird"))["teams"]]


def test_every_column_is_documented(opened: sqlite3.Connection) -> None:
    words = set(re.findall(r"`([a-z_]+)`", DOCUMENT))
    for name, kind in opened.execute("select name, type from sqlite_schema where type in ('table', 'view')"):
        assert f"| `{name}` |" in DOCUMENT, kind
        assert {column for (column, *_) in opened.execute(f"select * from {name}").description} <= words


def test_the_examples_run(opened: sqlite3.Connection) -> None:
    queries = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)
    assert 3 == len(queries)
    longest, _, by_inning = (opened.execute(query).fetchall() for query in queries)
    assert longest
    (runs,) = opened.execute("select sum(runs_for) from results").fetchone()
    assert runs == sum(row["runs"] for row in by_inning)
