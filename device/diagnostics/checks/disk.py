"""Checks of the card and of the journal on it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from device.diagnostics.facts import UNKNOWN, Facts, look, ok, wrong
from device.shapes import Finding
from device.storage import backup_switch, game_check, hash_chain, journal_copy, store
from device.storage.database import in_use, read_only, values

SPARE = 200 << 20  # bytes that should be free: the limits of journal and pictures, and as much again for other growth
PICTURES = 64 << 20  # bytes of roll pictures that are kept (`device.storage.roll_pictures`)

LISTED = 10  # damaged games that a finding names

FAULTS = re.compile(
    r"(mmc[0-9]+: .*(error|timeout|-110|-84)|I/O error,? .*dev (mmcblk|sd|nvme)|EXT4-fs.*error|Buffer I/O error|"
    r"Remounting filesystem read-only|critical medium error).*",
    re.IGNORECASE,
)
"""Kernel messages about a failing card."""

CHOSEN = "Check that these are the games you want."

DMESG, KERNEL = ["dmesg"], ["journalctl", "-k", "-b", "-q", "--no-pager", "-o", "cat"]
"""The two commands that print the kernel's messages."""

REPLACE = "Replace the card soon. First save a copy: sudo dugout backup > FILE"


def megabytes(size: float) -> str:
    """Return a number of bytes in MiB or GiB."""
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.0f} MiB"


def disk(facts: Facts) -> Finding:
    """Check the free space in the data folder."""
    free, writable = facts.machine.room(facts.data)
    seen = f"{megabytes(free)} free."
    if not writable:
        return wrong(f"Can't write to {facts.data}.", f"Restart the Pi. {REPLACE}")
    if free < journal_copy.ROOM:
        return wrong(seen, "Free up space: the journal has hardly any left. Delete files that aren't the table's.")
    return look(seen, "Free up space, or use a larger card.") if free < SPARE else ok(seen)


def card(facts: Facts) -> Finding:
    """Check the kernel's messages about the card since the Pi started."""
    run = facts.machine.run
    messages = run(DMESG) or run(KERNEL)
    if not messages:
        return ok(UNKNOWN)
    faults = [line for line in messages.splitlines() if FAULTS.search(line)]
    if not faults:
        return ok("The kernel reports no errors.")
    count = "one error" if len(faults) == 1 else f"{len(faults)} errors"
    return wrong(f"The kernel reports {count}, last: {faults[-1].strip()[:160]}", REPLACE)


def size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; 0 if it does not exist."""
    try:
        files = path.rglob("*") if path.is_dir() else [path]
        return sum(one.stat().st_size for one in files if one.is_file())
    except OSError:
        return 0


def space(facts: Facts) -> Finding:
    """Compare the size of journal and pictures with their limits."""
    data = facts.data
    try:
        if not any(data.iterdir()):
            return ok("Nothing is stored yet.")
    except FileNotFoundError:
        return ok("Nothing is stored yet.")
    except OSError:
        return look(f"No permission to read {data}.", "Run the doctor with sudo.")
    kept = {
        "journal": (sum(size(data / f"journal.db{end}") for end in ("", "-wal")), store.BUDGET + (16 << 20)),
        "pictures of dice": (size(data / "evidence"), PICTURES),
    }
    words = [f"{name} {megabytes(now)} of at most {megabytes(most)}" for name, (now, most) in kept.items()]
    damaged = sum(size(path) for path in data.glob("journal.db.damaged-*"))
    restored = sum(size(path) for path in data.glob("before-restore-*"))
    for bytes_, name in ((damaged, "damaged journals"), (restored, "old restores")):
        words += [f"{megabytes(bytes_)} of {name}"] * bool(bytes_)
    seen = f"{', '.join(words)}."
    seen = seen[0].upper() + seen[1:]
    if restored > SPARE:
        return look(seen, f"Delete the folders before-restore-… in {data} if you no longer need them.")
    if any(now > most * 1.25 for now, most in kept.values()):
        return look(seen, "This is more than it should be. Please send us the bundle.")
    return ok(seen)


def journal(facts: Facts) -> Finding:
    """Check how the journal is written, and whether it was damaged."""
    path, live = facts.data / "journal.db", facts.figures.journal if facts.figures is not None else None
    try:
        if live is None and not facts.in_use and (cut := _cut_off(facts.data)) is not None:
            return cut
        damaged = sorted(facts.data.glob("journal.db.damaged-*"))
        if live is None and not path.exists():
            return ok("There is none yet; the table creates it.")
        mode, sync = (live.mode, live.sync) if live else _inspect(path)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, OSError) or "unable to open" in str(error):
            return look(f"No permission to read {path}.", "Run the doctor with sudo.")
        todo = f"Start the table: it repairs the journal and keeps the old file. {REPLACE}"
        return wrong(f"The journal is damaged: {error}.", todo)
    when = next(iter(values(path, backup_switch.RESTORED)), "") if live is None else ""
    if when:
        # It has no WAL before a table opens it.
        return look(backup_switch.sentence(facts.data, when), CHOSEN)
    if mode != "wal" or sync not in ("full", ""):
        todo = "Store the games on the Pi's own card, not on a network or foreign disk: set data in the settings."
        return wrong(f"Mode {mode}, sync {sync}: a power cut may lose answers.", todo)
    how = "read back from the running table" if live else "the table sets full sync when it opens, and verifies it"
    seen = f"{mode.upper()}{f' and {sync.upper()} sync' if sync else ''}, {how}."
    if live and live.trouble:
        return wrong(f"{seen} {live.trouble}", REPLACE)
    if damaged:
        return look(
            f"{seen} It was damaged and repaired, last on {damaged[-1].name.partition('damaged-')[2]}.", REPLACE
        )
    if live and live.restored:
        return look(f"{seen} {live.restored}", CHOSEN)
    if live:
        return ok(f"{seen} No damage was found when the table opened.")
    return ok(seen if in_use(path) else f"{seen} No damage was found.")


def _cut_off(data: Path) -> Finding | None:
    """Return what a restore left that was cut off, as long as no table runs."""
    if backup_switch.pending(data):
        return look(backup_switch.CUT_OFF, "Start the table.")
    return look(backup_switch.UNCHANGED, "Restore the backup again.") if backup_switch.leftover(data) else None


def games(facts: Facts) -> Finding:
    """Check every stored game, answer by answer."""
    path = facts.data / "journal.db"
    try:
        if not path.exists():
            return ok("No games yet.")
        with closing(read_only(path)) as db:
            count, damaged = len(hash_chain.games([db])), game_check.damaged(db)
    except (OSError, sqlite3.Error):
        return ok(UNKNOWN)  # the check of the journal says why
    if not damaged:
        return ok(f"{count} stored, each as it was written.")
    listed = " ".join(f"{one.id}: {' and '.join(one.damage or ['its name'])}." for one in damaged[:LISTED])
    more = f" And {len(damaged) - LISTED} more." if len(damaged) > LISTED else ""
    return wrong(f"{len(damaged)} of {count} are damaged. {listed}{more}", f"Run sudo dugout games --repair. {REPLACE}")


def _inspect(path: Path) -> tuple[str, str]:
    """Return mode and sync of a journal file, "" for the sync, which each connection sets for itself.

    If no table uses it, its pages are checked first. Raises OSError and sqlite3.Error.
    """
    with path.open("rb") as file:
        head = file.read(20)
    if not in_use(path):
        with closing(read_only(path)) as db:
            ((health,),) = db.execute("pragma quick_check(1)")
        if health != "ok":
            raise sqlite3.DatabaseError(str(health))
    # Bytes 18 and 19 of the file are 2 in WAL mode (sqlite.org/fileformat.html).
    return "wal" if head[18:20] == b"\2\2" else "without a WAL", ""
