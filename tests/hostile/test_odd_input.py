"""Files and lines of strangers end in one clear line: soon, in little memory, and nothing is replaced."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from device import named_file
from device.storage.store import Store
from engine.journal import Source, Undo
from tests.device.process import COLD, Program
from tests.device.storage import recorded_writer
from tests.hostile.attack import dugout, refused
from tests.web.phones import phone, small_ball
from web.app import create_app

HEAD = '[deck]\ngame = "small-ball"\ntitle = "Odd"\n'
BRACKETS = "x = " + "[" * 3000 + "]" * 3000
LINES = "x = " + "[\n" * 3000 + "]" * 3000
DOTTED = ".".join("a" * 20_000) + " = 1"
QUIET = '[camera]\nsource = "none"\n[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n'


def text(folder: Path, words: str) -> Path:
    (folder / "odd.toml").write_text(words + "\n")
    return folder / "odd.toml"


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "odd.pipe")
    return folder / "odd.pipe"


def device(folder: Path) -> Path:
    """A device that never ends; only root can make one elsewhere than in /dev."""
    return Path("/dev/zero")


NO_FILES: list[Callable[[Path], Path]] = [pipe, device]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (BRACKETS, "has a line of more than 4096 letters: line 1."),
        (LINES, "has too many brackets in brackets."),
        (DOTTED, "has a line of more than 4096 letters: line 1."),
        (DOTTED[:4000], "has a line of more than 200 dots: line 1."),
        ("x = " + "9" * 4000 + "9" * 90, "line 1, x: there is no such setting"),
        ("#" * 80 + "\n" + ("#" * 999 + "\n") * 99, "cannot read it: it is larger than 64 kB."),
        (r'data = "/tmp/a\u0000b"', "line 1, data: needs characters that everybody can see"),
        ('[web]\nname = "a\\u001b[2Jb"', "line 2, web.name: needs characters that everybody can see"),
        ('[game]\ndecks = ["a\\u0000.toml"]', "line 2, game.decks: needs characters that everybody can see"),
    ],
)
@pytest.mark.slow
def test_odd_settings(tmp_path: Path, words: str, reason: str) -> None:
    """The line names the file and the reason."""
    said = refused("games", "--settings", text(tmp_path, words))
    assert "odd.toml" in said
    assert reason in said


@pytest.mark.slow
def test_thousands_of_faults_in_settings_are_cut(tmp_path: Path) -> None:
    """The first ones are listed, and how many more there are; keys cannot command a terminal."""
    keys = "".join(f'"k\\u001b[2J{number}" = 1\n' for number in range(2000))
    ended = dugout("games", "--settings", text(tmp_path, keys))
    assert (2, 21) == (ended.status, len(ended.err.splitlines()))
    assert "and 1980 more." in ended.err.splitlines()[-1]
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.slow
def test_no_file_is_no_settings(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    odd = make(tmp_path)
    assert f"dugout: {odd}: cannot read it: it is not a regular file." == refused("games", "--settings", odd)


@pytest.mark.parametrize("words", [BRACKETS, LINES, DOTTED, HEAD + BRACKETS, HEAD + LINES, HEAD + DOTTED])
@pytest.mark.slow
def test_odd_decks(tmp_path: Path, words: str) -> None:
    said = json.loads(refused("engine", "--deck", text(tmp_path, words)))
    assert "deck" == said["error"]["kind"]
    assert said["error"]["sentence"].startswith("odd.toml: has ")


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.slow
def test_no_file_is_no_deck(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    """Whichever command reads it."""
    odd = make(tmp_path)
    reason = f"{odd}: cannot be read: it is not a regular file."
    assert reason == json.loads(refused("engine", "--deck", odd))["error"]["sentence"]
    assert f"dugout sheet: {reason}" == refused("sheet", "--deck", odd, tmp_path / "x.pdf")
    file = text(tmp_path, f'[game]\ndecks = ["{odd}"]\n{QUIET}')
    assert f"dugout: {reason}" == refused("run", "--settings", file, "--data", tmp_path / "data")


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.slow
def test_no_file_is_no_backup(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    """Restoring it leaves the games as they were."""
    data = games(tmp_path)
    before = (data / "journal.db").read_bytes()
    odd = make(tmp_path)
    said = refused("restore", odd, "--data", data)
    assert f"dugout: {odd}: it is not a regular file." == said
    assert before == (data / "journal.db").read_bytes()


def games(folder: Path) -> Path:
    with closing(Store(folder / "data" / "journal.db")) as store:
        store.begin_game(recorded_writer.table())
    return folder / "data"


@pytest.mark.slow
def test_a_backup_replaces_no_pipe_device_or_folder(tmp_path: Path) -> None:
    """As root, `dugout backup /dev/null` would leave the machine without one."""
    data, odd = games(tmp_path), pipe(tmp_path)
    reason = "it is not a regular file."
    assert f"dugout: {odd}: {reason}" == refused("backup", odd, "--data", data)
    assert f"dugout sheet: {odd}: {reason}" == refused("sheet", odd)
    assert stat.S_ISFIFO(odd.stat().st_mode)
    if os.geteuid() == 0:
        node = tmp_path / "null"
        try:
            os.mknod(node, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("This machine lets nobody make a device.")
        assert f"dugout: {node}: {reason}" == refused("backup", node, "--data", data)
        assert stat.S_ISCHR(node.stat().st_mode)
    assert f"dugout: {tmp_path}: Is a directory." == refused("backup", tmp_path, "--data", data)


def test_a_path_with_a_nul(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="a path cannot contain a NUL character"):
        named_file.read_file(tmp_path / "a\0b", 100)


def png(file: Path, width: int, height: int) -> Path:
    """Write a black picture, which takes a thousandth of its pixels on the disk."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(1)
    rows = b"\0" * ((width + 1) * 100)
    data = b"".join(packer.compress(rows) for _ in range(height // 100)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
    return file


@pytest.mark.slow
def test_a_huge_picture_is_not_unpacked(tmp_path: Path) -> None:
    """30,000 by 30,000 pixels take 4 MB on the disk and gigabytes in memory. The next picture is still read."""
    huge, small = png(tmp_path / "huge.png", 30_000, 30_000), png(tmp_path / "small.png", 400, 400)
    ended = dugout("read", huge, small)
    assert 2 == ended.status
    assert f"dugout read: {huge} has more than 32 million pixels: make it smaller.\n" == ended.err
    assert ended.out.startswith(f"{small}: no dice")


def test_a_pipe_is_no_picture(tmp_path: Path) -> None:
    odd = pipe(tmp_path)
    assert f"dugout read: {odd} is not a file." == refused("read", odd)


ODD_LINES = [
    (b'\xff\xfe{"view": null}', "Not UTF-8, from character 1."),
    (b'{"view": "\xc3"}', "Not UTF-8, from character 11."),
    (b"[" * 5_000_000, "A command has at most 64 kB."),
    (b"[" * 60_000, "Not JSON:"),
    (b'{"view": "\\ud800"}', "view: must be away, home or null"),
    (b"\0", "Not JSON:"),
]


@pytest.mark.slow
def test_odd_lines_to_the_engine() -> None:
    """Each is refused in one line, and the next command is carried out."""
    given = b"".join(line + b'\n{"journal": true}\n' for line, _ in ODD_LINES)
    ended = dugout("engine", given=given, env={"PYTHONIOENCODING": "utf-8:strict"})
    said = [json.loads(line) for line in ended.out.splitlines()][1:]
    assert (0, 2 * len(ODD_LINES)) == (ended.status, len(said))
    for (_, reason), odd, journal in zip(ODD_LINES, said[::2], said[1::2], strict=True):
        assert "invalid" == odd["error"]["kind"]
        assert reason in odd["error"]["sentence"]
        assert "journal" in journal


@pytest.mark.slow
def test_a_line_prints_no_commands_to_the_terminal(tmp_path: Path) -> None:
    """Neither from a file's name nor from what is in it."""
    odd = tmp_path / "a\x1b[2J\u202eb.toml"
    odd.write_text('[deck]\ngame = "\\u001b]0;owned\\u0007"\n')
    for words in (("games", "--settings", odd), ("engine", "--deck", odd), ("read", odd), ("restore", odd)):
        ended = dugout(*words)
        assert not {"\x1b", "\x07", "\u202e"} & set(ended.out + ended.err)
        assert "[2J" in ended.out + ended.err


@pytest.mark.slow
def test_a_deck_of_the_largest_size_is_read_in_time(tmp_path: Path) -> None:
    """Whatever its lines: as many dots as are allowed in each."""
    line = ".".join("ab") + "".join(f".{letter}" for letter in "abcdefghij" * 19) + " = 1\n"
    words = HEAD + "".join(f"a{number}.{line}" for number in range((250 << 10) // (len(line) + 7)))
    said = json.loads(refused("engine", "--deck", text(tmp_path, words)))
    assert "deck" == said["error"]["kind"]


@pytest.mark.slow
def test_an_undo_sent_four_times_takes_back_once() -> None:
    """A phone on a bad network repeats itself: without a version, each repetition took back another answer."""
    port = small_ball()
    for n, value in ((1, "bat"), (2, 2), (3, "bat"), (4, 2)):
        port.seats.answer_ask("away", n, value, Source.PHONE)
    with phone(create_app(port.port), "operator") as client:
        version = client.get("/api/view").json()["table"]["version"]
        sent = [{"n": None}, {"n": None, "version": None}, *4 * [{"n": None, "version": version}]]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda body: client.post("/api/undo", json=body).status_code, sent))
    assert ([422, 422], [200, 409, 409, 409]) == (answers[:2], sorted(answers[2:]))
    assert 1 == sum(isinstance(entry, Undo) for entry in port.game.table.journal)


@pytest.mark.slow
def test_bad_requests_write_no_lines(tmp_path: Path) -> None:
    """Rubbish, however often it is sent, cannot fill the card; the page is served meanwhile."""
    with (tmp_path / "log").open("w+") as log, Program(tmp_path, log=log) as program:
        for _ in range(40):
            with closing(socket.create_connection(("127.0.0.1", program.port), 100)) as guest:
                guest.sendall(b"\xff\xfe\0 rubbish\r\n\r\n")
                assert b" 400 " in guest.recv(100)
        assert 200 == program.client.get("/").status_code
    assert "" == (tmp_path / "log").read_text()


def filled(head: str, line: Callable[[int], str]) -> str:
    """Return a text of 250 kB."""
    lines, size = [head], len(head)
    while size < 250_000:
        lines.append(line(len(lines)))
        size += len(lines[-1])
    return "".join(lines)


def memory(process: int, what: str) -> float:
    """Return VmRSS or VmHWM of a process, in megabytes."""
    found = re.search(rf"{what}:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1000


@pytest.mark.slow
def test_large_decks_looked_at_by_many_take_little_memory(tmp_path: Path) -> None:
    """Ten files full of faults, and eight phones that ask for them at once: each is read once, one after the other."""
    (tmp_path / "decks").mkdir()
    with Program(tmp_path, start=COLD) as program:
        assert 200 == program.client.get("/decks").status_code
        before = memory(program.process.pid, "VmRSS")
        for number in range(10):
            line = [lambda n: f"a{n} = 1\n", lambda n: f"[[a{n}]]\n", lambda n: "[[player]]\n"][number % 3]
            text = filled(HEAD + ("[[player]]\n" if number % 3 == 0 else ""), line)
            (tmp_path / "decks" / f"odd-{number}.toml").write_text(text)

        def look(number: int) -> list[int]:
            own = httpx.HTTPTransport(local_address=f"127.0.3.{number + 1}")
            with httpx.Client(base_url=program.url, timeout=100, transport=own) as phone:
                paths = ("/decks", "/api/decks", "/api/catalogue", f"/decks/small-ball/odd-{number}")
                return [phone.get(path).status_code for path in paths]

        with ThreadPoolExecutor(8) as pool:
            assert [[200] * 4] * 8 == list(pool.map(look, range(8)))
        assert memory(program.process.pid, "VmHWM") - before < 80
