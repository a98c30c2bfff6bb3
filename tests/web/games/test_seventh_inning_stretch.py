"""The pages of 7th Inning Stretch: pool, cards and line-up of a game, and the season between the games."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from device.table import past_games
from engine.ask_views import ChooseView
from engine.games import GAMES
from engine.table import Table
from engine.views import PlayView
from tests.engine.games.seventh_inning_stretch.fixture import against, at, between, new, skip, swing
from tests.engine.tables import play
from tests.web.phones import phone, port, shown, text
from tests.web.web_table import proposal
from web.app import create_app
from web.render.templates import plays_by_half, render_panel, render_seat_panel, render_tv_panel

GAME = GAMES["seventh-inning-stretch"]


# A game --------------------------------------------------------------------------------------------------------------


def test_pool_and_supply() -> None:
    """As words and as drawn pieces."""
    table = at("F-RES", pool=(2, 0, 1))
    assert "3 dice 9 left in the supply 1 reroll 3 left 2 +/−1 2 left" in shown(table)
    html = render_panel(port(table).game.view_for(None))["now"]
    (dice,) = re.findall(r'class="bits d6".*?</span>', html)
    assert (3, 9) == (dice.count('<i class="on">'), dice.count("<i>"))


def test_a_card_without_dice_says_only_what_it_wants() -> None:
    """Before the roll no goal is met, and no chance is shown."""
    said = shown(at("F-TWO"))
    assert "Brings 2 dice. " in said
    assert "Double a pair Single highest 4+ " in said
    assert "%" not in said


def test_what_dice_meet_and_can_still_become() -> None:
    """A pair of ones is met; a 4 comes in half of all rerolls of one die, in three of four of both."""
    table = swing(at("F-TWO", pool=(0, 1, 0)), 1, 1)
    assert "Double a pair met ✓ Single highest 4+ 75%" in shown(table)
    assert "Double a pair out of reach" in shown(swing(at("F-TWO", pool=(0, 0, 1)), 1, 3))


def test_line_up_with_runners_bench_and_dugout() -> None:
    table = at("F-MAX", bench=("F-7",), bases="", slot=2)
    said = shown(play(table, "F-7"))
    assert "F-7 due" in said
    assert "In the dugout, out of this game F-MAX" in said
    assert "On the bench F-7" in shown(at("F-MAX", bench=("F-7",)))
    table = swing(at("F-MAX", pool=(1, 0, 0)), 4)
    (runner,) = (one for one in table.scoreboard().bases if one)
    assert f"{runner} on 1st" in shown(table)


def test_the_other_team_bats_by_its_card() -> None:
    """The team's card, the tired pitcher and the bullpen; outs are not counted."""
    table = against(tired={"F-PIT": 1}, pitchers=("F-CUT",))
    said = shown(table)
    assert "Now batting t1 T1 · tier 2 · batter on the back" in said
    assert "Rolls 3 dice, never fewer than 2. Runs: the difference of the two lowest" in said
    assert "Pitching F-PIT 1 of 2 tired" in said
    assert "In the bullpen F-CUT 0 of 3 tired" in said
    assert ("out" in shown(table, "lamps"), "Exhaustion 1 of 2" in shown(table, "lamps")) == (False, True)
    assert "0 outs" in shown(at(), "lamps")


def test_a_playoff_card_says_what_it_forbids() -> None:
    """In the playoffs only."""
    assert "Playoff card no rerolls" in shown(at(phase="semifinals"))
    assert "Playoff card" not in shown(at())


def test_the_first_innings_are_not_on_the_board() -> None:
    """A game of a season begins with the seventh."""
    assert shown(at(), "line").startswith("Line score Team 7 8 9 R H")


# A season ------------------------------------------------------------------------------------------------------------


def test_between_games_there_is_no_empty_diamond() -> None:
    """The season's results and stars are there instead."""
    table = between("second", won=(True, False, True), stars=2, schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})
    assert "Second half, game 4 1 W 2 L 3 W 4 · to play 5 · to play 6 · to play" == shown(table, "score")
    assert "★ 2 stars Next game away" == shown(table, "lamps")
    assert ["", ""] == [shown(table, "diamond"), shown(table, "line")]


def test_the_season_is_there_at_any_time() -> None:
    """Teams to face, tops of the supplies and roster; folded during a game (SI-021)."""
    table = between("second", won=(True, False, True), schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})
    said = shown(table)
    assert "Still to face u1 U1 · tier 3 · batter on the back" in said
    assert "Top of each supply t9 " in said
    assert "F-PIT pitcher 0 of 2 tired Stamina 2: lower one die by 2." in said
    assert re.search(r'data-leaf="season-now" open', render_panel(port(table).game.view_for(None))["now"])
    during = render_panel(port(at()).game.view_for(None))["now"]
    assert re.search(r'data-leaf="season"><summary>', during)
    assert "Roster" in during


def test_the_playoffs_cards_and_games() -> None:
    """Both series' cards, the games of this series, and the wins it takes."""
    table = between(
        "finals",
        series=(True, False),
        levels=(2, 3),
        green=(True, False),
        schedule=("U-1",),
        won=(True,) * 6,
        tops={2: "T-9", 3: "U-9"},
    )
    said = shown(table)
    assert "Semifinals Level 2, Home Field: no nudges Finals Level 3: no rerolls" in said
    assert "First to 2 wins takes the series. So far: W L" in said
    assert "Top of each supply" not in said


def test_a_season_that_is_over_shows_its_end() -> None:
    table = between("entry", won=(False,) * 6, stars=0)
    assert table.outcome is not None
    assert table.outcome.sentence in shown(table)
    assert "6 L" in shown(table, "score")


def test_plays_of_several_games_name_no_team_of_today() -> None:
    """Who batted then is one of the plays; the current half-inning is headed by its team."""
    sentence = "Inning 7, bottom: Your team to bat."
    one = PlayView(1, "half-inning", 1, 7, "bottom", None, sentence, 0, None, False)
    alone, several = plays_by_half([one]), plays_by_half([one, replace(one, n=2, game=2)])
    assert ([], False) == (alone[0].plays, alone[0].several)
    assert [[sentence]] * 2 == [[play.sentence for play in half.plays] for half in several]
    table = at()
    assert "Bottom of the 8th · Your team" in shown(table, "plays")


# A duel --------------------------------------------------------------------------------------------------------------


def drafting() -> Table:
    """A duel whose first hands are dealt."""
    table = new({"mode": "duel"})
    while table.open_asks()[0][1].why != "pick":
        ((n, ask),) = table.open_asks()
        seen = table.ask_view(n, ask, ask.seat, dealer=True)
        assert isinstance(seen, ChooseView)
        table.answer_ask(ask.seat, n, seen.options[0].value)
    return table


def test_only_its_own_seat_sees_a_hand() -> None:
    """On its own panel; nobody else's page has a card of it."""
    table = drafting()
    made = port(table)
    hands = table.view_for("away").scoreboard.panel["hands"]["away"]
    assert 4 == len(hands)
    html = render_seat_panel(made.game.view_for("away"), made.game.view_for(None))["own"]
    assert 4 == html.count("/portrait.svg?name=")
    own = text(html)
    assert f"Your hand: 4 cards {' '.join(hands)}" == own
    for who, path in (("spectator", "/"), ("spectator", "/tv"), ("home", "/seat"), ("operator", "/table")):
        with phone(create_app(made.port), who) as client:
            page = text(client.get(path).text)
            assert [] == [name for name in hands if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)]


def test_both_teams_in_a_draft() -> None:
    """The progress of each, and no score yet."""
    table = drafting()
    assert "Visitors 0 batters, 1 pitcher, 4 cards in hand" in shown(table)
    assert "Duel, the draft" == shown(table, "score")
    assert "" == shown(table, "diamond")


def test_both_line_ups_of_a_duel() -> None:
    said = shown(skip(at(duel=True, inning=3), "relief"))
    assert "Home’s lineup" in said
    assert "Roster of Visitors" in said


# Games that were played ----------------------------------------------------------------------------------------------


def test_a_season_among_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed by its standing; the score of its last game is not its result."""
    going = between("second", won=(True, False, True), schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})
    over = between("entry", won=(False,) * 6)
    assert over.outcome is not None
    for table, words in ((going, "Second half, game 4"), (over, over.outcome.sentence)):
        # No journal leads to the table of a fixture.
        monkeypatch.setattr(past_games, "restore_table", lambda *_, table=table: table)
        with phone(create_app(port(table).port)) as client:
            paths = ("/games", "/games/1", "/games/1.svg", "/games/1/scorecard")
            every, one, card, cards = (client.get(path).text for path in paths)
        for html in (every, one, card, cards):
            assert GAME.title in text(html)
            assert " at Your team" not in html
            assert "Your team at " not in html
        assert words in text(card)
        if table is over:
            assert f"Final: {words}" in text(every)
        assert "Line score" not in text(render_panel(port(table).game.view_for(None))["line"])


# The television ------------------------------------------------------------------------------------------------------


def reroll() -> Table:
    """Two dice lie there, and one token may throw them again."""
    return play(swing(at("F-TWO", pool=(0, 1, 0)), 1, 3), "reroll")


def test_dice_of_a_reroll_on_the_television() -> None:
    """Which may be thrown again; once they are read, which were and which were kept."""
    table = reroll()
    ((n, ask),) = table.open_asks()
    made = port(table)
    assert 2 == render_tv_panel(made.game.view_for(None))["duel"].count("can reroll")
    made.show(proposal=proposal(n, ask.seat, (1, 6), again=[1]))
    said = text(render_tv_panel(made.game.view_for(None))["duel"])
    assert ("kept rerolled" in said, "can reroll" in said) == (True, False)


def test_a_season_between_games_on_the_television() -> None:
    """The roster with portraits; field and line score are empty, so the page gives their room to it."""
    regions = render_tv_panel(
        port(between("first", schedule=("U-1", "U-2"), tops={2: "T-9", 3: "U-9"})).game.view_for(None)
    )
    assert ("", "") == (regions["field"], regions["line"])
    assert "/portrait.svg?name=" in regions["duel"]
