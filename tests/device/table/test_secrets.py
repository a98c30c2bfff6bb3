"""Secrets on buttons: both seats enter pitch and guess blind, and nobody else can see what."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.display.menu import Menu
from device.inputs.chance_draws import AutomaticDraws
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.buttons import ButtonActions
from device.table.entry.seat_entries import SecretEntry
from device.table.live_game import LiveGame
from device.table.session import GameSession
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.journal import Source, entry_json
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import ButtonEntryView, TableView, json_data
from tests.device.display.menus import menu
from tests.device.stored_games import Clock
from tests.engine.sample_games import duel_game
from tests.web.games.bottom_of_the_9th import PITCHES, ball, ninth
from tests.web.games.rallybird import rally
from tests.web.phones import phone
from tests.web.web_table import WebTable, parts
from web.app import create_app

KEYS = {"inside": "previous", "away": "next", "high": "previous", "low": "next"}
"""The button for each word: "previous" is the first option of its part, "next" the second."""

PRESSES = "< inside or > away, then < high or > low, then OK"
"""How a pitch is entered unseen."""


def enter(menu: Menu, seat: Seat, pitch: str, ok: bool = True) -> None:
    """Enter a pitch with buttons."""
    for word in pitch.split("-"):
        menu.handle_press(f"{seat}-{KEYS[word]}")
    if ok:
        menu.handle_press(f"{seat}-ok")


class Evening:
    """A stare-down, observed by every audience."""

    def __init__(self, folder: Path, table: Callable[[], Table] = ninth) -> None:
        self.clock = Clock()
        self.store = Store(folder / "journal.db")
        self.session = GameSession(self.store, table, clock=self.clock)
        self.menu = menu(self.session)
        self.menu._show_screen("game")
        self.app = create_app(replace(WebTable().port, **parts(self.session)))

    def seen(self, seat: Seat) -> dict[str, Any]:
        """Return what every audience except `seat` itself sees, by audience."""
        rival, session = opposite_seat(seat), self.session
        with phone(self.app, "operator") as client:
            operator = [
                client.get(path).text for path in ("/", "/table", "/overlay", "/plays", "/api/view", "/api/rolls")
            ]
        return {
            "spectator": json.dumps(json_data(session.game.view_for(None))),
            "rival": json.dumps(json_data(session.game.view_for(rival))),
            "operator": operator,
            "journal": [json.dumps(session.game.table.redacted_entries(one)) for one in (None, rival)],
            "display": self.menu.current_picture().tobytes(),
        }


def watched(folder: Path, seat: Seat, caplog: pytest.LogCaptureFixture) -> Iterator[dict[str, list[Any]]]:
    """Return everything that the audiences saw for each of the four choices: after each press, and at the end."""
    for pitch in PITCHES:
        (home := folder / f"{seat}-{pitch}").mkdir()
        evening, shown = Evening(home), []
        caplog.clear()
        with caplog.at_level(logging.DEBUG, "dugout"):
            for word in pitch.split("-"):
                evening.menu.handle_press(f"{seat}-{KEYS[word]}")
                shown.append(evening.seen(seat) | {"owner": json.dumps(json_data(evening.session.game.view_for(seat)))})
            evening.menu.handle_press(f"{seat}-ok")
            assert [opposite_seat(seat)] == [ask.seat for _, ask in evening.session.game.table.open_asks()]
            shown.append(evening.seen(seat) | {"owner": None})
            evening.clock.now += 10
            evening.session.tick()
            shown.append(evening.seen(seat) | {"owner": None})
        evening.store.close()
        audiences = {one: [moment[one] for moment in shown] for one in shown[0]}
        yield audiences | {"log": [record.getMessage() for record in caplog.records if record.name == "dugout"]}


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.rule("BN-037")
def test_nobody_can_tell_what_a_seat_chose(seat: Seat, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever the choice, everyone sees exactly the same until both have chosen: pages, display, journal, log."""
    first, *rest = watched(tmp_path, seat, caplog)
    for audience, shown in first.items():
        for other_choice in rest:
            assert shown == other_choice[audience], audience


def _dial(patch: pytest.MonkeyPatch) -> None:
    # Build the views for each look: none are published during a secret entry, so a leak would not show.
    patch.setattr(LiveGame, "current_views", lambda self: self._build(self._version))
    patch.setattr(
        SecretEntry,
        "entry_view",
        lambda self: ButtonEntryView(self.seat, self.n, "-".join(map(str, self._pressed)), None, None, False),
    )


def _notice(patch: pytest.MonkeyPatch) -> None:
    turn = ButtonActions.move_cursor

    def told(self: ButtonActions, seat: Seat, step: int) -> None:
        turn(self, seat, step)
        self._game.notices.show_notice("left" if step < 0 else "right")

    patch.setattr(ButtonActions, "move_cursor", told)


def _version(patch: pytest.MonkeyPatch) -> None:
    turn = ButtonActions.move_cursor

    def touched(self: ButtonActions, seat: Seat, step: int) -> None:
        turn(self, seat, step)
        if step < 0:
            self._game.publish_again()

    patch.setattr(ButtonActions, "move_cursor", touched)


def _entries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "redacted_entries", lambda self, seat: [entry_json(entry) for entry in self.journal])


def _given(patch: pytest.MonkeyPatch) -> None:
    views = Table.views_for

    def opened(self: Table, *seats: Seat | None) -> dict[Seat | None, TableView]:
        given = {str(one.n): one.value for one in self._pending}
        return {seat: replace(view, given=given) for seat, view in views(self, *seats).items()}

    patch.setattr(Table, "views_for", opened)


def _log(patch: pytest.MonkeyPatch) -> None:
    write = LiveGame.submit_entry

    def logged(self: LiveGame, entry: Any, source: Source) -> None:
        logging.getLogger("dugout").info("%s answers %s", source, entry)
        write(self, entry, source)

    patch.setattr(LiveGame, "submit_entry", logged)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "audiences"),
    [
        (_dial, {"spectator", "rival", "operator", "owner"}),
        (_notice, {"spectator", "rival", "operator", "owner", "display"}),
        (_version, {"spectator", "rival", "operator", "owner"}),
        (_entries, {"journal"}),
        (_given, {"spectator", "rival"}),  # the pages hide it again
        (_log, {"log"}),
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    audiences: set[str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The comparison above covers every audience: a leak to any of them makes it fail."""
    plant(monkeypatch)
    first, *rest = watched(tmp_path, "home", caplog)
    assert audiences <= {one for one, shown in first.items() if any(shown != choice[one] for choice in rest)}


@pytest.mark.parametrize("table", [ninth, duel_game.new])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.rule("BN-037")
def test_nobody_can_tell_who_presses_first(table: Callable[[], Table], seat: Seat, tmp_path: Path) -> None:
    """The first press of either seat changes nothing visible, not even whose entry is shown."""
    evening = Evening(tmp_path, table)
    before = [evening.seen(one) for one in SEATS]
    evening.menu.handle_press(f"{seat}-next")
    assert before == [evening.seen(one) for one in SEATS]
    evening.store.close()


def test_the_cursor_of_a_secret_choice_is_hidden(tmp_path: Path) -> None:
    """Nobody can count how often it moved; OK still accepts the option under it."""
    store = Store(tmp_path / "journal.db")
    session = GameSession(store, duel_game.new)
    before = json_data(session.game.view_for(None))
    session.buttons.move_cursor("home", 1)
    assert before == json_data(session.game.view_for(None))
    session.buttons.press_ok("home")
    assert [one.value for one in session.game.table.answers] == ["low"]
    store.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.store.close()


def revealed(evening: Evening) -> tuple[Any, ...]:
    """Return pitch and guess after their reveal."""
    state: Any = evening.session.game.table.state
    pitch = state.pitch
    return pitch.thrown, pitch.guess


@pytest.mark.rule("BN-036", "BN-037")
def test_both_seats_enter_at_the_same_time(evening: Evening) -> None:
    """Their presses interleave, the last two presses are the choice, and the seat that finishes first waits for the
    other."""
    for button in ("away-next", "home-next", "home-previous", "away-next", "away-previous", "away-next", "home-ok"):
        evening.menu.handle_press(button)
    assert ((), ()) == revealed(evening)
    evening.menu.handle_press("away-ok")
    assert (("inside", "low"), ("away", "high")) == revealed(evening)


@pytest.mark.rule("BN-036")
def test_a_choice_needs_both_parts(evening: Evening) -> None:
    """OK after one press, after none or after three is refused, and both parts must be pressed again."""
    for presses in (0, 1, 3):
        for _ in range(presses):
            evening.menu.handle_press("home-next")
        evening.menu.handle_press("home-ok")
        assert (
            evening.session.game.view_for(None).notice
            == "Home: choose again, < inside or > away, then < high or > low, then OK."
        )
        assert len(evening.session.game.table.open_asks()) == 2
    enter(evening.menu, "home", "away-low")
    assert [ask.seat for _, ask in evening.session.game.table.open_asks()] == ["away"]


def test_undo_discards_an_unconfirmed_entry(evening: Evening) -> None:
    """Both press again; earlier answers are undone only when no entry is left. Presses do not carry over to the next
    stare-down, nor to that of a new game, although the same ask has the same number."""
    menu, session = evening.menu, evening.session
    before = session.game.table.journal
    enter(menu, "home", "inside-high", ok=False)
    enter(menu, "away", "away-high", ok=False)
    menu.handle_press("undo")
    forgotten = "Choose again: your unconfirmed choice was discarded."
    assert (before, forgotten) == (session.game.table.journal, session.game.view_for(None).notice)
    for seat in SEATS:
        menu.handle_press(f"{seat}-ok")
    assert before == session.game.table.journal
    menu.handle_press("undo")
    assert len(before) + 1 == len(session.game.table.journal)
    session.seats.answer_ask("away", session.game.table.open_asks()[0][0], "Ron Rue", Source.PHONE)
    enter(menu, "home", "inside-high", ok=False)
    session.game.undo_answers()
    assert session.game.table.open_asks()[0][1].why == "reliever"
    session.seats.answer_ask("away", session.game.table.open_asks()[0][0], "Ron Rue", Source.PHONE)
    menu.handle_press("home-ok")
    assert len(session.game.table.open_asks()) == 2
    enter(menu, "home", "inside-high", ok=False)
    session.game.begin_game(ninth())
    menu.handle_press("home-ok")
    assert len(session.game.table.open_asks()) == 2


@pytest.mark.rule("BN-037")
def test_an_illegal_pitch_is_chosen_again(tmp_path: Path) -> None:
    """A worn part gets the same error as a mistyped entry: nothing shows which it was."""

    def worn() -> Table:
        table = ninth({"bottomRow": "2"})
        for _ in range(2):
            ball(table, "inside-high", "away-low")
        return table

    evening = Evening(tmp_path, worn)
    before = evening.session.game.table.journal
    for pitch in ("inside-high", "inside-low", "away-high", ""):
        if pitch:
            enter(evening.menu, "away", pitch)
        else:
            evening.menu.handle_press("away-ok")
        told = f"Visitors, away: choose again, {PRESSES}."
        assert (told, before) == (evening.session.game.view_for(None).notice, evening.session.game.table.journal), pitch
    with pytest.raises(IllegalAnswer, match=f"^Visitors, away: choose again, {PRESSES}[.]$"):
        evening.session.buttons.press_ok("away")
    enter(evening.menu, "away", "away-low")
    assert [ask.seat for _, ask in evening.session.game.table.open_asks()] == ["home"]
    evening.store.close()


def test_an_unplayable_card_is_refused_as_one(tmp_path: Path) -> None:
    """The seat hears that the card cannot be played, not only how to enter one; the next number counts from zero."""
    evening = Evening(tmp_path, rally)
    for _ in range(6):
        evening.menu.handle_press("away-previous")
    evening.menu.handle_press("away-ok")
    assert (
        "Visitors, away: no such card to play now. Enter a card number (< +5, > +1), then OK."
        == evening.session.game.view_for(None).notice
    )
    before = len(evening.session.game.table.answers)
    evening.menu.handle_press("away-next")
    evening.menu.handle_press("away-ok")
    assert before + 1 == len(evening.session.game.table.answers)
    evening.store.close()


def test_dealt_cards_are_kept_on_phones_only(tmp_path: Path) -> None:
    """OK of a seat that cannot see its hand keeps none of it."""
    game = GAMES["seventh-inning-stretch"]
    evening = Evening(tmp_path, lambda: Table(game, [house_deck(game)], {"mode": "duel"}))
    session = evening.session
    house = AutomaticDraws(session, "key")
    session.buttons.press_ok("away")  # who bats first is agreed
    for _ in range(20):
        house.make_open_draws(True)
    assert "pick" == session.game.table.open_asks()[0][1].why
    with pytest.raises(IllegalAnswer, match="take your seat on a phone"):
        session.buttons.press_ok("away")
    evening.store.close()
