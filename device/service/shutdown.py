"""What the glass says when the program has ended: the table is off, the machine goes off, or all comes again."""

from __future__ import annotations

import subprocess

OFF = "Dugout is off"
UNPLUG = "Unplug in 15 seconds"
STAYS = "Dugout is off, the Pi is not"
FAILED = "Dugout ended by a fault; its log says which"
AGAIN = "Dugout starts again"
BOOT = "The Pi starts again"

TARGETS = {
    "poweroff.target": UNPLUG,
    "halt.target": UNPLUG,
    "reboot.target": BOOT,
    "kexec.target": BOOT,
    "soft-reboot.target": BOOT,
}
"""Where a machine may be going, by systemd's name for it (systemd.special(7))."""


def words(jobs: str, off: str = OFF) -> str:
    """The last words of a program that was told to end, by what the service manager is about, as `systemctl list-jobs
    --plain --no-legend` writes it: a line each of number, unit, type and state; else it is `off`."""
    rows = [row.split() for row in jobs.splitlines()]
    wanted = {row[1]: row[2] for row in rows if len(row) >= 3}
    for target, sentence in TARGETS.items():
        if wanted.get(target) == "start":
            return sentence
    return AGAIN if wanted.get("dugout.service") == "restart" else off


def last(managed: bool, off: str = OFF) -> str:
    """The last words of a program that was told to end; `managed` by a service manager, who knows more."""
    return words(jobs() or "", off) if managed else off


def fault(managed: bool) -> str:
    """Those of a program that ends by a fault of its own; `managed`, it is started again."""
    return AGAIN if managed else FAILED


def poweroff() -> str | None:
    """Switch the machine off; gives why it stays on, or None.

    The manager may be going already when it should answer: only one that can be asked, and is not about to go, refused.
    """
    try:
        done = subprocess.run(["systemctl", "poweroff"], timeout=10, capture_output=True, text=True)
    except (OSError, subprocess.SubprocessError) as error:
        said = str(error)
    else:
        if done.returncode == 0:
            return None
        said = done.stderr.strip() or f"systemctl poweroff ended with {done.returncode}"
    now = jobs()
    return None if now is None or words(now) == UNPLUG else said


def jobs() -> str | None:
    """What the service manager is about; nothing where there is none, None where it does not answer."""
    try:
        asked = ["systemctl", "list-jobs", "--plain", "--no-legend", "--no-pager", "--full"]
        return subprocess.run(asked, check=True, timeout=3, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""
    except (OSError, subprocess.SubprocessError):
        return None
