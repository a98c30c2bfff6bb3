"""Descriptions of abilities in plain sentences, and parts of the index that no other game has."""

from __future__ import annotations

import pytest

from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.effects import PHRASES
from engine.games.bottom_of_the_9th.words import does
from engine.table import Table
from engine.views import plain
from tests.engine.games.bottom_of_the_9th.fixture import at, deck, throw
from tests.engine.rules_index import Index

SAID = {
    "swing +1": "adds 1 to the swing die",
    "control -2": "takes 2 off the control die",
    "bonus +1": "adds 1 to the bonus",
    "control = 5": "makes the control die a 5",
    "reroll pitch": "has the pitching die thrown again",
    "S as C": "turns an S into a C",
    "B as S": "turns a B into an S",
    "foul as contact": "turns a foul into contact",
    "strike as ball": "turns a strike into a ball",
    "bonus 2 as 1B": "turns a bonus of 2 into a single",
    "bonus 6 as contact": "turns a bonus of 6 into contact",
    "ball +1": "counts 1 more ball",
    "strike +2": "counts 2 more strikes",
    "runners +1": "sends every runner on by 1 base",
    "runners +2": "sends every runner on by 2 bases",
    "race 4": "wins the race with 4, 5 or 6",
    "their race 6": "lets the other side win the race only with 6",
    "unopposed": "rolls alone before the race",
    "cancel mvp": "cancels the MVP ability of the other card",
    "cancel trait": "cancels the trait of the other card",
    "direction fatigue +1": "tires direction by 1 row",
    "both fatigue -2": "rests direction and location by 2 rows",
}


@pytest.mark.parametrize("text", SAID)
def test_an_ability_is_described(text: str) -> None:
    assert SAID[text] == does(PHRASES.read(text).effect)


def test_every_kind_is_described() -> None:
    verbs = [{PHRASES.read(text).effect.verb for text in texts} for texts in (PHRASES.examples, SAID)]
    assert verbs[0] == verbs[1]


def test_it_is_announced_and_asked_in_words() -> None:
    """The event and the question are sentences; the phrase as typed remains among the facts, for programs."""
    table = throw(at(cards=deck({"F-DULL": 'positions = "C"\ntrait = "swing +1"'})), "S", 4, 2)
    assert "F-DULL adds 1 to the swing die." in [line.sentence for line in table.lines()]
    assert ["swing +1"] == [one.event.facts["ability"] for one in table.log if one.event.code == "ability"]
    table = throw(at(cards=deck({"F-DULL": 'positions = "C"\ntrait = { do = "swing = 5", may = true }'})), "S", 3, 2)
    assert "F-DULL makes the swing die a 5: use it now?" == plain(table.view(None))["asks"][0]["sentence"]


# The index ----------------------------------------------------------------------------------------------------------


def test_every_pitch_has_the_same_facts() -> None:
    events = Index(GAME.key).events()
    for code in ("strike", "foul", "contact", "crush", "ball"):
        assert [{"seat", "batter", "letter", "control", "swing"}] == events[code]


def test_the_panel_works_before_the_pitchers_are_chosen() -> None:
    assert {"lineup"} == set(Table(GAME, [deck()]).scoreboard().panel)
