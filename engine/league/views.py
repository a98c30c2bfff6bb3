"""What league pages show, as typed data.

A *book* is a set of games with one set of standings, leaders and records. Its key is that of a league, that of a
rulebook (every game that was played of it), or "season-N" (the games inside stored game N).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.league.league import Fixture, League, LeagueFormat
from engine.league.stats import BattingStats, PitchingStats
from engine.views import GameName

BookKind = Literal["league", "rulebook", "season"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays here. Stored on this machine only.

    key: stays when the name changes. A forgotten person has no entry, and is called `SOMEBODY`.
    colour: a key of `TEAM_COLORS`.
    """

    key: str
    name: str
    colour: str = "green"


SOMEBODY = "somebody"
"""What a person is called who was forgotten."""


@dataclass(frozen=True, slots=True)
class BookTeam:
    """A team in a book. `person` is the name of who manages it, "" if nobody is known."""

    key: str
    name: str
    colour: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class BookSummary:
    """A book in the list of books."""

    key: str
    title: str
    kind: BookKind
    game: GameName
    games: int
    """Games that count so far."""
    fixtures: int = 0
    """Fixtures of a league, as far as they are known."""
    format: LeagueFormat | None = None
    leader: str = ""
    """The first in the standings, "" before the first game."""


@dataclass(frozen=True, slots=True)
class BookList:
    """All books, leagues first. `waiting` games are not yet in them: ask again in a second."""

    books: Sequence[BookSummary]
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A team in the standings.

    place: from 1. Teams that no tie-breaker separates share it.
    pct: wins and half the ties by games (PCT), None before the first game.
    games_behind: the leader's (GB), 0 for the leader.
    streak: such as "W3", "" before the first game.
    last_ten, at_home, away: (wins, losses, ties).
    decided_by: the tie-breaker that put it here, "" if none was needed.
    left: fixtures that it still has to play, as far as they are known.
    """

    place: int
    team: str
    wins: int
    losses: int
    ties: int
    pct: float | None
    games_behind: float
    streak: str
    last_ten: tuple[int, int, int]
    at_home: tuple[int, int, int]
    away: tuple[int, int, int]
    runs_for: int
    runs_against: int
    decided_by: str = ""
    left: int = 0


FixtureState = Literal["open", "waiting", "playing", "paused", "final", "simulating"]
"""`waiting`: earlier games decide who plays. `playing`: on the table now."""


@dataclass(frozen=True, slots=True)
class BookGame:
    """A game of a book, played or to be played, by sides.

    fixture: None for a game beside the schedule.
    number: that of the stored game, 0 before it is begun. `place` is the number of the game in it, from 1.
    away, home: keys of teams in the book.
    winner: key of a team; "" for a tie or before the end.
    played: ISO date, "" before the end.
    innings: None unless it is final. More than `regulation` means extra innings.
    friendly: True for a game of the league that does not count.
    """

    fixture: Fixture | None
    state: FixtureState
    away: str
    home: str
    number: int = 0
    place: int = 1
    away_runs: int | None = None
    home_runs: int | None = None
    winner: str = ""
    played: str = ""
    innings: int | None = None
    regulation: int = 9
    friendly: bool = False
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A leader of a category.

    place: ties share it.
    value: as it is printed: ".333", "1.98", "12".
    detail: what it comes from, such as "8 for 24", "" for a plain count.
    """

    place: int
    player: str
    team: str
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LeaderCategory:
    """Leaders of one category.

    code: as on a baseball card, such as "AVG". `title` says it in words.
    minimum: who qualifies, in a sentence, "" if everybody does.
    """

    code: str
    title: str
    rows: Sequence[LeaderRow]
    minimum: str = ""


@dataclass(frozen=True, slots=True)
class BookView:
    """The front page of a book.

    league: None unless it is a league.
    next: the next open fixtures, first those of the earliest day or round.
    latest: the last results, newest first.
    simulating: fixtures that wait to be simulated.
    trouble: why the last simulation stopped or left a game out, in a sentence; "" for none.
    champion: key of the team that won a league that is over, "" before.
    """

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    standings: Sequence[StandingRow]
    next: Sequence[BookGame]
    latest: Sequence[BookGame]
    leaders: Sequence[LeaderCategory] = ()
    league: League | None = None
    simulating: int = 0
    waiting: int = 0
    champion: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class BookGamesPage:
    """Games of a book on one page: fixtures in their order, then games beside the schedule. Pages count from 1."""

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    games: Sequence[BookGame]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """The totals of a player for one team of a book. Either part is None if he has none of it."""

    player: str
    team: str
    batting: BattingStats | None = None
    pitching: PitchingStats | None = None


@dataclass(frozen=True, slots=True)
class LeadersView:
    """All leaders of a book, and a page of its players in the order of plate appearances and outs pitched."""

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    categories: Sequence[LeaderCategory]
    players: Sequence[PlayerLine]
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class VersusRow:
    """A record against one opponent."""

    opponent: str
    wins: int
    losses: int
    ties: int
    runs_for: int
    runs_against: int


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team in a book."""

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    team: str
    standing: StandingRow | None
    total: BattingStats
    players: Sequence[PlayerLine]
    versus: Sequence[VersusRow]
    games: Sequence[BookGame]
    """Its last games and its next fixtures, in their order."""


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """What a player did in one game."""

    game: BookGame
    batting: BattingStats | None = None
    pitching: PitchingStats | None = None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player in a book.

    total: for `team`. `everywhere` has a line for each other team and book that has the same card.
    log: newest first.
    """

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    total: PlayerLine
    log: Sequence[PlayerGame]
    everywhere: Sequence[tuple[BookSummary, PlayerLine]] = ()


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """A record, such as the most runs of a side in a game.

    holders: sentences, each such as "Pip Marlowe, Owls: 4, in game 12". Ties share a record.
    numbers: the stored game of each holder, 0 if it is not of one game.
    """

    title: str
    value: str
    holders: Sequence[str]
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class RecordsView:
    """Single-game records, and those of the whole book."""

    summary: BookSummary
    teams: Mapping[str, BookTeam]
    game_records: Sequence[RecordEntry]
    season_records: Sequence[RecordEntry]


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """What a person has won in all games that count, by rulebook title, and against each other person by name."""

    person: Person
    by_game: Mapping[str, tuple[int, int, int]]
    versus: Mapping[str, tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Anniversary:
    """Something that happened on this day of an earlier year, or some days ago in this one."""

    day: str
    sentence: str
    number: int


@dataclass(frozen=True, slots=True)
class FixtureOffer:
    """A fixture that people can begin now, for "New game". `paused` is the number of its stored game, 0 for none."""

    book: str
    league: str
    fixture: Fixture
    away: BookTeam
    home: BookTeam
    paused: int = 0


@dataclass(frozen=True, slots=True)
class ImportedLeague:
    """What an import would change, in sentences, before it does."""

    league: League
    changes: Sequence[str] = field(default_factory=list)
