"""`dugout doctor`: the report and its exit status, with and without a running table, and the bundle."""

from __future__ import annotations

import io
import json
import logging
import os
import stat
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from device import cli
from device.app import App
from device.diagnostics import bundle, recent, report, running_table
from device.diagnostics.checks import system
from device.diagnostics.running_table import (
    DoctorSocket,
    TableNotAnsweringError,
    TableReport,
    find_report,
    request_report,
)
from device.inputs import random_player
from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.machine import Machine
from device.service.server import Server
from device.settings import Settings, parse_settings
from device.shapes import CameraFigures, Figures, Finding, Health, RecentPress
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from engine.views import json_data
from tests.device.diagnostics.machines import FIGURES, GOOD, PI4, facts, machine
from tests.device.process import SETTINGS, Program, free_port
from tests.device.service.test_server import serving
from tests.web.phones import small_ball
from vision.cameras.frames import Frame
from web.security.admission import WRONG_CODE as CODE_GATE
from web.security.rejection_log import RejectionLog

SECRET = "hünt'\"er2!"
"""A password that JSON escapes."""

COOKIE = "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbCwiZXBvY2giOjB9.q83vEjRWeJCrze8SNFZ4kKvN7xI"


def settings(folder: Path, source: str = "") -> list[str]:
    """Return options for a table without parts in this folder, on a free port."""
    (folder / "dugout.toml").write_text(source or SETTINGS.format(port=free_port(), show=1))
    return ["--settings", str(folder / "dugout.toml"), "--data", str(folder)]


def test_the_worst_comes_first(tmp_path: Path) -> None:
    """Else findings keep the order of the list; each has its check's name, and advice if it needs action."""
    seen = machine(tmp_path, PI4, {"vcgencmd": "throttled=0x50005\n", "hostname -I": "10.0.0.2\n"})
    found = report.run_checks(facts(seen, running=replace(FIGURES, display=0.09), data=tmp_path))
    verdicts = [one.verdict for one in found]
    assert verdicts == sorted(verdicts, key=list(report.VERDICT_MARKS).index)
    assert set(report.CHECKS_BY_NAME) == {one.name for one in found}
    assert ["power", "speed", "display", "name"] == [one.name for one in found if one.verdict != "ok"]
    assert all(one.todo.endswith(".") for one in found if one.verdict != "ok")


def test_a_healthy_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostbyname", lambda name: "10.0.0.2")
    seen = machine(tmp_path, PI4, {"vcgencmd": GOOD, "hostname -I": "10.0.0.2\n", "dmesg": "[ 0.0] Booting\n"})
    well = facts(seen, "[web]\nname = 'dugout.lan'", FIGURES, data=tmp_path)
    assert report.report_text(report.run_checks(well)).endswith("\nAll is well.\n")


def test_a_check_that_fails_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It becomes a finding, and the log says where it failed."""

    def odd(*_: Any) -> Finding:
        raise ZeroDivisionError

    monkeypatch.setattr(report, "CHECKS_BY_NAME", {"odd": odd, "clock": system.check_clock})
    found = report.run_checks(facts(machine(tmp_path, PI4)))
    assert [("odd", "look"), ("clock", "ok")] == [(one.name, one.verdict) for one in found]
    assert "The check odd failed." in caplog.text


def test_the_report_in_words() -> None:
    """A mark, a name, what was seen, and below it what to do; at the end the counts."""
    words = report.report_text(
        [Finding("power", "wrong", "It is low.", "Take another."), Finding("disk", "ok", "Free.")]
    )
    lines = ["✗ wrong power        It is low.", f"{'':21}→ Take another.", "✓ ok    disk         Free.", "", "1 wrong."]
    assert lines == words.splitlines()


def test_without_a_running_table_the_parts_are_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report has their own words, and the exit status says that something is wrong."""
    source = "[camera]\nsource = '/dev/video77'\n[display]\ndriver = 'none'\n[buttons]\nfactory = 'none'\n"
    assert 1 == cli.main(["doctor", *settings(tmp_path, source + f"[web]\nport = {free_port()}\n")])
    assert "There is no camera at /dev/video77" in capsys.readouterr().out


def test_invalid_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are wrong, with line and reason; the doctor continues with the defaults."""
    assert "none.toml" in report.gather_facts(Machine(), tmp_path / "none.toml", tmp_path).fault
    assert 1 == cli.main(["doctor", *settings(tmp_path, "[camera]\nsorce = 1\n")])
    assert "dugout.toml, line 2, camera.sorce: there is no such setting" in capsys.readouterr().out


@pytest.mark.slow
def test_a_running_table_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For its figures, with its own code; its page and its bundle say the same, and the game is not disturbed."""
    with Program(tmp_path) as program:
        version = program.view()["version"]
        program.client.post("/table", data={"code": "0"})
        options = ["--settings", str(tmp_path / "dugout.toml"), "--data", str(tmp_path)]
        cli.main(["doctor", *options])
        words = capsys.readouterr().out
        assert f"The pages are on port {program.port}." in words
        assert "WAL and FULL sync, read back from the running table." in words
        assert "Not tried" not in words
        assert "? look  phones       " in words
        assert "A phone (this machine) was turned away: it sent a wrong code; " in words
        page = program.client.get("/doctor").text
        assert "WAL and FULL sync, read back from the running table." in page
        with zipfile.ZipFile(io.BytesIO(program.client.get("/doctor.zip").content)) as packed:
            assert "read back from the running table" in packed.read("doctor.txt").decode()
            assert f"web.port = {program.port}" in packed.read("settings.txt").decode()
        table = find_report(facts(Machine(), data=tmp_path))
        assert table is not None
        assert table.figures.presses == []
        assert table.log
        assert [] == program.client.get("/api/phones").json()["phones"][1:], "it takes no phone's place"
        assert version == program.view()["version"]


def test_a_table_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is starting, or hangs; without its socket none is running."""
    seen = facts(Machine(), f"[web]\nport = {free_port()}", data=tmp_path)
    assert find_report(seen) is None
    monkeypatch.setattr(running_table, "ANSWER_TIMEOUT_S", 0.1)
    with closing(DoctorSocket(tmp_path)) as table:
        with pytest.raises(TableNotAnsweringError, match="does not answer"):
            find_report(seen)
        table.start_answering(lambda: TableReport(FIGURES, ["a line"]))
        assert request_report(tmp_path).log == ["a line"]
    assert find_report(seen) is None


def test_a_report_that_fails(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The next one is answered."""
    reports = [TableReport(FIGURES, [])]
    with closing(DoctorSocket(tmp_path)) as table:
        table.start_answering(lambda: reports[len(caplog.records) - 1])
        reports.pop()
        with pytest.raises(TableNotAnsweringError):
            request_report(tmp_path)
        reports.append(TableReport(FIGURES, []))
        assert request_report(tmp_path).figures.camera == FIGURES.camera
    assert "The doctor got no answer." in caplog.text


def test_another_running_table(tmp_path: Path) -> None:
    """A table with other games answers at the port: its parts are not tried, and the doctor says what to do. A page
    that is not a table's does not count."""
    with serving(Server(small_ball().port)) as port:
        seen = facts(Machine(), f"[web]\nport = {port}", data=tmp_path)
        with pytest.raises(TableNotAnsweringError, match="another table is running here: name its folder with --data"):
            find_report(seen)
        with pytest.MonkeyPatch.context() as other:
            other.setattr(json, "load", lambda file: ["hello"])
            assert find_report(seen) is None


CODE, KEY = "048213", "5f0c" * 16
PLANTED = (CODE, KEY, COOKIE, "771234", "192.168.1.77", "fd12:3456::77", "de:ad:be:ef:00:01", "Marlowe Home", SECRET)
"""Every kind of secret."""

LOG = [
    f"INFO dugout: The code is {CODE} now, it was 771234.",
    f"WARNING uvicorn: 192.168.1.77:51000 and [fd12:3456::77]:51000 sent dugout={COOKIE}",
    f"DEBUG odd: signed with {KEY}, for {COOKIE}",
    f"INFO network: de:ad:be:ef:00:01 joined Marlowe Home with {SECRET}",
    "WARNING dugout.camera: keep this line",
]


@pytest.mark.parametrize("system_log", [True, False])
def test_no_secret_is_in_the_bundle(tmp_path: Path, system_log: bool) -> None:
    """No code, key, pass, Wi-Fi or phone, wherever it was; and no presses, which may reveal a secret choice."""
    store = Store(tmp_path / "journal.db")
    store.save_values({"code": CODE, "key": KEY})
    files = PI4 | {"etc/NetworkManager/system-connections/x.nmconnection": f"ssid=Marlowe Home\npsk={SECRET}\n"}
    outputs = {"hostname -I": "192.168.1.20\n"} | ({"journalctl -u": "\n".join(LOG)} if system_log else {})
    health = [Health("camera", False, " ".join(LOG))]
    refusals = RejectionLog()
    refusals.record_rejection(CODE_GATE, "192.168.1.77", "POST /table")
    refusals.record_rejection(CODE_GATE, "fd12:3456::/64", "POST /table")
    presses = [RecentPress(1, "home-previous", 1.0)]
    figures = replace(FIGURES, presses=presses, health=health, refusals=refusals.rejection_summary())
    seen = facts(machine(tmp_path, files, outputs), "[web]\nport = 81", figures, data=tmp_path)
    data = bundle.pack_bundle(seen, report.run_checks(seen), ["not this one"] if system_log else LOG)
    store.close()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert {"README.txt", "doctor.txt", "settings.txt", "versions.txt", "health.json", "log.txt"} == set(texts)
    whole = "".join(texts.values())
    assert [] == [word for word in PLANTED if word in whole or json.dumps(word)[1:-1] in whole]
    assert "home-previous" not in whole
    assert "keep this line" in texts["log.txt"]
    assert "not this one" not in whole
    assert "192.168.1.20" in texts["doctor.txt"], "the machine's own address helps the helper"
    assert "web.port = 81" in texts["settings.txt"]
    assert "numpy: " in texts["versions.txt"]
    assert f"A phone (…77) was turned away: {CODE_GATE.name}" in texts["doctor.txt"]
    shown = json.loads(texts["health.json"])["figures"]
    assert (80, {CODE_GATE.name: 2}) == (shown["port"], shown["refusals"]["counts"])


def test_a_secret_choice_changes_no_figure(tmp_path: Path) -> None:
    """Neither by the press nor by the choice: apart from timings the figures are the same whatever was pressed."""
    source = SETTINGS.format(port=1, show=1) + "[game]\nkey = 'bottom-of-the-9th'\n"
    app = App(parse_settings(source, "x").model_copy(update={"data": tmp_path}), demo=False)
    try:
        while not any(ask["secret"] for ask in json_data(app.session.game.view_for(None))["table"]["asks"]):
            table = app.session.game.table
            n, ask = table.open_asks()[0]
            app.session.seats.answer_ask(
                ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat), Random(1)), Source.PHONE
            )
            app._press_log.record_press("away-ok")
        before = app.doctor.current_figures()
        for button in ("home-previous", "away-next", "home-ok"):
            app._handle_press(button, 0)
        after = app.doctor.current_figures()
    finally:
        app.stop()
    assert [one.event for one in before.presses] == [one.event for one in after.presses]
    assert replace(before, presses=[], display=0) == replace(after, presses=[], display=0)


def test_the_running_table_lists_refused_phones(tmp_path: Path) -> None:
    """What its gates refused is in its figures, from which the doctor and its page take it."""
    app = App(parse_settings(SETTINGS.format(port=1, show=1), "x").model_copy(update={"data": tmp_path}), demo=False)
    try:
        app.web_port().refusals.record_rejection(CODE_GATE, "10.0.0.7")
        (phones,) = [one for one in app.doctor.run_checks() if one.name == "phones"]
    finally:
        app.stop()
    assert CODE_GATE.name in phones.seen


def test_a_cameras_pictures_are_counted(session: GameSession) -> None:
    """By the time stamps of the last few pictures; after an outage the count starts over."""
    hand = DiceCamera(session, lambda: film)
    picture = np.zeros((4, 4), np.uint8)
    frames = [Frame(picture, when / 10, when, "film") for when in range(60)]
    film: Any = type("Film", (), {"read_frame": lambda self: frames.pop(0), "close": lambda self: None})()
    tap = _FrameFeed(film, hand)
    assert CameraFigures(None, None) == hand.camera_figures()
    for _ in range(50):
        tap.read_frame()
    assert pytest.approx(10) == hand.camera_figures().fps
    hand._handle_loss("It is gone.")
    assert None is hand.camera_figures().fps


def test_the_bundle_is_a_file_for_its_owner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes it where it is asked to, readable for its owner only, or says why it cannot."""
    options = settings(tmp_path)
    file = tmp_path / "send.zip"
    cli.main(["doctor", *options, "--bundle", str(file)])
    assert f"All of this is in {file}" in capsys.readouterr().out
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 2 == cli.main(["doctor", *options, "--bundle", str(tmp_path / "no" / "where.zip")])
    assert "where.zip" in capsys.readouterr().err


def test_the_bundles_path_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is written to the folder where the command started, even if a library changes the working directory."""
    options = settings(tmp_path)
    monkeypatch.chdir(tmp_path)

    def move(settings: Settings) -> Figures:
        os.chdir("/")
        return Figures()

    monkeypatch.setattr("device.diagnostics.probes.probe_components", move)
    cli.main(["doctor", *options, "--bundle", "send.zip"])
    assert f"All of this is in {tmp_path / 'send.zip'}," in capsys.readouterr().out
    assert (tmp_path / "send.zip").exists()


def test_the_last_lines_of_the_log_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    """Up to a limit, tracebacks with all their lines."""
    kept, logger = recent.RecentLog(), logging.getLogger("dugout.here")
    logger.addHandler(kept)
    try:
        for number in range(recent.MAX_LOG_LINES + 5):
            logger.warning("line %d", number)
        assert kept.lines[0].endswith("WARNING dugout.here: line 5")
        try:
            raise ValueError("odd")
        except ValueError:
            logger.exception("It broke.")
        assert recent.MAX_LOG_LINES == len(kept.lines)
        assert kept.lines[-1] == "ValueError: odd"
    finally:
        logger.removeHandler(kept)
