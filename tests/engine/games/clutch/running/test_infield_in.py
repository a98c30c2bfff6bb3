"""The infield in."""

from __future__ import annotations

import pytest

from engine.games.clutch.at_bat.outcomes import outcome
from engine.games.clutch.running.ground_balls import may_play_in, play_in, through
from tests.engine.games.clutch import field
from tests.engine.games.clutch.bases import at, event_sentences, folds, line, offered, play, refused, stand, wrote


@pytest.mark.rule("CL-335")
def test_when_the_infield_may_play_in() -> None:
    """With a runner on third and fewer than two outs, once, and announced."""
    for bases, outs, may in (("3", 0, True), ("123", 1, True), ("3", 2, False), ("2", 0, False), ("12", 1, False)):
        assert may == may_play_in(at(bases, outs))
    assert not may_play_in(at("3", forbid="infield-in"))
    assert not may_play_in(at("3", house={"level": "basic"}))
    s = at("3")
    play_in(s)
    assert (True, False, ["The infield plays in."]) == (s.at.infield_in, may_play_in(s), event_sentences(s))


@pytest.mark.rule("CL-336", "CL-340", "CL-341")
@pytest.mark.parametrize(("bases", "after"), [("3", "3"), ("13", "23"), ("23", "23")])
def test_who_is_not_sent_stays(bases: str, after: str) -> None:
    """The batter is out, a runner on first moves up, nobody scores."""
    s = at(bases, infield_in=True)
    play(outcome(s, "GB"), "stay")
    assert ((after, 1, 0), {"pa": 1, "ab": 1}) == (stand(s), wrote(s))


@pytest.mark.rule("CL-337", "CL-342")
def test_bases_loaded() -> None:
    """Out at home without a die, everybody else is safe."""
    s = at("123", infield_in=True)
    play(outcome(s, "GB"))
    assert (("123", 1, 0), 1, "Bx") == (stand(s), line(s).fc, s.bases[0] and s.bases[0].name)
    assert ("A-RF", "A-CF") == (s.bases[1] and s.bases[1].name, s.bases[2] and s.bases[2].name)


@pytest.mark.rule("CL-276", "CL-338", "CL-339", "CL-398")
@pytest.mark.parametrize(
    ("bases", "face", "after"),
    [
        ("3", 12, ("1", 0, 1)),
        ("3", 13, ("1", 1, 0)),
        ("13", 13, ("12", 1, 0)),
        ("13", 12, ("12", 0, 1)),
        ("23", 12, ("12", 0, 1)),
        ("23", 13, ("12", 1, 0)),
    ],
)
def test_the_runner_sent_home(bases: str, face: int, after: tuple[str, int, int]) -> None:
    """6 and the die against 18; the batter is safe, who is on first is forced, who is on second stays."""
    s = at(bases, 1, infield_in=True)
    play(outcome(s, "GB"), "to-home", "at-home", face)
    assert (after[0], 1 + after[1], after[2]) == stand(s)
    assert (after[2], ["out"], after[2], 1) == (*folds(s), line(s).rbi, line(s).fc)


def test_six_more_by_house_rule() -> None:
    """The runner sent home has both bonuses."""
    for face, after in ((15, ("1", 0, 1)), (16, ("1", 1, 0))):
        s = at("3", infield_in=True, house={"infieldInHomeBonus": "6"})
        play(outcome(s, "GB"), "to-home", "at-home", face)
        assert after == stand(s)


@pytest.mark.rule("CL-345")
@pytest.mark.parametrize(("bases", "after"), [("3", ("", 1, 1)), ("13", ("2", 1, 1)), ("23", ("2", 1, 1))])
def test_the_defence_need_not_throw(bases: str, after: tuple[str, int, int]) -> None:
    """It takes the batter; by house rule he is safe."""
    choice = offered(outcome(at(bases, infield_in=True), "GB"), "to-home")
    assert ("throw-or-batter", "home", ("at-home", "take-batter")) == choice
    play(outcome(s := at(bases, infield_in=True), "GB"), "to-home", "take-batter")
    assert (after, 1) == (stand(s), line(s).rbi)
    s = at(bases, infield_in=True, house={"infieldInConcede": "batterSafe"})
    play(outcome(s, "GB"), "to-home", "no-throw")
    assert (("1" + after[0], 0, 1), 1, 1) == (stand(s), line(s).rbi, line(s).fc)


def test_who_is_on_second_may_follow_by_house_rule() -> None:
    """To third, untouched: the throw goes home. Alone he stays."""
    house = {"infieldInR2MayFollow": "true"}
    refused(outcome(at("23", infield_in=True), "GB"), "to-third-home")
    refused(outcome(at("23", infield_in=True, house=house), "GB"), "to-third")
    for way, face, after in (
        ("to-third-home", 13, ("13", 1, 0)),
        ("to-third-home", 12, ("13", 0, 1)),
        ("to-home", 13, ("12", 1, 0)),
    ):
        s = at("23", infield_in=True, house=house)
        play(outcome(s, "GB"), way, "at-home", face)
        assert after == stand(s)


@pytest.mark.rule("CL-343", "CL-344")
def test_ground_balls_of_the_batters_chart_go_through() -> None:
    """A single then; not on the pitcher's chart, not with the infield back, and nothing else."""
    assert "1B" == through(at("3", infield_in=True, chart="batter"), "GB")
    assert "GB" == through(at("3", infield_in=True, chart="pitcher"), "GB")
    assert "GB" == through(at("3", chart="batter"), "GB")
    assert "FB" == through(at("3", infield_in=True, chart="batter"), "FB")


@pytest.mark.rule("CL-343", "CL-344")
@pytest.mark.parametrize(
    ("script", "after", "scored"),
    [
        (("in", "GBb!"), "T2 0o 1--", 1),
        (("back", "GBb!"), "T2 1o ---", 1),
        (("in", "GB!"), "T2 1o --3", 0),
    ],
)
def test_through_the_infield(script: tuple[str, ...], after: str, scored: int) -> None:
    """On the batter's chart it is a single that brings the run; on the pitcher's a runner who is not sent stays."""
    table = field.run(field.at("T2 0o --3"), *script)
    assert (after, (scored, 0)) == (field.now(table), field.state(table).score)


@pytest.mark.rule("CL-335")
def test_it_is_asked_for_each_batter_anew() -> None:
    """After the steal and the bunt, so that a runner who stole third counts (AM-74); the next batter finds it back."""
    table = field.at("T2 0o -2-")
    assert "infield" == field.until(table, "steal-third", "at-third", "D3").why
    table = field.run(field.at("T2 0o --3"), "in", "BB!")
    assert not field.state(table).at.infield_in
    assert "infield" == field.upto(table, "infield").why


@pytest.mark.rule("CL-346")
def test_other_results_are_as_ever() -> None:
    """A fly ball brings a run as with the infield back."""
    s = at("3", infield_in=True)
    play(outcome(s, "FB"), "to-home", "at-home", 14)
    assert (("", 1, 1), 1) == (stand(s), line(s).sf)


@pytest.mark.rule("CL-299", "CL-342")
def test_no_double_play_with_the_infield_in() -> None:
    """Though the runner on third has left by a card."""
    s = at("1", infield_in=True)
    play(outcome(s, "GB"))
    assert ("2", 1, 0) == stand(s)
