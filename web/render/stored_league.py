"""The league of a stored game, and who managed it, as its page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.league.league import Fixture, LeagueGame
from engine.league.views import SOMEBODY, BookView, Person
from engine.seats import SEATS, Seat
from web.league_port import BooksPort, LeaguesPort


@dataclass(frozen=True, slots=True)
class LeagueChoice:
    """A league that a game may be added to: its teams as pairs of key and name, and its next fixtures."""

    key: str
    title: str
    teams: Sequence[tuple[str, str]]
    fixtures: Sequence[Fixture]


@dataclass(frozen=True, slots=True)
class StoredLeague:
    """The league and the people of a stored game.

    league: None for a game of no league. `title` and `teams` are the names of the league and of its teams by key.
    people: names by seat. `keys` are theirs.
    everybody, choices: what the operator may choose.
    """

    league: LeagueGame | None = None
    title: str = ""
    teams: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[Seat, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    everybody: Sequence[Person] = ()
    choices: Sequence[LeagueChoice] = ()


def stored_league(books: BooksPort, leagues: LeaguesPort, number: int, game: str, operator: bool) -> StoredLeague:
    """Return the league of stored game `number`, of the rulebook `game`. `operator` adds what may be chosen."""
    league, keys = leagues.game_league(number) or (None, {})
    everybody = leagues.people()
    names = {one.key: one.name for one in everybody}
    book = books.book_view(league.league) if league else None
    found = [one.key for one in books.book_list().books if one.kind == "league" and one.game.key == game]
    views = [books.book_view(key) for key in found] if operator else []
    return StoredLeague(
        league if book else None,
        book.summary.title if book else "",
        {key: team.name for key, team in book.teams.items()} if book else {},
        {seat: names.get(keys[seat], SOMEBODY) for seat in SEATS if seat in keys},
        keys,
        everybody,
        [_choice(view, league) for view in views if view and view.league],
    )


def _choice(view: BookView, now: LeagueGame | None) -> LeagueChoice:
    """Return a league to choose, with its next fixtures and that of the game itself."""
    fixtures = {one.fixture.number: one.fixture for one in view.next if one.fixture and one.away and one.home}
    if now and now.league == view.summary.key and now.fixture:
        fixtures.setdefault(now.fixture, Fixture(now.fixture, 1, now.away, now.home))
    teams = [(key, team.name) for key, team in view.teams.items()]
    return LeagueChoice(view.summary.key, view.summary.title, teams, [fixtures[n] for n in sorted(fixtures)])
