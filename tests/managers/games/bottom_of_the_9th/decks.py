"""Decks, house rules and positions for the tests of this manager."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engine.cards import Deck, cards_in_decks, parse_deck
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import build_draft_pool, ready_made_lineup
from engine.games.bottom_of_the_9th.state import State
from engine.table import Table
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel
from tests.engine.games.bottom_of_the_9th import random_cards
from tests.engine.tables import midway

HOUSE = Path(__file__).parents[4] / "engine/games/bottom_of_the_9th/house.toml"


def house_deck() -> Deck:
    """Return the deck of the house."""
    return parse_deck(HOUSE.read_text("utf-8"), HOUSE.name, GAME.key, GAME.shapes)


def few_cards(chance: Random) -> Deck:
    """Return a deck of seven batters and four pitchers of the house, among whom somebody can take each role."""
    head, *cards = HOUSE.read_text("utf-8").split("[[")
    batters = [card for card in cards if card.startswith("batter")]
    pitchers = [card for card in cards if card.startswith("pitcher")]
    chosen = [
        *batters[:6],
        chance.choice(batters[6:]),
        *chance.sample(pitchers[:3], 2),
        *chance.sample(pitchers[3:], 2),
    ]
    return parse_deck("[[".join([head, *chosen]), "few.toml", GAME.key, GAME.shapes)


def random_deck(chance: Random) -> Deck:
    """Return a deck with random abilities."""
    return parse_deck(random_cards.box(chance).toml(), "random.toml", GAME.key, GAME.shapes)


def random_house(chance: Random) -> dict[str, str]:
    """Return a value for each house rule."""
    return {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}


def model(deck: Deck, house: dict[str, str]) -> HalfInningModel:
    """Return a new model of the half-inning; `house` has only the rules that differ from their defaults."""
    rules = GAME.resolve_house_rules(house)
    return HalfInningModel(build_draft_pool(cards_in_decks([deck]), rules), rules)


def late(chance: Random, deck: Deck, house: dict[str, str]) -> Table:
    """Return a table before a pitch to one of the last three batters, with anything that may be by then."""

    def position(s: State) -> None:
        place = chance.randint(3, 5)
        s.outs = chance.choice([outs for outs in range(3) if place - outs <= 3])
        on = chance.sample(range(3), place - s.outs)
        s.bases = tuple(f"runner {base}" if base in on else None for base in range(3))  # type: ignore[assignment]
        lineup = ready_made_lineup(chance.sample(s.cards.batters, len(s.cards.batters)), house)
        s.lineup = lineup[place:]
        starters = s.cards.pitchers_for_role("starter", house)
        s.pitcher = chance.choice([one for one in starters if one.role != "either"])
        s.reliever = chance.choice(
            [one for one in s.cards.pitchers_for_role("reliever", house) if one is not s.pitcher]
        )
        s.rows = (chance.randint(0, int(house["bottomRow"])), chance.randint(0, int(house["bottomRow"])))
        s.balls, s.strikes = chance.randint(0, 3), chance.randint(0, 2)

    return midway(GAME, deck, house, position, [{"seat": "home", "inning": 9, "half": "bottom"}])
