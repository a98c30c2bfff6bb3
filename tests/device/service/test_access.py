"""The code on the display, its passes, and the table's age: after a new game, a freed seat and a restart."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.app import App
from device.display import screens_64
from device.service.access import GUESS_WARNING_S, LONG_CODE_PERIOD_S, SAVE_INTERVAL_S, Access
from device.settings import parse_settings
from device.storage.store import Store, StoreError
from engine.views import json_data
from tests.device import stored_games
from tests.device.process import SETTINGS, Program
from tests.device.stored_games import Clock, latest


@contextmanager
def table(folder: Path, announce: Callable[[str], None] | None = None) -> Iterator[App]:
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": folder})
    app = App(settings, demo=False, announce=announce)
    yield app
    app.stop()


def by_buttons(app: App) -> None:
    """Open the menu and choose its third item with buttons, New game, then the classic pace and two people."""
    new_game, classic, two_people = (["away-next"] * steps + ["away-ok"] for steps in (2, 2, 1))
    for button in ("menu", *new_game, *classic, *two_people):
        app.menu.handle_press(button)


GAMES: dict[str, Callable[[App], None]] = {
    "a phone": lambda app: app.games.begin_game("small-ball", [], {}),
    "the buttons": by_buttons,
}


@pytest.mark.parametrize("by", GAMES)
def test_a_new_game_has_a_new_code(by: str, tmp_path: Path) -> None:
    """Display and terminal show the new code, the old one no longer works, and a restart keeps the new one."""
    said = list[str]()
    with table(tmp_path, said.append) as app:
        old, before = app.access.sign_in_code, json_data(app.session.game.view_for(None))["version"]
        GAMES[by](app)
        assert 2 == app.session.game.number
        assert [app.access.sign_in_code] == said != [old]
        assert (None, "operator") == (app.access.role_for_code(old), app.access.role_for_code(app.access.sign_in_code))
        assert before + 1 < json_data(app.session.game.view_for(None))["version"]
        app.menu._show_screen("join")
        url, address, shown = app.join_screen.code_info()
        assert shown == app.access.sign_in_code
        assert screens_64.draw_join_screen(url, address, shown).tobytes() == app.menu.current_picture().tobytes()
        code = app.access.sign_in_code
    with table(tmp_path) as app:
        assert code == app.access.sign_in_code


def test_a_freed_seat_stays_freed(tmp_path: Path) -> None:
    """Only its epoch rises, and the code changes; both survive a restart."""
    with table(tmp_path) as app:
        old = app.access.sign_in_code
        app.access.free_seat("home")
        app.access.free_seat("home")
        code = app.access.sign_in_code
        assert (None, "operator") == (app.access.role_for_code(old), app.access.role_for_code(code))
    with table(tmp_path) as app:
        assert (0, 2, code) == (app.access.seat_epoch("away"), app.access.seat_epoch("home"), app.access.sign_in_code)


def test_a_code_that_is_guessed_gets_longer(tmp_path: Path) -> None:
    """Once, with a line on every display, for a while; the codes after it are long for a day."""
    with table(tmp_path) as app, closing(Store(tmp_path / "other.db")) as store:
        app.access.lengthen_code()
        code = app.access.sign_in_code
        app.access.lengthen_code()
        app._update_components(new=True)
        line = "Somebody is guessing the code. It now has 8 digits."
        assert (8, code) == (len(code), app.access.sign_in_code)
        assert line in app.session.game.view_for(None).missing
        assert (False, line) == next(
            (one.ok, one.words) for one in app.devices.component_health() if one.part == "code"
        )
        clock = Clock()
        access, begun = Access(store, clock=clock), clock.now
        access.lengthen_code()
        seen, lengths = list[str | None](), list[int]()
        for later in (1, GUESS_WARNING_S, GUESS_WARNING_S + 1):
            clock.now = begun + later
            seen.append(access.guess_warning)
        assert [line, line, None] == seen
        for later in (GUESS_WARNING_S + 2, LONG_CODE_PERIOD_S - 1, LONG_CODE_PERIOD_S + 1):
            clock.now = begun + later
            access.change_code()
            lengths.append(len(access.sign_in_code))
        assert [8, 8, 6] == lengths


def test_a_disk_error_frees_no_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code stays, and the error says so; a new game has a new code, which is stored later."""
    with table(tmp_path) as app:

        def full(values: object) -> None:
            raise StoreError("The disk is full.")

        monkeypatch.setattr(app._store, "save_values", full)
        old = app.access.sign_in_code
        with pytest.raises(StoreError):
            app.access.free_seat("away")
        assert (0, old) == (app.access.seat_epoch("away"), app.access.sign_in_code)
        app.games.begin_game("small-ball", [], {})
        assert 2 == app.session.game.number
        assert old != app.access.sign_in_code


def test_values_are_stored_all_at_once(tmp_path: Path) -> None:
    """They replace the values before; threads that write at the same time wait for each other."""
    store = Store(tmp_path / "journal.db")
    faults = list[Exception]()

    def write(name: str) -> None:
        try:
            for i in range(20):
                store.save_values({name: str(i), f"{name} too": str(i)})
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == faults
    with pytest.raises(StoreError):
        store.save_values({"a": "20", "b": None})  # type: ignore[dict-item]
    assert ["19"] * 6 == [store.get_or_create_value(name) for one in "abc" for name in (one, f"{one} too")]
    store.close()


@pytest.mark.slow
def test_the_operator_shuts_the_table_down(tmp_path: Path) -> None:
    """The phone gets its answer, every stream ends, the program exits normally; passes still work after a restart."""
    with Program(tmp_path) as program:
        passes = dict(program.client.cookies)
        with program.client.stream("GET", "/stream") as stream:
            lines = stream.iter_lines()
            assert "event: view" in lines
            assert program.post("shutdown").is_success
            rest = list(lines)
        at = rest.index("event: over")
        assert "turned off" in json.loads(rest[at + 1].removeprefix("data: "))["sentence"]
        assert 0 == program.process.wait(300)
    with Program(tmp_path) as program:
        program.client.cookies.clear()
        program.client.cookies.update(passes)
        assert 200 == program.client.get("/api/phones").status_code
        program.end()


THEN = datetime(1970, 1, 1, 0, 0, 9, tzinfo=UTC)
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


def test_the_age_adds_up_over_restarts(tmp_path: Path) -> None:
    """The time a table was on counts at the next start."""
    ages = list[float]()
    for on in (5000, 1000, 0):
        with table(tmp_path) as app:
            ages.append(app.access.table_age())
            app.access._started -= on
    assert ages[1] >= 5000
    assert ages[2] >= ages[1] + 999


def test_the_age_is_stored_regularly(tmp_path: Path) -> None:
    """A power cut loses a few minutes of it."""
    with table(tmp_path) as app:
        app._update_components(new=True)
        app.access._save_at -= SAVE_INTERVAL_S + 1
        app.access._started -= 5000
        app._update_components(new=True)
        assert float(app._store.get_or_create_value("lit", lambda: "0")) >= 5000


@pytest.mark.parametrize("clocks", [(THEN, NOW), (NOW, THEN)])
def test_a_game_does_not_depend_on_the_time_of_day(tmp_path: Path, clocks: tuple[datetime, datetime]) -> None:
    """Entries stay in the order in which they were given, even if their times jump."""
    played, game = stored_games.table(), 0
    for clock, value in zip(clocks, ("bat", [2]), strict=True):
        with closing(Store(tmp_path / "journal.db", clock=lambda clock=clock: clock)) as store:  # type: ignore[misc]
            if game:
                played = latest(store)
            else:
                game = store.begin_game(played)
            ((n, ask),) = played.open_asks()
            played.answer_ask(ask.seat, n, value)
            store.append(game, played, "phone")
    with closing(Store(tmp_path / "journal.db")) as store:
        assert (played.journal, 2) == (latest(store).journal, len(played.journal))
