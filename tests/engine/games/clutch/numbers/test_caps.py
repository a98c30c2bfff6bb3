"""Effects of cards on the numbers of an at-bat, and how far one manager's cards may change one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Roll
from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.numbers import modifiers
from engine.games.clutch.rules import CARD_ACTIONS
from engine.games.clutch.state import State
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import at, by_rule, event_codes, fact, pitched, run, swung, upto
from tests.engine.games.clutch.fixture import BEFORE, PLAYS, batter, pitcher, roster, strategy, written
from tests.engine.tables import examples

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
    "SW-1": strategy("SW-1", "offense", BEFORE, "swing -1"),
    "SW+5": strategy("SW+5", "offense", SWUNG, "swing +5"),
    "HR+": strategy("HR+", "offense", BEFORE, "swing +2 if the batter has HR else +1"),
    "THR+1": strategy("THR+1", "defense", ["on a throw", "after the throw roll"], "throw roll +1"),
}
RIGHT = {"Px": pitcher("Px", right=1)}


def game(script: str, where: str = "T5 0o ---", cards: Mapping[str, str] | None = None, **house: str) -> Table:
    """Play the script at a table whose managers hold its cards."""
    words, texts = script.split(), PLAYS | CARDS
    away, home = ([one for one in words if f'side = "{of}"' in texts.get(one, "")] for of in ("offense", "defense"))
    return run(at(where, away=away, home=home, cards={**CARDS, **(cards or {})}, house=house), *words)


@pytest.mark.parametrize(
    ("script", "expected", "mistake", "cards"),
    by_rule(
        # The pitcher's clutch goes to the Pitch or to Command; a mistake depends on the roll.
        ("CL-161", "P-CLUTCH P7 S12", (11, 10, "Px"), False, {}),
        ("CL-161", "P-CLUTCH P1 S22", (5, 10, "Bx"), True, {}),
        ("CL-164", "C-CLUTCH P7 S12", (11, 10, "Px"), False, {}),
        ("CL-171", "POWER-P P23 S3", (26, 10, "Px"), False, {}),
        # Pitch, Command and On-Base each get their own bonus: with the hand's bonus a tie still goes to the batter.
        ("CL-173", "P8 S12", (12, 10, "Px"), False, RIGHT),
        ("CL-173", "CMD-2 P8 S12", (10, 10, "Bx"), False, RIGHT),
        ("CL-174", "PT+2 P6 S12", (11, 10, "Px"), False, {}),
        ("CL-179", "OB+2 P9 S12", (12, 12, "Bx"), False, {}),
        ("CL-178", "BATTER P15 S12", (18, 10, "Bx"), False, {}),
        ("CL-212", "PT+2 PT+2b P4 S12", (10, 10, "Bx"), False, {}),
        # A card on the roll moves it into or out of the X-Zone; one on Pitch or Command does neither.
        ("CL-172 CL-193", "P2 PR-1 S22", (4, 10, "Bx"), True, {}),
        ("CL-194", "P1 PR+2 S8", (6, 10, "Bx"), False, {}),
        ("CL-195", "PT+2 P1 S12", (6, 10, "Bx"), True, {}),
        ("CL-196", "P2 PT-2 S12", (3, 10, "Bx"), False, {}),
        ("CL-196", "CMD-2 P2 S12", (3, 10, "Bx"), False, {}),
        ("CL-192", "P1 NOT-X S8", (4, 10, "Bx"), False, {}),
        ("CL-192", "P15 IS-X S22", (18, 10, "Bx"), True, {}),
    ),
)
def test_cards_on_the_pitch(script: str, expected: tuple[int, int, str], mistake: bool, cards: dict[str, str]) -> None:
    """The Power Die comes with a mistake only."""
    table = game(script, cards=cards)
    assert (expected, mistake) == (pitched(table), "mistake" in event_codes(table))
    (die,) = [one.ask.dice[0].kind for one in table.answers if one.ask.why == "swing" and isinstance(one.ask, Roll)]
    assert ("d24" if mistake else "d20") == die


@pytest.mark.rule("CL-164")
def test_a_card_moves_clutch_to_another_number_for_one_at_bat() -> None:
    """Here, to On-Base (AM-37)."""
    table = game("OB-CLUTCH P8 S12")
    assert (11, 12, "Bx") == pitched(table)
    assert (11, 10, "Px") == pitched(run(table, "P8", "S12"))


def clutch(rating: int) -> dict[str, Any]:
    """Bases loaded are a Clutch Moment; Bx has this rating."""
    return {"where": "T3 0o 123", "cards": {"Bx": batter("Bx", clutch=rating)}}


@pytest.mark.parametrize(
    ("script", "swing", "more"),
    by_rule(
        ("CL-027 CL-162", "CL-SW P2 S14", (16, "2B"), clutch(2)),
        ("CL-027 CL-163", "CL-SW P2 S16", (14, "1B"), clutch(-2)),
        ("CL-180 CL-388", "P15 S20", (20, "1B"), {}),
        ("CL-180 CL-388", "P15 S1", (1, "SO"), {}),
        ("CL-389", "POWER-S P15 S23", (23, "HR"), {}),
        ("CL-178", "BATTER P15 S12", (12, "1B"), {}),
        ("CL-192", "P15 IS-X S22", (22, "HR"), {}),
        ("CL-181", "P2 S14 SWR+2", (16, "2B"), {}),
        ("CL-182", "SW+2 P2 S14 SWR+2", (18, "2B"), {}),
        ("CL-045", "HR+ P2 S14", (16, "2B"), {"cards": {"Bx": batter("Bx", icons=["HR"])}}),
        ("CL-045", "HR+ P2 S14", (15, "1B"), {}),
        # One manager's cards change a number by at most three, unless the house has no cap (AM-26).
        ("CL-209", "SW+2 SW+2b P2 S12", (15, "1B"), {}),
        ("CL-209", "SW+2 SW+2b P2 S12", (16, "2B"), {"cap": "none"}),
        ("CL-209", "P2 S12 SW+5", (15, "1B"), {}),
        ("CL-209", "P2 S12 SW+5", (17, "2B"), {"capSingleCard": "false"}),
        ("CL-210", "SW-2 SW-2b P2 S13", (10, "1B"), {}),
        ("CL-211", "SW-2 SW+2 SW+2b P2 S14", (15, "1B"), {}),
        ("CL-213", "SW+2 SW+2b P2 S11 SWR+2", (16, "2B"), {}),
        # +4 is capped at +3, then -1; or +3 in all, by house rule.
        ("CL-214", "SW+2 SW+2b SW-1 P2 S13", (15, "1B"), {}),
        ("CL-214", "SW+2 SW+2b SW-1 P2 S13", (16, "2B"), {"capMode": "net"}),
    ),
)
def test_cards_on_the_swing(script: str, swing: tuple[int, str], more: dict[str, Any]) -> None:
    assert swing == swung(game(script, **more))


@pytest.mark.rule("CL-205", "CL-215")
def test_the_defense_may_answer_a_card() -> None:
    table = at(away=["SW+2"], home=["SW-2"])
    upto(table, "cards-before-pitch")
    seats: list[Seat] = []
    for choice in ("pass", "SW+2", "SW-2"):
        ((n, ask),) = table.open_asks()
        seats.append(ask.seat)
        table.answer_ask(ask.seat, n, choice)
    assert ["home", "away", "home"] == seats
    assert (12, "1B") == swung(run(table, "P2", "S12"))


@pytest.mark.rule("CL-216")
def test_a_card_on_the_roll_and_one_on_the_throw() -> None:
    """4 and 11, with 1 on the roll and 2 on the throw, tie 18."""
    table = game("1B! to-home at-home THR+1 THR+2 D11", "T5 0o -2-")
    assert (18, 18) == (fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed"))


YARD = {"Home": roster("H", stadium="YARD"), "YARD": written("stadium", name="YARD", when=BEFORE, do="swing +5")}


@pytest.mark.rule("CL-209")
@each(("counts", "cards", "swing"), [("false", 2, 20), ("true", 1, 17), ("true", 2, 18)])
def test_a_stadium_s_bonus(counts: str, cards: int, swing: int) -> None:
    """It belongs to neither manager: it does not count toward their caps, and only a house rule caps it."""
    held, house = ["SW+2", "SW+2b"][:cards], {"capCountsStadium": counts}
    table = at(away=held, cards=YARD, house=house, position=lambda s: setattr(s, "stadium", "YARD"))
    assert swing == swung(run(table, *held, "P2", "S12"))[0]


AMOUNTS = st.lists(st.tuples(st.sampled_from(("away", "home", None)), st.integers(-6, 6)), max_size=8)


@pytest.mark.rule("CL-209", "CL-210", "CL-211", "CL-214")
@examples(300)
@given(AMOUNTS)
def test_no_manager_changes_a_number_by_more_than_three(amounts: list[tuple[Seat | None, int]]) -> None:
    """This holds in one direction for all his cards; the stadium's and the other manager's changes are separate."""
    s = State(house={rule.key: rule.values[0] for rule in HOUSE_RULES}, actions=CARD_ACTIONS)
    mine = [amount for amount in amounts if amount[0] == "away"]
    assert -3 <= modifiers.capped_sum(s, mine) <= 3
    up = [amount for amount in mine if amount[1] > 0]
    down = [amount for amount in mine if amount[1] < 0]
    assert modifiers.capped_sum(s, mine) == min(3, sum(n for _, n in up)) + max(-3, sum(n for _, n in down))
    theirs = [amount for amount in amounts if amount[0] == "home"]
    nobody = [amount for amount in amounts if amount[0] is None]
    assert modifiers.capped_sum(s, amounts) == modifiers.capped_sum(s, mine) + modifiers.capped_sum(s, theirs) + sum(
        n for _, n in nobody
    )
