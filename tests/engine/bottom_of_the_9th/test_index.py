"""The written index says what the code says: no code, house rule or fact is missing, and none is invented."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from device.decks import house_deck
from engine.asks import Choose, Secret
from engine.games.bottom_of_the_9th import GAME
from engine.table import Table
from tests.engine.bottom_of_the_9th.fixture import deck, true
from tests.engine.bottom_of_the_9th.test_invariants import pick
from tests.rules import ID

INDEX = (Path(__file__).parents[3] / "engine/games/bottom_of_the_9th/rules.md").read_text("utf-8")
BOOKS = Path(__file__).parents[4] / "shared"


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading, less its head."""
    part = INDEX.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def words(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def listed(title: str) -> list[str]:
    """The codes in the first cells of a table."""
    return [code for row in rows(title) for code in words(row[0])]


@pytest.mark.parametrize(
    ("title", "codes"),
    [("Asks", GAME.words.asks), ("Options", GAME.words.options), ("Events", GAME.words.events)],
)
def test_every_code_stands_in_the_index(title: str, codes: dict[str, str]) -> None:
    """Each once, and no other."""
    assert sorted(codes) == sorted(listed(title))


def test_every_house_rule_stands_in_the_index() -> None:
    """Keys, values with the default first, and ambiguities are those of the code."""
    expected = [([rule.key], list(rule.values), rule.asked) for rule in GAME.house_rules]
    assert expected == [(words(row[0]), words(row[1]), row[2]) for row in rows("House rules")]


def test_an_ambiguity_names_its_house_rule() -> None:
    """Where a rule of the index names a switch, it is the switch of that ambiguity; every switch is named."""
    asked = {rule.key: rule.asked for rule in GAME.house_rules}
    named = re.findall(r"^\| BN-\d{3} \|[^|]*\|([^|]*)\|$", INDEX, re.MULTILINE)
    pairs = re.findall(r"(A\d+), `(\w+)`", " ".join(named))
    assert set(asked) == {key for _, key in pairs}
    assert all(asked[key] == ambiguity for ambiguity, key in pairs)


def test_the_index_has_the_ledgers_rules() -> None:
    """144 rules, each once; and where the ledger is at hand, exactly its IDs."""
    rules = ID.findall(INDEX)
    assert [f"BN-{number:03}" for number in range(1, 145)] == sorted(rules)
    ledger = BOOKS / "rules/ledger.json"
    if ledger.exists():
        book = json.loads(ledger.read_text("utf-8"))
        assert sorted(rule["id"] for rule in book if rule["game"] == "bottom-of-the-9th") == sorted(rules)


def test_no_sentence_of_the_rulebook_is_copied() -> None:
    """No six words in a row of the index, the words said or the house deck are the rulebook's."""
    book = BOOKS / "rulebooks/bottom-of-the-9th.txt"
    if not book.exists():
        pytest.skip("the rulebook is not at hand")

    def runs(text: str) -> set[tuple[str, ...]]:
        flat = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(flat[i : i + 6]) for i in range(len(flat) - 5)}

    said = [*GAME.words.asks.values(), *GAME.words.events.values(), *(rule.meaning for rule in GAME.house_rules)]
    ours = "\n".join([INDEX, *said, house_deck(GAME).source])
    assert set() == runs(ours) & runs(book.read_text("utf-8"))


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed."""
    asks = {code: set(words(row[4])) for row in rows("Asks") for code in words(row[0])}
    answers = {code: set(words(row[3])) for row in rows("Asks") for code in words(row[0])}
    events = {row[0].strip("`"): set(words(row[1])) for row in rows("Events")}
    for code in ("strike", "foul", "contact", "crush", "ball"):
        assert {"seat", "batter", "letter", "control", "swing"} == events[code]
    reliefs = {code for code in listed("Options") if code.startswith("relief-")}
    answers["relief"] |= reliefs
    answers["pitch-call"] |= answers["guess"]
    seen: set[str] = set()
    dice = random.Random(1)
    for game in range(150):
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules}
        cards = [house_deck(GAME), deck({"F-DULL": 'positions = "C"\ntrait = "bonus 2 as 3B"'})][game % 2]
        table = Table(GAME, [cards], house)
        names = {one.name for one in (*true(table).cards.batters, *true(table).cards.pitchers)}
        while table.asks():
            n, ask = dice.choice(table.asks())
            assert asks[ask.why] == set(ask.facts), ask.why
            inner = ask.ask if isinstance(ask, Secret) else ask
            options = set(inner.options) if isinstance(inner, Choose) else set()
            if ask.why != "blank":
                assert options - names <= answers[ask.why], ask.why
                seen.update(f"option {option}" for option in options - names)
            seen.add(f"ask {ask.why}")
            table.answer(ask.seat, n, pick(ask, dice.randrange(1 << 16)))
        for told in table.log:
            assert events[told.event.code] == set(told.event.facts), told.event.code
            seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert set(listed("Options")) - {"nothing"} == {one[7:] for one in seen if one.startswith("option")}


def test_the_panel_is_listed() -> None:
    """Each key of the panel, and of the cards in it."""
    table = Table(GAME, [deck()])
    assert {"lineup"} == set(table.scoreboard().panel)
    for value in ("ready-made", "F-PIT", "F-REL"):
        ((n, ask),) = table.asks()
        table.answer(ask.seat, n, value)
    assert sorted(listed("Panel")) == sorted(table.scoreboard().panel)
