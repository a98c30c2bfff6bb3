"""Intentional walks and sacrifice bunts."""

from __future__ import annotations

import pytest

from engine.games.clutch.at_bat.bunting import bunt, may_bunt
from engine.games.clutch.at_bat.outcomes import intentional_walk, may_walk, owed
from engine.games.clutch.state import Played
from engine.table import Table
from tests.engine.games.clutch import field, fixture
from tests.engine.games.clutch.bases import (
    at,
    event_codes,
    event_sentences,
    folds,
    offered,
    on,
    play,
    stand,
    until,
    wrote,
)
from tests.engine.games.clutch.field import run

CARD = Played("OB+2", "away", "strategy", "at-bat")
COACH = Played("Somebody", "away", "coach", "at-bat")
ON_THE_STEAL = Played("SPD+2", "away", "strategy", "throw")

# Intentional walks (4.1) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-312")
def test_before_any_strategy_card() -> None:
    """Not after one, not where a card forbids it, and not in the basic game."""
    assert may_walk(at())
    assert may_walk(at(played=(COACH,)))
    assert not may_walk(at(played=(COACH, CARD)))
    assert not may_walk(at(forbid="walk"))
    assert not may_walk(at(house={"level": "basic"}))


@pytest.mark.rule("CL-313", "CL-314", "CL-315")
@pytest.mark.parametrize(("bases", "after", "runs"), [("23", "123", 0), ("123", "123", 1), ("2", "12", 0)])
def test_the_batter_takes_first(bases: str, after: str, runs: int) -> None:
    """Without a roll; it counts as a walk for neither of them, and a forced run is driven in and earned."""
    s = at(bases)
    intentional_walk(s)
    assert ((after, 0, runs), {"pa": 1, "ibb": 1, **({"rbi": 1} if runs else {})}) == (stand(s), wrote(s))
    assert (0, 1, runs) == (s.arm.walks, s.arm.intentional, s.arm.earned)
    assert ("IBB", True, False) == (s.at.outcome, "ibb" in s.at.tags, "BB" in s.at.tags)
    assert ((runs, ["walk"]), ["intentional-walk"]) == (folds(s), event_codes(s))


@pytest.mark.rule("CL-316")
def test_it_is_no_pitch() -> None:
    """Who does nothing else has not pitched."""
    s = at()
    intentional_walk(s)
    assert (False, False) == (s.arm.pitched, s.arm.tired)


@pytest.mark.rule("CL-317", "CL-319")
def test_what_the_next_batter_gains() -> None:
    """After one On-Base, after two the Swing too; more only by house rule."""
    for grows, gains in (
        ("false", [(0, 0), (2, 0), (2, 2), (2, 2), (2, 2)]),
        ("true", [(0, 0), (2, 0), (2, 2), (2, 4), (2, 6)]),
    ):
        s = at(house={"ibbRowBonusGrows": grows})
        got = []
        for _ in range(5):
            got.append(owed(s))
            intentional_walk(s)
        assert gains == got


def pitched(table: Table) -> list[tuple[int, int, str]]:
    """Of each pitch its total, the On-Base against it, and whose advantage it was."""
    facts = [one.event.facts for one in table.log if one.event.code == "pitch"]
    return [(one["total"], one["on_base"], one["holder"]) for one in facts]


@pytest.mark.rule("CL-317", "CL-322")
def test_two_more_on_base_for_the_next_batter_only() -> None:
    """Beside what cards may add: three at most."""
    table = run(field.at("T2"), "walk", "P9", "S8", "P9", "S3")
    assert [(12, 12, "A-CA"), (12, 10, "Px")] == pitched(table)
    more = fixture.strategy("OB+2b", "offense", "before the pitch", "on-base +2")
    table = field.at("T2", away=["OB+2", "OB+2b"], cards={"OB+2b": more})
    run(table, "walk", "OB+2", "OB+2b", "P12", "S8")
    assert [(15, 15, "A-CA")] == pitched(table)


@pytest.mark.rule("CL-319")
def test_after_two_walks_the_swing_gains_too() -> None:
    """14 and two more are a double."""
    table = run(field.at("T2"), "walk", "walk", "P9", "S14")
    assert [(12, 12, "A-1B")] == pitched(table)
    assert 1 == field.line(table, "A-1B").doubles


@pytest.mark.rule("CL-318", "CL-320")
def test_a_pinch_hitter_has_the_bonuses() -> None:
    """On his own card."""
    cards = {"A-CA2": fixture.batter("A-CA2", "CA +8", on_base=9)}
    table = run(field.at("T5", cards=cards), "hold", "walk", "pinch-hitter", "A-CA2", "P8", "S8")
    assert [(11, 11, "A-CA2")] == pitched(table)
    cards = {"A-1B2": fixture.batter("A-1B2", "1B +1", on_base=9)}
    table = field.at("T5", cards=cards)
    run(table, "hold", "walk", "hold", "walk", "pinch-hitter", "A-1B2", "P8", "S14")
    assert ([(11, 11, "A-1B2")], 1) == (pitched(table), field.line(table, "A-1B2").doubles)


@pytest.mark.rule("CL-321")
def test_a_batter_pitched_to_breaks_the_row() -> None:
    """After walk, pitch, walk the next batter has On-Base alone."""
    table = run(field.at("T2"), "walk", "BB!", "walk", "P9", "S14")
    assert ((12, 12, "A-2B"), 0) == (pitched(table)[-1], field.line(table, "A-2B").doubles)


@pytest.mark.rule("CL-316")
def test_who_walks_a_batter_and_leaves_has_not_pitched_tired() -> None:
    """Nor has he who is past his limit; the pitch to the next batter is a tired one."""
    table = field.at("T2", arm={"owes": 1})
    run(table, "walk")
    assert (False, False) == (field.mound(table).pitched, field.mound(table).tired)
    run(table, "SO!")
    assert field.mound(table).tired


# Sacrifice bunts (4.2) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-323")
def test_a_bunt_comes_before_cards() -> None:
    """Those on the steal before it do not matter, but by house rule; nor does a coach."""
    assert may_bunt(at("1"))
    assert may_bunt(at("1", played=(COACH,)))
    assert not may_bunt(at("1", played=(CARD,)))
    assert may_bunt(at("1", played=(ON_THE_STEAL,)))
    assert not may_bunt(at("1", played=(ON_THE_STEAL,), house={"buntAfterStealCards": "false"}))
    assert not may_bunt(at("1", forbid="bunt"))
    assert not may_bunt(at("1", house={"level": "basic"}))


@pytest.mark.rule("CL-333")
@pytest.mark.parametrize(
    ("bases", "outs", "helps"),
    [
        ("", 0, False),
        ("1", 0, True),
        ("2", 1, True),
        ("3", 0, False),
        ("12", 0, True),
        ("13", 0, True),
        ("23", 0, False),
        ("123", 0, False),
        ("1", 2, False),
    ],
)
def test_a_bunt_needs_a_runner_it_helps(bases: str, outs: int, helps: bool) -> None:
    """And fewer than two outs; by house rule it is always open."""
    assert helps == may_bunt(at(bases, outs))
    assert may_bunt(at(bases, outs, house={"buntNeedsAdvance": "false"}))


@pytest.mark.rule("CL-324", "CL-325", "CL-330", "CL-331")
@pytest.mark.parametrize("faces", [(13,), (1, 13), (12, 20), (1, 12, "bunt-again", 13)])
@pytest.mark.parametrize(("bases", "after"), [("1", "2"), ("12", "23"), ("2", "3")])
def test_a_bunt_that_is_down(faces: tuple[object, ...], bases: str, after: str) -> None:
    """More than 12, in the first try or a later one: the batter is out, runners move up."""
    s = at(bases)
    assert "done" == play(bunt(s), *faces)
    assert ((after, 1, 0), {"pa": 1, "sac": 1}) == (stand(s), wrote(s))
    assert ((0, ["sacrifice"]), True, "SAC") == (folds(s), "sacrifice" in s.at.tags, s.at.outcome)


@pytest.mark.rule("CL-332", "CL-333")
@pytest.mark.parametrize(
    ("bases", "outs", "after"),
    [("13", 0, "23"), ("123", 0, "123"), ("23", 0, "23"), ("", 0, ""), ("3", 1, "3"), ("12", 2, "12")],
)
def test_nobody_comes_home_on_a_bunt(bases: str, outs: int, after: str) -> None:
    """Who is behind a runner that is held stays; after the third out everybody does."""
    s = at(bases, outs)
    assert "done" == play(bunt(s), 15)
    assert (after, outs + 1, 0) == stand(s)


@pytest.mark.rule("CL-326", "CL-327")
def test_after_two_misses_the_offence_chooses() -> None:
    """After one miss it has to roll again."""
    assert "bunt" == until(bunt(at("1")), 5).why
    assert ("bunt-again", "away", ("bunt-again", "swing")) == offered(bunt(at("1")), 5, 9)


@pytest.mark.rule("CL-328")
def test_a_pitch_after_two_misses() -> None:
    """It has two more."""
    s = at("1")
    assert "pitch" == play(bunt(s), 5, 12, "swing")
    assert (2, ("1", 0, 0), {}) == (s.at.pitch_bonus, stand(s), wrote(s))


@pytest.mark.rule("CL-329")
def test_a_third_miss_is_a_strikeout() -> None:
    """A Result, that is: nobody is out yet."""
    s = at("1")
    assert "SO" == play(bunt(s), 5, 9, "bunt-again", 12)
    assert (("1", 0, 0), {}) == (stand(s), wrote(s))


@pytest.mark.rule("CL-334")
def test_a_bunt_counts_as_a_pitch() -> None:
    """Of a pitcher who owes rest it is a tired one, though it misses."""
    s = at("1")
    step = bunt(s)
    next(step)
    assert not s.arm.pitched
    s = at("1")
    play(bunt(s), 5, 9, "swing")
    assert s.arm.pitched


@pytest.mark.rule("CL-328")
def test_the_pitch_after_two_misses_has_two_more() -> None:
    """On the Pitch, not on the roll: the X-Zone is not touched."""
    table = run(field.at("T2 0o 1--"), "bunt", "B5", "B9", "swing", "P6", "S3")
    assert [(11, 10, "Px")] == pitched(table)
    table = run(field.at("T2 0o 1--"), "bunt", "B5", "B9", "swing", "P1", "S8")
    assert ([(6, 10, "Bx")], True) == (pitched(table), "mistake" in field.event_codes(table))


@pytest.mark.rule("CL-329")
def test_cards_may_change_the_strikeout_of_a_third_miss() -> None:
    """It is a Result like any other; by house rule it is not."""
    change = fixture.strategy("SO>1B", "offense", "on a strikeout", "change SO to 1B")
    table = field.at("T2 0o 1--", away=["SO>1B"], cards={"SO>1B": change})
    run(table, "bunt", "B5", "B9", "bunt-again", "B12", "SO>1B")
    assert ("T2 0o 12-", 1) == (field.now(table), field.line(table, "Bx").h)
    table = field.at("T2 0o 1--", away=["SO>1B"], cards={"SO>1B": change}, house={"buntSoChangeable": "false"})
    run(table, "bunt", "B5", "B9", "bunt-again", "B12")
    assert ("T2 1o 1--", 1, 1) == (field.now(table), field.line(table, "Bx").so, field.mound(table).strikeouts)


@pytest.mark.rule("CL-323", "CL-334")
def test_a_bunt_before_the_pitch() -> None:
    """It is chosen with the steal and the substitutions, and after a steal; a pitcher who owes rest has pitched."""
    table = field.at("T2 0o 1--", arm={"owes": 1})
    run(table, "steal-second", "at-second", "D6", "bunt", "B13")
    assert ("T2 1o --3", True) == (field.now(table), field.mound(table).tired)


def test_hands_are_looked_at_before_a_bunt() -> None:
    """Who holds too many cards discards first (AM-20)."""
    draws = fixture.strategy("DRAW3", "neutral", "when a bunt is declared", "draw 3")
    table = field.at("T2 0o 1--", home=["IP+1"] * 5 + ["DRAW3"], cards={"DRAW3": draws}, decks=((), ["IP+1"] * 3))
    assert ("over-limit", "home") == ((ask := field.upto(table, "over-limit", "bunt", "DRAW3")).why, ask.seat)


def test_what_is_said_of_a_bunt() -> None:
    """What was rolled and wanted, and who moved where."""
    s = at("12")
    play(bunt(s), 5, 13)
    assert [
        "Bx is going to bunt.",
        "The bunt is missed with 5; it wants more than 12.",
        "Bx is out on a sacrifice bunt; A-CF takes third and A-RF takes second. Outs: 1.",
    ] == event_sentences(s)


def test_a_bunt_ends_a_row_of_walks() -> None:
    """The batter was pitched to (CL-228)."""
    s = at("1")
    intentional_walk(s)
    assert (1, "12") == (s.walked, on(s))
    play(bunt(s), 13)
    assert 0 == s.walked


@pytest.mark.rule("CL-324")
def test_what_is_for_this_roll_is_gone_with_the_next() -> None:
    """Eleven and two would be enough; the second eleven is a miss."""
    cards = {"LIFT": fixture.strategy("LIFT", "offense", "after the bunt roll", "bunt roll +2", lasts="this roll")}
    table = field.at("T5 0o 1--", away=["LIFT"], cards=cards)
    field.run(table, "bunt", "B1", "LIFT", "B11", "swing", "P2", "S8")
    assert ("T5 0o 12-", 2) == (field.now(table), field.event_codes(table).count("bunt-missed"))
