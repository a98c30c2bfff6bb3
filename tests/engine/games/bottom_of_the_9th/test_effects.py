"""Abilities as an owner types them: every phrase, every condition, and the errors for invalid ones."""

from __future__ import annotations

import pytest

from engine.cards import parse_deck
from engine.errors import DeckError
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import CARD_SHAPES
from engine.games.bottom_of_the_9th.effects import ABILITY_PHASES, CONDITION_FACTS, parse_abilities
from engine.games.bottom_of_the_9th.pitch_dice import known_facts
from engine.table import Table
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    at,
    contact,
    count,
    counted,
    deck,
    dice,
    needed,
    on,
    result,
    rows,
    source,
    stand,
    stare,
    throw,
    true,
)
from tests.engine.tables import asked, codes, offered, play


def batting(trait: str, house: dict[str, str] | None = None, **where: str) -> Table:
    cards = deck({"F-DULL": f'positions = "C"\ntrait = {trait}'})
    return at(where.get("bases", ""), count=where.get("count", "0-0"), house=house, cards=cards)


def pitching(trait: str, rows: tuple[int, int] = (0, 0), batter: str = "F-DULL", **slots: str) -> Table:
    """Return a game in which the pitcher always has this ability, and others in other slots."""
    more = "".join(f"\n{slot} = {text}" for slot, text in slots.items())
    arms = {"F-MILD": f'role = "starter"\nace = "inside-high"\ntrait = {trait}{more}'}
    return at(rows=rows, batter=batter, cards=deck(None, arms))


# Effects ---------------------------------------------------------------------------------------------------------


@each(
    ("trait", "expected"),
    [
        ('"swing +2"', (3, 4, "B")),
        ('"swing -1"', (3, 1, "B")),
        ('"control +1"', (4, 2, "B")),
        ('"control -2"', (1, 2, "B")),
        ('"control = 5"', (5, 2, "B")),
        ('"swing = 6"', (3, 6, "B")),
        ('["swing = 4", "swing +1"]', (3, 5, "B")),
        ('["swing +1", "swing = 4"]', (3, 5, "B")),
        ('"B as S"', (3, 2, "S")),
        ('["B as S", "S as C"]', (3, 2, "C")),
        ('"S as C"', (3, 2, "B")),
    ],
)
def test_dice_and_letters(trait: str, expected: tuple[int, int, str]) -> None:
    """With 3, 2 and B rolled: dice are set first, then added to; letters change in the order typed."""
    assert expected == counted(throw(batting(trait), "B", 3, 2))


@each(("die", "kind", "seat"), [("control", "d6", "away"), ("pitch", "pitch", "away"), ("swing", "d6", "home")])
def test_a_die_is_rerolled(die: str, kind: str, seat: str) -> None:
    table = stare(batting(f'"reroll {die}"'))
    play(table, [3, "B"], *([2] if die == "swing" else []))
    assert (("reroll",), [(kind, "red" if seat == "home" else "white", seat)]) == (asked(table), dice(table))
    play(table, "C" if die == "pitch" else 4)
    if die != "swing":
        play(table, 2)
    expected = {"control": (4, 2, "B"), "pitch": (3, 2, "C"), "swing": (3, 4, "B")}
    assert expected[die] == counted(table)


def test_a_rerolled_six_is_a_crush() -> None:
    assert ("bonus",) == asked(play(throw(batting('"reroll swing"'), "B", 3, 2), 6))


@each(
    ("trait", "expected"),
    [
        ('"strike as ball"', "ball"),
        ('"strike as foul"', "foul"),
        ('"strike as contact"', "contact"),
        ('"strike as crush"', "crush"),
        ('["strike as foul", "foul as contact"]', "contact"),
        ('"ball as contact"', "strike"),
    ],
)
def test_results(trait: str, expected: str) -> None:
    """A strike becomes something else, in the order typed; any other result stays."""
    assert expected == result(throw(batting(trait), "S", 4, 2))


def test_a_crush_can_be_undone() -> None:
    assert {"call-safe", "call-out"} == set(asked(throw(batting('"crush as contact"'), "S", 4, 6)))


@each(
    ("trait", "face", "expected"),
    [
        ('"bonus 2 as 1B"', 2, "single"),
        ('"bonus 1 as HR"', 1, "home-run"),
        ('"bonus 4 as 3B"', 4, "triple"),
        ('"bonus 6 as contact"', 6, "race"),
        ('"bonus +1"', 4, "double"),
        ('"bonus -1"', 3, "race"),
        ('"bonus = 5"', 1, "double"),
    ],
)
def test_the_bonus(trait: str, face: int, expected: str) -> None:
    """Its faces can be worth something else, and an ability that names it can change it."""
    assert expected in codes(play(throw(batting(trait), "S", 4, 6), face).log)


def test_a_bonus_is_rerolled() -> None:
    table = play(throw(batting('"reroll bonus"'), "S", 4, 6), 1)
    assert ("reroll",) == asked(table)
    assert "double" in codes(play(table, 5).log)


def test_extra_balls_and_strikes_count() -> None:
    """A ball can count as two, a ball can come with a strike, and nothing is added to contact."""
    assert "2-0" == count(throw(batting('"ball +1"'), "B", 4, 2))
    assert "1-1" == count(throw(batting('"strike +1"'), "B", 4, 2))
    assert "strikeout" in codes(throw(batting('"strike +2"', count="0-1"), "B", 4, 2).log)
    assert "walk" in codes(throw(batting('"ball +1"', count="2-0"), "B", 4, 2).log)
    assert "0-0" == count(contact(batting('"ball +1"')))


def test_runners_advance() -> None:
    """By as many bases as the ability says, before the pitch counts; a runner who comes home wins."""
    assert ("2", 0) == stand(throw(batting('"runners +1"', bases="1"), "B", 4, 2))
    table = throw(batting('"runners +2"', bases="2"), "S", 4, 2)
    assert ("home", "walk-off-run") == (table.outcome.winner, table.outcome.reason)
    assert "0-0" == count(table)


def test_the_race_gets_easier_or_harder() -> None:
    assert {"home": (4, 5, 6), "away": (5, 6)} == needed(contact(batting('"race 4"')))
    assert {"home": (5, 6), "away": (6,)} == needed(contact(batting('"their race 6"')))
    assert ("unopposed",) == asked(contact(batting('"unopposed"')))


@pytest.mark.rule("BN-122", "BN-126")
def test_fatigue_and_rest() -> None:
    assert (1, 0) == rows(stare(pitching('"direction fatigue +1"')))
    assert (3, 3) == rows(stare(pitching('"both fatigue +5"'), "inside-low"))
    table = stare(pitching('"location fatigue -1"', rows=(2, 2)))
    assert (2, 2) == rows(table)
    assert (2, 1) == rows(play(table, [4, "B"], 2))
    assert (0, 0) == rows(throw(pitching('"both fatigue -5"', rows=(2, 2)), "B", 4, 2))
    arms = {"F-REL": 'role = "reliever"\nace = "away-low"\ntrait = "both fatigue -5"'}
    relieving = at(pitcher="F-REL", rows=(3, 2), benched=True, cards=deck(None, arms))
    assert (1, 1) == rows(throw(relieving, "B", 4, 2, "inside-high", "away-low"))


def test_a_canceled_ability_is_undone() -> None:
    """The other card's slot is off, and its earlier effect is undone too; traits and speed share one slot."""
    table = pitching('"cancel direction"', batter="F-BAT")
    assert (4, 3, "B") == counted(throw(table, "B", 4, 3, "away-low", "away-high"))
    table = pitching('{ do = "cancel direction", when = { result = "foul" } }', batter="F-BAT")
    assert "strike" == result(throw(table, "S", 4, 3, "away-low", "away-high"))
    assert "foul" == result(throw(at(batter="F-BAT"), "S", 4, 3, "away-low", "away-high"))
    assert {"home": (5, 6), "away": (5, 6)} == needed(contact(pitching('"cancel trait"', batter="F-FAST")))
    assert "direction" not in on(stare(pitching('"cancel direction"', batter="F-BAT"), "away-low", "away-high"), "home")


def test_a_bonus_ability_sees_the_changed_die() -> None:
    """A 3 that counts as 4 is the 4 that the ability turns into a home run; a 4 that counts as 5 is not."""
    trait = '["bonus 4 as HR", "bonus +1"]'
    assert "home-run" in codes(play(throw(batting(trait), "S", 4, 6), 3).log)
    assert "double" in codes(play(throw(batting(trait), "S", 4, 6), 4).log)


# When ------------------------------------------------------------------------------------------------------------


@each(
    ("when", "does"),
    [
        ("letter = 'B'", True),
        ("letter = ['S', 'C']", False),
        ("control = [3, 4]", True),
        ("control = 5", False),
        ("swing = 2", True),
        ("swing = [1, 3]", False),
        ("compare = 'less'", True),
        ("compare = ['equal', 'more']", False),
        ("direction = 'away'", True),
        ("location = 'high'", False),
        ("tokens = [0]", True),
        ("tokens = [1, 2]", False),
        ("balls = 1", True),
        ("balls = [0, 2, 3]", False),
        ("strikes = 0", True),
        ("strikes = [1, 2]", False),
        ("outs = 0", True),
        ("outs = [1, 2]", False),
        ("first = 'occupied', second = 'empty', third = 'empty'", True),
        ("first = 'occupied', second = 'occupied'", False),
        ("direction_row = 0, location_row = [0, 1]", True),
        ("direction_row = [1, 2, 3]", False),
    ],
)
def test_an_ability_acts_when_its_condition_holds(when: str, does: bool) -> None:
    """With control 3, B, swing 2, away and low, a 1-0 count and a runner on first; `unless` reverses each condition."""
    expected = {True: 6, False: 2}
    for word, fits in (("when", does), ("unless", not does)):
        table = batting(f'{{ do = "swing = 6", {word} = {{ {when} }} }}', bases="1", count="1-0")
        assert expected[fits] == counted(throw(table, "B", 3, 2))[1]


def test_one_of_several() -> None:
    trait = '{ do = "swing = 6", when = [{ strikes = 1 }, { control = 3, letter = "B" }] }'
    assert 6 == counted(throw(batting(trait), "B", 3, 2))[1]
    assert 2 == counted(throw(batting(trait), "C", 3, 2))[1]
    assert 6 == counted(throw(batting(trait, count="0-1"), "C", 3, 2))[1]


def test_results_and_bonus_are_conditions() -> None:
    walk = '{ do = "ball +1", when = { result = "ball" } }'
    assert "2-0" == count(throw(batting(walk), "B", 4, 2))
    assert "0-1" == count(throw(batting(walk), "S", 4, 2))
    late = '{ do = "bonus = 6", when = { bonus = [1, 2] } }'
    assert "home-run" in codes(play(throw(batting(late), "S", 4, 6), 2).log)


def test_conditions_see_the_letter_as_it_fell() -> None:
    trait = '["B as S", { do = "swing = 6", when = { letter = "B", swing = 2 } }]'
    assert (3, 6, "S") == counted(throw(batting(trait), "B", 3, 2))


@each(("strikes", "expected"), [(0, (1, 1)), (1, (2, 2)), (2, (2, 2))])
def test_the_count_is_that_before_the_pitch(strikes: int, expected: tuple[int, int]) -> None:
    """Also in the cleanup, when the pitch has made it 0-1: the pitcher rests only if there were no strikes."""
    table = pitching(f'{{ do = "both fatigue -1", when = {{ strikes = {strikes} }} }}', rows=(2, 2))
    assert ("0-1", expected) == (count(throw(table, "S", 4, 1)), rows(table))


def test_the_result_is_the_one_called() -> None:
    """A foul that became a crush stays one, even if the ability that turned it is canceled after the bonus roll."""
    trait = '[{ do = "cancel direction", when = { bonus = 2 } }, { do = "race 4", when = { result = "crush" } }]'
    cards = deck(
        {"F-DULL": 'positions = "C"\ndirection = "foul as crush"'},
        {"F-MILD": f'role = "starter"\nace = "inside-high"\ntrait = {trait}'},
    )
    table = play(throw(at(cards=cards), "S", 3, 3, "away-low", "away-high"), 2)
    assert "direction" not in on(table, "home")
    assert ("crush", {"home": (5, 6), "away": (4, 5, 6)}) == (result(table), needed(table))


def test_every_fact_can_be_a_condition() -> None:
    """Every fact an ability can depend on is known at its phase, and there are no other facts."""
    table = play(throw(batting('"swing +1"'), "S", 4, 6), 1)
    assert set(CONDITION_FACTS) == set(known_facts(true(table), "home"))


# Whether, and how often ------------------------------------------------------------------------------------------


def test_an_optional_ability_asks_first() -> None:
    table = throw(batting('{ do = "swing = 5", may = true }'), "S", 3, 2)
    assert (("ability",), ("use", "keep")) == (asked(table), offered(table))
    assert "strike" == result(play(table.clone(), "keep"))
    assert "contact" == result(play(table.clone(), "use"))
    assert "contact" == result(throw(batting('"swing = 5"'), "S", 3, 2))


@each(("uses", "second", "next_at_bat"), [("pitch", 4, 4), ("at-bat", 3, 4), ("game", 3, 3)])
def test_limits_on_uses(uses: str, second: int, next_at_bat: int) -> None:
    """Every pitch, once an at-bat, or once a game: a pitcher's "control +1" on a 3."""
    table = pitching(f'{{ do = "control +1", uses = "{uses}" }}')
    found = []
    for _ in range(3):
        found.append(counted(throw(table, "S", 3, 1))[0])
    assert [4, second, second] == found
    assert next_at_bat == counted(throw(play(table, "none"), "S", 3, 1))[0]


# Errors ----------------------------------------------------------------------------------------------------------


@each(
    ("field", "value", "reason"),
    [
        ("direction", '"swing + 1"', "Unknown ability 'swing + 1'. Did you mean 'swing = 4'?"),
        ("direction", '"swing +6"', "Unknown ability 'swing +6'. Did you mean 'swing -2'?"),
        ("location", '"hit harder"', "Unknown ability 'hit harder'. One example is 'control +1'."),
        ("mvp", "7", "needs a phrase or a table with do, not 7."),
        ("mvp", "[]", "needs at least one value."),
        ("trait", "{ may = true }", "Unknown ability None. One example is 'control +1'."),
        ("trait", '{ do = "swing +1", often = 2 }', "has no 'often'; there are do, when, unless, may, uses."),
        ("trait", '{ do = "swing +1", may = "yes" }', "may: needs true or false, not 'yes'."),
        ("trait", '{ do = "swing +1", uses = "once" }', "uses: needs pitch, at-bat or game, not 'once'."),
        ("trait", '{ do = "swing +1", when = "always" }', "when: needs a table of conditions, not 'always'."),
        ("trait", '{ do = "swing +1", when = {} }', "when: needs a table of conditions, not {}."),
        (
            "trait",
            '{ do = "swing +1", when = { strike = 1 } }',
            f"when: has no 'strike'; there are {', '.join(CONDITION_FACTS)}.",
        ),
        (
            "trait",
            '{ do = "swing +1", unless = { control = 7 } }',
            "unless, control: needs a whole number from 1 to 6, not 7.",
        ),
        ("trait", '{ do = "swing +1", when = { result = "foul" } }', "'swing +1' is done before result is known."),
        (
            "trait",
            '{ do = "both fatigue +1", when = { letter = "B" } }',
            "'both fatigue +1' is done before letter is known.",
        ),
        ("speed", "1", "needs true or false, not 1."),
        ("positions", '["SS", "DH"]', "needs C, 1B, 2B, 3B, SS, LF, CF, RF, IF, OF or UT, not 'DH'."),
        ("positions", "[]", "needs at least one value."),
        ("power", "1", f"no such field; there are {', '.join(CARD_SHAPES['batter'])}."),
    ],
)
def test_an_invalid_ability_is_named(field: str, value: str, reason: str) -> None:
    more = f"{field} = {value}\n" if field == "positions" else f'positions = "C"\n{field} = {value}\n'
    with pytest.raises(DeckError) as refused:
        parse_deck(source({"F-WRONG": more}), "mine.toml", GAME.key, CARD_SHAPES)
    assert [f"mine.toml, batter 1, {field}: {reason}"] == [str(fault) for fault in refused.value.faults]


@each(
    ("old", "new", "fault"),
    [
        ('name = "F-FAST"', 'name = "F-BAT"', "f.toml, batter 2, name: there are two cards named F-BAT."),
        (
            "blank = true\n[[pitcher]]",
            'blank = true\nmvp = "swing +1"\n[[pitcher]]',
            "f.toml, batter 9, mvp: a blank card has no abilities; leave out this or blank.",
        ),
        (
            'role = "either"\nace = "inside-high"\nblank = true',
            'role = "either"\nace = "inside-high"\nace_ability = "race 4"\nblank = true',
            "f.toml, pitcher 10, ace_ability: a blank card has no abilities; leave out this or blank.",
        ),
    ],
)
def test_an_invalid_set_is_named(old: str, new: str, fault: str) -> None:
    assert old in source()
    with pytest.raises(DeckError) as refused:
        Table(GAME, [parse_deck(source().replace(old, new), "f.toml", GAME.key, CARD_SHAPES)])
    assert [fault] == [str(one) for one in refused.value.faults]


def test_the_phase_follows_from_effect_and_condition() -> None:
    """An ability acts as early as its effect allows, or as late as its condition becomes known."""
    phases = {
        "control +1": "pitch",
        "swing +1": "swing",
        "strike as ball": "swing",
        "race 4": "run",
        "cancel ace": "reveal",
        "both fatigue +1": "reveal",
        "both fatigue -1": "cleanup",
        "runners +1": "result",
    }
    assert phases == {text: parse_abilities(text)[0].phase for text in phases}
    assert "swing" == parse_abilities({"do": "control +1", "when": {"swing": 1}})[0].phase
    assert "result" == parse_abilities({"do": "foul as ball", "unless": {"result": "ball"}})[0].phase
    assert set(ABILITY_PHASES) >= {phase for phase, _ in CONDITION_FACTS.values()}
