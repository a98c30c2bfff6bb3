"""A deck in which teams of two decks meet."""

from __future__ import annotations

import pytest

from device.storage.decks import house_deck, house_deck_text
from engine.cards import Deck, parse_deck
from engine.errors import DeckError
from engine.games import GAMES
from engine.games.small_ball.match_deck import match_deck
from engine.table import Table

BALL = GAMES["small-ball"]

HOUSE = house_deck(BALL)


def deck(*changes: tuple[str, str]) -> Deck:
    text = house_deck_text(BALL)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_deck(text, "mine", BALL.key, BALL.shapes)


FOXES = deck(('name = "Lanterns"', 'name = "Foxes"'), ("Pip Marlowe", 'Pip \\"Flash\\" Ör'))


def test_teams_of_two_decks_meet() -> None:
    """Away is red and bats first, whichever color it had. Every card is as it was, but for its color."""
    text = match_deck(([HOUSE], "owls"), ([FOXES], "Foxes"))
    made = parse_deck(text, "match", BALL.key, BALL.shapes)
    assert made.title == "Owls – Foxes"
    table = Table(BALL, [made], {"awayTeam": "red"})
    assert [side.name for side in table.scoreboard().sides.values()] == ["Owls", "Foxes"]
    before, after = BALL.start(HOUSE.cards, table.house).teams["blue"], table.state.teams["red"]  # type: ignore[attr-defined]
    assert (before.players, before.pinch) == (after.players, after.pinch)
    assert table.state.teams["blue"].players[0].name == 'Pip "Flash" Ör'  # type: ignore[attr-defined]


def test_both_teams_of_one_deck_meet_with_other_colors() -> None:
    made = parse_deck(match_deck(([HOUSE], "Owls"), ([HOUSE], "Lanterns")), "match", BALL.key, BALL.shapes)
    sides = Table(BALL, [made], {"awayTeam": "red"}).scoreboard().sides
    assert [side.name for side in sides.values()] == ["Owls", "Lanterns"]


def test_a_deck_of_one_team_needs_no_name() -> None:
    """Its cards may be of either color, and it need not name the team."""
    whole = house_deck_text(BALL)
    parts = [part for part in whole.split("\n\n") if '"red"' not in part and "Lanterns" not in part.splitlines()[-1]]
    text = '[deck]\ngame = "small-ball"\ntitle = "Mine"\n\n' + "\n\n".join(
        part for part in parts if part.lstrip().startswith("[[") and 'colour = "blue"' not in part
    )
    one = parse_deck(text, "one", BALL.key, BALL.shapes)
    made = parse_deck(match_deck(([one], ""), ([HOUSE], "Owls")), "match", BALL.key, BALL.shapes)
    assert made.title == "Blue team – Owls"


@pytest.mark.parametrize(
    ("away", "home", "why"),
    [
        (([HOUSE], ""), ([FOXES], "Foxes"), "say which of its teams plays; it has Lanterns and Owls"),
        (([HOUSE], "Foxes"), ([FOXES], "Foxes"), "there is no team Foxes; it has Lanterns and Owls"),
        (([HOUSE], "Owls"), ([HOUSE], "owls"), "Owls cannot play themselves"),
        (([HOUSE, FOXES], "Owls"), ([FOXES], "Foxes"), "say which of its teams plays"),
    ],
)
def test_what_is_not_two_teams_is_refused(away: tuple[list[Deck], str], home: tuple[list[Deck], str], why: str) -> None:
    with pytest.raises(DeckError, match=why):
        match_deck(away, home)
