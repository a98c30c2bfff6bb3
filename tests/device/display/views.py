"""Views for tests of what displays show, made from the few fields that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, cast

from engine.ask_views import ArrangeView, AskView, CallView, ChooseView, DieView, RerollView, RollView
from engine.clock import Outcome
from engine.dice import FACES
from engine.scoreboard import Scoreboard, Side
from engine.views import (
    ConfirmView,
    EntryView,
    GameName,
    LayoutView,
    ProposalView,
    RaceView,
    RunnerView,
    SecretEntryView,
    TableView,
    View,
    Watching,
)

T = TypeVar("T")
Data = Mapping[str, Any]

KINDS: dict[str, type[AskView]] = {
    "roll": RollView,
    "reroll": RerollView,
    "call": CallView,
    "choose": ChooseView,
    "draw": ChooseView,
    "arrange": ArrangeView,
}


def made(shape: type[T], data: Any, **usual: Any) -> T:
    """Return `data` as a `shape`: as it is if it is one, else from its keys, and `usual` for those it lacks."""
    if isinstance(data, shape):
        return data
    names = {one.name for one in fields(cast(Any, shape))}
    return shape(**{name: value for name, value in {**usual, **data}.items() if name in names})


def an_ask(data: Any) -> AskView:
    """Return an ask; a secret one without options is bare, as the other seat sees it."""
    if isinstance(data, AskView):
        return data
    bare = data.get("secret") and "options" not in data
    dice = tuple(made(DieView, die, faces=FACES[die["kind"]]) for die in data.get("dice") or ())
    usual = {"secret": False, "race": False, "why": "", "sentence": "", "options": (), "die": None, "wins": ()}
    usual |= {"least": 0, "pieces": (), "places": ()}
    return made(AskView if bare else KINDS[data["kind"]], {**data, "dice": dice}, **usual)


def a_board(board: Scoreboard, data: Any) -> Scoreboard:
    """Return `board` with the fields of `data`, or `data` if it is a scoreboard."""
    if isinstance(data, Scoreboard):
        return data
    sides = data.get("sides", board.sides)
    return replace(board, **{**data, "sides": {seat: made(Side, side, colour="") for seat, side in sides.items()}})


def a_table(table: TableView, data: Any) -> TableView:
    """Return `table` with the fields of `data`, or `data` if it is a table's view."""
    if isinstance(data, TableView):
        return data
    outcome = data.get("outcome", table.outcome)
    ended = outcome and made(Outcome, outcome, winner=None, reason="", sentence="The game is over.")
    board = a_board(table.scoreboard, data.get("scoreboard", table.scoreboard))
    asks = [an_ask(ask) for ask in data.get("asks", table.asks)]
    return replace(table, **{**data, "asks": asks, "scoreboard": board, "outcome": ended})


def a_dial(data: Any) -> EntryView:
    """Return where the buttons point; for a secret if `data` says how it is entered."""
    if isinstance(data, EntryView):
        return data
    shape = SecretEntryView if "how" in data else EntryView
    return made(shape, data, index=None, count=None, touched=True, brief="choosing")


def a_proposal(data: Any) -> ProposalView:
    """Return a roll to confirm."""
    usual = {"words": "", "again": None, "likely": (), "clear": (), "doubt": None, "advice": None, "source": "camera"}
    return made(ProposalView, data, **usual, seconds=None, total=2.0, evidence=None)


def a_race(data: Any) -> RaceView:
    """Return how a race stands."""
    if isinstance(data, RaceView):
        return data
    runners = {seat: made(RunnerView, one, words="") for seat, one in data["seats"].items()}
    return RaceView(data["n"], runners, data["confirm"] and made(ConfirmView, data["confirm"]))


def a_layout(data: Any) -> LayoutView:
    """Return what a camera sees on the board."""
    return made(LayoutView, data, n=3, seat="home", value={}, sure=True, words=())


MAKE: dict[str, Callable[[Any], Any]] = {
    "game": lambda data: made(GameName, data),
    "watching": lambda data: made(Watching, data),
    "dial": a_dial,
    "proposal": a_proposal,
    "race": a_race,
    "layout": a_layout,
}


def changed(view: View, board: Any = None, table: Any = None, **changes: Any) -> View:
    """Return `view` with some parts changed, each given as it is or as a dict of the fields that matter.

    `board` and `table` change the named fields of the scoreboard and of the table.
    """
    typed: dict[str, Any] = {
        key: MAKE[key](value) if key in MAKE and value is not None else value for key, value in changes.items()
    }
    found = a_table(view.table, {} if table is None else table)
    found = replace(found, scoreboard=a_board(found.scoreboard, {} if board is None else board))
    return replace(view, table=found, **typed)


CHOOSE: dict[str, Any] = {"n": 3, "seat": "home", "kind": "choose", "secret": False, "sentence": "What will you do?"}

SEVENTH = Scoreboard(
    "small-ball",
    {"away": Side("Lanterns", "red", runs=4, hits=5), "home": Side("Owls", "blue", runs=12, hits=9)},
    inning=7,
    half="bottom",
    marker="7",
    batting="home",
    outs=1,
    bases=("Ann", None, "Bob"),
    batter="Cy",
    stake=2,
    dice=(5,),
)
"""A game in the seventh."""

VIEW = View(
    game=GameName("small-ball", "Small Ball"),
    table=TableView(None, 1, [an_ask(CHOOSE)], {}, (), SEVENTH, "Ann singles.", None, None),
    undone=0,
    plays=(),
    proposal=None,
    dial=None,
    race=None,
    layout=None,
    version=1,
    watching=Watching("empty", "Throw the die."),
    missing=(),
    notice=None,
)


def a_view(**changes: Any) -> View:
    """Return a view of a game in the seventh, changed as `changed` says."""
    return changed(VIEW, **changes)
