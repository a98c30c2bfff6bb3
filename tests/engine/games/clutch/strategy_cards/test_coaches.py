"""Coaches: who uses which, how long they help, where they go, and where all cards are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.each import each
from tests.engine.games.clutch.field import at, fact, hand, options, playable, refused, run, state, upto
from tests.engine.games.clutch.fixture import BEFORE, roster, strategy, written
from tests.engine.tables import panel


def coach(name: str, kind: str, when: str = BEFORE, do: str = "draw 1", **more: object) -> str:
    return written("coach", name=name, kind=kind, when=when, do=do, **more)


COACHES: Mapping[str, str] = {
    "Away": roster("A", coaches=["HIT", "PITCH", "BENCH"]),
    "Home": roster("H", coaches=["HIT", "PITCH", "BENCH"]),
    "HIT": coach("HIT", "hitting", do="swing +2"),
    "PITCH": coach("PITCH", "pitching", do="pitch +2"),
    "BENCH": coach("BENCH", "bench", do="on-base +1"),
    "BACK": strategy("BACK", "neutral", BEFORE, "recover 1"),
}


@pytest.mark.rule("CL-029", "CL-052")
@each("where", ["T1 0o ---", "T5 0o ---"])
def test_which_side_uses_which_coach(where: str) -> None:
    table = at(where, cards=COACHES)
    assert ("PITCH", "BENCH") == playable(table, "home", "before-pitch")
    refused(table, "HIT")
    assert ("HIT", "BENCH") == playable(table, "away", "before-pitch")
    table = run(at(where, cards=COACHES), "PITCH", "P6", "S12")
    assert 11 == fact(table, "pitch", "total")


@pytest.mark.rule("CL-030")
def test_a_coach_waits_for_his_trigger() -> None:
    wait = {**COACHES, "PITCH": coach("PITCH", "pitching", "after a strikeout")}
    assert () == playable(at(cards=wait), "home", "after", "BB!")
    assert ("PITCH",) == playable(at(cards=wait), "home", "after", "SO!")


@pytest.mark.rule("CL-031")
@each(("house", "last"), [("currentPlusOne", "B3"), ("twoFull", "T4")])
def test_a_bench_coach_helps_for_two_half_innings(house: str, last: str) -> None:
    """The rest of this one and the next, or by a house rule two more after this one (AM-41)."""
    table = at("T3 0o ---", cards=COACHES, house={"benchCoachHalves": house})
    run(table, "away:BENCH", "SO!")
    seen = {}
    for _ in range(9):
        half = f"{'T' if state(table).clock.half == 'top' else 'B'}{state(table).clock.inning}"
        seen[half] = panel(table, "at")["on_base"], bool(state(table).kept)
        run(table, "SO!")
    helped = [half for half, (number, kept) in seen.items() if number == 11 and kept]
    assert ["T3", "B3", "T4"][: 2 + (last == "T4")] == helped


@pytest.mark.rule("CL-053", "CL-054")
@each("uses", ["1", "unlimited"])
def test_a_used_coach_is_spent(uses: str) -> None:
    """He lies apart from the strategy cards, out of reach of other cards.

    He can be used once in a game, or by a house rule in every at-bat (AM-42).
    """
    table = at(away=["BACK", "SW+2", "SW-2"], cards=COACHES, house={"coachUses": uses})
    run(table, "away:HIT", "SW+2", "P2", "S3")
    assert (["HIT"] if uses == "1" else []) == list(state(table).squad("away").spent)
    assert ("HIT" in playable(table, "away", "before-pitch")) == (uses == "unlimited")
    ask = upto(table, "recover", "BACK")
    assert ("SW+2",) == options(ask)
    table.answer_ask(ask.seat, table.open_asks()[0][0], "SW+2")
    assert ["SW-2", "SW+2"] == hand(table, "away")
