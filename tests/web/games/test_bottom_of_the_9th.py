"""The pages of Bottom of the 9th, moment by moment, and what they keep to themselves."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.table import Table
from engine.views import DieConfirmationView
from tests.web.games.bottom_of_the_9th import GAME, PITCHES, ball, contact, dice, give, ninth, race, stare
from tests.web.leaks import Leaky, check_secrecy, sights
from tests.web.phones import phone, port, text
from tests.web.web_table import WebTable
from web.app import create_app
from web.render.templates import render_panel, render_tv_panel, skipped_innings


def now(made: WebTable) -> str:
    return text(render_panel(made.game.view_for(None))["now"])


def test_count() -> None:
    """Lamps and words for balls, strikes and outs; both fatigue tokens below them, on the overlay too."""
    table = ninth()
    ball(table, "inside-high", "away-low")
    ball(table, "inside-low", "away-low")
    dice(stare(table, "away-low", "away-low"), 5, "S", 2)
    made = port(table)
    lamps = render_panel(made.game.view_for(None))["lamps"]
    assert "2 balls 1 strike 0 outs Fatigue inside 2, high 1" in text(lamps)
    assert [1, 1, 0, 1, 0, 0, 0, 0] == [int("on" in lamp) for lamp in re.findall(r'class="(lamp[^"]*)"', lamps)]
    with phone(create_app(made.port)) as client:
        assert lamps in client.get("/overlay").text


def test_line_score() -> None:
    """Only the inning that is played is shown; a whole game has nine."""
    assert "9" == innings(port(contact(ninth())))
    assert "9" == innings(WebTable(GAME))
    assert "123456789" == innings(WebTable())
    sides: dict[Seat, SideScore] = {
        "away": SideScore("Away", "red", (None, None, 1)),
        "home": SideScore("Home", "blue"),
    }
    assert 2 == skipped_innings(Scoreboard("any", sides, inning=5))


def innings(made: WebTable) -> str:
    return "".join(re.findall(r'<th scope="col"[^>]*>(\d+)</th>', render_panel(made.game.view_for(None))["line"]))


def test_stare_down() -> None:
    """While they choose, the pages say only who is ready."""
    table = ninth()
    assert "Visitors choosing Home choosing" in now(port(table))
    give(table, "home", "away-low")
    assert "Visitors choosing Home ready" in now(port(table))
    assert "Waiting for" not in now(port(table))
    give(table, "away", "inside-low")
    assert "choosing" not in now(port(table))


def test_open_tokens() -> None:
    """With real tokens entered openly, the asks are ordinary and nothing is secret."""
    shown = now(port(ninth({"tokens": "open"})))
    assert "Waiting for Home What will Sam Sorrel throw Ann Aster?" in shown
    assert "secret" not in shown
    assert "choosing" not in shown


def test_opened() -> None:
    """Once both are ready, pitch, guess and tokens are public."""
    table = stare(ninth(), "inside-high", "inside-low")
    shown = now(port(table))
    assert "This pitch Direction Location Thrown inside high Guessed inside low Token Home Visitors" in shown
    shown = now(port(dice(table, 5, "B", 2)))
    assert "The last pitch" in shown
    assert "Token" not in shown
    assert "Dice control 5, B; swing 2" in shown
    assert (
        'class="die red" viewBox="0 0 100 100" role="img" aria-label="red 2"'
        in render_panel(port(table).game.view_for(None))["dice"]
    )


def test_cards() -> None:
    """The abilities of both cards, which of them apply to this pitch, and what they make of the dice."""
    table = Table(GAME, [house_deck(GAME)])
    give(table, "home", "ready-made")
    for _ in range(2):
        ((_, ask),) = table.open_asks()
        assert isinstance(ask, Choose)
        give(table, "away", ask.options[0])
    twin = dice(stare(table.clone(), "away-low", "inside-high"), 4, "B", 3)
    assert "Dice control 5 (rolled 4), B; swing 2 (rolled 3)" in now(port(twin))
    shown = now(port(stare(table, "away-low", "away-high")))
    assert "speed: a 4 wins the race direction: swing +1 , on location: control -1 both guessed: unopposed" in shown
    assert "direction: control +1 location: swing -1 , on ace: S as C" in shown


def test_fatigue_track() -> None:
    """Both tokens in their rows, the name of the ace pitch, and tired pitches struck out."""
    table = ninth()
    for thrown in ("inside-high", "inside-low"):
        ball(table, thrown, "away-low")
    html = render_panel(port(table).game.view_for(None))["now"]
    assert "Sam Sorrel’s fatigue (ace pitch: inside, high)" in text(html)
    assert "0 top 1 high 2 inside 3 too tired" in track(html)
    assert 'class="token spent"' not in html
    ball(table, "inside-low", "away-low")
    walked = dice(stare(table, "away-low", "away-low"), 5, "B", 2)
    html = render_panel(port(walked).game.view_for(None))["now"]
    assert '<b class="token spent">inside</b>' in html
    give(walked, "away", "bench")
    html = render_panel(port(walked).game.view_for(None))["now"]
    assert "ace pitch: away, low" in track(html)
    assert "0 closed 1 reliever’s top away low 2 3 too tired" in track(html)


def track(html: str) -> str:
    return text(html.partition("parts fatigue")[2].partition("</table>")[0])


def test_race() -> None:
    """Both dice, what each side needs, the result of its call, and what needs confirmation."""
    table = contact(ninth())
    about = race(table, home={"face": 3, "words": "A 3 does not win."}, away={"state": "void", "words": "Roll again."})
    shown = now(port(table, about))
    assert "Race to first! Visitors ? OUT! on 5 or 6 Roll again." in shown
    assert "SAFE! on 5 or 6 A 3 does not win." in shown
    assert "Roll the red die over and over" not in shown
    about = replace(about, confirm=DieConfirmationView("away", 9, "What does the white die show?"))
    assert "What does the white die show?" in now(port(table, about))


@pytest.mark.parametrize(("winner", "words"), [("home", "SAFE! Home won"), ("away", "OUT! Visitors won")])
def test_race_won(winner: Seat, words: str) -> None:
    """The winner of the race is shown large until the next batter is pitched to."""
    table = contact(ninth())
    give(table, winner, 6)
    assert words in now(port(table))
    give(table, "away", "none")
    assert words not in now(port(table))


def test_over() -> None:
    """The winning run is shown with the winner."""
    table = ninth()
    for _ in range(4):
        contact(table, "away-low", "away-low")
        give(table, "home", 5)
        if table.open_asks():
            give(table, "away", "none")
    assert table.outcome.winner == "home"
    regions = render_panel(port(table).game.view_for(None))
    assert "Home wins with a run in the ninth." in regions["now"]
    assert "SAFE!" in regions["now"]
    assert "Final" in regions["lamps"]
    assert "· win" in regions["score"]


# What is on no page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [WebTable, Leaky])
@pytest.mark.parametrize("chooser", ["away", "home"])
def test_no_page_tells_a_secret(chooser: Seat, kind: type[WebTable]) -> None:
    """Before the reveal no other page depends on the choice; of a table that leaks, every page does."""
    found = []
    for choice in PITCHES:
        table = ninth()
        give(table, chooser, choice)
        found.append(sights(port(table, kind=kind), chooser))
    check_secrecy(found, kind is Leaky)


def test_own_choice_is_not_written_on_the_page() -> None:
    """Even the chooser's own page gets the choice only from the stream, while a finger is down."""
    pages = set()
    for choice in PITCHES:
        table = ninth()
        give(table, "away", choice)
        with phone(create_app(port(table).port), "away") as client:
            pages.add(client.get("/seat").text)
    assert 1 == len(pages)


def hands(made: WebTable) -> list[tuple[bool, str]]:
    """The hands on the television: whether each is open, and what stands below it."""
    duel = render_tv_panel(made.game.view_for(None))["duel"]
    found = re.findall(r'<div class="hand [^"]*?(open|closed)[^"]*">(.*?)</div>', duel, re.S)
    return [(state == "open", text(inside)) for state, inside in found]


def test_hands_on_the_television_open_together() -> None:
    """Closed until both have chosen, whatever one of them chose; then both choices side by side."""
    table, shown = ninth(), set()
    assert [(False, "Visitors choosing the pitch"), (False, "Home guessing")] == hands(port(table))
    for pitch in PITCHES:
        one = ninth()
        give(one, "away", pitch)
        shown.add("".join(render_tv_panel(port(one).game.view_for(None)).values()))
        assert [(False, "Visitors has chosen"), (False, "Home guessing")] == hands(port(one))
    assert 1 == len(shown)
    stare(table, "away-low", "inside-low")
    assert [(True, "Visitors Away, low"), (True, "Home Inside, low got half")] == hands(port(table))
    dice(table, 5, "B", 2)
    assert [False, False] == [is_open for is_open, _ in hands(port(table))]


def test_the_race_on_the_television() -> None:
    """Both dice in their colors, who runs and who fields, what each needs, and who called."""
    table = contact(ninth())
    made = port(table, race(table, home={"face": 4, "state": "called", "words": "Called."}))
    html = render_tv_panel(made.game.view_for(None))["duel"]
    away, home = re.findall(r'<li class="team-\w+" data-state="(\w+)">(.*?)</li>', html, re.S)
    assert ("rolling", "called") == (away[0], home[0])
    assert ("Visitors Sam Sorrel", "Home Ann Aster") == (text(away[1])[:19], text(home[1])[:14])
    assert (["5", "6"], ["5", "6"]) == tuple(re.findall(r'aria-label="(\d)"', one[1]) for one in (away, home))
    assert ('aria-label="white ?"' in away[1], 'aria-label="red 4"' in home[1]) == (True, True)
    assert ("<b>Out!</b>" in html, "<b>Safe!</b>" in html) == (False, True)


def test_before_the_game_the_television_shows_who_plays() -> None:
    """Both sides, until they are set up; then the stage is free for the game."""
    table = Table(GAME, [house_deck(GAME)])
    cover = render_tv_panel(port(table).game.view_for(None))["cover"]
    assert "Visitors at Home" in text(cover)
    assert "" == render_tv_panel(port(ninth()).game.view_for(None))["cover"]
