"""Nobody is asked about a card that would come to nothing."""

from __future__ import annotations

import pytest

from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, playable, run

CARDS = {
    "RUN": fixture.strategy("RUN", "offense", "before the pitch", "br +2"),
    "MOE": fixture.written("coach", name="MOE", kind="bench", when="at the start of an at-bat", do="my runners st +2"),
}


@pytest.mark.parametrize(("where", "offered"), [("T5 0o ---", ()), ("T5 0o 1--", ("RUN",))])
def test_a_speed_wants_runners(where: str, offered: tuple[str, ...]) -> None:
    assert offered == playable(at(where, cards=CARDS, away=["RUN"]), "away", "before-pitch")


def test_a_bench_coach_of_runners_is_asked_about_when_runners_come_on() -> None:
    coaches = {"MOE": CARDS["MOE"]}
    table = at("T5 0o ---", cards=coaches, position=lambda s: s.change("away", coaches=("MOE",)))
    assert () == playable(table, "away", "at-bat")
    run(table, "GB!")
    run(table, "1B!")
    assert ("MOE",) == playable(table, "away", "at-bat")
    run(table, "BB!")
    assert () == playable(table, "away", "at-bat")
    fielding = at("B5 0o 1--", cards=coaches, position=lambda s: s.change("away", coaches=("MOE",)))
    assert () == playable(fielding, "away", "at-bat")


@pytest.mark.rule("CL-079")
@pytest.mark.parametrize("do", ["draw 1", "draw 2", "search 1", "look at the top 2 of my deck"])
def test_nobody_is_asked_to_draw_from_an_empty_deck(do: str) -> None:
    cards = {"X": fixture.strategy("X", "neutral", "before the pitch", do)}
    both = {"X": fixture.strategy("X", "defense", "before the pitch", ["pitch +1", do])}
    for deck, offered in (("MOM",), ("X",)), ((), ()):
        assert offered == playable(at(home=["X"], cards=cards, decks=((), deck)), "home", "before-pitch")
        assert ("X",) == playable(at(home=["X"], cards=both, decks=((), deck)), "home", "before-pitch")


def test_a_card_about_cards_is_asked_about_once_in_a_half_inning() -> None:
    start = "at the start of an at-bat"
    cards = {
        "NOTES": fixture.strategy("NOTES", "neutral", start, "draw 1"),
        "EVERY": fixture.strategy("EVERY", "offense", start, "swing +1", **{"if": "runners on"}),
    }
    table = at(away=["NOTES", "EVERY", "SW+2"], cards=cards)
    assert ("NOTES",) == playable(table, "away", "at-bat")
    run(table, "GB!")
    assert () == playable(table, "away", "at-bat")
    run(table, "1B!")
    assert ("NOTES", "EVERY") == playable(table, "away", "at-bat")
    table = at(away=["NOTES", "SW+2"], cards=cards)
    run(table, "SW+2", "GB!")
    assert ("NOTES",) == playable(table, "away", "at-bat")


@pytest.mark.parametrize(("outs", "offered"), [(15, ()), (18, ("WIND",))])
def test_innings_for_a_pitcher_are_asked_about_once_he_needs_them(outs: int, offered: tuple[str, ...]) -> None:
    wind = fixture.strategy("WIND", "defense", "at the start of an at-bat", "innings +1")
    arm = {"outs": outs - 1, "faced": 20, "finished": True}
    table = at("T5 0o ---", home=["WIND"], cards={"WIND": wind}, arm=arm)
    assert ("WIND",) == playable(table, "home", "at-bat")
    run(table, "GB!")
    assert offered == playable(table, "home", "at-bat")
