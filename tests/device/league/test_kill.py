"""Kill -9 during a simulated day: no game is lost or counted twice, and going on finishes the day."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.storage import game_list
from device.storage.league_files import LeagueFiles
from device.storage.seat_settings import league_of
from device.storage.store import Store
from engine.league.league import LeagueTeam
from tests.device.league.made_leagues import made_league
from tests.device.process import PATIENCE, Program

TEAMS = tuple(LeagueTeam(f"team-{n}", f"Team {n}", manager="rookie") for n in range(1, 13))
DAY = len(TEAMS) // 2


def finals(program: Program) -> dict[int, int]:
    """Number of the stored game of each fixture of the first day that the pages show as played."""
    page = program.client.get("/api/leagues/summer/games").json()
    assert page["pages"] == 2
    day = [one for one in page["games"] if one["fixture"] and one["fixture"]["round"] == 1]
    assert len(day) == DAY
    return {one["fixture"]["number"]: one["number"] for one in day if one["state"] == "final"}


def wait_for(program: Program, count: int) -> dict[int, int]:
    until = time.monotonic() + PATIENCE
    while len(found := finals(program)) < count:
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


def stored_games(folder: Path) -> dict[int, int]:
    """Fixture of each whole and finished game of the league in the journal, by its number."""
    found = {}
    with closing(Store(folder / "journal.db")) as store:
        for number, row in game_list.read_rows(store._db)[0].items():
            league, _ = league_of(row.standing)
            if league:
                saved = store.load_game(number)
                assert saved
                assert saved.table
                assert saved.table.outcome
                found[number] = league.fixture
    return found


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.long("power-cuts"))])
def test_a_day_survives_kill_9(tmp_path: Path, kills: int) -> None:
    random, seen = Random(9), dict[int, int]()
    LeagueFiles(tmp_path / "leagues").save(replace(made_league(), teams=TEAMS))
    for _ in range(kills):
        with Program(tmp_path) as program:
            shown = wait_for(program, len(seen))
            assert shown == seen, "what was played before is there, and nothing else"
            if len(seen) < DAY:
                answer: dict[str, Any] = program.post("leagues/summer/simulate", which="day").json()
                assert answer["count"] == DAY - len(seen)
                wait_for(program, min(DAY, len(seen) + random.randint(0, 1)))
                time.sleep(random.uniform(0, 0.2))
            shown = finals(program)
            program.kill()
            program.process.wait(PATIENCE)
        stored = stored_games(tmp_path)
        assert set(Counter(stored.values()).values()) <= {1}, "no fixture has two games"
        assert shown.items() <= {fixture: number for number, fixture in stored.items()}.items(), "none is lost"
        seen = {fixture: number for number, fixture in stored.items()}
    with Program(tmp_path) as program:
        if len(wait_for(program, len(seen))) < DAY:
            program.post("leagues/summer/simulate", which="day")
        assert seen.items() <= wait_for(program, DAY).items()
        standings = program.client.get("/api/leagues/summer").json()["standings"]
        assert {row["wins"] + row["losses"] + row["ties"] for row in standings} == {1}
        assert program.end() == 0
    assert sorted(stored_games(tmp_path).values()) == [*range(1, DAY + 1)]
