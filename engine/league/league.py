"""A league as its founder defines it, and how a stored game belongs to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

LeagueFormat = Literal["round-robin", "best-of", "knock-out", "fixtures"]
"""How its fixtures come about: everybody meets everybody, one series of two teams, a seeded knock-out, or a list."""

LEAGUE_FORMATS: tuple[LeagueFormat, ...] = get_args(LeagueFormat)

TieBreaker = Literal["head-to-head", "run-difference", "runs-scored"]
"""What decides between teams of equal record. Teams that are still equal stay in the order of the league's list."""

TIE_BREAKERS: tuple[TieBreaker, ...] = get_args(TieBreaker)


@dataclass(frozen=True, slots=True)
class LeagueTeam:
    """A team of a league.

    key: lower-case letters, digits and hyphens; unique in its league, and it stays when the name changes.
    name: what people call it, 1 to 24 characters.
    colour: a key of `TEAM_COLORS`.
    person: key of the person who manages it, "" if it is not known or a computer does.
    manager: the computer that plays it where no person does, a key of `managers.cast.CAST_BY_CHOICE`.
    deck: name of the deck with its own cards, "" for those of the league.
    cards: name of its team or roster on the cards of that deck, "" if the deck has only one.
    """

    key: str
    name: str
    colour: str = "green"
    person: str = ""
    manager: str = "regular"
    deck: str = ""
    cards: str = ""


TEAM_COLORS: Mapping[str, str] = {
    "red": "#c8323c",
    "orange": "#d9730d",
    "yellow": "#d4a514",
    "green": "#2f8f4e",
    "teal": "#16837f",
    "blue": "#2b6cb0",
    "purple": "#7a4fb5",
    "gray": "#6b7280",
}
"""The colors of teams and people, as CSS colors by key."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to play. Its number stays, whatever else changes in the league.

    number: from 1, unique in the league.
    round: from 1.
    away, home: keys of teams, "" while earlier games decide who plays.
    day: ISO date, "" for none.
    title: what people call it, such as "Final, game 3", "" for none.
    """

    number: int
    round: int
    away: str
    home: str
    day: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class League:
    """A league. Its file (device/league/league_files.py) has exactly these fields.

    key: lower-case letters, digits and hyphens. No key of a rulebook.
    title: 1 to 40 characters.
    game: key of the rulebook.
    teams: in the order of seeds.
    meetings: how often each pair meets in a round robin.
    best_of: games of each series of a best-of or knock-out, an odd number.
    listed: the fixtures of the format "fixtures"; empty for others, which compute theirs (engine/league/schedule.py).
    house, pace, decks: as for `begin_game`: house rules, pace of the game, and names of decks.
    tie_breakers: in the order in which they are tried.
    """

    key: str
    title: str
    game: str
    format: LeagueFormat
    teams: Sequence[LeagueTeam]
    meetings: int = 1
    best_of: int = 1
    listed: Sequence[Fixture] = ()
    house: Mapping[str, str] = field(default_factory=dict)
    pace: str = ""
    decks: Sequence[str] = ()
    tie_breakers: Sequence[TieBreaker] = TIE_BREAKERS

    def find_team(self, key: str) -> LeagueTeam | None:
        return next((one for one in self.teams if one.key == key), None)


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """The league that a stored game is played in, kept with its seat settings.

    fixture: number of the fixture, 0 for a game beside the schedule.
    away, home: keys of the teams that sit in the away and the home seat.
    friendly: True if it counts for nothing.
    """

    league: str
    fixture: int
    away: str
    home: str
    friendly: bool = False


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game of a league that counts, by sides: `away` batted first.

    away, home: keys of teams.
    winner: key of a team, "" for a tie.
    """

    fixture: int
    away: str
    home: str
    away_runs: int
    home_runs: int
    winner: str
