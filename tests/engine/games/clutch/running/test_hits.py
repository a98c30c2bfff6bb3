"""Hits, and what runners make of them."""

from __future__ import annotations

import pytest

from engine.games.clutch.at_bat.outcomes import outcome
from engine.games.clutch.running.advancing import legal
from engine.games.clutch.running.hits import thrown
from engine.games.clutch.squad import Runner
from tests.engine.games.clutch import field, fixture
from tests.engine.games.clutch.bases import (
    at,
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

# Hits (3.12.A) -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-245", "CL-246", "CL-247", "CL-248")
@pytest.mark.parametrize(
    ("code", "bases", "after", "runs", "tries"),
    [
        ("1B", "", "1", 0, False),
        ("1B", "123", "123", 1, True),
        ("2B", "123", "23", 2, True),
        ("3B", "123", "3", 3, False),
        ("HR", "13", "", 3, False),
        ("HR", "", "", 1, False),
    ],
)
def test_a_hit_moves_everybody_as_far(code: str, bases: str, after: str, runs: int, tries: bool) -> None:
    """Who comes home is driven in."""
    s = at(bases)
    play(outcome(s, code), *(["stay"] if tries else []))
    assert (after, 0, runs) == stand(s)
    assert (runs, ["hit"]) == folds(s)
    assert (1, 1, runs) == (line(s).ab, line(s).h, line(s).rbi)
    assert (1, int(code == "HR")) == (s.arm.hits, s.arm.homers)


def test_runners_come_home_in_their_order() -> None:
    """The foremost first, and the batter last."""
    s = at("123")
    play(outcome(s, "HR"))
    (home_run,) = s.news
    assert ("A-LF", "A-CF", "A-RF", "Bx") == home_run.facts["runners"]
    assert ["Bx hits a home run; A-LF, A-CF and A-RF score!"] == event_sentences(s)
    assert {"pa": 1, "ab": 1, "h": 1, "hr": 1, "r": 1, "rbi": 4} == wrote(s)
    assert {"r": 1} == wrote(s, "A-CF")


@pytest.mark.rule("CL-370")
def test_what_is_moved_and_what_is_tried() -> None:
    """A single takes the runner on first to second by itself; from there he may try for third."""
    s = at("1")
    assert ("extra-base", "away", ("stay", "to-third")) == offered(outcome(s, "1B"))
    assert "12" == on(s)


# Extra bases (3.12.B) ------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-249")
def test_a_runner_may_try_for_one_base_more() -> None:
    """If the offense announces it; otherwise he stays."""
    s = at("2")
    play(outcome(s, "1B"), "stay")
    assert ("13", 0, 0) == stand(s)
    s = at("2")
    play(outcome(s, "1B"), "to-home", "no-throw")
    assert ("1", 0, 1) == stand(s)
    assert ["Bx singles; A-CF takes third.", "A-CF tries for home.", "A-CF scores. Outs: 0."] == event_sentences(s)


@pytest.mark.rule("CL-250", "CL-251", "CL-287")
@pytest.mark.parametrize(
    ("code", "bases"), [("1B", ""), ("2B", ""), ("3B", "12"), ("BB", "12"), ("HBP", "1"), ("LD", "13"), ("SO", "1")]
)
def test_nobody_may_try(code: str, bases: str) -> None:
    """Not the batter himself, and nobody after anything but a single, a double or a fly ball."""
    s = at(bases)
    play(outcome(s, code))
    assert "tries" not in event_codes(s)


@pytest.mark.rule("CL-252")
def test_after_a_double_who_was_on_first_may_try_for_home() -> None:
    """The only one who is left to try; a tie is safe."""
    assert ("extra-base", "away", ("stay", "to-home")) == offered(outcome(at("1"), "2B"))
    s = at("1")
    play(outcome(s, "2B"), "to-home", "at-home", 14)
    assert ("2", 0, 1) == stand(s)
    assert 1 == line(s).rbi


SINGLE = [
    # CL-253: 4 and the die against 15.
    ("1", 0, "to-third", 11, ("13", 0, 0)),
    ("1", 0, "to-third", 12, ("1", 1, 0)),
    # CL-255: three more on the way home.
    ("2", 0, "to-home", 14, ("1", 0, 1)),
    ("2", 0, "to-home", 15, ("1", 1, 0)),
    # CL-256: three more with two outs.
    ("1", 2, "to-third", 14, ("13", 2, 0)),
    ("1", 2, "to-third", 15, ("1", 3, 0)),
    # CL-257: six for home with two outs, and no more than that.
    ("2", 2, "to-home", 17, ("1", 2, 1)),
    ("2", 2, "to-home", 18, ("1", 3, 0)),
    # CL-258: one out before the hit is not two.
    ("2", 1, "to-home", 15, ("1", 2, 0)),
]


@pytest.mark.rule("CL-253", "CL-255", "CL-256", "CL-257", "CL-258")
@pytest.mark.parametrize(("bases", "outs", "way", "face", "after"), SINGLE)
def test_the_outfield_throws_against_his_speed(
    bases: str, outs: int, way: str, face: int, after: tuple[str, int, int]
) -> None:
    """Outfield 4 and a die, against 15 and what he has beside it."""
    s = at(bases, outs)
    play(outcome(s, "1B"), way, way.replace("to", "at"), face)
    assert after == stand(s)
    assert (after[2], ["hit"]) == folds(s)
    assert after[2] == line(s).rbi


@pytest.mark.rule("CL-254")
def test_the_defence_need_not_throw() -> None:
    """He is safe, and no die is thrown."""
    s = at("1")
    play(outcome(s, "1B"), "to-third", "no-throw")
    assert ("13", 0, 0) == stand(s)


@pytest.mark.rule("CL-259", "CL-260")
@pytest.mark.parametrize(
    ("target", "face", "after"),
    [
        ("at-third", 12, ("1", 1, 1)),
        ("at-home", 15, ("13", 1, 0)),
        ("at-home", 14, ("13", 0, 1)),
        ("no-throw", None, ("13", 0, 1)),
    ],
)
def test_of_several_who_try_one_is_thrown_at(target: str, face: int | None, after: tuple[str, int, int]) -> None:
    """All others are safe at the base they tried for."""
    choice = offered(outcome(at("12"), "1B"), "to-third-home")
    assert ("throw-at", "home", ("at-home", "at-third", "no-throw")) == choice
    s = at("12")
    play(outcome(s, "1B"), "to-third-home", target, *([face] if face else []))
    assert after == stand(s)


@pytest.mark.rule("CL-261")
def test_one_runner_to_a_base() -> None:
    """Who was on first cannot go on to third while the one before him stays there."""
    refused(outcome(at("12"), "1B"), "to-third")
    assert ("extra-base", "away", ("stay", "to-home", "to-third-home")) == offered(outcome(at("12"), "1B"))


@pytest.mark.rule("CL-262")
def test_one_base_and_no_more() -> None:
    """From first, on a single, third is as far as he may try."""
    refused(outcome(at("1"), "1B"), "to-home")


@pytest.mark.rule("CL-263")
def test_a_runner_thrown_out_for_the_third_out() -> None:
    """The run of the other one, whom nobody threw at, counts."""
    s = at("12", 2)
    play(outcome(s, "1B"), "to-third-home", "at-third", 15)
    assert ("1", 3, 1) == stand(s)
    assert (1, 1) == (line(s).rbi, folds(s)[0])


def test_no_run_on_the_third_out_by_house_rule() -> None:
    """Neither the other's, nor that of who came home by himself; without the out both count."""
    for bases, face, runs in (("12", 15, 0), ("123", 15, 0), ("123", 14, 2)):
        s = at(bases, 2, house={"thirdOutRuns": "none"})
        play(outcome(s, "1B"), "to-third-home", "at-third", face)
        assert (2 + (face == 15), runs, runs) == (s.outs, s.runs, folds(s)[0])
    s = at("13", 2, house={"thirdOutRuns": "none"})
    play(outcome(s, "1B"), "stay")
    assert (("12", 2, 1), 1) == (stand(s), folds(s)[0])
    s = at("123", 1, house={"thirdOutRuns": "none"})
    play(outcome(s, "1B"), "to-third-home", "at-third", 12)
    assert ("1", 2, 2) == stand(s)


def test_a_card_may_forbid_extra_bases_or_the_throw() -> None:
    """Then nobody is asked."""
    s = at("12", forbid="extra-base")
    play(outcome(s, "1B"))
    assert ("123", 0, 0) == stand(s)
    s = at("2", forbid="throw")
    play(outcome(s, "1B"), "to-home")
    assert ("1", 0, 1) == stand(s)


PICK = "PICK"


@pytest.mark.parametrize(
    ("where", "when", "script", "after", "score"),
    [
        # Of two who try the foremost is gone before the throw; the other goes on.
        ("T2 0o 12-", "when runners try for a base", ("1B!", "to-third-home", PICK, "no-throw"), "T2 1o 1-3", 0),
        ("T2 0o 12-", "when runners try for a base", ("1B!", "to-third-home", PICK, "at-third", "D12"), "T2 2o 1--", 0),
        # Nobody is left to be thrown at.
        ("T2 0o -2-", "when runners try for a base", ("1B!", "to-home", PICK), "T2 1o 1--", 0),
        ("T2 0o --3", "when runners try for a base", ("FB!", "to-home", PICK), "T2 2o ---", 0),
        ("T2 0o -2-", "when runners try for a base", ("GB!", "to-third", PICK), "T2 2o ---", 0),
        ("T2 0o 12-", "when a steal is declared", ("steal-both", PICK, "no-throw", "SO!"), "T2 2o -2-", 0),
        ("T2 0o -2-", "when a steal is declared", ("steal-third", PICK, "SO!"), "T2 2o ---", 0),
        # He is gone while the throw at the other is on its way.
        ("T2 0o 12-", "on a throw", ("1B!", "to-third-home", "at-third", PICK, "D11"), "T2 1o 1-3", 0),
        ("T2 0o 12-", "on a throw", ("GB!", PICK, "D1"), "T2 2o 1--", 0),
        # That was the third out already.
        ("T2 2o 12-", "when runners try for a base", ("1B!", "to-third-home", PICK), "B2 0o ---", 0),
        ("T2 2o 12-", "on a throw", ("1B!", "to-third-home", "at-third", PICK, "D20"), "B2 0o ---", 0),
        ("T2 1o 12-", "on a throw", ("GB!", PICK, "D20"), "B2 0o ---", 0),
        ("T2 2o 12-", "when a steal is declared", ("steal-both", PICK), "B2 0o ---", 0),
    ],
)
def test_a_card_takes_a_runner_off_in_the_middle(
    where: str, when: str, script: tuple[str, ...], after: str, score: int
) -> None:
    """The play goes on with those who are left."""
    cards = {PICK: fixture.strategy(PICK, "defense", when, "the lead runner is out")}
    table = field.run(field.at(where, home=[PICK], cards=cards), *script)
    assert (after, (score, 0)) == (field.now(table), field.state(table).score)
    assert field.mound(table).outs == (3 if after[0] == "B" else int(after[3])) - int(where[3])


def test_after_a_third_out_by_a_card_nothing_more_is_asked() -> None:
    """Of those who tried nobody is left, and who was on his way home on a ground ball does not score."""
    cards = {PICK: fixture.strategy(PICK, "defense", "when runners try for a base", "the lead runner is out")}
    table = field.at("T2 2o 12-", home=[PICK], cards=cards, decks=((), ()))
    field.until(table, "1B!", "to-third-home", PICK)
    assert "B2 0o ---" == field.now(table)
    cards = {PICK: fixture.strategy(PICK, "defense", "on a throw", "the runner on second is out")}
    table = field.run(field.at("T2 1o 123", home=[PICK], cards=cards), "GB!", PICK, "D1")
    assert ("B2 0o ---", (0, 0)) == (field.now(table), field.state(table).score)


def test_a_card_moves_a_runner_who_was_on_his_way() -> None:
    """He stays where it put him: on third, and no one goes home twice."""
    cards = {PICK: fixture.strategy(PICK, "offense", "on a throw", "runners advance 1 base")}
    table = field.at("T2 0o 12-", away=[PICK], cards=cards)
    field.run(table, "1B!", "to-third-home", "at-third", PICK)
    assert ("T2 0o -23", (1, 0)) == (field.now(table), field.state(table).score)


# The winning run (3.6) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-153", "CL-400")
@pytest.mark.parametrize(
    ("code", "bases", "house", "score"),
    [
        ("1B", "3", "baseball", (3, 4)),
        ("1B", "123", "baseball", (3, 4)),
        ("HR", "12", "baseball", (3, 6)),
        ("2B", "123", "baseball", (3, 4)),
        ("2B", "123", "allOnPlay", (3, 5)),
        ("BB", "123", "baseball", (3, 4)),
    ],
)
def test_the_winning_run_ends_it(code: str, bases: str, house: str, score: tuple[int, int]) -> None:
    """No run beyond it counts but on a home run, and nobody tries for more."""
    s = at(bases, 1, 9, "bottom", (3, 3), {"walkoffRuns": house})
    play(outcome(s, code))
    assert (score, True, score[1] - 3) == (s.score, s.over, folds(s)[0])


@pytest.mark.rule("CL-152")
def test_a_runner_sent_home_wins_it() -> None:
    """In the tenth, from second on a single."""
    s = at("2", 1, 10, "bottom", (3, 3))
    play(outcome(s, "1B"), "to-home", "at-home", 14)
    assert ((3, 4), True) == (s.score, s.over)


def test_the_winning_run_though_no_run_counts_on_a_third_out() -> None:
    """It is in before anybody could be thrown out: nobody is asked."""
    s = at("13", 2, 9, "bottom", (3, 3), {"thirdOutRuns": "none"})
    play(outcome(s, "1B"))
    assert ((3, 4), True) == (s.score, s.over)


# Who may go ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-261", "CL-285", "CL-308")
def test_no_way_puts_two_on_a_base() -> None:
    """Not even where the foremost of those who try is thrown out or the last one is held: all ways of all bases."""
    for occupied in range(8):
        bases = tuple(Runner(str(i), "") if occupied >> i & 1 else None for i in range(3))
        for way in legal((bases[0], bases[1], bases[2]), (2, 3, 4)):
            after = [i + 1 + (i + 2 in way) for i in range(3) if bases[i]]
            assert len({base for base in after if base < 4}) == len([base for base in after if base < 4])
            assert all(bases[base - 2] for base in way)
    one, two, three = (Runner(str(i), "") for i in range(3))
    assert ((2,), (4,), (2, 4)) == legal((one, None, three), (2, 3, 4))
    assert ((4,), (3, 4), (2, 3, 4)) == legal((one, two, three), (2, 3, 4))


def test_both_sides_are_told_what_the_die_has_to_show() -> None:
    """The least face that is an out, for each runner who might be thrown at; with two outs he is harder to catch."""
    for outs, home, third in ((0, 15, 12), (2, 18, 15)):
        ask = until(outcome(at("12", outs), "1B"))
        both = f"out at home with {home} or more; out at third with {third} or more"
        notes = {"to-home": f"out at home with {home} or more", "to-third-home": both}
        assert notes == ask.facts["notes"]
        ask = until(outcome(at("12", outs), "1B"), "to-third-home")
        assert both.split("; ") == list(ask.facts["notes"].values())


def test_the_throw_of_an_extra_base() -> None:
    """Home and two outs come to six."""
    assert [0, 3, 3, 6] == [thrown("One", base, outs).bonus for outs in (1, 2) for base in (3, 4)]
