"""A backup from a stranger is only data: what is odd in it, however well sealed, harms neither pages nor terminals."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.storage import backup_reader, foreign_journal, game_list, hash_chain
from device.storage.backup_switch import JOURNAL
from device.storage.decks import house_deck
from device.storage.game_list import GameRow
from device.storage.store import Store
from device.table.past_games import PastGames
from engine.games import GAMES
from engine.table import Table
from tests.device.commands.test_backup import CODES, KEYS, Home
from tests.device.storage import recorded_writer

Change = Callable[[sqlite3.Connection], object]


class Stranger:
    """A backup `file` with two games, whose journal a stranger changes and seals again; and the table `home`."""

    def __init__(self, folder: Path) -> None:
        for name in ("theirs", "mine"):
            (folder / name).mkdir()
        theirs, self.home = Home(folder / "theirs", 6), Home(folder / "mine", 3, seed=2)
        theirs.settings.unlink()
        second = recorded_writer.table()
        game = theirs.store.begin(second)
        recorded_writer.play(theirs.store, game, second, 4)
        self.file, self.made = folder / "b.zip", folder / "made.zip"
        with redirect_stdout(None):
            assert theirs.dugout("backup", self.made) == 0
        theirs.store.close()
        self.home.store.close()
        self.folder = folder

    def write(self, change: Change, files: Mapping[str, bytes] | None = None, seal: bool = True) -> None:
        """Change the journal, give it right checksums, and pack it with other files."""
        with zipfile.ZipFile(self.made) as packed:
            found = {name: packed.read(name) for name in packed.namelist()}
        journal = self.folder / "foreign.db"
        journal.write_bytes(found[JOURNAL])
        with closing(sqlite3.connect(journal, isolation_level=None)) as db:
            change(db)
            if seal:
                for (game,) in db.execute("select id from game").fetchall():
                    hash_chain.add_game_checksums(db, game)
                for game, *columns in db.execute("select game, turn, name, rev, standing from turn").fetchall():
                    game_list.put(db, game, GameRow(*columns))
        found[JOURNAL] = journal.read_bytes()
        found |= files or {}
        with zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in found.items():
                packed.writestr(name, data)

    def restore(self) -> int:
        return self.home.dugout("restore", self.file)

    def contents(self) -> dict[Path, bytes]:
        """Return all files of the table."""
        return {path: path.read_bytes() for path in self.home.data.rglob("*") if path.is_file()}

    def games(self) -> list[int]:
        """Return the games on the page of all games, each of which is read and replayed as well."""
        journal = self.home.data / JOURNAL
        past = PastGames(journal, lambda: 0, lambda game, place: False)
        found = [one.id for one in past.games(1).games]
        for one in found:
            record = past.game(one)
            assert record is not None
            json.dumps([record.summary.name, record.trouble], ensure_ascii=False).encode()
            past.replay(one)
        return found

    def journal(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.home.data / JOURNAL)) as db:
            return db.execute(query, given).fetchall()


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Each of them changes the backup as it was made, and restores it over whatever was restored before."""
    return Stranger(tmp_path_factory.mktemp("stranger"))


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was printed; nothing in it may command a terminal."""
    out, err = capsys.readouterr()
    assert not [letter for letter in out + err if letter != "\n" and not letter.isprintable()]
    return out + err


# SQL -----------------------------------------------------------------------------------------------------------------

CODE = "insert or replace into meta (key, value) values ('code', '000000')"

SCHEMAS = {
    "trigger": f"create trigger t after insert on entry begin {CODE}; end",
    "trigger on delete": "create trigger t before delete on game begin select raise(ignore); end",
    "view": "create view v as select * from game",
    "another table": "create table other (a)",
    "index": "create index i on entry (length(body))",
    "unique index": "create unique index i on entry (game, place)",
    "virtual table": "create virtual table v using fts5 (a)",
    "view for a table": "alter table entry rename to e; create view entry as select * from e",
    "generated column": "drop table turn; create table turn (game integer primary key, turn integer, name text, "
    "rev integer, seal text, standing text as (hex(seal)))",
    "check": "drop table turn; create table turn (game integer primary key check (length(printf('%.*c', 9, 'x'))), "
    "turn integer not null, name text not null, rev integer not null, seal text not null, standing text) strict",
    "another column": "alter table meta add column other text",
}


def test_what_sqlite_would_run_is_refused(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """Triggers, views and whatever else is not exactly a journal's table; nothing has changed."""
    before = stranger.contents()
    for how, schema in SCHEMAS.items():
        stranger.write(lambda db, schema=schema: db.executescript(schema), seal=False)  # type: ignore[misc]
        assert stranger.restore() == 2, how
        assert "has other tables than a journal" in told(capsys), how
        assert before == stranger.contents(), how


def test_codes_and_keys_stay_this_tables(stranger: Stranger) -> None:
    """Whatever the backup says about them, and whatever else it stores as a value."""

    def plant(db: sqlite3.Connection) -> None:
        for key in ("code", "key", "lit", "epoch of away", "more"):
            hash_chain.put_value(db, key, "9" * 6)

    stranger.write(plant)
    assert stranger.restore() == 0
    values = dict(stranger.journal("select key, value from meta"))
    assert (values["code"], values["key"]) == (CODES[2], KEYS[2])
    assert set(values) <= {"code", "key", "restored"}


def test_a_file_that_leads_in_circles_ends(stranger: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query that goes on and on is ended, and the backup refused."""
    monkeypatch.setattr(foreign_journal, "PATIENCE", -1.0)
    real = foreign_journal._is_ours

    def endless(db: sqlite3.Connection) -> bool:
        assert real(db)
        db.execute("with recursive n (n) as (select 1 union all select n + 1 from n) select count(*) from n").fetchone()
        return True

    monkeypatch.setattr(foreign_journal, "_is_ours", endless)
    stranger.write(lambda db: None)
    assert stranger.restore() == 2


# Values --------------------------------------------------------------------------------------------------------------

DEEP = "[" * 100_000 + "]" * 100_000
ESCAPES = "\x1b[2J\x1b]0;pwned\x07"
LONG = "x" * 100_000


def value(table: str, column: str, new: object, where: str = "") -> Change:
    return lambda db: db.execute(f"update {table} set {column} = ? {where}", (new,))


def in_json(table: str, column: str, path: str, new: object, where: str = "") -> Change:
    return lambda db: db.execute(f"update {table} set {column} = json_set({column}, ?, ?) {where}", (path, new))


FIRST = "where id = 1"

ODD: dict[str, Change] = {
    "deep header": value("game", "header", DEEP, FIRST),
    "deep decks": value("game", "decks", DEEP, FIRST),
    "deep answer": value(
        "entry", "body", f'{{"seat": "away", "n": 0, "value": {DEEP}}}', "where game = 1 and place = 0"
    ),
    "escapes in the header": in_json("game", "header", "$.house", f'{{"awayTeam": "{ESCAPES}"}}', FIRST),
    "an unknown game with escapes": in_json("game", "header", "$.game", ESCAPES, FIRST),
    "a number for a game": in_json("game", "header", "$.game", 3, FIRST),
    "a long header": in_json("game", "header", "$.game", LONG, FIRST),
    "escapes in a deck's name": in_json("game", "decks", "$[0].file", ESCAPES, FIRST),
    "a list for a deck": in_json("game", "decks", "$[0].source", 7, FIRST),
    "a dotted key in a deck": in_json("game", "decks", "$[0].source", ".".join("a" * 20_000) + " = 1", FIRST),
    "an answer of no seat": value("entry", "body", '{"seat": "umpire", "n": 0, "value": 1}', "where game = 1"),
    "a huge answer": value(
        "entry", "body", json.dumps({"amend": 1, "value": LONG * 4}), "where game = 1 and place = 1"
    ),
    "JSON that is none": value("entry", "body", "no", "where game = 1 and place = 1"),
}


def test_a_game_with_odd_values_is_left_out(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """The command says so; the other game is there, on the pages and in the list."""
    for how, change in ODD.items():
        stranger.write(change)
        assert stranger.restore() == 0, how
        assert "1 game restored. Left out, because nothing here writes such data: 1 game." in told(capsys), how
        assert stranger.games() == [2], how
        assert stranger.home.dugout("games") == 0, how
        assert len(told(capsys)) < 1000, how


SHOWN: dict[str, Change] = {
    "deep": value("game", "snapshot", DEEP, FIRST),
    "none": value("game", "snapshot", "[]", FIRST),
    "escapes": in_json("game", "snapshot", "$.scoreboard.sides.away.name", ESCAPES, FIRST),
    "long": in_json("game", "snapshot", "$.scoreboard.sides.away.name", LONG, FIRST),
    "a list of runs": in_json("game", "snapshot", "$.plays", 2**62, FIRST),
    "an outcome": in_json("game", "snapshot", "$.outcome", "over", FIRST),
    "where it stands": in_json("game", "snapshot", "$.scoreboard.panel.stands", ESCAPES, FIRST),
}


def test_what_a_game_shows_comes_from_its_answers(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """A snapshot that is odd costs a game nothing as long as the rules can read its answers."""
    before = written(stranger.made, "select snapshot from game where id = 1")
    for how, change in SHOWN.items():
        stranger.write(change)
        assert stranger.restore() == 0, how
        assert "2 games restored. What" in told(capsys), how
        assert stranger.journal("select snapshot from game where id = 1") == before, how
        assert stranger.games() == [2, 1], how


def written(file: Path, query: str) -> list[tuple[Any, ...]]:
    """Ask the journal in a backup."""
    with zipfile.ZipFile(file) as packed, closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(packed.read(JOURNAL))
        return db.execute(query).fetchall()


OLD_RULES = in_json("game", "header", "$.version", 0, FIRST)


def with_old_rules(change: Change) -> Change:
    """Change a game that these rules cannot read, so that what it showed last is all there is."""

    def both(db: sqlite3.Connection) -> None:
        OLD_RULES(db)
        db.execute("update entry set body = json_set(body, '$.value', 'unknown') where game = 1 and place = 0")
        change(db)

    return both


def test_a_game_of_older_rules_is_kept_if_it_shows_nothing_odd(
    stranger: Stranger, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what it showed last, as on the table it was played at."""
    before = written(stranger.made, "select snapshot from game where id = 1")
    stranger.write(with_old_rules(lambda db: None))
    assert stranger.restore() == 0
    assert "2 games restored. What" in told(capsys)
    assert stranger.journal("select snapshot from game where id = 1") == before
    assert stranger.games() == [2, 1]
    for how, change in SHOWN.items():
        stranger.write(with_old_rules(change))
        assert stranger.restore() == 0, how
        assert "1 game restored. Left out" in told(capsys), how
        assert stranger.games() == [2], how


TURNS = [
    ("name", ESCAPES, "[2J]0;pwned"),
    ("name", LONG, ""),
    ("name", "Sunday", "Sunday"),
    ("standing", DEEP, ""),
    ("standing", '{"when": {"away": {"x": "sometimes"}}, "waits": {}}', ""),
    ("standing", '{"when": {"umpire": {}}, "waits": {}, "more": 1}', ""),
    ("standing", known := '{"when": {"away": {"cards": "never"}}, "waits": {"home": 3}}', known),
]
"""What a stranger writes for a game, and what is stored of it."""


def test_names_and_what_seats_are_asked(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """A name goes through the same check as a typed one; settings of seats that are unknown are the usual ones."""
    for column, odd, stored in TURNS:
        stranger.write(value("turn", column, odd, "where game = 1"))
        assert stranger.restore() == 0
        assert stranger.journal(f"select {column} from turn where game = 1") == [(stored,)], odd[:80]
        assert stranger.home.dugout("games") == 0
        assert len(told(capsys)) < 2000


def test_who_answered_and_when(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be seen, or is not a time, is left out; a game with a source beyond all measure is too."""
    for column, odd in (("source", ESCAPES), ("at", ESCAPES), ("at", "today")):
        stranger.write(value("entry", column, odd, "where game = 1 and place = 0"))
        assert stranger.restore() == 0
        assert stranger.journal(f"select {column} from entry where game = 1 and place = 0") == [("",)], odd
    stranger.write(value("entry", "source", LONG, "where game = 1 and place = 0"))
    told(capsys)
    assert stranger.restore() == 0
    assert "1 game restored. Left out" in told(capsys)


def test_a_new_game_has_a_number(stranger: Stranger) -> None:
    """Though a game has the highest that SQLite knows, and turns as high: the games get new numbers, in their order."""

    def highest(db: sqlite3.Connection) -> None:
        db.execute("update entry set game = ? where game = 1", (2**63 - 1,))
        db.execute("pragma foreign_keys = off")
        db.execute("update game set id = ? where id = 1", (2**63 - 1,))
        db.execute("update turn set game = ?, turn = 5, rev = ? where game = 1", (2**63 - 1, 2**63 - 1))
        db.execute("update turn set turn = ? where game = 2", (2**63 - 1,))

    stranger.write(highest)
    assert stranger.restore() == 0
    assert stranger.games() == [2, 1]
    with closing(Store(stranger.home.data / JOURNAL)) as store:
        latest = store.latest()
        assert latest is not None
        assert latest.table is not None
        assert len(latest.table.journal) == 4, "the same game is on the table"
        assert store.begin(recorded_writer.table()) == 3


def test_all_odd_is_no_backup(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no game can be read nothing is restored."""
    stranger.write(value("game", "header", DEEP))
    assert stranger.restore() == 2
    assert "the journal in the backup has no game that can be read." in told(capsys)


@pytest.mark.parametrize("key", GAMES)
def test_games_of_all_rulebooks_come_back_as_they_were(tmp_path: Path, key: str) -> None:
    """Header, decks, answers and what is shown: byte by byte, also under new checksums."""
    (tmp_path / "mine").mkdir()
    home = Home(tmp_path / "mine", 2)
    random = Random(3)
    at = Table(GAMES[key], [house_deck(GAMES[key])], {})
    game = home.store.begin(at)
    for _ in range(30):
        for n, ask in at.asks()[:1]:
            at.answer(ask.seat, n, random_player.pick(at.ask_view(n, ask, ask.seat, dealer=True), random))
            home.store.append(game, at, "phone")
    home.store.stand(game, '{"when": {"away": {"cards": "never"}}, "waits": {}}')
    home.store.name(game, "Ümläute Ω")
    home.store.close()
    assert home.dugout("backup", tmp_path / "b.zip") == 0

    def rows() -> list[list[tuple[Any, ...]]]:
        with closing(sqlite3.connect(home.data / JOURNAL)) as db:
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
    return backup_reader.PNG + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(20) + tail


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
    ("trays/x.sh", b"#!/bin/sh"),
]
"""Files that a backup may not hold: by name, or by what is in them."""


def test_a_file_that_is_not_what_it_is_called_is_left_out(
    stranger: Stranger, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is restored, and the command says that a file is missing."""
    for name, data in FILES:
        stranger.write(lambda db: None, {name: data})
        assert stranger.restore() == 0, name
        assert "Left out, because nothing here writes such data: 1 other file." in told(capsys), name
        assert not (stranger.home.data / name).exists(), name
        assert (stranger.home.data / "decks" / "deck-1.toml").exists(), name


def test_who_may_reach_the_pages_is_not_restored(stranger: Stranger) -> None:
    """`data` and `[web]` stay this machine's; the rest comes from the backup, with its comments."""
    home = stranger.home
    home.settings.write_text('data = "/srv/mine"\npoweroff = true\n[web]\nhost = "127.0.0.1"\nport = 8123\n')
    theirs = b'data = "/etc"\n# theirs\n[camera]\nshow = 2.0\n[web]\nhost = "0.0.0.0"\nname = "evil.example"\n'
    stranger.write(lambda db: None, {"settings.toml": theirs})
    assert stranger.restore() == 0
    wanted = 'data = "/srv/mine"\n\n# theirs\n[camera]\nshow = 2.0\n\n[web]\nhost = "127.0.0.1"\nport = 8123\n'
    assert "".join(home.settings.read_text().split()) == "".join(wanted.split())


def zipped(files: Iterator[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as packed:
        for name, data in files:
            packed.writestr(name, data)
    return out.getvalue()


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "too many files": lambda journal: zipped(
        iter([(JOURNAL, journal), *((f"decks/{n}.toml", b"") for n in range(backup_reader.MEMBERS + 1))])
    ),
    "too many decks": lambda journal: zipped(
        iter([(JOURNAL, journal), *((f"decks/{n}.toml", b"") for n in range(201))])
    ),
    "a huge journal": lambda journal: zipped(iter([(JOURNAL, bytes(97 << 20))])),
    "another compression": lambda journal: zipped(iter([(JOURNAL, journal)]), zipfile.ZIP_LZMA),
    "a comment": lambda journal: zipped(iter([(JOURNAL, journal)]))[:-2] + b"\x04\x00abcd",
    "another end": lambda journal: (
        (one := zipped(iter([(JOURNAL, journal)])))[:-22] + b"PK\6\7" + bytes(16) + one[-22:]
    ),
    "a list that is elsewhere": lambda journal: zipped(iter([(JOURNAL, journal)]))[:-10] + b"\xff" * 8 + bytes(2),
    "two of a name": lambda journal: zipped(
        iter([(JOURNAL, journal), ("decks/a.toml", b""), ("decks/b.toml", b"")])
    ).replace(b"decks/b.toml", b"decks/a.toml"),
    "a way out": lambda journal: zipped(iter([(JOURNAL, journal), ("../evil", b"")])),
    "a way out of a folder": lambda journal: zipped(iter([(JOURNAL, journal), ("decks/../../evil", b"")])),
    "a path from the root": lambda journal: zipped(iter([(JOURNAL, journal), ("/etc/evil", b"")])),
    "a journal that is text": lambda journal: zipped(iter([(JOURNAL, b"select")])),
    "no room for the journal's pages": lambda journal: zipped(iter([(JOURNAL, journal[:4096])])),
}


def test_archives_that_are_not_ours(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused in one line before anything has changed."""
    with zipfile.ZipFile(stranger.made) as packed:
        journal = packed.read(JOURNAL)
    before = stranger.contents()
    for how, bomb in BOMBS.items():
        stranger.file.write_bytes(bomb(journal))
        assert stranger.restore() == 2, how
        assert len(told(capsys).splitlines()) == 1, how
        assert before == stranger.contents(), how


@pytest.mark.slow
def test_random_damage_is_refused_or_harmless(stranger: Stranger, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes of the journal changed at random: the command ends in a line, and the games are readable afterwards."""
    with zipfile.ZipFile(stranger.made) as packed:
        journal = packed.read(JOURNAL)
    random = Random(4)
    for _ in range(60):
        spoiled = bytearray(journal)
        for _ in range(random.choice((1, 4, 30))):
            spoiled[random.choice((random.randrange(200), random.randrange(len(spoiled))))] = random.randrange(256)
        stranger.file.write_bytes(zipped(iter([(JOURNAL, bytes(spoiled))])))
        status = stranger.restore()
        assert status in (0, 2)
        assert len(told(capsys).splitlines()) == 1
        assert stranger.games()
