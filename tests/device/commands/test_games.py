"""`dugout games` lists and names the stored games, whether or not a table is running."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from device.cli import main
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from tests.device.stored_games import table

EVENING = datetime(2026, 4, 1, 19, 5, tzinfo=UTC)


def kept(folder: Path) -> Store:
    """A store with a game in its first inning, and one on the table that nobody has played in."""
    store = Store(folder / "journal.db", lambda: EVENING)
    session = GameSession(store, table)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    session.game.begin_game(table())
    return store


def dugout(capsys: pytest.CaptureFixture[str], *given: str) -> tuple[int, str, str]:
    """Run `dugout games`; return its exit status and what it printed."""
    status = main(["games", *given])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("runs", [True, False])
def test_games_are_listed_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], runs: bool) -> None:
    """The last on the table first; a name is there at once, and stays."""
    store, data = kept(tmp_path), ("--data", str(tmp_path))
    if not runs:
        store.close()
    assert (0, "Game 1 is now called Autumn league.\n", "") == dugout(capsys, "--name", "1", " Autumn league ", *data)
    status, out, err = dugout(capsys, *data)
    day = f"{EVENING.astimezone():%Y-%m-%d %H:%M}"
    assert (0, "") == (status, err)
    assert [
        "No.  Name           Game        Status                                 Last played",
        f"2    –              Small Ball  top of inning 1, 0 to 0, on the table  {day}",
        f"1    Autumn league  Small Ball  top of inning 1, 0 to 0                {day}",
    ] == out.splitlines()
    if runs:
        store.close()
    again = Store(tmp_path / "journal.db")
    assert again.trouble is None
    again.close()
    assert (0, "Game 1 now has no name.\n", "") == dugout(capsys, "--name", "1", "", *data)


@pytest.mark.parametrize(
    ("number", "name", "words"),
    [
        ("9", "x", "there is no game 9: dugout games lists them."),
        ("one", "x", "'one' is not a game's number: dugout games lists them."),
        ("0", "x", "'0' is not a game's number: dugout games lists them."),
        ("1", "x" * 41, "the name can have at most 40 characters; these are 41."),
    ],
)
def test_what_cannot_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: str, name: str, words: str
) -> None:
    """It says what to do, and nothing has changed."""
    kept(tmp_path).close()
    assert (2, "", f"dugout: {words}\n") == dugout(capsys, "--name", number, name, "--data", str(tmp_path))
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        assert {("",)} == set(db.execute("select name from turn"))


def test_where_nothing_was_played_nothing_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a journal stays so; a list writes nothing at all."""
    for more in ((), ("--name", "1", "x")):
        assert (2, "", f"dugout: there are no games in {tmp_path}.\n") == dugout(capsys, *more, "--data", str(tmp_path))
    assert [] == list(tmp_path.iterdir())
    kept(tmp_path).close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    dugout(capsys, "--data", str(tmp_path))
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_finished_games_become_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The open game is left out, and so is one that cannot be read, by name."""
    store = Store(tmp_path / "journal.db", lambda: EVENING)
    session, chance = GameSession(store, table), Random(1)
    while asks := session.game.view_for(None).table.asks:
        session.seats.answer_ask(asks[0].seat, asks[0].n, asks[0].random_answer(chance), Source.PHONE)
    session.game.begin_game(table())
    store.close()
    data = ("--data", str(tmp_path))
    status, out, err = dugout(capsys, "--csv", "plays", *data)
    rows = list(csv.DictReader(io.StringIO(out.removeprefix("\ufeff"))))
    assert (0, "", {"1"}, "game-over") == (status, err, {row["game"] for row in rows}, rows[-1]["event"])
    status, out, err = dugout(capsys, "--csv", "box", *data)
    assert 18 <= len(out.splitlines()) - 1
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("update entry set body = '{}' where game = 1 and place = 3")
    status, out, err = dugout(capsys, "--csv", "plays", *data)
    assert (0, 1) == (status, len(out.splitlines()))
    assert err.startswith("dugout: game 1: ")
