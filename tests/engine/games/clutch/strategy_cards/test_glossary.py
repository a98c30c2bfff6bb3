"""Glossary terms as the cards that wait for them see them (section 5), and what counts as a card."""

from __future__ import annotations

import pytest

from engine.asks import Choose, Draw
from engine.games.clutch import GAME
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import (
    at,
    by_rule,
    deck,
    event_codes,
    mound,
    options,
    playable,
    run,
    state,
    until,
    upto,
)
from tests.engine.tables import asked, inside, panel


def could(table: Table, card: str = "WORD") -> bool:
    """Return whether this card could have been played in any window so far."""
    asks = [inside(one.ask) for one in table.answers] + [inside(ask) for _, ask in table.open_asks()]
    return any(isinstance(ask, Choose) and card in ask.options for ask in asks)


def waiting(when: str, where: str, *script: str, score: tuple[int, int]) -> bool:
    """Return whether home could play a card with this trigger during the script."""
    card = fixture.strategy("WORD", "neutral", when, "draw 1")
    return could(run(at(where, score, home=["WORD"], cards={"WORD": card}, arm={"outs": 9}), *script))


ONE_TWO_THREE = "at the end of a 1-2-3 half-inning"
STRUCK_OUT = "at the end of a struck-out-the-side half-inning"
MULTI_RUN = "at the end of a multi-run half-inning"
ENDING = "after an inning-ending play"
LEAD_CHANGE = "after a lead change"


@pytest.mark.parametrize(
    ("when", "where", "script", "true", "score"),
    by_rule(
        # One pitcher and three batters, none of whom reached base; an automatic runner does not spoil it (AM-50).
        ("CL-369", ONE_TWO_THREE, "T7 0o ---", "SO! GB! FB!", True, (0, 0)),
        ("CL-369", ONE_TWO_THREE, "T7 0o ---", "1B! GB! D13 SO!", False, (0, 0)),
        ("CL-369", ONE_TWO_THREE, "T7 0o ---", "SO! new-pitcher Rx SO! SO!", False, (0, 0)),
        ("CL-369", ONE_TWO_THREE, "T7 0o ---", "SO! BB! SO! SO!", False, (0, 0)),
        ("CL-369", ONE_TWO_THREE, "B9 2o ---", "SO! SO! SO! SO!", True, (3, 3)),
        ("CL-369", ONE_TWO_THREE, "B9 2o ---", "SO! GB! to-third at-third D10 SO! SO!", False, (3, 3)),
        ("CL-377", STRUCK_OUT, "T5 0o ---", "SO! SO! SO!", True, (0, 0)),
        ("CL-377", STRUCK_OUT, "T5 0o ---", "SO! 1B! SO! SO!", False, (0, 0)),
        ("CL-376", MULTI_RUN, "T5 2o ---", "HR! SO!", False, (0, 0)),
        ("CL-376", MULTI_RUN, "T5 2o ---", "HR! HR! SO!", True, (0, 0)),
        # However the third out is made.
        ("CL-372", ENDING, "T5 2o ---", "SO!", True, (0, 0)),
        ("CL-372", ENDING, "T5 2o 1--", "1B! to-third at-third D15", True, (0, 0)),
        ("CL-372", ENDING, "T5 2o 1--", "steal-second at-second D7", True, (0, 0)),
        ("CL-372", ENDING, "T5 1o ---", "SO!", False, (0, 0)),
        ("CL-372", ENDING, "T5 2o ---", "1B!", False, (0, 0)),
        # A run that ties or takes the lead, judged run by run.
        ("CL-373", LEAD_CHANGE, "T5 0o ---", "HR!", True, (2, 3)),
        ("CL-373", LEAD_CHANGE, "T5 0o ---", "HR!", True, (3, 3)),
        ("CL-373", LEAD_CHANGE, "T5 0o ---", "HR!", False, (4, 3)),
        ("CL-373", LEAD_CHANGE, "T5 0o ---", "HR!", False, (1, 3)),
        ("CL-374", LEAD_CHANGE, "T5 0o 12-", "HR!", True, (1, 3)),
        ("CL-314", "after a walk", "T5 0o ---", "BB!", True, (0, 0)),
        ("CL-314", "after a walk", "T5 0o ---", "walk", False, (0, 0)),
        ("CL-314", "after an intentional walk", "T5 0o ---", "walk", True, (0, 0)),
    ),
)
def test_a_card_waits_for_a_play(when: str, where: str, script: str, true: bool, score: tuple[int, int]) -> None:
    assert true == waiting(when, where, *script.split(), score=score)


@pytest.mark.rule("CL-289")
@each(("house", "walked"), [("true", True), ("false", False)])
def test_a_hit_batter_was_walked_for_cards(house: str, walked: bool) -> None:
    """The glossary calls it a walk that is not charged; a house rule reads it otherwise."""
    cards = {
        "CARD": fixture.strategy("CARD", "neutral", "after a walk", "draw 1"),
        "Bx": fixture.batter("Bx", chart="1-20 HBP, 21+ HR"),
    }
    table = at(away=["CARD"], cards=cards, house={"hbpIsWalk": house})
    assert walked == bool(playable(table, "away", "after", "P2", "S5"))
    assert 0 == mound(table).walks


FOG = fixture.written("weather", name="Fog", when="before the pitch", do="command -2", lasts="this inning")


@pytest.mark.rule("CL-386")
def test_the_weather_is_drawn_before_a_game() -> None:
    """Only where the house plays with it, which it usually does not (AM-51). Then it is in force: Command is 3 - 2."""
    cards = {"Fog": FOG}
    for house in ({}, {"weather": "off"}, {"weather": "on"}):
        table = Table(GAME, [fixture.deck(cards)], {"format": "open", **house})
        until(table, "Away", "X9", "X14")
        drawn = house.get("weather") == "on"
        assert drawn == isinstance(table.open_asks()[0][1], Draw)
        if drawn:
            until(table, "Fog")
        assert ("Fog" if drawn else None) == (panel(table, "weather") or {}).get("name")
        assert (1 if drawn else 3) == inside(upto(table, "pitch")).facts["command"]


@pytest.mark.rule("CL-391")
def test_the_rules_have_a_version() -> None:
    assert "8.0.4" == panel(at(), "edition")


@pytest.mark.rule("CL-147")
def test_the_away_sides_leadoff_hitter_bats_first() -> None:
    table = Table(GAME, [deck()], {**fixture.HOUSE, "level": "players"})
    until(table, "Away", "X9", "X14")
    ask = upto(table, "defence")
    assert ("Bx", "Px") == (ask.facts["batter"], ask.facts["pitcher"])
    assert ("top", 1, "away") == (state(table).clock.half, state(table).clock.inning, state(table).offense)
    assert "at-bat" == event_codes(table)[-1]
    assert asked(table) == ("defence",)
    assert "pitch" in options(ask)
