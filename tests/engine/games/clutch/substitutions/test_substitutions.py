"""Substitutions of batters and fielders at the start of an at-bat, and late ones (3.5, 3.9.A)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.asks import Choose
from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS
from engine.games.clutch.half_innings import begin_half
from engine.games.clutch.numbers import fielding
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import PlayedCard, State
from engine.games.clutch.substitutions import bench
from engine.games.clutch.substitutions.substitutions import late_changes, legal_changes, make_change
from engine.innings import Half
from engine.seats import Seat
from engine.secrets import SealedValue
from tests.each import each
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import batter, written
from tests.engine.games.clutch.steps import (
    NEVER_MIND,
    SUBS,
    arm,
    do,
    event_sentences,
    options,
    order,
    play,
    ready,
    until,
)

AWAY = ("pinch-hitter",)
HOME = ("new-pitcher", "replace", "double-switch", "positions")


def place(s: State, name: str, side: Seat = "home") -> int:
    """Return his place in the batting order, from 1."""
    return s.squad(side).order.index(name) + 1


# When ----------------------------------------------------------------------------------------------------------------


RUNS = (*AWAY, "pinch-runner")
MOVES = ("positions",)


@pytest.mark.parametrize(
    ("inning", "half", "bases", "house", "thrown", "home", "away"),
    by_rule(
        # Each side has the substitutions of its role.
        ("CL-124 CL-127", 6, "top", "2", {}, {}, HOME, RUNS),
        ("CL-127", 6, "bottom", "1", {}, {}, RUNS, HOME),
        # None after the pitch or after a bunt attempt.
        ("CL-119", 6, "top", "1", {}, {"pitch_natural": 7}, (), ()),
        ("CL-119", 6, "top", "1", {}, {"bunt": 3}, (), ()),
        # None before the fourth, unless the house allows them; moves do not count (AM-05, AM-06).
        ("CL-120", 3, "top", "1", {}, {}, MOVES, ()),
        ("CL-120", 3, "bottom", "1", {}, {}, (), MOVES),
        ("CL-120", 4, "top", "1", {}, {}, HOME, RUNS),
        ("CL-120", 2, "top", "", {"subLockInning": "0"}, {}, HOME, AWAY),
        ("CL-120", 2, "top", "", {"positionMovesBefore4th": "false"}, {}, (), ()),
        ("CL-120", 2, "top", "", {"positionMovesBefore4th": "false", "subLockInning": "0"}, {}, HOME, AWAY),
    ),
)
def test_which_substitutions_are_possible(
    inning: int,
    half: Half,
    bases: str,
    house: dict[str, str],
    thrown: dict[str, int],
    home: tuple[str, ...],
    away: tuple[str, ...],
) -> None:
    s = ready(inning, half, bases, house=house)
    arm(s, outs=9)
    s.update_at_bat(**thrown)
    assert (home, away) == (legal_changes(s, "home"), legal_changes(s, "away"))


@pytest.mark.rule("CL-121")
@each(("half", "letter"), [("top", "H"), ("bottom", "A")])
@each("inning", [1, 2, 3])
def test_an_opener_can_be_replaced_early(inning: int, half: Half, letter: str) -> None:
    """By the bulk pitcher, after three batters, though he is not tired; nobody else can be replaced, nor he himself
    after two batters (CL-140).
    """
    side: Seat = "home" if half == "top" else "away"
    opener, bulk = f"{letter}-OP", f"{letter}-BP"
    for starter, role, faced, may in ((opener, "OP", 3, True), (opener, "OP", 2, False), *_OTHERS):
        s = ready(inning, half, starter=starter)
        arm(s, role=role, limit=5, outs=2, faced=faced, finished=False)
        assert not pitcher_record.is_tired(s.current_record, s.house)
        assert (("new-pitcher",) if may else ()) + MOVES == legal_changes(s, side)
    s = ready(inning, half, starter=opener)
    arm(s, outs=2, faced=3, finished=False)
    play(make_change(s, side, "new-pitcher"), bulk)
    assert (bulk, "BP", 4) == (s.pitcher_card.name, s.current_record.role, s.current_record.limit)
    s = ready(inning, half, starter=opener, house={"opRequiresBp": "false"})
    assert (bulk, NEVER_MIND) == options(make_change(s, side, "new-pitcher"))


_OTHERS = (("", "SP", 9, False), ("", "RP", 9, False), ("", "BP", 9, False))
"""Pitchers who are no openers: who starts, in what role, how many he has faced, and whether he may leave."""


@pytest.mark.rule("CL-122")
@each(("exempt", "bulk"), [("opAndAnyTired", True), ("opAndTiredSp", False)])
def test_a_tired_starter_can_be_replaced_early(exempt: str, bulk: bool) -> None:
    """Eight walks cost two of his four innings: he tires after six outs. By a house rule a bulk pitcher may leave."""
    for role, may in (("SP", True), ("BP", bulk)):
        s = ready(3, house={"subLockExempt": exempt})
        arm(s, role=role, limit=4, walks=8, outs=6)
        assert may == ("new-pitcher" in legal_changes(s, "home"))
        arm(s, walks=7)
        assert "new-pitcher" not in legal_changes(s, "home")


@each("code", HOME)
def test_with_nobody_left_only_moves_are_possible(code: str) -> None:
    s = ready(bases="1")
    s.update_squad("home", bench=SUBS[:1], bullpen=())
    assert (code in ("replace", "positions")) == (code in legal_changes(s, "home"))
    s.update_squad("home", bench=())
    assert ("positions",) == legal_changes(s, "home")
    s.update_squad("away", bench=())
    assert () == legal_changes(s, "away")


NEUTRAL = {"set": "F", "rarity": "common", "side": "neutral", "do": "draw 1"}

ENTERING = {
    who: written("strategy", name=who, when=f"when a {who.lower()} comes in", **NEUTRAL)
    for who in ("Pitcher", "Pinch hitter", "Pinch runner", "Fielder")
}
"""Cards that wait for somebody to come in."""


@each(
    ("code", "side", "answers", "card"),
    [
        ("pinch-hitter", "away", ("A-LF2",), "Pinch hitter"),
        ("pinch-runner", "away", ("A-RF", "A-LF2"), "Pinch runner"),
        ("new-pitcher", "home", ("Rx",), "Pitcher"),
        ("replace", "home", ("H-LF", "H-LF2", "LF"), "Fielder"),
        ("double-switch", "home", ("H-LF", "H-SS", "H-SS2", "H-LF2", "H-SS2", "H-SS2"), "Fielder"),
    ],
)
def test_cards_may_target_the_new_player(code: str, side: Seat, answers: tuple[str, ...], card: str) -> None:
    s = ready(cards=ENTERING, house={"level": "full"}, bases="1")
    s.update_squad("home", hand=tuple(SealedValue("home", name, -1) for name in ENTERING), deck=("STICK",))
    ask = until(make_change(s, side, code), *answers)
    assert isinstance(ask, Choose)
    assert ("cards-enter", "home", "pass", card) == (ask.why, ask.seat, *ask.options[:2])
    assert not set(ENTERING) & set(ask.options[2:])


NEVER: Mapping[str, tuple[tuple[object, ...], ...]] = {
    "new-pitcher": ((),),
    "pinch-hitter": ((),),
    "pinch-runner": ((), ("A-RF",)),
    "replace": ((), ("H-LF",), ("H-LF", "H-SS2"), ("H-LF", "H-SS2", "another-position")),
    "double-switch": (
        (),
        ("H-LF",),
        ("H-LF", "H-SS"),
        ("H-LF", "H-SS", "H-SS2"),
        ("H-LF", "H-SS", "H-SS2", "H-LF2"),
        ("H-LF", "H-SS", "H-SS2", "H-LF2", "H-SS2"),
    ),
    "positions": ((), ("H-LF",)),
}
"""Answers after which one can still leave it."""


@each(("code", "before"), [(code, one) for code, many in NEVER.items() for one in many])
def test_never_mind_changes_nothing(code: str, before: tuple[object, ...]) -> None:
    s = ready(bases="1")
    was = s.copy()
    side: Seat = "away" if code.startswith("pinch") else "home"
    assert not do(s, code, *before, NEVER_MIND, side=side)
    assert was == s


# Batters -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-125")
def test_a_pinch_hitter_stays_in() -> None:
    s = ready()
    s.update_squad("away", slot=6)
    assert "A-LF" == s.batter_card.name
    do(s, "pinch-hitter", "A-SS2", side="away")
    squad = s.squad("away")
    assert ("A-SS2", "A-SS2", "LF", 7) == (
        s.batter_card.name,
        squad.player_at("LF"),
        squad.spots[6],
        place(s, "A-SS2", "away"),
    )
    assert (("A-LF",), ("A-CA2", "A-1B2", "A-LF2")) == (squad.gone, squad.bench)
    assert -3 == fielding.printed_unit_rating(s, "away", "LF")
    line = s.lines[0]["A-SS2"]
    assert ("A-SS2", 6, ("PH",)) == (line.name, line.spot, line.positions)
    bench.record_positions(s, "away")
    assert ("PH", "LF") == s.lines[0]["A-SS2"].positions
    assert ("CF",) == s.lines[0]["A-CF"].positions
    assert ["A-SS2 bats for A-LF."] == event_sentences(s)


@pytest.mark.rule("CL-144")
def test_a_pinch_hitter_may_be_replaced_before_batting() -> None:
    s = ready()
    do(s, "pinch-hitter", "A-SS2", side="away")
    do(s, "pinch-hitter", "A-LF2", side="away")
    assert (("Bx", "A-SS2"), ("A-CA2", "A-1B2")) == (s.squad("away").gone, s.squad("away").bench)
    assert ("A-LF2", DH) == order(s, "away")[0]
    assert ["Bx", "A-CA", "A-1B", "A-2B", "A-3B", "A-SS", "A-LF", "A-CF", "A-RF", "A-SS2", "A-LF2"] == list(s.lines[0])


@pytest.mark.rule("CL-123")
def test_nobody_returns() -> None:
    s = ready()
    do(s, "replace", "H-LF", "H-LF2", "LF")
    do(s, "new-pitcher", "Rx")
    arm(s, faced=3)
    assert ("H-R2", "H-R3", "H-OP", NEVER_MIND) == options(make_change(s, "home", "new-pitcher"))
    assert (*SUBS[:3], NEVER_MIND) == options(make_change(s, "home", "replace"), "H-CF")
    assert ("H-LF", "Px") == s.squad("home").gone


@pytest.mark.rule("CL-126")
def test_a_pinch_runner_stands_on_the_base() -> None:
    s = ready(bases="12", cards={"A-LF2": batter("A-LF2", "LF +1", baserunning=22)})
    s.bases = (replace(s.bases[0] or BaseRunner("", ""), earned=False), s.bases[1], None)
    assert ("A-RF", "A-CF", NEVER_MIND) == options(make_change(s, "away", "pinch-runner"))
    ask = until(make_change(s, "away", "pinch-runner"), "A-RF")
    assert "Baserunning 22, Stealing 15; can play LF +1" == ask.facts["notes"]["A-LF2"]
    do(s, "pinch-runner", "A-RF", "A-LF2", side="away")
    assert (BaseRunner("A-LF2", "Px", earned=False), BaseRunner("A-CF", "Px"), None) == s.bases
    assert (9, "RF", ("PR",)) == (place(s, "A-LF2", "away"), order(s, "away")[8][1], s.lines[0]["A-LF2"].positions)
    assert ["A-LF2 runs for A-RF."] == event_sentences(s)


# In the field --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-089")
def test_the_fielding_values_change_with_a_substitution() -> None:
    """Shortstop goes from +2 to +0: the infield is 4."""
    s = ready(cards={"H-SS2": batter("H-SS2", "SS +0")})
    do(s, "replace", "H-SS", "H-SS2", "SS")
    assert 4 == fielding.printed_unit_rating(s, "home", "infield")


@pytest.mark.rule("CL-128")
def test_a_replacement_takes_the_place_but_may_play_elsewhere() -> None:
    s = ready(cards={"H-SS": batter("H-SS", "SS +2", "LF +0")})
    was = place(s, "H-LF")
    ask = until(make_change(s, "home", "replace"), "H-LF", "H-SS2")
    assert ("SS", "another-position", NEVER_MIND) == getattr(ask, "options", ())
    assert "H-SS2 SS +2; H-SS LF +0" == ask.facts["notes"]["SS"]
    assert "SS, for H-SS" == ask.facts["labels"]["SS"]
    ask = until(make_change(s, "home", "replace"), "H-LF", "H-SS2", "another-position")
    assert ("LF", "CA", "1B", "2B", "3B", "CF", "RF", NEVER_MIND) == getattr(ask, "options", ())
    assert "LF −3, not on the card; also SS +2" == ask.facts["notes"]["LF"]
    do(s, "replace", "H-LF", "H-SS2", "SS")
    squad = s.squad("home")
    assert (was, "H-SS2", "H-SS") == (place(s, "H-SS2"), squad.player_at("SS"), squad.player_at("LF"))
    assert ("SS",) == s.lines[1]["H-SS2"].positions
    assert ("SS", "LF") == s.lines[1]["H-SS"].positions
    assert {*FIELD_POSITIONS, DH} == set(squad.spots)
    assert [
        "H-SS is now the left fielder.",
        "H-SS2 comes in for H-LF as shortstop and bats in spot 7.",
    ] == event_sentences(s)


def test_positions_on_the_card_come_first() -> None:
    s = ready(cards={"H-SS2": batter("H-SS2", "SS +2", "LF +0"), "H-1B2": batter("H-1B2")})
    assert ("LF", "SS", "another-position", NEVER_MIND) == options(make_change(s, "home", "replace"), "H-LF", "H-SS2")
    assert ("LF", *(one for one in FIELD_POSITIONS if one != "LF"), NEVER_MIND) == options(
        make_change(s, "home", "replace"), "H-LF", "H-1B2"
    )
    do(s, "replace", "H-LF", "H-SS2", "another-position", "CA")
    assert ("H-SS2", "H-CA") == (s.squad("home").player_at("CA"), s.squad("home").player_at("LF"))


@pytest.mark.rule("CL-129")
@each("bats", ["H-SS2", "H-LF2"])
@each("plays", ["H-SS2", "H-LF2"])
def test_a_double_switch_can_use_either_place_and_either_position(bats: str, plays: str) -> None:
    """Left (place 7) and short (6) leave: the manager decides who bats seventh and who plays left."""
    s = ready()
    other = {"H-SS2": "H-LF2", "H-LF2": "H-SS2"}
    assert do(s, "double-switch", "H-LF", "H-SS", "H-SS2", "H-LF2", bats, plays)
    squad = s.squad("home")
    assert (bats, other[bats]) == (squad.order[6], squad.order[5])
    assert (plays, other[plays]) == (squad.player_at("LF"), squad.player_at("SS"))
    assert {"H-LF", "H-SS"} == set(squad.gone)
    assert ("H-CA2", "H-1B2") == squad.bench
    assert [(6, "LF") if plays == bats else (6, "SS"), (5, "SS") if plays == bats else (5, "LF")] == [
        (s.lines[1][name].spot, *s.lines[1][name].positions) for name in (bats, other[bats])
    ]
    assert {*FIELD_POSITIONS, DH} == set(squad.spots)
    assert 2 == len(event_sentences(s))


@pytest.mark.rule("CL-129")
def test_a_double_switch_offers_nothing_else() -> None:
    step = ("H-LF", "H-SS", "H-SS2", "H-LF2")
    s = ready()
    field = tuple(f"H-{spot}" for spot in FIELD_POSITIONS)
    offered = [options(make_change(s, "home", "double-switch"), *step[:n]) for n in range(4)]
    assert [
        (*field, NEVER_MIND),
        (*(name for name in field if name != "H-LF"), NEVER_MIND),
        (*SUBS, NEVER_MIND),
        ("H-CA2", "H-1B2", "H-LF2", NEVER_MIND),
    ] == offered
    for bats in ((), ("H-LF2",)):
        assert ("H-SS2", "H-LF2", NEVER_MIND) == options(make_change(s, "home", "double-switch"), *step, *bats)


@pytest.mark.rule("CL-085")
def test_fielders_trade_positions() -> None:
    s = ready(1, cards={"H-LF": batter("H-LF", "LF +1", "CF +4"), "H-CF": batter("H-CF", "CF +2", "LF +3")})
    was = s.squad("home").order
    do(s, "positions", "H-LF", "CF")
    squad = s.squad("home")
    assert (was, "H-LF", "H-CF") == (squad.order, squad.player_at("CF"), squad.player_at("LF"))
    assert (8, ("LF", "CF")) == (fielding.printed_unit_rating(s, "home", "outfield"), s.lines[1]["H-LF"].positions)
    assert ["H-LF is now the center fielder.", "H-CF is now the left fielder."] == event_sentences(s)
    assert ((), 4) == (squad.gone, len(squad.bench))


@pytest.mark.rule("CL-086")
def test_the_dh_does_not_take_the_field() -> None:
    """He neither moves nor is replaced in the field (AM-12)."""
    s = ready(cards={"H-DH": batter("H-DH", "LF +6")})
    for code in ("positions", "replace", "double-switch"):
        assert "H-DH" not in options(make_change(s, "home", code))
    assert DH not in options(make_change(s, "home", "positions"), "H-LF")
    assert DH not in options(make_change(s, "home", "replace"), "H-LF", "H-LF2")


# Late ----------------------------------------------------------------------------------------------------------------


def answered(side: Seat, house: str = "oneEach", window: str = "before-pitch") -> State:
    """Return a table where a side has played a card before the pitch."""
    s = ready(bases="1", house={"lateSubReplies": house})
    s.update_at_bat(played=(PlayedCard("CARD", side, "strategy", window),))
    return s


@pytest.mark.rule("CL-200", "CL-202", "CL-203")
def test_a_card_is_answered_with_a_pitcher_or_a_pinch_hitter() -> None:
    """Each side answers the other's card, with nothing else, never its own, and only once there is one (AM-03)."""
    assert ((), ()) == (late_changes(ready(), "home"), late_changes(ready(), "away"))
    assert ((), ("pinch-hitter",)) == (late_changes(answered("home"), "home"), late_changes(answered("home"), "away"))
    assert (("new-pitcher",), ()) == (late_changes(answered("away"), "home"), late_changes(answered("away"), "away"))
    assert () == late_changes(answered("home", window="enter"), "away")


@each(("house", "again"), [("oneEach", ()), ("unlimited", ("pinch-hitter",))])
def test_how_often_cards_are_answered(house: str, again: tuple[str, ...]) -> None:
    """Once in an at-bat by each side, as often as there are cards, or never (AM-03)."""
    s = answered("home", house)
    do(s, "pinch-hitter", "A-LF2", side="away")
    assert again == late_changes(s, "away")
    assert () == late_changes(answered("home", "none"), "away")
    s = answered("away", house)
    do(s, "new-pitcher", "Rx")
    assert (frozenset({"home"}), 2) == (s.at.replied, len(s.squad("home").pitchers))


def test_a_substitution_before_the_cards_is_not_an_answer() -> None:
    """Nor is one canceled with never mind (AM-03)."""
    s = ready()
    do(s, "pinch-hitter", "A-LF2", side="away")
    s.update_at_bat(played=(PlayedCard("CARD", "home", "strategy", "before-pitch"),))
    assert ("pinch-hitter",) == late_changes(s, "away")
    do(s, "pinch-hitter", NEVER_MIND, side="away")
    assert ("pinch-hitter",) == late_changes(s, "away")


@pytest.mark.rule("CL-204")
def test_a_late_pitcher_needs_one_who_may_leave() -> None:
    s = answered("away")
    arm(s, role="RP", limit=1, outs=0, faced=1, finished=False)
    assert () == late_changes(s, "home")
    s = answered("away")
    s.update_at_bat(pitch_natural=4)
    assert () == late_changes(s, "home")
    s = answered("home")
    s.clock = replace(s.clock, inning=3)
    assert () == late_changes(s, "away")


def test_a_pinch_hitter_plays_his_position_from_the_next_half() -> None:
    s = ready(half="top")
    do(s, "pinch-hitter", "A-LF2", side="away")
    s.update_squad("away", slot=6)
    do(s, "pinch-hitter", "A-SS2", side="away")
    assert ("PH",) == s.lines[0]["A-SS2"].positions
    s.clock = s.clock.next_half()
    play(begin_half(s))
    assert [("PH", DH), ("PH", "LF"), ("CF",)] == [s.lines[0][name].positions for name in ("A-LF2", "A-SS2", "A-CF")]
