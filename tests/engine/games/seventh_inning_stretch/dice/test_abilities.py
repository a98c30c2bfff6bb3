"""Pitchers' abilities, before the roll and on rolled dice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.seventh_inning_stretch.dice.abilities import (
    ABILITY_PHRASES,
    AbilityUse,
    PitcherAbility,
    ability_uses,
    parse_ability,
)
from tests.each import each

LISTED = ABILITY_PHRASES.examples


def ways(phrase: str, shown: str, used: int = 0, least: int = 1) -> tuple[AbilityUse, ...]:
    """Return the ways to use an ability on dice, each as the dice afterward: "246"."""
    return ability_uses(parse_ability(phrase), tuple(map(int, shown)), used, least)


def after(phrase: str, shown: str, least: int = 1) -> dict[str, str]:
    found = {use.code: use.faces for use in ways(phrase, shown, least=least)}
    return {code: "".join(map(str, faces or ())) for code, faces in found.items()}


@pytest.mark.rule("SI-026")
@each(
    ("phrase", "shown", "expected"),
    [
        ("lower one die by 2", "246", {"6-to-4": "244", "4-to-2": "226", "2-to-1": "146"}),
        ("lower one die by 2", "1", {}),
        ("raise one die by 2", "156", {"5-to-6": "166", "1-to-3": "356"}),
        ("lower the highest die by 1", "2662", {"6-to-5": "2562"}),
        ("raise the lowest die by 1", "3256", {"2-to-3": "3356"}),
        ("lower a die of 6 by 3", "665", {"6-to-3": "365"}),
        ("lower a die of 6 by 3", "543", {}),
        ("lower all dice by 1", "1346", {"all": "1235"}),
        ("lower all dice by 1", "11", {}),
        ("raise all dice by 5", "16", {"all": "66"}),
        ("set one die to 1", "132", {"3-to-1": "112", "2-to-1": "131"}),
        ("set the lowest die to 6", "62", {"2-to-6": "66"}),
        ("set all dice to 1", "213", {"all": "111"}),
        ("flip one die", "16", {"6-to-1": "11", "1-to-6": "66"}),
        ("flip the highest die", "24", {"4-to-3": "23"}),
        ("flip all dice", "124", {"all": "653"}),
        ("remove one die", "242", {"remove-4": "22", "remove-2": "42"}),
        ("remove the highest die", "2442", {"remove-4": "242"}),
        ("remove a die of 3", "242", {}),
        ("one die becomes another", "25", {"5-to-2": "22", "2-to-5": "55"}),
        ("one die becomes another", "55", {}),
        ("the highest die becomes the lowest", "353", {"5-to-3": "333"}),
        ("the lowest die becomes the highest", "15", {"1-to-5": "55"}),
        ("  Lower  One Die by TWO ", "3", {"3-to-1": "1"}),
    ],
)
def test_an_ability_changes_dice_as_its_phrase_says(phrase: str, shown: str, expected: dict[str, str]) -> None:
    """Each distinct result is offered once, the one with the highest die first; a use without effect is not offered."""
    assert expected == after(phrase, shown)
    assert list(expected) == list(after(phrase, shown))


@pytest.mark.rule("SI-028")
def test_no_die_is_removed_below_the_minimum() -> None:
    assert {"remove-4": "22", "remove-2": "42"} == after("remove one die", "242", least=2)
    assert {} == after("remove one die", "24", least=2)
    assert {} == after("remove one die", "2", least=1)


@each(
    ("phrase", "shown", "again", "most", "label"),
    [
        ("reroll one die", "253", (0, 1, 2), 1, "reroll one die"),
        ("reroll one die", "33", (0, 1), 1, "reroll a 3"),
        ("reroll the highest die", "2552", (1, 2), 1, "reroll a 5"),
        ("reroll the lowest die", "2552", (0, 3), 1, "reroll a 2"),
        ("reroll the highest die", "264", (1,), 1, "reroll the 6"),
        ("reroll the lowest die", "264", (0,), 1, "reroll the 2"),
        ("reroll a die of 6", "626", (0, 2), 1, "reroll a 6"),
        ("reroll up to two dice", "253", (0, 1, 2), 2, "reroll up to 2 dice"),
        ("reroll up to 2 dice", "5", (0,), 1, "reroll the 5"),
        ("reroll all dice", "253", (0, 1, 2), 3, "reroll any dice"),
    ],
)
def test_dice_are_rerolled(phrase: str, shown: str, again: tuple[int, ...], most: int, label: str) -> None:
    assert (AbilityUse("reroll", label, again=again, most=most),) == ways(phrase, shown)


@pytest.mark.rule("SI-028")
def test_fewer_dice_can_only_be_used_before_the_roll() -> None:
    """It never affects a batter's dice; an ability that changes dice needs rolled ones."""
    cut = parse_ability("roll one die fewer")
    assert (True, False) == (cut.before, cut.duel)
    assert (
        (AbilityUse("fewer", "roll 1 die fewer", fewer=1),)
        == ability_uses(cut, (), 0, 2, 3)
        == ability_uses(cut, (), 3, 2, 3)
    )
    assert () == ability_uses(cut, (1, 2), 0, 2, 3)
    assert {"roll 1 die fewer", "roll 2 dice fewer"} == {phrase for phrase in LISTED if parse_ability(phrase).before}
    assert {"roll 1 die fewer", "roll 2 dice fewer"} == {
        phrase for phrase in LISTED if ability_uses(parse_ability(phrase), (), 0, 1, 3)
    }


@pytest.mark.rule("SI-028")
@each(
    ("count", "least", "label"),
    [(4, 1, "roll 2 dice fewer"), (3, 1, "roll 2 dice fewer"), (3, 2, "roll 1 die fewer"), (2, 2, ""), (1, 2, "")],
)
def test_fewer_dice_go_down_to_the_minimum(count: int, least: int, label: str) -> None:
    """The label has the dice that are really taken; with none to take it is not offered."""
    found = ability_uses(parse_ability("roll 2 dice fewer"), (), 0, least, count)
    assert label == "".join(use.label for use in found)
    assert all(least == count - use.fewer or use.fewer == 2 for use in found)


def test_in_a_duel_an_ability_changes_dice_only() -> None:
    alone = {phrase for phrase in LISTED if not parse_ability(phrase).duel}
    assert {"roll 1 die fewer", "roll 2 dice fewer", "1 run fewer", "2 runs fewer", "runs at most 2"} == alone


def test_an_ability_can_take_runs_away() -> None:
    assert (AbilityUse("less", "1 run fewer", less=1),) == ways("1 run fewer", "246", 1)
    assert (AbilityUse("less", "2 runs fewer", less=2),) == ways("two runs fewer", "246")
    assert (AbilityUse("at-most", "at most 1 run", cap=1),) == ways("runs at most 1", "246")
    assert () == ways("runs at most 1", "246", 1)


def test_once_per_roll_is_enforced() -> None:
    for phrase in ("flip one die once a roll", "Flip one die, once a roll"):
        assert (1, 0) == (len(ways(phrase, "2")), len(ways(phrase, "2", 1)))
    assert 1 == len(ways("flip one die", "2", 5))


@each(
    ("phrase", "reason"),
    [
        ("lower one dye by 2", "Unknown ability 'lower one dye by 2'. Did you mean 'lower one die by 2'?"),
        ("lower one die by 6", "Unknown ability"),
        ("set one die to 7", "Unknown ability"),
        ("remove all dice", "Did you mean"),
        ("flip", "Unknown ability"),
        (3, "needs a phrase, not 3."),
    ],
)
def test_invalid_abilities_are_refused(phrase: object, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_ability(phrase)


@given(
    st.sampled_from([parse_ability(phrase) for phrase in LISTED]),
    st.lists(st.integers(1, 6), min_size=1, max_size=7),
    st.integers(0, 2),
    st.integers(1, 4),
)
def test_a_use_never_leaves_the_faces_or_the_rules(
    deed: PitcherAbility, shown: list[int], used: int, least: int
) -> None:
    """Uses differ in code and effect, every die stays on its faces, and only removal lowers the number of dice."""
    faces = tuple(shown)
    found = ability_uses(deed, faces, used, least)
    assert len(found) == len({use.code for use in found}) == len({use.label for use in found})
    became = [tuple(sorted(use.faces)) for use in found if use.faces is not None]
    assert len(became) == len(set(became))
    assert tuple(sorted(faces)) not in became
    for use in found:
        assert set(use.faces or ()) <= {1, 2, 3, 4, 5, 6}
        if use.faces is not None:
            assert len(faces) - len(use.faces) == use.code.startswith("remove")
            assert len(use.faces) >= min(least, len(faces))
        assert use.most <= len(use.again) <= len(faces)
