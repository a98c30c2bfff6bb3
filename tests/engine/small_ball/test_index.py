"""The written index says what the code says: no code, house rule or fact is missing, and none is invented."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from engine.games.small_ball import GAME
from tests.engine.small_ball.fixture import at, new
from tests.rules import ID

INDEX = (Path(__file__).parents[3] / "engine/games/small_ball/rules.md").read_text("utf-8")
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


def test_every_ask_stands_in_the_index() -> None:
    """The table of asks has each `why` code once, and no other."""
    assert sorted(GAME.words.asks) == sorted(listed("Asks"))


def test_every_option_stands_in_the_index() -> None:
    """The table of options has each option code once, and no other."""
    assert sorted(GAME.words.options) == sorted(listed("Options"))


def test_every_event_stands_in_the_index() -> None:
    """The table of events has each event code once, and no other."""
    assert sorted(GAME.words.events) == sorted(listed("Events"))


def test_every_house_rule_stands_in_the_index() -> None:
    """Keys, values with the default first, and ambiguities are those of the code."""
    expected = [([rule.key], list(rule.values), rule.asked) for rule in GAME.house_rules]
    assert expected == [(words(row[0]), words(row[1]), row[2]) for row in rows("House rules")]


def test_an_ambiguity_names_its_house_rule() -> None:
    """Where a rule of the index names a switch, it is the switch of that ambiguity."""
    asked = {rule.key: rule.asked for rule in GAME.house_rules}
    named = re.findall(r"^\| SB-\d{3} \|[^|]*\|([^|]*)\|$", INDEX, re.MULTILINE)
    pairs = re.findall(r"(A\d+), `(\w+)`", " ".join(named))
    assert set(asked) == {key for _, key in pairs}
    assert all(asked[key] == ambiguity for ambiguity, key in pairs)


def test_the_index_has_the_ledgers_rules() -> None:
    """117 rules, each once; and where the ledger is at hand, exactly its IDs."""
    rules = ID.findall(INDEX)
    assert [f"SB-{number:03}" for number in range(1, 118)] == sorted(rules)
    ledger = BOOKS / "rules/ledger.json"
    if ledger.exists():
        book = json.loads(ledger.read_text("utf-8"))
        assert sorted(rule["id"] for rule in book if rule["game"] == "small-ball") == sorted(rules)


def test_no_sentence_of_the_rulebook_is_copied() -> None:
    """No six words in a row are the rulebook's."""
    book = BOOKS / "rulebooks/small-ball.txt"
    if not book.exists():
        pytest.skip("the rulebook is not at hand")

    def runs(text: str) -> set[tuple[str, ...]]:
        flat = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(flat[i : i + 6]) for i in range(len(flat) - 5)}

    assert set() == runs(INDEX) & runs(book.read_text("utf-8"))


def test_asks_and_events_carry_the_facts_that_the_index_lists() -> None:
    """In many games at random under every house rule: the codes told, their facts and the options are the listed."""
    asks = {row[0].strip("`"): set(words(row[3])) for row in rows("Asks")}
    answers = {row[0].strip("`"): set(words(row[2])) for row in rows("Asks")}
    for row in rows("Asks"):
        if row[3].startswith("as `decision`"):
            asks[row[0].strip("`")] = asks["decision"] | set(words(row[3])) - {"decision"}
    events = {row[0].strip("`"): set(words(row[1])) for row in rows("Events")}
    seen: set[str] = set()
    dice = random.Random(1)
    for game in range(60):
        house = {rule.key: dice.choice(rule.values) for rule in GAME.house_rules if rule.key != "awayTeam"}
        late = at("12", stake=5, inning=9, used=((0, 1), (0,)), house=house)
        table = new(house | {"awayTeam": "ask"}) if game % 2 else late
        while table.asks() and len(table.answers) < 250:
            ((n, ask),) = table.asks()
            assert asks[ask.why] == set(ask.facts), ask.why
            options = getattr(ask, "options", ())
            assert set(options) <= answers[ask.why]
            seen.add(f"ask {ask.why}")
            seen.update(f"option {option}" for option in options)
            table.answer(ask.seat, n, dice.choice(options) if options else dice.randint(1, 6))
        for told in table.log:
            if told.n >= 0:
                assert events[told.event.code] == set(told.event.facts), told.event.code
                seen.add(f"event {told.event.code}")
    wanted = {f"ask {code}" for code in asks} | {f"event {code}" for code in events}
    assert set() == wanted - seen
    assert {f"option {code}" for code in listed("Options")} == {one for one in seen if one.startswith("option")}
