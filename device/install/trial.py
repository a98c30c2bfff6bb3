"""Switch systemd to another version after a trial of it.

A version's units name its own folder. During the trial its units are in /run, where they override those of the current
version and disappear at a restart or power cut. So the Pi then starts the version before. If the new version opens and
stays open, one rename replaces the old version's unit.
"""

from __future__ import annotations

import re
import signal

from device.install import boot
from device.install.host import Host, SetupError
from device.install.system_parts import DATA_FOLDER, SETTINGS_FILE, USER_NAME, create_links, reload_system
from device.install.versions import CURRENT_LINK, HOME_FOLDER, VERSIONS_FOLDER, Versions
from device.storage import atomic_file

TABLE_UNIT = "dugout.service"
SYSTEMD_UNITS = ("dugout.socket", TABLE_UNIT)  # the table's unit is written last, which makes the new version current

PERMANENT_FOLDER = "/usr/local/lib/systemd/system"
"""Folder of the current version's units. Not /etc/systemd/system, which would override /run."""

TRIAL_FOLDER = "/run/systemd/system"

START_TIMEOUT_S = "240"  # timeout of a start in seconds, longer than the unit's own TimeoutStartSec=
STABLE_TIME_S = 10  # seconds that a table must stay open

STABLE_CAMERA_TIME_S = 100
"""Seconds that a new version with a camera must stay open. A small Pi takes up to 90 seconds to load it."""

CHECK_INTERVAL_S = 5  # seconds between two checks
BACKUP_FILE = f"{DATA_FOLDER}/before-update.zip"  # backup of games and settings from before the last update
TRIED_VERSION_FILE = f"{HOME_FOLDER}/tried"  # file with the name of the version tried after that backup

RESTORE_INSTRUCTIONS = f"""\
The games from before its first trial are in {BACKUP_FILE}. Only if today's are damaged, restore them:
  sudo systemctl stop {" ".join(("dugout.socket", TABLE_UNIT))}
  sudo -u {USER_NAME} dugout restore {BACKUP_FILE} --data {DATA_FOLDER} --settings {SETTINGS_FILE}
  sudo systemctl start {TABLE_UNIT}"""

LOG_ADVICE = "Its log: sudo journalctl -u dugout"

SETTINGS_CHECK_SCRIPT = """\
import sys
from pathlib import Path
from device import settings
load = getattr(settings, "load_settings", None) or settings.load  # its name in versions up to 0.2
try:
    load(Path(sys.argv[1]))
except settings.SettingsError as error:
    sys.exit(str(error))
"""


def activate_version(host: Host, versions: Versions, name: str) -> None:
    """Make version `name` the current one and open it.

    Raises SetupError if it does not open. Then the version before it runs again, if there is one.
    """
    old, interrupted = versions.current_version, _end_trial(host)
    _check_settings(host, versions, name, old)
    tried = old is not None and name != old
    if old is not None and tried:
        _back_up_games(host, versions, name, old)
        _try_version(host, versions, name, old)
    changed = _write_units(host, name, PERMANENT_FOLDER) and not tried
    if versions.current_version != name:
        versions.switch_version(name)
    _end_trial(host)
    create_links(host)
    reload_system(host)
    host.run_quietly("systemctl", "enable", *SYSTEMD_UNITS)
    host.run_quietly("sync")
    runs = host.run_quietly("systemctl", "is-active", "--quiet", TABLE_UNIT) and not interrupted and not changed
    if not runs and (fault := restart_table(host)):
        raise SetupError(f"Version {name} is installed, but it {fault}. {LOG_ADVICE}")


def restart_table(host: Host, steady: int = STABLE_TIME_S) -> str | None:
    """Restart the table. None if it opens and stays open for `steady` seconds, else a phrase about the failure."""
    host.run_quietly("systemctl", "stop", *SYSTEMD_UNITS)
    host.run_quietly("systemctl", "reset-failed", *SYSTEMD_UNITS)
    if not host.run_quietly("timeout", START_TIMEOUT_S, "systemctl", "start", TABLE_UNIT):
        return "did not open"
    first = table_state(host)
    if steady > STABLE_TIME_S:
        host.print_text(f"It is open and ready to play. Watching it for {steady} seconds, until its camera runs ...")
    for _ in range(0, steady, CHECK_INTERVAL_S):
        host.run_quietly("sleep", str(CHECK_INTERVAL_S))
        now = table_state(host)
        if "Safe mode" in now.get("StatusText", ""):
            return "opened in safe mode only"
        if now.get("ActiveState") != "active" or now.get("MainPID") != first.get("MainPID"):
            return "did not stay open"
    return None


def table_state(host: Host) -> dict[str, str]:
    text = host.command_output("systemctl", "show", "--property=ActiveState,MainPID,StatusText", TABLE_UNIT) or ""
    return {key: value for key, is_set, value in (line.partition("=") for line in text.splitlines()) if is_set}


def named_versions(host: Host) -> set[str]:
    files = [
        host.path_below_root(f"{folder}/{unit}")
        for folder in (TRIAL_FOLDER, PERMANENT_FOLDER)
        for unit in SYSTEMD_UNITS
    ]
    text = "".join(file.read_text("utf-8") for file in files if file.exists())
    return set(re.findall(rf"{VERSIONS_FOLDER}/([^/\s]+)", text))


def _check_settings(host: Host, versions: Versions, name: str, old: str | None) -> None:
    """Check that the settings are valid, so that the version is not blamed for them."""
    stands = "The table is unchanged." if old else "The table was not started."
    host.run_or_fail(
        *(
            str(versions.version_folder(name) / ".venv/bin/python"),
            "-c",
            SETTINGS_CHECK_SCRIPT,
            str(host.path_below_root(SETTINGS_FILE)),
        ),
        sorry=f"Fix the settings in {SETTINGS_FILE}, then run this again. {stands}",
    )


def _back_up_games(host: Host, versions: Versions, name: str, old: str) -> None:
    """Back up the games with the new version, which proves that it runs. The old one's Python may be gone.

    A version tried before keeps the backup from before its first trial, because it may have changed the games.
    """
    tried = host.path_below_root(TRIED_VERSION_FILE)
    if tried.exists() and tried.read_text("utf-8") == name and host.path_below_root(BACKUP_FILE).exists():
        return
    tried.unlink(missing_ok=True)
    if host.path_below_root(f"{DATA_FOLDER}/journal.db").exists():
        host.run_or_fail(
            *(
                "runuser",
                "-u",
                USER_NAME,
                "--",
                str(versions.version_folder(name) / ".venv/bin/dugout"),
                "backup",
                str(host.path_below_root(BACKUP_FILE)),
            ),
            *("--data", str(host.path_below_root(DATA_FOLDER)), "--settings", str(host.path_below_root(SETTINGS_FILE))),
            sorry=f"There is no update without a backup. Version {old} is still current.",
        )
        atomic_file.write_file(tried, name.encode())


def _try_version(host: Host, versions: Versions, name: str, old: str) -> None:
    """Try the new version. After a failure or a signal, restart the old one. Raises SetupError."""
    source = boot.settings_section(host.path_below_root(SETTINGS_FILE), "camera").get("source")
    host.print_text(f"Trying version {name}: the table closes for a moment ...")
    try:
        _write_units(host, name, TRIAL_FOLDER)
        reload_system(host)
        fault = restart_table(host, STABLE_TIME_S if source == "none" else STABLE_CAMERA_TIME_S)
    except BaseException:
        # A second signal often follows the first.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _end_trial(host)
        restart_table(host)
        raise
    if fault is not None:
        _end_trial(host)
        failed = restart_table(host)
        # Not earlier, because the table ran from that folder.
        versions.delete_version(name)
        stands = f"Version {old} runs again." if failed is None else f"Version {old} was restarted, but it {failed}."
        more = f"\n{RESTORE_INSTRUCTIONS}" if host.path_below_root(TRIED_VERSION_FILE).exists() else ""
        raise SetupError(f"Version {name} {fault}. {stands} {LOG_ADVICE}{more}")


def _write_units(host: Host, name: str, folder: str) -> bool:
    """Write a version's units into a folder, each atomically. Return True if any of them changed."""
    own, changed = f"{HOME_FOLDER}/versions/{name}", False
    for unit in SYSTEMD_UNITS:
        file, text = (
            host.path_below_root(f"{folder}/{unit}"),
            host.path_below_root(f"{own}/systemd/{unit}").read_text("utf-8"),
        )
        data = text.replace(CURRENT_LINK, own).encode()
        if not file.is_file() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic_file.write_file(file, data, 0o644)
            changed = True
    return changed


def _end_trial(host: Host) -> bool:
    """End a trial. Return True if there was one."""
    files = [file for unit in SYSTEMD_UNITS if (file := host.path_below_root(f"{TRIAL_FOLDER}/{unit}")).exists()]
    for file in files:
        file.unlink()
    if files:
        host.run_quietly("systemctl", "daemon-reload")
    return bool(files)
