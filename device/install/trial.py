"""Switches systemd to another version, after a trial of it.

A version's units name its own folder. During the trial its units are in /run, where they override those of the current
version and vanish with the power. So a Pi that restarts or loses power during a trial starts the version before. Once
the new version has opened and stayed open, one rename replaces the old version's unit.
"""

from __future__ import annotations

import re
import signal

from device.install import boot
from device.install.host import Host, SetupError
from device.install.system_parts import DATA, SETTINGS, USER, links, reload
from device.install.versions import CURRENT, HOME, VERSIONS, Versions
from device.storage import atomic_file

TABLE = "dugout.service"
UNITS = ("dugout.socket", TABLE)
"""The table's unit is written last: from then on the new version is current."""

PERMANENT = "/usr/local/lib/systemd/system"
"""The folder of the current version's units. Not /etc/systemd/system, which would override /run."""

RUN = "/run/systemd/system"

PATIENCE = "240"
"""Seconds for a start: more than the unit's own limit (TimeoutStartSec=)."""

STEADY = 10
"""Seconds that a table must stay open."""

STEADY_CAMERA = 100
"""The same for a new version with a camera, which a small Pi takes up to 90 seconds to load."""

PAUSE = 5
"""Seconds between two checks."""

BACKUP = f"{DATA}/before-update.zip"
"""Games and settings from before the last update."""

TRIED = f"{HOME}/tried"
"""The file that names the version tried after that backup."""

BACK = f"""\
The games from before its first trial are in {BACKUP}. Only if today's are damaged, restore them:
  sudo systemctl stop {" ".join(("dugout.socket", TABLE))}
  sudo -u {USER} dugout restore {BACKUP} --data {DATA} --settings {SETTINGS}
  sudo systemctl start {TABLE}"""

LOG = "Its log: sudo journalctl -u dugout"

CHECK = """\
import sys
from pathlib import Path
from device.settings import SettingsError, load
try:
    load(Path(sys.argv[1]))
except SettingsError as error:
    sys.exit(str(error))
"""


def play(host: Host, versions: Versions, name: str) -> None:
    """Make version `name` the current one and open it. Raises SetupError if it does not open; then the version before
    it runs again, if there is one."""
    old, interrupted = versions.current, _end_trial(host)
    _check(host, versions, name, old)
    tried = old is not None and name != old
    if old is not None and tried:
        _backup(host, versions, name, old)
        _try(host, versions, name, old)
    changed = _write_units(host, name, PERMANENT) and not tried
    if versions.current != name:
        versions.switch(name)
    _end_trial(host)
    links(host)
    reload(host)
    host.succeeds("systemctl", "enable", *UNITS)
    host.succeeds("sync")
    runs = host.succeeds("systemctl", "is-active", "--quiet", TABLE) and not interrupted and not changed
    if not runs and (fault := opens(host)):
        raise SetupError(f"Version {name} is installed, but it {fault}. {LOG}")


def opens(host: Host, steady: int = STEADY) -> str | None:
    """Restart the table; return None if it opens and stays open for `steady` seconds, else what it did instead."""
    host.succeeds("systemctl", "stop", *UNITS)
    host.succeeds("systemctl", "reset-failed", *UNITS)
    if not host.succeeds("timeout", PATIENCE, "systemctl", "start", TABLE):
        return "did not open"
    first = state(host)
    if steady > STEADY:
        host.say(f"It is open and ready to play. Watching it for {steady} seconds, until its camera runs ...")
    for _ in range(0, steady, PAUSE):
        host.succeeds("sleep", str(PAUSE))
        now = state(host)
        if "Safe mode" in now.get("StatusText", ""):
            return "opened in safe mode only"
        if now.get("ActiveState") != "active" or now.get("MainPID") != first.get("MainPID"):
            return "did not stay open"
    return None


def state(host: Host) -> dict[str, str]:
    """Return the table's state in systemd."""
    text = host.output("systemctl", "show", "--property=ActiveState,MainPID,StatusText", TABLE) or ""
    return {key: value for key, is_set, value in (line.partition("=") for line in text.splitlines()) if is_set}


def named(host: Host) -> set[str]:
    """Return the versions that systemd's units name."""
    files = [host.path(f"{folder}/{unit}") for folder in (RUN, PERMANENT) for unit in UNITS]
    text = "".join(file.read_text() for file in files if file.exists())
    return set(re.findall(rf"{VERSIONS}/([^/\s]+)", text))


def _check(host: Host, versions: Versions, name: str, old: str | None) -> None:
    """Check that the settings are valid, so that the version is not blamed for them."""
    stands = "The table is unchanged." if old else "The table was not started."
    host.run(
        *(str(versions.path(name) / ".venv/bin/python"), "-c", CHECK, str(host.path(SETTINGS))),
        sorry=f"Fix the settings in {SETTINGS}, then run this again. {stands}",
    )


def _backup(host: Host, versions: Versions, name: str, old: str) -> None:
    """Back up the games with the new version, which proves that it runs; the old one's Python may be gone.

    A version tried before keeps the backup from before its first trial, because it may have changed the games.
    """
    tried = host.path(TRIED)
    if tried.exists() and tried.read_text() == name and host.path(BACKUP).exists():
        return
    tried.unlink(missing_ok=True)
    if host.path(f"{DATA}/journal.db").exists():
        host.run(
            *(
                "runuser",
                "-u",
                USER,
                "--",
                str(versions.path(name) / ".venv/bin/dugout"),
                "backup",
                str(host.path(BACKUP)),
            ),
            *("--data", str(host.path(DATA)), "--settings", str(host.path(SETTINGS))),
            sorry=f"There is no update without a backup. Version {old} is still current.",
        )
        atomic_file.write(tried, name.encode())


def _try(host: Host, versions: Versions, name: str, old: str) -> None:
    """Try the new version. If it fails, or after a signal, restart the old one. Raises SetupError."""
    source = boot.section(host.path(SETTINGS), "camera").get("source")
    host.say(f"Trying version {name}: the table closes for a moment ...")
    try:
        _write_units(host, name, RUN)
        reload(host)
        fault = opens(host, STEADY if source == "none" else STEADY_CAMERA)
    except BaseException:
        # A second signal often follows the first.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _end_trial(host)
        opens(host)
        raise
    if fault is not None:
        _end_trial(host)
        failed = opens(host)
        # Only now, because until then it ran from that folder.
        versions.drop(name)
        stands = f"Version {old} runs again." if failed is None else f"Version {old} was restarted, but it {failed}."
        more = f"\n{BACK}" if host.path(TRIED).exists() else ""
        raise SetupError(f"Version {name} {fault}. {stands} {LOG}{more}")


def _write_units(host: Host, name: str, folder: str) -> bool:
    """Write a version's units into a folder, each atomically; return True if any of them changed."""
    own, changed = f"{HOME}/versions/{name}", False
    for unit in UNITS:
        file, text = host.path(f"{folder}/{unit}"), host.path(f"{own}/systemd/{unit}").read_text()
        data = text.replace(CURRENT, own).encode()
        if not file.is_file() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic_file.write(file, data, 0o644)
            changed = True
    return changed


def _end_trial(host: Host) -> bool:
    """End a trial; return True if there was one."""
    files = [file for unit in UNITS if (file := host.path(f"{RUN}/{unit}")).exists()]
    for file in files:
        file.unlink()
    if files:
        host.succeeds("systemctl", "daemon-reload")
    return bool(files)
