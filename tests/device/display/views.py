"""Views for tests of what displays show, made from the few fields that a test is about; and what can be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from types import ModuleType
from typing import Any, TypeVar, cast

import pytest
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from device.app import App
from device.display import lettering, screens_32, screens_64
from device.display.games import load_game_screens
from device.display.pages import PAGE_TIME_S, PageRotation
from engine.ask_views import ArrangeView, AskView, CallView, ChooseView, DieView, RerollView, RollView
from engine.dice import FACES_BY_KIND
from engine.games import GAMES
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.table import Table
from engine.views import (
    AudienceView,
    ButtonEntryView,
    CameraActivity,
    DieConfirmationView,
    GameName,
    LayoutView,
    ProposalView,
    RaceSeatView,
    RaceView,
    SecretButtonEntryView,
    TableView,
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
    dice = tuple(made(DieView, die, faces=FACES_BY_KIND[die["kind"]]) for die in data.get("dice") or ())
    usual = {"secret": False, "race": False, "why": "", "title": "", "sentence": "", "options": (), "die": None}
    usual |= {"wins": (), "least": 0, "pieces": (), "places": ()}
    return made(AskView if bare else KINDS[data["kind"]], {**data, "dice": dice}, **usual)


def a_board(board: Scoreboard, data: Any) -> Scoreboard:
    """Return `board` with the fields of `data`, or `data` if it is a scoreboard."""
    if isinstance(data, Scoreboard):
        return data
    sides = data.get("sides", board.sides)
    return replace(board, **{**data, "sides": {seat: made(SideScore, side, colour="") for seat, side in sides.items()}})


def a_table(table: TableView, data: Any) -> TableView:
    """Return `table` with the fields of `data`, or `data` if it is a table's view."""
    if isinstance(data, TableView):
        return data
    outcome = data.get("outcome", table.outcome)
    ended = outcome and made(Outcome, outcome, winner=None, reason="", sentence="The game is over.")
    board = a_board(table.scoreboard, data.get("scoreboard", table.scoreboard))
    asks = [an_ask(ask) for ask in data.get("asks", table.asks)]
    return replace(table, **{**data, "asks": asks, "scoreboard": board, "outcome": ended})


def a_dial(data: Any) -> ButtonEntryView:
    """Return where the buttons point; for a secret if `data` says how it is entered."""
    if isinstance(data, ButtonEntryView):
        return data
    shape = SecretButtonEntryView if "how" in data else ButtonEntryView
    return made(shape, data, index=None, count=None, touched=True, brief="")


def a_proposal(data: Any) -> ProposalView:
    """Return a roll to confirm."""
    usual = {"words": "", "again": None, "likely": (), "clear": (), "doubt": None, "advice": None, "source": "camera"}
    return made(ProposalView, data, **usual, seconds=None, total=2.0, evidence=None)


def a_race(data: Any) -> RaceView:
    """Return how a race stands."""
    if isinstance(data, RaceView):
        return data
    runners = {seat: made(RaceSeatView, one, words="") for seat, one in data["seats"].items()}
    return RaceView(data["n"], runners, data["confirm"] and made(DieConfirmationView, data["confirm"]))


def a_layout(data: Any) -> LayoutView:
    """Return what a camera sees on the board."""
    return made(LayoutView, data, n=3, seat="home", value={}, sure=True, words=())


MAKE: dict[str, Callable[[Any], Any]] = {
    "game": lambda data: made(GameName, data),
    "watching": lambda data: made(CameraActivity, data),
    "dial": a_dial,
    "proposal": a_proposal,
    "race": a_race,
    "layout": a_layout,
}


def changed(view: AudienceView, board: Any = None, table: Any = None, **changes: Any) -> AudienceView:
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
CHOOSE |= {"title": "Your move"}

ROLL = CHOOSE | {
    "kind": "roll",
    "title": "Bunt: 4+",
    "sentence": "Roll the die.",
    "dice": [{"kind": "d6", "colour": None, "owner": None}],
}
AGAIN = CHOOSE | {
    "kind": "reroll",
    "title": "Again",
    "sentence": "Roll again.",
    "faces": [1, 2, 3, 3, 5, 6],
    "free": [0, 1, 3],
    "most": 2,
}
AGAIN |= {"dice": [{"kind": "d6", "colour": None, "owner": None}] * 6}
DIAL: dict[str, Any] = {"seat": "home", "n": 3, "label": "Hit-and-run", "index": 1, "count": 5, "touched": False}
SEEN: dict[str, Any] = {"n": 3, "seat": "home", "faces": [5], "sure": True, "doubt": None, "advice": None}
SEEN |= {"source": "camera", "seconds": 1.0, "total": 2.0}

SEVENTH = Scoreboard(
    "small-ball",
    {"away": SideScore("Lanterns", "red", runs=4, hits=5), "home": SideScore("Owls", "blue", runs=12, hits=9)},
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

VIEW = AudienceView(
    game=GameName("small-ball", "Small Ball"),
    table=TableView(None, 1, [an_ask(CHOOSE)], {}, (), SEVENTH, "Ann singles.", None, None),
    undone=0,
    plays=(),
    proposal=None,
    dial=None,
    race=None,
    layout=None,
    version=1,
    watching=CameraActivity("empty", "Throw the die."),
    missing=(),
    notice=None,
)


def a_view(**changes: Any) -> AudienceView:
    """Return a view of a game in the seventh, changed as `changed` says."""
    return changed(VIEW, **changes)


def of_table(table: Table, **more: Any) -> AudienceView:
    """Return what the display gets of a table: what anyone may know."""
    return a_view(table=table.view_for(None), **more)


# What can be read ----------------------------------------------------------------------------------------------------


@contextmanager
def read() -> Iterator[list[tuple[str, int, int, lettering.Font, int]]]:
    """Collect every piece of text that is drawn, with its place, font and ink."""
    drawn: list[tuple[str, int, int, lettering.Font, int]] = []
    real = lettering.draw_text

    def text(image: Image.Image, x: int, y: int, words: str, font: lettering.Font = "plain", ink: int = 1) -> int:
        drawn.append((words, x, y, font, ink))
        return real(image, x, y, words, font, ink)

    for key in GAMES:
        load_game_screens(key)  # a module imported later would keep the replaced function
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "draw_text", text)
        for module in _display_modules(len(sys.modules)):
            if getattr(module, "draw_text", None) is real:
                patch.setattr(module, "draw_text", text)
        yield drawn


@cache
def _display_modules(modules: int) -> list[ModuleType]:
    """The modules of the display that are imported, looked for when there are more `modules`."""
    return [module for name, module in sys.modules.items() if name.startswith("device.display.")]


def checked(draw: Callable[[], Image.Image]) -> list[str]:
    """Draw a screen, prove that every letter of it can be read, and return the texts on it.

    Each letter is there as its font has it, lit on dark or dark on lit, with nothing over it, and the outermost ring,
    which a shifted picture loses, is dark.
    """
    with read() as drawn:
        image = draw()
    assert image.size in (screens_64.SIZE_PX, screens_32.SIZE_PX)
    assert "1" == image.mode
    ring, bottom = image.copy(), image.height - 1
    ImageDraw.Draw(ring).rectangle((1, 1, 126, bottom - 1), fill=0)
    assert ring.getbbox() is None
    for words, x, y, font, lit in drawn:
        for char in lettering.ascii_text(words):
            width, box, shape = _letter(char, font)
            if box:
                at = (x + box[0], y + box[1], x + box[2], y + box[3])
                assert min(at) >= 1, (words, char, at)
                assert at[2] <= 127, (words, char, at)
                assert at[3] <= bottom, (words, char, at)
                assert [one == bool(lit) for one in shape] == pixels(image.crop(at)), (words, char, at)
            x += width
    return [words for words, *_ in drawn]


@cache
def _letter(char: str, font: lettering.Font) -> tuple[int, tuple[int, int, int, int] | None, list[bool]]:
    """The width of a letter, the box of what is lit of it, and the pixels of that box."""
    letter = lettering.glyph_image(char, font)
    box = letter.getbbox()
    return letter.width, box, pixels(letter.crop(box)) if box else []


def turns(
    draw: Callable[[AudienceView, PageRotation], Image.Image], view: AudienceView, most: int = 24
) -> list[list[str]]:
    """Return the texts on each page of a view in turn, each checked, until the first page comes again."""
    found = [checked(lambda: draw(view, PageRotation()))]
    for turn in range(1, most):
        page = checked(lambda: draw(view, PageRotation(turn * PAGE_TIME_S)))  # noqa: B023 - at once
        if page == found[0]:
            break
        found.append(page)
    return found


def everything(draw: Callable[[AudienceView, PageRotation], Image.Image], view: AudienceView) -> str:
    """Return all texts on the pages of a view, joined by spaces."""
    return " ".join(words for page in turns(draw, view) for words in page)


def told(draw: Callable[[AudienceView, PageRotation], Image.Image], view: AudienceView, words: str) -> bool:
    """True if the pages of a view say all of `words`, in order, whatever else stands on them."""
    plain = lettering.ascii_text(words)
    parts = [part for page in turns(draw, view) for part in page if len(part) > 2 and part in plain]
    return "".join(plain.split()) in "".join("".join(dict.fromkeys(parts)).split())


def pixels(image: Image.Image) -> list[bool]:
    return [bool(value) for value in image.get_flattened_data()]


# Extremes ------------------------------------------------------------------------------------------------------------

names = st.one_of(st.text(max_size=40), st.sampled_from(["W" * 30, "Sacramento Thunderbolts", "İ", ""]))
sentences = st.one_of(st.text(max_size=200), st.just("Nothing answers here: " * 8), st.just("W" * 90))
faces = st.lists(st.one_of(st.none(), st.integers(0, 24), st.sampled_from("BSC")), max_size=6)


def looked(app: App) -> Image.Image:
    """Have a table look after its parts, as if something had changed; return the picture that its display shows."""
    app._update_components(new=True)
    return app.oled._image
