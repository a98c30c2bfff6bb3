"""What the television shows of a league after a game, until the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.league.views import Anniversary, BookView, StandingRow
from engine.views import AudienceView
from web.league_port import BooksPort, LeaguesPort

MAX_ROWS = 8
"""Rows of standings that the television has room for."""


@dataclass(frozen=True, slots=True)
class BetweenGames:
    """A league, and what happened on this day."""

    book: BookView
    anniversaries: Sequence[Anniversary]

    @property
    def rows(self) -> list[StandingRow]:
        """The top of the standings, with both teams of the latest result, however far down they are."""
        rows = self.book.standings
        own = {team for game in self.book.latest[:1] for team in (game.away, game.home)}
        others = [row.team for row in rows if row.team not in own]
        shown = own | {*others[: MAX_ROWS - len(own)]}
        return [row for row in rows if row.team in shown]


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
