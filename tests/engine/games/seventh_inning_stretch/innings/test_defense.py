"""Defensive halves: rolling for the opponent's team card."""

from __future__ import annotations

import pytest

from engine.asks import Roll
from engine.games.seventh_inning_stretch.state import Pool
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    deck,
    half,
    pitcher_card,
    refused,
    rolls,
    says,
    skip,
    squad,
    swing,
    team_card,
    true,
    until,
)
from tests.engine.tables import asked, board, inside, offered, panel, play

BENCH = ("T-11", "T-12")

TWO = team_card("T1", 2, 2, "the sum")


def tokens(table: Table, name: str = "F-PIT") -> int:
    return true(table).tired.get(name, 0)


# Who pitches -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-120")
def test_a_pitcher_comes_in_before_the_roll() -> None:
    table = against(pitchers=BENCH)
    assert (("relief",), ("stays", *BENCH)) == (asked(table), offered(table))
    refused(table, "F-PIT", "F-MAX", "F-CUT")
    play(table, "T-11")
    assert ("T-11", ("team",)) == (board(table).pitcher, asked(table))
    refused(play(table, [2, 4, 6]), "T-12", "stays")


@pytest.mark.rule("SI-121")
def test_a_replaced_pitcher_is_out_for_this_game() -> None:
    """He is not on the bench in the next half, but can pitch again in the next game."""
    table = rolls(play(against(pitchers=BENCH), "T-11"), 1, 1, 6)
    assert ("T9", ("stays", "T-12")) == (half(until(table, "relief")), offered(table))
    refused(table, "F-PIT")
    assert ("F-PIT",) == squad(table).dugout
    until(play(table, "stays"), "pitcher")
    assert {"F-PIT", *BENCH} == {*offered(table)}


@pytest.mark.rule("SI-122", "SI-127")
def test_a_replaced_pitcher_keeps_his_exhaustion() -> None:
    table = play(against(pitchers=BENCH, tired={"F-PIT": 2}), "T-11")
    mine = {one["name"]: one for one in panel(table, "squads")["home"]["pitchers"]}
    assert (2, True, 0, True) == (
        mine["F-PIT"]["tired"],
        mine["F-PIT"]["out"],
        mine["T-11"]["tired"],
        mine["T-11"]["pitches"],
    )


# The roll --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-123")
def test_the_team_rolls_the_dice_of_its_card() -> None:
    table = against()
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll)
    assert ("team", ["d6"] * 3) == (ask.why, [die.kind for die in ask.dice])
    assert "Roll 3 dice for t1. Their runs: the difference of the two lowest." == says(table)
    refused(table, [2, 4], [2, 4, 6, 6], [2, 4, 7])


@pytest.mark.rule("SI-124", "SI-029", "SI-128")
@each(("faces", "runs"), [((2, 4, 6), 2), ((1, 1, 6), 0), ((3, 5, 6), 2), ((6, 3, 2), 1), ((6, 6, 1), 5)])
def test_runs_are_scored_as_the_card_says(faces: tuple[int, ...], runs: int) -> None:
    """Here, the difference of the two lowest dice. One roll ends the half, and nobody is out."""
    table = rolls(against(runs=(1, 0)), *faces)
    assert ((runs, 1), "B8", 0) == (true(table).score, half(table), board(table).outs)


@pytest.mark.rule("SI-125", "SI-026")
def test_an_ability_changes_the_dice_for_a_token() -> None:
    table = play(against(), [2, 4, 6])
    assert (("ability",), ("enough", "6-to-4", "4-to-2", "2-to-1")) == (asked(table), offered(table))
    play(table, "4-to-2")
    assert ((2, 2, 6), 1) == (true(table).dice, tokens(table))
    assert ((0, 0), "B8") == (true(play(table, "enough")).score, half(table))


@pytest.mark.rule("SI-125", "SI-126")
def test_an_ability_can_be_used_until_stamina_runs_out() -> None:
    table = play(against(runs=(1, 0)), [2, 4, 6], "6-to-4")
    assert (1, ("ability",)) == (tokens(table), asked(table))
    play(table, "4-to-2")
    assert (2, "B8", (0, 1)) == (tokens(table), half(table), true(table).score)


@pytest.mark.rule("SI-126")
@each(("worn", "more"), [(0, True), (1, True), (2, False)])
def test_an_exhausted_pitcher_has_no_ability(worn: int, more: bool) -> None:
    table = play(against(tired={"F-PIT": worn}), [2, 4, 6])
    assert (more, 2 * (not more)) == (asked(table) == ("ability",), true(table).score[0])
    if more:
        play(table, "4-to-2")
        assert (worn + 1, worn == 0) == (tokens(table), asked(table) == ("ability",))


@pytest.mark.rule("SI-126")
@each(("others", "more"), [(11, True), (12, False)])
def test_no_ability_is_left_with_all_tokens_in_use(others: int, more: bool) -> None:
    """Not even for a pitcher who has stamina."""
    table = play(against(tired={"U-11": 6, "U-12": others - 6}), [2, 4, 6])
    assert more == (asked(table) == ("ability",))


@pytest.mark.rule("SI-127", "SI-142")
def test_only_an_effect_removes_exhaustion() -> None:
    table = rolls(against(tired={"F-PIT": 1}, inning=8), 1, 1, 6)
    assert ("B8", 1) == (half(table), tokens(table))
    assert ("T9", 1) == (half(until(table, "team")), tokens(table))
    until(table, "opponent")
    assert ((False,), 1) == (true(table).won, tokens(table))
    assert (1, "F-PIT") == (tokens(until(table, "batter", "at-bat")), squad(table).pitcher)


@pytest.mark.rule("SI-131")
def test_the_defense_has_no_rerolls_or_nudges() -> None:
    table = play(against(pool=Pool(2, 2, 2)), [2, 4, 6])
    assert ("ability",) == asked(table)
    refused(table, "reroll", "4-up", "4-down")
    assert "tokens" not in [answer.ask.why for answer in play(table, "enough").answers]


@pytest.mark.rule("SI-132")
def test_the_defense_may_decline_everything() -> None:
    table = play(against(pitchers=BENCH), "stays", [2, 4, 6], "enough")
    assert ((2, 0), "F-PIT", {}) == (true(table).score, squad(table).pitcher, true(table).tired)


# Fewer dice ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-028", "SI-125")
@each(("used", "dice"), [(0, 3), (1, 2)])
def test_no_team_rolls_fewer_dice_than_its_minimum(used: int, dice: int) -> None:
    """One use leaves two dice; another is not offered and takes no token. It comes between relief and roll (A33)."""
    table = against("F-CUT", pitchers=BENCH)
    play(table, "stays", *["fewer"] * used)
    assert (("team",) if used else ("before",)) == asked(table)
    skip(table, "before")
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll)
    assert ("team", dice, used) == (ask.why, len(ask.dice), tokens(table, "F-CUT"))
    assert f"Roll {dice} dice for t1. " in says(table)
    play(table, [2, 4, 6][:dice])
    assert ("B8", (2, 0)) == (half(table), true(table).score)


@pytest.mark.rule("SI-028")
def test_no_die_is_removed_below_the_minimum() -> None:
    """Of three dice one can be removed, but not a second (A33)."""
    table = play(against(cards=deck({"F-PIT": pitcher_card("F-PIT", "remove one die")})), [2, 4, 6], "remove-4")
    assert ("B8", (4, 0), 1) == (half(table), true(table).score, tokens(table))


@pytest.mark.rule("SI-028", "SI-026")
@each("duel", [False, True])
def test_removing_a_die_costs_nothing_at_the_minimum(duel: bool) -> None:
    """A team at its minimum of two, or a batter with one die: not offered, and the pitcher takes no token."""
    cards = deck({"F-PIT": pitcher_card("F-PIT", "remove one die"), "team T-1": TWO})
    begun = play(skip(at(duel=True, cards=cards), "relief"), "1") if duel else against(cards=cards)
    table = play(begun, [6] if duel else [2, 6])
    assert "ability" not in asked(table)
    assert 0 == tokens(table)


@pytest.mark.rule("SI-123", "SI-170")
def test_a_playoff_card_may_set_the_number_of_dice() -> None:
    """It adds dice to the team's card, or sets a number with another minimum (A9); it may also add runs.

    The total is capped at twelve dice, and an ability for fewer dice counts down from there.
    """
    for force, pitcher, dice, runs in (
        ("none", "F-PIT", 3, 0),
        ("the opponent rolls 1 die more", "F-PIT", 4, 0),
        ("the opponent rolls 5 dice", "F-PIT", 5, 0),
        ("the opponent rolls at least 3 dice", "F-CUT", 3, 0),
        ("the opponent rolls 9 dice and the opponent rolls 9 dice more", "F-PIT", 12, 0),
        ("the opponent rolls 9 dice and the opponent rolls 4 dice more", "F-CUT", 9, 0),
        ("the opponent scores 1 run more a half", "F-PIT", 3, 1),
    ):
        table = against(pitcher, phase="semifinals", cards=deck(forces={("semifinals", 3): force}))
        while asked(table) == ("before",):
            play(table, "fewer")
        ((_, ask),) = table.open_asks()
        assert isinstance(ask, Roll)
        assert dice == len(ask.dice), force
        assert (runs, 0) == true(rolls(table, *[4] * dice)).score


@each(
    ("force", "dice", "runs"),
    [
        ("none", "Rolls 3 dice, never fewer than 2. Runs: ", ""),
        ("the opponent rolls 1 die more", "Rolls 4 dice (printed 3), never fewer than 2. Runs: ", ""),
        ("the opponent rolls 5 dice", "Rolls 5 dice (printed 3), never fewer than 2. Runs: ", ""),
        ("the opponent rolls at least 3 dice", "Rolls 3 dice, never fewer than 3 (printed 2). Runs: ", ""),
        ("the opponent scores 1 run more a half", "Rolls 3 dice, never fewer than 2. Runs: ", ", and 1 run more"),
    ],
)
def test_the_dice_and_runs_of_a_playoff_card_are_shown(force: str, dice: str, runs: str) -> None:
    """In the panel as they count, with printed numbers behind them, and in the question for the roll."""
    table = against("F-PIT", phase="semifinals", cards=deck(forces={("semifinals", 3): force}))
    ((_, ask),) = table.open_asks()
    rule = inside(ask).facts["rule"]
    assert f"{dice}{rule}" == panel(table, "team")["reads"]
    assert rule.endswith(runs)
    assert ("more" in rule) == bool(runs)


@pytest.mark.rule("SI-171")
@each(
    ("force", "asks"),
    [
        ("none", ["relief", "team", "ability", "ability"]),
        ("no pitcher substitutions", ["team", "ability", "ability"]),
        ("no pitcher abilities", ["relief", "team"]),
        ("at most 1 pitcher ability a half", ["relief", "team", "ability"]),
    ],
)
def test_a_playoff_card_may_restrict_pitchers(force: str, asks: list[str]) -> None:
    table = against(pitchers=BENCH, phase="finals", cards=deck(forces={("finals", 3): force}))
    skip(table, "relief")
    play(table, [2, 4, 6])
    while asked(table) == ("ability",):
        play(table, offered(table)[1])
    assert asks == [one.ask.why for one in table.answers if one.ask.why in ("relief", "team", "ability")]
    assert "B8" == half(table)


# The board -------------------------------------------------------------------------------------------------------


def two_halves(house: dict[str, str] | None = None, mine: int = 0) -> Table:
    """Play two halves away: two runs in the bottom of the seventh, none in the eighth; you score `mine`."""
    table = rolls(against(home=False, inning=7, runs=(mine, 0), house=house), 2, 4, 6)
    return rolls(until(table, "team"), 1, 1, 6)


@pytest.mark.rule("SI-129")
def test_opposing_runs_are_recorded_by_half() -> None:
    """Two and then none, or with running totals by house rule two and two (A35)."""
    side = board(two_halves()).sides["home"]
    assert ((None,) * 6 + (2, 0), 2, "t1") == (side.line, side.runs, side.name)
    side = board(two_halves({"scoreToken": "total"})).sides["home"]
    assert ((None,) * 6 + (2, 2), 2) == (side.line, side.runs)


@pytest.mark.rule("SI-129")
@each(
    ("faces", "runs", "words"),
    [((1, 1, 6), 0, "no runs"), ((3, 4, 6), 1, "1 run"), ((2, 4, 6), 2, "2 runs"), ((1, 6, 6), 5, "5 runs")],
)
def test_the_runs_of_this_half_are_told_whatever_came_in_before(faces: tuple[int, ...], runs: int, words: str) -> None:
    """The team had two in the seventh; you had four before it and one after it."""
    table = rolls(against(home=False, inning=7, runs=(4, 0)), 2, 4, 6)
    until(swing(table, 6), "team")
    rolls(table, *faces)
    told = [one.sentence for one in table.play_log_lines() if "in this half" in one.sentence]
    assert [
        "t1: 2 runs in this half. 4 to 2.",
        "Your team: 1 run in this half. 5 to 2.",
        f"t1: {words} in this half. 5 to {2 + runs}.",
    ] == told
    assert (2, runs, 2 + runs) == (*board(table).sides["home"].line[6:8], board(table).sides["home"].runs)


@pytest.mark.rule("SI-130")
def test_your_half_comes_next() -> None:
    """Away, you bat in the top of the ninth after the bottom of the eighth, and then pitch again."""
    table = two_halves(mine=2)
    assert ("T9", "away", {"home": "away"}) == (half(table), board(table).batting, board(table).plays)
    assert ("swing",) == asked(play(table, "1"))
    assert ("B9", "home") == (half(until(table, "team")), board(table).batting)
