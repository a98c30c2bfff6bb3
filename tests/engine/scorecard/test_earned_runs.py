"""Earned runs by rule 9.16, as far as events tell, and stolen bases by runner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.events import Event
from engine.scoreboard import Scoreboard
from engine.scorecard.fold import AnswerResult, build_scorecards, score_books
from tests.engine.scorecard.test_fold import HALF, after, told

Bases = tuple[str | None, str | None, str | None]


def pitched(
    code: str, batter: str, bases: Iterable[str | None] = (), pitcher: str = "Old", **facts: Any
) -> AnswerResult:
    """Return the result of a plate appearance, and who is on base after it."""
    first, second, third = (*bases, None, None, None)[:3]
    return after(told(code, batter, pitcher=pitcher, **facts), bases=(first, second, third))


def earned(*played: AnswerResult) -> dict[str, tuple[int, int]]:
    """Return runs and earned runs of each pitcher."""
    pitchers = build_scorecards([after(HALF), *played], True)["home"].pitchers
    return {one.name: (one.runs, one.earned_runs) for one in pitchers}


def out(name: str, *bases: str | None, pitcher: str = "Old") -> AnswerResult:
    return pitched("strikeout", name, bases, pitcher, turn="strikeout", retired=[name])


def error(name: str, *bases: str | None, pitcher: str = "Old", **facts: Any) -> AnswerResult:
    return pitched("error", name, bases, pitcher, turn="out", **facts)


def homer(name: str, *runners: str, pitcher: str = "Old") -> AnswerResult:
    home = [*runners, name]
    return pitched("home-run", name, (), pitcher, hit=True, runners=home, by=name, scored=len(home))


def test_a_runner_on_by_an_error() -> None:
    """His run is not earned, the batter's is."""
    assert {"Old": (2, 1)} == earned(error("Ann", "Ann"), homer("Bo", "Ann"))


def test_an_error_is_an_out() -> None:
    """After two outs and an error, no run is earned; after one out and an error, they still are."""
    assert {"Old": (2, 0)} == earned(out("Ann"), out("Bo"), error("Cy", "Cy"), homer("Di", "Cy"))
    assert {"Old": (2, 1)} == earned(out("Ann"), error("Cy", "Cy"), homer("Di", "Cy"))


def test_the_error_was_made_good() -> None:
    """If its runner is put out later, there is one out, not two."""
    double_play = pitched("double-play", "Bo", turn="out", retired=["Ann", "Bo"])
    assert {"Old": (1, 1)} == earned(error("Ann", "Ann"), double_play, homer("Cy"))


def test_the_batter_who_takes_his_place() -> None:
    """After a fielder's choice the batter is on for the runner of the error."""
    choice = pitched("fielders-choice", "Bo", ["Bo"], turn="out", retired=["Ann"])
    assert {"Old": (2, 1)} == earned(error("Ann", "Ann"), choice, homer("Cy", "Bo"))


def test_a_run_on_the_error_itself() -> None:
    triple = pitched("triple", "Ann", [None, None, "Ann"], hit=True)
    assert {"Old": (1, 0)} == earned(triple, error("Bo", "Bo", runners=["Ann"], by="", scored=1))


def test_a_runner_moved_by_an_error() -> None:
    """A runner who takes a base, or home, by an error has no earned run."""
    single = pitched("single", "Ann", ["Ann"], hit=True)
    moves = after(told("moves-on", None, runner="Ann", way="error"), bases=(None, "Ann", None))
    assert {"Old": (2, 1)} == earned(single, moves, homer("Bo", "Ann"))
    scores = told("comes-home", "Bo", runner="Ann", way="error", runners=["Ann"], by="", scored=1, pitcher="Old")
    assert {"Old": (1, 0)} == earned(single, after(scores))


def test_a_placed_runner() -> None:
    """His run is charged to the pitcher who begins the half-inning, and is not earned."""
    placed = AnswerResult([told("automatic-runner", None, runner="Zed")], _mound("Old", (None, "Zed", None)))
    assert {"Old": (1, 0), "New": (1, 1)} == earned(placed, homer("Ann", "Zed", pitcher="New"))


def _mound(pitcher: str, bases: Bases) -> Scoreboard:
    board = after(bases=bases).board
    assert board is not None
    return replace(board, pitcher=pitcher)


def test_a_relief_pitcher_has_no_benefit_of_earlier_errors() -> None:
    """Two outs and an error before him: his own runner's run is earned, that of the runner he inherits is not."""
    before = (
        pitched("single", "Zed", ["Zed"], hit=True),
        out("Ann", "Zed"),
        out("Bo", "Zed"),
        error("Cy", "Cy", "Zed"),
    )
    assert {"Old": (2, 0), "New": (1, 1)} == earned(*before, homer("Di", "Zed", "Cy", pitcher="New"))


def test_a_pitcher_of_whom_no_board_told() -> None:
    """A batter may be out by the answer that begins the half-inning or brings in the pitcher."""
    starts = after(Event("pitches", {"seat": "home", "pitcher": "Old"}), HALF, _strikeout("Ann"))
    relieves = after(Event("relieves", {"seat": "home", "pitcher": "New", "out": "Old"}), _strikeout("Bo"))
    again = after(Event("half-inning", {"seat": "away", "inning": 2, "half": "top"}), _strikeout("Cy"))
    pitchers = build_scorecards([starts, relieves, again], True)["home"].pitchers
    assert [("Old", 1), ("New", 2)] == [(one.name, one.outs) for one in pitchers]


def _strikeout(name: str) -> Event:
    return told("strikeout", name, turn="strikeout", retired=[name])


def running(*played: AnswerResult) -> dict[str, dict[str, int]]:
    """Return stolen bases and times caught of each runner."""
    *_, book = score_books([after(HALF), *played])
    return {name: dict(did) for name, did in book.sides["away"].running.items()}


def test_a_pinch_runner_steals_for_himself() -> None:
    """The base is his, although the box is that of the batter whom he runs for."""
    single = pitched("single", "Ann", ["Ann"], hit=True)
    runs = after(told("pinch-runner", "Pat", out="Ann"), bases=("Pat", None, None))
    steals = after(told("stolen", None, runner="Pat"), bases=(None, "Pat", None))
    caught = after(told("caught", None, runner="Pat", retired=["Pat"]))
    assert {"Pat": {"steals": 1, "caught_stealing": 1}} == running(single, runs, steals, caught)


def test_steals_that_bring_a_runner_home() -> None:
    """Home is stolen by a card or with a double steal, not by a hit after a steal."""
    triple = pitched("triple", "Ann", [None, None, "Ann"], hit=True)
    home = told("comes-home", "Bo", runner="Ann", way="steal", runners=["Ann"], by="", scored=1)
    assert {"Ann": {"steals": 1}} == running(triple, after(home))
    single = told("single", "Bo", hit=True, runners=["Ann"], by="Bo", scored=1)
    assert {} == running(triple, after(told("stolen", None, runner="Zed"), single, bases=("Bo", None, None)))


def test_a_game_ends() -> None:
    """The winner is the side in the event of the end, else the side with more runs; equal runs are a tie."""
    homers = [after(HALF), homer("Ann")]
    winners = []
    for last in (Event("game-over", {"seat": "home"}), Event("game-over", {}), None):
        (book,) = score_books([*homers, *([after(last)] if last else [])])
        winners.append((book.is_over, book.winner))
    (tie,) = score_books([after(HALF), after(Event("game-over", {}))])
    assert [(True, "home"), (True, "away"), (False, None), (True, None)] == [*winners, (tie.is_over, tie.winner)]
