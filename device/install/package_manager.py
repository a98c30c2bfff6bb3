"""The system's package manager, apt. Another program may be using it, as on a fresh Pi that updates itself."""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

from device.install.host import Host, SetupError

LOCK_FILES = (
    "/var/lib/dpkg/lock-frontend",
    "/var/lib/dpkg/lock",
    "/var/lib/apt/lists/lock",
    "/var/cache/apt/archives/lock",
)
"""Files that apt and dpkg lock while they work."""

LOCK_TIMEOUT_S = 300  # seconds to wait for another program that installs packages
CHECK_INTERVAL_S = 5  # seconds between two checks of the locks
MAX_ATTEMPTS = 3  # attempts of a command that another program keeps from the locks

FLOCK = struct.Struct("hhqqi4x")
"""struct flock of fcntl(2) on a 64-bit system: type, whence, start, length, process."""

INTERPRETERS = ("python", "perl", "sh", "bash", "dash")  # programs that run a script named after them

LOCK_MARKS = ("Could not get lock", "Unable to acquire", "Unable to lock")  # in apt's words, if it finds a lock held
INTERRUPTED_MARK = "dpkg --configure -a"  # in apt's words, if an earlier installation was interrupted

APT_OPTIONS = ("-qq", "-o", "DPkg::Lock::Timeout=120")


def run_apt(host: Host, *words: str) -> str | None:
    """Run apt-get with these arguments. Return None, or its own words about why it failed.

    Waits for a program that holds the locks, and finishes an installation that was interrupted. Raises SetupError if
    the program does not release them, or if the installation cannot be finished.
    """
    failure = None
    for _ in range(MAX_ATTEMPTS):
        wait_for_locks(host)
        failure = _failure_text(host, "apt-get", *APT_OPTIONS, *words)
        if failure is not None and INTERRUPTED_MARK in failure:
            finish_installation(host)
        elif failure is None or not any(mark in failure for mark in LOCK_MARKS):
            return failure
    raise SetupError(f"{failure}\nThe packages of the system cannot be installed. Nothing else was changed.")


def wait_for_locks(host: Host) -> None:
    """Wait until no other program installs packages. Raises SetupError that names it after `LOCK_TIMEOUT_S`."""
    named = ""
    for waited in range(0, LOCK_TIMEOUT_S + 1, CHECK_INTERVAL_S):
        holder = lock_holder(host)
        if holder is None:
            return
        if holder != named:
            minutes = (LOCK_TIMEOUT_S - waited) // 60
            host.print_text(f"  Waiting for {holder}, which is installing packages, for up to {minutes} minutes ...")
            named = holder
        if waited < LOCK_TIMEOUT_S:
            host.run_quietly("sleep", str(CHECK_INTERVAL_S))
    raise SetupError(
        f"{named} is still installing packages: wait until it has finished, then run this again. To see it: "
        "ps -ef | grep -E 'apt|dpkg|unattended|packagekit'. Nothing was changed."
    )


def lock_holder(host: Host) -> str | None:
    """Name and process of the program that holds one of apt's locks. None if all are free."""
    for name in LOCK_FILES:
        try:
            handle = os.open(host.path_below_root(name), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            found = fcntl.fcntl(handle, fcntl.F_GETLK, FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        except OSError:
            continue
        finally:
            os.close(handle)
        kind, *_, process = FLOCK.unpack(found)
        if kind != fcntl.F_UNLCK:
            return f"{program_name(process)} (process {process})" if process > 0 else "another program"
    return None


def program_name(process: int) -> str:
    """Name of a running program. For a script it is that of the script, not of its interpreter."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "another program"
    own, script = Path(words[0]).name, Path((*words, "")[1]).name
    is_script = own.rstrip("0123456789.") in INTERPRETERS and script and not words[1].startswith("-")
    return (script if is_script else own) or "another program"


def finish_installation(host: Host) -> None:
    """Finish an installation that was interrupted, as by a power cut. Raises SetupError."""
    host.print_text("  An installation of packages was interrupted. Finishing it (dpkg --configure -a) ...")
    wait_for_locks(host)
    failure = _failure_text(host, "dpkg", "--force-confdef", "--force-confold", "--configure", "-a")
    if failure is not None:
        raise SetupError(
            f"{failure}\nAn installation of packages was interrupted and cannot be finished: repair it with sudo dpkg "
            "--configure -a, then run this again. Dugout was not changed."
        )


def _failure_text(host: Host, *command: str) -> str | None:
    """Run a command. Return None if it succeeds, else its errors, or the end of what it printed."""
    try:
        host.run_or_fail(*command, sorry="", DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
    except SetupError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        return (
            "\n".join([line for line in lines if line.startswith(("E:", "dpkg:"))] or lines) or f"{command[0]} failed."
        )
    return None
