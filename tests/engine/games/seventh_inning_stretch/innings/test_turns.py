"""An offensive half, turn by turn: substitutions, what batters bring, and what stays in the pool."""

from __future__ import annotations

import pytest

from engine.games.seventh_inning_stretch.state import Pool
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    NINE,
    at,
    batter_card,
    deck,
    half,
    pool,
    refused,
    says,
    skip,
    squad,
    stand,
    supply,
    swing,
    true,
)
from tests.engine.tables import asked, board, codes, offered, on_base, panel, play

# The half ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-043")
def test_the_third_out_ends_the_half() -> None:
    assert (("", 2, 0), "B8") == (stand(swing(at(outs=1), 3)), half(swing(at(outs=1), 3)))
    table = swing(at(outs=2), 3)
    assert ("T9", ("team",)) == (half(table), asked(table))
    assert ("opponent",) == asked(swing(at(inning=9), 6))


@pytest.mark.rule("SI-044")
def test_a_turn_follows_its_order() -> None:
    """Substitution, resources, steal, at-bat: each is possible in its own step only."""
    table = at("F-7", "1", bench=("F-RES",))
    assert ("batter",) == asked(table)
    refused(table, "steal-second", "1")
    play(table, "bats")
    assert ("resources",) == asked(table)
    play(table, 6)
    assert ("at-bat",) == asked(table)
    refused(table, "F-RES", "bats")
    assert {"1", "2", "3", "0", "steal-second"} == set(offered(table))
    play(table, "steal-second", "1", [5], "1")
    assert ("swing",) == asked(table)
    refused(table, "steal-third", "F-RES")


# 1. Substitution -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-045", "SI-047", "SI-048")
def test_a_substitute_takes_the_same_place() -> None:
    table = at("F-3", slot=2, bench=("F-RES", "F-8"))
    before = squad(table).lineup
    play(table, "F-8")
    assert (*before[:2], "F-8", *before[3:]) == squad(table).lineup
    assert (("F-3",), ("F-RES",)) == (squad(table).dugout, squad(table).available_players)
    assert (("F-3",), "F-8") == (panel(table, "squads")["home"]["dugout"], board(table).batter)


@pytest.mark.rule("SI-046", "SI-047")
def test_only_the_current_batter_is_replaced() -> None:
    table = at("F-3", slot=2, bench=("F-RES",))
    refused(table, *squad(table).lineup)
    assert ("bats", "F-RES") == offered(table)


@pytest.mark.rule("SI-049")
def test_players_in_the_dugout_are_out_for_this_game() -> None:
    table = swing(play(at(outs=2, bench=("F-RES", "F-8")), "F-RES"), 3)
    play(skip(table, "tokens"), [1, 1, 1])
    assert ("B9", ("batter",)) == (half(table), asked(table))
    refused(table, "F-MAX")
    assert ("bats", "F-8") == offered(table)


@pytest.mark.rule("SI-051")
def test_a_pitcher_cannot_pinch_hit() -> None:
    table = at(bench=("F-RES",), pitchers=("F-CUT",))
    assert "F-CUT" in squad(table).available_players
    refused(table, "F-CUT", "F-PIT")
    assert ("at-bat",) == asked(at(pitchers=("F-CUT",)))


@pytest.mark.rule("SI-052")
def test_the_substitutes_own_card_counts() -> None:
    table = at("F-PAIR", pool=(1, 0, 0), bench=("F-RES",))
    assert (1, 0, 0) == pool(table)
    play(table, "F-RES")
    assert (2, 1, 1) == pool(table)
    assert ("", 0, 1) == stand(skip(swing(table, 6), "tokens"))


@pytest.mark.rule("SI-209")
def test_a_turn_allows_one_substitute() -> None:
    table = play(at("F-3", bench=("F-RES", "F-8")), "F-8")
    assert ("at-bat",) == asked(table)
    refused(table, "F-RES")
    table = play(at("F-3", bench=("F-RES", "F-8"), house={"subsPerTurn": "unlimited"}), "F-8")
    assert (("batter",), ("bats", "F-RES")) == (asked(table), offered(table))
    refused(table, "F-3")
    play(table, "F-RES")
    assert (("at-bat",), ("F-3", "F-8")) == (asked(table), squad(table).dugout)
    table = at("F-3", bench=("F-RES", "F-8"), house={"subsPerTurn": "unlimited"})
    assert ("at-bat",) == asked(play(table, "F-8", "bats"))


# 2. Gather -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-053")
def test_a_batter_brings_what_his_card_says() -> None:
    table = at(pool=(1, 0, 0), bench=("F-RES",))
    assert (1, 11) == (pool(table)[0], supply(table).dice)
    play(table, "bats")
    assert (3, 9) == (pool(table)[0], supply(table).dice)
    table = at(pool=(11, 0, 0))
    assert (12, 0) == (pool(table)[0], supply(table).dice)


@pytest.mark.rule("SI-053")
@each("there", range(13))
@each("brings", range(5))
def test_dice_come_from_the_supply_as_far_as_it_goes(brings: int, there: int) -> None:
    """Whatever a card says, pool and supply are twelve dice together; other tokens are counted for themselves."""
    cards = deck({"F-0": batter_card("F-0", ["a 6: single"], str(brings), "rerolls = 2\nnudges = 2\n")})
    table = at("F-0", pool=(there, 3, 3), bench=("F-8",), cards=cards)
    assert ((there, 3, 3), Pool(12 - there, 1, 1)) == (pool(table), supply(table))
    play(table, "bats")
    now = min(12, there + brings)
    if now:
        assert ((now, 4, 4), Pool(12 - now)) == (pool(table), supply(table))
        assert {str(count) for count in range(now + 1)} == set(offered(table))


@pytest.mark.rule("SI-003")
def test_the_pool_never_has_a_thirteenth_die() -> None:
    """Nor a fifth token, unless the house has more than the box; never more than twelve at once even then."""
    table = at("F-RES", pool=(12, 4, 4))
    assert ((12, 4, 4), Pool()) == (pool(table), supply(table))
    refused(table, "13")
    assert ("swing",) == asked(play(table, "12"))
    table = at("F-RES", pool=(12, 4, 4), house={"supplyLimit": "unlimited"})
    assert (13, 5, 5) == pool(table)
    refused(table, "13")
    play(table, "12", [1] * 12)
    assert (1, 5, 5) == pool(table)


@pytest.mark.rule("SI-054")
@each(
    ("dice", "bases", "outs", "lead", "brings"),
    [
        ("1 a runner", "12", 0, 0, 2),
        ("1 a runner", "", 0, 0, 0),
        ("1 an out", "1", 2, 0, 2),
        ("1 a batter on the bench", "1", 0, 0, 3),
        ("3 with runners on; else 1", "3", 0, 0, 3),
        ("3 with runners on; else 1", "", 0, 0, 1),
        ("2 when behind; else 1", "", 0, -1, 2),
        ("2 when behind; else 1", "", 0, 1, 1),
        ("3 from the 9th; else 1", "", 0, 0, 1),
    ],
)
def test_a_star_follows_its_own_rule(dice: str, bases: str, outs: int, lead: int, brings: int) -> None:
    """The rule looks at the field, the outs, the bench or the score as the batter comes up."""
    runs = (max(0, lead), max(0, -lead))
    bench, cards = ("F-6", "F-7", "F-8"), deck({"F-0": batter_card("F-0", ["a 6: single"], dice)})
    table = at("F-0", bases, outs, (1, 0, 0), runs=runs, bench=bench, cards=cards)
    assert 1 + brings == pool(play(table, "bats"))[0]


@pytest.mark.rule("SI-054")
def test_a_star_may_need_a_die_roll() -> None:
    for face, brings in enumerate((0, 0, 1, 2, 2, 3), 1):
        assert 1 + brings == pool(play(at("F-7", "1", pool=(1, 0, 0)), face))[0]


@pytest.mark.rule("SI-055", "SI-056", "SI-065")
@each(
    ("house", "pool_", "answers", "brings"),
    [
        ("allowed", (0, 0, 1), ["5-up"], 3),
        ("allowed", (0, 1, 0), ["reroll", [6]], 3),
        ("allowed", (0, 0, 1), ["keep"], 2),
        ("none", (0, 1, 1), [], 2),
    ],
)
def test_tokens_change_a_stars_die(house: str, pool_: tuple[int, int, int], answers: list[object], brings: int) -> None:
    """It is a roll of your half like any other, unless the house says otherwise (A37)."""
    table = play(at("F-7", "1", pool=pool_, house={"starDieTokens": house}), [5])
    assert (("tokens",) if answers else ("at-bat",)) == asked(table)
    if answers:
        assert "F-7: the dice show 5, 2 dice." in says(table)
    play(table, *answers)
    _, rerolls, nudges = pool_
    spent = bool(answers) and answers != ["keep"]
    assert (brings, rerolls - spent * rerolls, nudges - spent * nudges) == pool(table)


def test_without_dice_no_question_is_asked() -> None:
    table = at("F-6", slot=3)
    assert (("", 1, 0), NINE[3]) == (stand(table), board(table).batter)
    assert ["gathers", "out", "gathers"] == codes(table.log)[-3:]


# The pool ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-058", "SI-060")
def test_a_half_begins_and_ends_with_an_empty_pool() -> None:
    """At the third out everything returns to the supply, and the pool is still empty when you bat again."""
    table = play(at("F-RES", outs=2, pool=(3, 1, 1), bench=("F-8",)), "bats")
    assert (4, 2, 2) == pool(table)
    swing(table, 1)
    play(table, "keep")
    assert (Pool(), Pool(12, 4, 4)) == (true(table).pool, true(table).supply_left)
    play(table, [1, 1, 1])
    assert ("B9", ("batter",), (0, 0, 0), Pool(12, 4, 4)) == (half(table), asked(table), pool(table), supply(table))


@pytest.mark.rule("SI-059")
def test_unused_resources_stay_for_the_next_batter() -> None:
    table = swing(at("F-RES", pool=(1, 0, 0), slot=3), 1)
    play(table, "keep")
    assert (NINE[3], (3, 1, 1)) == (board(table).batter, pool(table))


@pytest.mark.rule("SI-055")
def test_a_reroll_token_rerolls_any_dice() -> None:
    """Any number of dice, at least one. The others stay, and the token returns to the supply."""
    table = play(at(pool=(1, 1, 0), bench=("F-8",)), "bats")
    swing(table, 2, 3, 6)
    assert (("tokens",), ("keep", "reroll")) == (asked(table), offered(table))
    play(table, "reroll")
    refused(table, [None, None, None])
    play(table, [5, 1, None])
    assert ((5, 1, 6), ("", 0, 1)) == (true(table).dice, stand(table))
    assert ((0, 0, 0), Pool(12, 4, 4)) == (pool(table), supply(table))


@pytest.mark.rule("SI-056")
@each(("way", "face", "bases"), [("4-up", 5, "2"), ("4-down", 3, "")])
def test_a_token_turns_a_die_by_one(way: str, face: int, bases: str) -> None:
    table = swing(play(at(pool=(0, 0, 1), bench=("F-8",)), "bats"), 4)
    play(table, way)
    assert ((face,), bases) == (true(table).dice, on_base(table))
    assert ((1, 0, 0), Pool(11, 4, 4)) == (pool(table), supply(table))


@pytest.mark.rule("SI-057")
def test_no_die_is_turned_beyond_its_faces() -> None:
    table = swing(at(pool=(0, 0, 1)), 6, 1)
    assert ("keep", "1-up", "6-down") == offered(table)
    refused(table, "6-up", "1-down")


def test_tokens_can_be_mixed_freely() -> None:
    """In any number and order; by house rule at most one of each kind."""
    table = swing(at(pool=(1, 2, 2)), 1, 1, 1)
    play(table, "1-up", "reroll", [None, 2, None], "2-up", "reroll", [None, 3, None])
    assert ((3, 3, 1), ("", 1, 0)) == (true(table).dice, stand(table))
    table = swing(at(pool=(1, 2, 2), house={"tokensPerRoll": "oneEach"}), 1, 1, 1)
    play(table, "1-up")
    assert ("keep", "reroll") == offered(table)
    refused(table, "1-up", "2-down")
    play(table, "reroll", [None, 2, None])
    assert (("", 1, 0), (2, 1, 1)) == (stand(table), pool(table))
    assert ("tokens",) == asked(swing(table, 1))


# The next batter ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-116")
@each(("slot", "after"), [(3, 4), (8, 0)])
def test_the_next_batter_comes_up(slot: int, after: int) -> None:
    for faces in ((3, 3), (4, 4)):
        table = swing(at(slot=slot), *faces)
        assert (after, squad(table).lineup[after]) == (squad(table).slot, board(table).batter)


@pytest.mark.rule("SI-117")
def test_the_next_batter_leads_off_the_next_half() -> None:
    table = play(swing(at(outs=2, slot=5), 3), [1, 1, 1])
    assert ("B9", squad(table).lineup[6]) == (half(table), board(table).batter)
