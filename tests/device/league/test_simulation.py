"""Fixtures that computers play: each is stored once, as a real game, whatever happens meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from device.storage.database import open_read_only
from device.storage.disk_space import SPARE_BYTES
from device.table.past_games import PastGames
from engine.errors import LeagueError
from engine.games import GAMES
from engine.journal import Source
from engine.league.league import League
from tests.device.league.bench import Bench
from tests.device.league.made_leagues import made_league

MakeBench = Callable[..., Bench]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[MakeBench]:
    benches = []

    def make(*leagues: League) -> Bench:
        benches.append(Bench(tmp_path, *leagues))
        return benches[-1]

    yield make
    for bench in benches:
        bench.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_rookies_is_a_real_one(game: str, made: MakeBench, tmp_path: Path) -> None:
    """It can be opened as any other, and counts in the standings. Chance and the managers gave its answers."""
    bench = made(made_league(game))
    assert bench.thread.request_fixtures("summer", 1) == 1
    bench.simulate()
    assert (bench.thread.troubles, bench.stored) == ({}, 1)
    (number,) = bench.played().values()
    record = PastGames(bench.store.path, lambda: 1, lambda game, place: False).game_record(number)
    assert record
    assert not record.trouble
    assert record.table
    assert record.table.outcome
    assert {side.name for side in record.table.scoreboard.sides.values()} == {"Terns", "Gulls"}
    saved = bench.store.load_game(number)
    assert saved
    assert set(saved.sources) == {Source.MANAGER, Source.HOUSE}
    assert json.loads(saved.standing)["managers"] == {"away": "rookie", "home": "rookie"}
    (row, other) = bench.states.read_state("summer").content.standings
    assert (row.wins + row.ties, other.losses + other.ties) == (1, 1)
    current = bench.store.current_game()
    assert current
    assert current.id == 1, "the game on the table stays there"


def test_the_rest_of_a_day(made: MakeBench) -> None:
    """Fixtures that people have begun are theirs, finished or not. A friendly is not the fixture."""
    bench = made(made_league(count=4))
    state = bench.states.read_state("summer")
    first, second, *_ = [one for one in state.content.fixtures if one.round == 1]
    begun = bench.begin(first.number, first.home, first.away)
    bench.begin(second.number, second.away, second.home, friendly=True)
    assert bench.thread.request_fixtures("summer", "day") == 1
    assert bench.thread.waiting_fixtures == {("summer", second.number)}
    bench.simulate()
    assert list(bench.played()) == [second.number]
    assert bench.thread.waiting_fixtures == set()
    with pytest.raises(LeagueError, match="no game that can be simulated now"):
        bench.thread.request_fixtures("summer", "day")
    with pytest.raises(LeagueError, match=f"game {begun} is already stored for it"):
        bench.thread.request_fixtures("summer", first.number)
    with pytest.raises(LeagueError, match="it was played, in game"):
        bench.thread.request_fixtures("summer", second.number)
    with pytest.raises(LeagueError, match="has none of this number"):
        bench.thread.request_fixtures("summer", 99)
    with pytest.raises(LeagueError, match="no league"):
        bench.thread.request_fixtures("winter", "all")


@pytest.mark.parametrize("best_of", [1, 3])
def test_all_of_a_knock_out_goes_on_to_the_final(best_of: int, made: MakeBench) -> None:
    bench = made(made_league(count=4, format="knock-out", best_of=best_of))
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert bench.thread.troubles == {}
    state = bench.states.read_state("summer")
    assert state.content.champion in {"terns", "gulls", "plovers", "stilts"}
    assert len(bench.played()) == len(state.content.fixtures) == bench.stored
    with pytest.raises(LeagueError, match="no game that can be simulated now"):
        bench.thread.request_fixtures("summer", "all")


def test_a_game_that_people_begin_is_left_to_them(made: MakeBench) -> None:
    """Even one that is begun while computers play the same fixture: what they played is thrown away."""
    bench = made(made_league(count=4))
    one, two = (one for one in bench.states.read_state("summer").content.fixtures if one.round == 1)
    bench.thread.request_fixtures("summer", "day")
    bench.thread.leave_out("summer", one.number)
    bench.busy, bench.on_pause = True, lambda: _begin_once(bench, two.number, two.away, two.home)
    bench.simulate()
    assert (bench.played(), bench.stored) == ({}, 0)
    assert "is already stored for it" in bench.thread.troubles["summer"]


def _begin_once(bench: Bench, fixture: int, away: str, home: str) -> None:
    bench.on_pause = lambda: None
    with pytest.raises(LeagueError, match="playing it right now"):
        bench.thread.leave_out("summer", fixture)
    bench.begin(fixture, away, home)


def test_the_game_on_the_table_goes_first(made: MakeBench) -> None:
    """While it goes on, each answer is followed by a pause, at most as long as it took."""
    bench = made(made_league())
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert bench.pauses == []
    bench.leagues["winter"] = replace(made_league(), key="winter")
    bench.busy = True
    bench.thread.request_fixtures("winter", "day")
    bench.simulate()
    assert len(bench.pauses) > 20
    assert max(bench.pauses) <= 0.25


def test_it_can_be_stopped_at_any_answer(made: MakeBench) -> None:
    bench = made(made_league(count=4))
    bench.thread.request_fixtures("summer", "all")
    bench.busy, bench.on_pause = True, bench.thread.stop_simulating
    bench.simulate()
    assert (bench.thread.waiting_fixtures, bench.played(), bench.thread.troubles) == (set(), {}, {})
    bench.on_pause = lambda: None
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert len(bench.played()) == 6


def test_a_faulty_game_is_left_out_with_its_reason(made: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are played. So is it, when somebody asks again."""
    bench = made(made_league(count=4))
    whole, first = bench.library.load_decks, list[object]()

    def fail_once(*args: object) -> object:
        if not first:
            first.append(args)
            raise RuntimeError("a bug")
        return whole(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(bench.library, "load_decks", fail_once)
    bench.thread.request_fixtures("summer", "day")
    bench.simulate()
    assert len(bench.played()) == 1
    assert bench.thread.troubles == {"summer": "The simulation of game 1 failed. The log has the reason."}
    bench.thread.request_fixtures("summer", "all")
    assert bench.thread.troubles == {}
    bench.simulate()
    assert len(bench.played()) == 6


def test_a_lost_deck_is_named(made: MakeBench) -> None:
    bench = made(made_league(decks=("gone",)))
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert bench.thread.troubles == {"summer": "Game 1 was not simulated: gone: is not among the decks."}


def test_a_full_disk_stops_all(made: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored in part, and the reason is a sentence."""
    bench = made(made_league(count=4))
    usage = __import__("shutil").disk_usage(bench.folder)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage._replace(free=SPARE_BYTES - 1))
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert (bench.played(), bench.thread.waiting_fixtures) == ({}, set())
    assert "MiB are free" in bench.thread.troubles["summer"]
    monkeypatch.undo()
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    assert len(bench.played()) == 6


def test_a_stored_game_that_cannot_be_counted_is_not_played_again(made: MakeBench) -> None:
    bench = made(made_league())
    bench.thread.request_fixtures("summer", "all")
    bench.simulate()
    (number,) = bench.played().values()
    with bench.store._db as db:
        db.execute("update entry set body = '' where game = ? and place = 3", (number,))
    bench.book.rebuild()
    assert bench.played() == {}
    with pytest.raises(LeagueError, match="no game that can be simulated now"):
        bench.thread.request_fixtures("summer", "all")
    with closing(open_read_only(bench.store.path)) as games:
        assert games.execute("select count(*) from game").fetchone() == (2,)
