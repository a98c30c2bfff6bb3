"""A warning is on the display, whatever else is: each of its pages in turn, beside rolls, results and menus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.app import App
from device.display import lettering, screens_32, screens_64
from device.display.pages import PAGE_TIME_S, PageRotation, PageTurner
from device.display.table_display import UNATTENDED_PAGE_TIME_S as INVITES
from device.settings import parse_settings
from device.storage.store import Store
from device.table.notices import WARNING_DURATION_S
from device.table.session import GameSession
from engine.views import AudienceView
from tests.device.display import menus
from tests.device.display.menus import JOIN, Joining
from tests.device.display.views import AGAIN, CHOOSE, DIAL, ROLL, SEEN, a_view, checked, looked, read
from tests.device.process import SETTINGS
from tests.device.stored_games import Clock, table

SIZES = pytest.mark.parametrize("size", [screens_64, screens_32], ids=["64", "32"])

LONG = "Bartholomew Winterbottom's Northern Owls"
WARNINGS = ("A phone changed seats: from Lanterns, away, to Owls, home.", f"A phone took a seat: {LONG}.")

OVER = {"outcome": {"winner": "home", "reason": "regulation", "sentence": "Owls win 12 to 4."}, "asks": []}
VIEWS: dict[str, dict[str, Any]] = {
    "score": {"dial": DIAL},
    "secret": {"table": {"asks": [CHOOSE | {"secret": True}]}},
    "result": {"table": {"last": "Ann singles."}},
    "a sure roll": {"table": {"asks": [ROLL]}, "proposal": SEEN},
    "a doubtful roll": {
        "table": {"asks": [ROLL]},
        "proposal": SEEN | {"sure": False, "seconds": None, "advice": "Dice touch each other: nudge them apart."},
        "dial": DIAL | {"label": "5"},
    },
    "many dice": {"table": {"asks": [AGAIN]}, "proposal": SEEN | {"faces": [1, 2, 3, 4, 5, 6] * 2, "again": [0, 11]}},
    "the end": {"table": OVER},
}


def pages_of(size: Any, view: AudienceView) -> list[list[str]]:
    """The texts on the display in the time for which two warnings stand, page by page, each checked."""
    seen = range(int(2 * WARNING_DURATION_S / PAGE_TIME_S))
    return [checked(lambda at=page * PAGE_TIME_S: size.draw_game(view, PageRotation(at, "", 0, at))) for page in seen]  # type: ignore[misc]


def says_all(pages: list[list[str]]) -> bool:
    """True if every word of all warnings is on one of the pages."""
    lines = " ".join(words for page in pages for words in page)
    for warning in WARNINGS:
        words = lettering.ascii_text(warning).split()
        if any(word not in lines for word in words):
            return False
    return True


@SIZES
def test_all_warnings_are_seen(size: Any) -> None:
    """On every screen of the game, with the dice and the time left to stop them still beside them."""
    for what, changes in VIEWS.items():
        view = replace(a_view(**changes), warnings=WARNINGS, notice=" ".join(WARNINGS))
        assert says_all(pages_of(size, view)), what
        if view.proposal and view.proposal.seconds:
            later = replace(view, proposal=replace(view.proposal, seconds=0.2))
            assert size.draw_game(view).tobytes() != size.draw_game(later).tobytes()


@SIZES
def test_changes_do_not_hold_a_page(size: Any) -> None:
    """Somebody who changes the view ten times a second does not keep the second page away."""
    now = [0.0]
    turner = PageTurner(lambda: now[0])
    view, pages = replace(a_view(), warnings=WARNINGS, notice=" ".join(WARNINGS)), []
    for version in range(int(2 * WARNING_DURATION_S * 10)):
        one = replace(view, version=version)
        with read() as texts:
            turner.current_picture(one, lambda times: size.draw_game(one, times))  # noqa: B023 - at once
        pages.append([words for words, *_ in texts])
        now[0] += 0.1
    assert says_all(pages)


@SIZES
@pytest.mark.parametrize("screen", ["welcome", "join", "scan", "menu"])
def test_no_other_screen_covers_a_warning(size: Any, screen: str, tmp_path: Path) -> None:
    """What it is about stays beside it; afterwards it is there again."""
    clock, store = Clock(), Store(tmp_path / "journal.db")
    session = GameSession(store, table, clock=clock)
    scan = ("http://dugout.local/in#", "10.0.0.7", "K7QM2XWD9FHT3RBN")
    menu = menus.menu(session, Joining(JOIN, lambda: scan), draw=size)
    if screen == "menu":
        menu.handle_press("menu")
    elif screen != "welcome":
        menu._show_screen(screen)
    before = menu.current_picture().tobytes()
    for warning in WARNINGS:
        session.game.notices.show_warning(warning)
    pages = []
    for _ in range(int(2 * WARNING_DURATION_S / PAGE_TIME_S)):
        pages.append(checked(menu.current_picture))
        clock.now += PAGE_TIME_S
    assert says_all(pages)
    kept = {"menu": "> Back to game", "scan": "K7QM2XWD9FHT3RBN"}.get(screen, f"Code {JOIN[2]}")
    assert kept in [words for page in pages for words in page]
    clock.now += WARNING_DURATION_S
    session.tick()
    assert before == menu.current_picture().tobytes()
    store.close()


def begun(folder: Path, **more: Any) -> tuple[App, Clock]:
    """Return a table with a display and no buttons, and its clock."""
    source = SETTINGS.format(port=1, show=1)
    app = App(parse_settings(source, "my.toml").model_copy(update={"data": folder}), demo=False, **more)
    clock = Clock()
    app.session.game.clock = app.menu._turner._clock = clock
    return app, clock


def test_a_display_that_sleeps_wakes_for_a_warning(tmp_path: Path) -> None:
    """Nobody sends it to sleep again before the warning has had its time."""
    app, clock = begun(tmp_path)
    try:
        app._update_components(new=True)
        app.session.game.notices.show_warning(WARNINGS[0])
        for _ in range(3):
            app.oled.sleep()
            app._update_components()
            assert not app.oled.is_asleep
        clock.now += WARNING_DURATION_S
        app._update_components()
        app.oled.sleep()
        app._update_components()
        assert app.oled.is_asleep
    finally:
        app.stop()


@pytest.mark.parametrize("unsafe", [None, "The camera hangs."])
def test_pages_that_turn_by_themselves_leave_it_there(tmp_path: Path, unsafe: str | None) -> None:
    """Safe mode, and the invitations while somebody guesses the code: that itself is a warning first."""
    app, clock = begun(tmp_path, unsafe=unsafe)
    try:
        app._update_components(new=True)
        app.access.lengthen_code()
        app._update_components()
        for _ in range(4):
            words = " ".join(checked(lambda: looked(app)))
            assert "Somebody is guessing the code." in words
            app._display._started_at -= INVITES
        clock.now += WARNING_DURATION_S
        app._update_components()
        assert "Somebody is guessing the code." not in " ".join(checked(lambda: looked(app)))
    finally:
        app.stop()


def test_a_guess_warns_once(tmp_path: Path) -> None:
    """A stranger who goes on guessing does not keep the display."""
    app, clock = begun(tmp_path)
    try:
        for _ in range(3):
            app.access.lengthen_code()
            app._update_components(new=True)
            clock.now += WARNING_DURATION_S
        app.session.tick()
        assert () == tuple(app.session.game.view_for(None).warnings)
    finally:
        app.stop()
