"""The pages of record books: what counts, the states of fixtures, teams, players, records and people."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from device.league import record_pages
from device.league.book_content import LiveState
from device.league.book_reader import BookReader
from device.league.people_pages import PeoplePages
from device.league.player_pages import PlayerPages
from device.league.record_pages import RecordPages
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.league.game_stats import game_stats
from engine.league.league import LeagueGame, LeagueTeam
from engine.league.stats import PitchingStats, sum_stats
from engine.league.views import SOMEBODY, BookGamesPage, BookView, Person
from engine.seats import SEATS
from engine.table import Table
from managers.simulation import answer_one_ask
from tests.device.league.made_games import LEAGUE, PLAYERS, Bookkeeping, played_table

NOW = datetime(2026, 4, 1, 18, tzinfo=UTC)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Bookkeeping]:
    found = Bookkeeping(tmp_path, LEAGUE, clock=lambda: NOW)
    yield found
    found.store.close()


def unfinished(seed: int = 0) -> Table:
    table = played_table(1, seed).clone()
    table.undo(table.answers[-3].n)
    return table


def games_page(kept: Bookkeeping, key: str = "summer", live: LiveState | None = None, team: str = "") -> BookGamesPage:
    kept.book.update()
    reader = BookReader(kept.book.path, lambda: kept.leagues, kept.people.get, lambda: live or LiveState())
    found = reader.games_page(key, team=team)
    assert found
    return found


def front_page(kept: Bookkeeping, key: str = "summer") -> BookView:
    kept.book.update()
    found = kept.reader.book_view(key)
    assert found
    return found


def states(page: BookGamesPage) -> list[tuple[int, str, int]]:
    """Fixture (0 beside the schedule), state and number of the stored game."""
    return [(one.fixture.number if one.fixture else 0, one.state, one.number) for one in page.games]


def test_fixtures_are_in_their_order_and_other_games_after_them(kept: Bookkeeping) -> None:
    """Three teams meet: fixtures 1 to 3. The first game of a fixture counts, if its teams played it."""
    fixtures = {one.fixture.number: f"{one.away} {one.home}" for one in games_page(kept).games if one.fixture}
    kept.put(played_table(1, 1), 2, fixtures[1])  # other teams
    kept.put(played_table(1, 2), 2, fixtures[2])
    kept.put(played_table(1, 3), 2, fixtures[2])
    kept.put(played_table(1, 4), 0, fixtures[1])
    kept.put(played_table(1, 5), 1, fixtures[1], friendly=True)
    page = games_page(kept)
    expected = [(1, "open", 0), (2, "final", 2), (3, "open", 0), (0, "final", 1), (0, "final", 3), (0, "final", 4)]
    assert [*expected, (0, "final", 5)] == states(page)
    assert [5] == [one.number for one in page.games if one.friendly]
    assert 2 == page.summary.games
    assert 3 == page.summary.fixtures
    assert 4 == front_page(kept, "small-ball").summary.games


def test_a_fixture_says_who_plays_it_now(kept: Bookkeeping) -> None:
    first, second, _ = (one.fixture for one in games_page(kept).games)
    assert first
    assert second
    kept.put(unfinished(), first.number, f"{first.away} {first.home}")
    kept.put(unfinished(), second.number, f"{second.home} {second.away}")
    live = LiveState(number=1, simulating=[("summer", 3), ("winter", 1)])
    assert [(1, "playing", 1), (2, "paused", 2), (3, "simulating", 0)] == states(games_page(kept, live=live))


def test_a_later_game_of_a_series_waits_for_the_earlier_one(kept: Bookkeeping) -> None:
    kept.leagues[:] = [replace(LEAGUE, format="best-of", best_of=3, teams=LEAGUE.teams[:2])]
    assert ["open", "waiting", "waiting"] == [one.state for one in games_page(kept).games]
    assert [1] == [one.fixture.number for one in front_page(kept).next if one.fixture]
    for number in (1, 2):
        kept.put(played_table(1, 2), number, "gulls owls")
    (winner,) = {one.winner for one in games_page(kept).games}
    view = front_page(kept)
    assert (winner, [], 2) == (view.champion, view.next, view.summary.fixtures)


def test_games_of_a_deleted_league_are_in_the_book_of_their_rulebook_alone(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 1), 0, "gulls owls")
    kept.leagues.clear()
    kept.book.update()
    assert [("small-ball", 1)] == [(one.key, one.games) for one in kept.reader.book_list().books]
    assert kept.reader.book_view("summer") is None
    assert kept.reader.team_view("small-ball", "Nobody") is None


def test_a_team_that_left_its_league_is_shown_by_its_key(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 1), 0, "gulls stilts")
    view = front_page(kept)
    assert "stilts" == view.teams["stilts"].name
    assert ["gulls", "owls", "terns"] == sorted(row.team for row in view.standings)
    team = kept.reader.team_view("summer", "stilts")
    assert team
    assert (None, ["gulls"]) == (team.standing, [one.opponent for one in team.versus])


def test_a_game_in_another_order_of_seats_counts_by_side(kept: Bookkeeping) -> None:
    """The seat says which team is which, whatever side its rulebook gives it."""
    table = played_table(1, 2)
    (stats,) = game_stats(table)
    kept.put(table, 0, "owls gulls")
    (game,) = [one for one in games_page(kept).games if one.number]
    teams = {"away": "owls", "home": "gulls"}
    assert tuple(teams[stats.sides[side].seat] for side in SEATS) == (game.away, game.home)
    assert tuple(stats.sides[side].runs for side in SEATS) == (game.away_runs, game.home_runs)
    assert (teams[stats.sides[stats.winner].seat] if stats.winner else "") == game.winner
    assert ("2026-04-01", stats.innings, 3) == (game.played, game.innings, game.regulation)


def test_names_on_cards_identify_teams_whatever_people_call_the_sides(kept: Bookkeeping) -> None:
    table = played_table(1, 1)
    named = Table(table.game, table.decks, table.house, table.journal, {"away": "Ann", "home": "Ben"})
    assert "Ann" == named.scoreboard().sides["away"].name
    kept.put(named)
    kept.put(table)
    view = front_page(kept, "small-ball")
    assert sorted(side.name for side in table.scoreboard().sides.values()) == sorted(view.teams)
    assert 2 == view.summary.games


def test_names_of_people_are_looked_up_when_they_are_shown(kept: Bookkeeping) -> None:
    """Games whose cards have no teams are between people. A forgotten one is somebody."""
    kept.people["pat"] = Person("pat", "Pat", "teal")
    kept.put(played_table(2, 1), away="pat", home="kim")
    kept.put(played_table(2, 2))
    view = front_page(kept, "rallybird")
    assert ["Pat", SOMEBODY, *(side.name for side in played_table(2, 2).scoreboard().sides.values())] == [
        one.name for one in view.teams.values()
    ]
    kept.people["pat"] = Person("pat", "Patricia")
    assert "Patricia" == front_page(kept, "rallybird").teams["person:pat"].name
    kept.leagues[:] = [
        replace(LEAGUE, teams=[replace(LEAGUE.teams[0], person="pat"), LeagueTeam("b", "B", person="no")])
    ]
    assert ["Patricia", SOMEBODY] == [one.person for one in front_page(kept).teams.values()]


def test_a_season_has_a_book_of_its_own(kept: Bookkeeping) -> None:
    table = played_table(4, 0)
    number = kept.put(table)
    kept.book.update()
    books = {one.key: one for one in kept.reader.book_list().books}
    assert len(game_stats(table)) == books[f"season-{number}"].games == books["seventh-inning-stretch"].games > 1
    assert ("season", f"7th Inning Stretch, game {number}") == (
        books[f"season-{number}"].kind,
        books[f"season-{number}"].title,
    )
    own = front_page(kept, f"season-{number}").teams
    assert table.scoreboard().sides[table.scoreboard().plays["home"]].name in own


def test_books_are_read_again_only_when_they_change(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 1), 0, "gulls owls")
    front_page(kept)
    with kept.reader.open_book("summer") as first:
        assert first
    kept.put(played_table(2, 1))
    kept.book.update()
    with kept.reader.open_book("summer") as opened:
        assert opened
        assert opened.content is first.content
    kept.assign(1, None)
    kept.book.update()
    with kept.reader.open_book("summer") as opened:
        assert opened
        assert opened.content is not first.content


def test_a_player_has_a_total_and_a_log_and_lines_elsewhere(kept: Bookkeeping) -> None:
    tables = [played_table(0, seed) for seed in (1, 2)]
    for table in tables:
        kept.put(table, 0, "gulls owls")
    kept.put(tables[0], 0, "gulls owls", friendly=True)
    kept.book.update()
    pages = PlayerPages(kept.reader)
    (first,), (second,) = (game_stats(table) for table in tables)
    name = next(name for name in first.sides["away"].batters if name in second.sides["away"].batters)
    team = {"away": "gulls", "home": "owls"}[first.sides["away"].seat]
    lines = [stats.sides["away"].batters[name] for stats in (first, second)]
    view = pages.player_view("summer", team, name)
    assert view
    assert sum_stats(*lines) == view.total.batting
    assert lines[::-1] == [one.batting for one in view.log]
    assert [2, 1] == [one.game.number for one in view.log]
    assert [("small-ball", sum_stats(*lines))] == [(book.key, line.batting) for book, line in view.everywhere]
    assert pages.player_view("summer", team, "Nobody") is None
    leaders = pages.leaders_view("summer")
    assert leaders
    assert view.total in leaders.players
    assert "AVG" in [one.code for one in leaders.categories]


def test_a_series_of_clutch_has_a_book_with_pitchers(kept: Bookkeeping) -> None:
    """Whatever side a seat drew, its team pitches and bats for it."""
    game = GAMES["clutch"]
    table, chance = Table(game, [house_deck(game)], {"series": "3", "startInning": "7"}), Random(5)
    while not table.outcome:
        answer_one_ask(table, PLAYERS, chance)
    stats = game_stats(table)
    assert len(stats) in (2, 3)
    number = kept.put(table)
    kept.book.update()
    pages = PlayerPages(kept.reader)
    leaders = pages.leaders_view(f"season-{number}")
    assert leaders
    expected = dict[tuple[str, str], PitchingStats]()
    for one in stats:
        for side in one.sides.values():
            for name, line in side.pitchers.items():
                expected[side.cards, name] = sum_stats(expected.get((side.cards, name), PitchingStats()), line)
    assert expected == {(line.team, line.player): line.pitching for line in leaders.players if line.pitching}
    assert "K" in [one.code for one in leaders.categories]
    best = max(expected, key=lambda key: expected[key].outs)
    view = pages.player_view(f"season-{number}", *best)
    assert view
    assert expected[best].outs == sum(one.pitching.outs for one in view.log if one.pitching)


def test_records_follow_each_change(kept: Bookkeeping, monkeypatch: pytest.MonkeyPatch) -> None:
    """New games are added to those that are known, and a change in an old one is found."""
    monkeypatch.setattr(record_pages, "GAMES_PER_QUERY", 2)
    pages = RecordPages(kept.reader)
    for seed in range(7):
        kept.put(played_table(seed % 2, seed), 0, "gulls owls")
        kept.book.update()
        if seed % 3 == 0:
            pages.refresh()
        assert RecordPages(kept.reader).records_view("summer") == pages.records_view("summer")
    kept.assign(2, LeagueGame("summer", 0, "owls", "gulls"))
    kept.book.update()
    assert RecordPages(kept.reader).records_view("summer") == pages.records_view("summer")
    view = pages.records_view("summer")
    assert view
    assert view.game_records
    assert view.season_records
    kept.leagues.clear()
    assert pages.records_view("summer") is None


def test_nobody_waits_for_records_that_are_being_computed(kept: Bookkeeping) -> None:
    pages = RecordPages(kept.reader)
    kept.put(played_table(1, 1))
    kept.book.update()
    known = pages.records_view("small-ball")
    with pages._lock:
        found = list[object]()
        other = threading.Thread(target=lambda: found.append(pages.records_view("small-ball")))
        other.start()
        other.join(10)
    assert [known] == found


def test_fixtures_to_play_are_offered_by_league(kept: Bookkeeping) -> None:
    """The league last played comes first. A game on the table or in a simulation is not offered, a paused one is."""
    kept.leagues.append(replace(LEAGUE, key="winter", title="Winter"))
    first, second, _ = (one.fixture for one in games_page(kept).games)
    assert first
    assert second
    kept.put(unfinished(), first.number, f"{first.away} {first.home}")
    kept.put(unfinished(), second.number, f"{second.away} {second.home}")
    kept.book.update()
    live = LiveState(1, [("winter", 3)])
    reader = BookReader(kept.book.path, lambda: kept.leagues, kept.people.get, lambda: live)
    assert [("summer", 2, 2), ("summer", 3, 0), ("winter", 1, 0), ("winter", 2, 0)] == [
        (one.book, one.fixture.number, one.paused) for one in reader.next_fixtures()
    ]


def test_people_win_against_each_other(kept: Bookkeeping) -> None:
    people = [Person("pat", "Pat"), Person("kim", "Kim"), Person("lou", "Lou")]
    kept.people.update({one.key: one for one in people[:2]})
    kept.put(played_table(1, 1), away="pat", home="kim")
    kept.put(played_table(1, 1), away="kim", home="pat")
    kept.put(played_table(1, 1), away="pat", home="gone")
    kept.put(played_table(1, 1), away="pat")
    kept.put(played_table(1, 1), 0, "gulls owls", friendly=True, away="pat")
    kept.book.update()
    (stats,) = game_stats(played_table(1, 1))
    assert stats.winner
    away = stats.sides[stats.winner].seat == "away"
    pat, kim, lou = PeoplePages(kept.reader, lambda: people).person_records()
    assert {"Small Ball": (3, 1, 0) if away else (1, 3, 0)} == pat.by_game
    assert {"Kim": (1, 1, 0), SOMEBODY: (1, 0, 0) if away else (0, 1, 0)} == pat.versus
    assert {"Pat": (1, 1, 0)} == kim.versus
    assert ({}, {}) == (lou.by_game, lou.versus)


def test_earlier_years_and_round_numbers_of_days_are_remembered(kept: Bookkeeping) -> None:
    kept.put(played_table(1, 2))
    kept.book.update()
    (stats,) = game_stats(played_table(1, 2))

    def day(today: date) -> list[tuple[str, str]]:
        return [(one.day, one.sentence) for one in PeoplePages(kept.reader, list, lambda: today).on_this_day()]

    begun = NOW.astimezone().date()
    assert [] == day(begun) == day(begun + timedelta(8))
    ((when, sentence),) = day(begun + timedelta(7))
    assert begun.isoformat() == when
    runs = sorted((side.runs for side in stats.sides.values()), reverse=True)
    assert sentence.startswith("One week ago, ")
    assert f"{runs[0]}–{runs[1]}" in sentence
    assert day(begun.replace(year=2029))[0][1].startswith("3 years ago today, ")
