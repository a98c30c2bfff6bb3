"""The game of a fixture: names, people and computers, house rules, and each team's own cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.league.fixture_games import build_fixture_game
from device.storage.decks import DeckLibrary, house_deck_text
from device.table.preset_answers import SeatSettings
from engine.errors import DeckError, LeagueError
from engine.games import GAMES
from engine.league.league import League, LeagueGame
from engine.seats import Seat
from engine.table import Table
from tests.device.league.made_leagues import OPENER, made_league, store_deck


def begun(league: League, folder: Path, *computers: Seat) -> tuple[Table, SeatSettings]:
    return build_fixture_game(league, OPENER, DeckLibrary(folder), computers, SeatSettings(table_rolls=True))


def with_teams(league: League, **fields: tuple[str, str]) -> League:
    """A league with these fields of its two teams."""
    away, home = league.teams
    first, second = ({name: pair[at] for name, pair in fields.items()} for at in (0, 1))
    return replace(league, teams=(replace(away, **first), replace(home, **second)))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_begun(game: str, tmp_path: Path) -> None:
    """Away sits in the away seat under its own name, and nobody is asked who bats first."""
    table, settings = begun(with_teams(made_league(game), person=("ann", "")), tmp_path)
    assert settings.league == LeagueGame("summer", 1, "terns", "gulls")
    assert (settings.people, settings.managers) == ({"away": "ann"}, {"home": "rookie"})
    assert settings.table_rolls
    assert table.names == {"away": "Terns", "home": "Gulls"}
    assert table.house == table.game.resolve_house_rules(table.game.seated_house_rules(made_league(game).house))
    assert not {ask.why for _, ask in table.open_asks()} & {"away-team", "visitor", "first-bat"}


def test_a_person_may_leave_a_side_to_the_computer(tmp_path: Path) -> None:
    _, settings = begun(with_teams(made_league(), person=("ann", "bo"), manager=("ruth", "maeve")), tmp_path, "home")
    assert (settings.people, settings.managers) == ({"away": "ann"}, {"home": "maeve"})


def test_a_league_has_its_pace(tmp_path: Path) -> None:
    """The coach helps the people of a quick game, and house rules of the league come before those of the pace."""
    league = with_teams(made_league(pace="quick", house={"innings": "6"}), person=("ann", ""))
    table, settings = begun(league, tmp_path)
    assert (table.house["innings"], list(settings.assisted)) == ("6", ["away"])


# Own cards -------------------------------------------------------------------------------------------------------


def test_small_ball_teams_of_two_decks_meet(tmp_path: Path) -> None:
    store_deck(tmp_path, "woods", "small-ball", ('"Lanterns"', '"Foxes"'), ('"Owls"', '"Jays"'))
    table, _ = begun(with_teams(made_league(), deck=("woods", ""), cards=("jays", "Owls")), tmp_path)
    assert table.decks[0].title == "Jays – Owls"
    assert [side.name for side in table.scoreboard().sides.values()] == ["Terns", "Gulls"]
    assert (Table(table.game, table.decks, table.house).scoreboard().sides["away"].name) == "Jays"


def test_clutch_teams_get_their_rosters(tmp_path: Path) -> None:
    """The table answers which roster each seat plays: no person and no computer is asked."""
    rosters = [
        card.fields["name"]
        for card in DeckLibrary(tmp_path).load_decks(GAMES["clutch"], [])[0].cards
        if card.kind == "roster"
    ]
    league = with_teams(made_league("clutch"), cards=(rosters[1].upper(), rosters[0]))
    table, _ = begun(league, tmp_path)
    assert table.state.rosters == (rosters[1], rosters[0])  # type: ignore[attr-defined]
    assert len(table.journal) in (1, 2)
    assert {ask.why for _, ask in table.open_asks()} == {"home-roll"}


def test_clutch_teams_of_two_decks_meet(tmp_path: Path) -> None:
    """The cards of both are together, and a deck with one roster needs no name."""
    whole, _, rest = house_deck_text(GAMES["clutch"]).rpartition("[[roster]]")
    roster, *others = rest.split("\n[[", 1)
    tmp_path.joinpath("first.toml").write_text("\n[[".join([whole, *others]))
    tmp_path.joinpath("second.toml").write_text(f'[deck]\ngame = "clutch"\ntitle = "Second"\n\n[[roster]]{roster}')
    first, second = (
        card.fields["name"]
        for name in ("first", "second")
        for card in DeckLibrary(tmp_path).load_decks(GAMES["clutch"], [name])[0].cards
        if card.kind == "roster"
    )
    table, _ = begun(with_teams(made_league("clutch"), deck=("second", "first")), tmp_path)
    assert table.state.rosters == (second, first)  # type: ignore[attr-defined]
    with pytest.raises(LeagueError, match="both teams are"):
        begun(with_teams(made_league("clutch"), deck=("first", "first")), tmp_path)


@pytest.mark.parametrize(
    ("game", "fields", "why"),
    [
        ("small-ball", {"deck": ("woods", "")}, "is not among the decks"),
        ("small-ball", {"cards": ("Owls", "Owls")}, "cannot play themselves"),
        ("small-ball", {"cards": ("Owls", "")}, "say which of its teams"),
        ("clutch", {"cards": ("No such", "")}, "there is no team No such"),
        ("rallybird", {"deck": ("house", "")}, "all teams play with the same cards"),
    ],
)
def test_cards_that_cannot_be_are_refused(
    game: str, fields: dict[str, tuple[str, str]], why: str, tmp_path: Path
) -> None:
    with pytest.raises((DeckError, LeagueError), match=why):
        begun(with_teams(made_league(game), **fields), tmp_path)


def test_cards_of_one_roster_are_refused(tmp_path: Path) -> None:
    cards = DeckLibrary(tmp_path).load_decks(GAMES["clutch"], [])[0].cards
    name = next(card.fields["name"] for card in cards if card.kind == "roster")
    with pytest.raises(LeagueError, match="both teams are"):
        begun(with_teams(made_league("clutch"), cards=(name, name)), tmp_path)


def test_unknown_teams_cannot_begin(tmp_path: Path) -> None:
    with pytest.raises(LeagueError, match="decided by earlier games"):
        build_fixture_game(made_league(), replace(OPENER, home=""), DeckLibrary(tmp_path), (), SeatSettings())
