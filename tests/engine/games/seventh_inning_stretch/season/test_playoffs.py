"""Reaching the playoffs, and their two series."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_deck
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import CARD_SHAPES
from engine.games.seventh_inning_stretch.season.draft import supply_count
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    LATE,
    at,
    between,
    deal,
    deck,
    games,
    half,
    refused,
    season,
    skip,
    source,
    squad,
    stand,
    swing,
    true,
    until,
)
from tests.engine.tables import asked, board, codes, offered, panel, play, ruled

SEMIS, FINALS = ("U-1", "U-2", "U-3"), ("U-4", "U-5", "U-6")


def recovery(stars: int = 0) -> Table:
    return deal(between("recovery", stars=stars, **LATE))


def shop(stars: int, house: dict[str, str] | None = None, **more: Any) -> Table:
    """Return a season before the playoffs with this many stars; five tier 2 cards are left, T-10 on top."""
    supplies: dict[str, Any] = {
        "tops": {2: "T-10", 3: "U-7"},
        "supplies": {2: ("T-11", "T-12", "T-13", "T-14"), 3: ("U-8",)},
    }
    return between("spending", house, stars=stars, schedule=SEMIS, finals=FINALS, **(supplies | more))


def buy(table: Table, *what: str) -> Table:
    for one in what:
        deal(play(table, one))
    return table


def cards(table: Table) -> tuple[tuple[int, bool], tuple[int, bool]]:
    """Return the level of both playoff cards, and whether they show Home Field."""
    first, second = season(table)["cards"]["semifinals"], season(table)["cards"]["finals"]
    return (first["level"], first["green"]), (second["level"], second["green"])


def series(phase: str = "semifinals", **more: Any) -> Table:
    return between(phase, **({"schedule": SEMIS, "finals": FINALS if phase == "semifinals" else ()} | more))


LONG = {"mode": "extended"}
LONG_SEMIS, LONG_FINALS = tuple(f"T-{n}" for n in range(7, 15)), tuple(f"U-{n}" for n in range(7, 15))
"""All that is left after both drafts."""


def long_series(phase: str = "semifinals", **more: Any) -> Table:
    piles = {"schedule": LONG_SEMIS, "finals": LONG_FINALS} if phase == "semifinals" else {"schedule": LONG_FINALS}
    return between(phase, LONG, **(piles | more))


def entry(stars: int) -> Table:
    """Return a season with long playoffs at the end of its regular season, with this many stars."""
    return deal(between("entry", LONG, stars=stars, **LATE))


def faced(table: Table) -> list[str]:
    return [told.event.facts["team"] for told in table.log if told.event.code == "game"]


def where(table: Table) -> str:
    places = [told.event.facts["where"] for told in table.log if told.event.code == "game"]
    return "".join("H" if place == "at home" else "A" for place in places)


# Recovery --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-152")
def test_players_recover_before_stars_are_spent() -> None:
    table = recovery(2)
    assert ("recover",) == asked(table)
    refused(table, "flip-semifinals", "lower-semifinals", "team", "done")
    deal(play(table, "T-7", "nobody"))
    assert (("spend",), "done") == (asked(table), offered(table)[0])
    play(table, "done")
    assert ("semifinals", ("line-up-again",)) == (true(table).phase, asked(table))
    told = [code for code in codes(table.log) if code in ("recovered", "opponents", "semifinals", "game")]
    assert ["recovered", "opponents", "semifinals", "game"] == told


@pytest.mark.rule("SI-153")
def test_three_cards_of_tier_2_are_drawn() -> None:
    table = recovery()
    ((n, ask),) = table.open_asks()
    assert (("T-7", "T-8", "T-9"), 5) == (offered(table), supply_count(true(table), 2))
    notes = {one["note"] for one in json_data(table.ask_view(n, ask, "home"))["options"]}
    assert {"Brings 2 dice. Highest 6: home run; highest 5: double; highest 4: single."} == notes
    assert "T-10" == true(table).tops[2]


@pytest.mark.rule("SI-154")
def test_one_joins_for_free() -> None:
    table = recovery(2)
    refused(table, "nobody", "T-10", "F-TWO")
    before = squad(table).roster
    play(table, "T-8")
    assert ((*before, "T-8"), 2) == (squad(table).roster, season(table)["stars"])


@pytest.mark.rule("SI-155")
@each(
    ("stars", "more", "after"),
    [(0, (), 0), (1, ("T-9",), 0), (2, ("T-9", "T-7"), 0), (3, ("T-7", "T-9"), 1), (2, ("T-9", "nobody"), 1)],
)
def test_the_others_cost_a_star_each(stars: int, more: tuple[str, ...], after: int) -> None:
    table = recovery(stars)
    before = squad(table).roster
    play(table, "T-8")
    for name in more:
        assert ("recover-more",) == asked(table)
        refused(table, "T-8")
        play(table, name)
    assert ("recover-more",) != asked(table)
    assert (*before, "T-8", *(name for name in more if name != "nobody")) == squad(table).roster
    assert after == season(deal(table))["stars"]


@pytest.mark.rule("SI-156")
def test_cards_not_taken_leave_the_game() -> None:
    table = deal(play(recovery(1), "T-8", "T-9"))
    s = true(table)
    assert "T-7" not in {*squad(table).roster, *s.tops.values(), *s.supplies[2], *s.schedule, *s.finals}
    assert (5, "semifinals") == (supply_count(s, 2), s.phase)


# Opponents -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-157", "SI-158")
def test_two_piles_are_drawn_from_the_top_of_tier_3() -> None:
    """Three for the semifinals, then three for the finals; two are left. Both piles can be seen, team side up."""
    table = deal(between("opponents", stars=1, **LATE))
    s = true(table)
    assert (("U-7", "U-8", "U-9"), ("U-10", "U-11", "U-12"), 2) == (s.schedule, s.finals, supply_count(s, 3))
    shown = [[one["name"] for one in season(table)[of]] for of in ("schedule", "finals")]
    assert [["u7", "u8", "u9"], ["u10", "u11", "u12"]] == shown
    assert all(one["reads"] for of in ("schedule", "finals") for one in season(table)[of])
    # No answer changes either pile.
    refused(table, ["U-9", "U-8", "U-7"], {"1": "U-9"}, "U-9")


@pytest.mark.rule("SI-160", "SI-168")
def test_teams_of_tier_2_can_be_bought() -> None:
    """One star for the first, three for both: four stars leave one, two cannot pay for the second. No third."""
    table = buy(shop(4), "team", "team")
    assert (1, ("T-11", "T-10", *SEMIS)) == (season(table)["stars"], true(table).schedule)
    refused(table, "team")
    rich = buy(shop(6), "team", "team")
    assert 3 == season(rich)["stars"]
    refused(rich, "team")
    poor = buy(shop(2), "team")
    assert (1, ("T-10", *SEMIS)) == (season(poor)["stars"], true(poor).schedule)
    refused(poor, "team")
    assert "A tier 2 team first in the semifinals, 1 star" in [
        one["label"] for one in json_data(shop(4).ask_view(*shop(4).open_asks()[0], "home"))["options"]
    ]


@pytest.mark.rule("SI-160")
def test_the_team_is_chosen_by_house_rule() -> None:
    """Any card of the supply, not only the top one (A12)."""
    table = play(shop(4, {"tier2TeamPick": "choose"}), "team")
    assert (("team-bought",), ("T-10", "T-11", "T-12", "T-13", "T-14")) == (asked(table), offered(table))
    refused(table, "U-7", "T-1", "T-9")
    play(table, "T-13")
    assert (("T-13", *SEMIS), "T-10", 4) == (true(table).schedule, true(table).tops[2], supply_count(true(table), 2))


@pytest.mark.rule("SI-161")
def test_bought_teams_play_in_the_semi_finals_only() -> None:
    table = shop(6)
    refused(table, "team-finals", "finals")
    assert FINALS == true(buy(table, "team", "team")).finals


@pytest.mark.rule("SI-162", "SI-174")
@each(("bought", "expected"), [(0, ["u1", "u2", "u3"]), (1, ["t10", "u1", "u2"]), (2, ["t11", "t10", "u1"])])
def test_the_top_three_are_the_opponents(bought: int, expected: list[str]) -> None:
    table = buy(shop(6), *["team"] * bought, "done")
    assert expected == [one["name"] for one in season(table)["schedule"]]
    (told,) = [line.sentence for line in table.play_log_lines() if line.code == "semifinals"]
    assert f"The semifinals begin, against {expected[0]}, {expected[1]} and {expected[2]}." == told
    assert expected == faced(games(table, "WL"))
    assert ("semifinals", 3) == (true(table).phase, len(faced(table)))


@pytest.mark.rule("SI-163")
@each(
    ("stars", "house", "what", "left", "green"),
    [
        (2, "5", ["flip-semifinals"], 0, (True, False)),
        (5, "5", ["flip-both"], 0, (True, True)),
        (5, "5", ["flip-semifinals", "flip-both"], 0, (True, True)),
        (6, "5", ["flip-both"], 1, (True, True)),
        (8, "7", ["flip-both"], 1, (True, True)),
        (8, "7", ["flip-semifinals", "flip-both"], 1, (True, True)),
    ],
)
def test_home_field_costs_two_stars_or_five(
    stars: int, house: str, what: list[str], left: int, green: tuple[bool, bool]
) -> None:
    """In the semifinals or in both series; five in all, or two and then five (A13)."""
    table = shop(stars, {"flipBothCost": house})
    buy(table, *what)
    assert (left, green) == (true(table).stars, true(table).green)


@pytest.mark.rule("SI-163", "SI-168")
def test_home_field_cannot_be_bought_for_the_finals_alone() -> None:
    refused(shop(4), "flip-finals", "flip-both")
    refused(shop(6, {"flipBothCost": "7"}), "flip-both")
    refused(buy(shop(4), "flip-semifinals"), "flip-semifinals", "flip-both")
    refused(shop(1), "flip-semifinals")


@pytest.mark.parametrize("phase", ["semifinals", "finals"])
@pytest.mark.parametrize(
    ("green", "expected"),
    [*ruled("SI-164", (True, "HAH"), (False, "AHA")), *ruled("SI-183", (True, "HHAAAHH"), (False, "AAHHHAA"))],
)
def test_home_field_is_games_1_and_3_or_1_2_6_and_7(phase: str, green: bool, expected: str) -> None:
    both = (green, not green) if phase == "semifinals" else (not green, green)
    start = series if len(expected) == 3 else long_series
    table = games(start(phase, green=both), "WLWLWL"[: len(expected) - 1])
    assert expected == where(table)
    at_home = expected[-1] == "H"
    assert ("B7", "home" if at_home else "away") == (half(until(table, "at-bat", "team")), true(table).side)
    assert at_home is (season(table)["at_home"] is True)


@pytest.mark.rule("SI-165", "SI-168")
def test_a_level_costs_one_star_or_two() -> None:
    table = buy(shop(6), "lower-semifinals", "lower-semifinals")
    assert (4, ((1, False), (3, False))) == (season(table)["stars"], cards(table))
    refused(table, "lower-semifinals")
    buy(table, "lower-finals")
    assert (2, ((1, False), (2, False))) == (season(table)["stars"], cards(table))
    refused(shop(1), "lower-finals")
    done = buy(table, "lower-finals")
    assert (0, ((1, False), (1, False)), "semifinals") == (season(done)["stars"], cards(done), true(done).phase)


@pytest.mark.rule("SI-166")
def test_a_lower_card_keeps_its_side() -> None:
    """Green stays green and grey stays grey; the condition on that side is in force."""
    table = buy(shop(4), "flip-semifinals", "lower-semifinals")
    assert ((2, True), (3, False)) == cards(table)
    assert ((2, False), (3, False)) == cards(buy(shop(4), "lower-semifinals"))
    assert ((2, True), (2, True)) == cards(buy(shop(9), "flip-both", "lower-finals", "lower-semifinals"))


@pytest.mark.rule("SI-159", "SI-166")
def test_each_side_has_its_condition() -> None:
    """The green side may have a different one; it is in force once the card is flipped."""
    grey = 'series = "semifinals"\nlevel = 2\ngrey = "no nudges"'
    box = parse_deck(source().replace(grey, f'{grey}\ngreen = "none"'), "f.toml", GAME.key, CARD_SHAPES)
    for green, force in ((False, "no nudges"), (True, "none")):
        table = at(phase="semifinals", levels=(2, 3), green=(green, False), cards=box)
        assert (force, force) == (panel(table, "force"), season(table)["cards"]["semifinals"]["force"])


@pytest.mark.rule("SI-167")
def test_stars_cannot_be_spent_later() -> None:
    table = games(buy(shop(6), "done"), "W")
    assert (("line-up-again",), 6) == (asked(table), season(table)["stars"])
    refused(table, "lower-semifinals", "flip-semifinals", "team", "spend")
    games(table, "W")
    assert ("finals", 6, 0) == (true(table).phase, season(table)["stars"], codes(table.log).count("spent"))


@pytest.mark.rule("SI-167")
def test_without_stars_no_question_is_asked() -> None:
    assert ("semifinals", ("line-up-again",)) == (true(shop(0)).phase, asked(shop(0)))
    assert "done" == offered(shop(1))[0]


@pytest.mark.rule("SI-168")
@each(
    ("stars", "expected"),
    [
        (1, {"team", "lower-semifinals"}),
        (2, {"team", "lower-semifinals", "flip-semifinals", "lower-finals"}),
        (5, {"team", "lower-semifinals", "flip-semifinals", "lower-finals", "flip-both"}),
    ],
)
def test_nothing_too_expensive_is_offered(stars: int, expected: set[str]) -> None:
    table = shop(stars)
    assert expected == {*offered(table)} - {"done"}
    refused(table, *({"team", "lower-semifinals", "flip-semifinals", "lower-finals", "flip-both"} - expected))


# The semifinals ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-169", "SI-175", "SI-176")
@each(
    ("results", "phase", "over"),
    [
        ("W", "semifinals", False),
        ("WW", "finals", False),
        ("WLW", "finals", False),
        ("WL", "semifinals", False),
        ("LL", "semifinals", True),
        ("LWL", "semifinals", True),
    ],
)
def test_two_wins_or_two_losses_end_the_semi_finals(results: str, phase: str, over: bool) -> None:
    table = games(series(), results)
    assert (phase, over) == (true(table).phase, table.outcome is not None)
    if phase == "finals":
        assert (FINALS, (), "u4") == (true(table).schedule, season(table)["series"], faced(table)[-1])
    if table.outcome:
        wins = results.count("W")
        said = f"The semifinals are lost, 2 to {wins}. The season is over."
        assert ("semifinals-lost", said, None) == (table.outcome.reason, table.outcome.sentence, table.outcome.winner)


@pytest.mark.rule("SI-171")
@pytest.mark.parametrize("before", [(), (True,), (True, False)], ids=["game 1", "game 2", "game 3"])
@pytest.mark.parametrize(
    ("level", "expected"), [(3, {"3-up", "3-down"}), (2, {"reroll"}), (1, {"reroll", "3-up", "3-down"})]
)
def test_its_condition_holds_in_every_game(before: tuple[bool, ...], level: int, expected: set[str]) -> None:
    table = swing(at(pool=(0, 1, 1), phase="semifinals", levels=(level, 3), series=before), 3)
    assert expected == {*offered(table)} - {"keep"}
    refused(table, *({"reroll", "3-up", "3-down"} - expected))
    if level == 3:
        finals = swing(at(pool=(0, 1, 1), phase="finals", levels=(1, 2)), 3)
        assert ("keep", "reroll") == offered(finals)


@pytest.mark.rule("SI-171")
@each(
    ("force", "gone"),
    [
        ("no steals", "steal-second"),
        ("at most 1 die a roll", "2"),
        ("at most 2 dice a roll", "3"),
        ("no batter substitutions", "F-RES"),
        ("no extra bases", "hold"),
    ],
)
def test_what_a_card_forbids_is_not_offered(force: str, gone: str) -> None:
    box = deck(forces={("semifinals", 3): force})
    for phase in ("first", "semifinals"):
        table = at(bases="1", pool=(2, 0, 0), bench=("F-RES",), phase=phase, cards=box)
        seen = {*offered(table)}
        skip(table, "batter")
        seen |= {*offered(table)}
        swing(table, 4)
        seen |= {*offered(table)} if asked(table) == ("extra-base",) else set()
        assert (phase == "first") is (gone in seen), phase


@pytest.mark.rule("SI-171")
def test_a_card_may_start_you_behind() -> None:
    cards = deck(forces={("semifinals", 3): "start 1 run down"})
    table = until(series(cards=cards), "team")
    assert ((0, 1), (None,) * 6 + (0,)) == (true(table).score, board(table).sides["home"].line)
    goat = until(series(cards=cards, house={"difficulty": "goat"}), "goat")
    assert (0, 3) == true(until(play(goat, 6), "team")).score


@pytest.mark.rule("SI-172")
def test_a_level_and_home_field_cost_three_stars() -> None:
    table = buy(shop(3), "lower-semifinals", "flip-semifinals")
    assert (0, ((2, True), (3, False))) == (season(table)["stars"], cards(table))
    assert ("semifinals", "no nudges") == (true(table).phase, panel(table, "force"))
    assert "HAH" == where(games(table, "WL"))


@pytest.mark.rule("SI-173")
def test_playoff_games_follow_the_usual_rules() -> None:
    """From player selection on, starting 0-0 in the bottom of the seventh."""
    table = until(series(green=(True, False)), "at-bat")
    expected = ["line-up-again", "line-up-die", "pitcher"]
    assert (expected, "B7", ("", 0, 0)) == ([one.ask.why for one in table.answers], half(table), stand(table))


@pytest.mark.rule("SI-177")
def test_pitchers_do_not_rest_between_the_series() -> None:
    table = games(series(tired={"F-PIT": 2}), "WW")
    assert ("finals", {"F-PIT": 2}) == (true(table).phase, true(table).tired)
    assert 2 == board(until(table, "team")).fatigue


# The finals ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-178", "SI-007")
@each(
    ("results", "reason", "sentence"),
    [
        ("WW", "season-won", "The finals are won, 2 to 0. You have won the season!"),
        ("LWW", "season-won", "The finals are won, 2 to 1. You have won the season!"),
        ("WLL", "finals-lost", "The finals are lost, 2 to 1. The season is over."),
        ("LL", "finals-lost", "The finals are lost, 2 to 0. The season is over."),
        ("WL", "", ""),
    ],
)
def test_the_finals_win_or_lose_the_season(results: str, reason: str, sentence: str) -> None:
    table = series("finals", levels=(1, 3))
    assert "no rerolls" == panel(table, "force")
    games(table, results)
    if not reason:
        assert None is table.outcome
        return
    assert table.outcome is not None
    assert (reason, sentence) == (table.outcome.reason, table.outcome.sentence)
    assert ("home" if reason == "season-won" else None, ()) == (table.outcome.winner, table.open_asks())
    assert (sentence, None) == (panel(table, "stands"), season(table)["at_home"])


# The longer playoffs ----------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-179", "SI-150")
def test_nobody_recovers_before_long_playoffs() -> None:
    """They cost three stars all the same; then stars are spent right away, and no player is for sale."""
    table = entry(5)
    assert (("spend",), 2, 11) == (asked(table), season(table)["stars"], len(squad(table).roster))
    assert not {"recover", "recover-more"} & {one.ask.why for one in table.answers}
    assert "recovered" not in codes(table.log)
    assert "no-playoffs" == getattr(entry(2).outcome, "reason", None)


@pytest.mark.rule("SI-180")
def test_all_remaining_teams_are_opponents() -> None:
    """Eight tier 2 teams in the semifinals, eight of tier 3 in the finals; the supplies are empty."""
    table = entry(4)
    s = true(table)
    assert (LONG_SEMIS, LONG_FINALS, 0, 0) == (s.schedule, s.finals, supply_count(s, 2), supply_count(s, 3))
    assert ({}, 8, 8) == (season(table)["tops"], len(season(table)["schedule"]), len(season(table)["finals"]))


@pytest.mark.rule("SI-181")
def test_stars_only_change_playoff_cards() -> None:
    table = entry(9)
    both = {"lower-semifinals", "lower-finals", "flip-semifinals", "flip-both"}
    assert both == {*offered(table)} - {"done"}
    refused(table, "team", "recover", "T-7")
    play(table, "lower-semifinals", "flip-both")
    assert (0, (2, 3), (True, True), "semifinals") == (
        true(table).stars,
        true(table).levels,
        true(table).green,
        true(table).phase,
    )
    refused(entry(4), "team", "flip-semifinals", "lower-finals")
    assert {"lower-semifinals"} == {*offered(entry(4))} - {"done"}


@pytest.mark.rule("SI-182")
@each(
    ("results", "over"),
    [("WWW", ""), ("WWWLLL", ""), ("WWWW", "won"), ("WWWLLLW", "won"), ("LLLL", "lost"), ("WLWLWLL", "lost")],
)
@each("phase", ["semifinals", "finals"])
def test_four_wins_or_four_losses_end_a_long_series(phase: str, results: str, over: str) -> None:
    table = games(long_series(phase), results)
    assert len(results) + (not over or (over == "won" and phase == "semifinals")) == codes(table.log).count("game")
    reason = table.outcome.reason if table.outcome else ""
    if over == "lost":
        assert f"{phase}-lost" == reason
    elif over == "won" and phase == "finals":
        assert "season-won" == reason
    else:
        assert ("", "finals" if over else phase) == (reason, true(table).phase)
    assert 4 == season(table)["wins_needed"]


@pytest.mark.rule("SI-182", "SI-174")
def test_the_last_team_is_never_faced() -> None:
    """A series has seven games at most, from the top of the pile (A32)."""
    table = play(entry(4), "done")
    assert ["t7", "t8", "t9", "t10", "t11", "t12", "t13"] == next(
        one.event.facts["teams"] for one in table.log if one.event.code == "semifinals"
    )
    games(table, "WLWLWL")
    assert "T-13" == true(table).opponent
    games(table, "W")
    assert [*(f"t{n}" for n in range(7, 14)), "u7"] == faced(table)
    assert LONG_FINALS == true(table).schedule


@pytest.mark.rule("SI-184")
def test_pitchers_rest_between_the_long_series() -> None:
    """Two tokens come off after the semifinals, none in the finals; within a series they stay."""
    table = games(long_series(tired={"F-PIT": 2, "F-CUT": 1}), "WWW")
    assert {"F-PIT": 2, "F-CUT": 1} == true(table).tired
    games(table, "W")
    assert ("finals", {}) == (true(table).phase, true(table).tired)
    assert 0 == board(until(table, "team")).fatigue
    assert "extended" == panel(table, "mode")
