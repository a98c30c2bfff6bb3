"""The pages of RallyBird, moment by moment, and what they keep to themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine.ask_views import ArrangeView
from engine.table import Table
from tests.web.games.bottom_of_the_9th import give
from tests.web.games.rallybird import LAID, laid, rally, rolled, shown
from tests.web.leaks import Leaky, check_secrecy, sights
from tests.web.phones import phone, port, text
from tests.web.web_table import WebTable
from web.app import create_app
from web.render.templates import render_panel, render_seat_panel, render_tv_panel


def regions(table: Table) -> dict[str, str]:
    return render_panel(port(table).game.view_for(None))


def now(table: Table) -> str:
    return text(regions(table)["now"])


def field(table: Table) -> dict[str, tuple[set[str], str]]:
    """Each drawn zone: its classes, and the words on it."""
    groups = re.findall(r'<g class="([^"]*)" data-zone="(.)"[^>]*>(.*?)</g>', regions(table)["diamond"], re.DOTALL)
    return {letter: (set(classes.split()) - {"zone"}, text(inside)) for classes, letter, inside in groups}


def label(table: Table) -> str:
    found = re.search(r'aria-label="([^"]*)"', regions(table)["diamond"])
    assert found
    return found[1]


def worn(*gloves: str) -> Table:
    """The first at-bats of a half, each a hit that changes this Glove: first turned over, then removed."""
    table = rally()
    for glove in gloves:
        lying = {place: one for place, one in LAID.items() if one in played(table)}
        rolled(shown(table, "Chop to the left", lying), 6, 6)
        if table.open_asks()[0][1].why in ("flip", "remove"):
            give(table, "home", glove)
    return table


def played(table: Table) -> list[str]:
    gloves = table.view_for(None).scoreboard.panel["gloves"]
    return [glove["name"] for glove in gloves if not glove["out"]]


def test_zones() -> None:
    """What counts in each zone; backs, bare and tested zones look different and are labeled."""
    table = rally()
    assert {letter: ({"bare"}, f"{letter} {3 if letter == 'E' else 2}") for letter in "ABCDEF"} == field(table)
    shown(table)
    assert ({"tested"}, "A 5") == field(table)["A"]
    assert (set(), "B 3") == field(table)["B"]
    assert "A, left infield: Glove 5/4 with the ball shows 5, its front, tested." in label(table)
    assert "B, middle infield: Glove 3/4 shows 3, its front." in label(table)
    rolled(table, 6, 6)
    assert ({"tested"}, "D 4") == field(table)["D"]
    give(table, "home", "4/1")
    assert ({"back"}, "D 1") == field(table)["D"], "the next at-bat tests nothing yet"
    assert "D, left field: Glove 4/1 shows 1, its back." in label(table)
    assert label(table).startswith("runner on first.")
    taken = worn("5/4", "5/4")
    assert ({"bare"}, "A 2") == field(taken)["A"]
    assert "A, left infield: no Glove, printed 2." in label(taken)


def test_marks_without_colour() -> None:
    """A back is underlined and a Glove with the ball shows it: colour alone marks neither."""
    table = rally()
    rolled(shown(table), 6, 6)
    assert "worn" not in regions(table)["diamond"]
    assert 1 == regions(table)["diamond"].count('class="ball"')
    give(table, "home", "4/1")
    assert 1 == regions(table)["diamond"].count('class="worn"')


def test_places_are_drawn() -> None:
    """Every place for Gloves is a zone of the drawn field, where a finger can lay them."""
    table = laid(rally())
    (ask,) = table.view_for(None).asks
    assert isinstance(ask, ArrangeView)
    assert [place.value for place in ask.places] == list(field(table))


def test_other_games_have_the_plain_field() -> None:
    diamond = render_panel(WebTable().game.view_for(None))["diamond"]
    assert '<svg class="field" viewBox="0 0 200 164"' in diamond
    assert "zone" not in diamond


def test_card() -> None:
    """Face down, then open with its aim; then the result is marked, until the next card is chosen."""
    table = rally()
    assert "face down" not in now(table)
    laid(table)
    assert "The card is face down." in now(table)
    give(table, "home", dict(LAID))
    assert "At Bat card 1 Chop to the left A 5 + D 4 = 9 What the roll means < less The batter" in now(table)
    asked = "Waiting for Visitors Chop to the left against 9. Roll both dice."
    assert f"{asked} The tray is empty. At Bat card" in now(table)
    assert 'class="now"' not in regions(table)["now"]
    rolled(table, 6, 6)
    assert "A 5 + D 4 = 9, rolled 12: more" in now(table)
    rows = re.findall(r"<tr( class=\"now\")?><th[^>]*>(.*?)</th>", regions(table)["now"])
    assert [("", "< less"), ("", "= equal"), (' class="now"', "> more")] == [(mark, text(row)) for mark, row in rows]
    assert ", rolled" in now(table).partition("more")[2]
    give(table, "home", "4/1")
    assert "At Bat card" not in now(table)


def test_aim() -> None:
    """A zone counts as often as it is tested."""
    assert "A 5 + A 5 = 10" in now(shown(rally(), "Liner over third"))
    assert "E 3 + F 3 = 6, twice" in now(shown(rally(removed="Drag bunt"), "Over the fence"))
    table = rolled(shown(rally()), 6, 6)
    assert "A 5 + D 4 = 9, rolled 12: more" in now(table)


def test_blank_card() -> None:
    """A card that the table reads has no results, and no aim before its zones are known."""
    view = port(shown(rally())).game.view_for(None)
    card = view.table.scoreboard.panel["card"]
    card |= {"tests": [], "worths": [], "target": 0, "less": "", "equal": "", "more": ""}
    shown_ = text(render_panel(view)["now"])
    assert "At Bat card 1 Chop to the left" in shown_
    assert "less" not in shown_
    assert "= 0" not in shown_


def test_bench() -> None:
    """Gloves out of play are listed with the reason."""
    assert "4 4/6 left out" in now(rally())
    assert "3/4" not in now(rally())
    assert "removed" not in now(worn("5/4"))
    assert "4 5/4 removed 4 4/6 left out" in now(worn("5/4", "5/4"))


def test_rallybird() -> None:
    """Shown only behind in the ninth, when it may fly, and after it was lost."""
    assert "RallyBird" not in now(rally())
    table = rally(removed="Drag bunt", inning=9)
    rolled(rolled(shown(table, "Over the fence"), 6, 6), 6, 6)
    give(table, "home", "3/2")
    assert "RallyBird" not in now(table)
    for _ in range(3):
        rolled(shown(table, "Liner to right"), 1, 1)
    give(table, "home", "Drag bunt")
    give(table, "away", "4/6")
    assert "RallyBird Home may roll again" in now(table)
    give(table, "home", "Liner to right")
    give(table, "away", dict(LAID))
    for answer in ([1, 1], "reroll", [1, 2]):
        assert "RallyBird Home may roll again" in now(table)
        give(table, "home", answer)
    assert "RallyBird Home used up" in now(table)


def test_own_card() -> None:
    """The removed card is only on its owner's page, covered."""
    made = port(rally(removed="Drag bunt"))
    mine = render_seat_panel(made.game.view_for("away"), made.game.view_for(None))
    assert "Removed Drag bunt" in text(mine.pop("own"))
    assert "Drag bunt" not in "".join(mine.values())
    assert "Drag bunt" not in "".join(render_seat_panel(made.game.view_for("home"), made.game.view_for(None)).values())


# What is on no page --------------------------------------------------------------------------------------------------


SECRETS: dict[str, Callable[[str], Table]] = {
    "chosen": lambda card: laid(rally(), card),
    "removed": lambda card: drawn(card),
    "removed, later": lambda card: shown(rally(removed=card), "Blooper to left"),
}
"""Moments with a card that only one side knows."""


def drawn(card: str) -> Table:
    """A card was just drawn."""
    table = rally()
    while len(table.answers) > 1:
        table.undo(table.answers[-1].n)
    table.correct_answer(0, card)
    return table


@pytest.mark.parametrize(
    ("moment", "kind"), [*((moment, WebTable) for moment in SECRETS), ("chosen", Leaky), ("removed", Leaky)]
)
def test_no_page_tells_a_secret(moment: str, kind: type[WebTable]) -> None:
    """No page but the owner's depends on the card; of a table that leaks, every page does."""
    cards = ("Chop to the left", "Drag bunt", "Liner to right")
    check_secrecy([sights(port(SECRETS[moment](card), kind=kind), "away") for card in cards], kind is Leaky)


def test_own_choice_is_not_written_on_the_page() -> None:
    """Not even on the chooser's own page, before the card is turned over."""
    pages = set()
    for card in ("Chop to the left", "Drag bunt"):
        with phone(create_app(port(laid(rally(), card)).port), "away") as client:
            pages.add(client.get("/seat").text)
    assert 1 == len(pages)


def duel(table: Table) -> str:
    return render_tv_panel(port(table).game.view_for(None))["duel"]


def test_card_and_gloves_on_the_television_open_together() -> None:
    """Hands stay closed, whatever card lies face down, until the Gloves are down; then both are open until the roll."""
    faces = {duel(laid(rally(), card)) for card in ("Chop to the left", "Into the gap")}
    (html,) = faces
    assert "Visitors card face down Home placing the Gloves" in text(html)
    assert ('class="hand team-red closed' in html, "open" in html) == (True, False)
    table = shown(rally())
    assert "Visitors Chop to the left Home A 5 + D 4 = 9" in text(duel(table))
    assert 2 == len(re.findall(r'class="hand [^"]*open', duel(table)))
    rolled(table, 1, 1)
    assert "Home A 5" not in text(duel(table))
