"""The last screen of the display: the table is off, the machine is shutting down, or it restarts."""

from __future__ import annotations

import subprocess

OFF_TEXT = "Dugout is off"
UNPLUG_TEXT = "Unplug in 15 seconds"
STILL_ON_TEXT = "Dugout is off, the Pi is on"
CRASH_TEXT = "Dugout crashed; see its log"
RESTART_TEXT = "Dugout is restarting"
REBOOT_TEXT = "The Pi is restarting"

TARGET_TEXTS = {
    "poweroff.target": UNPLUG_TEXT,
    "halt.target": UNPLUG_TEXT,
    "reboot.target": REBOOT_TEXT,
    "kexec.target": REBOOT_TEXT,
    "soft-reboot.target": REBOOT_TEXT,
}
"""The last words for systemd's shutdown targets (systemd.special(7))."""


def last_words_for(jobs: str, off: str = OFF_TEXT) -> str:
    """The last words for the output of `manager_jobs` (number, unit, type and state in each line), by default `off`."""
    rows = [row.split() for row in jobs.splitlines()]
    types = {row[1]: row[2] for row in rows if len(row) >= 3}
    for target, sentence in TARGET_TEXTS.items():
        if types.get(target) == "start":
            return sentence
    return RESTART_TEXT if types.get("dugout.service") == "restart" else off


def last_words(managed: bool, off: str = OFF_TEXT) -> str:
    """The last words of a program ended by a signal. If `managed`, the service manager's jobs decide."""
    return last_words_for(manager_jobs() or "", off) if managed else off


def crash_words(managed: bool) -> str:
    """The last words of a program that crashes. If `managed`, it is restarted."""
    return RESTART_TEXT if managed else CRASH_TEXT


def power_off() -> str | None:
    """Switch the machine off. Returns None, or the reason why it stays on.

    A manager already shutting down may not answer. It has refused only if it still answers and has no shutdown job.
    """
    try:
        done = subprocess.run(
            ["systemctl", "poweroff"], timeout=10, capture_output=True, encoding="utf-8", errors="replace"
        )
    except (OSError, subprocess.SubprocessError) as error:
        reason = str(error)
    else:
        if done.returncode == 0:
            return None
        reason = done.stderr.strip() or f"systemctl poweroff ended with {done.returncode}"
    now = manager_jobs()
    return None if now is None or last_words_for(now) == UNPLUG_TEXT else reason


def manager_jobs() -> str | None:
    """The service manager's jobs, "" without a manager, None if it does not answer."""
    try:
        command = ["systemctl", "list-jobs", "--plain", "--no-legend", "--no-pager", "--full"]
        done = subprocess.run(command, check=True, timeout=3, capture_output=True, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
