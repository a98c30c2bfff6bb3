"""The last screen of the display: the table is off, the machine is shutting down, or it restarts."""

from __future__ import annotations

import subprocess

OFF = "Dugout is off"
UNPLUG = "Unplug in 15 seconds"
STAYS = "Dugout is off, the Pi is on"
FAILED = "Dugout crashed; see its log"
AGAIN = "Dugout is restarting"
BOOT = "The Pi is restarting"

TARGETS = {
    "poweroff.target": UNPLUG,
    "halt.target": UNPLUG,
    "reboot.target": BOOT,
    "kexec.target": BOOT,
    "soft-reboot.target": BOOT,
}
"""The last words for systemd's shutdown targets (systemd.special(7))."""


def words(jobs: str, off: str = OFF) -> str:
    """Return the last words for the service manager's jobs, `off` if none of them matters.

    `jobs` is the output of `systemctl list-jobs --plain --no-legend`: number, unit, type and state in each line.
    """
    rows = [row.split() for row in jobs.splitlines()]
    types = {row[1]: row[2] for row in rows if len(row) >= 3}
    for target, sentence in TARGETS.items():
        if types.get(target) == "start":
            return sentence
    return AGAIN if types.get("dugout.service") == "restart" else off


def last(managed: bool, off: str = OFF) -> str:
    """Return the last words of a program that a signal ends; a service manager (`managed`) knows more."""
    return words(jobs() or "", off) if managed else off


def fault(managed: bool) -> str:
    """Return the last words of a program that crashes; a service manager (`managed`) restarts it."""
    return AGAIN if managed else FAILED


def poweroff() -> str | None:
    """Switch the machine off; return None, or the reason why it stays on.

    The manager may already be shutting down when it should answer. It has refused only if it can still be asked, and is
    not about to shut down.
    """
    try:
        done = subprocess.run(["systemctl", "poweroff"], timeout=10, capture_output=True, text=True)
    except (OSError, subprocess.SubprocessError) as error:
        reason = str(error)
    else:
        if done.returncode == 0:
            return None
        reason = done.stderr.strip() or f"systemctl poweroff ended with {done.returncode}"
    now = jobs()
    return None if now is None or words(now) == UNPLUG else reason


def jobs() -> str | None:
    """Return the service manager's jobs, "" if there is no manager, None if it does not answer."""
    try:
        command = ["systemctl", "list-jobs", "--plain", "--no-legend", "--no-pager", "--full"]
        return subprocess.run(command, check=True, timeout=3, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""
    except (OSError, subprocess.SubprocessError):
        return None
