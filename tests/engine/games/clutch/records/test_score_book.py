"""The score book: lines of batters and pitchers, play by play and over whole games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.box_score import box_scores
from engine.cards import Deck
from engine.games.clutch import GAME, scoreboard
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.scoreboard import LINE_COUNTS
from engine.games.clutch.squad import BattingLine
from engine.scoreboard import line_score
from engine.seats import SEATS
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.any_cards import cards, whole_deck
from tests.engine.games.clutch.field import at, by_rule, deck, die, mound, run, state, upto
from tests.engine.tables import asked, examples, inside, panel
from tests.engine.tables import pick as any_of

HBP = fixture.strategy("PLUNK", "offense", "on any result", "change the result to HBP")


@pytest.mark.rule("CL-384")
def test_a_scorecard_has_a_column_for_each_symbol() -> None:
    assert {"so", "ibb", "e", "fc", "sf", "sac", "bb", "hbp"} <= set(LINE_COUNTS)


@pytest.mark.rule("CL-093")
def test_a_relievers_line() -> None:
    table = run(
        at("T7 0o ---", arm={"outs": 9}), "new-pitcher", "Rx", "BB!", "2B!", "to-home", "no-throw", "SO!", "SO!"
    )
    (told,) = [one for one in panel(table, "box")["home"]["pitching"] if one["name"] == "Rx"]
    assert ("0.2", 2, 1, 1, 1, 2) == tuple(told[one] for one in ("ip", "outs", "r", "er", "bb", "so"))
    assert (0, 0, 0, 0, 0, 0, 1) == line_score(table.log).lines["away"]


@pytest.mark.rule("CL-112")
def test_inherited_runners_are_not_charged_to_the_reliever() -> None:
    table = run(at("T7 0o --3", arm={"outs": 9}), "new-pitcher", "Rx", "1B!")
    before, after = mound(table), mound(table, "Rx")
    assert ((1, 1), (0, 0)) == ((before.runs, before.earned), (after.runs, after.earned))
    assert (1, 1) == (after.inherited, after.scored)


@pytest.mark.rule("CL-112", "CL-291")
def test_a_fielders_choice_changes_the_runner_but_not_the_charge() -> None:
    """The batter takes the place of the runner put out (AM-35)."""
    table = run(at("T7 0o 1--", arm={"outs": 9}), "new-pitcher", "Rx", "GB!", "D1")
    run(table, "HR!")
    assert (1, 1) == (mound(table).runs, mound(table, "Rx").runs)


@pytest.mark.parametrize(
    ("arm", "script", "limit"),
    by_rule(
        # Four walks or four earned runs take an inning each, counted separately.
        ("CL-108 CL-110", {"walks": 2}, ["BB!"], 6),
        ("CL-108", {"walks": 3}, ["BB!"], 5),
        ("CL-108", {"walks": 6}, ["BB!"], 5),
        ("CL-108", {"walks": 7}, ["BB!"], 4),
        ("CL-109 CL-110", {"earned": 2, "runs": 2}, ["HR!"], 6),
        ("CL-109", {"earned": 3, "runs": 3}, ["HR!"], 5),
        ("CL-109", {"earned": 6, "runs": 6}, ["HR!"], 5),
        ("CL-109", {"earned": 7, "runs": 7}, ["HR!"], 4),
        ("CL-109", {"earned": 2, "runs": 7}, ["HR!"], 6),
        ("CL-110", {"earned": 3, "runs": 3, "walks": 2}, ["BB!"], 6),
        ("CL-111", {"earned": 3, "runs": 3, "walks": 3}, ["BB!", "HR!"], 4),
        # An intentional walk does not count, nor does a hit batter.
        ("CL-115", {"walks": 3}, ["walk"], 6),
        ("CL-116", {"walks": 3}, ["GB!", "PLUNK"], 6),
        # A Quality Appearance is judged with the 15th out: two runs or fewer, earned or not (AM-34).
        ("CL-104", {"outs": 14, "runs": 2, "earned": 2}, ["SO!"], 7),
        ("CL-105", {"outs": 14, "runs": 3, "earned": 3}, ["SO!"], 6),
        ("CL-105", {"outs": 14, "runs": 3, "earned": 2}, ["SO!"], 6),
        ("CL-392", {"outs": 14, "walks": 4}, ["SO!"], 6),
        # Cards add at most one inning in an inning and two in a game.
        ("CL-106", {"outs": 6}, ["IP+1", "IP+1b", "SO!"], 7),
        ("CL-107", {"outs": 6, "added": 1}, ["IP+1", "IP+1b", "SO!"], 8),
        ("CL-107", {"outs": 6, "added": 2}, ["IP+1", "IP+1b", "SO!"], 8),
    ),
)
def test_changes_of_the_inning_limit(arm: dict[str, int], script: list[str], limit: int) -> None:
    cards = {"PLUNK": HBP}
    table = run(at(away=["PLUNK"], home=["IP+1", "IP+1b"], cards=cards, arm={"outs": 12, **arm}), *script)
    assert limit == panel(table, "pitcher")["limit"]


@pytest.mark.rule("CL-104")
def test_a_quality_appearance_may_be_judged_by_earned_runs() -> None:
    """By a house rule (AM-34)."""
    table = run(at(arm={"outs": 14, "runs": 3, "earned": 2}, house={"qaRuns": "earned"}), "SO!")
    assert 7 == panel(table, "pitcher")["limit"]


@pytest.mark.rule("CL-114")
def test_a_walk_can_make_him_tired_at_once() -> None:
    """15 outs, three walks and three earned runs; then a fourth walk."""
    table = at(arm={"outs": 15, "walks": 3, "runs": 3, "earned": 3})
    assert 3 == upto(table, "pitch").facts["command"]
    run(table, "BB!")
    assert 2 == upto(table, "pitch").facts["command"]
    upto(table, "swing", "P15")
    assert "d24" == die(table, "swing")


PLAIN = ("line-up", "starter", "mulligan", "defence", "offence", "changes", "walk")
"""Asks in which mostly nothing is changed, or a game would be nothing but substitutions."""


def played(house: Mapping[str, str], seed: int, full: Deck | None = None) -> tuple[Table, list[Counter[str]]]:
    """Return a whole random game, and the result of each half-inning."""
    table, dice = Table(GAME, [full or deck()], {"format": "open", **house}), random.Random(seed)
    halves: list[Counter[str]] = []
    last, before = (1, "top"), Counter[str]()
    while table.open_asks():
        ((n, ask), *_) = table.open_asks()
        number = dice.randrange(1 << 16)
        table.answer_ask(ask.seat, n, any_of(ask, 0 if inside(ask).why in PLAIN and number % 4 else number))
        s = state(table)
        if s.phase == "play" and ((s.clock.inning, s.clock.half) != last or s.outcome):
            now = tally(table)
            halves.append(now - before + Counter(runners=house["autoRunnerFromInning"] == "10" and last[0] >= 10))
            last, before = (s.clock.inning, s.clock.half), now
    return table, halves


def tally(table: Table) -> Counter[str]:
    """Return all batters' lines combined, and the outs of all pitchers."""
    s = state(table)
    lines = [one for side in s.lines for one in side.values()]
    found = Counter({what: sum(getattr(one, what) for one in lines) for what in ("pa", "r")})
    found["outs"] = sum(arm.outs for side in s.arms for arm in side.values())
    return found


def adds_up(table: Table, halves: list[Counter[str]]) -> None:
    """Check what holds in any game's box score."""
    s = state(table)
    score, boxes = line_score(table.log), box_scores(table.log)
    for i, side in enumerate(SEATS):
        lines, arms = list(s.lines[i].values()), list(s.arms[1 - i].values())

        def total(what: str, lines: list[BattingLine] = lines) -> int:
            return sum(getattr(one, what) for one in lines)

        def against(what: str, arms: list[PitcherRecord] = arms) -> int:
            return sum(getattr(one, what) for one in arms)

        runs = s.score[i]
        assert [runs] * 2 == [total("r"), sum(one or 0 for one in score.lines[side])]
        for one in lines:
            assert one.pa == one.ab + one.bb + one.ibb + one.hbp + one.sf + one.sac
            assert one.h >= one.doubles + one.triples + one.hr
        assert total("h") == against("hits") == score.hits[side]
        named = ("so", "strikeouts"), ("hr", "homers"), ("bb", "walks"), ("ibb", "intentional"), ("hbp", "hit_batters")
        assert [total(bat) for bat, _ in named] == [against(arm) for _, arm in named]
        automatic = [one.event.facts["seat"] for one in table.log if one.event.code == "automatic-runner"].count(side)
        assert 0 <= runs - against("runs") <= automatic
        assert against("faced") == total("pa")
        assert against("outs") == 3 * (len(score.lines[side]) - (s.offense == side)) + s.outs * (s.offense == side)
        told = boxes[side].total
        batted = total("ab"), runs, total("h"), total("rbi"), total("bb") + total("ibb"), total("so")
        counts = scoreboard.box_score_panel(s, side)["total"]
        assert counts == {one: total(one) for one in LINE_COUNTS if total(one)}
        assert list(counts) == [one for one in LINE_COUNTS if one in counts]
        assert batted == (told.at_bats, told.runs, told.hits, told.driven_in, told.walks, told.strikeouts)
    for half in halves:
        assert 0 <= half["pa"] + half["runners"] - half["r"] - half["outs"] <= 3
    assert all(half["outs"] == 3 for half in halves[:-1])


@pytest.mark.rule("CL-093", "CL-383", "CL-146")
@pytest.mark.parametrize("level", ["full", "players", "basic"])
@examples(4)
@given(st.integers(0, 1 << 32), st.sampled_from(("10", "0")))
def test_the_box_score_adds_up(level: str, seed: int, automatic: str) -> None:
    table, halves = played({"level": level, "autoRunnerFromInning": automatic}, seed)
    assert () == asked(table)
    adds_up(table, halves)


BASES = {"doubles": "double", "triples": "triple", "hr": "home-run", "e": "error"}
"""Counts of a batter, each with its event."""


@examples(6)
@given(st.integers(0, 1 << 32))
def test_errors_and_extra_bases_add_up_whatever_cards_do(seed: int) -> None:
    """They are counted a second time from the events of games with random cards. A run that scores by an error is not
    earned, and if there was no error, every run is.
    """
    table, _ = played({"level": "full", "autoRunnerFromInning": "0"}, seed, whole_deck())
    adds_up(table, [])
    s, told = state(table), [one.event for one in table.log]
    moving = any("by an error" in cards().get(one.facts.get("card", ""), "") for one in told)
    for i, side in enumerate(SEATS):
        mine = [one for one in told if one.facts.get("seat") == side]
        for name, line in s.lines[i].items():
            codes = Counter(one.code for one in mine if one.facts.get("batter") == name)
            assert {what: codes[code] for what, code in BASES.items()} == {one: getattr(line, one) for one in BASES}
        errors = [one for one in mine if one.code == "error" or one.facts.get("code") == "E"]
        unearned = sum(arm.runs - arm.earned for arm in s.arms[1 - i].values())
        assert sum(one.facts.get("scored", 0) for one in errors) <= unearned
        if not moving:  # No event says that a runner moves up by an error once the outcome is there.
            assert len(errors) == s.errors[1 - i]
            assert not unearned
