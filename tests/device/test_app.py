"""The whole program: start, startup errors, past games and shutdown."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from device import cli
from device.app import App
from device.display import screens_64
from device.display.oled import Oled
from device.display.pages import PAGE_TIME_S
from device.service import address, join_screen
from device.settings import Settings, parse_settings
from device.storage.decks import house_deck_text
from device.storage.store import Store, StoreError
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS
from engine.views import json_data
from tests.browser.room import played
from tests.device.process import COLD, PATIENCE, SETTINGS, Program, free_port
from vision.clips import ThrowClip


def run(folder: Path, *options: str, settings: str = "") -> int:
    """Run `dugout run` without hardware in this process; return its exit status when it cannot start."""
    file = folder / "settings.toml"
    file.write_text(settings or SETTINGS.format(port=free_port(), show=1))
    return cli.main(["run", "--settings", str(file), "--data", str(folder / "data"), *options])


def test_a_port_in_use_gives_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is announced, and the exit status keeps a service from trying again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert run(tmp_path, "--port", str(number)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"Cannot serve the pages at 127.0.0.1 port {number}: Address already in use" in err


@pytest.mark.parametrize("port", ["0", "65536", "-1", "eighty"])
def test_an_invalid_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line says which values it accepts."""
    with pytest.raises(SystemExit, match="2"):
        cli.main(["run", f"--port={port}"])
    assert "must be a number from 1 to 65535" in capsys.readouterr().err


def test_invalid_settings_are_reported_with_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File and line are on stderr, and the exit status is 2."""
    assert run(tmp_path, settings="[web]\nport = 'eighty'\n") == 2
    assert "settings.toml, line 2, web.port" in capsys.readouterr().err


def test_a_missing_deck_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error for a deck in the settings that does not exist has its path."""
    settings = SETTINGS.format(port=free_port(), show=1) + '[game]\ndecks = ["mine.toml"]\n'
    assert run(tmp_path, settings=settings) == 2
    assert "mine.toml: cannot be read: No such file or directory." in capsys.readouterr().err


def test_a_likely_typo_on_a_card_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the start, even if the start then fails: here another program uses the port."""
    (tmp_path / "mine.toml").write_text(house_deck_text(GAMES["clutch"]).replace("stealing = 2", "stealing = 3", 1))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = SETTINGS.format(port=taken.getsockname()[1], show=1)
        deck = f'[game]\nkey = "clutch"\ndecks = ["{tmp_path}/mine.toml"]\n'
        assert run(tmp_path, settings=settings + deck) == 2
    assert "dugout: please check: mine.toml, batter" in capsys.readouterr().err


def test_the_display_shows_why_the_start_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody at a table reads a log."""
    shown = []
    stop = Oled.stop

    def last_words(oled: Oled, last: Image.Image | None = None, timeout: float = 2.0) -> None:
        stop(oled, last, timeout)
        shown.append(oled.displayed_picture)

    monkeypatch.setattr(Oled, "stop", last_words)
    (tmp_path / "data").write_text("not a folder")
    settings = Settings.model_validate({"data": tmp_path / "data", "display": {"driver": "none"}})
    with pytest.raises(StoreError) as caught:
        App(settings, demo=False)
    assert [screens_64.draw_message("Dugout", str(caught.value)).tobytes()] == [image.tobytes() for image in shown]


@pytest.mark.slow
def test_the_code_is_not_logged(tmp_path: Path) -> None:
    """Without a terminal, only the display shows the operator's code."""
    with Program(tmp_path, start=COLD) as program:
        assert program.code not in program.said
    with Program(tmp_path, start=COLD, command="demo") as program:
        assert program.code in program.said


@pytest.mark.slow
def test_a_table_without_a_camera_needs_no_calibration(tmp_path: Path) -> None:
    """Players who type their dice are not asked to show a tray."""
    with Program(tmp_path) as program:
        health = {part["part"]: part for part in program.client.get("/api/health").json()}
        assert not health["camera"]["ok"]
        assert (health["tray"]["ok"], health["tray"]["words"]) == (True, "Works.")
        program.end()


@pytest.mark.parametrize(
    ("camera", "words"),
    [
        ("none", None),
        ("tray", "No board camera: it is set to the tray's, and the tray has none."),
        ("film.mp4", None),
    ],
)
def test_a_board_camera_is_used_only_if_it_is_set(camera: str, words: str | None, tmp_path: Path) -> None:
    """A display that can never exist is reported at the start, any other when it is needed."""
    settings = parse_settings(SETTINGS.format(port=1, show=1) + f"[board]\ncamera = {camera!r}\n", "my.toml")
    app = App(settings.model_copy(update={"data": tmp_path}), demo=False)
    health = {json_data(part)["part"]: json_data(part)["words"] for part in app.devices.component_health()}
    missing, picture = app.session.game.notices.current_faults(), app.devices.board_jpeg()
    app.stop()
    assert words == missing.get("board")
    assert ("board" in health, picture) == (camera != "none", None)


def test_past_games_are_kept(tmp_path: Path) -> None:
    """After a new game begins, the previous one can still be read, replayed and downloaded, with its pictures."""
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "000001-00002.jpg").write_bytes(b"a picture")
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    for n, value in enumerate(("red", "bat", [2])):
        app.session.seats.answer_ask("away", n, value, Source.PHONE)
    app.games.begin_game("small-ball", [], {})
    games, replay, journal = app.past.games_page(1).games, app.past.replay_part(1), app.past.game_journal(1)
    past = app.past.game_record(1)
    assert journal is not None
    count = sum(len(piece) for piece in journal.pieces)
    app.stop()
    assert [(2, True), (1, False)] == [(one.id, one.now) for one in games]
    assert past is not None
    log = past.log
    assert log[-1].evidence == "1-2"
    assert replay is not None
    assert (log[-1], 3) == (replay.steps[-1].lines[-1], count)


class SlowClip(ThrowClip):
    """A clip that takes half a second to encode."""

    def encode_webp(self) -> bytes:
        time.sleep(0.5)
        return b"RIFF"


def test_the_end_waits_for_the_clip_that_is_being_encoded(tmp_path: Path) -> None:
    """Python would abort the process instead of ending it."""
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    app._pictures.store_picture(1, 2, b"a picture", SlowClip([]))
    app.stop()
    assert "clips" not in {thread.name for thread in threading.enumerate()}
    assert b"RIFF" == (tmp_path / "evidence" / "000001-00002.webp").read_bytes()


@pytest.mark.parametrize("what", ["a change", "a press"])
def test_what_happens_wakes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Where nothing is due for hours, it looks after its parts at once, also if a press only wakes the display."""
    looked = threading.Semaphore(0)

    def look(app: App) -> float:
        looked.release()
        return 1e5

    monkeypatch.setattr("device.app.MAX_TICK_S", 1e5)
    monkeypatch.setattr(App, "_update_components", look)
    app = App(
        parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path}), demo=False
    )
    try:
        app._ticker.start()
        assert looked.acquire(timeout=PATIENCE)
        assert not looked.acquire(timeout=0.3) or not looked.acquire(timeout=0.3)
        app.oled.sleep()
        app.session.game.publish_again() if what == "a change" else app._handle_press("away-next", 1.0)
        assert looked.acquire(timeout=PATIENCE)
    finally:
        app.stop()


def test_it_waits_for_what_is_due_first(tmp_path: Path) -> None:
    """The page of the join screen turns, and before that a notice ends."""
    app = App(
        parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path}), demo=False
    )
    try:
        assert 0.5 < app._update_components() <= PAGE_TIME_S
        app.session.game.notices.show_notice("Somebody came.", 0.5)
        assert 0 < app._update_components() <= 0.5
    finally:
        app.stop()


@pytest.mark.slow
def test_autoplay_begins_a_new_game_after_the_last(tmp_path: Path) -> None:
    with Program(tmp_path) as program:
        program.post("answer", seat="away", n=0, value="red")
        while not (view := program.view())["table"]["outcome"]:
            (ask,) = view["table"]["asks"]
            value: Any = [2 if ask["seat"] == "away" else 1]
            if ask["kind"] == "choose":
                stake = ask["seat"] == "away" and view["table"]["scoreboard"]["stake"]
                value = "bank" if ask["why"] == "decision" and stake else ask["options"][0]["value"]
            assert program.post("answer", seat=ask["seat"], n=ask["n"], value=value).is_success
        program.end()
    with Program(tmp_path, "--autoplay", "3") as program:
        assert program.view()["table"]["outcome"] is None
        program.end()
    store = Store(tmp_path / "journal.db")
    saved = store.current_game()
    store.close()
    assert saved is not None
    assert saved.id == 2


def test_a_suspended_game_continues_at_the_same_table(tmp_path: Path) -> None:
    """The code changes as with a new game, seats keep their passes, all phones hear of it, and a restart finds it."""
    settings = Settings.model_validate({"data": tmp_path / "data", "display": {"driver": "none"}})
    app, heard = App(settings, demo=False), list[int]()
    try:
        (ask,) = json_data(app.session.game.view_for(None))["table"]["asks"]
        app.session.seats.answer_ask(ask["seat"], ask["n"], ask["options"][0]["value"], Source.PHONE)
        before, epochs = (
            json_data(app.session.game.view_for(None))["table"]["scoreboard"],
            [app.access.seat_epoch(seat) for seat in SEATS],
        )
        app.games.begin_game("bottom-of-the-9th", ["house"], {})
        assert ([1], "small-ball") == ([one.id for one in app.past.paused_games()], app.past.paused_games()[0].game.key)
        assert app.games.set_game_name(1, "Autumn league")
        code = app.access.sign_in_code
        app.session.game.subscribe(lambda _: heard.append(app.session.game.number))
        assert app.games.resume_game(1)
        assert not app.games.resume_game(99)
        assert (before, "small-ball") == (
            json_data(app.session.game.view_for(None))["table"]["scoreboard"],
            json_data(app.session.game.view_for(None))["game"]["key"],
        )
        assert ([app.access.seat_epoch(seat) for seat in SEATS], True, True) == (
            epochs,
            app.access.sign_in_code != code,
            1 in heard,
        )
        assert [("Autumn league", True), ("", False)] == [(one.name, one.now) for one in app.past.games_page(1).games]
    finally:
        app.stop()
    again = App(settings, demo=False)
    assert (before, 1) == (
        json_data(again.session.game.view_for(None))["table"]["scoreboard"],
        again.session.game.number,
    )
    again.stop()


@pytest.mark.slow
def test_game_option_continues_a_suspended_season(tmp_path: Path) -> None:
    """A start with `--game` says that it continues the season; if its answers cannot be read, a new one begins."""
    tables = [
        played("seventh-inning-stretch", lambda table: table.open_asks()[0][1].why == "opponent"),
        played("small-ball"),
    ]
    with closing(Store(tmp_path / "journal.db")) as store:
        for table in tables:
            store.begin_game(table)
    with Program(tmp_path, "--game", "seventh-inning-stretch") as program:
        assert "Resumed: First half, game 1." in program.said
        assert json_data(tables[0].view_for(None))["scoreboard"] == program.view()["table"]["scoreboard"]
    with Program(tmp_path) as program:
        assert ("Resumed" in program.said, len(tables[0].journal)) == (False, program.view()["table"]["version"])
    settings = Settings.model_validate(
        {"data": tmp_path, "display": {"driver": "none"}, "game": {"key": "seventh-inning-stretch"}}
    )
    app = App(settings, demo=False)
    try:
        app.games.begin_game("small-ball", [], {})
        with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
            db.execute("update entry set body = '{}' where game = 1")
        app.resume_or_begin_game()
        assert ("", 0) == (app.resumed, json_data(app.session.game.view_for(None))["table"]["version"])
        assert "seventh-inning-stretch" == app.session.game.table.game.key
    finally:
        app.stop()


def test_a_new_address_is_drawn_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not wait until a page turns, which beside a warning may be never."""
    here, drawn = ["192.168.1.7"], list[bytes]()
    monkeypatch.setattr(address, "local_address", lambda: here[0])
    monkeypatch.setattr(join_screen, "ADDRESS_INTERVAL_S", 0)
    settings = parse_settings(SETTINGS.format(port=free_port(), show=1).replace("127.0.0.1", "0.0.0.0"), "my.toml")
    app = App(settings.model_copy(update={"data": tmp_path}), demo=False)
    monkeypatch.setattr(app.oled, "show_picture", lambda picture, **_: drawn.append(picture.tobytes()))
    try:
        app._update_components(new=True)
        app._update_components()
        assert 1 == len(drawn)
        here[0] = "10.0.0.99"
        app._update_components()
        assert (2, True) == (len(drawn), drawn[0] != drawn[1])
    finally:
        app.stop()
