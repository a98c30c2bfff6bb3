"""Check a league's definition, and make the keys of leagues and teams from their names."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Collection, Mapping, Sequence

from engine.errors import HouseRuleError, LeagueError
from engine.events import spoken_list
from engine.game import Rulebook
from engine.league.league import LEAGUE_FORMATS, TEAM_COLORS, TIE_BREAKERS, Fixture, League, LeagueTeam
from engine.text.ascii_text import ASCII_SPELLINGS
from engine.text.visible_text import visible_line

KEY_PATTERN = re.compile("[a-z0-9]+(?:-[a-z0-9]+)*")
"""A key of a league, a team or a person."""

SEASON_PREFIX = "season-"
"""How the keys of books of games inside one stored game begin."""

MAX_KEY_LENGTH = 40
"""Characters in a key."""

MAX_TITLE_LENGTH = 40
"""Characters in the title of a league or fixture."""

MAX_NAME_LENGTH = 24
"""Characters in the name of a team or person."""

MAX_DECK_NAME_LENGTH = 120
"""Characters in the name of a deck, or of a team on its cards."""

MAX_DECKS = 16
"""Decks of a league."""

MAX_TEAMS = 64
"""Teams in a league."""

MAX_MEETINGS = 20
"""Games of each pair in a round robin."""

MAX_BEST_OF = 19
"""Games of a series."""

MAX_FIXTURES = 20_000
"""Fixtures of a league, and the highest number or round of a listed one."""

_DAY_PATTERN = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")


def slug(name: str, taken: Collection[str], otherwise: str = "team") -> str:
    """Return a key for a name that is not `taken`, and that a league or a team can have.

    otherwise: the key of a name without any letter or digit in ASCII, such as a Japanese one.
    """
    letters = unicodedata.normalize("NFKD", name.translate(ASCII_SPELLINGS)).encode("ascii", "ignore").decode().lower()
    key = "-".join(re.findall("[a-z0-9]+", letters.replace("'", "")))[: MAX_KEY_LENGTH - 4].strip("-") or otherwise
    if key.startswith(SEASON_PREFIX):
        key = f"the-{key}"
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key[: MAX_KEY_LENGTH - 1 - len(str(number))].strip('-')}-{number}"
    return free


def comparable_name(name: str) -> str:
    """Return a name in the form in which two names of teams must differ: without case, and composed."""
    return unicodedata.normalize("NFC", name.casefold())


def is_day(text: str) -> bool:
    """True for the ISO date of a day that the calendar has, such as "2026-04-01"."""
    found = _DAY_PATTERN.fullmatch(text)
    if not found:
        return False
    year, month, day = map(int, found.groups())
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def check_league(
    league: League, games: Mapping[str, Rulebook] | None = None, managers: Collection[str] | None = None
) -> None:
    """Raise LeagueError, which names the field and the reason, unless a league can be stored and played.

    games: the rulebooks by key; without them, neither the game nor its house rules and pace are checked.
    managers: the computers to choose from; without them, those of the teams are not checked.
    Not checked: the types of the fields, and whether the decks and people exist.
    """
    _check_key("key", league.key)
    _require(not league.key.startswith(SEASON_PREFIX), "key", f'can\'t begin with "{SEASON_PREFIX}".')
    _check_text("title", league.title, MAX_TITLE_LENGTH)
    _require(league.format in LEAGUE_FORMATS, "format", f"can be {spoken_list(LEAGUE_FORMATS, 'or')}.")
    _check_teams(league, managers)
    _require(1 <= league.meetings <= MAX_MEETINGS, "meetings", f"can be 1 to {MAX_MEETINGS}.")
    _require(
        1 <= league.best_of <= MAX_BEST_OF and league.best_of % 2 == 1,
        "best_of",
        f"can be an odd number from 1 to {MAX_BEST_OF}.",
    )
    if league.format == "round-robin":
        count = len(league.teams) * (len(league.teams) - 1) // 2 * league.meetings
        _require(count <= MAX_FIXTURES, "meetings", f"would be {count} games. A league has at most {MAX_FIXTURES}.")
    _check_listed(league)
    for one in league.tie_breakers:
        _require(one in TIE_BREAKERS, "tie_breakers", f"can be {spoken_list(TIE_BREAKERS)}.")
    _check_unique("tie_breakers", league.tie_breakers)
    _require(len(league.decks) <= MAX_DECKS, "decks", f"can be at most {MAX_DECKS}.")
    for deck in league.decks:
        _check_text("decks", deck, MAX_DECK_NAME_LENGTH)
    if games is not None:
        _check_game(league, games)


def _check_game(league: League, games: Mapping[str, Rulebook]) -> None:
    _require(league.game in games, "game", f"can be {spoken_list(games, 'or')}.")
    _require(league.key not in games, "key", "is the key of a game. Choose another one.")
    rulebook = games[league.game]
    try:
        pace = rulebook.find_pace(league.pace)
        house = rulebook.resolve_house_rules({**(pace.house if pace else {}), **league.house})
    except HouseRuleError as error:
        raise LeagueError(f"house and pace: {error}") from error
    _require(
        rulebook.is_single_game(house),
        "house",
        f"with these house rules, {rulebook.title} is more than one game. A fixture is a single one.",
    )


def _check_teams(league: League, managers: Collection[str] | None) -> None:
    count = len(league.teams)
    if league.format == "best-of":
        _require(count == 2, "teams", f"must be 2 in a series; these are {count}.")
    _require(2 <= count <= MAX_TEAMS, "teams", f"must be 2 to {MAX_TEAMS}; these are {count}.")
    for number, team in enumerate(league.teams, 1):
        _check_team(f"team {number}", team, managers)
    _check_unique("teams, key", [team.key for team in league.teams])
    _check_unique("teams, name", [comparable_name(team.name) for team in league.teams])


def _check_team(place: str, team: LeagueTeam, managers: Collection[str] | None) -> None:
    _check_key(f"{place}, key", team.key)
    _check_text(f"{place}, name", team.name, MAX_NAME_LENGTH)
    _require(team.colour in TEAM_COLORS, f"{place}, color", f"can be {spoken_list(TEAM_COLORS, 'or')}.")
    if team.person:
        _check_key(f"{place}, person", team.person)
    if managers is not None:
        _require(team.manager in managers, f"{place}, manager", f"can be {spoken_list(managers, 'or')}.")
    for field, text in (("deck", team.deck), ("cards", team.cards)):
        if text:
            _check_text(f"{place}, {field}", text, MAX_DECK_NAME_LENGTH)


def _check_listed(league: League) -> None:
    fixtures = league.listed
    if league.format != "fixtures":
        _require(not fixtures, "listed", "is only for the format fixtures. The other formats compute theirs.")
    _require(len(fixtures) <= MAX_FIXTURES, "listed", f"can have at most {MAX_FIXTURES} fixtures.")
    known = {team.key for team in league.teams}
    for fixture in fixtures:
        check_fixture(f"fixture {fixture.number}", fixture, known)
    _check_unique("listed, number", [fixture.number for fixture in fixtures])


def check_fixture(place: str, fixture: Fixture, teams: Collection[str]) -> None:
    """Raise LeagueError unless a listed fixture can be played by two of these teams, by key.

    place: where it is, such as "line 7", with which the sentence begins.
    """
    _require(1 <= fixture.number <= MAX_FIXTURES, f"{place}, number", f"can be 1 to {MAX_FIXTURES}.")
    _require(1 <= fixture.round <= MAX_FIXTURES, f"{place}, round", f"can be 1 to {MAX_FIXTURES}.")
    for field, team in (("away", fixture.away), ("home", fixture.home)):
        _require(team in teams, f"{place}, {field}", "is not a team of this league.")
    _require(fixture.away != fixture.home, f"{place}, home", "is the away team too.")
    _require(not fixture.day or is_day(fixture.day), f"{place}, day", "needs a date such as 2026-04-01.")
    if fixture.title:
        _check_text(f"{place}, title", fixture.title, MAX_TITLE_LENGTH)


def _check_key(place: str, key: str) -> None:
    _require(
        len(key) <= MAX_KEY_LENGTH and KEY_PATTERN.fullmatch(key) is not None,
        place,
        f"needs 1 to {MAX_KEY_LENGTH} lower-case letters and digits, with single hyphens between them.",
    )


def _check_text(place: str, text: str, longest: int) -> None:
    try:
        visible = visible_line(text, longest)
    except ValueError as error:
        raise LeagueError(f"{place}: {error}") from error
    _require(visible == text, place, "has hidden characters, or spaces at an end.")


def _check_unique(place: str, values: Sequence[object]) -> None:
    seen: set[object] = set()
    for value in values:
        _require(value not in seen, place, f"{value} is there twice.")
        seen.add(value)


def _require(holds: bool, place: str, reason: str) -> None:
    if not holds:
        raise LeagueError(f"{place}: {reason}")
