"""The table that a command means; files made by root belong to the service."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.cli import main
from device.commands import target
from tests.device.commands.test_backup import Home
from tests.device.commands.test_calibrate import scene, table  # noqa: F401  (fixtures)
from tests.device.diagnostics.machines import PI4, machine
from tests.device.inputs.scenes import WHITE
from tests.device.warm_start import forked
from vision.synthetic.tray import SyntheticTray
from vision.tray import saved_trays

UNIT = (
    "Environment=DUGOUT_SETTINGS=/etc/dugout.toml LG_WD=/run/dugout\n"
    "ExecStart={ path=/opt/dugout ; argv[]=/opt/dugout run --data /var/lib/dugout ; ignore_errors=no ; "
    "start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }\n"
)
SERVICE = (Path("/etc/dugout.toml"), Path("/var/lib/dugout"))
NOBODY = 65534

root = pytest.mark.skipif(os.geteuid() != 0, reason="Only root can leave what others may not touch.")


@pytest.fixture(autouse=True)
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DUGOUT_SETTINGS", raising=False)


def test_the_service_says_where_its_table_is(tmp_path: Path) -> None:
    """Its unit names the settings and the folder; without a unit there are none."""
    assert SERVICE == target.service_paths(machine(tmp_path, PI4, {"systemctl show dugout.service -p Env": UNIT}))
    none = target.service_paths(machine(tmp_path, PI4, {"systemctl": "Environment=\n"}))
    assert (None, None) == none == target.service_paths(machine(tmp_path, PI4))


@pytest.mark.parametrize(
    ("settings", "data", "found"),
    [
        (None, None, SERVICE),
        ("/etc/dugout.toml", None, SERVICE),
        ("my.toml", None, (Path("my.toml"), None)),
        (None, "here", (None, Path("here"))),
        ("/etc/dugout.toml", "here", (Path("/etc/dugout.toml"), Path("here"))),
    ],
)
def test_what_is_named_wins(
    tmp_path: Path, settings: str | None, data: str | None, found: tuple[Path | None, Path | None]
) -> None:
    """Without options it is the service's table, and its folder goes with its settings."""
    here = machine(tmp_path, PI4, {"systemctl show dugout.service -p Env": UNIT})
    assert found == target.requested_paths(Namespace(settings=settings, data=data), here)


def test_settings_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUGOUT_SETTINGS", "my.toml")
    here = machine(tmp_path, PI4, {"systemctl show dugout.service -p Env": UNIT})
    assert (Path("my.toml"), None) == target.requested_paths(Namespace(settings=None, data=None), here)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The service's table, stopped."""
    (tmp_path / "service").mkdir()
    home = Home(tmp_path / "service")
    home.store.close()
    monkeypatch.setattr(target, "service_paths", lambda machine: (home.settings, home.data))
    return home


def test_backup_and_restore_are_of_the_service(service: Home, tmp_path: Path) -> None:
    """Games and settings come back with no option but the file."""
    assert 0 == main(["backup", str(tmp_path / "b.zip")])
    before = service.settings.read_text()
    (service.data / "journal.db").unlink()
    service.settings.write_text("poweroff = false\n")
    assert 0 == main(["restore", str(tmp_path / "b.zip")])
    assert (service.data / "journal.db").exists()
    assert before == service.settings.read_text()


def test_the_services_calibration_is_forgotten(service: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """Not one in the home folder of the person who asks."""
    assert 0 == main(["calibrate", "--forget"])
    assert "1 calibration deleted." in capsys.readouterr().out


@pytest.mark.parametrize("command", ["games", "code", "backup"])
def test_invalid_settings(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the fault with its line."""
    (tmp_path / "my.toml").write_text("[camera]\nsorce = 1\n")
    file = [str(tmp_path / "b.zip")] if command == "backup" else []
    assert 2 == main([command, *file, "--settings", str(tmp_path / "my.toml")])
    words = f"dugout: {tmp_path}/my.toml, line 2, camera.sorce: there is no such setting;"
    assert capsys.readouterr().err.startswith(words)


@pytest.fixture
def theirs(service: Home, tmp_path: Path) -> Iterator[Path]:
    """The service's folder, which belongs to another user and is closed to all others, as on a Pi."""
    service.data.chmod(0o700)
    # That user has to get there.
    closed = [(one, one.stat().st_mode) for one in (tmp_path, *tmp_path.parents) if not one.stat().st_mode & 0o001]
    for one, mode in closed:
        one.chmod(mode | 0o011)
    service.settings.chmod(0o644)
    for one in (service.data, *service.data.rglob("*")):
        os.chown(one, NOBODY, NOBODY)
    yield service.data
    for one, mode in closed:
        one.chmod(mode)


def owners(folder: Path) -> set[int]:
    return {one.lstat().st_uid for one in (folder, *folder.rglob("*"))}


@root
@pytest.mark.usefixtures("table")
def test_a_calibration_by_root_is_the_services(
    theirs: Path,
    scene: SyntheticTray,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So the table can write beside it, and delete it."""
    assert 0 == forked(lambda: main(["calibrate", "--forget"]))
    asked: list[str] = []

    def entered(words: str) -> str:
        assert NOBODY == os.getuid(), "also while it waits for the die"
        asked.append(words)
        if len(asked) == 2:
            scene.place_die(0, WHITE, 3, 0, 0)
        return "s" if len(asked) > 3 else ""

    monkeypatch.setattr("builtins.input", entered)
    assert 0 == forked(lambda: main(["calibrate"]))
    assert saved_trays.load_tray(theirs / "trays", "drawn", (640, 480)) is not None
    assert {NOBODY} == owners(theirs)


@root
def test_a_restore_by_root_is_the_services(theirs: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All of it, also the lock that was missing; what lies in a person's folder is opened by the shell."""
    folder = tmp_path / "mine"
    folder.mkdir()
    os.chown(folder, 1000, 1000)
    file = folder / "b.zip"
    assert 2 == forked(lambda: main(["backup", str(file)]))
    words = f"With sudo, let your shell open it: sudo dugout backup > {file}"
    assert words in capfd.readouterr().err

    def redirected(command: str) -> int:
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), command == "backup")
        return main([command])

    assert 0 == forked(lambda: redirected("backup"))
    (theirs / "journal.db.lock").unlink()
    assert 0 == forked(lambda: redirected("restore"))
    assert {NOBODY} == owners(theirs)


@pytest.mark.parametrize(
    "command", [["calibrate"], ["calibrate", "--forget"], ["backup", "b.zip"], ["restore", "b.zip"]]
)
def test_without_permission_the_command_asks_for_sudo(
    service: Home,
    command: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before any question, and without reporting success."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.zip").touch()
    monkeypatch.setattr(os, "access", lambda folder, mode: folder != service.data)
    assert 2 == main(command)
    assert f"No permission to read {service.data}: run this with sudo." in capsys.readouterr().err
