"""`dugout doctor`: the list, its words and its status, with a table running and with none, and the bundle to send."""

from __future__ import annotations

import io
import json
import logging
import os
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device import cli
from device.app import App
from device.commands import doctor
from device.diagnostics import recent_log, report
from device.diagnostics.checks import system
from device.diagnostics.checks.case import LOOK, OK, WRONG, Case, Finding
from device.diagnostics.running_table import NotAnswering, RunningTable, find, locked
from device.inputs import random_player
from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.machine import Machine
from device.service.access import Access
from device.service.server import Server
from device.settings import parse
from device.storage.store import Store
from device.table.session import Session
from tests.device.diagnostics.machines import FIGURES, GOOD, PI4, machine
from tests.device.process import SETTINGS, Program, free_port
from tests.device.service.test_server import serving
from tests.web.phones import small_ball
from vision.cameras.frames import Frame

SECRET = "hünt'\"er2!"
"""A password that JSON writes otherwise."""

COOKIE = "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbCwiZXBvY2giOjB9.q83vEjRWeJCrze8SNFZ4kKvN7xI"


def settings(folder: Path, source: str = "") -> list[str]:
    """Options for a table without parts in this folder, on a port that nobody has."""
    (folder / "dugout.toml").write_text(source or SETTINGS.format(port=free_port(), show=1))
    return ["--settings", str(folder / "dugout.toml"), "--data", str(folder)]


def test_the_worst_comes_first(tmp_path: Path) -> None:
    """Else in the order of the list; each check has its say, and what to do where there is something."""
    seen = machine(tmp_path, PI4, {"vcgencmd": "throttled=0x50005\n", "hostname -I": "10.0.0.2\n"})
    found = report.examine(seen, Case(parse("", "x"), data=tmp_path, figures=FIGURES | {"display": 0.09}))
    verdicts = [one.verdict for one in found]
    assert verdicts == sorted(verdicts, key=report.ORDER.index)
    assert len(report.CHECKS) == len(found) == len({one.name for one in found})
    assert ["power", "speed", "display", "network"] == [one.name for one in found if one.verdict != OK]
    assert all(one.todo.endswith(".") for one in found if one.verdict != OK)


def test_a_healthy_pi(tmp_path: Path) -> None:
    """Nothing to do, and that is said."""
    seen = machine(tmp_path, PI4, {"vcgencmd": GOOD, "hostname -I": "10.0.0.2\n", "dmesg": "[ 0.0] Booting\n"})
    well = Case(parse("[web]\nname = 'dugout.lan'", "x"), data=tmp_path, figures=FIGURES)
    assert report.told(report.examine(seen, well)).endswith("\nAll is well.\n")


def test_a_check_that_breaks_keeps_no_other_from_its_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a finding itself, and the log says where it broke."""

    def odd(*_: Any) -> Finding:
        raise ZeroDivisionError

    monkeypatch.setattr(report, "CHECKS", (odd, system.clock))
    found = report.examine(machine(tmp_path, PI4), Case())
    assert [("odd", LOOK), ("clock", OK)] == [(one.name, one.verdict) for one in found]
    assert "The check odd broke." in caplog.text


def test_what_is_told() -> None:
    """A mark, a name, what was seen; below it what to do; at the end how much."""
    words = report.told([Finding("power", WRONG, "It is low.", "Take another."), Finding("disk", OK, "Free.")])
    assert (
        "✗ wrong power        It is low.\n                     → Take another.\n✓ ok    disk         Free.\n" in words
    )
    assert words.endswith("\n1 wrong.\n")


def test_without_a_table_the_parts_are_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their own words are told, and the status says that something is wrong."""
    source = "[camera]\nsource = '/dev/video77'\n[display]\ndriver = 'none'\n[buttons]\nfactory = 'none'\n"
    assert 1 == cli.main(["doctor", *settings(tmp_path, source + f"[web]\nport = {free_port()}\n")])
    assert "There is no camera at /dev/video77" in capsys.readouterr().out


def test_settings_that_cannot_be_used_are_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With line and reason; the doctor goes on with the defaults."""
    report.case(tmp_path / "none.toml", tmp_path)
    assert 1 == cli.main(["doctor", *settings(tmp_path, "[camera]\nsorce = 1\n")])
    assert "dugout.toml, line 2, camera.sorce: there is no such setting" in capsys.readouterr().out


def test_a_running_table_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For its figures, by its own code; the page and the file that it gives say the same; it plays on undisturbed."""
    with Program(tmp_path) as program:
        version = program.view()["version"]
        options = ["--settings", str(tmp_path / "dugout.toml"), "--data", str(tmp_path)]
        cli.main(["doctor", *options])
        told = capsys.readouterr().out
        assert f"The pages are on port {program.port}." in told
        assert "WAL and FULL sync, read back from the running table." in told
        assert "Not tried" not in told
        page = program.client.get("/doctor").text
        assert "WAL and FULL sync, read back from the running table." in page
        with zipfile.ZipFile(io.BytesIO(program.client.get("/doctor.zip").content)) as packed:
            assert "read back from the running table" in packed.read("doctor.txt").decode()
            assert f"web.port = {program.port}" in packed.read("settings.txt").decode()
        table = find(Machine(), parse(f"[web]\nport = {program.port}", "x").web, tmp_path)
        assert table is not None
        assert table.figures()["presses"] == []
        assert version == program.view()["version"]


def test_a_table_that_does_not_answer(tmp_path: Path) -> None:
    """It has the journal, so one runs; its lock is looked at, and never taken. Without it none runs."""
    web = parse(f"[web]\nport = {free_port()}", "x").web
    here = Machine()
    assert (False, None) == (locked(here, tmp_path), find(here, web, tmp_path))
    store = Store(tmp_path / "journal.db")
    with pytest.raises(NotAnswering, match="does not answer"):
        find(here, web, tmp_path)
    store.close()
    assert (False, None) == (locked(here, tmp_path), find(here, web, tmp_path))


@pytest.mark.parametrize("known", [True, False])
def test_another_table_is_not_taken_for_none(tmp_path: Path, known: bool) -> None:
    """What answers on the port has other games: its parts are not tried, and where to look is said. A page that is no
    table's is none."""
    if known:
        store = Store(tmp_path / "journal.db")
        Access(store)
        store.close()
    with serving(Server(small_ball())) as port:
        web = parse(f"[web]\nport = {port}", "x").web
        with pytest.raises(NotAnswering, match="another table runs here: name its folder with --data"):
            find(Machine(), web, tmp_path)
        with pytest.MonkeyPatch.context() as other:
            other.setattr(RunningTable, "health", lambda self: ["hello"])
            assert find(Machine(), web, tmp_path) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become somebody else to try it.")
def test_who_may_not_read_the_code_is_told_to_use_sudo(tmp_path: Path) -> None:
    """Instead of taking the table's parts from it."""
    Store(tmp_path / "journal.db").close()
    tmp_path.chmod(0o700)
    with serving(Server(small_ball())) as port:
        web = parse(f"[web]\nport = {port}", "x").web
        os.seteuid(65534)
        try:
            with pytest.raises(NotAnswering, match="with sudo"):
                find(Machine(), web, tmp_path)
        finally:
            os.seteuid(0)


def planted(folder: Path) -> tuple[set[str], list[str]]:
    """Every secret there is, in a journal and in the words of a log; and that log."""
    with closing(sqlite3.connect(f"{(folder / 'journal.db').as_uri()}?mode=ro", uri=True)) as db:
        found = {str(value) for (value,) in db.execute("select value from meta where key in ('code', 'key')")}
    code, key = sorted(found, key=len)
    words = {
        code,
        key,
        COOKIE,
        "771234",
        "192.168.1.77",
        "fd12:3456::77",
        "de:ad:be:ef:00:01",
        "Marlowe Home",
        SECRET,
    }
    log = [
        f"INFO dugout: The code is {code} now, it was 771234.",
        f"WARNING uvicorn: 192.168.1.77:51000 and [fd12:3456::77]:51000 sent dugout={COOKIE}",
        f"DEBUG odd: signed with {key}, for {COOKIE}",
        f"INFO network: de:ad:be:ef:00:01 joined Marlowe Home with {SECRET}",
        "WARNING dugout.camera: this line is wanted",
    ]
    return words, log


@pytest.mark.parametrize("system_log", [True, False])
def test_no_secret_is_in_the_bundle(tmp_path: Path, system_log: bool) -> None:
    """Neither code, key, pass, Wi-Fi nor phone, wherever it stood; nor presses, which may tell a secret choice."""
    store = Store(tmp_path / "journal.db")
    store.keep({"code": "048213", "key": "5f0c" * 16})
    words, log = planted(tmp_path)
    files = PI4 | {"etc/NetworkManager/system-connections/x.nmconnection": f"ssid=Marlowe Home\npsk={SECRET}\n"}
    said = {"hostname -I": "192.168.1.20\n"} | ({"journalctl -u": "\n".join(log)} if system_log else {})
    heard = {"presses": [{"n": 1, "event": "home-previous", "ago": 1.0}]}
    trouble = {"health": [{"part": "camera", "ok": False, "words": f"{log[0]} {log[3]} {log[1]}"}]}
    seen = Case(parse("[web]\nport = 81", "x"), data=tmp_path, figures=FIGURES | heard | trouble)
    data = report.packed(machine(tmp_path, files, said), seen, log if not system_log else ["not this one"])
    store.close()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert {"README.txt", "doctor.txt", "settings.txt", "versions.txt", "health.json", "log.txt"} == set(texts)
    whole = "".join(texts.values())
    assert [] == [word for word in words if word in whole or json.dumps(word)[1:-1] in whole]
    assert "home-previous" not in whole
    assert "this line is wanted" in texts["log.txt"]
    assert "not this one" not in whole
    assert "192.168.1.20" in texts["doctor.txt"], "its own address helps whoever helps"
    assert "web.port = 81" in texts["settings.txt"]
    assert "numpy: " in texts["versions.txt"]
    assert json.loads(texts["health.json"])["figures"]["port"] == 80


def test_what_a_seat_chooses_in_secret_is_in_no_figure(tmp_path: Path) -> None:
    """Neither the press nor the choice: the figures are the same whatever was pressed, but for what takes its time."""
    source = SETTINGS.format(port=1, show=1) + "[game]\nkey = 'bottom-of-the-9th'\n"
    app = App(parse(source, "x").model_copy(update={"data": tmp_path}), demo=False)
    try:
        while not any(ask["secret"] for ask in app.view(None)["table"]["asks"]):
            table = app.session.table
            n, ask = table.asks()[0]
            app.answer(ask.seat, n, random_player.pick(table.show(n, ask, ask.seat), Random(1)), "phone")
            app._heard.note("away-ok")
        before = app.doctor.figures()
        for button in ("home-previous", "away-next", "home-ok"):
            app._pressed(button, 0)
        after = app.doctor.figures()
    finally:
        app.stop()
    assert [one["event"] for one in before["presses"]] == [one["event"] for one in after["presses"]]
    assert before | {"presses": [], "display": 0} == after | {"presses": [], "display": 0}


def test_how_a_camera_looks_is_counted(session: Session) -> None:
    """By the pictures' own time, the last few; a camera that was lost begins anew."""
    hand = DiceCamera(session, lambda: film)
    picture = np.zeros((4, 4), np.uint8)
    frames = [Frame(picture, when / 10, when, "film") for when in range(60)]
    film: Any = type("Film", (), {"read": lambda self: frames.pop(0), "close": lambda self: None})()
    tap = _FrameFeed(film, hand)
    assert {"fps": None, "locks": None} == hand.figures()
    for _ in range(50):
        tap.read()
    assert {"fps": pytest.approx(10), "locks": None} == hand.figures()
    hand._lose("It is gone.")
    assert None is hand.figures()["fps"]


def test_the_bundle_is_a_file_for_its_owner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the command it is written where it is told, or beside where one stands; one that cannot be is said so."""
    options = settings(tmp_path)
    file = tmp_path / "send.zip"
    cli.main(["doctor", *options, "--bundle", str(file)])
    assert f"All of this is in {file}" in capsys.readouterr().out
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 2 == cli.main(["doctor", *options, "--bundle", str(tmp_path / "no" / "where.zip")])
    assert "cannot write" in capsys.readouterr().err


def test_the_bundle_is_told_by_its_whole_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It lies where one stood as the command began, whatever a library does meanwhile."""
    options = settings(tmp_path)
    monkeypatch.chdir(tmp_path)

    def goes(seen: Case) -> Case:
        os.chdir("/")
        return seen

    monkeypatch.setattr(doctor, "_trying", goes)
    cli.main(["doctor", *options, "--bundle", "send.zip"])
    assert f"All of this is in {tmp_path / 'send.zip'}," in capsys.readouterr().out
    assert (tmp_path / "send.zip").exists()


def test_the_last_lines_of_the_log_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    """For where the system's may not be read: so many of them, traces with all their lines."""
    kept, logger = recent_log.RecentLog(), logging.getLogger("dugout.here")
    logger.addHandler(kept)
    try:
        for number in range(recent_log.MOST + 5):
            logger.warning("line %d", number)
        assert kept.lines()[0].endswith("WARNING dugout.here: line 5")
        try:
            raise ValueError("odd")
        except ValueError:
            logger.exception("It broke.")
        assert recent_log.MOST == len(kept.lines())
        assert kept.lines()[-1] == "ValueError: odd"
    finally:
        logger.removeHandler(kept)
