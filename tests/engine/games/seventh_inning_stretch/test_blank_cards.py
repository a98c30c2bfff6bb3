"""Blank cards: coaches report what a batter brings, what his dice are, and what a pitcher or a team does."""

from __future__ import annotations

import pytest

from engine.cards import Deck
from engine.errors import IllegalAnswer
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    deck,
    pool,
    refused,
    says,
    stand,
    swing,
    team_card,
    true,
)
from tests.engine.tables import asked, codes, offered, play, score

BATTER = '[[batter]]\nname = "F-0"\ntier = 1\nblank = true\n'
PITCHER = '[[pitcher]]\nname = "F-CUT"\ntier = 1\nstamina = 2\nblank = true\n'
TEAM = '[[team]]\nname = "t1"\nshort = "T1"\ntier = 2\ndice = 3\nleast = 2\nblank = true\n'

SUM = team_card("T1", 2, 5, "the sum")


def cards() -> Deck:
    return deck({"F-0": BATTER, "F-CUT": PITCHER, "team T-1": TEAM})


@pytest.mark.rule("SI-022", "SI-053")
def test_the_batters_resources_are_asked_for() -> None:
    table = at("F-0", cards=cards())
    assert ("blank-dice", "Read F-0's card: how many dice?") == (*asked(table), says(table))
    refused(table, "5")
    play(table, "3")
    assert (("blank-rerolls",), ("0", "1", "2")) == (asked(table), offered(table))
    play(table, "1", "2")
    assert (("at-bat",), (3, 1, 2)) == (asked(table), pool(table))
    brings = "F-0 comes to bat and brings 3 dice, 1 reroll token and 2 +/-1 tokens."
    assert brings in [line.sentence for line in table.play_log_lines()]


def test_resources_missing_from_the_supply_are_not_asked_for() -> None:
    """With all of one kind in the pool he can bring no more of it, unless the house has more than the box."""
    table = play(at("F-0", pool=(0, 4, 0), cards=cards()), "1")
    assert ("blank-nudges",) == asked(table)
    table = play(at("F-0", pool=(0, 0, 4), cards=cards()), "1", "0")
    assert ("at-bat",) == asked(table)
    assert ("blank-rerolls",) == asked(at("F-0", pool=(12, 0, 0), cards=cards()))
    assert ("at-bat",) == asked(at("F-0", pool=(12, 4, 4), cards=cards()))
    table = at("F-0", pool=(12, 4, 4), cards=cards(), house={"supplyLimit": "unlimited"})
    assert (14, 5, 5) == pool(play(table, "2", "1", "1"))


@pytest.mark.rule("SI-081", "SI-094")
@each(
    ("said", "expected"),
    [
        ("no-outcome", ("1", 1, 0)),
        ("single", ("12", 0, 0)),
        ("double", ("23", 0, 0)),
        ("triple", ("3", 0, 1)),
        ("home-run", ("", 0, 2)),
        ("walk", ("12", 0, 0)),
        ("sacrifice", ("2", 1, 0)),
    ],
)
def test_the_outcome_of_his_dice_is_asked_for(said: str, expected: tuple[str, int, int]) -> None:
    """After the tokens; every outcome can be reported and is carried out."""
    table = swing(play(at("F-0", "1", cards=cards()), "1", "0", "1"), 5)
    assert ("tokens",) == asked(table)
    play(table, "keep")
    assert ("blank-outcome", "The dice show 5. Read F-0's card: what happens?") == (*asked(table), says(table))
    assert expected == stand(play(table, said))


@pytest.mark.rule("SI-125", "SI-126")
def test_the_pitchers_ability_is_asked_for() -> None:
    """Before the roll: fewer dice. After it: dice changed or removed, or runs. Each use costs one token."""
    table = against("F-CUT", team="T-1", cards=deck({"F-CUT": PITCHER, "team T-1": SUM}))
    assert (("before",), ("enough", "fewer")) == (asked(table), offered(table))
    play(table, "fewer")
    assert (("blank-many",), "Read F-CUT's card: how many dice fewer?") == (asked(table), says(table))
    refused(table, "0")
    assert ("1", "2", "3") == offered(table), "five dice, two at least"
    play(table, "2", "enough", [2, 6, 6])
    assert (("ability",), ("enough", "changed", "remove-6", "remove-2", "less", "at-most"), 1) == (
        asked(table),
        offered(table),
        true(table).tired["F-CUT"],
    )
    play(table, "less")
    assert "Read F-CUT's card: how many runs fewer?" == says(table)
    play(table, "4")
    assert (2, 10) == (true(table).tired["F-CUT"], sum(score(table)))
    assert "ability" not in asked(table)
    told = [line.sentence for line in table.play_log_lines()]
    assert {"F-CUT: roll 2 dice fewer. Exhaustion: 1 of 2.", "F-CUT: 4 runs fewer. Exhaustion: 2 of 2."} <= {*told}


def test_a_pitcher_may_remove_a_die_or_set_the_runs() -> None:
    """Down to the team's minimum of dice; zero is a valid number of runs too."""
    table = play(against("F-CUT", team="T-2", cards=cards()), "enough", [2, 4, 6], "remove-2")
    assert (("ability",), ("enough", "changed", "less", "at-most")) == (asked(table), offered(table))
    play(table, "at-most")
    assert (("blank-many",), "Read F-CUT's card: at most how many runs?") == (asked(table), says(table))
    assert tuple(map(str, range(10))) == offered(table)
    assert (2, 1) == (sum(score(play(table.clone(), "5"))), sum(score(play(table, "1"))))
    many = against("F-CUT", team="T-1", cards=deck({"F-CUT": PITCHER, "team T-1": SUM}))
    play(many, "enough", [1, 1, 1, 1, 1], "at-most", "1")
    assert "less" in offered(many), "five runs fewer would be one fewer yet"
    nothing = play(against("F-CUT", team="T-2", cards=cards()), "enough", [1, 1, 6])
    assert ("enough", "changed", "remove-6", "remove-1") == offered(nothing)


def test_dice_are_changed_on_the_table() -> None:
    table = play(against("F-CUT", team="T-2", cards=cards()), "enough", [1, 6, 6], "changed")
    assert ("ability-reroll",) == asked(table)
    play(table, [None, 1, 1], "enough")
    assert (0, True) == (sum(score(table)), "dice-now" in codes(table.log))


@pytest.mark.rule("SI-204", "SI-213")
def test_in_a_duel_only_dice_are_changed() -> None:
    table = at("F-MAX", duel=True, pitcher="F-CUT", cards=cards())
    assert ("relief",) == asked(table)
    swing(play(table, "stays"), 6)
    assert (("ability",), ("enough", "changed")) == (asked(table), offered(table))
    play(table, "changed", [4], "enough")
    assert ("1", 0, 0) == stand(table)
    table = swing(play(at("F-MAX", duel=True, pitcher="F-CUT", cards=cards()), "stays"), 6, 3)
    assert ("enough", "changed", "remove-6", "remove-3") == offered(table)


@pytest.mark.rule("SI-124")
def test_the_teams_runs_are_asked_for() -> None:
    table = play(against(cards=cards()), [2, 4, 6])
    assert ("ability",) == asked(table)
    play(table, "enough")
    assert ("blank-runs", "The dice show 2, 4 and 6. Read t1's card: how many runs?") == (
        *asked(table),
        says(table),
    )
    assert tuple(map(str, range(13))) == offered(table)
    with pytest.raises(IllegalAnswer):
        play(table, "13")
    assert 3 == sum(score(play(table, "3")))
