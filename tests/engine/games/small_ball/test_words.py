"""What the questions of Small Ball say: who, what each face leads to, and what else happens."""

from __future__ import annotations

import pytest

from engine.secrets import redacted_data
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.small_ball.fixture import ON_BASE, POWER, A, at
from tests.engine.tables import codes, panel, play


def sentence(table: Table) -> str:
    """Return the question."""
    return str(json_data(table.view_for(None))["asks"][0]["sentence"])


@each(
    ("table", "said"),
    [
        (at(), "strikeout on 1; single on 2; groundout on 3; flyout on 4; walk on 5; double on 6."),
        (at("1"), "strikeout on 1; single on 2; groundout and red 1 is out too on 3; flyout on 4; walk on 5; "),
        (at("3"), "flyout and red 1 scores on 4"),
        (at("13", 2), "groundout on 3; flyout on 4"),
        (at("2", 2, 1), "double on 6. On a hit every runner takes one more base."),
        (at("", 2, 1), "double on 6."),
        (at("2", 1, 1), "double on 6."),
    ],
)
def test_a_roll_says_what_each_face_leads_to(table: Table, said: str) -> None:
    play(table, "bat")
    assert f" {said}" in sentence(table)
    assert sentence(table).endswith(said) or not said.endswith(".")


EVENTS = {
    "strikeout": "strikeout",
    "single": "single",
    "double": "double",
    "walk": "walk",
    "fly-out": "flyout",
    "ground-out": "groundout",
    "ground-double-play": "groundout and red 1 is out too",
    "line-double-play": "lineout and the runner is doubled up",
    "strike-double-play": "strikeout and the runner is thrown out",
}


@each("how", ["bat", "hit-and-run"])
@each("face", range(1, 7))
def test_what_is_said_happens(how: str, face: int) -> None:
    """Of each face on its own, with a runner on first."""
    table = play(at("1"), how)
    facts = redacted_data(table.open_asks()[0][1].facts, None)["chart"]
    (said,) = [part for part in facts.split("; ") if str(face) in part.split(" on ")[-1]]
    play(table, face)
    (code,) = [code for code in codes(table.log) if code in EVENTS]
    assert said.startswith(f"{EVENTS[code]} on ")


PANEL = {"GO": "ground-out", "FO": "fly-out", "SO": "strikeout", "BB": "walk", "1B": "single", "2B": "double"}
PANEL |= {"3B": "triple", "HR": "home-run", "safe": "steal-second", "out": "caught-steal-second", "SAC": "sacrifice"}


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(
    "way",
    [("bat",), ("hit-and-run",), (POWER, "bat"), (ON_BASE, "hit-and-run"), ("sacrifice",), ("steal-second",)],
    ids=" ".join,
)
def test_the_panel_has_what_each_face_means_now(way: tuple[str, ...], face: int) -> None:
    """With the declared play and pinch hitters while the die is rolled, as the batter's card is printed before it."""
    table = at("1")
    printed = panel(table, "card")
    play(table, *way)
    said = panel(table, "card")[face - 1]
    play(table, face)
    (code,) = [code for code in codes(table.log) if code in PANEL.values() or code.endswith("-double-play")]
    assert said == ("DP" if code in ("line-double-play", "strike-double-play") else said)
    assert code.endswith("double-play") if said in ("DP", "GO") else PANEL[said] == code
    assert A == printed
