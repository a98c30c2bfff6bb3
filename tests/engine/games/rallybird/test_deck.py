"""Decks of RallyBird: faults are named by card and field."""

from __future__ import annotations

import re

import pytest

from device.storage.decks import house_deck
from engine.cards import cards_in_decks, parse_deck
from engine.errors import DeckError
from engine.games.rallybird import GAME
from engine.games.rallybird.cards import CARD_SHAPES, build_box
from tests.each import each
from tests.engine.games.rallybird.fixture import CARDS, source

HOUSE = GAME.resolve_house_rules({})


def faults(text: str) -> list[str]:
    with pytest.raises(DeckError) as refused:
        build_box(cards_in_decks([parse_deck(text, "f.toml", GAME.key, CARD_SHAPES)]), HOUSE)
    return [str(fault) for fault in refused.value.faults]


def changed(card: str, old: str, new: str) -> str:
    assert old in CARDS[card]
    return source({**CARDS, card: CARDS[card].replace(old, new)})


PLACE = {name: f"f.toml, card {number}" for number, name in enumerate(CARDS, 1)}


@each(
    ("card", "old", "new", "field", "reason"),
    [
        ("F-LEFT", '"A", "D"', '"A", "G"', "tests", "needs A, B, C, D, E or F, not 'G'."),
        ("F-LEFT", '["A", "D"]', "[]", "tests", "needs at least one value."),
        ("F-LEFT", '["A", "D"]', '["A", "B", "C", "D"]', "tests", "can have at most 3 zones."),
        ("F-LEFT", '["A", "D"]', '"A G"', "tests", "needs A, B, C, D, E or F, not 'G'."),
        ("F-LEFT", '["A", "D"]', '{ first = ["A"] }', "tests", "needs zones, or a table with second and otherwise"),
        ("F-LEFT", '"double play"', '"triple play"', "less", "Unknown result 'triple play'"),
        ("F-LEFT", 'less = "double play"\n', "", "less", "is missing; or mark the card blank = true"),
        ("F-LEFT", 'tests = ["A", "D"]\n', "", "tests", "is missing; or mark the card blank = true"),
        ("F-LEFT", "; else batter grounds out", "", "equal", 'needs "; else" and what happens without that runner.'),
        ("F-LEAD", "; else batter out", "", "equal", 'needs "; else" and what happens without that runner.'),
        ("F-THIRD", 'requires = "second"\n', "", "requires", "is missing: the batter stays at bat"),
        ("F-SAC", '"any"', '"some"', "requires", "needs first, second, third or any, not 'some'."),
        ("F-LONG", "true", "2", "twice", "needs true or false, not 2."),
        ("F-PITCH", "wears = false", 'wears = "no"', "wears", "needs true or false"),
        ("F-DRIVE", "more =", 'succeeds = ["win"]\nmore =', "succeeds", "needs less, equal or more, not 'win'."),
        ("F-BLANK", "blank = true", 'blank = true\ntests = ["A"]', "tests", "a blank card is read on the table"),
        ("F-BLANK", "blank = true", 'blank = true\nmore = "batter out"', "more", "a blank card is read on the table"),
        ("F-BLANK", "blank = true", "", "tests", "is missing; or mark the card blank = true"),
    ],
)
def test_an_invalid_card_is_named(card: str, old: str, new: str, field: str, reason: str) -> None:
    told = faults(changed(card, old, new))
    assert f"{PLACE[card]}, {field}: " == told[0][: len(PLACE[card]) + len(field) + 4]
    assert reason in told[0]


def test_a_required_runner_needs_no_fallback() -> None:
    """Nor does the lead runner, where any runner is required; a runner who is not required needs one."""
    swap = 'less = "{} out, batter to first"'
    for runner, sound in (("lead runner", True), ("runner on first", False)):
        text = changed("F-SAC", 'less = "batter flies out"', swap.format(runner))
        if sound:
            assert build_box(cards_in_decks([parse_deck(text, "f.toml", GAME.key, CARD_SHAPES)]), HOUSE).cards
        else:
            assert [f"{PLACE['F-SAC']}, less"] == [one.split(": ")[0] for one in faults(text)]


def test_the_board_and_the_card_must_agree() -> None:
    """The rule of the lines, an unknown card, either branch of the pitch, and repeated zones count."""

    def lines(card: str, zones: str) -> str:
        return source() + f'[[line]]\ncard = "{card}"\nzones = {list(zones)}\n'

    assert ["f.toml, line 1, zones: the board's line for F-LEFT is A-E, but the card tests A-D."] == faults(
        lines("F-LEFT", "AE")
    )
    assert ["f.toml, line 1, card: there is no At Bat card named F-LOFT."] == faults(lines("F-LOFT", "A"))
    assert "but the card tests F or B." in faults(lines("F-PITCH", "A"))[0]
    assert "but the card tests C-C." in faults(lines("F-RIGHT", "C"))[0]
    for card, zones in (("F-LEFT", "DA"), ("F-PITCH", "B"), ("F-PITCH", "F"), ("F-RIGHT", "CC"), ("F-BLANK", "AB")):
        assert build_box(cards_in_decks([parse_deck(lines(card, zones), "f.toml", GAME.key, CARD_SHAPES)]), HOUSE)


@pytest.mark.rule("RB-042")
def test_the_house_board_matches_its_cards() -> None:
    deck = house_deck(GAME)
    zones = {card.fields["name"]: card.fields["tests"] for card in deck.cards if card.kind == "card"}
    drawn = [(card.fields["card"], card.fields["zones"]) for card in deck.cards if card.kind == "line"]
    assert {(name, one) for name, tests in zones.items() for one in tests} == set(drawn)
    bent = re.sub(r'(\[\[line\]\]\ncard = "Over the fence"\nzones = \["E", )"F"', r'\1"D"', deck.source)
    assert bent != deck.source
    assert "the board's line for Over the fence is E-D, but the card tests E-F." in faults(bent)[0]


def test_a_box_must_be_complete() -> None:
    text = source()
    few = {name: card for name, card in CARDS.items() if name != "F-6"}
    assert "f.toml, At Bat cards, number: needs 17 cards, not 16." in faults(source(few))
    assert "f.toml, card 2, name: there are 2 At Bat cards with name F-LEFT." in faults(
        text.replace('"F-DRIVE"', '"F-LEFT"')
    )
    assert "f.toml, card 17, number: there are 2 At Bat cards with number 1." in faults(
        text.replace("number = 17\n", "number = 1\n")
    )
    assert ["f.toml, Gloves, icon: needs 2 Gloves with icon = true, not 1."] == faults(
        text.replace('name = "gX"\nfront = 3\nback = 1\nicon = true', 'name = "gX"\nfront = 3\nback = 1')
    )
    assert "f.toml, Gloves, name: needs 7 Gloves, not 6." in faults(
        text.replace('[[glove]]\nname = "gA"\nfront = 3\nback = 1\nicon = false\n', "")
    )
    assert "f.toml, glove 2, name: there are 2 Gloves with name gA." in faults(text.replace('"gB"', '"gA"'))
    assert [
        "f.toml, zone 1, letter: there are 2 zones with letter B.",
        "f.toml, zone 2, letter: there are 2 zones with letter B.",
        "f.toml, zones, letter: A is missing.",
    ] == faults(text.replace('letter = "A"', 'letter = "B"'))
    assert (
        "f.toml, At Bat cards, beginner: needs one card with beginner = false, which a first game"
        in (faults(text.replace("beginner = false\n", ""))[0])
    )


def test_a_card_can_always_be_played() -> None:
    steal = CARDS["F-THIRD"]
    text = source({name: CARDS[name] if name in ("F-LEFT", "F-PITCH") else steal for name in CARDS})
    reason = "needs two cards at least that beginners can play with the bases empty."
    assert [f"f.toml, At Bat cards, requires: {reason}"] == faults(text)
