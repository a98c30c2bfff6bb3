"""What cards make of the numbers of an at-bat in Clutch, and how far one manager's cards may move one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from engine.games.clutch.state import State
from engine.seats import Seat
from engine.table import Table
from tests.engine.games.clutch.field import at, die, event_codes, fact, pitched, refused, run, swung, upto
from tests.engine.games.clutch.fixture import BEFORE, batter, pitcher, roster, strategy, written

ROLLED = "after the pitch roll"
SWUNG = "after the swing roll"

CARDS = {
    "P-CLUTCH": strategy("P-CLUTCH", "defense", BEFORE, "pitch + pitcher's clutch"),
    "C-CLUTCH": strategy("C-CLUTCH", "defense", BEFORE, "command + pitcher's clutch"),
    "OB-CLUTCH": strategy("OB-CLUTCH", "offense", BEFORE, "on-base + batter's clutch"),
    "POWER-P": strategy("POWER-P", "defense", BEFORE, "power die for the pitch"),
    "POWER-S": strategy("POWER-S", "offense", BEFORE, "power die for the swing"),
    "BATTER": strategy("BATTER", "offense", BEFORE, "the batter has the advantage"),
    "NOT-X": strategy("NOT-X", "defense", ROLLED, "no mistake pitch"),
    "IS-X": strategy("IS-X", "offense", ROLLED, "a mistake pitch"),
    "PR+2": strategy("PR+2", "defense", ROLLED, "pitch roll +2"),
    "PT-2": strategy("PT-2", "offense", ROLLED, "pitch -2"),
    "SW-2b": strategy("SW-2b", "defense", BEFORE, "swing -2"),
    "SW-1": strategy("SW-1", "neutral", BEFORE, "swing -1"),
    "SW+5": strategy("SW+5", "offense", SWUNG, "swing +5"),
    "HR+": strategy("HR+", "offense", BEFORE, "swing +2 if the batter has HR else +1"),
    "THR+1": strategy("THR+1", "defense", ["on a throw", "after the throw roll"], "throw roll +1"),
}


def game(where: str = "T5 0o ---", away: Sequence[str] = (), home: Sequence[str] = (), **more: str) -> Table:
    """A table with these cards too; `more` are house rules."""
    return at(where, away=away, home=home, cards=CARDS, house=more)


def other(text: Mapping[str, str], away: Sequence[str] = (), home: Sequence[str] = (), where: str = "T5") -> Table:
    """The same, with other cards for some."""
    return at(where, away=away, home=home, cards={**CARDS, **text})


@pytest.mark.rule("CL-161")
def test_the_pitcher_s_clutch_goes_to_the_pitch() -> None:
    table = run(game(home=["P-CLUTCH"]), "P-CLUTCH", "P7", "S12")
    assert (11, 10, "Px") == pitched(table)
    table = run(game(home=["P-CLUTCH"]), "P-CLUTCH", "P1", "S22")
    assert "mistake" in event_codes(table)


@pytest.mark.rule("CL-162", "CL-163", "CL-027")
@pytest.mark.parametrize(("clutch", "swing", "result"), [(2, 16, "2B"), (-2, 14, "1B")])
def test_the_batter_s_clutch_goes_to_the_swing(clutch: int, swing: int, result: str) -> None:
    table = other({"Bx": batter("Bx", clutch=clutch)}, ["CL-SW"], where="T3 0o 123")
    run(table, "CL-SW", "P2", f"S{swing - clutch}")
    assert (swing, result) == swung(table)


@pytest.mark.rule("CL-164")
def test_a_card_may_name_another_number_for_clutch() -> None:
    """On-Base for batters, Command for pitchers; only in this at-bat (AM-37)."""
    table = run(game(away=["OB-CLUTCH"]), "OB-CLUTCH", "P8", "S12")
    assert (11, 12, "Bx") == pitched(table)
    run(table, "P8", "S12")
    assert (11, 10, "Px") == pitched(table)
    assert (11, 10, "Px") == pitched(run(game(home=["C-CLUTCH"]), "C-CLUTCH", "P7", "S12"))


@pytest.mark.rule("CL-171")
def test_a_card_changes_the_die_of_the_pitch() -> None:
    """To a d24; without the card a 23 is refused."""
    table = run(game(home=["POWER-P"]), "POWER-P", "P23", "S3")
    assert (26, 10, "Px") == pitched(table)
    upto(plain := game(), "pitch")
    refused(plain, 23)


@pytest.mark.rule("CL-389", "CL-388", "CL-180")
def test_a_card_calls_the_power_die_for_the_swing() -> None:
    """Read on the pitcher's chart too; without it the die is a d20, thrown by the offence."""
    table = run(game(away=["POWER-S"]), "POWER-S", "P15", "S23")
    assert (23, "HR") == swung(table)
    upto(plain := game(), "swing", "P15")
    for face in (0, 21, 22):
        refused(plain, face)
    refused(plain, 20, "home")
    assert (20, "1B") == swung(run(plain, "S20"))
    assert (1, "SO") == swung(run(game(), "P15", "S1"))


@pytest.mark.rule("CL-172", "CL-193")
def test_a_card_on_the_roll_changes_the_roll() -> None:
    """A 2 less 1 is a 1, and that is a Mistake Pitch."""
    table = run(game(home=["PR-1"]), "P2", "PR-1", "S22")
    assert (4, 10, "Bx") == pitched(table)
    assert "mistake" in event_codes(table)


@pytest.mark.rule("CL-194")
def test_a_roll_is_lifted_out_of_the_zone() -> None:
    """A 1 and 2 is a 3: no mistake, and a d20."""
    table = game(home=["PR+2"])
    assert "d20" == die(table, "swing", "P1", "PR+2")
    assert ((6, 10, "Bx"), False) == (pitched(table), "mistake" in event_codes(table))


@pytest.mark.rule("CL-192")
def test_cards_cause_or_prevent_a_mistake() -> None:
    """Prevented, the swing is a d20; caused, it is a d24 and the batter has the Advantage."""
    table = game(home=["NOT-X"])
    assert "d20" == die(table, "swing", "P1", "NOT-X")
    assert (4, 10, "Bx") == pitched(table)
    assert "mistake" not in event_codes(table)
    table = run(game(away=["IS-X"]), "P15", "IS-X", "S22")
    assert ((18, 10, "Bx"), (22, "HR")) == (pitched(table), swung(table))


@pytest.mark.rule("CL-195", "CL-196")
@pytest.mark.parametrize(
    ("away", "home", "script", "total", "mistake"),
    [
        ("", "PT+2", ("PT+2", "P1", "S12"), 6, True),
        ("PT-2", "", ("P2", "PT-2", "S12"), 3, False),
        ("CMD-2", "", ("CMD-2", "P2", "S12"), 3, False),
    ],
)
def test_pitch_and_command_do_not_make_a_mistake(
    away: str, home: str, script: tuple[str, ...], total: int, mistake: bool
) -> None:
    table = run(game(away=[away] * bool(away), home=[home] * bool(home)), *script)
    assert (total, mistake) == (pitched(table)[0], "mistake" in event_codes(table))


@pytest.mark.rule("CL-173")
def test_command_is_printed_with_the_hand_and_cards() -> None:
    """3 and 1 against right-handed batters, less 2: a tie, the batter's."""
    table = other({"Px": pitcher("Px", right=1)}, ["CMD-2"])
    assert (10, 10, "Bx") == pitched(run(table, "CMD-2", "P8", "S12"))
    assert (12, 10, "Px") == pitched(run(other({"Px": pitcher("Px", right=1)}), "P8", "S12"))


@pytest.mark.rule("CL-174", "CL-179", "CL-178")
def test_pitch_and_on_base_with_cards() -> None:
    assert (11, 10, "Px") == pitched(run(game(home=["PT+2"]), "PT+2", "P6", "S12"))
    assert (12, 12, "Bx") == pitched(run(game(away=["OB+2"]), "OB+2", "P9", "S12"))
    table = run(game(away=["BATTER"]), "BATTER", "P15", "S12")
    assert ((18, 10, "Bx"), (12, "1B")) == (pitched(table), swung(table))


@pytest.mark.rule("CL-181", "CL-182")
def test_the_swing_roll_and_the_swing() -> None:
    table = run(game(away=["SWR+2"]), "P2", "S14", "SWR+2")
    assert (16, "2B") == swung(table)
    table = run(game(away=["SWR+2", "SW+2"]), "SW+2", "P2", "S14", "SWR+2")
    assert (18, "2B") == swung(table)


@pytest.mark.rule("CL-045")
def test_an_icon_helps_with_a_card_that_names_it() -> None:
    """2 with it, 1 without."""
    table = run(other({"Bx": batter("Bx", icons=["HR"])}, ["HR+"]), "HR+", "P2", "S14")
    assert (16, "2B") == swung(table)
    assert (15, "1B") == swung(run(game(away=["HR+"]), "HR+", "P2", "S14"))


# How far (CL-209 to CL-216, AM-26) -----------------------------------------------------------------------------------


@pytest.mark.rule("CL-209")
@pytest.mark.parametrize(("cap", "swing"), [("3", (15, "1B")), ("none", (16, "2B"))])
def test_one_manager_s_cards_add_three_at_most(cap: str, swing: tuple[int, str]) -> None:
    table = run(game(away=["SW+2", "SW+2b"], cap=cap), "SW+2", "SW+2b", "P2", "S12")
    assert swing == swung(table)


@pytest.mark.rule("CL-209")
@pytest.mark.parametrize(("single", "swing"), [("true", 15), ("false", 17)])
def test_one_card_by_itself_is_bound_too(single: str, swing: int) -> None:
    """A card with five counts three, unless a house rule exempts it."""
    assert swing == swung(run(game(away=["SW+5"], capSingleCard=single), "P2", "S12", "SW+5"))[0]


@pytest.mark.rule("CL-210")
def test_they_take_three_at_most() -> None:
    table = run(game(home=["SW-2", "SW-2b"]), "SW-2", "SW-2b", "P2", "S13")
    assert (10, "1B") == swung(table)


@pytest.mark.rule("CL-211")
def test_each_manager_has_his_own_three() -> None:
    table = run(game(away=["SW+2", "SW+2b"], home=["SW-2"]), "SW-2", "SW+2", "SW+2b", "P2", "S14")
    assert (15, "1B") == swung(table)


@pytest.mark.rule("CL-212")
def test_the_pitch_is_bound_as_well() -> None:
    table = run(game(home=["PT+2", "PT+2b"]), "PT+2", "PT+2b", "P4", "S12")
    assert (10, 10, "Bx") == pitched(table)


@pytest.mark.rule("CL-213")
def test_roll_and_swing_are_two_numbers() -> None:
    table = run(game(away=["SWR+2", "SW+2", "SW+2b"]), "SW+2", "SW+2b", "P2", "S11", "SWR+2")
    assert (16, "2B") == swung(table)


@pytest.mark.rule("CL-214")
@pytest.mark.parametrize(("mode", "swing"), [("perDirection", (15, "1B")), ("net", (16, "2B"))])
def test_ups_and_downs_of_one_manager(mode: str, swing: tuple[int, str]) -> None:
    cards = ["SW+2", "SW+2b", "SW-1"]
    assert swing == swung(run(game(away=cards, capMode=mode), *cards, "P2", "S13"))


@pytest.mark.rule("CL-215", "CL-205")
def test_the_defence_may_answer_a_card() -> None:
    table = game(away=["SW+2"], home=["SW-2"])
    upto(table, "cards-before-pitch")
    seats: list[Seat] = []
    for choice in ("pass", "SW+2", "SW-2"):
        ((n, ask),) = table.asks()
        seats.append(ask.seat)
        table.answer(ask.seat, n, choice)
    assert ["home", "away", "home"] == seats
    assert (12, "1B") == swung(run(table, "P2", "S12"))


@pytest.mark.rule("CL-216")
def test_a_card_on_the_roll_and_one_on_the_throw() -> None:
    """4 and 11, 1 on the roll and 2 on the throw: a tie with 18."""
    table = game("T5 0o -2-", home=["THR+1", "THR+2"])
    run(table, "1B!", "to-home", "at-home", "THR+1", "THR+2", "D11")
    assert (18, 18) == (fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed"))


@pytest.mark.rule("CL-244")
def test_cards_help_a_runner() -> None:
    """15 and 3 for home and 2: the throw of 20 is a tie, and safe."""
    table = run(game("T5 1o -2-", away=["SPD+2"]), "1B!", "to-home", "at-home", "SPD+2", "D16")
    assert (20, 20) == (fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed"))


BALL = {"Home": roster("H", stadium="YARD"), "YARD": written("stadium", name="YARD", when=BEFORE, do="swing +5")}


@pytest.mark.rule("CL-209")
@pytest.mark.parametrize(("counts", "cards", "swing"), [("false", 2, 20), ("true", 1, 17), ("true", 2, 18)])
def test_a_stadium_s_share(counts: str, cards: int, swing: int) -> None:
    """It belongs to nobody: it does not count in a manager's cap, and is capped only by a house rule."""
    held = ["SW+2", "SW+2b"][:cards]
    table = at(away=held, cards={**CARDS, **BALL}, house={"capCountsStadium": counts}, position=yard)
    assert swing == swung(run(table, *held, "P2", "S12"))[0]


def yard(s: State) -> None:
    """It is played in the yard."""
    s.stadium = "YARD"
