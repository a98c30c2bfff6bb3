"""Which version the service manager starts, and the trial of a new one.

A version's units name its own folder. Those on trial lie in /run, where they win over those of the version that is
played and are forgotten with the power. So a Pi that is cut off in the middle of it, or starts again, starts with the
version before. Once it has shown that it opens and stays open, one rename puts its unit in the old one's place.
"""

from __future__ import annotations

import re
import signal

from device.install import boot
from device.install.host import Host, SetupError
from device.install.system_parts import DATA, SETTINGS, USER, links, wake
from device.install.versions import CURRENT, HOME, VERSIONS, Versions
from device.storage import atomic_file

TABLE = "dugout.service"
UNITS = ("dugout.socket", TABLE)
"""The table's is written last: from then on the new version is played."""

FOR_GOOD = "/usr/local/lib/systemd/system"
"""Not /etc/systemd/system, which would win over /run."""

RUN = "/run/systemd/system"

PATIENCE = "240"
"""Seconds for a start: more than the unit has itself (TimeoutStartSec=)."""

STEADY = 10
"""Seconds for which a table must stay open."""

LOADED = 100
"""The same for a new version with a camera: a small Pi takes up to 90 until it sees."""

PAUSE = 5
"""Seconds between two looks."""

KEPT = f"{DATA}/before-update.zip"
"""Games and settings as they were before the last update."""

TRIED = f"{HOME}/tried"
"""Which version was tried after those were kept."""

BACK = f"""\
The games as they were before its first try are in {KEPT}. Only if those of now are wrong, put them back:
  sudo systemctl stop {" ".join(("dugout.socket", TABLE))}
  sudo -u {USER} dugout restore {KEPT} --data {DATA} --settings {SETTINGS}
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
    """Have version `name` played from now on. Raises SetupError where it does not open; then the one before it plays
    again, if there is one."""
    old, cut = versions.current, _forget(host)
    _check(host, versions, name, old)
    tried = old is not None and name != old
    if old is not None and tried:
        _backup(host, versions, name, old)
        _try(host, versions, name, old)
    other = _lay(host, name, FOR_GOOD) and not tried
    if versions.current != name:
        versions.switch(name)
    _forget(host)
    links(host)
    wake(host)
    host.does("systemctl", "enable", *UNITS)
    host.does("sync")
    runs = host.does("systemctl", "is-active", "--quiet", TABLE) and not cut and not other
    if not runs and (fault := opens(host)):
        raise SetupError(f"Version {name} is installed, but it {fault}. {LOG}")


def opens(host: Host, steady: int = STEADY) -> str | None:
    """Open the table anew; what it did not do, or None where it is open and stays so, `steady` seconds long."""
    host.does("systemctl", "stop", *UNITS)
    host.does("systemctl", "reset-failed", *UNITS)
    if not host.does("timeout", PATIENCE, "systemctl", "start", TABLE):
        return "did not open"
    first = shown(host)
    if steady > STEADY:
        host.say(f"It is open and can be played. For {steady} seconds it is watched, until it has its camera ...")
    for _ in range(0, steady, PAUSE):
        host.does("sleep", str(PAUSE))
        now = shown(host)
        if "Safe mode" in now.get("StatusText", ""):
            return "opened in safe mode only"
        if now.get("ActiveState") != "active" or now.get("MainPID") != first.get("MainPID"):
            return "did not stay open"
    return None


def shown(host: Host) -> dict[str, str]:
    """What the service manager says of the table."""
    told = host.tells("systemctl", "show", "--property=ActiveState,MainPID,StatusText", TABLE) or ""
    return {key: value for key, is_set, value in (line.partition("=") for line in told.splitlines()) if is_set}


def named(host: Host) -> set[str]:
    """The versions that the service manager's units name."""
    files = [host.path(f"{folder}/{unit}") for folder in (RUN, FOR_GOOD) for unit in UNITS]
    told = "".join(file.read_text() for file in files if file.exists())
    return set(re.findall(rf"{VERSIONS}/([^/\s]+)", told))


def _check(host: Host, versions: Versions, name: str, old: str | None) -> None:
    """The settings are good: else the version would be blamed for them."""
    stands = "The table was left as it was." if old else "The table is not started."
    host.must(
        *(str(versions.path(name) / ".venv/bin/python"), "-c", CHECK, str(host.path(SETTINGS))),
        sorry=f"Mend the settings in {SETTINGS}, then run this again. {stands}",
    )


def _backup(host: Host, versions: Versions, name: str, old: str) -> None:
    """By the new version, which has shown then that it runs: the old one's Python may be gone. What was kept before its
    first try stays when it is tried again: that one may have changed the games."""
    tried = host.path(TRIED)
    if tried.exists() and tried.read_text() == name and host.path(KEPT).exists():
        return
    tried.unlink(missing_ok=True)
    if host.path(f"{DATA}/journal.db").exists():
        host.must(
            *("runuser", "-u", USER, "--", versions.dugout(name), "backup", str(host.path(KEPT))),
            *("--data", str(host.path(DATA)), "--settings", str(host.path(SETTINGS))),
            sorry=f"There is no update without a backup. Version {old} is still played.",
        )
        atomic_file.write(tried, name.encode())


def _try(host: Host, versions: Versions, name: str, old: str) -> None:
    """Raises SetupError where it fails; however it ends early, by a signal too, the old one is started again."""
    source = boot.section(host.path(SETTINGS), "camera").get("source")
    host.say(f"Trying version {name}: the table closes for a moment ...")
    try:
        _lay(host, name, RUN)
        wake(host)
        fault = opens(host, STEADY if source == "none" else LOADED)
    except BaseException:
        # Who sends one signal often sends two.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _forget(host)
        opens(host)
        raise
    if fault is not None:
        _forget(host)
        again = opens(host)
        # Not before: until then it ran from there.
        versions.drop(name)
        stands = f"Version {old} plays again." if again is None else f"Version {old} was started again, but it {again}."
        more = f"\n{BACK}" if host.path(TRIED).exists() else ""
        raise SetupError(f"Version {name} {fault}. {stands} {LOG}{more}")


def _lay(host: Host, name: str, folder: str) -> bool:
    """Have the units of a version in a folder, each the old one or the new one; whether they were not there yet."""
    mine, other = f"{HOME}/versions/{name}", False
    for unit in UNITS:
        file, text = host.path(f"{folder}/{unit}"), host.path(f"{mine}/systemd/{unit}").read_text()
        data = text.replace(CURRENT, mine).encode()
        if not file.is_file() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic_file.write(file, data, 0o644)
            other = True
    return other


def _forget(host: Host) -> bool:
    """End a trial; whether there was one."""
    files = [file for unit in UNITS if (file := host.path(f"{RUN}/{unit}")).exists()]
    for file in files:
        file.unlink()
    if files:
        host.does("systemctl", "daemon-reload")
    return bool(files)
