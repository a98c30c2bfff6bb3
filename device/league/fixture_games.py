"""Build the game of a fixture: its cards, house rules, names, people and computers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from device.storage.decks import HOUSE_NAME, DeckLibrary
from device.table.game_choice import prepare_game, rulebook_for
from device.table.preset_answers import SeatSettings
from engine.cards import Deck, parse_deck
from engine.errors import DeckError, DeckFault, LeagueError
from engine.game import Rulebook
from engine.league.league import Fixture, League, LeagueGame, LeagueTeam
from engine.seats import SEATS, Seat
from engine.table import Table


def build_fixture_game(
    league: League, fixture: Fixture, library: DeckLibrary, computers: Collection[Seat], settings: SeatSettings
) -> tuple[Table, SeatSettings]:
    """Build the game of a fixture with its first answers, if its cards decide them.

    computers: seats that a computer plays, in addition to those of teams without a person.
    settings: pace of the computers, and whether the table rolls for them.

    Raises DeckError, HouseRuleError, IllegalAnswer, or LeagueError if a team is not known yet.
    """
    teams = _teams_by_seat(league, fixture)
    game = rulebook_for(league.game)
    decks, cards = _fixture_decks(game, league, teams, library)
    people = {seat: team.person for seat, team in teams.items() if team.person and seat not in computers}
    managers = {seat: team.manager for seat, team in teams.items() if seat not in people}
    names = {seat: team.name for seat, team in teams.items()}
    table, settings = prepare_game(
        game, decks, league.house, names, managers, league.pace, settings.with_people(people)
    )
    _choose_teams(table, cards)
    return table, replace(settings, league=LeagueGame(league.key, fixture.number, fixture.away, fixture.home))


def _teams_by_seat(league: League, fixture: Fixture) -> dict[Seat, LeagueTeam]:
    teams: dict[Seat, LeagueTeam] = {}
    for seat, key in zip(SEATS, (fixture.away, fixture.home), strict=True):
        team = league.find_team(key)
        if team is None:
            raise LeagueError(f"fixture {fixture.number}: who plays is decided by earlier games.")
        teams[seat] = team
    return teams


# Cards -----------------------------------------------------------------------------------------------------------


def _fixture_decks(
    game: Rulebook, league: League, teams: Mapping[Seat, LeagueTeam], library: DeckLibrary
) -> tuple[Sequence[Deck], dict[Seat, str]]:
    """The decks of a game, and each team's name on its cards. Both are those of the league if no team has its own."""
    with_cards = [team for team in teams.values() if team.deck or team.cards]
    if not with_cards:
        return library.load_decks(game, league.decks), {}
    if not game.team_cards:
        raise LeagueError(f"{with_cards[0].name}, deck: in {game.title} all teams play with the same cards.")
    own = {seat: [team.deck] if team.deck else list(league.decks) or [HOUSE_NAME] for seat, team in teams.items()}
    decks = {seat: library.load_decks(game, names) for seat, names in own.items()}
    if game.match_deck is not None:
        away, home = ((decks[seat], team.cards) for seat, team in teams.items())
        title = " – ".join(team.name for team in teams.values())
        return [parse_deck(game.match_deck(away, home), title, game.key, game.shapes)], {}
    cards = {seat: _team_on_cards(game, team, decks[seat]) for seat, team in teams.items()}
    if cards["away"] == cards["home"]:
        raise LeagueError(f"{teams['home'].name}, cards: both teams are {cards['home']}.")
    together = dict.fromkeys([*own["away"], *own["home"], *league.decks])
    return library.load_decks(game, together), cards


def _team_on_cards(game: Rulebook, team: LeagueTeam, decks: Sequence[Deck]) -> str:
    """A team's name on its cards. Raises DeckError if there is none of that name, or several and none is chosen."""
    names = [card.fields["name"] for deck in decks for card in deck.cards if card.kind == game.team_cards]
    found = [name for name in names if not team.cards or name.casefold() == team.cards.casefold()]
    if len(found) == 1:
        return str(found[0])
    has = f"it has {', '.join(names) or 'none'}."
    why = f"say with which of its teams {team.name} plays; {has}" if found else f"there is no team {team.cards}; {has}"
    raise DeckError(DeckFault(", ".join(deck.title for deck in decks), game.team_cards, "name", why))


def _choose_teams(table: Table, cards: Mapping[Seat, str]) -> None:
    """Answer which team on the cards each seat plays."""
    while cards and (asks := [(n, ask) for n, ask in table.open_asks() if ask.why == table.game.team_cards]):
        for n, ask in asks:
            table.answer_ask(ask.seat, n, cards[ask.seat])
