"""What root runs on a folder that somebody else owns harms nothing of root's: planted links, races, a false table."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from device import machine, named_file
from device.cli import COMMAND_MODULES, main
from device.commands import privileges
from device.diagnostics import running_table
from device.diagnostics.running_table import DoctorSocket, TableReport
from device.storage import backup_reader
from tests.device.commands.test_backup import Home
from tests.device.diagnostics.machines import FIGURES
from tests.device.process import SETTINGS, free_port
from tests.device.warm_start import forked
from vision.cameras import files

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="Only root can be led to harm what is root's.")

OWNER, STRANGER = 65533, 65532
"""Users without an account: whose folder it is, and somebody else."""

TREASURE = b"only root may read this\n"

SOURCE = SETTINGS.format(port=1, show=1)


class Folder:
    """A table's folder `data`, in one that everybody may enter, both OWNER's; and in `treasure` what is only root's."""

    def __init__(self, around: Path, treasure: Path) -> None:
        self.around, self.treasure = around, treasure
        home = Home(around, answers=3)
        home.store.close()
        self.data = home.data
        home.settings.write_text(SOURCE.replace("port = 1", f"port = {free_port()}"))
        self.settings = home.settings
        for one in (around, *around.rglob("*")):
            os.chown(one, OWNER, OWNER)
        for name in ("decks", "trays/cam-32x24"):
            (treasure / name).mkdir(parents=True)
        for name in ("file", "other", "decks/mine.toml", "trays/cam-32x24/tray.json"):
            (treasure / name).write_bytes(TREASURE)
        self.before = self.seen()

    def seen(self) -> dict[str, tuple[object, ...]]:
        """Return what can be known of root's files."""
        found: dict[str, tuple[object, ...]] = {}
        for one in (self.treasure, *sorted(self.treasure.rglob("*"))):
            about = one.lstat()
            text = one.read_bytes() if one.is_file() else b""
            found[str(one)] = (about.st_uid, about.st_gid, about.st_mode, about.st_mtime_ns, text)
        return found

    def link(self, name: str, to: str = "file") -> None:
        """Plant a link to something of root's."""
        there = self.around / name
        if there.is_dir() and not there.is_symlink():
            shutil.rmtree(there)
        there.unlink(missing_ok=True)
        there.symlink_to(self.treasure / to)
        os.lchown(there, OWNER, OWNER)

    def dugout(self, *command: object) -> int:
        """Run a command as root on this table."""
        words = [*map(str, command), "--data", str(self.data), "--settings", str(self.settings)]
        return forked(lambda: main(words))

    def redirected(self, file: Path, *command: object) -> int:
        """Run a command as root whose output, or the input of a restore, is a file that the shell opens."""

        def work() -> int:
            restored = command[0] == "restore"
            os.dup2(
                os.open(file, os.O_RDONLY if restored else os.O_WRONLY | os.O_CREAT | os.O_TRUNC), int(not restored)
            )
            return main([*map(str, command), "--data", str(self.data), "--settings", str(self.settings)])

        return forked(work)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    monkeypatch.delenv("DUGOUT_SETTINGS", raising=False)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        (tmp_path / "root").mkdir(mode=0o700)
        yield Folder(Path(name), tmp_path / "root")


@pytest.fixture
def file(folder: Folder, tmp_path: Path) -> Path:
    """A backup of the table, in a folder of root's: the shell opens it."""
    assert folder.redirected(tmp_path / "b.zip", "backup") == 0
    return tmp_path / "b.zip"


def test_a_planted_lock_is_not_emptied(folder: Folder, file: Path) -> None:
    """`restore` follows no link in the place of the lock."""
    folder.link("data/journal.db.lock")
    assert folder.redirected(file, "restore") != 0
    assert folder.seen() == folder.before


def test_a_name_is_not_written_through_a_planted_lock(folder: Folder) -> None:
    """`games --name` notes in the lock how far the journal goes."""
    folder.link("data/journal.db.lock")
    assert folder.dugout("games", "--name", "1", "Sunday") != 0
    assert folder.seen() == folder.before


@pytest.mark.parametrize(("name", "to"), [("decks", "decks"), ("decks/mine.toml", "file"), ("trays", "trays")])
def test_a_backup_holds_nothing_of_roots(folder: Folder, tmp_path: Path, name: str, to: str) -> None:
    """Neither through a linked folder nor through a linked file."""
    folder.link(f"data/{name}", to)
    folder.redirected(tmp_path / "b.zip", "backup")
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        assert TREASURE not in [packed.read(one) for one in packed.namelist()]


@pytest.mark.parametrize("name", ["out.zip", ".out.zip.part"])
@pytest.mark.parametrize("command", [("doctor", "--bundle"), ("backup",)])
def test_what_is_written_for_a_person_follows_no_link(folder: Folder, command: tuple[str, ...], name: str) -> None:
    """In a folder of others, as under its final name so under the one it has before."""
    folder.link(name)
    folder.dugout(*command, folder.around / "out.zip")
    assert folder.seen() == folder.before


def test_nothing_is_given_away(folder: Folder, file: Path) -> None:
    """A hard link to a file of root's in the data folder stays root's."""
    (folder.data / "decks" / "mine.toml").hardlink_to(folder.treasure / "other")
    folder.before = folder.seen()
    folder.redirected(file, "restore")
    folder.dugout("games", "--name", "1", "Sunday")
    assert folder.seen() == folder.before


def test_nothing_is_deleted_through_a_link(folder: Folder) -> None:
    """`calibrate --forget` deletes folders below a linked one only where their owner may."""
    folder.link("data/trays", "trays")
    folder.dugout("calibrate", "--forget", "--camera", "cam")
    assert folder.seen() == folder.before


def test_another_journal_tells_no_code(folder: Folder, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`code` reads through no link what only root may read."""
    (tmp_path / "theirs").mkdir()
    Home(tmp_path / "theirs").store.close()
    shutil.copy(tmp_path / "theirs" / "data" / "journal.db", folder.treasure / "file")
    folder.link("data/journal.db")
    assert folder.dugout("code") == 2
    assert "123456" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["sheet", "out.pdf"], "out.pdf"),
        (["calibrate", "--sheet", "out.pdf"], "out.pdf"),
        (["read", "nothing.png", "--annotate", "drawn"], "drawn/nothing.png"),
    ],
)
def test_what_is_drawn_follows_no_link(folder: Folder, command: list[str], name: str) -> None:
    """Sheets and drawings too, which need no table."""
    drawn = folder.around / "drawn"
    drawn.mkdir()
    os.chown(drawn, OWNER, OWNER)
    folder.link(name)
    words = [str(folder.around / one) if one in ("out.pdf", "drawn", "nothing.png") else one for one in command]
    forked(lambda: main(words))
    assert folder.seen() == folder.before


PLANTED: dict[str, str] = {
    **dict.fromkeys(
        ("data/journal.db.lock", "data/journal.db-wal", "data/journal.db-shm", "data/journal.db.copy"), "file"
    ),
    **dict.fromkeys(("data/journal.db.part", "data/journal.db.mended", "data/settings.toml", "data/.x.part"), "other"),
    **dict.fromkeys(("data/evidence", "data/.restore-abcdefgh", "data/.dugout-abcdefgh", "data/restoring"), "decks"),
    **dict.fromkeys(("data/before-restore-1", "data/restoring-1"), "trays"),
    "data/decks": "decks",
    "data/trays": "trays",
    "out": "other",
    ".out.part": "file",
}
"""Links in every place that a command touches, and what of root's they lead to."""


ALL = [
    ["doctor", "--bundle", "out"],
    ["calibrate", "--forget"],
    ["calibrate", "--sheet", "out"],
    ["wiring", "--settings", "out"],
    ["code"],
    ["games"],
    ["games", "--name", "1", "Sunday"],
    ["league", "rebuild"],
    ["league", "import", "summer", "out"],
    ["backup", "out"],
    ["backup"],
    ["restore", "out"],
    ["restore"],
    ["sheet", "out"],
    ["read", "out", "--annotate", "data/decks"],
    ["run", "--game", "none"],
    ["demo", "--game", "none"],
    ["engine", "--deck", "out"],
]
"""Every command, with what it writes or reads."""


def printed(words: list[str], log: Path, given: Path = Path(os.devnull)) -> str:
    """Run a command as root, in a process of its own; return what it printed."""

    def work() -> int:
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for number, file in ((0, os.open(given, os.O_RDONLY)), (1, out), (2, out)):
            os.dup2(file, number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in ((0, "r"), (1, "w"), (2, "w")))
        return main(words)

    forked(work)
    return log.read_text(errors="replace")


def test_every_command_in_a_folder_full_of_links(folder: Folder, file: Path, tmp_path: Path) -> None:
    """Whatever it says, nothing of root's is changed, read aloud, or given away."""
    tables = {"doctor", "code", "games", "backup", "restore", "run", "demo"}
    assert {command for command, *_ in ALL} <= set(COMMAND_MODULES)
    for command in ALL:
        for name, to in PLANTED.items():
            folder.link(name, to)
        words = [str(folder.around / one) if one in PLANTED else one for one in command]
        if command[0] in tables or "--forget" in command:
            words += ["--data", str(folder.data), "--settings", str(folder.settings)]
        said = printed(words, tmp_path / "said", file)
        assert folder.seen() == folder.before, command
        assert TREASURE.decode().strip() not in said, command
        assert "Traceback" not in said, (command, said)
        found = [one for one in folder.around.rglob("*") if one.is_file() and not one.is_symlink()]
        assert not [one for one in found if TREASURE in one.read_bytes()], command


def test_the_work_is_done_by_the_owner_for_good(folder: Folder, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All four user and group numbers, and the groups, while a backup is unpacked; nobody can trace the process."""
    real = backup_reader.unpack_backup

    def unpack(*given: Any) -> object:
        shutil.copyfile("/proc/self/status", folder.data / "who")
        return real(*given)

    monkeypatch.setattr(backup_reader, "unpack_backup", unpack)
    assert folder.redirected(file, "restore") == 0
    said = dict(line.split(":", 1) for line in (folder.data / "who").read_text().splitlines() if ":" in line)
    assert [said[key].split() for key in ("Uid", "Gid", "Groups")] == [[str(OWNER)] * 4, [str(OWNER)] * 4, [str(OWNER)]]
    assert {0} != {one.lstat().st_uid for one in folder.data.rglob("*")}
    assert all(one.lstat().st_uid == OWNER for one in folder.data.rglob("*"))


GIVEN = [
    ["read", "given.png"],
    ["read", "given.png", "--annotate", "drawn"],
    ["read", "pictures"],
    ["engine", "--deck", "given.toml"],
    ["wiring", "--settings", "given.toml"],
    ["sheet", "--deck", "given.toml", "root.pdf"],
]
"""Commands that read a file that was given to them."""


def test_a_file_is_read_as_its_owner(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What decodes a file that somebody else made has that user's rights, not root's."""
    (folder.around / "pictures").mkdir()
    for name in ("given.png", "given.toml", "pictures/given.png"):
        (folder.around / name).write_bytes(b"anything")
    for one in folder.around.rglob("*"):
        os.chown(one, OWNER, OWNER)

    def telling(real: Callable[..., Any]) -> Callable[..., Any]:
        def told(path: str | Path, *given: Any) -> Any:
            if Path(path).name.startswith("given"):
                print("read as", os.getresuid(), flush=True)
            return real(path, *given)

        return told

    monkeypatch.setattr(named_file, "read_file", telling(named_file.read_file))
    monkeypatch.setattr(files, "load_picture", telling(files.load_picture))
    theirs = ("given.png", "given.toml", "pictures", "drawn")
    for command in GIVEN:
        words = [
            str(folder.around / one) if one in theirs else str(tmp_path / one) if "root." in one else one
            for one in command
        ]
        lines = printed(words, tmp_path / "said").splitlines()
        said = [line for line in lines if line.startswith("read as")]
        assert said, (command, lines)
        assert {str(OWNER)} == {line.split(", ")[1] for line in said}, command


def test_files_of_two_users_are_not_read_together(folder: Folder, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither may lead root, or the other, to anything."""
    paths = [folder.around / "one.png", folder.around / "other.png"]
    for path, owner in zip(paths, (OWNER, STRANGER), strict=True):
        path.write_bytes(b"anything")
        os.chown(path, owner, owner)
    assert forked(lambda: main(["read", *map(str, paths)])) == 2
    assert "as root, name files and folders of one user at a time." in capfd.readouterr().err


def test_a_folder_that_is_swapped_all_the_time(folder: Folder, file: Path) -> None:
    """While restores unpack, somebody puts links to root's folders in the place of theirs."""
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            for fresh in folder.data.glob(".restore-*"):
                with suppress(OSError):
                    (fresh / "decks").rename(fresh / "gone")
                with suppress(OSError):
                    (fresh / "decks").symlink_to(folder.treasure / "decks")

    attacker = threading.Thread(target=swap)
    attacker.start()
    try:
        for _ in range(5):
            folder.redirected(file, "restore")
    finally:
        over.set()
        attacker.join()
    assert folder.seen() == folder.before


# Whose rights --------------------------------------------------------------------------------------------------------


def test_whose_rights_a_folder_takes(folder: Folder, tmp_path: Path) -> None:
    """Its owner's; where root owns it, those of the user who owns a folder or a link on the way to it."""

    def user(path: Path) -> int:
        owner = privileges.foreign_owner(path)
        return 0 if owner is None else owner.st_uid

    (folder.around / "roots").mkdir()
    (tmp_path / "link").symlink_to(folder.data)
    folder.link("astray", "decks")
    (tmp_path / "chain").symlink_to(folder.around / "astray")
    (folder.data / "other").mkdir()
    os.chown(folder.data / "other", STRANGER, STRANGER)
    found = {
        "data": user(folder.data),
        "missing": user(folder.data / "a" / "b"),
        "root's in theirs": user(folder.around / "roots"),
        "a link to theirs": user(tmp_path / "link"),
        "a link of theirs": user(folder.around / "astray"),
        "root's link to a link of theirs": user(tmp_path / "chain"),
        "another's in theirs": user(folder.data / "other"),
        "root's own": user(folder.treasure),
        "dots": user(folder.around / "roots" / ".." / ".." / ".."),
    }
    assert found == {
        **dict.fromkeys(("data", "missing", "root's in theirs", "a link to theirs", "a link of theirs"), OWNER),
        "root's link to a link of theirs": OWNER,
        "another's in theirs": STRANGER,
        "root's own": 0,
        "dots": 0,
    }


@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_folder_that_anyone_may_fill_is_refused(tmp_path: Path, mode: int, capfd: pytest.CaptureFixture[str]) -> None:
    """Root makes no data folder where anybody could make it first."""
    tmp_path.joinpath("open").mkdir()
    tmp_path.joinpath("open").chmod(mode)
    assert main(["games", "--data", str(tmp_path / "open" / "data")]) == 2
    assert "others may change" in capfd.readouterr().err


def test_root_opens_no_file_in_a_folder_of_others(
    folder: Folder, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not for a table of its own either: the shell does."""
    (tmp_path / "own").mkdir()
    Home(tmp_path / "own").store.close()
    before = set(folder.around.iterdir())
    words = ["backup", str(folder.around / "out.zip"), "--data", str(tmp_path / "own" / "data")]
    assert forked(lambda: main(words)) == 2
    advice = f"With sudo, let your shell open it: sudo dugout backup > {folder.around / 'out.zip'}"
    assert advice in capfd.readouterr().err
    assert set(folder.around.iterdir()) == before


# The doctor ----------------------------------------------------------------------------------------------------------


def as_user(user: int, work: Callable[[], object]) -> None:
    """Run this in a thread that is this user to the kernel: the C library would change all threads."""
    import ctypes

    def run() -> None:
        number = {"x86_64": 117, "aarch64": 147}[os.uname().machine]  # setresuid
        assert ctypes.CDLL(None).syscall(number, -1, user, -1) == 0
        work()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def test_a_strangers_program_is_no_table(folder: Folder) -> None:
    """The doctor says nothing at its socket, and believes nothing it says."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(running_table._socket_name(folder.data))
        as_user(STRANGER, listening.listen)
        with pytest.raises(ConnectionRefusedError):
            running_table.request_report(folder.data)
        as_user(OWNER, listening.listen)
        listening.settimeout(0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(running_table, "ANSWER_TIMEOUT_S", 0.1)
            with pytest.raises(running_table.TableNotAnsweringError):
                running_table.request_report(folder.data)


def test_a_table_answers_no_stranger(folder: Folder) -> None:
    """Only its own user and root hear about its parts and its log."""
    os.chown(folder.data, 0, 0)
    heard = list[object]()

    def work() -> None:
        try:
            heard.append(running_table.request_report(folder.data).log)
        except OSError as error:
            heard.append(str(error))

    with closing(DoctorSocket(folder.data)) as table:
        table.start_answering(lambda: TableReport(FIGURES, ["one line"]))
        for user in (0, STRANGER):
            as_user(user, work)
    as_user(0, work)
    words = "a table is running, but you can't query it. Run the doctor with sudo."
    assert heard == [["one line"], words, "[Errno 111] Connection refused"]


def test_the_doctor_asks_as_root_and_writes_as_the_owner(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only root may know is in the bundle."""
    monkeypatch.setattr(machine, "command_output", lambda words: f"{words[0]} asked by {os.geteuid()}\n")
    folder.redirected(tmp_path / "send.zip", "doctor", "--bundle")
    with zipfile.ZipFile(tmp_path / "send.zip") as packed:
        assert packed.read("log.txt") == b"journalctl asked by 0\n"
