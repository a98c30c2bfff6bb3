"""A backup of the first format, an SQLite file in a ZIP, opens as it did; a stranger's is refused.

Goes with the next version, together with device/storage/old_backup.py and tests/hostile/first-format.zip. That one was
made before the second format was: the table of `Home` with a second, named game, and a note among its decks.
"""

from __future__ import annotations

import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from device.storage import game_list, hash_chain, old_backup
from device.storage.backup_files import OLD_JOURNAL
from device.storage.game_list import GameRow
from device.storage.store import Store
from device.table.preset_answers import SeatSettings
from tests.device.commands.test_backup import CODES, SETTINGS, Home, contents
from tests.hostile.test_foreign_backup import told, zipped

MADE = Path(__file__).with_name("first-format.zip")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path, 3, seed=2)
    home.store.close()
    return home


def changed(folder: Path, change: Callable[[sqlite3.Connection], object], seal: bool = True) -> Path:
    """Return a backup whose journal a stranger changed, by default with right checksums."""
    with zipfile.ZipFile(MADE) as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    journal = folder / "foreign.db"
    journal.write_bytes(found[OLD_JOURNAL])
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        change(db)
        if seal:
            for (game,) in db.execute("select id from game").fetchall():
                hash_chain.add_game_checksums(db, game)
            for game, *columns in db.execute("select game, turn, name, rev, standing from turn").fetchall():
                game_list.write_row(db, game, GameRow(*columns))
    file = folder / "changed.zip"
    file.write_bytes(zipped((found | {OLD_JOURNAL: journal.read_bytes()}).items()))
    return file


def test_all_of_it_comes_back(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """Games with all they have, decks, calibrations and settings; the command names what is not Dugout's."""
    assert home.dugout("restore", MADE) == 0
    said = told(capsys)
    assert "2 games restored. Left out, because Dugout keeps no such file: decks/notes.txt. What was" in said
    with closing(Store(home.data / "journal.db")) as store:
        first, second = store.current_game(), store.load_game(2)
        assert store.trouble is None
        assert store.get_or_create_value("code", lambda: "none") == CODES[2]
        assert game_list.read_rows(store._db)[0][2].name == "Sunday"
    for saved, answers in ((first, 12), (second, 9)):
        assert saved is not None
        assert saved.table is not None
        assert (answers, {"phone"}) == (len(saved.table.journal), set(saved.sources))
    assert second is not None
    assert second.table is not None
    assert {"home": "Ümläute"} == second.table.journal_header.names
    wanted = SeatSettings({"away": {"steals": "never"}}, {"home": 3}, {"away": "rookie"}, "brisk", ("home", "away"))
    assert wanted == SeatSettings.from_json(second.standing)
    assert ["deck-1.toml"] == [one.name for one in (home.data / "decks").iterdir()]
    assert {"empty-7074d3b7.png", "tray.json"} == {one.name for one in home.data.glob("trays/*/*")}
    assert SETTINGS == home.settings.read_text()
    assert [home.data / "journal.db"] == list(home.data.glob("*.db"))


def test_a_backup_without_settings_of_seats_comes_back(home: Home, tmp_path: Path) -> None:
    """An older version's table `turn` had no column for them."""

    def older(db: sqlite3.Connection) -> None:
        db.execute("update turn set standing = ''")
        for game, *columns in db.execute("select game, turn, name, rev from turn").fetchall():
            game_list.write_row(db, game, GameRow(*columns))
        db.execute("alter table turn drop column standing")

    assert home.dugout("restore", changed(tmp_path, older, seal=False)) == 0
    with closing(Store(home.data / "journal.db")) as store:
        assert {1: "", 2: "Sunday"} == {game: row.name for game, row in game_list.read_rows(store._db)[0].items()}


def refused(home: Home, file: Path, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Restore a backup, which is refused for this reason in one line before anything has changed."""
    before = contents(home.data)
    assert home.dugout("restore", file) == 2, words
    (line,) = told(capsys).splitlines()
    assert words in line
    assert len(line) < 600
    assert before == contents(home.data)


SCHEMAS = {
    "trigger": "create trigger t after insert on entry begin delete from game; end",
    "view": "create view v as select * from game",
    "index": "create index i on entry (length(body))",
    "unique index": "create unique index i on entry (game, place)",
    "virtual table": "create virtual table v using fts5 (a)",
    "view for a table": "alter table entry rename to e; create view entry as select * from e",
}


@pytest.mark.parametrize("how", SCHEMAS)
def test_what_sqlite_would_run_is_refused(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """Triggers, views and whatever else is not a table."""
    file = changed(tmp_path, lambda db: db.executescript(SCHEMAS[how]), seal=False)
    refused(home, file, "journal.db: it has more than the tables of a journal.", capsys)


GENERATED = (
    "drop table turn; create table turn (game integer primary key, turn integer, name text, rev integer default 1, "
    "seal text, standing text as (printf('%.*c', 99000000, 'x'))); insert into turn (game, turn) values (1, 1)"
)

DEEP = "[" * 100_000 + "]" * 100_000

VALUES: dict[str, tuple[str, str]] = {
    "a computed value": (GENERATED, "journal.db: "),
    "a deep header": (f"update game set header = '{DEEP}' where id = 1", "journal.db: it has too many brackets"),
    "no JSON": ("update entry set body = 'no' where game = 1", "journal.db: it is no JSON"),
    "escapes": ("update entry set source = char(27) where game = 1", "games/000001.jsonl, line 3: it has a value"),
    "a huge answer": (
        "update entry set body = json_object('amend', 1, 'value', printf('%.*c', 3000000, 'x')) "
        "where game = 1 and place = 1",
        "games/000001.jsonl, line 4: it is longer than 2 MiB.",
    ),
    "a number beyond all": (
        f"pragma foreign_keys = off; update entry set game = {2**63 - 1} where game = 1; "
        f"update game set id = {2**63 - 1} where id = 1; update turn set game = {2**63 - 1} where game = 1",
        "Dugout writes no such file: 'games/9223372036854775807.jsonl'.",
    ),
    "no table of answers": ("drop table entry", "journal.db: "),
}


@pytest.mark.parametrize("how", VALUES)
def test_odd_values_are_refused(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str) -> None:
    sql, words = VALUES[how]
    file = changed(tmp_path, lambda db: db.executescript(sql), how not in ("a computed value", "no table of answers"))
    refused(home, file, words, capsys)


def test_a_game_that_is_damaged_is_refused(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its checksums."""
    file = changed(tmp_path, lambda db: db.execute("update entry set at = '' where game = 1"), seal=False)
    refused(home, file, "journal.db: game 1 is not as it was written.", capsys)


@pytest.mark.parametrize("data", [b"", b"select", b"none" * 9999])
def test_no_journal_is_refused(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes) -> None:
    (tmp_path / "b.zip").write_bytes(zipped([(OLD_JOURNAL, data)]))
    refused(home, tmp_path / "b.zip", "journal.db: ", capsys)


def test_a_file_that_leads_in_circles_ends(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query that goes on and on is ended, and the backup refused."""

    def endless(db: sqlite3.Connection) -> None:
        db.execute("with recursive n (n) as (select 1 union all select n + 1 from n) select count(*) from n").fetchone()

    monkeypatch.setattr(old_backup, "READ_TIMEOUT_S", 0.1)
    monkeypatch.setattr(game_list, "games_by_turn", endless)
    begun = time.monotonic()
    refused(home, MADE, "journal.db: interrupted.", capsys)
    assert time.monotonic() - begun < 20


@pytest.mark.slow
def test_random_damage_is_refused_or_harmless(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes of the journal changed at random: the command ends in a line, and the table opens afterwards."""
    with zipfile.ZipFile(MADE) as packed:
        journal = packed.read(OLD_JOURNAL)
    random = Random(4)
    for _ in range(60):
        spoiled = bytearray(journal)
        for _ in range(random.choice((1, 4, 30))):
            spoiled[random.choice((random.randrange(200), random.randrange(len(spoiled))))] = random.randrange(256)
        (tmp_path / "b.zip").write_bytes(zipped([(OLD_JOURNAL, bytes(spoiled))]))
        assert home.dugout("restore", tmp_path / "b.zip") in (0, 2)
        assert len(told(capsys).splitlines()) == 1
        with closing(Store(home.data / "journal.db")) as store:
            assert store.trouble is None
