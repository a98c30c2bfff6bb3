"""The top of the league last played, for the sleeping display."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from engine.league.views import BookList, BookView, FixtureOffer

MAX_ROWS = 3


class LeagueBooks(Protocol):
    """What the sleeping display needs of record books (`device.league.record_books.RecordBooks`)."""

    def next_fixtures(self) -> Sequence[FixtureOffer]: ...

    def book_list(self) -> BookList: ...

    def book_view(self, book: str) -> BookView | None: ...


def league_rows(leagues: LeagueBooks) -> list[str]:
    """Return the top teams with wins and losses, such as "12-3 Owls". Empty without a league that can be read."""
    with suppress(OSError):
        offered = [one.book for one in leagues.next_fixtures()]
        known = offered or [one.key for one in leagues.book_list().books if one.kind == "league"]
        view = leagues.book_view(known[0]) if known else None
        if view:
            names = {key: team.name for key, team in view.teams.items()}
            top = view.standings[:MAX_ROWS]
            return [f"{row.wins}-{row.losses} {names.get(row.team, row.team)}" for row in top]
    return []
