"""Box scores and rates of games that were scored by hand, play by play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import pytest

from engine.games.clutch import GAME as CLUTCH
from engine.league.game_stats import game_stats
from engine.league.stats import BattingStats, GameStats, PitchingStats
from engine.scorecard.fold import current_answers
from engine.table import Table
from engine.text.numbers import average_text, rate_text
from tests.engine.games.clutch import field, fixture
from tests.engine.games.small_ball import fixture as small_ball
from tests.engine.games.small_ball.fixture import BB, DOUBLE, FO, GO, POWER, SINGLE, SO
from tests.engine.league.test_game_stats import stored_game
from tests.engine.tables import play

BATTING_CODES = {
    "PA": "plate_appearances", "AB": "at_bats", "R": "runs", "H": "hits", "2B": "doubles", "3B": "triples",
    "HR": "home_runs", "RBI": "driven_in", "BB": "walks", "HBP": "hit_by_pitch", "SH": "sacrifice_hits",
    "SF": "sacrifice_flies", "SO": "strikeouts", "SB": "steals", "CS": "caught_stealing",
}  # fmt: skip

PITCHING_CODES = {
    "OUT": "outs", "BF": "batters", "H": "hits", "R": "runs", "ER": "earned_runs", "BB": "walks", "SO": "strikeouts",
}  # fmt: skip

StatsT = TypeVar("StatsT", BattingStats, PitchingStats)


def lines(kind: type[StatsT], codes: Mapping[str, str], text: str) -> dict[str, StatsT]:
    """Return the lines of a table, such as "Ann: PA 4, AB 3, BB 1", by name."""
    found = {}
    for row in text.strip().splitlines():
        name, _, did = row.strip().partition(": ")
        pairs = (one.split() for one in did.split(", "))
        found[name] = kind(games=1, **{codes[code]: int(count) for code, count in pairs})
    return found


def check_batting(game: GameStats, side: str, text: str) -> None:
    """Check all lines of a side, of which the last is its total."""
    expected = lines(BattingStats, BATTING_CODES, text)
    found = game.sides["home" if side == "home" else "away"]
    assert expected == {**found.batters, "total": found.total}


def check_pitching(game: GameStats, side: str, text: str) -> None:
    """Check all pitchers of a side."""
    assert lines(PitchingStats, PITCHING_CODES, text) == game.sides["home" if side == "home" else "away"].pitchers


def rates(did: BattingStats) -> list[str]:
    """Return AVG, OBP, SLG and OPS as they are printed."""
    four = (did.batting_average, did.on_base_percentage, did.slugging, did.on_base_plus_slugging)
    return [rate_text(one) for one in four]


# Small Ball ---------------------------------------------------------------------------------------------------------

SMALL_BALL = (
    # Top of the first: red 1 singles and steals second; red 2 bunts him to third; red 3's fly brings him home; red 4
    # singles. The run is banked: 1-0.
    ("bat", SINGLE, "steal-second", 1, "sacrifice", 1, "bat", FO, "bat", SINGLE, "bank"),
    # Bottom: blue 1 walks and is caught stealing; blue 2 doubles; blue 3 singles him to third; blue 4 grounds into a
    # double play, and the half is bust.
    ("bat", BB, "steal-second", 6, "bat", DOUBLE, "bat", SINGLE, "bat", GO),
    # Top of the second: red 5 doubles; the pinch hitter makes red 6's single a triple, but red 7, 8 and 9 strike out,
    # so the run is lost.
    ("bat", DOUBLE, POWER, SINGLE, "bat", SO, "bat", SO, "bat", SO),
    # Bottom: blue 5 doubles, blue 6 doubles him home, and it is banked: 1-1.
    ("bat", DOUBLE, "bat", DOUBLE, "bank"),
    # Third: three flies without a runner, and three strikeouts.
    ("bat", FO, "bat", FO, "bat", FO, "bat", SO, "bat", SO, "bat", SO),
    # Top of the fourth, an extra inning without a runner placed: the used pinch hitter stays used; red 4 doubles, red 5
    # doubles him home, and it is banked: 2-1.
    ("none", "bat", DOUBLE, "bat", DOUBLE, "bank"),
    # Bottom: blue 1 doubles, blue 2 singles him to third, blue 3 walks, and blue 4's double brings two home. The bank
    # is a walk-off: 2-3.
    ("bat", DOUBLE, "bat", SINGLE, "bat", BB, "bat", DOUBLE, "bank"),
)


def test_small_ball() -> None:
    """Steal, caught stealing, sacrifice bunt and fly, pinch hitter, lost runs, extra innings and a walk-off."""
    table = small_ball.new({"innings": "3"})
    for half in SMALL_BALL:
        play(table, *half)
    (game,) = game_stats(table)
    assert ("home", 4, 3, 3) == (game.winner, game.innings, game.regulation, game.half_innings)
    away, home = game.sides["away"], game.sides["home"]
    assert ((1, 0, 0, 1), 2, 6) == (away.line, away.runs, away.hits)
    assert ((0, 1, 0, 2), 3, 7) == (home.line, home.runs, home.hits)
    assert ({}, {}) == (away.pitchers, home.pitchers)
    check_batting(
        game,
        "away",
        """
        red 1: PA 2, AB 2, R 1, H 1, SB 1
        red 2: PA 2, AB 1, SH 1
        red 3: PA 2, AB 1, RBI 1, SF 1
        red 4: PA 2, AB 2, R 1, H 2, 2B 1
        red 5: PA 2, AB 2, H 2, 2B 2, RBI 1
        red 6: PA 1, AB 1, H 1, 3B 1
        red 7: PA 1, AB 1, SO 1
        red 8: PA 1, AB 1, SO 1
        red 9: PA 1, AB 1, SO 1
        total: PA 14, AB 12, R 2, H 6, 2B 3, 3B 1, RBI 2, SH 1, SF 1, SO 3, SB 1
        """,
    )
    check_batting(
        game,
        "home",
        """
        blue 1: PA 2, AB 1, R 1, H 1, 2B 1, BB 1, CS 1
        blue 2: PA 2, AB 2, R 1, H 2, 2B 1
        blue 3: PA 2, AB 1, H 1, BB 1
        blue 4: PA 2, AB 2, H 1, 2B 1, RBI 2
        blue 5: PA 1, AB 1, R 1, H 1, 2B 1
        blue 6: PA 1, AB 1, H 1, 2B 1, RBI 1
        blue 7: PA 1, AB 1, SO 1
        blue 8: PA 1, AB 1, SO 1
        blue 9: PA 1, AB 1, SO 1
        total: PA 13, AB 11, R 3, H 7, 2B 5, RBI 3, BB 2, SO 3, CS 1
        """,
    )
    # 6 for 12; on base 6 times in 12 at-bats and a sacrifice fly; 11 bases.
    assert [".500", ".462", ".917", "1.378"] == rates(away.total)
    # 7 for 11; on base 9 times in 11 at-bats and 2 walks; 12 bases.
    assert [".636", ".692", "1.091", "1.783"] == rates(home.total)
    # The sacrifice fly counts for the on-base percentage, the bunt does not.
    assert [".000", ".000", ".000", ".000"] == rates(away.batters["red 3"])
    assert [".500", ".500", "1.000", "1.500"] == rates(home.batters["blue 4"])


def test_a_double_steal_of_loaded_bases() -> None:
    """All three runners have a stolen base, the one from third that of home; nobody has an RBI."""
    table = small_ball.new({"innings": "3", "doubleStealLoaded": "allow"})
    play(table, "bat", SINGLE, "bat", SINGLE, "bat", SINGLE, "double-steal", 1, "bank", "bank", "bank")
    while table.outcome is None:
        play(table, "bat", SO)
    (game,) = game_stats(table)
    assert (1, 0, 3) == (game.sides["away"].runs, game.sides["away"].total.driven_in, game.sides["away"].total.steals)
    assert [1, 1, 1] == [game.sides["away"].batters[f"red {number}"].steals for number in (1, 2, 3)]


# Clutch -------------------------------------------------------------------------------------------------------------

ERROR_CARD = fixture.strategy("ERR", "offense", "on a GB", "batter advances 1 by an error")

CLUTCH_PLAYS = (
    # The roster "Away" wins the roll and is at home. Top of the 7th, A-Px pitches: H-DH singles, steals second with no
    # throw, H-CA bunts him to third, and H-1B's fly brings him home; H-2B strikes out. 1-0.
    "X15 X3 1B! steal-second bunt B20 | FB! to-home | SO!",
    # Bottom, Px pitches: Bx walks; A-CA is safe on an error; A-1B strikes out; A-2B singles, so the bases are full;
    # A-3B's fly brings Bx home; A-SS's double brings A-CA home; A-LF strikes out. 1-2.
    "BB! | P15 S8 ERR | SO! | 1B! | FB! to-home | 2B! | SO!",
    # Top of the 8th: H-3B homers; H-SS walks and is caught stealing; H-LF and H-CF strike out. 2-2.
    "HR! | BB! | steal-second at-second D20 SO! | SO!",
    # Bottom: A-LF2 bats for A-CF and singles; A-RF strikes out; Bx grounds into a double play.
    "pinch-hitter A-LF2 1B! | SO! | P15 S8 D20",
    # Top of the 9th: H-RF doubles; H-DH, H-CA and H-1B strike out. Bottom: A-CA, A-1B and A-2B strike out.
    "2B! | SO! | SO! | SO! | SO! | SO! | SO!",
    # Top of the 10th, with H-1B placed on second: H-2B singles him to third; H-3B's fly brings him home; H-SS and H-LF
    # strike out. 3-2.
    "1B! | FB! to-home | SO! | SO!",
    # Bottom, with A-2B placed on second: A-3B walks; Rx comes in; A-SS homers, a walk-off. 3-5.
    "BB! | new-pitcher Rx HR!",
)


def clutch_game() -> GameStats:
    deck = field.deck({"ERR": ERROR_CARD, "Away": fixture.roster("A", deck=[*fixture.DECK[:-1], "2 ERR"])})
    table = Table(CLUTCH, [deck], {**fixture.HOUSE, "hands": "real", "startInning": "7"})
    for half in CLUTCH_PLAYS:
        for at_bat in half.split(" | "):
            field.run(table, *at_bat.split())
    (game,) = game_stats(table)
    return game


def test_clutch() -> None:
    """Walk-off, extra innings with placed runners, error, both sacrifices, steals, pinch hitter and two pitchers."""
    game = clutch_game()
    assert ("home", 10, 9, 3) == (game.winner, game.innings, game.regulation, game.half_innings)
    away, home = game.sides["away"], game.sides["home"]
    assert ("home", "Home", 3, 4) == (away.seat, away.cards, away.runs, away.hits)
    assert ("away", "Away", 5, 4) == (home.seat, home.cards, home.runs, home.hits)
    assert (*(None,) * 6, 1, 1, 0, 1) == away.line
    assert (*(None,) * 6, 2, 0, 0, 3) == home.line
    check_batting(
        game,
        "away",
        """
        H-DH: PA 2, AB 2, R 1, H 1, SO 1, SB 1
        H-CA: PA 2, AB 1, SH 1, SO 1
        H-1B: PA 2, AB 1, R 1, RBI 1, SF 1, SO 1
        H-2B: PA 2, AB 2, H 1, SO 1
        H-3B: PA 2, AB 1, R 1, H 1, HR 1, RBI 2, SF 1
        H-SS: PA 2, AB 1, BB 1, SO 1, CS 1
        H-LF: PA 2, AB 2, SO 2
        H-CF: PA 1, AB 1, SO 1
        H-RF: PA 1, AB 1, H 1, 2B 1
        total: PA 16, AB 12, R 3, H 4, 2B 1, HR 1, RBI 3, BB 1, SH 1, SF 2, SO 8, SB 1, CS 1
        """,
    )
    check_batting(
        game,
        "home",
        """
        Bx: PA 2, AB 1, R 1, BB 1
        A-CA: PA 2, AB 2, R 1, SO 1
        A-1B: PA 2, AB 2, SO 2
        A-2B: PA 2, AB 2, R 1, H 1, SO 1
        A-3B: PA 2, AB 0, R 1, RBI 1, BB 1, SF 1
        A-SS: PA 2, AB 2, R 1, H 2, 2B 1, HR 1, RBI 4
        A-LF: PA 1, AB 1, SO 1
        A-LF2: PA 1, AB 1, H 1
        A-RF: PA 1, AB 1, SO 1
        total: PA 15, AB 12, R 5, H 4, 2B 1, HR 1, RBI 5, BB 2, SF 1, SO 6
        """,
    )
    # The placed runner's run is charged, but not earned.
    check_pitching(game, "home", "A-Px: OUT 12, BF 16, H 4, R 3, ER 2, BB 1, SO 8")
    # Px: with the error as an out, the fly in the 7th is the third, so Bx's run is not earned; A-CA was on by the
    # error; A-2B was placed in the 10th; A-3B's run is earned, though Rx gave up the homer.
    check_pitching(
        game,
        "away",
        """
        Px: OUT 9, BF 14, H 3, R 4, ER 1, BB 2, SO 6
        Rx: OUT 0, BF 1, H 1, R 1, ER 1
        """,
    )
    # 4 for 12 both; on base 5 times in 12, a walk and 2 flies, and 6 times in 12, 2 walks and a fly; 8 bases both.
    assert [".333", ".333", ".667", "1.000"] == rates(away.total)
    assert [".333", ".400", ".667", "1.067"] == rates(home.total)
    ace, starter, reliever = home.pitchers["A-Px"], away.pitchers["Px"], away.pitchers["Rx"]
    assert ["4.0", "4.50", "1.25"] == pitching_rates(ace)
    assert ["3.0", "3.00", "1.67"] == pitching_rates(starter)
    assert ["0.0", "", ""] == pitching_rates(reliever)


def pitching_rates(did: PitchingStats) -> list[str]:
    """Return IP, ERA and WHIP as they are printed."""
    return [did.innings_pitched, average_text(did.earned_run_average), average_text(did.walks_and_hits_per_inning)]


# Bottom of the 9th --------------------------------------------------------------------------------------------------


def test_bottom_of_the_9th() -> None:
    """One half-inning with a relief pitcher and a walk-off hit.

    Tilly Marsh singles off Oskar Kovalenko. Ivy Castellane relieves him: Dex Fairweather walks, Orla Penhallow singles,
    Hugo Lundgaard strikes out, Mina Castellan is thrown out at first, and Bo Trasker's single brings Marsh home.
    """
    (game,) = game_stats(stored_game("bottom-of-the-9th.jsonl"))
    assert ("home", 9, 9, 1) == (game.winner, game.innings, game.regulation, game.half_innings)
    assert ((None,) * 9, 0) == (game.sides["away"].line, game.sides["away"].runs)
    assert ((*(None,) * 8, 1), 3) == (game.sides["home"].line, game.sides["home"].hits)
    check_batting(
        game,
        "home",
        """
        Tilly Marsh: PA 1, AB 1, R 1, H 1
        Dex Fairweather: PA 1, BB 1
        Orla Penhallow: PA 1, AB 1, H 1
        Hugo Lundgaard: PA 1, AB 1, SO 1
        Mina Castellan: PA 1, AB 1
        Bo Trasker: PA 1, AB 1, H 1, RBI 1
        total: PA 6, AB 5, R 1, H 3, RBI 1, BB 1, SO 1
        """,
    )
    check_pitching(
        game,
        "away",
        """
        Oskar Kovalenko: BF 1, H 1, R 1, ER 1
        Ivy Castellane: OUT 2, BF 5, H 2, BB 1, SO 1
        """,
    )
    assert [".600", ".667", ".600", "1.267"] == rates(game.sides["home"].total)
    assert ["0.2", "0.00", "4.50"] == pitching_rates(game.sides["away"].pitchers["Ivy Castellane"])


# RallyBird ----------------------------------------------------------------------------------------------------------


def test_rallybird() -> None:
    """Without names there are only the lines of both sides, and no rates of pitchers."""
    (game,) = game_stats(stored_game("rallybird.jsonl"))
    for side, runs, hits in (("away", 2, 9), ("home", 6, 7)):
        found = game.sides["home" if side == "home" else "away"]
        assert (runs, hits, {}, {}) == (found.runs, found.hits, found.batters, found.pitchers)
        assert found.total.at_bats + found.total.walks == found.total.plate_appearances
        assert 0 == found.total.driven_in


@pytest.mark.parametrize("undone", [1, 5, 9])
def test_undone_and_corrected(undone: int) -> None:
    """Without its last answers the game is not over; given again, they make the same game; a corrected roll shows."""
    table = small_ball.new({"innings": "3"})
    for half in SMALL_BALL:
        play(table, *half)
    before, answers = game_stats(table), current_answers(table)
    table.undo(answers[-undone].n)
    assert [] == game_stats(table)
    for answer in answers[-undone:]:
        table.apply_entry(answer)
    assert before == game_stats(table)
    fly = [one.n for one in table.answers if one.ask.why == "at-bat" and one.value == (FO,)][1]
    table.correct_answer(fly, (SO,))
    (after,) = game_stats(table)
    assert before[0].sides["home"] == after.sides["home"]
    assert replace(before[0].sides["away"].total, strikeouts=4) == after.sides["away"].total
    assert (2, 1) == (after.sides["away"].batters["red 1"].at_bats, after.sides["away"].batters["red 1"].strikeouts)
