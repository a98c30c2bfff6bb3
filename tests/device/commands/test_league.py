"""`dugout league`: leagues on a terminal, whether or not a table is running."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.cli import main
from device.storage.decks import house_deck
from device.storage.store import Store
from engine.games import GAMES
from engine.table import Table

FIXTURES = "date,visitor,home\n2026-04-01,Owls,Bears\n2026-04-01,Foxes,Jays\n2026-04-02,Bears,Foxes\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `dugout league` on a table with one game; return status, output and errors."""
    game = GAMES["small-ball"]
    with closing(Store(tmp_path / "journal.db")) as store:
        store.begin_game(Table(game, [house_deck(game)]))

    def run_league(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["league", *words, "--data", str(tmp_path)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run_league


def csv_file(folder: Path, text: str = FIXTURES) -> str:
    (folder / "file.csv").write_text(text)
    return str(folder / "file.csv")


def new_league(run: Run, folder: Path) -> None:
    status, said, _ = run("new", "summer", "--title", "Summer league", "--game", "small-ball", csv_file(folder))
    assert (status, said) == (0, "Summer league has 4 teams and 3 fixtures: /leagues/summer\n")


def test_a_league_from_a_file_to_its_standings(run: Run, tmp_path: Path) -> None:
    """Its games are simulated one by one, by day and all, and each once."""
    assert run("list") == (0, "No leagues and no finished games.\n", "")
    new_league(run, tmp_path)
    status, said, _ = run("show", "summer")
    assert (status, said.splitlines()[0]) == (0, "Summer league: Small Ball, 0 games")
    assert run("simulate", "summer", "2")[1].startswith("Game 2: Foxes ")
    status, said, _ = run("simulate", "summer", "--day")
    assert (status, said.count("\n"), "Owls" in said) == (0, 1, True)
    assert run("simulate", "summer", "--all")[0] == 0
    nothing = "dugout: Summer league has no game that can be simulated now.\n"
    assert run("simulate", "summer", "--all") == (2, "", nothing)
    assert run("simulate", "summer", "2")[2] == "dugout: fixture 2: it was played, in game 2.\n"
    status, said, _ = run("show", "summer")
    title, header, *rows = said.splitlines()
    assert title == "Summer league: Small Ball, 3 games"
    assert " ".join(header.split()) == "team W L T PCT GB streak RF RA"
    assert len(rows) == 4
    assert rows[0].split()[2:6] == ["2", "0", "0", "1.000"] or rows[0].split()[2] == "1"
    assert run("list")[1].splitlines()[0].startswith("summer: Summer league, Small Ball, 3 of 3 games, ")


def test_the_record_book_is_rebuilt(run: Run, tmp_path: Path) -> None:
    """Even while a table runs. A game that cannot be counted is named."""
    new_league(run, tmp_path)
    run("simulate", "summer", "--all")
    before = run("show", "summer")
    (tmp_path / "book.db").unlink()
    with closing(Store(tmp_path / "journal.db")):
        assert run("rebuild") == (0, "The record book was built again from 4 stored games.\n", "")
        assert run("show", "summer") == before
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("update entry set body = '' where game = 3 and place = 2")
    assert run("rebuild")[1].startswith("Left out: game 3. This game is damaged")


def test_a_running_table_simulates_itself(run: Run, tmp_path: Path) -> None:
    new_league(run, tmp_path)
    with closing(Store(tmp_path / "journal.db")):
        status, _, said = run("simulate", "summer", "--all")
    assert (status, said) == (2, "dugout: the table is running. Simulate games on its page /leagues/summer.\n")


def test_imports_and_exports(run: Run, tmp_path: Path) -> None:
    """What was exported can be imported. A file with a fault changes nothing."""
    new_league(run, tmp_path)
    assert (
        run("import", "summer", csv_file(tmp_path, "team,name,person\nowls,Night Owls,Ann\n"))[1]
        == "Teams changed: 1.\n"
    )
    out = tmp_path / "out.csv"
    assert run("export", "summer", "fixtures.csv", str(out))[0] == 0
    assert "Night Owls" in out.read_text()
    assert run("import", "summer", str(out))[1] == "Fixtures: 3.\n"
    status, _, said = run("import", "summer", csv_file(tmp_path, "away,home\nOwls,Wrens\n"))
    assert (status, "line 2" in said) == (2, True)
    assert run("show", "summer")[1].count("Night Owls") == 1
    (tmp_path / "odd.csv").write_bytes(b"away,home\n\xff,\xfe\n")
    assert "is not UTF-8 text" in run("import", "summer", str(tmp_path / "odd.csv"))[2]


def test_a_new_league_of_any_game_can_be_simulated(run: Run, tmp_path: Path) -> None:
    """Also one of 7th Inning Stretch, which people play alone by default."""
    assert run("new", "winter", "--title", "T", "--game", "seventh-inning-stretch", csv_file(tmp_path))[0] == 0
    assert run("simulate", "winter", "1")[0] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show", "winter"), "there is no league or record book winter"),
        (("export", "winter", "json", "-"), "there is no league or record book winter"),
        (("simulate", "winter", "--day"), "There is no league winter"),
        (("new", "small-ball", "--title", "T", "--game", "small-ball", "CSV"), "is the key of a game"),
        (("new", "Summer", "--title", "T", "--game", "small-ball", "CSV"), "key: "),
        (("new", "winter", "--title", "T", "--game", "chess", "CSV"), "game: can be small-ball"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    file = csv_file(tmp_path)
    status, _, said = run(*(file if word == "CSV" else word for word in words))
    assert (status, why in said) == (2, True), said


def test_a_folder_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", "list", "--data", str(tmp_path)]) == 2
    assert "there are no games" in capsys.readouterr().err
