"""The benchmark of record books: a small season is simulated once, and each figure is measured."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import league
from device.league.book import RecordBook
from engine.league.league import Fixture, League
from engine.table import Table


def test_teams_meet_in_turn_and_change_sides() -> None:
    found = league.build_league(4, 14)
    pairs = [(one.away, one.home) for one in found.listed]
    assert [1, 1, 2, 2, 3, 3, 4] == [one.round for one in found.listed][:7]
    assert 6 == len({frozenset(pair) for pair in pairs[:6]})
    assert {pair[::-1] for pair in pairs[:6]} == set(pairs[6:12])


def test_a_season_is_played_once_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["league", "--teams", "4", "--games", "2", "--folder", str(tmp_path)])
    monkeypatch.setattr(league, "AGAIN", 1)
    monkeypatch.setattr(league, "COLD", 1)
    league.main()
    played = list[int]()
    usual = league.played_table

    def count(of: League, fixture: Fixture) -> Table:
        played.append(fixture.number)
        return usual(of, fixture)

    monkeypatch.setattr(league, "played_table", count)
    monkeypatch.setattr(sys, "argv", ["league", "--teams", "4", "--games", "3", "--folder", str(tmp_path)])
    league.main()
    assert [3] == played
    shown = capsys.readouterr().out
    for part in ("full rebuild of 3 games", "one more game", "page: records", "export: sqlite"):
        assert part in shown
    book = RecordBook(tmp_path / "book.db", tmp_path / "journal.db")
    books = league.new_reader(book, league.build_league(4, 3)).book_list().books
    assert [("big-league", 3, 3), ("small-ball", 3, 0)] == [(one.key, one.games, one.fixtures) for one in books]
