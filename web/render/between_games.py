"""What the television shows of a league after a game, until the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.league.views import Anniversary, BookView
from engine.views import AudienceView
from web.league_port import BooksPort, LeaguesPort


@dataclass(frozen=True, slots=True)
class BetweenGames:
    """A league, and what happened on this day."""

    book: BookView
    anniversaries: Sequence[Anniversary]


def between_games(books: BooksPort, leagues: LeaguesPort, view: AudienceView) -> BetweenGames | None:
    """Return the league of the game that is over, else the league last played. None during a game and without leagues.

    Reads the record book only, and never waits for a game to be counted. A book that cannot be read hides no result.
    """
    if view.table.outcome is None:
        return None
    with suppress(OSError):
        key = view.league_key or next((one.book for one in leagues.next_fixtures()), "")
        book = books.book_view(key) if key else None
        return BetweenGames(book, books.on_this_day()) if book else None
    return None
