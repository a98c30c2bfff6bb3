"""A process whose writes are recorded: `python -m tests.device.storage.recorded_writer FOLDER ACKS HOW`.

It plays in FOLDER, and writes a line to ACKS once something was acknowledged. HOW is "sound", or a planted fault:
"normal" (SQLite syncs less) or "delete" (the end of its journal is not synced).
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from device.inputs import random_player
from device.storage import database
from device.storage.decks import DeckLibrary, house_deck, house_deck_text
from device.storage.journal_copy import JournalCopy
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from engine.games import GAMES
from engine.league.league import League, LeagueTeam
from engine.table import Table
from vision.tray import saved_trays
from vision.tray.outline import Tray

GAME = GAMES["small-ball"]
ANSWERS, AWAY = 45, 25
"""The number of answers, and the one after which the game is put aside for another and taken up again."""

TITLES = [f"Deck {n}" for n in range(4)]
"""Titles of the deck, of the league, and names of the person, one after the other."""

ADDED = (13, 33)
"""After these answers a finished game is stored, as game 2 and as the next one after the one begun meanwhile."""

STANDING = '{"people": {"home": "p1"}}'
"""The seat settings of such a game."""

TEAMS = (LeagueTeam("a", "A"), LeagueTeam("b", "B"))


class Normal(sqlite3.Connection):
    """Claims to sync fully, and does not."""

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        changed = {"pragma synchronous = full": "pragma synchronous = normal", "pragma synchronous": "select 2"}
        return super().execute(changed.get(sql, sql), *more)


class Delete(sqlite3.Connection):
    """Claims to have a WAL, and does not."""

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if sql == "pragma journal_mode = wal":
            super().execute("pragma journal_mode = delete")
            sql = "select 'wal'"
        return super().execute(sql, *more)


def table() -> Table:
    return Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})


def step(at: Table, random: Random) -> None:
    """One answer, or now and then one taken back."""
    if len(at.journal) % 9 == 8:
        at.undo(at.answers[-1].n)
        return
    (n, ask), *_ = at.open_asks()
    at.answer_ask(ask.seat, n, random_player.pick_answer(at.ask_view(n, ask, ask.seat), random))


def play(store: Store, game: int, at: Table, answers: int = 1, seed: int = 2) -> None:
    """Give this many answers in a game, and store each."""
    random = Random(seed)
    for _ in range(answers):
        step(at, random)
        store.append(game, at, "phone")


@cache
def finished() -> Table:
    """A game that was played to its end."""
    at, random = table(), Random(3)
    while not at.outcome:
        step(at, random)
    return at


def tray(n: int) -> Tray:
    outline = np.array([[1, 1], [30, 1], [30, 22], [1, 22]], np.int32)
    return Tray("cam", (32, 24), outline, np.full((24, 32, 3), 40 + n, np.uint8), 40.0 + n, None, None, None, None)


def picture(place: int) -> bytes:
    return b"\xff\xd8" + bytes([place + 1]) * 3000 + b"\xff\xd9"


def record(folder: Path, acks: int, how: str) -> None:
    real = sqlite3.connect
    planted = {"normal": Normal, "delete": Delete}.get(how)
    if planted is not None:
        JournalCopy.copy_changes = lambda *_: False  # type: ignore[method-assign]  # it would hide what is lost
        database.sqlite3.connect = lambda *a, **k: real(*a, **{**k, "factory": planted})  # type: ignore[attr-defined]
    database.CHECKPOINT_PAGES = 60

    def say(*words: object) -> None:
        os.write(acks, (" ".join(map(str, words)) + "\n").encode())

    say("start")
    random, at = Random(5), table()
    kept_here = Store(folder / "deep" / "journal.db")
    kept_here.get_or_create_value("key", lambda: "k")
    say("key")
    game = kept_here.begin_game(at)
    say("game")
    library, evidence = DeckLibrary(folder / "deep" / "decks"), RollPictures(folder / "deep" / "evidence")
    for n in range(ANSWERS):
        step(at, random)
        kept_here.append(game, at, "phone")
        say("answer", n + 1)
        evidence.store_picture(game, n, picture(n))
        if n % 3:
            kept_here.update_copy()
        if how == "sound":
            if n % 20 == 3:
                title = TITLES[n // 20]
                LeagueFiles(folder / "deep" / "leagues").save(League("cup", title, GAME.key, "best-of", TEAMS))
                say("league", n // 20)
                people = PeopleFile(folder / "deep" / "people.json")
                people.save(people.people()[0].key if n // 20 else "", title, "red")
                say("person", n // 20)
            if n in ADDED:
                added = kept_here.add_finished_game(finished(), STANDING, ["manager"] * len(finished().journal))
                say("added", added)
            if n % 20 == 7:
                saved_trays.save_tray(folder / "deep" / "trays", tray(n))
                say("tray", n)
            if n % 20 == 11:
                title = TITLES[n // 20]
                if n // 20:
                    library.rename_deck(GAME.key, "deck-0", title)
                else:
                    library.import_deck(house_deck_text(GAME), title)
                say("deck", n // 20)
            if n % 20 == 15:
                kept_here.save_values({"code": str(n)})
                say("code", n)
            if n % 20 == 17:
                kept_here.save_seat_settings(game, json.dumps({"waits": {"home": n}}))
                say("stand", n)
            if n == AWAY:
                kept_here.begin_game(table())
                kept_here.resume_game(game, at)
                say("taken")
    kept_here.close()


if __name__ == "__main__":
    folder, acks, how = sys.argv[1:]
    record(Path(folder), os.open(acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), how)
