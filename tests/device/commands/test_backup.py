"""A backup holds games, cards, calibrations and settings, restores them all, and holds no secret of the table."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from device.cli import main
from device.storage import backup_files, backup_reader, deck_editor, decks
from device.storage.decks import DeckLibrary, house_deck_text
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.seat_settings import league_of
from device.storage.store import Store
from device.table.preset_answers import SeatSettings
from engine.league.league import LeagueGame
from engine.seats import Seat
from engine.table import Table
from tests.device.process import COLD
from tests.device.storage import recorded_writer
from tests.device.storage.test_league_files import LEAGUE, LISTED
from tests.device.storage.test_seat_settings import EVERYTHING
from vision.tray import saved_trays

SETTINGS = "poweroff = true\n"

KEYS, CODES = {1: "the key of passes", 2: "another key"}, {1: "123456", 2: "654321"}
"""Keys and codes of tables, by the seed of what was played there."""


class Home:
    """A folder with a game, a deck, a tray, a picture and settings; `store` stands for the running table."""

    def __init__(self, folder: Path, answers: int = 20, seed: int = 1) -> None:
        self.data, self.settings = folder / "data", folder / "dugout.toml"
        self.store, self.table = Store(self.data / "journal.db"), recorded_writer.table()
        self.store.get_or_create_value("key", lambda: KEYS[seed])
        self.store.get_or_create_value("code", lambda: CODES[seed])
        game, random = self.store.begin_game(self.table), Random(seed)
        for _ in range(answers):
            recorded_writer.step(self.table, random)
            self.store.append(game, self.table, "phone")
        DeckLibrary(self.data / "decks").import_deck(house_deck_text(recorded_writer.GAME), f"Deck {seed}")
        saved_trays.save_tray(self.data / "trays", recorded_writer.tray(seed))
        (self.data / "evidence").mkdir()
        (self.data / "evidence" / "000001-00001.jpg").write_bytes(b"dice")
        self.settings.write_text(SETTINGS)

    def dugout(self, *command: object) -> int:
        return main([*map(str, command), "--data", str(self.data), "--settings", str(self.settings)])


def game(data: Path) -> Table:
    with closing(Store(data / "journal.db")) as store:
        saved = store.current_game()
    assert store.trouble is None
    assert saved is not None
    assert saved.table is not None
    return saved.table


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "home").mkdir()
    return Home(tmp_path / "home")


@pytest.fixture
def file(home: Home, tmp_path: Path) -> Path:
    """A backup of the table, which is stopped then."""
    assert home.dugout("backup", tmp_path / "b.zip") == 0
    home.store.close()
    return tmp_path / "b.zip"


def test_a_backup_comes_back(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Made while the table runs, restored on another machine: game, deck, calibration and settings; the other files
    there are moved aside."""
    file = tmp_path / "evening.zip"
    assert home.dugout("backup", file) == 0
    assert f"1 game, decks, leagues, calibrations and settings are kept in {file}." in capsys.readouterr().out
    home.store.close()
    (tmp_path / "other").mkdir()
    other = Home(tmp_path / "other", 5, seed=2)
    other.store.close()
    other.settings.write_text("poweroff = false\n")
    before = contents(other.data)
    assert other.dugout("restore", file) == 0
    said = capsys.readouterr().out
    assert "1 game restored. What was there is kept in" in said
    assert game(other.data).journal == home.table.journal
    assert ["Deck 1"] == [
        about.title for one in DeckLibrary(other.data / "decks").all_decks() for about in one.decks if about.own
    ]
    tray = saved_trays.load_tray(other.data / "trays", "cam", (32, 24))
    assert tray is not None
    assert tray.light == 41
    assert other.settings.read_text() == SETTINGS
    (aside,) = other.data.glob("before-restore-*")
    assert game(aside).journal == other.table.journal
    old = contents(aside)
    assert old["settings.toml"] == b"poweroff = false\n"
    assert {name: data for name, data in before.items() if "journal" not in name}.items() <= old.items()
    assert not (other.data / "evidence").exists()
    with closing(Store(other.data / "journal.db")) as store:
        stays = [store.get_or_create_value(key, lambda: "made here") for key in ("key", "code")]
        assert stays == [KEYS[2], CODES[2]]


def test_a_backup_through_the_shell(home: Home, tmp_path: Path) -> None:
    """It opens the files, also for a command in which root has given its rights up. It refuses a pipe."""
    home.store.close()
    table = ["--data", str(home.data), "--settings", str(home.settings)]

    def run(command: str, given: int, out: int) -> str:
        words = [sys.executable, "-c", COLD, command, *table]
        return subprocess.run(words, stdin=given, stdout=out, stderr=subprocess.PIPE, text=True, check=False).stderr

    with (tmp_path / "b.zip").open("wb") as file:
        said = run("backup", subprocess.DEVNULL, file.fileno())
    assert said == "1 game, decks, leagues, calibrations and settings are kept in standard output.\n"
    (home.data / "journal.db").unlink()
    with (tmp_path / "b.zip").open("rb") as made:
        assert run("restore", made.fileno(), subprocess.DEVNULL) == ""
    assert game(home.data).journal == home.table.journal
    assert run("restore", subprocess.DEVNULL, subprocess.DEVNULL) == "dugout: name a file: dugout restore FILE\n"


def rows(journal: Path) -> list[tuple[object, ...]]:
    """Return all that the journal stores of its games, checksums included, but for the numbers of changes."""
    with closing(sqlite3.connect(journal)) as db:
        queries = ("select * from game", "select * from entry", "select game, turn, name, standing from turn")
        return [row for one in queries for row in db.execute(f"{one} order by 1, 2").fetchall()]


NAMES: dict[Seat, str] = {"home": "\N{MAN}\u200d\N{WOMAN} Ümläute"}


def test_all_that_a_game_has_comes_back(home: Home, tmp_path: Path) -> None:
    """Every field, byte by byte: header, names of the sides, decks, answers with source and time, what is shown, the
    game's name and turn, and every setting of its seats; also of a paused game."""
    named = Table(recorded_writer.GAME, home.table.decks, {"awayTeam": "blue"}, names=NAMES)
    game = home.store.begin_game(named, EVERYTHING.json_text)
    recorded_writer.play(home.store, game, named, 9)
    home.store.rename_game(game, "Sunday")
    home.store.save_seat_settings(1, replace(EVERYTHING, pace="instant").json_text)
    home.store.resume_game(1, home.table)
    home.store.close()
    before = rows(home.store.path)
    assert home.dugout("backup", tmp_path / "b.zip") == 0
    assert home.dugout("restore", tmp_path / "b.zip") == 0
    assert before == rows(home.store.path)
    with closing(Store(home.store.path)) as store:
        for saved, table, pace in (
            (store.current_game(), home.table, "instant"),
            (store.load_game(game), named, "brisk"),
        ):
            assert saved is not None
            assert saved.table is not None
            assert (saved.table.journal, saved.table.journal_header) == (table.journal, table.journal_header)
            assert replace(EVERYTHING, pace=pace) == SeatSettings.from_json(saved.standing)


def test_leagues_and_people_come_back_with_their_games(home: Home, tmp_path: Path) -> None:
    """On another machine they replace those that were there, whose record book is put aside with the games."""
    people = PeopleFile(home.data / "people.json")
    ann = people.save("", "Ann Lee", "blue")
    LeagueFiles(home.data / "leagues").save(LISTED)
    settings = SeatSettings(people={"away": ann.key}, league=LeagueGame("cup", 7, "kiki", "owls"))
    ended = recorded_writer.finished()
    game = home.store.add_finished_game(ended, settings.json_text, ["manager"] * len(ended.journal))
    (home.data / "book.db").write_bytes(b"derived")
    home.store.close()
    assert home.dugout("backup", tmp_path / "b.zip") == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        assert "book.db" not in packed.namelist()
    (tmp_path / "other").mkdir()
    other = Home(tmp_path / "other", 5, seed=2)
    other.store.close()
    LeagueFiles(other.data / "leagues").save(LEAGUE)
    PeopleFile(other.data / "people.json").save("", "Bo", "red")
    for end in ("", "-wal"):
        (other.data / f"book.db{end}").write_bytes(b"other games")
    assert other.dugout("restore", tmp_path / "b.zip") == 0
    assert {"cup": LISTED} == LeagueFiles(other.data / "leagues").leagues()
    assert [ann] == PeopleFile(other.data / "people.json").people()
    assert [] == list(other.data.glob("book.db*"))
    (aside,) = other.data.glob("before-restore-*")
    assert {"summer"} == LeagueFiles(aside / "leagues").leagues().keys()
    with closing(Store(other.data / "journal.db")) as store:
        saved = store.load_game(game)
        assert saved is not None
        assert (settings.league, settings.people) == league_of(saved.standing)


def test_a_backup_without_leagues_leaves_none(home: Home, file: Path) -> None:
    """As one without decks leaves none: they belong to its games. Those that were there are put aside."""
    LeagueFiles(home.data / "leagues").save(LEAGUE)
    PeopleFile(home.data / "people.json").save("", "Bo", "red")
    assert home.dugout("restore", file) == 0
    assert {} == LeagueFiles(home.data / "leagues").leagues()
    assert [] == PeopleFile(home.data / "people.json").people()
    (aside,) = home.data.glob("before-restore-*")
    assert {"summer"} == LeagueFiles(aside / "leagues").leagues().keys()
    assert ["Bo"] == [one.name for one in PeopleFile(aside / "people.json").people()]


def replacement(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], object]:
    return lambda found: found.update({name: found[name].replace(old, new)})


def test_a_broken_league_or_person_in_a_backup_is_refused(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With file, line and reason; nothing changes. A backup of a broken one leaves it out and names it."""
    files, file = LeagueFiles(home.data / "leagues"), tmp_path / "b.zip"
    files.save(LISTED)
    PeopleFile(home.data / "people.json").save("", "Ann Lee", "blue")
    home.store.close()
    assert home.dugout("backup", file) == 0
    before, whole = contents(home.data), file.read_bytes()
    for name, old, new, words in (
        ("leagues/cup.json", b'"round": 2,', b'"round": 2', "leagues/cup.json, line 15: it is no JSON: Expecting ','"),
        ("leagues/cup.json", b'"round": 2', b'"round": 0', "leagues/cup.json, fixture 7, round: can be 1 to"),
        ("leagues/cup.json", b'"cup"', b'"cap"', "leagues/cup.json, key: it differs from the name of the file."),
        ("people.json", b'"blue"', b'"puce"', "people.json, people[1].colour: it can be red, "),
        ("people.json", b'"people":', b'"people"', "people.json, line 2: it is no JSON: Expecting ':'"),
    ):
        file.write_bytes(whole)
        rewritten(replacement(name, old, new))(file)
        capsys.readouterr()
        assert home.dugout("restore", file) == 2, words
        assert words in capsys.readouterr().err
        assert before == contents(home.data), words
    (home.data / "leagues" / "cup.json").write_text("{")
    (home.data / "people.json").write_text("{")
    assert home.dugout("backup", file) == 0
    said = " Not in it, because a restore would refuse it: people.json and leagues/cup.json."
    assert said in capsys.readouterr().out


def test_games_that_no_restore_would_accept_are_not_written(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(backup_files, "MAX_GAMES_BYTES", 1000)
    assert home.dugout("backup", tmp_path / "b.zip") == 2
    assert "the games take more than 0 MiB: delete a league first." in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()


def test_a_restored_table_plays_on(file: Path, tmp_path: Path) -> None:
    """New answers follow the stored ones, also in a folder that was empty before."""
    empty = tmp_path / "empty"
    assert main(["restore", str(file), "--data", str(empty)]) == 0
    with closing(Store(empty / "journal.db")) as store:
        saved = store.current_game()
        assert saved is not None
        assert saved.table is not None
        recorded_writer.step(saved.table, Random(1))
        store.append(saved.id, saved.table, "phone")
    assert len(game(empty).journal) == 21
    assert (empty / "settings.toml").read_text() == SETTINGS


def test_no_key_and_no_code_is_in_it(file: Path) -> None:
    """A found backup lets nobody run the table or take a seat; and only its owner can read it."""
    assert file.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(file) as packed:
        data = b"".join(packed.read(name) for name in packed.namelist())
        assert {name.split("/")[0] for name in packed.namelist()} == {
            "backup.json",
            "games",
            "settings.toml",
            "decks",
            "trays",
        }
    assert b"the key of passes" not in data
    assert b"123456" not in data
    assert b"Marlowe" in data


def test_a_running_table_is_not_restored_over(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is moved."""
    file = tmp_path / "b.zip"
    home.dugout("backup", file)
    before = contents(home.data)
    assert home.dugout("restore", file) == 2
    assert "a table is running on" in capsys.readouterr().err
    assert contents(home.data) == before
    home.store.close()


def test_no_backup_is_written(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Can't write to Without a journal; the error names a folder that."""
    (tmp_path / "bare").mkdir()
    assert main(["backup", str(tmp_path / "bare" / "b.zip"), "--data", str(tmp_path / "bare")]) == 2
    assert "there is no journal" in capsys.readouterr().err
    assert list((tmp_path / "bare").iterdir()) == []
    assert home.dugout("backup", tmp_path / "nowhere" / "b.zip") == 2
    assert "nowhere" in capsys.readouterr().err
    home.store.close()


def rewritten(change: Callable[[dict[str, bytes]], object]) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        with zipfile.ZipFile(file) as packed:
            found = {name: packed.read(name) for name in packed.namelist()}
        change(found)
        with zipfile.ZipFile(file, "w") as packed:
            for name, data in found.items():
                packed.writestr(name, data)

    return spoil


GAME = "games/000001.jsonl"


def cut(found: dict[str, bytes]) -> None:
    """Leave out the last line of a game."""
    found[GAME] = found[GAME].rpartition(b'{"shown"')[0]


SPOILT: list[tuple[Callable[[Path], object], str]] = [
    (lambda file: file.write_bytes(b"no backup"), "is not a backup of Dugout, or a damaged one: it does not end"),
    (lambda file: file.write_bytes(file.read_bytes()[:-300]), "or a damaged one"),
    (
        lambda file: file.write_bytes(file.read_bytes()[:600] + bytes(99) + file.read_bytes()[699:]),
        GAME,
    ),
    (lambda file: file.unlink(), "No such file"),
    (rewritten(lambda found: found.pop("backup.json")), "is not a backup of Dugout: it needs one backup.json"),
    (
        rewritten(lambda found: found.update({"backup.json": b'{"format": 3}'})),
        "backup.json: it is of another version of Dugout.",
    ),
    (rewritten(lambda found: found.update({"settings.toml": b"poweroff = 3"})), "must be true or false"),
    (rewritten(lambda found: found.update({"settings.toml": b"[web]\nname = '\xd4'"})), "is not UTF-8 text."),
    (rewritten(lambda found: found.update({GAME: b""})), f"{GAME}, line 1: it is missing: the file ends early."),
    (rewritten(cut), f"{GAME}, line 23: it is missing: the file ends early."),
]
"""What happens to a backup, and what the command says."""


def test_what_is_no_backup_is_refused(home: Home, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is moved."""
    before, whole = contents(home.data), file.read_bytes()
    for spoil, words in SPOILT:
        file.write_bytes(whole)
        spoil(file)
        assert home.dugout("restore", file) == 2, words
        assert words in capsys.readouterr().err
        assert contents(home.data) == before, words


def test_a_backup_that_is_too_large_is_refused(home: Home, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody fills a card with a small file."""
    monkeypatch.setattr(backup_reader, "MAX_BACKUP_BYTES", 1000)
    assert home.dugout("restore", file) == 2
    assert not list(home.data.glob("before-*"))


def test_settings_that_may_not_be_written_lie_beside(
    home: Home, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The service's user may not write below /etc; the games are restored in any case."""
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != home.settings.parent and real(path, mode))
    home.settings.write_text("poweroff = false\n")
    assert home.dugout("restore", file) == 0
    copy = f"sudo cp -P {home.data / 'settings.toml'} {home.settings}\n"
    assert capsys.readouterr().out.endswith(f"Its settings are in {home.data / 'settings.toml'}. To use them: {copy}")
    assert (home.data / "settings.toml").read_text() == SETTINGS
    assert game(home.data).journal == home.table.journal


def test_a_file_that_a_restore_would_refuse_is_not_in_it(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command names it while there is still something to be done; what is not Dugout's is not in it either."""
    own = home.data / "decks"
    for name, text in (("notes.txt", "Mine."), ("broken.toml", "[deck"), (".x.toml", ""), ("sub/a.toml", "")):
        (own / name).parent.mkdir(exist_ok=True)
        (own / name).write_text(text)
    for n in range(4):
        (own / f"large-{n}.toml").write_bytes(b"#" * (deck_editor.MAX_DECK_BYTES + 1))
    (own / "link.toml").symlink_to(home.settings)
    file = tmp_path / "b.zip"
    assert home.dugout("backup", file) == 0
    names = "decks/broken.toml, decks/large-0.toml, decks/large-1.toml and 2 more"
    assert f" Not in it, because a restore would refuse it: {names}.\n" in capsys.readouterr().out
    with zipfile.ZipFile(file) as packed:
        assert ["decks/deck-1.toml"] == [name for name in packed.namelist() if name.startswith("decks/")]
    home.store.close()
    assert home.dugout("restore", file) == 0


def test_decks_that_no_table_lists_are_not_in_it(home: Home, tmp_path: Path) -> None:
    """A folder may have more of them than a table reads; a restore refuses more."""
    for n in range(decks.MAX_OWN_DECKS + 5):
        (home.data / "decks" / f"more-{n:03}.toml").write_text(house_deck_text(recorded_writer.GAME))
    home.store.close()
    assert home.dugout("backup", tmp_path / "b.zip") == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        assert decks.MAX_OWN_DECKS == sum(name.startswith("decks/") for name in packed.namelist())
    assert home.dugout("restore", tmp_path / "b.zip") == 0


CARDS = "update game set decks = decks || ' ' where id = 1"
ANSWER = "update entry set body = body || ' ' where game = 1 and place = 9"


def spoilt(journal: Path, how: str = CARDS) -> None:
    """A byte of an old game changes."""
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute(how)


def no_copy(store: Store) -> None:
    """Delete the copy of a journal."""
    store.copy.close()
    for one in store.path.parent.glob("journal.db.copy*"):
        one.unlink()


@pytest.mark.parametrize("how", [CARDS, ANSWER])
def test_an_old_game_that_is_damaged_ends_no_backups(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """It comes from the copy if that has it whole; else it is left out, and the command says so."""
    home.store.begin_game(recorded_writer.table())
    home.store.update_copy()
    spoilt(home.store.path, how)
    file = tmp_path / "b.zip"
    for said, lost in (("2 games", ""), ("1 game", " 1 of 2 games is damaged and not in it.")):
        assert home.dugout("backup", file) == 0
        assert (
            f"{said}, decks, leagues, calibrations and settings are kept in {file}.{lost}\n" == capsys.readouterr().out
        )
        assert main(["restore", str(file), "--data", str(tmp_path / "other")]) == 0
        assert f"{said} restored." in capsys.readouterr().out
        if not lost:
            no_copy(home.store)
    home.store.close()


def test_nothing_that_is_whole_is_no_backup(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with no game in it takes no good backup's place."""
    home.store.close()
    no_copy(home.store)
    spoilt(home.store.path)
    (tmp_path / "b.zip").write_bytes(b"an older one")
    assert home.dugout("backup", tmp_path / "b.zip") == 2
    assert "are damaged" in capsys.readouterr().err
    assert (tmp_path / "b.zip").read_bytes() == b"an older one"


def test_the_next_backup_deletes_what_a_cut_left(home: Home, tmp_path: Path) -> None:
    """Only beside the file it writes, and nothing else there."""
    home.store.close()
    for name in (".b.zip.part", ".other.part", ".dugout-settings"):
        (tmp_path / name).write_bytes(bytes(9))
    assert home.dugout("backup", tmp_path / "b.zip") == 0
    assert {".other.part", ".dugout-settings", "b.zip", "home"} == {one.name for one in tmp_path.iterdir()}


def test_two_restores_are_kept(home: Home, file: Path) -> None:
    """The newest two, the last in any case; files that a power cut left are deleted."""
    for n in range(4):
        old = home.data / f"before-restore-2026010{n}-100000"
        old.mkdir()
        if n != 2:
            (old / "journal.db").write_bytes(bytes(9))
        os.utime(old, (4e9 + n, 4e9 + n))  # the clock went back since
    (home.data / ".restore-abcdefgh").mkdir()
    assert home.dugout("restore", file) == 0
    assert not list(home.data.glob(".restore-*"))
    kept = sorted(one.name for one in home.data.glob("before-restore-*"))
    assert kept[:2] == ["before-restore-20260102-100000", "before-restore-20260103-100000"]
    assert len(kept) == 3
    assert (home.data / kept[2] / "decks").exists()
