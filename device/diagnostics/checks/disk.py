"""The card: how full and how well it is, and the journal on it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from device.diagnostics.checks.case import LOOK, OK, UNTOLD, WRONG, Case, Finding
from device.machine import Machine
from device.storage import journal_copy, store
from device.storage.database import in_use, read_only

SPARE = 200 << 20
"""Bytes that should be free: the journal's and the pictures' bounds, and as much for what else grows."""

PICTURES = 64 << 20
"""Bytes of pictures of dice that are kept (`device.storage.roll_pictures`)."""

FAULTS = re.compile(
    r"(mmc\d+: .*(error|timeout|-110|-84)|I/O error,? .*dev (mmcblk|sd|nvme)|EXT4-fs.*error|Buffer I/O error|"
    r"Remounting filesystem read-only|critical medium error).*",
    re.IGNORECASE,
)
"""What the kernel says of a card that fails."""

NEW = "Take a new card soon: keep a copy first with sudo dugout backup FILE."


def megabytes(size: float) -> str:
    """Bytes for people."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.0f} MiB"


def disk(machine: Machine, case: Case) -> Finding:
    """How much is free where the games are kept."""
    free, writable = machine.room(case.data)
    if not writable:
        return Finding("disk", WRONG, f"Nothing can be written in {case.data}.", f"Start the Pi again. {NEW}")
    seen = f"{megabytes(free)} are free."
    if free < journal_copy.ROOM:
        todo = "Make room: the journal comes first, but it has hardly any left. Delete what is not the table's."
        return Finding("disk", WRONG, seen, todo)
    if free < SPARE:
        return Finding("disk", LOOK, seen, "Make room, or take a larger card.")
    return Finding("disk", OK, seen)


def card(machine: Machine, case: Case) -> Finding:
    """What the kernel says of the card since the Pi started."""
    said = machine.run(["dmesg"]) or machine.run(["journalctl", "-k", "-b", "-q", "--no-pager", "-o", "cat"])
    if not said:
        return Finding("card", OK, UNTOLD)
    faults = [line for line in said.splitlines() if FAULTS.search(line)]
    if not faults:
        return Finding("card", OK, "The kernel complains of nothing.")
    last = faults[-1].strip()[:160]
    return Finding("card", WRONG, f"The kernel complained {_times(len(faults))}, last: {last}", NEW)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def size(path: Path) -> int:
    """Bytes of a file, or of all in a folder; 0 for what is not there."""
    try:
        files = path.rglob("*") if path.is_dir() else [path]
        return sum(one.stat().st_size for one in files if one.is_file())
    except OSError:
        return 0


def space(machine: Machine, case: Case) -> Finding:
    """How large what the table keeps is, against its bounds."""
    data = case.data
    try:
        if not any(data.iterdir()):
            return Finding("kept", OK, "Nothing is kept yet.")
    except FileNotFoundError:
        return Finding("kept", OK, "Nothing is kept yet.")
    except OSError:
        return Finding("kept", LOOK, f"{data} may not be read.", "Run the doctor with sudo.")
    kept = {
        "journal": (sum(size(data / f"journal.db{end}") for end in ("", "-wal")), store.BUDGET + (16 << 20)),
        "pictures of dice": (size(data / "evidence"), PICTURES),
    }
    seen = ", ".join(f"{name} {megabytes(now)} of at most {megabytes(most)}" for name, (now, most) in kept.items())
    aside = sum(size(path) for path in data.glob("journal.db.damaged-*"))
    before = sum(size(path) for path in data.glob("before-restore-*"))
    more = [f"{megabytes(of)} of {name}" for name, of in (("damaged journals", aside), ("old restores", before)) if of]
    seen = f"{seen[:1].upper()}{seen[1:]}{''.join(f', {one}' for one in more)}."
    if before > SPARE:
        return Finding("kept", LOOK, seen, f"Delete the folders before-restore-… in {data} if you no longer want them.")
    if any(now > most * 1.25 for now, most in kept.values()):
        return Finding("kept", LOOK, seen, "More is kept than should be: send us the bundle, please.")
    return Finding("kept", OK, seen)


def journal(machine: Machine, case: Case) -> Finding:
    """How the journal is written, and whether it was damaged."""
    path, told = case.data / "journal.db", (case.figures or {}).get("journal")
    try:
        damaged = sorted(case.data.glob("journal.db.damaged-*"))
        if told is None and not path.exists():
            return Finding("journal", OK, "There is none yet; the table makes it.")
        mode, sync = (told["mode"], told["sync"]) if told else _looked(path)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, OSError) or "unable to open" in str(error):
            return Finding("journal", LOOK, f"{path} may not be read.", "Run the doctor with sudo.")
        todo = f"Start the table: it mends the journal and keeps the old file. {NEW}"
        return Finding("journal", WRONG, f"The journal is damaged: {error}.", todo)
    if mode != "wal" or sync not in ("full", ""):
        todo = "Keep the games on the Pi's own card, not on a shared or foreign disk: set data in the settings."
        return Finding("journal", WRONG, f"Written in mode {mode}, sync {sync}: a power cut may lose answers.", todo)
    how = "read back from the running table" if told else "the table sets full syncs when it opens, and reads them back"
    seen = f"{mode.upper()}{f' and {sync.upper()} sync' if sync else ''}, {how}."
    if told and told["trouble"]:
        return Finding("journal", WRONG, f"{seen} {told['trouble']}", NEW)
    if damaged:
        last = damaged[-1].name.rpartition("damaged-")[2]
        return Finding("journal", LOOK, f"{seen} It was damaged and mended, last on {last}.", NEW)
    checked = "Nothing was wrong when the table opened." if told else "" if in_use(path) else "Nothing is wrong in it."
    return Finding("journal", OK, f"{seen} {checked}".strip())


def _looked(path: Path) -> tuple[str, str]:
    """The mode of a journal's file, looked through first where it is at rest; each connection has its own sync.

    Raises OSError and sqlite3.Error.
    """
    with path.open("rb") as file:
        head = file.read(20)
    if not in_use(path):
        with closing(read_only(path)) as db:
            ((health,),) = db.execute("pragma quick_check(1)")
        if health != "ok":
            raise sqlite3.DatabaseError(str(health))
    # Bytes 18 and 19 of the file are 2 where it wants a WAL (sqlite.org/fileformat.html).
    return "wal" if head[18:20] == b"\2\2" else "without a WAL", ""
