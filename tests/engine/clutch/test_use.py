"""Nobody is asked about a card that would come to nothing."""

from __future__ import annotations

import pytest

from tests.engine.clutch import fixture
from tests.engine.clutch.field import at, playable, run

CARDS = {
    "RUN": fixture.strategy("RUN", "offense", "before the pitch", "br +2"),
    "MOE": fixture.written("coach", name="MOE", kind="bench", when="at the start of an at-bat", do="draw 1"),
}


@pytest.mark.parametrize(("where", "offered"), [("T5 0o ---", ()), ("T5 0o 1--", ("RUN",))])
def test_a_speed_wants_runners(where: str, offered: tuple[str, ...]) -> None:
    """With the bases empty nobody can use it."""
    assert offered == playable(at(where, cards=CARDS, away=["RUN"]), "away", "before-pitch")


def test_a_bench_coach_is_offered_once_in_a_half_inning_and_when_runners_come_on() -> None:
    """At its first at-bat, not at the second, and again behind a single."""
    coaches = {"MOE": CARDS["MOE"]}
    table = at("T5 0o ---", cards=coaches, position=lambda s: s.change("away", coaches=("MOE",)))
    assert ("MOE",) == playable(table, "away", "at-bat")
    run(table, "GB!")
    assert () == playable(table, "away", "at-bat")
    run(table, "1B!")
    assert ("MOE",) == playable(table, "away", "at-bat")
