"""A backup from a stranger is only data: what is odd in it is refused, and harms no table, page or terminal."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.storage import backup_files, backup_reader, deck_editor, game_file
from device.storage.backup_files import FORMAT_FILE
from device.storage.backup_switch import JOURNAL_FILE
from device.storage.decks import MAX_OWN_DECKS, house_deck
from device.storage.league_files import MAX_LEAGUES
from device.storage.store import Store
from device.table.past_games import PastGames
from engine.games import GAMES
from engine.table import Table
from tests.device.commands.test_backup import CODES, KEYS, Home
from tests.device.storage import recorded_writer
from tests.device.storage.test_seat_settings import EVERYTHING, LEAGUE

Lines = list[Any]
Change = Callable[[Lines], object]

FIRST = "games/000001.jsonl"


class Stranger:
    """A backup `file` with two games, which a stranger changes; and the table `home`."""

    def __init__(self, folder: Path) -> None:
        for name in ("theirs", "mine"):
            (folder / name).mkdir()
        theirs, self.home = Home(folder / "theirs", 6), Home(folder / "mine", 3, seed=2)
        theirs.settings.unlink()
        second = recorded_writer.table()
        game = theirs.store.begin_game(second)
        recorded_writer.play(theirs.store, game, second, 4)
        self.file, made = folder / "b.zip", folder / "made.zip"
        with redirect_stdout(None):
            assert theirs.dugout("backup", made) == 0
        theirs.store.close()
        self.home.store.close()
        with zipfile.ZipFile(made) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}

    def lines(self) -> Lines:
        """Return the lines of the first game."""
        return [json.loads(line) for line in self.files[FIRST].splitlines()]

    def write(self, change: Change | None = None, files: Mapping[str, bytes] | None = None) -> None:
        """Change the lines of the first game, and pack it with the other files and these. RAW stands for raw JSON."""
        found = dict(self.files)
        if change is not None:
            change(lines := self.lines())
            found[FIRST] = "".join(f"{json.dumps(line)}\n" for line in lines).replace(f'"{RAW}"', DEEP).encode()
        self.file.write_bytes(zipped((found | dict(files or {})).items()))

    def restore(self) -> int:
        return self.home.dugout("restore", self.file)

    def contents(self) -> dict[Path, bytes]:
        """Return all files of the table."""
        return {path: path.read_bytes() for path in self.home.data.rglob("*") if path.is_file()}

    def games(self) -> list[int]:
        """Return the games on the page of all games, each of which is read and replayed as well."""
        journal = self.home.data / JOURNAL_FILE
        past = PastGames(journal, lambda: 0, lambda game, place: False)
        found = [one.id for one in past.games_page(1).games]
        for one in found:
            record = past.game_record(one)
            assert record is not None
            json.dumps([record.summary.name, record.trouble], ensure_ascii=False).encode()
            past.replay_part(one)
        return found

    def journal(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.home.data / JOURNAL_FILE)) as db:
            return db.execute(query, given).fetchall()


def zipped(files: Iterable[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Each of them changes the backup as it was made, and restores it over whatever was restored before."""
    return Stranger(tmp_path_factory.mktemp("stranger"))


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was printed; nothing in it may command a terminal."""
    out, err = capsys.readouterr()
    assert not [letter for letter in out + err if letter != "\n" and not letter.isprintable()]
    return out + err


def refused(stranger: Stranger, capsys: pytest.CaptureFixture[str], how: str) -> str:
    """Restore the backup, which is refused in one short line before anything has changed; return the line."""
    before = stranger.contents()
    assert stranger.restore() == 2, how
    (line,) = told(capsys).splitlines()
    assert len(line) < 600, how
    assert before == stranger.contents(), how
    return line


def test_codes_and_keys_stay_this_tables(stranger: Stranger) -> None:
    """No backup has any."""
    stranger.write()
    assert stranger.restore() == 0
    values = dict(stranger.journal("select key, value from meta"))
    assert (values["code"], values["key"]) == (CODES[2], KEYS[2])
    assert set(values) <= {"code", "key", "restored"}


# Values --------------------------------------------------------------------------------------------------------------

RAW, DEEP = "raw JSON", "[" * 100_000 + "]" * 100_000
ESCAPES = "\x1b[2J\x1b]0;pwned\x07"
LONG = "x" * 100_000


def put(line: int, *path: str | int, value: object = RAW) -> tuple[int, Change]:
    """Return the number of a line, from 1 on, and what changes a value in it."""

    def change(lines: Lines) -> None:
        found = lines[line - 1]
        for one in path[:-1]:
            found = found[one]
        found[path[-1]] = value

    return line, change


def more(line: int, value: object) -> tuple[int, Change]:
    """Return the number of a line, and what puts another one before it."""
    return line, lambda lines: lines.insert(line - 1, value)


ODD: dict[str, tuple[int, Change]] = {
    "deep header": put(1, "header"),
    "deep decks": put(2, "source"),
    "deep answer": put(3, "entry", "value"),
    "deep view": put(9, "shown"),
    "deep settings of seats": put(1, "standing"),
    "escapes in the header": put(1, "header", "house", value={"awayTeam": ESCAPES}),
    "an unknown game with escapes": put(1, "header", "game", value=ESCAPES),
    "a long header": put(1, "header", "game", value=LONG),
    "no list of decks": put(1, "header", "decks", value={"a": 1}),
    "more decks than there are": (3, lambda lines: lines[0]["header"].update(decks=[1] * 2000)),
    "escapes in a deck's name": put(2, "file", value=ESCAPES),
    "a number for a deck": put(2, "source", value=7),
    "a dotted key in a deck": put(2, "source", value=".".join("a" * 20_000) + " = 1"),
    "a large deck": put(2, "source", value="#" * (deck_editor.MAX_DECK_BYTES + 1)),
    "a deck more": more(3, {"file": "x", "source": "y"}),
    "a deck less": (2, lambda lines: lines.pop(1)),
    "an answer of no seat": put(3, "entry", "seat", value="umpire"),
    "an answer to no number": put(3, "entry", "n", value=-1),
    "a huge answer": put(3, "entry", "value", value=LONG * 4),
    "a huge number": put(3, "entry", "value", value=10**400),
    "no number": put(3, "entry", "value", value=float("nan")),
    "no answer": put(3, "entry", value=[]),
    "a line of another kind": more(3, ["entry"]),
    "a line longer than any": more(3, LONG * 30),
    "something else with an answer": put(3, "more", value=1),
    "something else with a game": put(1, "id", value=7),
    "a line after the end": more(10, {"shown": None}),
    "no end": (9, lambda lines: lines.pop()),
    "escapes in a view": put(9, "shown", "scoreboard", "sides", "away", "name", value=ESCAPES),
    "a long text in a view": put(9, "shown", "scoreboard", "sides", "away", "name", value=LONG),
    "a huge number in a view": put(9, "shown", "plays", value=2**62),
    "a name with escapes": put(1, "name", value=ESCAPES),
    "a long name": put(1, "name", value="x" * 41),
    "no turn": put(1, "turn", value=0),
    "a turn that is true": put(1, "turn", value=True),
    "a turn beyond all turns": put(1, "turn", value=2**63 - 1),
    "settings of no seat": put(1, "standing", value={"when": {"umpire": {}}}),
    "a person with a name for a key": put(1, "standing", value={"people": {"home": "Ann Lee"}}),
    "a league with escapes": put(1, "standing", value={"league": LEAGUE | {"league": ESCAPES}}),
    "a huge fixture": put(1, "standing", value={"league": LEAGUE | {"fixture": 10**9}}),
    "settings that are not known": put(1, "standing", value={"pace": "slow"}),
    "escapes in who answered": put(3, "source", value=ESCAPES),
    "a long text for who answered": put(3, "source", value=LONG),
    "escapes for a time": put(3, "at", value=ESCAPES),
    "no time": put(3, "at", value="today"),
    "no time of a start": put(1, "started", value=7),
}


def test_a_game_with_odd_values_is_refused(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """The command names the file, the line and the reason; nothing of it is taken."""
    for how, (line, change) in ODD.items():
        stranger.write(change)
        assert f": {FIRST}, line {line}: " in refused(stranger, capsys, how), how


BROKEN = [b"no", b"\xff\xfe", b"{}", b"null", b"[" * 100_000, b"\0" * 99, b"\n\n", b""]


def test_lines_that_are_none_are_refused(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    for text in BROKEN:
        stranger.write(files={FIRST: text})
        assert f": {FIRST}, line 1: " in refused(stranger, capsys, repr(text[:9]))


def test_more_answers_than_any_game_has(
    stranger: Stranger, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_file, "MAX_ANSWERS", 5)
    stranger.write()
    assert f": {FIRST}, line 9: it is more than a game has." in refused(stranger, capsys, "answers")


HARMLESS: dict[str, tuple[int, Change]] = {
    "a number for a game": put(1, "header", "game", value=3),
    "no game at all": (1, lambda lines: lines[0]["header"].pop("game")),
    "a list for a version": put(1, "header", "version", value=["x" * 999] * 99),
    "a number for house rules": put(1, "header", "house", value=3),
    "a list for names": put(1, "header", "names", value=[["away"]]),
    "an object for a digest": put(1, "header", "decks", 0, value={"sha256": {}}),
    "other cards": put(1, "header", "decks", 0, "sha256", value="0"),
    "an answer that is not legal": put(3, "entry", "value", value="unknown"),
    "an answer of the other seat": put(3, "entry", "n", value=7),
    "a list for a view": put(9, "shown", value=[]),
    "no view": put(9, "shown", value=None),
    "another score": put(9, "shown", "scoreboard", "sides", "away", "runs", value=99),
    "an outcome": put(9, "shown", "outcome", value="over"),
    "a list of runs": put(9, "shown", "scoreboard", "sides", "away", "runs", value=[1]),
    "a number for where it stands": put(9, "shown", "scoreboard", "panel", value={"stands": 3}),
}


def test_what_the_rules_do_not_read_harms_nobody(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """The game is in the list, with what it showed last, as one of older rules is; the other one is on the table."""
    for how, (_, change) in HARMLESS.items():
        stranger.write(change)
        assert stranger.restore() == 0, how
        assert "2 games restored. What" in told(capsys), how
        assert stranger.games() == [2, 1], how
        assert stranger.home.dugout("games") == 0, how
        assert len(told(capsys)) < 1000, how
        with closing(Store(stranger.home.data / JOURNAL_FILE)) as store:
            assert store.trouble is None
            saved = store.load_game(1)
            assert saved is not None
            assert len(saved.trouble or "") < 300, how


@pytest.mark.parametrize("key", GAMES)
def test_games_of_all_rulebooks_come_back_as_they_were(tmp_path: Path, key: str) -> None:
    """Header, decks, answers and what is shown: byte by byte, also under new checksums."""
    (tmp_path / "mine").mkdir()
    home = Home(tmp_path / "mine", 2)
    random = Random(3)
    at = Table(GAMES[key], [house_deck(GAMES[key])], {})
    game = home.store.begin_game(at)
    for _ in range(30):
        for n, ask in at.open_asks()[:1]:
            at.answer_ask(ask.seat, n, random_player.pick_answer(at.ask_view(n, ask, ask.seat, dealer=True), random))
            home.store.append(game, at, "phone")
    home.store.save_seat_settings(game, EVERYTHING.json_text)
    home.store.rename_game(game, "Ümläute Ω")
    home.store.close()
    assert home.dugout("backup", tmp_path / "b.zip") == 0

    def rows() -> list[list[tuple[Any, ...]]]:
        with closing(sqlite3.connect(home.data / JOURNAL_FILE)) as db:
            tables = ("game", "entry", "turn")
            return [
                db.execute(f"select * from {one} where {'id' if one == 'game' else 'game'} = ?", (game,)).fetchall()
                for one in tables[:2]
            ] + [db.execute("select game, name, standing from turn").fetchall()]

    before = rows()
    assert home.dugout("restore", tmp_path / "b.zip") == 0
    assert rows() == before


# Files ---------------------------------------------------------------------------------------------------------------


def png(width: int, height: int, tail: bytes = b"") -> bytes:
    return backup_files.PNG_HEADER + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(20) + tail


FILES = [
    ("decks/deck.toml", b"a = " + b"[" * 3000),
    ("decks/deck.toml", b"\xff\xfe"),
    ("decks/deck.toml", b"#" * 300_000),
    ("decks/\x1b[2J.toml", b"[deck]\ngame = 'small-ball'\ntitle = 'x'\n"),
    ("decks/notes.txt", b"x"),
    ("decks/a/deck.toml", b"[deck]\ngame = 'small-ball'\ntitle = 'x'\n"),
    ("trays/cam-1x1/tray.json", b'{"outline": ' + DEEP.encode()[:2000] + DEEP.encode()[-2000:] + b"}"),
    ("trays/cam-1x1/tray.json", b"[]"),
    ("trays/cam-1x1/empty-00000000.png", png(30_000, 30_000)),
    ("trays/cam-1x1/empty-00000000.png", b"GIF89a"),
    ("trays/cam-1x1/dice/x-1.die", png(9, 9, b"\n" + b"[" * 900 + b"]" * 900 + b"\n00000000")),
    ("trays/cam-1x1/lessons/000001-1-1.png", png(9, 9) + bytes(9 << 20)),
    ("leagues/summer.json", b"{"),
    ("leagues/summer.json", b"[]"),
    ("leagues/summer.json", b"[" * 100_000),
    ("leagues/summer.json", b"\xff\xfe"),
    ("leagues/summer.json", b" " * (5 << 20)),
    ("leagues/Summer.json", b"{}"),
    ("leagues/a/summer.json", b"{}"),
    ("leagues/summer.toml", b""),
    ("people.json", b'{"people": [{"key": "p1", "name": "\\u001b[2J", "colour": "red"}]}'),
    ("people.json", b"null"),
    ("people.json", b" " * (1 << 20)),
    ("trays/x.sh", b"#!/bin/sh"),
]
"""Files that a backup may not hold: by name, or by what is in them."""


def test_a_file_that_is_not_what_it_is_called_is_refused(
    stranger: Stranger, capsys: pytest.CaptureFixture[str]
) -> None:
    """And named."""
    for name, data in FILES:
        stranger.write(files={name: data})
        shown = name.replace("\x1b", "")
        assert re.search(f"/b.zip: {re.escape(shown)}[:,] ", refused(stranger, capsys, name)), name


def test_who_may_reach_the_pages_is_not_restored(stranger: Stranger) -> None:
    """`data` and `[web]` stay this machine's; the rest comes from the backup, with its comments."""
    home = stranger.home
    home.settings.write_text('data = "/srv/mine"\npoweroff = true\n[web]\nhost = "127.0.0.1"\nport = 8123\n')
    theirs = b'data = "/etc"\n# theirs\n[camera]\nshow = 2.0\n[web]\nhost = "0.0.0.0"\nname = "evil.example"\n'
    stranger.write(files={"settings.toml": theirs})
    assert stranger.restore() == 0
    wanted = 'data = "/srv/mine"\n\n# theirs\n[camera]\nshow = 2.0\n\n[web]\nhost = "127.0.0.1"\nport = 8123\n'
    assert "".join(home.settings.read_text().split()) == "".join(wanted.split())


MADE = {FORMAT_FILE: backup_files.FORMAT_CONTENT, FIRST: b""}


def packed(files: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return the archive of a backup with these files more."""
    return zipped({**MADE, **files}.items(), how)


def with_a_list_elsewhere() -> bytes:
    """Return a sound archive whose end, as in one of more than 4 GB, names a list of any length."""
    one = packed({})
    end, size, place = one[-22:], int.from_bytes(one[-10:-6], "little"), int.from_bytes(one[-6:-2], "little")
    larger = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, len(MADE), len(MADE), size, place)
    return one[:-22] + larger + struct.pack("<4sLQL", b"PK\6\7", 0, len(one) - 22, 1) + end


WRITES, END = "Dugout writes no such file: ", "it does not end as a ZIP file of Dugout does."
ONCE = "it needs one backup.json, and each name once."

BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "too many files": (
        lambda: packed({f"games/{n:06}.jsonl": b"" for n in range(1, 17_000)}),
        "it holds too many files.",
    ),
    "too many decks": (
        lambda: packed({f"decks/{n}.toml": b"" for n in range(MAX_OWN_DECKS + 1)}),
        "more than 200 decks.",
    ),
    "too many leagues": (
        lambda: packed({f"leagues/{n}.json": b"" for n in range(MAX_LEAGUES + 1)}),
        "more than 100 leagues.",
    ),
    "a huge game": (lambda: packed({FIRST: bytes(33 << 20)}), f": {FIRST}: it is larger than 32 MiB."),
    "a line without an end": (lambda: packed({FIRST: b"[" + b" " * (31 << 20)}), ", line 1: it is longer than 2 MiB."),
    "another compression": (lambda: packed({}, zipfile.ZIP_LZMA), WRITES),
    "a comment": (lambda: packed({})[:-2] + b"\x04\x00abcd", END),
    "a larger list elsewhere": (with_a_list_elsewhere, END),
    "a list beyond all": (lambda: packed({})[:-10] + b"\xff" * 8 + bytes(2), "it holds too many files."),
    "two of a name": (
        lambda: packed({"decks/a.toml": b"", "decks/b.toml": b""}).replace(b"decks/b.toml", b"decks/a.toml"),
        ONCE,
    ),
    "a way out": (lambda: packed({"../evil": b""}), WRITES),
    "a way out of a folder": (lambda: packed({"decks/../../evil": b""}), WRITES),
    "a path from the root": (lambda: packed({"/etc/evil": b""}), WRITES),
    "a program": (lambda: packed({"games/evil.py": b""}), WRITES),
    "a game without a number": (lambda: packed({"games/000000.jsonl": b""}), WRITES),
    "a game with too high a number": (lambda: packed({f"games/{2**63 - 1}.jsonl": b""}), WRITES),
    "both formats": (lambda: packed({"journal.db": b""}), ONCE),
    "neither format": (lambda: zipped([(FIRST, b"")]), ONCE),
    "nothing": (lambda: zipped([]), ONCE),
}


def test_archives_that_are_not_ours(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused in one line before anything has changed."""
    for how, (bomb, words) in BOMBS.items():
        stranger.file.write_bytes(bomb())
        assert words in refused(stranger, capsys, how), how


def test_a_sound_archive_may_be_without_games(stranger: Stranger) -> None:
    """As the backup of a table where nobody has played yet."""
    stranger.file.write_bytes(zipped([(FORMAT_FILE, MADE[FORMAT_FILE])]))
    assert stranger.restore() == 0
    assert stranger.games() == []


def test_games_that_are_too_large_together(
    stranger: Stranger, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_reader, "MAX_GAMES_BYTES", 1000)
    stranger.write()
    assert "MiB of games." in refused(stranger, capsys, "games")


@pytest.mark.slow
def test_random_damage_is_refused_or_harmless(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes of a game, or of the archive, changed at random: the command ends in a line, and the games are readable
    afterwards."""
    random = Random(4)
    for number in range(120):
        spoiled = bytearray(stranger.files[FIRST] if number % 2 else zipped(stranger.files.items()))
        for _ in range(random.choice((1, 4, 30))):
            spoiled[random.choice((random.randrange(200), random.randrange(len(spoiled))))] = random.randrange(256)
        if number % 2:
            stranger.write(files={FIRST: bytes(spoiled)})
        else:
            stranger.file.write_bytes(spoiled)
        status = stranger.restore()
        assert status in (0, 2)
        assert len(told(capsys).splitlines()) == 1
        assert stranger.games()
