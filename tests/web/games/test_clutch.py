"""The pages of Clutch: the cards of an at-bat, arms, squads, a hand for its owner alone, the box score."""

from __future__ import annotations

import re

from engine.games import GAMES
from engine.seats import Seat
from engine.table import Table
from tests.engine.games.clutch.field import at, run, state, upto
from tests.engine.games.clutch.fixture import strategy
from tests.web.phones import phone, port, shown, text
from web.app import create_app
from web.render import printed_log
from web.render.templates import format_signed_numbers, render_panel, render_seat_panel

GAME = GAMES["clutch"]


def own(table: Table, seat: Seat) -> str:
    """What a seat's page shows to this seat only."""
    there = port(table)
    return text(render_seat_panel(there.game.view_for(seat), there.game.view_for(None))["own"])


def pitched(*script: str, where: str = "T5 0o ---") -> Table:
    """An at-bat without cards, up to its swing."""
    table = at(where, level="players")
    upto(table, "swing", *script)
    return table


# An at-bat -----------------------------------------------------------------------------------------------------------


def test_two_cards_side_by_side() -> None:
    """On-Base against Command, and both charts; no row is lit before the swing."""
    table = at(level="players")
    upto(table, "pitch")
    said = shown(table)
    assert "On-Base 10 Bx " in said
    assert "Command 3 Px " in said
    assert "1–2 SO 3–4 GB " in said
    assert " 23+ HR " in said
    charts = re.findall(
        r'<table class="chart">.*?</table>', render_panel(port(table).game.view_for(None))["now"], re.DOTALL
    )
    assert [False, False] == ["now" in chart for chart in charts]


def test_who_has_the_advantage() -> None:
    """The sentence on pitch and On-Base, and the mark on the card whose chart counts."""
    for roll, holder, total in (("P12", "pitcher", 15), ("P5", "batter", 8)):
        html = render_panel(port(pitched(roll)).game.view_for(None))["now"]
        assert f"Pitch {total} against On-Base 10: the {holder}’s advantage" in text(html)
        (ahead,) = re.findall(r'class="duel-card ahead" aria-label="(\w+)’s card"', html)
        assert holder == ahead.lower()


def test_dice_have_numerals() -> None:
    """Not pips: a d20 shows up to 20."""
    html = render_panel(port(pitched("P3")).game.view_for(None))["dice"]
    assert "3" in text(html)
    assert "<circle" not in html


def test_a_mistake_pitch() -> None:
    assert "Mistake Pitch the batter has the advantage, and the batter swings the d24" in shown(pitched("P1"))
    assert "Mistake Pitch the" not in shown(pitched("P5"))


def test_numbers_that_cards_change_are_shown_as_they_count() -> None:
    """Command, X-Zone and who has the advantage after a Mistake Pitch, with the die of the swing."""
    does = ["command +2", "x-zone +2", "the pitcher has the advantage", "d20 for the swing"]
    big = strategy("BIG", "defense", "before the pitch", does)
    table = at(home=["BIG"], cards={"BIG": big})
    upto(table, "pitch", "BIG")
    said = shown(table)
    assert "Command 5 printed 3 Px " in said
    assert "Mistake Pitch on 1–3, printed 1 " in said
    upto(table, "swing", "P2")
    assert "Mistake Pitch the pitcher has the advantage, and the batter swings the d20" in shown(table)


def test_the_row_that_was_read_is_lit() -> None:
    """While runners try to advance, one row of one chart: the one with the swing in it."""
    table = at("T5 0o -2-", level="players")
    upto(table, "extra-base", "1B!")
    html = render_panel(port(table).game.view_for(None))["now"]
    (chart,) = (one for one in re.findall(r'<table class="chart">.*?</table>', html, re.DOTALL) if "now" in one)
    (row,) = re.findall(r'<tr class="[^"]*now">(.*?)</tr>', chart)
    assert text(row).endswith("1B , rolled")
    state(table).update_at_bat(chart="pitcher", reader="somebody who has left")
    assert (
        "rolled"
        not in render_panel(port(table).game.view_for(None))["now"]
        .partition('class="units"')[0]
        .partition('class="facts"')[0]
    )


def test_a_throw_before_and_after() -> None:
    """Who throws at whom, and the numbers for the die."""
    table = at("T5 0o -2-", level="players")
    upto(table, "throw", "1B!", "to-home", "at-home")
    assert "Throw by the outfield, at A-CF going home: +4 and the roll must beat 18" in shown(table)


def test_arms() -> None:
    """Outs left or tired, in full and in the lamps."""
    table = at(level="players")
    upto(table, "pitch")
    left = table.view_for(None).scoreboard.panel["pitcher"]["left"]
    assert f"Px’s arm {left} outs left before he tires" in shown(table)
    assert f"Pitcher {left} outs left" in shown(table, "lamps")
    weary = at(level="players", arm={"outs": 30})
    upto(weary, "pitch")
    assert "Tired: Command −5, every swing is a d24" in shown(weary)
    assert "Pitcher tired" in shown(weary, "lamps")


def test_squads_can_be_looked_at_by_anybody() -> None:
    table = at("T5 0o -2-", level="players")
    upto(table, "pitch")
    squads = re.findall(
        r'data-leaf="squad-\w+".*?</details>', render_panel(port(table).game.view_for(None))["squads"], re.DOTALL
    )
    away, home = map(text, squads)
    assert "CF A-CF on second" in away
    assert "bats next" in away
    for said in (away, home):
        assert "Bench" in said
        assert "Bullpen" in said


# Cards ---------------------------------------------------------------------------------------------------------------


def test_a_hand_is_for_its_owner() -> None:
    """Its owner sees what each card does; everybody else the number of cards."""
    table = at(away=["SW+2", "1B>2B"], home=["SW-2"])
    upto(table, "cards-before-pitch")
    assert "Your hand: 2 cards SW+2 Swing +2. Played" in own(table, "away")
    assert "SW-2" not in own(table, "away")
    for html in render_panel(port(table).game.view_for(None)).values():
        assert "SW+2" not in html
    assert "2 in hand" in shown(table)
    with phone(create_app(port(table).port), "home") as client:
        page = client.get("/seat").text
        assert "SW-2" in page
        assert "SW+2" not in page


def test_twins_are_counted() -> None:
    """Equal cards are listed once, with their count."""
    table = at(away=["SW+2", "1B>2B", "SW+2"])
    upto(table, "cards-before-pitch")
    said = own(table, "away")
    assert said.startswith("Your hand: 3 cards 2 × SW+2 Swing +2.")
    assert 1 == said.count("SW+2")


def test_nothing_is_secret_without_cards() -> None:
    table = at(level="players")
    upto(table, "pitch")
    assert "" == own(table, "away")


def test_what_was_skipped_is_told_to_who_wanted_it() -> None:
    """A manager who skipped an ask sees that he could have played a card then."""
    table = at(away=["SW+2"])
    upto(table, "cards-before-pitch")
    ((n, ask),) = table.open_asks()
    table.answer_ask(ask.seat, n, "not-here")
    upto(table, "swing", "P12")
    assert "You could have played a card before the pitch" not in own(table, "away")
    upto(table, "swing", "S1", "P12")
    assert "You could have played a card before the pitch" in own(table, "away")
    assert "could have been played" not in own(table, "home")


def test_signs() -> None:
    """A minus sign instead of a hyphen, and no sign before 0."""
    words = "Clutch -1; can play SS +0, 1B -2; a d20 shows 1-9, half-innings"
    assert "Clutch −1; can play SS 0, 1B −2; a d20 shows 1-9, half-innings" == format_signed_numbers(words)
    table = at(level="players")
    upto(table, "pitch")
    view = port(table).game.view_for(None)
    view.table.scoreboard.panel["fielding"]["away"]["battery"] = 0
    said = " ".join(text(html) for html in render_panel(view).values())
    assert not re.search(r"[+−]0\b|\s-\d", said)


def test_cards_in_play_are_told_apart() -> None:
    """Each with its effect, separated from the next."""
    view = port(at(away=["SW+2"])).game.view_for(None)
    play = [{"name": name, "on": "", "reads": "If runners on."} for name in ("Long Lead", "Big Step")]
    view.table.scoreboard.panel["cards"]["away"]["play"] = play
    said = text(render_panel(view)["now"])
    assert "Away cards " in said
    assert "In play Long Lead If runners on ; Big Step If runners on" in said


# The box score -------------------------------------------------------------------------------------------------------


def test_box_score() -> None:
    """Folded while the game goes on."""
    table = at("T5 0o -2-", level="players")
    upto(table, "pitch", "2B!")
    html = render_panel(port(table).game.view_for(None))
    said = text(re.findall(r'data-leaf="box".*?</details>', html["box"], re.DOTALL)[0])
    assert "Batter AB R H RBI BB SO" in said
    assert "Pitcher IP H R ER BB SO HR" in said
    assert "2B Bx" in said


def test_a_seat_keeps_the_box_score() -> None:
    """After the last out, open, on the pages that answer too."""
    table = run(at("B9 2o ---", level="players", score=(2, 1)), "SO!")
    assert [] == list(table.open_asks())
    for role, path in (("home", "/seat"), ("operator", "/table")):
        with phone(create_app(port(table).port), role) as client:
            said = text(client.get(path).text)
            assert "Batter AB R H RBI BB SO" in said
            assert "Box score so far" not in said


def test_a_printed_box_score() -> None:
    """On the last sheet, with notes; it fits on the sheet however long it is."""
    table = at("T5 0o -2-", level="players")
    upto(table, "pitch", "2B!")
    board = table.view_for(None).scoreboard
    (*_, sheet) = printed_log.log_sheets([], board)
    words = [(line.kind, line.words) for line in sheet.box]
    assert words[:2] == [("team", "Away"), ("head", "Batter")]
    assert ("note", "2B: Bx") in words
    (double,) = (line for line in sheet.box if line.words.startswith("Bx "))
    assert ("1", "0", "1", "1", "0", "0") == double.figures
    assert (
        printed_log.LATER_SHEET_TOP_MM + sheet.size * len(sheet.box)
        <= printed_log.SHEET_HEIGHT_MM - printed_log.SHEET_MARGIN_MM
    )
    board.panel["box"]["away"]["batting"] *= 5
    (*_, longer) = printed_log.log_sheets([], board)
    assert (
        printed_log.LATER_SHEET_TOP_MM + longer.size * len(longer.box)
        <= printed_log.SHEET_HEIGHT_MM - printed_log.SHEET_MARGIN_MM
    )
