"""A record book as tables, for its exports. Teams and people have their current names."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass

from device.league.book_content import BookContent, StoredResult, local_day
from device.league.book_file import BATTING_COLUMNS, PITCHING_COLUMNS
from device.league.book_reader import OpenBook
from device.league.player_lines import player_lines
from engine.league.views import BookTeam
from engine.scorecard.spreadsheet import Row
from engine.text.numbers import average_text, rate_text

GAME_COLUMNS = (
    *("game", "place", "day", "fixture", "title", "away", "home", "away_runs", "home_runs", "winner"),
    *("innings", "regulation", "counts", "friendly", "simulated"),
)
STANDING_COLUMNS = (
    *("place", "team", "wins", "losses", "ties", "pct", "games_behind", "streak"),
    *("home_wins", "home_losses", "home_ties", "away_wins", "away_losses", "away_ties"),
    *("runs_for", "runs_against", "decided_by", "left_to_play"),
)
BATTING_LINE_COLUMNS = ("team", "player", *BATTING_COLUMNS, "average", "on_base", "slugging", "ops")
PITCHING_LINE_COLUMNS = ("team", "player", *PITCHING_COLUMNS, "innings", "era", "whip")


@dataclass(frozen=True, slots=True)
class BookTables:
    """The tables of an open book. `teams` are by key."""

    opened: OpenBook
    teams: Mapping[str, BookTeam]

    @property
    def content(self) -> BookContent:
        return self.opened.content

    @property
    def db(self) -> sqlite3.Connection:
        return self.opened.db

    def team_name(self, key: str) -> str:
        return self.teams[key].name if key in self.teams else key

    def games(self) -> Iterable[Row]:
        """All finished games in time order, by `GAME_COLUMNS`."""
        counting = {(one.number, one.place) for one in self.content.counting}
        for one in self.content.results:
            yield self._game_row(one, (one.number, one.place) in counting)

    def _game_row(self, one: StoredResult, counts: bool) -> Row:
        fixture = self.content.fixture_of.get(one.fixture) if counts else None
        return (
            *(one.number, one.place, local_day(one.played)),
            *((fixture.number, fixture.title) if fixture else ("", "")),
            *(self.team_name(one.away), self.team_name(one.home), one.away_runs, one.home_runs),
            *(self.team_name(one.winner) if one.winner else "", one.innings, one.regulation),
            *(int(counts), int(one.friendly), int(one.simulated)),
        )

    def standings(self) -> Iterable[Row]:
        """The standings, by `STANDING_COLUMNS`."""
        for row in self.content.standings:
            yield (
                *(row.place, self.team_name(row.team), row.wins, row.losses, row.ties, rate_text(row.pct)),
                *(row.games_behind, row.streak, *row.at_home, *row.away),
                *(row.runs_for, row.runs_against, row.decided_by, row.left),
            )

    def batting(self) -> Iterable[Row]:
        """The totals of batters, by `BATTING_LINE_COLUMNS`."""
        for line in player_lines(self.db, self.content):
            if (did := line.batting) is not None:
                rates = (did.batting_average, did.on_base_percentage, did.slugging, did.on_base_plus_slugging)
                yield self.team_name(line.team), line.player, *astuple(did), *map(rate_text, rates)

    def pitching(self) -> Iterable[Row]:
        """The totals of pitchers, by `PITCHING_LINE_COLUMNS`."""
        for line in player_lines(self.db, self.content):
            if (did := line.pitching) is not None:
                rates = (did.earned_run_average, did.walks_and_hits_per_inning)
                yield (
                    *(self.team_name(line.team), line.player, *astuple(did)),
                    *(did.innings_pitched, *map(average_text, rates)),
                )

    def dicts(self, columns: Sequence[str], rows: Iterable[Row]) -> list[dict[str, object]]:
        return [dict(zip(columns, row, strict=True)) for row in rows]
