"""Decks of 7th Inning Stretch: what makes a box, faults named by card and field, and the house-made set."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from statistics import mean

import pytest

from device.storage.decks import house_deck
from engine.cards import cards_in_decks, parse_deck
from engine.errors import DeckError
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import (
    CARD_SHAPES,
    NO_CONDITION,
    OpponentTeam,
    PlayoffCondition,
    StretchBox,
    build_box,
    parse_condition,
)
from engine.games.seventh_inning_stretch.dice.conditions import LINE_OUTCOMES, GuardFacts
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import batter_card, pitcher_card, team_card

HEAD = '[deck]\ngame = "seventh-inning-stretch"\ntitle = "F"\n'


FIVES = ["highest 5+: single"]


def cards() -> dict[str, str]:
    """Return a whole set, under the names used here.

    Tier 1 has "B1" to "B16", "P1" and "P2"; tier 2 "X1" to "X14" and tier 3 "Y1" to "Y14", the last four of each
    pitchers. Teams are "team X1" and so on, playoff cards "semifinals 3" and so on.
    """
    made = {f"B{n}": batter_card(f"B{n}", FIVES) for n in range(1, 17)} | {
        f"P{n}": pitcher_card(f"P{n}") for n in (1, 2)
    }
    for tier, letter in ((2, "X"), (3, "Y")):
        for n in range(1, 15):
            name = f"{letter}{n}"
            back = f'back = "{name}"\n'
            made[name] = (
                pitcher_card(name, more=back, tier=tier) if n > 10 else batter_card(name, FIVES, "2", back, tier)
            )
            made[f"team {name}"] = team_card(name, tier)
    for series in ("semifinals", "finals"):
        for level in (1, 2, 3):
            made[f"{series} {level}"] = f'[[playoff]]\nseries = "{series}"\nlevel = {level}\ngrey = "none"\n'
    return made


def source(of: dict[str, str]) -> str:
    return HEAD + "".join(sorted(of.values(), key=lambda card: card.split("\n")[0]))


def box(**changes: str) -> StretchBox:
    return build_box(
        cards_in_decks([parse_deck(source(cards() | changes), "f.toml", "seventh-inning-stretch", CARD_SHAPES)])
    )


def faults(of: dict[str, str]) -> list[str]:
    with pytest.raises(DeckError) as refused:
        build_box(cards_in_decks([parse_deck(source(of), "f.toml", "seventh-inning-stretch", CARD_SHAPES)]))
    return [str(fault) for fault in refused.value.faults]


# The box ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-002", "SI-006")
def test_a_whole_set_is_a_box() -> None:
    """46 cards in three tiers, two pitchers in the first, and three playoff cards for each series."""
    whole = box()
    assert [18, 14, 14] == [len(whole.players_of_tier(tier)) for tier in (1, 2, 3)]
    assert ("B1", "B16", "P1", "P2") == tuple(whole.players_of_tier(1)[at] for at in (0, 15, 16, 17))
    assert [16, 10, 10] == [sum(name in whole.batters for name in whole.players_of_tier(tier)) for tier in (1, 2, 3)]
    assert {*whole.players_of_tier(2), *whole.players_of_tier(3)} == set(whole.teams)
    assert {(series, level) for series in ("semifinals", "finals") for level in (1, 2, 3)} == set(whole.playoffs)


@pytest.mark.rule("SI-022", "SI-023", "SI-024", "SI-027", "SI-029")
def test_a_card_has_two_sides() -> None:
    """The player's side names the team, and the team's side says what kind of player is on the back."""
    of = box(X1=batter_card("Xo", FIVES, "1 a runner", 'back = "X1"\nrerolls = 1\nnudges = 2\n', 2))
    one, other = of.batters["Xo"], of.pitchers["X11"]
    assert ("X1", 2, 1, 2, "1 a runner") == (one.back, one.tier, one.rerolls, one.nudges, one.dice.text)
    assert ["highest 5+: single"] == [line.text for line in one.lines]
    assert ("Xo", "B", "x1", 3, 2) == (
        (front := of.teams["Xo"]).player,
        front.letter,
        front.name,
        front.dice,
        front.least,
    )
    assert front.runs is not None
    assert 2 == front.runs((2, 4, 6), GuardFacts())
    assert ("P", "X11") == (of.teams["X11"].letter, of.teams["X11"].short)
    assert other.ability is not None
    assert ("X11", 2, "lower one die by 2") == (other.back, other.stamina, other.ability.text)
    assert "" == of.batters["B1"].back


def test_the_green_side_equals_the_grey_one_by_default() -> None:
    playoff = '[[playoff]]\nseries = "finals"\nlevel = 3\ngrey = "no rerolls"\n'
    plain, other = (box(**{"finals 3": playoff + more}).playoffs["finals", 3] for more in ("", 'green = "none"\n'))
    assert ("no rerolls", "no rerolls") == (plain.grey.text, plain.green.text)
    assert ("no rerolls", NO_CONDITION) == (other.grey.text, other.green)


def test_a_blank_card_may_omit_what_coaches_report() -> None:
    of = box(
        B1='[[batter]]\nname = "B1"\ntier = 1\nblank = true\n',
        P1='[[pitcher]]\nname = "P1"\ntier = 1\nstamina = 3\nblank = true\n',
        **{"team X1": team_card("X1", 2).split("runs")[0] + "blank = true\n"},
    )
    one, two, three = of.batters["B1"], of.pitchers["P1"], of.teams["X1"]
    assert (True, (), 0, 0) == (one.blank, one.lines, one.rerolls, one.dice.dice_count(GuardFacts()))
    assert (True, None, 3) == (two.blank, two.ability, two.stamina)
    assert (True, None, 3, 2) == (three.blank, three.runs, three.dice, three.least)


# What is wrong ---------------------------------------------------------------------------------------------------


@each(
    ("card", "old", "new", "fault"),
    [
        ("B1", '"B1"', '"b1"', "batter 1, name: needs a name with a capital letter, not 'b1'."),
        ("B1", '"B1"', '"B2"', "name: there are 2 players with name B2."),
        ("P1", '"P1"', '"B1"', "name: there are 2 players with name B1."),
        ("B1", 'dice = "2"', "dice = 5", "batter 1, dice: '5' needs a number from 0 to 4."),
        ("B1", 'dice = "2"\n', "", "batter 1, dice: is missing; or mark the card blank = true"),
        ("B1", 'lines = ["highest 5+: single"]\n', "", "batter 1, lines: is missing; or mark the card blank = true"),
        ("B1", '["highest 5+: single"]', "[]", "batter 1, lines: needs at least one value."),
        (
            "B1",
            '["highest 5+: single"]',
            '["a 1: single", "a 2: walk", "a 3: walk", "a 4: walk", "a 5: walk"]',
            "lines: can have at most 4 lines.",
        ),
        (
            "B1",
            '"highest 5+: single"',
            '"tallest 5+: single"',
            "batter 1, lines: Unknown condition 'tallest 5+'. Did you mean",
        ),
        ("B1", 'dice = "2"', "dice = 2\nrerolls = 3", "batter 1, rerolls: needs a whole number from 0 to 2, not 3."),
        (
            "B1",
            'dice = "2"',
            "dice = 2\nblank = true",
            "batter 1, dice: a blank card is read on the table; leave out this or blank.",
        ),
        ("B1", 'dice = "2"', "nudges = 1\nblank = true", "batter 1, nudges: a blank card is read on the table"),
        ("B1", "tier = 1", 'tier = 1\nback = "X1"', "back: a card of tier 1 has no team on its back; leave it out."),
        ("P1", "stamina = 2", "stamina = 7", "pitcher 1, stamina: needs a whole number from 1 to 6, not 7."),
        ("P1", "stamina = 2", "stamina = 2\nblank = true", "pitcher 1, ability: a blank card is read on the table"),
        ("P1", 'ability = "lower one die by 2"\n', "", "pitcher 1, ability: is missing; or mark the card blank = true"),
        ("X1", 'back = "X1"\n', "", "back: is missing: which team is on the back?"),
        ("X1", 'back = "X1"', 'back = "ZZ"', "back: there is no team with short ZZ."),
        ("X1", 'back = "X1"', 'back = "Y1"', "back: the team Y1 is of tier 3, but this card of tier 2."),
        ("X1", 'back = "X1"', 'back = "X2"', "back: there are 2 players with back X2."),
        ("X1", 'back = "X1"', 'back = "X2"', "short: no player has X1 on the back."),
        ("X1", 'back = "X1"', 'back = "x1"', "back: there is no team with short x1."),
        ("team X1", 'short = "X1"', 'short = "x1"', "short: needs one to three capital letters or digits, not 'x1'."),
        ("team X1", 'short = "X1"', 'short = "X2"', "short: there are 2 teams with short X2."),
        ("team X1", '"x1"', '"y1"', "name: there are 2 teams with name y1."),
        ("team X1", "least = 2", "least = 4", "least: can be at most the 3 dice it rolls, not 4."),
        ("team X1", "least = 2", "least = 0", "least: needs a whole number from 1 to 5, not 0."),
        ("team X1", "dice = 3", "dice = 8", "dice: needs a whole number from 2 to 7, not 8."),
        ("team X1", "tier = 2", "tier = 1", "tier: needs a whole number from 2 to 3, not 1."),
        (
            "team X1",
            'runs = "the difference of the two lowest"\n',
            "",
            "runs: is missing; or mark the card blank = true",
        ),
        ("finals 3", "level = 3", "level = 2", "playoff cards, level: level 3 of the finals is missing."),
        ("finals 3", "level = 3", "level = 2", "level: there are 2 cards of level 2 of the finals."),
        ("finals 3", '"none"', '"no runs"', "grey: Unknown condition 'no runs'. Did you mean"),
    ],
)
@pytest.mark.rule("SI-002", "SI-006", "SI-023")
def test_contradictions_are_named(card: str, old: str, new: str, fault: str) -> None:
    whole = cards()
    assert old in whole[card]
    assert [one for one in faults(whole | {card: whole[card].replace(old, new, 1)}) if fault in one]


@pytest.mark.rule("SI-025")
def test_a_batter_has_no_stamina() -> None:
    (told,) = faults(cards() | {"B1": batter_card("B1", FIVES) + "stamina = 2\n"})
    assert "f.toml, batter 1, stamina: no such field; there are" in told


@pytest.mark.rule("SI-002")
@each("card", ["B16", "P2", "X1", "Y14"])
def test_missing_and_extra_cards_are_reported(card: str) -> None:
    whole = cards()
    tier, count = {"B": (1, 18), "P": (1, 18), "X": (2, 14), "Y": (3, 14)}[card[0]]
    few = {name: text for name, text in whole.items() if name not in (card, f"team {card}")}
    assert f"f.toml, tier {tier}, name: needs {count} players, not {count - 1}." in faults(few)
    many = whole | {"more": whole[card].replace(f'name = "{card}"', 'name = "Zed"')}
    assert f"f.toml, tier {tier}, name: needs {count} players, not {count + 1}." in faults(many)


def test_the_first_tier_has_two_pitchers() -> None:
    swapped = cards() | {"B1": pitcher_card("B1")}
    assert ["f.toml, tier 1, name: needs 2 pitchers, not 3."] == faults(swapped)


def test_all_faults_are_reported_at_once() -> None:
    whole = cards()
    del whole["B1"], whole["finals 1"]
    assert 2 == len(faults(whole))


# What a playoff card demands -------------------------------------------------------------------------------------


@each(
    ("phrase", "expected"),
    [
        ("none", NO_CONDITION),
        ("no rerolls", PlayoffCondition("", frozenset({"rerolls"}))),
        ("no nudges and no steals", PlayoffCondition("", frozenset({"nudges", "steals"}))),
        ("no extra bases", PlayoffCondition("", frozenset({"extra-bases"}))),
        ("no batter substitutions", PlayoffCondition("", frozenset({"batters"}))),
        ("no pitcher substitutions", PlayoffCondition("", frozenset({"pitchers"}))),
        ("No  Pitcher Abilities", PlayoffCondition("", frozenset({"abilities"}))),
        ("at most 3 dice a roll", PlayoffCondition("", limit=3)),
        ("the opponent rolls one die more", PlayoffCondition("", more_dice=1)),
        ("the opponent rolls 4 dice", PlayoffCondition("", dice=4)),
        ("the opponent rolls at least 2 dice", PlayoffCondition("", least=2)),
        ("the opponent rolls 2 dice and the opponent rolls at least 1 die", PlayoffCondition("", dice=2, least=1)),
        ("the opponent scores 1 run more a half", PlayoffCondition("", more_runs=1)),
        (
            "at most 2 rerolls a half and at most one nudge a half",
            PlayoffCondition("", most=(("nudges", 1), ("rerolls", 2))),
        ),
        ("at most 1 steal a half", PlayoffCondition("", most=(("steals", 1),))),
        ("at most two pitcher abilities a half", PlayoffCondition("", most=(("abilities", 2),))),
        ("start 2 runs down", PlayoffCondition("", down=2)),
    ],
)
def test_a_playoff_condition_says_what_applies(phrase: str, expected: PlayoffCondition) -> None:
    found = parse_condition(phrase)
    assert " ".join(phrase.lower().split()) == found.text
    for name in ("ban", "limit", "more_dice", "more_runs", "most", "down", "dice", "least"):
        assert getattr(expected, name) == getattr(found, name)


@each(
    ("phrase", "reason"),
    [
        ("no reruns", "Unknown condition 'no reruns'. Did you mean 'no rerolls'?"),
        ("no rerolls and nothing", "Unknown condition"),
        ("none and no rerolls", "Unknown condition"),
        ("at most 2 naps a half", "Unknown condition"),
        ("no rerolls and no rerolls", "says something twice, or says nothing."),
        ("start 1 run down and start 2 runs down", "says something twice, or says nothing."),
        ("at most 1 steal a half and at most 2 steals a half", "says something twice, or says nothing."),
        ("start 0 runs down", "says something twice, or says nothing."),
        ("at most 0 dice a roll", "needs one die at least."),
        ("the opponent rolls 0 dice", "needs one die at least."),
        (1, "needs a phrase, not 1."),
    ],
)
def test_invalid_playoff_conditions_are_refused(phrase: object, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_condition(phrase)


# The house-made set -------------------------------------------------------------------------------------------------


BOX = build_box(cards_in_decks([house_deck(GAME)]))
LINES = [line for batter in BOX.batters.values() for line in batter.lines]


@pytest.mark.rule("SI-002", "SI-006", "SI-027")
def test_the_house_made_set_is_complete() -> None:
    """46 cards, 28 with a team on the back; ten batters and four pitchers in each upper tier; six playoff cards."""
    counts = {
        tier: (len(BOX.players_of_tier(tier)), sum(name in BOX.pitchers for name in BOX.players_of_tier(tier)))
        for tier in (1, 2, 3)
    }
    assert {1: (18, 2), 2: (14, 4), 3: (14, 4)} == counts
    assert (28, 6) == (len(BOX.teams), len(BOX.playoffs))
    assert {name: "P" if name in BOX.pitchers else "B" for name in BOX.teams} == {
        name: team.letter for name, team in BOX.teams.items()
    }


def test_every_kind_of_phrase_is_on_a_card() -> None:
    """Outcomes, quantities, guards, star rules, abilities and scores: an owner can look up how each is typed."""
    needs = {need.what for line in LINES for way in line.ways for need in way}
    assert {"highest", "lowest", "sum", "spread", "dice", "straight", "alike", "pairs"} == needs
    assert set(LINE_OUTCOMES) == {line.outcome for line in LINES}
    guards = {when.what for line in LINES for when in line.when}
    assert {"bases", "runners", "outs", "inning", "lead"} == guards
    assert {"", "runner", "out", "batter"} == {batter.dice.per for batter in BOX.batters.values()}
    assert {"runners", "outs", "inning", "lead"} == {
        when.what for batter in BOX.batters.values() for when in batter.dice.when
    }
    assert any(batter.dice.needs_die_roll for batter in BOX.batters.values())
    assert 10 == len({pitcher.ability.verb for pitcher in BOX.pitchers.values() if pitcher.ability})
    chains = [chain for team in BOX.teams.values() if team.runs for chain, _ in team.runs.chains]
    assert {"plus", "less", "at most", "divided by"} == {deed for chain in chains for deed, _ in chain}
    assert {"rank", "difference", "each", "number", "for"} == {term.kind for chain in chains for _, term in chain}


def scores(box: StretchBox, tier: int) -> float:
    """Return the runs that the teams of a tier score in a half when nobody pitches."""
    return mean(float(expected(team)) for team in box.teams.values() if team.tier == tier)


def expected(team: OpponentTeam) -> Fraction:
    assert team.runs is not None
    total = 0
    for hand in combinations_with_replacement(range(1, 7), team.dice):
        falls = factorial(team.dice) // prod(map(factorial, Counter(hand).values()))
        total += falls * team.runs(hand, GuardFacts(inning=8))
    return Fraction(total, 6**team.dice)


def test_each_tier_is_harder_and_better_than_the_last() -> None:
    assert scores(BOX, 2) + 0.2 < scores(BOX, 3) < 2.2
    on = GuardFacts(1, (True, False, False), 8, -1, 2)
    brings = [
        mean(
            batter.dice.dice_count(on, 4) + batter.rerolls + batter.nudges
            for batter in BOX.batters.values()
            if batter.tier == tier
        )
        for tier in (1, 2, 3)
    ]
    assert 1.5 < brings[0] < brings[1] - 0.4 < brings[2] - 0.4 < 3.2
    stamina = [mean(pitcher.stamina for pitcher in BOX.pitchers.values() if pitcher.tier == tier) for tier in (1, 2, 3)]
    assert stamina == sorted(stamina)


def test_each_playoff_level_has_its_ban() -> None:
    """Level 3 bans rerolls, level 2 bans +/-1 tokens, level 1 bans nothing, on either side (A10)."""
    for (_, level), card in BOX.playoffs.items():
        assert ({3: {"rerolls"}, 2: {"nudges"}, 1: set()}[level], card.grey) == (set(card.green.ban), card.green)
