"""Games that come to decisions which other games seldom have: special cards, and managers who use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from device.storage.decks import house_deck, house_deck_text
from engine.asks import Ask, Choose
from engine.cards import Deck, parse_deck, parse_tables
from engine.games.clutch import GAME
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.strategy_cards.windows import PASS_OPTIONS, SWING_OPTION
from engine.table import Table
from tests.engine.games.clutch.fixture import BEFORE, written
from tests.engine.tables import inside
from tests.engine.tables import pick as any_of

CARDS: Sequence[Mapping[str, Mapping[str, Any]]] = (
    {
        "Second Offering": {"side": "defense", "when": "after the pitch roll", "do": "reroll the pitch"},
        "Strong Arm": {"side": "defense", "when": "after the throw roll", "do": "reroll the throw"},
        "Square Up Again": {"side": "offense", "when": "after the bunt roll", "do": "reroll the bunt"},
        "Quick Jump": {"side": "offense", "when": BEFORE, "do": "br +2"},
    },
    {
        "Bad Bounce": {
            "side": "offense",
            "when": "on a ground ball",
            "do": "change GB to 1B if an infield check fails",
        },
        "Diving Stop": {"side": "defense", "when": "after the check roll", "do": "reroll the check"},
        "Soft Hands": {"side": "defense", "when": ["on a check", "when a check is settled"], "do": "draw 1"},
        "Good Jump": {"side": "offense", "when": "on a steal", "do": "st +2"},
    },
    {
        "Rain on the Bench": {"side": "neutral", "when": BEFORE, "do": "they discard 1"},
        "Loose Pocket": {"side": "neutral", "when": BEFORE, "do": "they discard 1 at random"},
        "Cold Hands": {"side": "neutral", "when": BEFORE, "do": "draw 1", "cost": "discard 1 from the deck"},
        "Deep Drawer": {"side": "neutral", "when": BEFORE, "do": "search 1"},
    },
    {
        "Lost Temper": {"side": "defense", "when": BEFORE, "do": "the batter leaves the game"},
        "Ice Bath": {"side": "neutral", "when": BEFORE, "do": "rest -1"},
        "Two Hats": {"side": "neutral", "when": BEFORE, "do": "either draw 1 or look at their hand"},
        "Handwritten Note": {"side": "neutral", "blank": True},
    },
)
"""Strategy cards by name, as `docs/play/cards/clutch.md` explains their fields, in groups that are played together."""

EAGER = ("mulligan", "bunt", "steal-second", "new", "in")
"""Options that are taken more often than not."""


def deck(cards: Mapping[str, Mapping[str, Any]]) -> Deck:
    """Return the house deck with only these strategy cards, ten of each, starters who also bat, and tired pitchers."""
    data = parse_tables(house_deck_text(GAME), "house.toml")
    title = data.pop("deck")["title"]
    data["strategy"] = [{"name": name, "rarity": "common", **fields} for name, fields in cards.items()]
    for roster in data["roster"]:
        first, second, third, *_ = roster["rotation"]
        roster |= {"deck": [f"10 {name}" for name in cards], "rest": [f"{second} 2", f"{third} 1"]}
        roster["bench"].append(first)
        data["batter"].append({**data["batter"][0], "name": first})
    texts = [written(kind, **fields) for kind in data for fields in data[kind]]
    source = "\n".join([f'[deck]\ngame = "{GAME.key}"\ntitle = "{title}"', *texts])
    return parse_deck(source, "rare.toml", GAME.key, CARD_SHAPES)


def games(chance: Random) -> Iterator[Table]:
    """Return games with each group of cards, hands dealt and real, and with the house deck under any house rules."""
    decks = [deck(cards) for cards in CARDS]
    for _ in range(20):
        house: dict[str, str] = {}
        for one in (*decks, house_deck(GAME)):
            for hands in ("dealt", "real"):
                yield Table(GAME, [one], house | {"format": "open", "hands": hands})
                house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
                house |= {"level": "full", "leagueOnly": "off"}


def pick(ask: Ask, number: int) -> Any:
    """Return a legal answer: mostly a card that can be played, or another eager one."""
    inner = inside(ask)
    if isinstance(inner, Choose) and number % 4:
        cards = inner.why.startswith("cards-")
        eager = [one for one in inner.options if (one not in (*PASS_OPTIONS, SWING_OPTION) if cards else one in EAGER)]
        if eager:
            return eager[number // 4 % len(eager)]
        if inner.why in ("defence", "offence"):
            return inner.options[0]
    return any_of(ask, number)
