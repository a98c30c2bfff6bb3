"""A deck in which two teams of different decks meet: the away team in red, the home team in blue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import CardData, Deck, parse_tables
from engine.errors import DeckError, DeckFault
from engine.events import spoken_list
from engine.games.small_ball.cards import CARD_SHAPES, TEAM_COLORS
from engine.text import toml_text


@dataclass(frozen=True, slots=True)
class _DeckTeam:
    """A team of one deck, with its cards by kind as typed."""

    digest: str
    colour: str
    name: str
    cards: Mapping[str, Sequence[CardData]]


def match_deck(away: tuple[Sequence[Deck], str], home: tuple[Sequence[Deck], str]) -> str:
    """Return the text of a deck of two teams, each given by decks and its name on them, "" if they have only one.

    Away gets the color that bats first in a game whose sides are chosen. Raises DeckError if there is no such team or
    several, or if both are the same. Not checked: whether the cards can be played.
    """
    teams = [_find_team(*away), _find_team(*home)]
    if teams[0] == teams[1]:
        raise DeckError(DeckFault(away[0][0].title, "team", "name", f"{teams[0].name} cannot play themselves."))
    tables = [
        toml_text.table_text("[deck]", {"game": "small-ball", "title": f"{teams[0].name} – {teams[1].name}"}),
        *(
            toml_text.table_text(f"[[{kind}]]", card)
            for colour, team in zip(TEAM_COLORS, teams, strict=True)
            for kind, cards in _recolored_cards(team, colour).items()
            for card in cards
        ),
    ]
    return "\n".join(tables)


def _find_team(decks: Sequence[Deck], name: str) -> _DeckTeam:
    found = [team for deck in decks for team in _teams_of_deck(deck)]
    named = [team for team in found if not name or team.name.casefold() == name.casefold()]
    if len(named) != 1:
        has = f"it has {spoken_list([team.name for team in found]) or 'none'}"
        why = f"say which of its teams plays; {has}." if named else f"there is no team {name}; {has}."
        raise DeckError(DeckFault(", ".join(deck.title for deck in decks), "", "", why))
    return named[0]


def _teams_of_deck(deck: Deck) -> list[_DeckTeam]:
    """Return the teams of a deck that have players."""
    tables = parse_tables(deck.source, deck.file)
    teams = []
    for colour in TEAM_COLORS:
        cards = {kind: [card for card in tables.get(kind, ()) if _color(card) == colour] for kind in CARD_SHAPES}
        if cards["player"]:
            name = next((card["name"] for card in cards["team"]), f"{colour.capitalize()} team")
            teams.append(_DeckTeam(deck.digest, colour, name, cards))
    return teams


def _color(card: CardData) -> object:
    return card.get("colour", card.get("team"))


def _recolored_cards(team: _DeckTeam, colour: str) -> Mapping[str, Sequence[CardData]]:
    return {
        "team": [{"colour": colour, "name": team.name}],
        **{kind: [{**card, "team": colour} for card in team.cards[kind]] for kind in ("player", "pinch")},
    }
