"""Each game's written index matches its code: no code or house rule is missing or invented."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from engine.game import Rulebook
from engine.games import GAMES
from tests.engine.games.contract.contract import Contract, Walk
from tests.engine.games.contract.games import CONTRACTS
from tests.engine.rules_index import Index, words
from tests.rules import ID

BOOKS = Path(__file__).parents[5] / "shared"
COMMON = "at the start of an at-bat"
"""Words that everybody uses of baseball."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_walk = pytest.mark.parametrize(
    ("contract", "walk"), [pytest.param(one, one.index, id=key) for key, one in CONTRACTS.items() if one.index]
)


@every_game
def test_the_index_lists_every_code(game: Rulebook) -> None:
    index = Index(game.key)
    assert sorted(game.words.asks) == sorted(index.listed("Asks"))
    assert sorted(game.words.options) == sorted(index.listed("Options"))
    assert sorted(game.words.events) == sorted(index.listed("Events"))


@every_game
def test_the_index_lists_every_house_rule(game: Rulebook) -> None:
    expected = [([rule.key], list(rule.values), rule.asked) for rule in game.house_rules]
    assert expected == [(words(row[0]), words(row[1]), row[2]) for row in Index(game.key).rows("House rules")]


@every_game
def test_an_ambiguity_names_its_house_rule(game: Rulebook) -> None:
    """A switch named by a rule in the index belongs to that ambiguity; all switches of an ambiguity are named."""
    asked = {rule.key: rule.asked for rule in game.house_rules if rule.asked}
    named = re.findall(r"^\| [A-Z]{2}-\d{3} \|[^|]*\|([^|]*)\|$", Index(game.key).text, re.MULTILINE)
    pairs = re.findall(r"(AM-\d+|A\d+), `(\w+)`", " ".join(named))
    assert set(asked) == {key for _, key in pairs}
    assert all(asked[key] == ambiguity for ambiguity, key in pairs)


@every_game
def test_the_index_has_the_ledgers_rules(game: Rulebook) -> None:
    """Each once and none left out, from 001 on."""
    rules = ID.findall(Index(game.key).text)
    prefix = rules[0].partition("-")[0]
    assert [f"{prefix}-{number:03}" for number in range(1, len(rules) + 1)] == sorted(rules)
    ledger = BOOKS / "rules/ledger.json"
    if ledger.exists():
        book = json.loads(ledger.read_text("utf-8"))
        assert sorted(rule["id"] for rule in book if rule["game"] == game.key) == sorted(rules)


@every_game
def test_no_sentence_of_the_rulebook_is_copied(game: Rulebook) -> None:
    """No six words in a row in the index, the sentences or the house deck come from the rulebook."""
    book = BOOKS / f"rulebooks/{game.key}.txt"
    if not book.exists():
        pytest.skip("the rulebook is not at hand")

    def runs(text: str) -> set[tuple[str, ...]]:
        flat = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(flat[i : i + 6]) for i in range(len(flat) - 5)}

    sentences = [*game.words.asks.values(), *game.words.events.values(), *(rule.meaning for rule in game.house_rules)]
    ours = "\n".join([Index(game.key).text, *sentences, house_deck(game).source])
    assert set() == (runs(ours) & runs(book.read_text("utf-8"))) - runs(COMMON)


@every_walk
def test_asks_and_events_carry_the_facts_in_the_index(contract: Contract, walk: Walk) -> None:
    """In many random games, asks, options, events and their facts are those listed, and all of them occur."""
    index = Index(contract.game.key)
    asks, events = index.asks(), index.events()
    seen: dict[str, set[str]] = {"asks": set(), "options": set(), "events": set()}
    chance = random.Random(1)
    for table in walk.tables(chance):
        while table.open_asks() and len(table.answers) < walk.longest:
            n, ask = chance.choice(table.open_asks())
            answers, facts = asks[ask.why]
            assert facts == set(ask.facts), ask.why
            options = walk.options(table, ask)
            assert options <= answers | walk.more.get(ask.why, frozenset()), ask.why
            seen["asks"].add(ask.why)
            seen["options"] |= options
            table.answer_ask(ask.seat, n, walk.pick(ask, chance.randrange(1 << 16)))
        for told in table.log:
            if told.n >= walk.since:
                always, *sometimes = events[told.event.code]
                assert set(told.event.facts) in [always, *(always | some for some in sometimes)], told.event.code
                seen["events"].add(told.event.code)
    listed = {"asks": set(asks), "options": set(index.listed("Options")), "events": set(events)}
    assert listed == seen


@every_walk
def test_the_panel_is_listed(contract: Contract, walk: Walk) -> None:
    if walk.panel:
        assert sorted(Index(contract.game.key).listed("Panel")) == sorted(walk.panel().scoreboard().panel)
