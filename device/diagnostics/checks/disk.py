"""Checks of the card and of the journal on it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from device.diagnostics.facts import UNKNOWN_HERE, DoctorFacts, look_finding, ok_finding, wrong_finding
from device.named_file import MIN_FREE_FILES
from device.shapes import Finding
from device.storage import backup_switch, game_budget, game_check, hash_chain, journal_copy
from device.storage.database import is_in_use, open_read_only, stored_values
from engine.events import spoken_list

MIN_SPARE_BYTES = 200 << 20
"""Bytes that should be free: the limits of pictures and of games without leagues, and as much again."""

MIN_SPARE_FILES = 5000
"""Files that the disk should hold in addition: pictures and clips of dice, decks, and as many again."""

FIND_FILES_COMMAND = "sudo du --inodes -xd3 / | sort -n | tail"  # lists the folders with the most files

MAX_PICTURE_BYTES = 64 << 20  # maximum bytes of roll pictures (`device.storage.roll_pictures`)
MAX_LISTED_GAMES = 10  # maximum damaged games that a finding names

CARD_FAULT_PATTERN = re.compile(
    r"(mmc(blk)?[0-9]+: .*(error|timeout|-110|-84)|I/O error,? .*dev (mmcblk|sd|nvme)|EXT4-fs.*error|Buffer I/O error|"
    r"Remounting filesystem read-only|critical medium error).*",
    re.IGNORECASE,
)
"""Kernel messages about a failing card or drive."""

DRIVE_NAME_PATTERN = re.compile(r"\b(?:mmc(?:blk)?([0-9]+)|(sd[a-z]+|nvme[0-9]+))")
"""The name of a drive or of one of its partitions. A card is mmcblk0, and mmc0 the slot that it is in."""

RESTORED_ADVICE = "Check that these are the games you want."

DMESG_COMMAND = ["dmesg"]
"""Prints the kernel's messages. It may need root."""

KERNEL_LOG_COMMAND = ["journalctl", "-k", "-b", "-q", "--no-pager", "-o", "cat"]
"""Prints the kernel's messages from the system's log, if `DMESG_COMMAND` fails."""

MOUNT_SOURCE_COMMAND = ["findmnt", "-n", "-o", "SOURCE", "-T"]
"""Prints the device of the partition that the path after it is on."""

REPLACE_CARD_ADVICE = "Replace the card soon. First save a copy: sudo dugout backup > FILE"


def format_bytes(size: float) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size >= 1 << 30 else f"{size / (1 << 20):.0f} MiB"


def check_disk_space(facts: DoctorFacts) -> Finding:
    free, writable = facts.machine.room(facts.data)
    files = facts.machine.file_room(facts.data)
    seen = f"{format_bytes(free)} free."
    if files is not None and files < MIN_SPARE_FILES:
        seen = f"{seen[:-1]}, but room for only {files} more files."
    if not writable:
        return wrong_finding(f"Can't write to {facts.data}.", f"Restart the Pi. {REPLACE_CARD_ADVICE}")
    if free < journal_copy.MIN_FREE_BYTES:
        return wrong_finding(
            seen, "Free up space: the journal has hardly any left. Delete files that aren't the table's."
        )
    if files is not None and files < MIN_SPARE_FILES:
        finding = wrong_finding if files < MIN_FREE_FILES else look_finding
        return finding(
            seen, f"Delete files that aren't the table's. The folders with most of them: {FIND_FILES_COMMAND}."
        )
    return look_finding(seen, "Free up space, or use a larger card.") if free < MIN_SPARE_BYTES else ok_finding(seen)


def named_drive(text: str) -> str:
    """Return the drive that a path or message names first: "sda", or "mmc0" for a slot and the card in it; else ""."""
    found = DRIVE_NAME_PATTERN.search(text)
    return "" if found is None else found[2] or f"mmc{found[1]}"


def check_card(facts: DoctorFacts) -> Finding:
    """Check the kernel's messages, since the Pi started, about the card or drive that the games are on.

    Of other parts, such as the slot of the Wi-Fi chip, it only says that there are messages. Where it is not known what
    the games are on, every message counts.
    """
    run = facts.machine.run
    messages = run(DMESG_COMMAND) or run(KERNEL_LOG_COMMAND)
    if not messages:
        return ok_finding(UNKNOWN_HERE)
    own = named_drive(run([*MOUNT_SOURCE_COMMAND, str(facts.data)]) or "")
    lines = [line for line in messages.splitlines() if CARD_FAULT_PATTERN.search(line)]
    faults = [line for line in lines if not own or named_drive(line) in (own, "")]
    others = sorted({named_drive(line) for line in lines} - {own, ""}) if own else []
    if not faults:
        more = f" of the card; those about {spoken_list(others)} concern other parts" if others else ""
        return ok_finding(f"The kernel reports no errors{more}.")
    count = "one error" if len(faults) == 1 else f"{len(faults)} errors"
    advice = REPLACE_CARD_ADVICE if own.startswith("mmc") or not own else REPLACE_CARD_ADVICE.replace("card", "drive")
    return wrong_finding(f"The kernel reports {count}, last: {faults[-1].strip()[:160]}", advice)


def size_on_disk(path: Path) -> int:
    """Bytes of a file, or of all files in a folder, 0 if it does not exist."""
    try:
        files = path.rglob("*") if path.is_dir() else [path]
        return sum(one.stat().st_size for one in files if one.is_file())
    except OSError:
        return 0


def check_stored_size(facts: DoctorFacts) -> Finding:
    """Compare the size of journal and pictures with their limits."""
    data = facts.data
    try:
        if not any(data.iterdir()):
            return ok_finding("Nothing is stored yet.")
    except FileNotFoundError:
        return ok_finding("Nothing is stored yet.")
    except OSError:
        return look_finding(f"No permission to read {data}.", "Run the doctor with sudo.")
    kept = {
        "journal": (
            sum(size_on_disk(data / f"journal.db{end}") for end in ("", "-wal")),
            game_budget.MAX_JOURNAL_BYTES + (16 << 20),
        ),
        "pictures of dice": (size_on_disk(data / "evidence"), MAX_PICTURE_BYTES),
    }
    words = [f"{name} {format_bytes(now)} of at most {format_bytes(most)}" for name, (now, most) in kept.items()]
    damaged = sum(size_on_disk(path) for path in data.glob("journal.db.damaged-*"))
    restored = sum(size_on_disk(path) for path in data.glob("before-restore-*"))
    for bytes_, name in ((damaged, "damaged journals"), (restored, "old restores")):
        words += [f"{format_bytes(bytes_)} of {name}"] * bool(bytes_)
    seen = f"{', '.join(words)}."
    seen = seen[0].upper() + seen[1:]
    if restored > MIN_SPARE_BYTES:
        return look_finding(seen, f"Delete the folders before-restore-… in {data} if you no longer need them.")
    if any(now > most * 1.25 for now, most in kept.values()):
        return look_finding(seen, "This is more than it should be. Please send us the bundle.")
    return ok_finding(seen)


def check_journal(facts: DoctorFacts) -> Finding:
    """Check the write mode of the journal, and whether it was damaged."""
    path, live = facts.data / "journal.db", facts.figures.journal if facts.figures is not None else None
    try:
        if live is None and not facts.is_table_running and (cut := _interrupted_restore(facts.data)) is not None:
            return cut
        damaged = sorted(facts.data.glob("journal.db.damaged-*"))
        if live is None and not path.exists():
            return ok_finding("There is none yet; the table creates it.")
        mode, sync = (live.mode, live.sync) if live else _inspect_journal(path)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, OSError) or "unable to open" in str(error):
            return look_finding(f"No permission to read {path}.", "Run the doctor with sudo.")
        todo = f"Start the table: it repairs the journal and keeps the old file. {REPLACE_CARD_ADVICE}"
        return wrong_finding(f"The journal is damaged: {error}.", todo)
    when = next(iter(stored_values(path, backup_switch.RESTORED_KEY)), "") if live is None else ""
    if when:
        # A restored journal has no WAL before a table opens it.
        return look_finding(backup_switch.restore_sentence(facts.data, when), RESTORED_ADVICE)
    if mode != "wal" or sync not in ("full", ""):
        todo = "Store the games on the Pi's own card, not on a network or external drive: set data in the settings."
        return wrong_finding(f"Mode {mode}, sync {sync}: a power failure may lose answers.", todo)
    how = "read back from the running table" if live else "the table sets full sync when it opens, and verifies it"
    seen = f"{mode.upper()}{f' and {sync.upper()} sync' if sync else ''}, {how}."
    if live and live.trouble:
        return wrong_finding(f"{seen} {live.trouble}", REPLACE_CARD_ADVICE)
    if damaged:
        return look_finding(
            f"{seen} It was damaged and repaired, last on {damaged[-1].name.partition('damaged-')[2]}.",
            REPLACE_CARD_ADVICE,
        )
    if live and live.restored:
        return look_finding(f"{seen} {live.restored}", RESTORED_ADVICE)
    if live:
        return ok_finding(f"{seen} No damage was found when the table opened.")
    return ok_finding(seen if is_in_use(path) else f"{seen} No damage was found.")


def _interrupted_restore(data: Path) -> Finding | None:
    """Finding about an interrupted restore, if no table runs. None if there is none."""
    if backup_switch.is_restore_pending(data):
        return look_finding(backup_switch.CUT_OFF_NOTICE, "Start the table.")
    return (
        look_finding(backup_switch.UNCHANGED_NOTICE, "Restore the backup again.")
        if backup_switch.has_aborted_restore(data)
        else None
    )


def check_games(facts: DoctorFacts) -> Finding:
    """Check every stored game, answer by answer."""
    path = facts.data / "journal.db"
    try:
        if not path.exists():
            return ok_finding("No games yet.")
        with closing(open_read_only(path)) as db:
            count, damaged = len(hash_chain.game_numbers([db])), game_check.damaged_games(db)
    except (OSError, sqlite3.Error):
        return ok_finding(UNKNOWN_HERE)  # the check of the journal reports the reason
    if not damaged:
        return ok_finding(f"{count} stored, each as it was written.")
    listed = " ".join(f"{one.id}: {' and '.join(one.damage or ['its name'])}." for one in damaged[:MAX_LISTED_GAMES])
    more = f" And {len(damaged) - MAX_LISTED_GAMES} more." if len(damaged) > MAX_LISTED_GAMES else ""
    return wrong_finding(
        f"{len(damaged)} of {count} are damaged. {listed}{more}",
        f"Run sudo dugout games --repair. {REPLACE_CARD_ADVICE}",
    )


def _inspect_journal(path: Path) -> tuple[str, str]:
    """Mode and sync of a journal file. The sync is "", because each connection sets its own.

    If no table uses it, its pages are checked first. Raises OSError and sqlite3.Error.
    """
    with path.open("rb") as file:
        head = file.read(20)
    if not is_in_use(path):
        with closing(open_read_only(path)) as db:
            ((health,),) = db.execute("pragma quick_check(1)")
        if health != "ok":
            raise sqlite3.DatabaseError(str(health))
    # Bytes 18 and 19 of the file are 2 in WAL mode (sqlite.org/fileformat.html).
    return "wal" if head[18:20] == b"\2\2" else "without a WAL", ""
