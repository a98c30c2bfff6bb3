"""The records of a book: the best of a single game, and the longest streaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.league.stats import BattingStats, SideStats
from engine.league.views import BookGame, RecordEntry
from engine.seats import SEATS, Seat
from engine.text.agreement import name_with_verb

MAX_HOLDERS = 5
"""Holders of a record that are named. The others are counted."""

MIN_STREAK_GAMES = 2
"""Games of the shortest streak that is a record."""

BATTING_RECORDS: Mapping[str, Callable[[BattingStats], int]] = {
    "Most runs": lambda of: of.runs,
    "Most hits": lambda of: of.hits,
    "Most home runs": lambda of: of.home_runs,
    "Most runs batted in": lambda of: of.driven_in,
    "Most stolen bases": lambda of: of.steals,
}
"""What a player and a team may do most in a game, by title."""

GAME_RECORDS = (
    *(f"{title} by a player" for title in BATTING_RECORDS),
    "Most strikeouts by a pitcher",
    *(f"{title} by a team" for title in BATTING_RECORDS),
    "Most runs by both teams",
    "Biggest win",
    "Longest game",
)
"""Titles of the records of a single game, in their order."""

SEASON_RECORDS = ("Longest winning streak", "Longest losing streak", "Longest hitting streak")
"""Titles of the records of a whole book, in their order."""


@dataclass(slots=True)
class _Record:
    """The highest value so far, and who has it, as (sentence, number of the stored game or 0)."""

    value: int = 0
    holders: list[tuple[str, int]] = field(default_factory=list)
    others: int = 0

    def offer(self, value: int, number: int, sentence: str) -> None:
        """Enter a value if it is at least 1 and no lower than the record."""
        if value < max(1, self.value):
            return
        if value > self.value:
            self.value, self.holders, self.others = value, [], 0
        if len(self.holders) < MAX_HOLDERS:
            self.holders.append((sentence, number))
        else:
            self.others += 1

    def entry(self, title: str) -> RecordEntry:
        holders = [*self.holders, *([(f"and {self.others} more", 0)] if self.others else [])]
        return RecordEntry(title, str(self.value), [words for words, _ in holders], [number for _, number in holders])


@dataclass(slots=True)
class _Streak:
    """A streak so far: its length in games, and its first and last game in words."""

    length: int = 0
    first: str = ""
    last: str = ""

    def add_game(self, game: str) -> None:
        self.length, self.first, self.last = self.length + 1, self.first or game, game


class RecordsFold:
    """Finds the records of a book in one pass. Its memory grows with teams and players, not with games.

    teams: names by key.
    """

    def __init__(self, teams: Mapping[str, str]) -> None:
        self._teams = teams
        self._records = {title: _Record() for title in GAME_RECORDS}
        self._ended = {title: _Record() for title in SEASON_RECORDS}
        self._streaks: dict[tuple[str, str, str], _Streak] = {}
        """The streaks that go on, by title, team and player ("" for a team's)."""

    def add(self, game: BookGame, sides: Mapping[Seat, SideStats]) -> None:
        """Add the next game by time, with its sides. It must be final and count."""
        teams: dict[Seat, str] = {"away": game.away, "home": game.home}
        where = f"game {game.number}" + (f", number {game.place}" if game.place > 1 else "")
        for seat in SEATS:
            self._add_batting(sides[seat].total, "team", self._teams[teams[seat]], game.number, where)
            self._add_players(sides[seat], teams[seat], game.number, where)
            self._add_result(teams[seat], game.winner, where)
        self._add_score(game, sides, where)

    def records(self) -> tuple[list[RecordEntry], list[RecordEntry]]:
        """Return the records of a single game, and those of the whole book, without those that nobody has."""
        season = {title: _Record(ended.value, [*ended.holders], ended.others) for title, ended in self._ended.items()}
        for (title, team, player), streak in self._streaks.items():
            self._offer_streak(season[title], streak, team, player, ", and it goes on")
        return _entries(self._records), _entries(season)

    def _add_batting(self, did: BattingStats, by: str, who: str, number: int, where: str) -> None:
        for title, count in BATTING_RECORDS.items():
            if value := count(did):
                self._records[f"{title} by a {by}"].offer(value, number, f"{who}: {value}, in {where}")

    def _add_players(self, side: SideStats, team: str, number: int, where: str) -> None:
        for name, did in side.batters.items():
            self._add_batting(did, "player", f"{name}, {self._teams[team]}", number, where)
            self._add_hitting(did, team, name, where)
        for name, pitched in side.pitchers.items():
            strikeouts = pitched.strikeouts
            sentence = f"{name}, {self._teams[team]}: {strikeouts}, in {where}"
            self._records["Most strikeouts by a pitcher"].offer(strikeouts, number, sentence)

    def _add_score(self, game: BookGame, sides: Mapping[Seat, SideStats], where: str) -> None:
        best = (self._teams[game.away], sides["away"].runs)
        least = (self._teams[game.home], sides["home"].runs)
        if least[1] > best[1]:
            best, least = least, best
        score = f"{best[0]} {best[1]}, {least[0]} {least[1]}, in {where}"
        win = f"{name_with_verb(best[0], 'beats/beat')} {least[0]} {best[1]} to {least[1]}, in {where}"
        self._records["Most runs by both teams"].offer(best[1] + least[1], game.number, score)
        self._records["Biggest win"].offer(best[1] - least[1], game.number, win)
        if game.innings is not None and game.innings > game.regulation:
            self._records["Longest game"].offer(game.innings, game.number, score)

    # Streaks -----------------------------------------------------------------------------------------------------

    def _add_result(self, team: str, winner: str, where: str) -> None:
        """Continue or end the streaks of a team. A tie does neither."""
        if winner:
            self._add_to_streak("Longest winning streak", team, "", where, winner == team)
            self._add_to_streak("Longest losing streak", team, "", where, winner != team)

    def _add_hitting(self, did: BattingStats, team: str, player: str, where: str) -> None:
        """Continue or end a hitting streak. A game with nothing but walks, hit batters and sacrifice bunts, or without
        a plate appearance, does neither (9.23(b)).
        """
        if did.hits or did.plate_appearances > did.walks + did.hit_by_pitch + did.sacrifice_hits:
            self._add_to_streak("Longest hitting streak", team, player, where, did.hits > 0)

    def _add_to_streak(self, title: str, team: str, player: str, where: str, goes_on: bool) -> None:
        key = (title, team, player)
        if goes_on:
            self._streaks.setdefault(key, _Streak()).add_game(where)
        elif ended := self._streaks.pop(key, None):
            self._offer_streak(self._ended[title], ended, team, player, "")

    def _offer_streak(self, record: _Record, streak: _Streak, team: str, player: str, ending: str) -> None:
        who = f"{player}, {self._teams[team]}" if player else self._teams[team]
        if streak.length >= MIN_STREAK_GAMES:
            record.offer(streak.length, 0, f"{who}: {streak.first} to {streak.last}{ending}")


def _entries(records: Mapping[str, _Record]) -> list[RecordEntry]:
    return [record.entry(title) for title, record in records.items() if record.value]
