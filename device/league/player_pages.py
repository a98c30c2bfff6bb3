"""The pages of leaders and players in record books (`web.league_port.BooksPort`)."""

from __future__ import annotations

from device.league.book_content import LiveState
from device.league.book_reader import BookReader
from device.league.player_lines import books_of_player, leader_categories, player_lines, player_log, player_total
from engine.league.views import BookSummary, LeadersView, PlayerLine, PlayerView

PLAYERS_PER_PAGE = 50
"""Players on one page of the leaders."""


class PlayerPages:
    """Reads the players of record books. Any thread may call. Methods raise sqlite3.Error."""

    def __init__(self, reader: BookReader) -> None:
        self._reader = reader

    def leaders_view(self, book: str, page: int = 1) -> LeadersView | None:
        with self._reader.open_book(book) as opened:
            if opened is None:
                return None
            content, teams = opened.content, opened.content.teams(self._reader.find_person)
            players = player_lines(opened.db, content)
            pages = max(1, -(-len(players) // PLAYERS_PER_PAGE))
            page = min(max(page, 1), pages)
            shown = players[(page - 1) * PLAYERS_PER_PAGE : page * PLAYERS_PER_PAGE]
            return LeadersView(content.summary(teams), teams, leader_categories(opened.db, content), shown, page, pages)

    def player_view(self, book: str, team: str, player: str) -> PlayerView | None:
        with self._reader.open_book(book) as opened:
            if opened is None:
                return None
            content, teams = opened.content, opened.content.teams(self._reader.find_person)
            total = player_total(opened.db, content, team, player)
            if total is None:
                return None
            everywhere = list[tuple[BookSummary, PlayerLine]]()
            stored = books_of_player(opened.db, player)
            for other in self._reader.books(opened.db, {key for key, _ in stored}):
                summary = other.summary(other.teams(self._reader.find_person))
                for at in sorted(key for of, key in stored if of == other.key):
                    line = player_total(opened.db, other, at, player)
                    if line and (other.key, at) != (book, team):
                        everywhere.append((summary, line))
            return PlayerView(
                content.summary(teams),
                teams,
                total,
                player_log(opened.db, content, team, player, LiveState()),
                everywhere,
            )
