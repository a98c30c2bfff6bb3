"""The doctor's check of leagues, people and the record book."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.diagnostics.checks.leagues import check_leagues
from device.diagnostics.facts import DoctorFacts
from device.league.book import RecordBook
from device.machine import Machine
from device.storage.people_file import PeopleFile
from tests.device.league.bench import Bench
from tests.device.league.made_leagues import made_league


@pytest.fixture
def facts(tmp_path: Path) -> DoctorFacts:
    return DoctorFacts(Machine(), data=tmp_path)


def test_a_folder_without_leagues_is_fine(facts: DoctorFacts) -> None:
    found = check_leagues(facts)
    assert (found.verdict, found.seen) == ("ok", "Leagues: 0, people: 0. No record book yet.")


def test_games_that_are_left_out_are_named(facts: DoctorFacts) -> None:
    bench = Bench(facts.data, made_league())
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    PeopleFile(facts.data / "people.json").save("", "Ann", "red")
    assert check_leagues(facts).seen == "Leagues: 0, people: 1. Every stored game is in the record book."
    with bench.store._db as db:
        db.execute("update entry set body = '' where game = 2 and place = 3")
    bench.close()
    RecordBook(bench.book.path, bench.store.path).rebuild()
    found = check_leagues(facts)
    assert found.verdict == "look"
    assert found.seen.startswith("Games left out of the record book: 1. Game 2: This game is damaged")


@pytest.mark.parametrize("name", ["leagues/summer.json", "people.json"])
def test_a_file_that_cannot_be_read_is_named(facts: DoctorFacts, name: str) -> None:
    (facts.data / "leagues").mkdir()
    (facts.data / name).write_text('{\n"key": 7,,\n}')
    found = check_leagues(facts)
    assert found.verdict == "look"
    assert name in found.seen
    assert "line 2" in found.seen


def test_a_book_that_is_no_database(facts: DoctorFacts) -> None:
    (facts.data / "book.db").write_text("no database at all, but long enough to be taken for one" * 40)
    found = check_leagues(facts)
    assert (found.verdict, found.todo) == ("look", "Run sudo dugout league rebuild.")
