"""The television between games: the league last played, which never hides a game that is on."""

from __future__ import annotations

from dataclasses import replace

from engine.league.views import BookView
from engine.views import AudienceView
from tests.web.leagues import BOOK, OFFER, ROWS, SummerLeague, standing
from tests.web.phones import over, small_ball, text
from web.render.between_games import between_games
from web.render.templates import render_tv_panel


def ended(league: str = "summer") -> AudienceView:
    """The view of a game of this league that is over."""
    port = over()
    port.show(league_key=league)
    return port.game.view_for(None)


def shown(view: AudienceView, leagues: SummerLeague) -> str:
    return text(render_tv_panel(view, between=between_games(leagues, leagues, view))["league"])


def test_after_a_game_it_shows_its_league() -> None:
    """Standings, results, next fixtures, and what happened on this day."""
    words = shown(ended(), SummerLeague())
    assert words.startswith("Latest results Owls 4 Bears 2 Next Herons at Foxes On this day A year ago: Owls 12")
    assert "Summer league Standings Team W L PCT GB Owls 3 0 1.000 – Bears 2 1 .667 ½" in words


def test_a_game_of_no_league_is_followed_by_the_league_last_played() -> None:
    assert "Summer league Standings" in shown(ended(""), SummerLeague([OFFER]))
    assert "" == shown(ended(""), SummerLeague([]))
    assert "" == shown(ended("gone"), SummerLeague())


def test_it_shows_nothing_while_a_game_is_on() -> None:
    """Not even before its first play."""
    port = small_ball()
    for league_key in ("", "summer"):
        port.show(league_key=league_key)
        assert between_games(SummerLeague(), SummerLeague(), port.game.view_for(None)) is None


def test_many_teams_and_ties() -> None:
    """The top rows and the teams that have just played; ties have a column if there are any; a champion is named."""
    rows = [*(standing(i, f"team-{i}", 9, 9) for i in range(1, 31)), replace(ROWS[0], place=31, ties=2)]
    words = shown(ended(), SummerLeague(book=replace(BOOK, standings=rows, champion="foxes")))
    assert "Champions: Foxes" in words
    assert "W L T PCT GB" in words
    assert 6 == words.count("9 9 0 .500")
    assert "team-6 9 9 0 .500 2½ 31. Owls 3 0 2" in words
    first_and_seventh = [standing(1, "bears", 9, 9), *(standing(i, f"team-{i}", 9, 9) for i in range(2, 7)), ROWS[0]]
    words = shown(ended(), SummerLeague(book=replace(BOOK, standings=first_and_seventh)))
    assert (5, 1, 1) == (words.count("team-"), words.count("Bears 9 9"), words.count("Owls 3 0"))


class Unreadable(SummerLeague):
    """A record book on a broken disk."""

    def book_view(self, book: str) -> BookView | None:
        raise OSError("The record book cannot be read.")


def test_a_book_that_cannot_be_read_hides_no_result() -> None:
    assert between_games(Unreadable(), Unreadable(), ended()) is None


def test_it_changes_when_a_game_is_counted() -> None:
    view, league = ended(), SummerLeague()
    before = shown(view, league)
    league.book = replace(BOOK, standings=ROWS[::-1])
    assert before != shown(view, league)
