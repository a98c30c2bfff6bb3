"""The at-bat, from its start to the Outcome: charts, intentional walks, sacrifice bunts (3.2.E, 3.8, 4.1, 4.2)."""

from __future__ import annotations

import pytest

from engine.games.clutch.at_bat.bunting import bunt, may_bunt
from engine.games.clutch.at_bat.outcomes import intentional_walk, intentional_walk_bonus, may_walk
from engine.games.clutch.state import PlayedCard
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch import fixture, steps
from tests.engine.games.clutch.field import (
    at,
    by_rule,
    event_codes,
    line,
    mound,
    now,
    options,
    run,
    state,
    until,
    upto,
)
from tests.engine.games.clutch.steps import play
from tests.engine.tables import asked


@pytest.mark.rule("CL-189", "CL-183")
def test_a_pitch_roll_below_one_is_a_mistake() -> None:
    """Any total not above the X-Zone is in it (AM-27)."""
    table = at(home=["PR-1"])
    upto(table, "swing", "P1", "PR-1")
    assert (0, True) == (state(table).at.pitch_roll, state(table).at.mistake)


@pytest.mark.rule("CL-155")
def test_a_third_out_by_a_card_ends_the_at_bat_before_any_choice() -> None:
    """The side at bat has none any more; the same batter leads off the next inning (AM-68)."""
    card = fixture.strategy("PICK", "defense", "at the start of an at-bat", "the lead runner is out")
    table = at("T5 2o 1--", home=["PICK"], cards={"PICK": card}, decks=((), ()))
    until(table, "PICK")
    assert "B5 0o ---" == now(table)
    assert "offence" not in [one.ask.why for one in table.answers]
    assert "Bx" == state(table).squad("away").batter


@pytest.mark.rule("CL-104", "CL-105")
@each(("runs", "quality"), [(2, False), (1, True)])
def test_a_quality_appearance_is_judged_after_the_play(runs: int, quality: bool) -> None:
    """A double play ends with the 15th out and a run scores on it: two runs and that one are three."""
    table = at("T5 0o 1-3", arm={"outs": 13, "runs": runs, "earned": runs, "faced": 20}, level="players")
    arm = mound(run(table, "GB!", "D20"))
    assert (15, runs + 1, quality, False) == (arm.outs, arm.runs, arm.quality, arm.due)


# Before the cards ----------------------------------------------------------------------------------------------------

CARD = PlayedCard("OB+2", "away", "strategy", "at-bat")
COACH = PlayedCard("Somebody", "away", "coach", "at-bat")
CALL = {"CALL": fixture.strategy("CALL", "neutral", "at the start of an at-bat", "draw 1")}


@pytest.mark.rule("CL-312", "CL-323")
def test_a_coach_blocks_neither_walk_nor_bunt() -> None:
    assert [True, True, False] == [may_walk(steps.at(played=played)) for played in ((), (COACH,), (COACH, CARD))]
    assert [True, True, False] == [may_bunt(steps.at("1", played=played)) for played in ((), (COACH,), (COACH, CARD))]


@pytest.mark.parametrize(
    ("script", "why", "chosen"),
    by_rule(("CL-312", ("pinch-hitter", "A-CA2"), "walk", "walk"), ("CL-323", (), "offence", "bunt")),
)
def test_a_card_blocks_the_intentional_walk_and_the_bunt(script: tuple[str, ...], why: str, chosen: str) -> None:
    """After a pinch hitter the defense is asked again whether it walks him, but not once it has played a card."""
    for side in ("home", "away"):
        for card in ((), (f"{side}:CALL",)):
            table = at("T5 0o 1--", away=["CALL"], home=["CALL"], cards=CALL)
            until(table, *card, *script)
            while table.open_asks()[0][1].why not in (why, "pitch"):
                until(table, options(table.open_asks()[0][1])[0])
            assert bool(card) == (chosen not in getattr(table.open_asks()[0][1], "options", ()))


@pytest.mark.rule("CL-323", "CL-166")
@each("allowed", [True, False])
def test_a_card_on_a_steal_does_not_block_the_bunt(allowed: bool) -> None:
    """A house rule can change that (AM-02)."""
    table = at("T5 0o 1--", away=["SPD+2"], house={"buntAfterStealCards": str(allowed).lower()})
    until(table, "steal-second", "at-second", "SPD+2", "D1")
    assert 1 == len([one for one in table.answers if one.ask.why == "offence"])
    assert allowed == ("offence" in asked(table) and "bunt" in options(table.open_asks()[0][1]))


# Intentional walks (4.1) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-314", "CL-315", "CL-316")
def test_an_intentional_walk_is_not_a_pitch() -> None:
    """A pitcher who does nothing else has not pitched; batter and pitcher are not credited with a walk."""
    s = steps.at("123")
    intentional_walk(s)
    assert (False, False) == (s.current_record.pitched, s.current_record.tired)
    assert ("IBB", True, False) == (s.at.outcome, "ibb" in s.at.tags, "BB" in s.at.tags)
    assert ["intentional-walk"] == steps.event_codes(s)


@pytest.mark.rule("CL-317", "CL-319")
@each(("grows", "fifth"), [("false", (2, 2)), ("true", (2, 6))])
def test_the_next_batters_bonus(grows: str, fifth: tuple[int, int]) -> None:
    """One walk gives On-Base, two give the Swing too; only a house rule gives more."""
    s, got = steps.at(house={"ibbRowBonusGrows": grows}), []
    for _ in range(5):
        got.append(intentional_walk_bonus(s))
        intentional_walk(s)
    assert [(0, 0), (2, 0), (2, 2)] == got[:3]
    assert fifth == got[4]


def pitched(table: Table) -> list[tuple[int, int, str]]:
    """Return for each pitch its total, the On-Base against it, and who has the Advantage."""
    facts = [one.event.facts for one in table.log if one.event.code == "pitch"]
    return [(one["total"], one["on_base"], one["holder"]) for one in facts]


NINE = {
    "OB+2b": fixture.strategy("OB+2b", "offense", "before the pitch", "on-base +2"),
    "A-CA2": fixture.batter("A-CA2", "CA +8", on_base=9),
}
WALK = ("walk",)


@pytest.mark.parametrize(
    ("script", "pitches", "doubles"),
    by_rule(
        # On-Base +2 for the next batter only, on top of the three that cards may add.
        ("CL-317", (*WALK, "P9", "S8", "P9", "S3"), [(12, 12, "A-CA"), (12, 10, "Px")], 0),
        ("CL-317 CL-322", (*WALK, "OB+2", "OB+2b", "P12", "S8"), [(15, 15, "A-CA")], 0),
        # After two walks the Swing gets it too: 14 plus 2 is a double.
        ("CL-319", (*WALK, *WALK, "P9", "S14"), [(12, 12, "A-1B")], 1),
        # A pinch hitter gets both, on his own card.
        ("CL-318 CL-320", (*WALK, "no-change", "pinch-hitter", "A-CA2", "P8", "S8"), [(11, 11, "A-CA2")], 0),
        (
            "CL-318 CL-320",
            (*WALK, *WALK, "no-change", "pinch-hitter", "A-CA2", "P8", "S14"),
            [(11, 11, "A-CA2")],
            1,
        ),
        # A pitch to a batter breaks the row: after walk, pitch, walk the next batter has only On-Base.
        ("CL-321", (*WALK, "BB!", *WALK, "P9", "S14"), [(5, 12, "A-CA"), (12, 12, "A-2B")], 0),
    ),
)
def test_the_batter_after_an_intentional_walk(
    script: tuple[str, ...], pitches: list[tuple[int, int, str]], doubles: int
) -> None:
    table = run(at("T5", away=["OB+2", "OB+2b"], cards=NINE), *script)
    assert pitches == pitched(table)
    assert doubles == sum(one.doubles for one in state(table).lines[0].values())


@pytest.mark.rule("CL-316", "CL-334")
def test_a_bunt_counts_as_a_pitch_and_an_intentional_walk_does_not() -> None:
    """A pitcher who owes rest has pitched tired after a bunt or a pitch, but not after only a walk."""
    for script, tired in (("walk",), False), (("walk", "SO!"), True), (("bunt", "B13"), True):
        table = run(at("T5 0o 1--", arm={"owes": 1}), *script)
        assert (tired, tired) == (mound(table).pitched, mound(table).tired)


# Sacrifice bunts (4.2) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-333")
@each(
    ("where", "outs", "helps"),
    [
        ("", 0, 0),
        ("1", 0, 1),
        ("2", 1, 1),
        ("3", 0, 0),
        ("12", 0, 1),
        ("13", 0, 1),
        ("23", 0, 0),
        ("123", 0, 0),
        ("1", 2, 0),
    ],
)
def test_a_bunt_needs_a_runner_it_helps(where: str, outs: int, helps: int) -> None:
    """It also needs fewer than two outs; by a house rule it is always possible."""
    assert bool(helps) == may_bunt(steps.at(where, outs))
    assert may_bunt(steps.at(where, outs, house={"buntNeedsAdvance": "false"}))


@pytest.mark.parametrize(
    ("faces", "end", "stands", "wrote"),
    by_rule(
        ("CL-324 CL-330", (5, 13), "done", ("23", 1, 0), {"pa": 1, "sac": 1}),
        ("CL-328", (5, 12, "swing"), "pitch", ("12", 0, 0), {}),
        # A third miss is a Result: nobody is out yet.
        ("CL-329", (5, 9, "bunt-again", 12), "SO", ("12", 0, 0), {}),
    ),
)
def test_how_a_bunt_ends(
    faces: tuple[object, ...], end: str, stands: tuple[str, int, int], wrote: dict[str, int]
) -> None:
    s = steps.at("12")
    s.walked = 1
    assert (end, stands, wrote) == (play(bunt(s), *faces), steps.stand(s), steps.wrote(s))
    assert (2 if end == "pitch" else 0, True) == (s.at.pitch_bonus, s.current_record.pitched)
    if end == "done":
        assert (True, "SAC", 0) == ("sacrifice" in s.at.tags, s.at.outcome, s.walked)
        assert [
            "Bx squares to bunt.",
            "Bx misses the bunt: 5, and it takes 13 or more.",
            "Bx is out on a sacrifice bunt; A-CF takes third and A-RF takes second. Outs: 1.",
        ] == steps.event_sentences(s)


@pytest.mark.rule("CL-328")
@each(("face", "total", "mistake"), [("P6", 11, False), ("P1", 6, True), ("P2", 7, False)])
def test_the_pitch_after_two_misses_gets_two_more(face: str, total: int, mistake: bool) -> None:
    """The bonus is on the Pitch, not on the roll, so it does not affect the X-Zone."""
    table = at("T1 0o 1--")
    upto(table, "swing", "bunt", "B5", "B9", "swing", face)
    assert (total, mistake) == (state(table).at.pitch, state(table).at.mistake)
    assert ("pitcher" if total > 10 else "batter") == state(table).at.advantage


@pytest.mark.rule("CL-329")
@each(("house", "script", "after", "hits"), [("true", ["SO>1B"], "T2 0o 12-", 1), ("false", [], "T2 1o 1--", 0)])
def test_cards_may_change_the_strikeout_of_a_third_miss(house: str, script: list[str], after: str, hits: int) -> None:
    """It is a Result like any other; by a house rule it cannot be changed."""
    change = fixture.strategy("SO>1B", "offense", "on a strikeout", "change SO to 1B")
    table = at("T2 0o 1--", away=["SO>1B"], cards={"SO>1B": change}, house={"buntSoChangeable": house})
    run(table, "bunt", "B5", "B9", "bunt-again", "B12", *script)
    assert (after, hits, 1 - hits, 1 - hits) == (
        now(table),
        line(table, "Bx").h,
        line(table, "Bx").so,
        mound(table).strikeouts,
    )


def test_the_hand_limit_applies_before_a_bunt() -> None:
    """A manager with too many cards discards first (AM-20)."""
    draws = fixture.strategy("DRAW3", "neutral", "when a bunt is declared", "draw 3")
    table = at("T2 0o 1--", home=["IP+1"] * 5 + ["DRAW3"], cards={"DRAW3": draws}, decks=((), ["IP+1"] * 3))
    assert "home" == upto(table, "over-limit", "bunt", "DRAW3").seat


@pytest.mark.rule("CL-324")
def test_a_bonus_for_one_roll_ends_with_it() -> None:
    """Eleven plus two would be enough; the second eleven is a miss."""
    cards = {"LIFT": fixture.strategy("LIFT", "offense", "after the bunt roll", "bunt roll +2", lasts="this roll")}
    table = at("T5 0o 1--", away=["LIFT"], cards=cards)
    run(table, "bunt", "B1", "LIFT", "B11", "swing", "P2", "S8")
    assert ("T5 0o 12-", 2) == (now(table), event_codes(table).count("bunt-missed"))
