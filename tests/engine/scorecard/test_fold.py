"""The scorecard of whole games agrees with the box score, the line score and the outs; boxes of single plays are as a
scorer would fill them in.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.box_score import BattingTotals
from engine.events import Event
from engine.scoreboard import Scoreboard, SideScore
from engine.scorecard.fold import AnswerResult, build_scorecards, scorecards
from engine.scorecard.sheet import Scorecard, ScorecardBox
from engine.seats import SEATS
from engine.table import Table
from tests.each import each
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS, every_game
from tests.engine.scorecard.agreement import agrees, outs_of
from tests.engine.tables import SEEDS, examples, numbers


@every_game()
def test_random_games(contract: Contract) -> None:
    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def plays(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for number in numbers(seed, contract.longest):
            if not contract.step(table, number):
                break
        agrees(table)

    plays()


@every_game()
def test_every_out_is_in_the_events(contract: Contract) -> None:
    """While a half-inning goes on, the board counts as many outs as the events name players who were put out."""
    for seed in range(2):
        chance = Random(seed)
        table = contract.start(contract.ends.houses[seed % len(contract.ends.houses)], len(contract.decks) - 1)
        while len(table.answers) < 150 and contract.step(table, chance.randrange(1 << 16)):
            board, outs = table.scoreboard(), outs_of(table)
            if outs and board.batting and (board.batting, board.inning) == list(outs)[-1] and not table.outcome:
                # Events come before the answer that settles an out which a card or die may still change.
                assert board.outs - outs[board.batting, board.inning] in ((0,) if not _open(table) else (0, 1, 2))


def _open(table: Table) -> bool:
    """Return True if somebody was put out in a play whose event is yet to come."""
    pending: tuple[Any, ...] = getattr(table.state, "retired", ())
    return bool(pending) and isinstance(pending[0], str)


# Single plays --------------------------------------------------------------------------------------------------------

BOARD = Scoreboard("x", {seat: SideScore(seat, "red") for seat in SEATS}, batting="away")
HALF = Event("half-inning", {"seat": "away", "inning": 1, "half": "top"})


def told(code: str, batter: str | None = "Ann", **facts: Any) -> Event:
    """Return an event of the side at bat; a batter named None has no name."""
    return Event(code, {"seat": "away", **({"batter": batter} if batter else {}), **facts})


def after(*events: Event, bases: tuple[str | None, str | None, str | None] = (None, None, None)) -> AnswerResult:
    return AnswerResult(events, Scoreboard("x", BOARD.sides, batting="away", bases=bases))


def card(*played: AnswerResult, over: bool = False) -> Scorecard:
    """Return the visitors' card in the first inning."""
    return build_scorecards([after(HALF), *played], over)["away"]


def boxes(*played: AnswerResult, over: bool = False) -> list[ScorecardBox]:
    """Return the boxes in the order of the plate appearances."""
    return sorted(card(*played, over=over).all_boxes, key=lambda one: one.number)


@each(
    ("code", "facts", "result", "base"),
    [
        ("single", {"hit": True}, "1B", 1),
        ("double", {"hit": True}, "2B", 2),
        ("triple", {"hit": True}, "3B", 3),
        ("walk", {"turn": "walk"}, "BB", 1),
        ("hit-by-pitch", {"turn": "hit-by-pitch"}, "HBP", 1),
        ("strikeout", {"turn": "strikeout", "retired": ["Ann"]}, "K", 0),
        ("ground-out", {"turn": "out", "retired": ["Ann"]}, "GO", 0),
        ("fly-out", {"turn": "out", "retired": ["Ann"]}, "FO", 0),
        ("line-out", {"turn": "out", "retired": ["Ann"]}, "LO", 0),
        ("fly-out", {"turn": "sacrifice", "retired": ["Ann"]}, "SF", 0),
        ("sacrifice", {"turn": "sacrifice", "retired": ["Ann"]}, "SAC", 0),
        ("error", {"turn": "out"}, "E", 1),
        ("fielders-choice", {"turn": "out"}, "FC", 1),
        ("popped-it-up", {"turn": "out", "retired": ["Ann"]}, "out", 0),
        ("whiff", {"turn": "strikeout", "retired": ["Ann"]}, "K", 0),
        ("some-hit", {"hit": True}, "H", 1),
    ],
)
def test_results(code: str, facts: dict[str, Any], result: str, base: int) -> None:
    """Shorthand and base, also where the half-inning is over before a scoreboard shows the runner; unknown codes are
    shown by what every game says of them.
    """
    (one,) = boxes(after(told(code, **facts)))
    assert (result, base, int("retired" in facts)) == (one.result, one.base, one.out)


def test_a_trip_around_the_bases() -> None:
    """A single, a steal, and a double that drives in the run, which counts only once it is on the board."""
    single = after(told("single", hit=True), bases=("Ann", None, None))
    steal = after(told("steal-second", None, runner="Ann"), bases=(None, "Ann", None))
    double = (told("double", "Bo", hit=True), told("comes-home", None, runners=["Ann"], by="Bo"))
    ann, bo = boxes(single, steal, after(*double, bases=(None, "Bo", None)))
    assert ("1B", 4, (2,), False) == (ann.result, ann.base, ann.steals, ann.scored)
    assert ("2B", 2, 0) == (bo.result, bo.base, bo.driven_in)
    ann, bo = boxes(single, steal, after(*double, told("bank", None, scored=1)), over=True)
    assert (True, False, False) == (ann.scored, ann.ends, bo.scored)
    assert (1, True) == (bo.driven_in, bo.ends)
    assert BattingTotals(2, 1, 2, 1) == card(single, steal, after(*double, told("bank", None, scored=1))).total


def test_outs_are_numbered_in_order() -> None:
    """In a double play the runner's out comes first; a runner caught stealing has the third."""
    first = after(told("single", hit=True), bases=("Ann", None, None))
    two = after(told("ground-double-play", "Bo", runner="Ann", turn="out", retired=["Ann", "Bo"]))
    walk = after(told("walk", "Cy", turn="walk"), bases=("Cy", None, None))
    caught = after(told("caught", None, runner="Cy", retired=["Cy"]))
    ann, bo, cy = boxes(first, two, walk, caught)
    assert [(1, False), (2, False), (3, True)] == [(one.out, one.caught) for one in (ann, bo, cy)]
    assert ["1B", "DP", "BB"] == [one.result for one in (ann, bo, cy)]
    assert 1 == ann.base == cy.base


def test_a_fielders_choice() -> None:
    """The batter is safe, and the runner is out."""
    first = after(told("single", hit=True, pitcher="Old"), bases=("Ann", None, None))
    choice = told("fielders-choice", "Bo", turn="out", retired=["Ann"], pitcher="New")
    ann, bo = boxes(first, after(choice, bases=("Bo", None, None)))
    assert (1, 0, "FC", 1) == (ann.out, bo.out, bo.result, bo.base)
    home = after(told("double", "Cy", hit=True, runners=["Bo"], by="Cy", scored=1, pitcher="New"))
    pitchers = build_scorecards([after(HALF), first, after(choice, bases=("Bo", None, None)), home], True)[
        "home"
    ].pitchers
    assert [("Old", 1, "0.0"), ("New", 0, "0.1")] == [(one.name, one.runs, one.innings_pitched) for one in pitchers]


def test_a_placed_runner() -> None:
    """A runner placed on a base by rule has a box without a number, from that base on."""
    placed = after(told("automatic-runner", None, runner="Zed"), bases=(None, "Zed", None))
    single = after(told("single", hit=True, runners=["Zed"], by="Ann", scored=1), bases=("Ann", None, None))
    zed, ann = boxes(placed, single)
    assert (0, "", 2, 4, True) == (zed.number, zed.result, zed.start, zed.base, zed.scored)
    assert (1, 1) == (ann.number, ann.driven_in)


def test_substitutes_share_a_row() -> None:
    """A pinch hitter bats in the row of the player he replaces, and a pinch runner continues his path."""
    single = after(told("single", hit=True), bases=("Ann", None, None))
    runs = after(told("pinch-runner", "Pat", out="Ann"), bases=("Pat", None, None))
    home = after(told("triple", "Bo", hit=True, runners=["Pat"], by="Bo", scored=1), bases=(None, None, "Bo"))
    found = card(single, runs, home)
    assert [("Ann", "Pat"), ("Bo",)] == [row.names for row in found.rows]
    assert [True, False] == [one.scored for one in found.all_boxes]
    assert {"Ann": BattingTotals(1, 0, 1), "Bo": BattingTotals(1, 0, 1, 1), "Pat": BattingTotals(0, 1)} == found.batters
    out = after(told("replaces", "Quin", out="Pat"), told("strikeout", "Quin", turn="strikeout", retired=["Quin"]))
    assert ("Ann", "Pat", "Quin") == card(single, runs, home, out).rows[0].names
    never = after(told("pinch-hitter", "Max", out="Nobody"), told("walk", "Max", turn="walk"))
    assert [("Max",)] == [row.names for row in card(never).rows]


def test_batting_around_takes_another_column() -> None:
    walks = [after(told("walk", name, turn="walk")) for name in ("Ann", "Bo", "Ann")]
    found = card(*walks)
    assert (1, 1) == found.columns
    assert [[0, 1], [0]] == [sorted(row.boxes) for row in found.rows]
    assert [1, 2, 3] == sorted(one.number for one in found.all_boxes)
    assert (2, 1) == (found.column_totals(0).walks, found.column_totals(1).walks)


def test_players_without_names() -> None:
    """Nobody passes the runner ahead: the lead runner scores first. Each row is a turn of the half-inning."""
    one = after(told("single", None, hit=True), bases=("runner", None, None))
    two = after(told("double", None, hit=True), bases=(None, "runner", "runner"))
    three = after(
        told("fielders-choice", None, turn="out"),
        told("runner-out", None, retired=["second"]),
        told("scores", None, scored=1),
        bases=("runner", None, None),
    )
    found = card(one, two, three)
    first, second, third = sorted(found.all_boxes, key=lambda box: box.number)
    assert [(4, True, 0), (2, False, 1), (1, False, 0)] == [(b.base, b.scored, b.out) for b in (first, second, third)]
    assert [(), (), ()] == [row.names for row in found.rows]
    walk = after(told("walk", None, turn="walk"))
    assert (1, 1) == card(*[walk] * 10).columns
    homer = after(told("home-run", None, hit=True), told("scores", None, scored=2))
    assert [True, True] == [box.scored for box in card(one, homer).all_boxes]


def test_runs_of_nobody() -> None:
    """A side without batters has runs, but no boxes."""
    found = card(after(told("scores", None, scored=3)), over=True)
    assert ([], 3, 3) == (list(found.all_boxes), found.loose, found.total.runs)


def test_a_run_batted_in_before_the_turn_is_over() -> None:
    """It counts in the batter's next box, or in one without a result if he does not get to finish."""
    triple = after(told("triple", hit=True), bases=(None, None, "Ann"))
    home = after(told("comes-home", "Bo", runners=["Ann"], by="Bo", scored=1))
    _, bo = boxes(triple, home, after(told("walk", "Bo", turn="walk")))
    assert ("BB", 1) == (bo.result, bo.driven_in)
    unfinished = next(one for one in boxes(triple, home, over=True) if one.batter == "Bo")
    assert ("", 1) == (unfinished.result, unfinished.driven_in)


def test_games_that_follow_each_other() -> None:
    """The scorecard is that of the last game."""
    played: Iterable[AnswerResult] = [
        after(told("single", hit=True)),
        after(Event("new-game", {"opens": True})),
        after(HALF),
    ]
    assert [] == boxes(*played)


def test_reading_can_be_given_up() -> None:
    """What `wanted` raises ends the work."""
    table = next(iter(CONTRACTS.values())).stories.played("").table

    def gone() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        scorecards(table, gone)
