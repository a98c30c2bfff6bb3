"""Starters and line-ups (3.2.C, 3.2.E)."""

from __future__ import annotations

import pytest

from engine.asks import Arrange, Choose
from engine.errors import IllegalAnswer
from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS, LINEUP_POSITIONS
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import bench, lineup
from engine.seats import Seat
from engine.secrets import redacted_data
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import batter, pitcher, roster
from tests.engine.games.clutch.steps import event_sentences, fresh, options, play, ready, say, until

FIVE = {f"SP{n}": pitcher(f"SP{n}") for n in range(1, 6)} | {
    "Home": roster("H", rotation=[f"SP{n}" for n in range(1, 6)])
}
"""Home has a rotation of five starters, and no bulk pitcher."""


def plays(s: State, side: Seat = "home") -> dict[str, str]:
    """Return the positions with their players."""
    squad = s.squad(side)
    return dict(zip(squad.spots, squad.order, strict=True))


def anew(s: State, side: Seat = "home", *answers: str) -> Arrange:
    """Return the ask for the positions of a new line-up."""
    ask = until(lineup.set_lineup(s, side), "new", *(answers or ("lay",)))
    assert isinstance(ask, Arrange)
    return ask


# Starters ------------------------------------------------------------------------------------------------------------


NO_BULK = {"Home": roster("H", rotation=["Px"])}
ALWAYS = {"tiredStarter": "always"}
ALL = tuple(f"SP{n}" for n in range(1, 6))
TIRED = {name: n for n, name in enumerate(ALL, 1)}


@pytest.mark.parametrize(
    ("cards", "house", "rests", "names"),
    by_rule(
        # Any rested starter in any order; with none rested any starter, and by a house rule always (AM-14).
        ("CL-065", FIVE, {}, {"SP1": 4}, ALL[1:]),
        ("CL-065", FIVE, {}, TIRED, ALL),
        ("CL-065", FIVE, ALWAYS, {"SP1": 4}, ALL),
        # No tired one while a bulk pitcher in the rotation is rested: somebody opens for him (AM-14).
        ("CL-065 CL-066", {}, {}, {"Px": 1}, ("H-OP",)),
        ("CL-065 CL-066", {}, {}, {"H-OP": 1}, ("Px",)),
        ("CL-065 CL-066", {}, ALWAYS, {"H-OP": 1}, ("Px", "H-OP")),
        # Nobody opens without a bulk pitcher to follow, tired or not, unless the house lets any pitcher follow (AM-08).
        ("CL-066", {}, {}, {}, ("Px", "H-OP")),
        ("CL-066", {}, {}, {"H-BP": 2}, ("Px", "H-OP")),
        ("CL-066", NO_BULK, {}, {}, ("Px",)),
        ("CL-066", NO_BULK, {"opRequiresBp": "false"}, {}, ("Px", "H-OP")),
        ("CL-066", {**NO_BULK, "H-OP": pitcher("H-OP", "OP 1", "BP 4")}, {}, {}, ("Px",)),
    ),
)
def test_who_may_start(
    cards: dict[str, str], house: dict[str, str], rests: dict[str, int], names: tuple[str, ...]
) -> None:
    assert names == lineup.eligible_starters(fresh(cards, house, rests), "home")


@pytest.mark.parametrize(
    ("rests", "name", "arm"),
    by_rule(("CL-065", {"SP1": 4}, "SP5", ("SP", 6, 0)), ("CL-065", TIRED, "SP3", ("SP", 6, 3))),
)
def test_a_starter_comes_in_with_the_rest_he_owes(rests: dict[str, int], name: str, arm: tuple[str, int, int]) -> None:
    s = fresh(FIVE, rests=rests)
    play(lineup.name_starter(s, "home"), name)
    starter = s.arms[1][name]
    assert (name, arm) == (s.squad("home").pitcher, (starter.role, starter.limit, starter.owes))
    assert [f"{name} starts for Home."] == event_sentences(s)


def test_a_bulk_pitcher_starts_if_nobody_else_can() -> None:
    s = fresh({"Home": roster("H", bullpen=["Rx"])}, rests={"Px": 1})
    play(lineup.name_starter(s, "home"))
    assert ("H-BP", "BP") == (s.squad("home").pitcher, s.arms[1]["H-BP"].role)


@pytest.mark.rule("CL-066")
def test_an_opener_of_the_bullpen_may_start() -> None:
    s = fresh()
    play(lineup.name_starter(s, "home"), "H-OP")
    squad = s.squad("home")
    assert ("H-OP", ("Rx", "H-R2", "H-R3")) == (squad.pitcher, squad.bullpen)
    assert ("OP", 1) == (s.arms[1]["H-OP"].role, s.arms[1]["H-OP"].limit)
    assert ["H-OP opens for Home. A bulk pitcher must follow."] == event_sentences(s)


@pytest.mark.rule("CL-069")
def test_a_d20_picks_from_the_rotation_in_its_order() -> None:
    """1 to 4 is the first pitcher, 13 the fourth; in another order they are others (AM-16)."""
    for face in range(1, 21):
        s = fresh(FIVE, {"starter": "d20"})
        play(lineup.arrange_rotation(s, "home"), {str(6 - n): f"SP{n}" for n in range(1, 6)})
        play(lineup.name_starter(s, "home"), face)
        assert f"SP{5 - (face - 1) // 4}" == s.squad("home").pitcher
    assert (("SP5", "SP4", "SP3", "SP2", "SP1"),) == s.rotations[1:]
    s = fresh(FIVE, {"starter": "d20"})
    assert "13 to 16 SP4" in say(until(lineup.name_starter(s, "home")))
    play(lineup.name_starter(s, "home"), 13)
    assert "SP4" == s.squad("home").pitcher


def test_a_d20_skips_to_the_next_rested_starter() -> None:
    """Around the rotation (AM-14, AM-16)."""
    s = fresh(FIVE, {"starter": "d20"}, {"SP5": 1, "SP1": 2})
    play(lineup.name_starter(s, "home"), 20)
    assert "SP2" == s.squad("home").pitcher


def test_a_d20_that_picks_a_bulk_pitcher_asks_for_an_opener() -> None:
    """Px has 1 to 10, H-BP the rest."""
    s = fresh(house={"starter": "d20"})
    assert ("H-OP",) == options(lineup.name_starter(s, "home"), 11)
    play(lineup.name_starter(s, "home"), 11, "H-OP")
    assert "OP" == s.arms[1]["H-OP"].role


def test_asks_go_to_the_managers_chair() -> None:
    s = fresh(home="away")
    s.rotations = (("H-BP", "Px"), ())
    asks = [lineup.name_starter(s, "home"), lineup.set_lineup(s, "home"), lineup.arrange_rotation(s, "home")]
    assert ["away"] * 3 == [until(step).seat for step in asks]
    s.rests = ({"H-OP": PitcherRest(2), "Px": PitcherRest(1), "H-BP": PitcherRest(1)}, {"H-OP": PitcherRest(3)})
    play(lineup.name_starter(s, "home"), "H-OP")
    assert 2 == s.current_record.owes
    play(lineup.arrange_rotation(s, "home"), {"1": "Px", "2": "H-BP"})
    assert (("Px", "H-BP"), ()) == s.rotations


# The line-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-082")
def test_a_line_up_has_one_batter_at_each_position_and_a_dh() -> None:
    s = fresh()
    ask = anew(s)
    assert (*FIELD_POSITIONS, DH) == ask.places
    nine = dict(zip(ask.places, ask.pieces, strict=False))
    assert nine == ask.validate_answer(nine)
    for wrong in ({**nine, "RF": nine["LF"]}, {spot: name for spot, name in nine.items() if spot != "RF"}):
        with pytest.raises(IllegalAnswer):
            ask.validate_answer(wrong)
    order = {str(place): name for place, name in enumerate(reversed(nine.values()), 1)}
    play(lineup.set_lineup(s, "home"), "new", "lay", nine, order)
    squad = s.squad("home")
    assert (set(LINEUP_POSITIONS), tuple(order.values()), 0) == (set(squad.spots), squad.order, squad.slot)
    assert nine == plays(s)
    assert [(name, at, (spot,)) for at, (name, spot) in enumerate(zip(squad.order, squad.spots, strict=True))] == [
        (line.name, line.spot, line.positions) for line in s.lines[1].values()
    ]


def test_a_line_up_can_be_taken_from_the_roster() -> None:
    s = fresh()
    play(lineup.set_lineup(s, "away"), "roster")
    squad = s.squad("away")
    assert s.box.rosters["Away"].order == squad.order
    assert {spot: s.box.rosters["Away"].fielders[spot] for spot in LINEUP_POSITIONS} == plays(s, "away")
    assert [
        "Away bats Bx (DH), A-CA (CA), A-1B (1B), A-2B (2B), A-3B (3B), A-SS (SS), A-LF (LF), A-CF (CF) and A-RF (RF)."
    ] == event_sentences(s)


@pytest.mark.rule("CL-083")
def test_everybody_else_is_on_the_bench() -> None:
    s = fresh()
    ask = anew(s)
    nine = dict(zip(ask.places, ask.pieces, strict=False)) | {"LF": "H-LF2"}
    order = {str(n): name for n, name in enumerate(nine.values(), 1)}
    play(lineup.set_lineup(s, "home"), "new", "lay", nine, order)
    assert {"H-LF", "H-CA2", "H-1B2", "H-SS2"} == set(s.squad("home").bench)


def test_the_same_nine_again_as_in_the_last_game() -> None:
    s = fresh()
    ask = anew(s)
    assert ("roster", "new") == options(lineup.set_lineup(s, "home"))
    nine = dict(zip(ask.places, reversed(ask.pieces), strict=False))
    order = {str(n): name for n, name in enumerate(nine.values(), 1)}
    play(lineup.set_lineup(s, "home"), "new", "lay", nine, "take-it", order)
    s.home, s.squads = "away", (s.squads[1], s.squads[0])
    s.squads = (fresh().squads[1], fresh().squads[0])
    play(lineup.set_lineup(s, "away"), "same")
    assert (nine, tuple(nine.values())) == (plays(s, "away"), s.squad("away").order)
    assert ("roster", "new") == options(lineup.set_lineup(s, "home"))


@pytest.mark.rule("CL-087")
def test_a_pitcher_without_a_batters_card_does_not_bat() -> None:
    s = fresh()
    assert not set(anew(s).pieces) & set(s.box.pitchers)
    assert DH in anew(s).places


TWO_WAY = {"H-DH": batter("H-DH", "DH", "RF +1"), "Px": pitcher("Px", person="H-DH")}
"""Px pitches for home, and is the same person as H-DH."""


@pytest.mark.rule("CL-087")
def test_a_two_way_player_pitches_and_is_the_dh() -> None:
    """He is one person with two cards (AM-13)."""
    s = ready(cards=TWO_WAY, starter="Px")
    assert ("Px", "H-DH") == (s.squad("home").pitcher, s.squad("home").player_at(DH))


def test_a_two_way_player_who_pitches_cannot_field() -> None:
    """The manager decides if he bats; then the eight others are placed, or nine without him (AM-13)."""
    s = fresh(TWO_WAY)
    play(lineup.name_starter(s, "home"), "Px")
    assert ("bats", "sits", "never-mind") == options(lineup.set_lineup(s, "home"), "new")
    for answer, places in (("bats", FIELD_POSITIONS), ("sits", LINEUP_POSITIONS)):
        ask = anew(s, "home", answer)
        assert "H-DH" not in ask.pieces
        assert places == ask.places
    eight = dict(zip(FIELD_POSITIONS, anew(s, "home", "bats").pieces, strict=False))
    order = {str(n): name for n, name in enumerate((*eight.values(), "H-DH"), 1)}
    play(lineup.set_lineup(s, "home"), "new", "bats", eight, order)
    assert "H-DH" == plays(s)[DH] == s.squad("home").order[8]


def test_a_line_up_with_the_starter_in_the_field_is_not_offered() -> None:
    """The roster's line-up has him in right (AM-13)."""
    cards = {
        **TWO_WAY,
        "Home": roster("H").replace('right = "H-RF"', 'right = "H-DH"').replace('dh = "H-DH"', 'dh = "H-RF"'),
    }
    s = fresh(cards)
    play(lineup.name_starter(s, "home"), "Px")
    assert ("new",) == options(lineup.set_lineup(s, "home"))
    assert ("bats", "sits") == options(lineup.set_lineup(s, "home"), "new")
    assert not bench.persons_in_field(s, "home")
    s = fresh(cards)
    play(lineup.name_starter(s, "home"), "H-OP")
    assert ("roster", "new") == options(lineup.set_lineup(s, "home"))


def test_making_a_new_line_up_can_be_canceled() -> None:
    s = fresh()
    assert ("lay", "never-mind") == options(lineup.set_lineup(s, "home"), "new")
    assert ("roster", "new") == options(lineup.set_lineup(s, "home"), "new", "never-mind")
    play(lineup.set_lineup(s, "home"), "new", "never-mind", "new", "never-mind", "roster")
    assert s.box.rosters["Home"].order == s.squad("home").order


@pytest.mark.rule("CL-130")
def test_players_out_of_position_are_named_beforehand() -> None:
    s, home = fresh(), fresh().box.rosters["Home"].fielders
    own = {spot: home[spot] for spot in LINEUP_POSITIONS}
    order = {str(n): name for n, name in enumerate(own.values(), 1)}
    mixed = own | {"SS": "H-LF", "LF": "H-SS", "DH": "H-CA2"}
    ask = until(lineup.set_lineup(s, "home"), "new", "lay", mixed)
    assert isinstance(ask, Choose)
    assert ("take-it", "lay-again") == ask.options
    assert "Home, out of position: H-LF at SS, −3 and H-SS at LF, −3. Keep it, or change the positions?" == say(ask)
    assert "never-mind" in options(lineup.set_lineup(s, "home"), "new", "lay", mixed, "lay-again")
    play(lineup.set_lineup(s, "home"), "new", "lay", mixed, "lay-again", "lay", own, order)
    assert own == plays(s)


@pytest.mark.rule("CL-084")
def test_bench_and_bullpen_are_public() -> None:
    s = ready(rests={"Rx": 1})
    seen = redacted_data(s.squad("home"), "away")
    assert (list(s.squad("home").bench), list(s.squad("home").bullpen)) == (list(seen["bench"]), list(seen["bullpen"]))
    assert 1 == redacted_data(s.rests, "away")[1]["Rx"]["owes"]
    assert isinstance(until(lineup.set_lineup(s, "home")), Choose)
