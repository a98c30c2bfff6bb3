"""Descriptions of abilities in plain sentences, and what questions say of each face."""

from __future__ import annotations

import re
from typing import Any

from engine.games.bottom_of_the_9th.effects import ABILITY_PHRASES
from engine.games.bottom_of_the_9th.words import describe_effect
from engine.secrets import redacted_data
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import at, deck, stare, throw
from tests.engine.tables import asked, codes, panel, play

SAID = {
    "swing +1": "adds 1 to the swing die",
    "control -2": "subtracts 2 from the control die",
    "bonus +1": "adds 1 to the bonus",
    "control = 5": "makes the control die a 5",
    "reroll pitch": "rerolls the pitching die",
    "S as C": "turns an S into a C",
    "B as S": "turns a B into an S",
    "foul as contact": "turns a foul into contact",
    "strike as ball": "turns a strike into a ball",
    "bonus 2 as 1B": "turns a bonus of 2 into a single",
    "bonus 6 as contact": "turns a bonus of 6 into contact",
    "ball +1": "counts 1 more ball",
    "strike +2": "counts 2 more strikes",
    "runners +1": "moves every runner up 1 base",
    "runners +2": "moves every runner up 2 bases",
    "race 4": "wins the race with 4, 5 or 6",
    "their race 6": "lets the other side win the race only with 6",
    "unopposed": "rolls alone before the race",
    "cancel mvp": "cancels the MVP ability of the other card",
    "cancel trait": "cancels the trait of the other card",
    "direction fatigue +1": "tires direction by 1 row",
    "both fatigue -2": "rests direction and location by 2 rows",
}


@each("text", SAID)
def test_an_ability_is_described(text: str) -> None:
    assert SAID[text] == describe_effect(ABILITY_PHRASES.parse_phrase(text).effect)


def test_every_kind_is_described() -> None:
    verbs = [
        {ABILITY_PHRASES.parse_phrase(text).effect.verb for text in texts} for texts in (ABILITY_PHRASES.examples, SAID)
    ]
    assert verbs[0] == verbs[1]


# The index ----------------------------------------------------------------------------------------------------------


# Questions ----------------------------------------------------------------------------------------------------------


def ask(table: Table) -> dict[str, str]:
    """Return the open question."""
    return dict(json_data(table.view_for(None))["asks"][0])


def pitched(letter: str, control: int, count: str = "0-0", **more: Any) -> Table:
    """Return a table before the swing."""
    return play(stare(at(count=count, **more)), [control, letter])


@each(
    ("table", "chart", "wins"),
    [
        (pitched("S", 4), "an S with control 4: strike on 1 to 3; foul on 4; contact on 5; crush on 6", "5-6"),
        (pitched("C", 3), "a C with control 3: strike on 1, 2, 4 or 5; contact on 3; crush on 6", "3, 6"),
        (pitched("B", 3), "a B with control 3: ball on 1 to 3; strike on 4 or 5; crush on 6", "1-3, 6"),
        (pitched("B", 3, "3-2"), "walk on 1 to 3; strikeout on 4 or 5; crush on 6", "1-3, 6"),
        (pitched("S", 6, house={"crushNeedsContact": "true"}), "strike on 1 to 5; foul on 6", "none"),
    ],
)
def test_a_swing_says_what_each_face_leads_to(table: Table, chart: str, wins: str) -> None:
    assert f"{chart}." in ask(table)["sentence"]
    assert f"Swing: good on {wins}" == ask(table)["title"]


CARDS = {
    "F-ONE": 'positions = "C"\ntrait = ["swing +1", { do = "strike as foul", when = { swing = 2 } }]\nmvp = "C as S"',
    "F-MAY": 'positions = "C"\ntrait = { do = "swing = 5", may = true }\ndirection = "control -2"',
    "F-MORE": 'positions = "C"\ntrait = ["strike +1", "bonus +2"]\nlocation = { do = "foul as crush", may = true }',
}


@each("batter", CARDS)
@each("letter", "BSC")
@each("control", range(1, 7))
def test_what_is_said_of_a_swing_happens(batter: str, letter: str, control: int) -> None:
    """With the abilities of both cards; those that may be used are declined."""
    for guess in ("inside-high", "away-high", "away-low"):
        table = at(count="1-1", batter=batter, pitcher="F-PIT", cards=deck(CARDS))
        play(stare(table, "away-low", guess), [control, letter])
        (_, swing), said = table.open_asks()[0], dict[int, str]()
        for part in redacted_data(swing.facts, None)["chart"].split("; "):
            result, named = part.split(" on ")
            said |= dict.fromkeys(faces_in(named), result)
        for face in range(1, 7):
            twin = play(table.clone(), face)
            while asked(twin) == ("ability",):
                play(twin, "keep")
            (code,) = [code for code in codes(twin.log) if code in ("ball", "strike", "foul", "contact", "crush")]
            assert {"strikeout": "strike", "walk": "ball"}.get(said[face], said[face]) == code
            assert ("strikeout" == said[face]) == ("strikeout" in codes(twin.log))


def faces_in(named: str) -> list[int]:
    """Return the faces in "1 to 3 or 6"."""
    return [
        face
        for first, last in re.findall(r"(\d)(?: to (\d))?", named)
        for face in range(int(first), int(last or first) + 1)
    ]


def test_an_ability_says_what_it_changes() -> None:
    def offer(phrase: str, letter: str = "S", control: int = 4, swing: int = 3, more: str = "") -> str:
        one = f'positions = "C"\ntrait = {{ do = "{phrase}", may = true{more} }}'
        return ask(throw(at(cards=deck({"F-DULL": one})), letter, control, swing))["sentence"].split("now?")[1]

    assert " A strike becomes a foul." == offer("swing +1")
    assert " A strike becomes a foul. Once a game." == offer("swing +1", more=', uses = "game"')
    assert " It stays a strike. Once an at-bat." == offer("swing -1", more=', uses = "at-bat"')
    assert " It's a strike now." == offer("reroll swing")
    assert "" == offer("runners +1")
    pitcher = {"F-MILD": 'role = "starter"\nace = "inside-high"\ntrait = { do = "control +1", may = true }'}
    table = play(stare(at(cards=deck(arms=pitcher))), [4, "S"])
    assert "F-MILD adds 1 to the control die. Use it now? Control 4 becomes control 5." == ask(table)["sentence"]


def test_relief_says_how_tired_the_pitcher_is() -> None:
    """The options name the parts of the ace that they rest."""
    out = throw(at(count="0-2", rows=(3, 1)), "S", 4, 1)
    assert (
        "Rest F-MILD or bring in F-REL before the next pitch? "
        "Inside is 3 of 3 rows down and high is 1 of 3 rows down; on the last row it cannot be thrown."
    ) == ask(out)["sentence"]
    labels = [one["label"] for one in json_data(out.view_for(None))["asks"][0]["options"]]
    assert {"Rest inside +2, high +1", "Rest inside +1", "No relief", "Bring in F-REL"} <= set(labels)
    alone = throw(at(count="0-2", rows=(3, 1), reliever=None), "S", 4, 1)
    assert ask(alone)["sentence"].startswith("Rest F-MILD before the next pitch?")
    early = throw(at(house={"benchTiming": "everyPitch"}), "S", 4, 1)
    assert ask(early)["sentence"].startswith("Bring in F-REL for F-MILD before the next pitch?")


def test_the_panel_has_the_dice_as_they_count() -> None:
    """With abilities included, from when each is rolled; the faces as rolled stay beside them."""
    table = stare(at(batter="F-DULL", pitcher="F-PIT"), "inside-low", "away-high")
    rolled = ("control", "letter", "swing", "bonus")
    assert dict.fromkeys(rolled) == panel(table, "pitch")["count"]
    play(table, [4, "B"])
    shown = panel(table, "pitch")
    assert ({"control": 5, "letter": "B", "swing": None, "bonus": None}, 4) == (shown["count"], shown["control"])
    play(table, 3)
    shown = panel(table, "pitch")
    assert ({"control": 5, "letter": "B", "swing": 2, "bonus": None}, 3) == (shown["count"], shown["swing"])
    assert any("2 against 5" in line.sentence for line in table.play_log_lines())
    ace = play(stare(at(pitcher="F-PIT"), "inside-high", "away-low"), [1, "S"])
    assert ("C", "S") == (panel(ace, "pitch")["count"]["letter"], panel(ace, "pitch")["letter"])
    assert f"a C with control {panel(ace, 'pitch')['count']['control']}" in ask(ace)["sentence"]
