"""Outcomes that are not hits: ground balls, double plays, fly balls, line drives, walks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.clutch.at_bat.outcomes import outcome
from engine.games.clutch.pitching import pitcher_record
from tests.engine.games.clutch import field, fixture
from tests.engine.games.clutch.bases import (
    at,
    charged,
    event_codes,
    event_sentences,
    folds,
    line,
    offered,
    on,
    play,
    refused,
    stand,
    until,
    wrote,
)

# Ground balls (3.12.C) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-264", "CL-269", "CL-270")
@pytest.mark.parametrize(
    ("bases", "outs", "after"),
    [
        ("", 0, ("", 1, 0)),
        ("3", 0, ("", 1, 1)),
        ("3", 1, ("", 2, 1)),
        ("3", 2, ("3", 3, 0)),
        ("123", 2, ("123", 3, 0)),
        ("2", 2, ("2", 3, 0)),
    ],
)
def test_the_batter_is_out(bases: str, outs: int, after: tuple[str, int, int]) -> None:
    """A runner on third scores, unless that was the third out."""
    s = at(bases, outs)
    play(outcome(s, "GB"))
    assert after == stand(s)
    assert (after[2], ["out"]) == folds(s)
    assert {"pa": 1, "ab": 1, **({"rbi": 1} if after[2] else {})} == wrote(s)
    assert (after[1] - outs, after[2]) == (s.arm.outs, s.arm.runs)


def test_the_run_of_a_third_out_by_house_rule() -> None:
    """Who is on third scores all the same: it is driven in, but on a double play."""
    s = at("3", 2, house={"gbThirdOutScores": "true"})
    play(outcome(s, "GB"))
    assert (3, 1, 1) == (s.outs, s.runs, line(s).rbi)
    s = at("13", 1, house={"gbThirdOutScores": "true"})
    play(outcome(s, "GB"), 13)
    assert (3, 1, 0) == (s.outs, s.runs, line(s).rbi)


@pytest.mark.rule("CL-265", "CL-266", "CL-268")
@pytest.mark.parametrize(("bases", "after"), [("2", ("2", 1, 0)), ("23", ("2", 1, 1))])
def test_who_is_not_forced_may_stay(bases: str, after: tuple[str, int, int]) -> None:
    """With first empty nobody has to go; who is on third comes home all the same."""
    s = at(bases)
    play(outcome(s, "GB"), "stay")
    assert after == stand(s)


@pytest.mark.rule("CL-271", "CL-272", "CL-273", "CL-274", "CL-291")
@pytest.mark.parametrize(
    ("answers", "after", "written"),
    [
        (("take-batter",), ("3", 1, 0), {"pa": 1, "ab": 1}),
        (("at-third", 10), ("1", 1, 0), {"pa": 1, "ab": 1, "fc": 1}),
        (("at-third", 9), ("13", 0, 0), {"pa": 1, "ab": 1, "fc": 1}),
    ],
)
def test_an_unforced_runner_tries(
    answers: tuple[object, ...], after: tuple[str, int, int], written: dict[str, int]
) -> None:
    """The defence lets him go and takes the batter, or throws at him, and then the batter is safe."""
    s = at("2")
    play(outcome(s, "GB"), "to-third", *answers)
    assert (after, written) == (stand(s), wrote(s))
    assert (0, ["out"], 0) == (*folds(s), s.arm.hits)
    assert ("fielders-choice" in s.at.tags) == ("fc" in written)


@pytest.mark.rule("CL-275", "CL-394")
@pytest.mark.parametrize(
    ("answers", "after"),
    [
        (("stay",), ("2", 1, 1)),
        (("to-third", "take-batter"), ("3", 1, 1)),
        (("to-third", "at-third", 10), ("1", 1, 1)),
        (("to-third", "at-third", 9), ("13", 0, 1)),
    ],
)
def test_who_is_on_third_scores_whatever_the_other_does(
    answers: tuple[object, ...], after: tuple[str, int, int]
) -> None:
    """And is driven in, with one out or none (AM-67)."""
    s = at("23")
    play(outcome(s, "GB"), *answers)
    assert (after, 1, 1) == (stand(s), line(s).rbi, folds(s)[0])


@pytest.mark.rule("CL-237", "CL-273")
def test_the_infield_throws_at_him() -> None:
    """His speed alone, also with one out."""
    s = at("2", 1)
    assert ("throw-or-batter", "home", ("at-third", "take-batter")) == offered(outcome(s, "GB"), "to-third")
    play(outcome(s := at("2", 1), "GB"), "to-third", "at-third", 10)
    assert ("1", 2, 0) == stand(s)


def test_nobody_is_asked_where_the_run_wins() -> None:
    """The runner on third ends the game, whatever the other might do."""
    s = at("23", 1, 9, "bottom", (3, 3))
    play(outcome(s, "GB"))
    assert ((3, 4), True) == (s.score, s.over)


# Double plays (3.13) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-267", "CL-277", "CL-395")
@pytest.mark.parametrize(
    ("bases", "after"), [("1", ("2", 1, 0)), ("12", ("23", 1, 0)), ("123", ("23", 1, 1)), ("13", ("2", 1, 1))]
)
def test_without_a_double_play(bases: str, after: tuple[str, int, int]) -> None:
    """Declined, or forbidden by a card: the batter is out, forced runners move up, who is on third scores."""
    s = at(bases, house={"dpAuto": "false"})
    play(outcome(s, "GB"), "one-out")
    assert (after, after[2]) == (stand(s), line(s).rbi)
    s = at(bases, forbid="double-play")
    play(outcome(s, "GB"))
    assert after == stand(s)


@pytest.mark.rule("CL-292", "CL-299", "CL-396")
def test_when_a_double_play_is_tried() -> None:
    """With a runner on first and fewer than two outs, and the infield back: by itself, or if the defence likes."""
    assert ("throw", "home") == ((ask := until(outcome(at("1"), "GB"))).why, ask.seat)
    choice = offered(outcome(at("1", house={"dpAuto": "false"}), "GB"))
    assert ("double-play", "home", ("double-play", "one-out")) == choice
    s = at("13", 2, house={"dpAuto": "false"})
    play(outcome(s, "GB"))
    assert ("13", 3, 0) == stand(s)
    s = at("13", house={"dpAuto": "false"}, infield_in=True)
    play(outcome(s, "GB"), "stay")
    assert ("23", 1, 0) == stand(s)


@pytest.mark.rule("CL-293", "CL-294", "CL-295", "CL-296", "CL-297", "CL-298", "CL-381")
@pytest.mark.parametrize(
    ("bases", "outs", "face", "after", "rbi"),
    [
        ("1", 0, 1, ("1", 1, 0), 0),
        ("1", 0, 12, ("1", 1, 0), 0),
        ("1", 0, 13, ("", 2, 0), 0),
        ("12", 0, 13, ("3", 2, 0), 0),
        ("12", 0, 12, ("13", 1, 0), 0),
        ("13", 0, 13, ("", 2, 1), 0),
        ("13", 0, 12, ("1", 1, 1), 1),
        ("123", 0, 13, ("3", 2, 1), 0),
        ("123", 0, 12, ("13", 1, 1), 1),
        ("13", 1, 12, ("1", 2, 1), 1),
    ],
)
def test_a_double_play(bases: str, outs: int, face: int, after: tuple[str, int, int], rbi: int) -> None:
    """The runner from first is out by itself; 6 and the die against 18 decide on the batter."""
    s = at(bases, outs)
    play(outcome(s, "GB"), face)
    two = face == 13
    assert (after, rbi) == (stand(s), line(s).rbi)
    assert (1, int(not two), int(two)) == (line(s).ab, line(s).fc, line(s).gdp)
    assert (two, not two) == ("double-play" in s.at.tags, "fielders-choice" in s.at.tags)
    assert (after[2], ["out"], 1 + two) == (*folds(s), s.arm.outs)
    assert s.bases[0] is None or "Bx" == s.bases[0].name


@pytest.mark.rule("CL-298")
@pytest.mark.parametrize("bases", ["1", "13", "123"])
def test_a_double_play_ends_the_inning(bases: str) -> None:
    """And nobody scores on it."""
    s = at(bases, 1)
    play(outcome(s, "GB"), 13)
    assert (3, 0, 0) == (s.outs, s.runs, folds(s)[0])


@pytest.mark.rule("CL-300")
def test_two_outs_past_the_limit_are_not_pitched_tired() -> None:
    """A reliever of one inning with two outs behind him gets two more on one pitch: the next one would be tired."""
    cards = {"Px": fixture.pitcher("Px", "RP 1", "SP 1")}
    table = field.at("T5 0o 1--", cards=cards, arm={"outs": 2})
    field.run(table, "GB!", "D13")
    arm = field.mound(table)
    assert (4, False, True) == (arm.outs, arm.tired, pitcher_record.tires(arm, fixture.HOUSE))


# Who is charged (AM-35) ----------------------------------------------------------------------------------------------


def test_the_batter_takes_the_pitcher_of_the_runner_he_replaces() -> None:
    """In a fielder's choice; earned or not, and nobody's where he was an automatic one."""
    ways: list[dict[str, Any]] = [
        {"pitcher": "Rx"},
        {"pitcher": "Rx", "earned": False},
        {"pitcher": "", "earned": False, "automatic": True},
    ]
    for changes in ways:
        for play_on, bases, base, answers in (
            ("double play", "1", 1, (1,)),
            ("unforced", "2", 2, ("to-third", "at-third", 20)),
            ("infield in", "3", 3, ("to-home", "at-home", 20)),
            ("loaded", "123", 3, ()),
        ):
            s = at(bases, infield_in=bases in ("3", "123"))
            charged(s, base, **changes)
            play(outcome(s, "GB"), *answers)
            first = s.bases[0]
            assert first is not None
            as_he_was = {"earned": True, "automatic": False, **changes}
            assert (play_on, "Bx", *(as_he_was[what] for what in ("pitcher", "earned", "automatic"))) == (
                play_on,
                first.name,
                first.pitcher,
                first.earned,
                first.automatic,
            )


def test_who_reaches_without_an_out_is_the_pitchers_own() -> None:
    """Nobody was put out for him."""
    s = at("2")
    charged(s, 2, pitcher="Rx")
    play(outcome(s, "GB"), "to-third", "at-third", 1)
    assert s.bases[0] is not None
    assert "Px" == s.bases[0].pitcher


# Fly balls and line drives (3.12.D) ----------------------------------------------------------------------------------


@pytest.mark.rule("CL-278")
def test_a_fly_ball_is_an_out() -> None:
    """Nobody has to go anywhere."""
    s = at("1")
    play(outcome(s, "FB"), "stay")
    assert (("1", 1, 0), {"pa": 1, "ab": 1}, (0, ["out"])) == (stand(s), wrote(s), folds(s))


@pytest.mark.rule("CL-279")
def test_nobody_tags_up_on_the_third_out() -> None:
    """No choice is offered."""
    s = at("3", 2)
    play(outcome(s, "FB"))
    assert ("3", 3, 0) == stand(s)


@pytest.mark.rule("CL-280", "CL-281", "CL-282", "CL-286")
@pytest.mark.parametrize(
    ("bases", "outs", "way", "face", "after"),
    [
        ("2", 0, "to-third", 11, ("3", 1, 0)),
        ("2", 0, "to-third", 12, ("", 2, 0)),
        ("1", 0, "to-second", 8, ("2", 1, 0)),
        ("1", 0, "to-second", 9, ("", 2, 0)),
        ("3", 0, "to-home", 14, ("", 1, 1)),
        ("3", 0, "to-home", 15, ("", 2, 0)),
        ("3", 1, "to-home", 14, ("", 2, 1)),
        ("3", 1, "to-home", 15, ("", 3, 0)),
    ],
)
def test_tagging_up(bases: str, outs: int, way: str, face: int, after: tuple[str, int, int]) -> None:
    """Outfield 4, three more for second; the runner has three more for home, and nothing for two outs."""
    s = at(bases, outs)
    play(outcome(s, "FB"), way, way.replace("to", "at"), face)
    assert (after, folds(s)[0]) == (stand(s), after[2])


@pytest.mark.rule("CL-283", "CL-382")
def test_a_sacrifice_fly() -> None:
    """A run driven in, and no at-bat."""
    s = at("3")
    play(outcome(s, "FB"), "to-home", "at-home", 14)
    assert (("", 1, 1), {"pa": 1, "sf": 1, "rbi": 1}) == (stand(s), wrote(s))
    assert ((1, ["sacrifice"]), True) == (folds(s), "sacrifice-fly" in s.at.tags)
    assert "Bx hits a sacrifice fly; A-LF scores. Outs: 1." == event_sentences(s)[-1]


@pytest.mark.rule("CL-284")
def test_of_several_who_tag_up_one_is_thrown_at() -> None:
    """The others are safe."""
    s = at("13")
    play(outcome(s, "FB"), "to-second-home", "at-second", 9)
    assert (("", 2, 1), 1, 1) == (stand(s), line(s).sf, line(s).rbi)


@pytest.mark.rule("CL-285")
def test_one_runner_to_a_base_here_too() -> None:
    """Who is on first cannot tag up alone with second occupied."""
    refused(outcome(at("12"), "FB"), "to-second")
    assert ("tag-up", "away", ("stay", "to-third", "to-second-third")) == offered(outcome(at("12"), "FB"))


@pytest.mark.rule("CL-397")
def test_a_run_though_the_other_is_the_third_out() -> None:
    """It counts, and is a sacrifice fly; by house rule it does not, and is an out like any other."""
    s = at("13", 1)
    play(outcome(s, "FB"), "to-second-home", "at-second", 9)
    assert (3, 1, 1, 1) == (s.outs, s.runs, line(s).sf, line(s).rbi)
    s = at("13", 1, house={"thirdOutRuns": "none"})
    play(outcome(s, "FB"), "to-second-home", "at-second", 9)
    assert (3, 0, 0, 1) == (s.outs, s.runs, line(s).sf, line(s).ab)


def test_a_card_may_forbid_tagging_up() -> None:
    """Nobody is asked."""
    s = at("3", forbid="tag")
    play(outcome(s, "FB"))
    assert ("3", 1, 0) == stand(s)


@pytest.mark.rule("CL-287")
def test_a_line_drive() -> None:
    """Out, and everybody stays; no choice is offered."""
    s = at("13")
    play(outcome(s, "LD"))
    assert (("13", 1, 0), {"pa": 1, "ab": 1}, (0, ["out"])) == (stand(s), wrote(s), folds(s))


@pytest.mark.rule("CL-197")
def test_a_strikeout() -> None:
    """The same, and a strikeout of the pitcher's."""
    s = at("12")
    play(outcome(s, "SO"))
    assert (("12", 1, 0), {"pa": 1, "ab": 1, "so": 1}) == (stand(s), wrote(s))
    assert (1, (0, ["strikeout"])) == (s.arm.strikeouts, folds(s))


# Walks and errors ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-288", "CL-289", "CL-380")
@pytest.mark.parametrize("code", ["BB", "HBP"])
@pytest.mark.parametrize(
    ("bases", "after", "runs"), [("", "1", 0), ("2", "12", 0), ("13", "123", 0), ("3", "13", 0), ("123", "123", 1)]
)
def test_a_walk(code: str, bases: str, after: str, runs: int) -> None:
    """Only forced runners move, and a forced run is driven in. A hit batter does not count as a walk of the pitcher."""
    s = at(bases)
    play(outcome(s, code))
    assert ((after, 0, runs), runs) == (stand(s), line(s).rbi)
    assert (1, 0, runs) == (line(s).pa, line(s).ab, folds(s)[0])
    assert (int(code == "BB"), int(code == "HBP")) == (s.arm.walks, s.arm.hit_batters)
    assert [{"BB": "walk", "HBP": "hit-by-pitch"}[code]] == event_codes(s)


@pytest.mark.rule("CL-290")
@pytest.mark.parametrize(
    ("bases", "reached", "after", "runs"), [("", 1, "1", 0), ("1", 2, "23", 0), ("123", 1, "123", 1)]
)
def test_an_error(bases: str, reached: int, after: str, runs: int) -> None:
    """The batter is on base without a hit; nobody is out, no run is driven in, and none is earned."""
    s = at(bases, error_bases=reached)
    play(outcome(s, "E"))
    assert ((after, 0, runs), 0, 0) == (stand(s), line(s).h, line(s).rbi)
    assert ((0, 1), 1, runs, 0) == (s.errors, line(s).e, s.arm.runs, s.arm.earned)
    assert not next(runner for runner in s.bases if runner and runner.name == "Bx").earned


def test_who_came_to_an_outcome_was_pitched_to() -> None:
    """A row of intentional walks ends with him (CL-321)."""
    s = at()
    s.walked = 2
    play(outcome(s, "SO"))
    assert (0, "SO", ["strikeout"], "") == (s.walked, s.at.outcome, event_codes(s), on(s))
