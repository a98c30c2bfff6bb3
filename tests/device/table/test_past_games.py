"""Past games, read from the store in any state, without any secrets."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.shapes import ReplayPart
from device.storage.decks import house_deck
from device.storage.hash_chain import add_game_checksums
from device.storage.store import Store, StoreError
from device.table import game_rows, past_games
from device.table.past_games import GAMES_PER_PAGE, PastGames, build_replay_part
from engine.games import GAMES
from engine.journal import entry_json
from engine.scoreboard import redacted_scoreboard
from engine.scorecard.fold import scorecards
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import table as small_ball
from tests.engine.games.seventh_inning_stretch.fixture import between
from tests.engine.sample_games import duel_game
from tests.web.games.bottom_of_the_9th import PITCHES, give, ninth
from tests.web.games.rallybird import laid, rally

NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)


class PlainGames:
    """The past games, returned as plain data."""

    def __init__(self, games: PastGames) -> None:
        self._games = games

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._games, name)
        return lambda *given: json_data(method(*given))

    def replay(self, number: int) -> list[Any] | None:
        """Return all steps, each part joined to the one before."""
        found, first = list[Any](), 0
        while (part := self._games.replay_part(number, first)) is not None:
            steps = json_data(part.steps)
            silent = found and not steps[0]["lines"] and steps[0]["scoreboard"] == found[-1]["scoreboard"]
            found += steps[1:] if silent else steps
            first += part.most
            if first > part.count:
                return found
        return None

    def journal(self, number: int) -> Any:
        found = self._games.game_journal(number)
        return found and {"header": found.header, "entries": [entry for piece in found.pieces for entry in piece]}


class StoredGames:
    """A store with games and its history. The last game added is the one on the table."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.store, self.now = Store(self.path, lambda: NOON), 0
        self.pictures: set[tuple[int, int]] = set()
        self.history = PlainGames(
            PastGames(self.path, lambda: self.now, lambda game, place: (game, place) in self.pictures)
        )

    def put(self, table: Table) -> int:
        self.now = self.store.begin_game(table)
        return self.now

    def spoil(self, number: int, **columns: str | None) -> None:
        with closing(sqlite3.connect(self.path)) as db, db:
            for name, value in columns.items():
                db.execute(f"update game set {name} = ? where id = ?", (value, number))

    def everything(self, number: int) -> str:
        """Return everything that is published about a game."""
        asked = self.history
        card = asked.game_scorecards(number)
        return json.dumps(
            [asked.games_page(1), asked.game_record(number), asked.replay(number), asked.journal(number), card]
        )


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[StoredGames]:
    stored = StoredGames(tmp_path)
    yield stored
    stored.store.close()


def played(key: str, seed: int = 2, most: int = 1000, until: Callable[[Table], object] = lambda table: False) -> Table:
    """Play a game with random legal answers: to its end, to `most` answers, or until what `until` says."""
    game, random = GAMES[key], Random(seed)
    table = Table(game, [house_deck(game)])
    while table.open_asks() and len(table.answers) < most and not until(table):
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), random))
    return table


def test_newest_first(stored: StoredGames) -> None:
    """Each game has title, teams, score, end and plays, and the one on the table is marked."""
    over = played("small-ball")
    stored.put(over)
    stored.put(small_ball())
    going, done = stored.history.games_page(1)["games"]
    assert [(2, True, None, 0), (1, False, None, done["plays"])] == [
        (one["id"], one["now"], one["note"], one["plays"]) for one in (going, done)
    ]
    assert ("Small Ball", None) == (going["game"]["title"], going["outcome"])
    board = json_data(over.view_for(None))["scoreboard"]["sides"]
    assert {seat: side["runs"] for seat, side in board.items()} == {s: one["runs"] for s, one in done["sides"].items()}
    assert over.outcome.sentence == done["outcome"]["sentence"]
    assert done["plays"] == len({line["n"] for line in stored.history.game_record(1)["log"] if line["n"] >= 0})


@pytest.mark.parametrize(
    ("standing", "names"),
    [
        ("", {}),
        ('{"managers": {"home": "all-star", "away": "rookie"}}', {"home": "Ida Okafor", "away": "Teo Elderfield"}),
        ('{"managers": {"home": "nobody"}}', {}),
        ('{"managers": 3}', {}),
        ("[" * 10_000, {}),
        ("damaged", {}),
    ],
)
def test_the_computers_of_a_game_are_named(stored: StoredGames, standing: str, names: dict[str, str]) -> None:
    stored.store.save_seat_settings(stored.put(small_ball()), standing)
    assert stored.history.games_page(1)["games"][0]["computers"] == names


def test_suspended_games(stored: StoredGames) -> None:
    """Games with at least one answer and no end, most recently played first, with name and position."""
    short = small_ball()
    for n, value in enumerate(("bat", [2], "bat", [2])):
        short.answer_ask("away", n, value)
    first, _, third = stored.put(short), stored.put(small_ball()), stored.put(played("small-ball"))
    fourth, last = stored.put(played("bottom-of-the-9th", most=9)), stored.put(short.clone())
    assert stored.store.rename_game(first, "Autumn league")
    assert [fourth, first] == [one["id"] for one in stored.history.paused_games()]
    one = stored.history.paused_games()[1]
    assert ("Autumn league", "top of inning 1, 0 to 0", True, False) == tuple(
        one[key] for key in ("name", "stands", "aside", "now")
    )
    assert (NOON.isoformat(),) * 2 == (one["played"], one["started"])
    stored.store.resume_game(first, short)
    stored.now = first
    assert [last, fourth] == [one["id"] for one in stored.history.paused_games()]
    assert [first, last, fourth, third] == [one["id"] for one in stored.history.games_page(1)["games"]][:4]
    found = stored.history.game_record(third)
    assert found is not None
    assert not found["summary"]["aside"]


def test_the_game_to_continue_has_the_same_cards_and_rules(stored: StoredGames) -> None:
    """The last suspended game, unless it is over, on the table, damaged, or has other rules or cards."""
    game, deck = GAMES["small-ball"], house_deck(GAMES["small-ball"])
    fresh = Table(game, [deck])
    assert stored.history.find_matching_game(fresh) is None
    first, second = (stored.put(played("small-ball", seed, most=9)) for seed in (1, 2))
    stored.put(played("small-ball"))
    stored.put(played("bottom-of-the-9th", most=9))
    stored.put(fresh.clone())
    told = stored.history.find_matching_game(fresh)
    assert told == next(one for one in stored.history.paused_games() if one["id"] == second)
    assert stored.history.find_matching_game(Table(game, [replace(deck, digest="0" * 64)])) is None
    header = fresh.journal_header.as_json() | {"version": game.version + 1}
    stored.spoil(second, header=json.dumps(header))
    assert first == (stored.history.find_matching_game(fresh) or {}).get("id")
    stored.spoil(first, header="[]")
    assert stored.history.find_matching_game(fresh) is None


def test_a_game_describes_its_own_position() -> None:
    """The panel's sentence if there is one; otherwise inning and score. A season has one owner: a game for two is not
    marked as solo, nor is one without a board."""
    board = json_data(small_ball().view_for(None))["scoreboard"]
    assert "top of inning 1, 0 to 0" == game_rows.progress_text(board)
    assert "before the first inning" == game_rows.progress_text(board | {"batting": None})
    assert "second half, game 5" == game_rows.progress_text(board | {"panel": {"stands": "second half, game 5"}})
    assert "top of inning 1, 0 to 0" == game_rows.progress_text(board | {"panel": {"stands": 5}})
    season = game_rows.snapshot_summary(
        json.dumps(json_data(between("second", schedule=("U-1", "U-2")).view_for(None)))
    )
    pair = game_rows.snapshot_summary(json.dumps(json_data(small_ball().view_for(None))))
    assert (True, False, False) == (season.alone, pair.alone, game_rows.snapshot_summary(None).alone)


def test_pages(stored: StoredGames) -> None:
    """A page has fifty games; a page past the end is empty."""
    for _ in range(GAMES_PER_PAGE + 1):
        stored.put(small_ball())
    first, second, third = (stored.history.games_page(page) for page in (1, 2, 3))
    assert (GAMES_PER_PAGE + 1, 2, 2) == (first["games"][0]["id"], first["pages"], second["pages"])
    assert [2, 1] == [first["games"][-1]["id"], second["games"][0]["id"]]
    assert [] == third["games"]


def test_an_answer_appears_once_it_is_stored(stored: StoredGames) -> None:
    """The list follows the game on the table, which goes on while it is read: the connection is read-only. A game that
    does not exist has nothing, and a damaged name is reported."""
    table = small_ball()
    number = stored.put(table)
    assert [None] * 4 == [
        getattr(stored.history._games, ask)(7)
        for ask in ("game_record", "replay_part", "game_journal", "game_scorecards")
    ]
    with closing(stored.history._games._connect_read_only()) as db:
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("delete from game")
        db.execute("select * from game, (select 1 union select 2)").fetchone()
        for n, value in enumerate(("bat", [2])):
            table.answer_ask("away", n, value)
            stored.store.append(number, table, "phone")
    assert 1 == stored.history.games_page(1)["games"][0]["plays"]
    assert json_data(table.view_for(None))["last"] == (stored.history.replay(number) or [])[-1]["lines"][-1]["sentence"]
    stored.store.rename_game(number, "Autumn league")
    stored.store._db.execute("update turn set name = 'Winter'")
    (one,) = stored.history.games_page(1)["games"]
    assert ("", "Its name is damaged: give it a new one.") == (one["name"], one["note"])


@pytest.mark.parametrize("key", GAMES)
def test_replay(key: str, stored: StoredGames) -> None:
    """It starts with the game and ends with its current state; each line of the log appears once, in order."""
    table = played(key, most=200)
    number = stored.put(table)
    found, past = stored.history.replay(number), stored.history.game_record(number)
    assert found is not None
    assert past is not None
    fresh, end = json_data(Table(table.game, table.decks, table.house).view_for(None)), json_data(table.view_for(None))
    assert (fresh["scoreboard"], end["scoreboard"]) == (found[0]["scoreboard"], found[-1]["scoreboard"])
    assert [None, end["outcome"]] == [found[0]["outcome"], found[-1]["outcome"]]
    assert past["log"] == [line for step in found for line in step["lines"]]
    assert past["table"] == end
    assert all(a["lines"] or a["scoreboard"] != b["scoreboard"] for b, a in pairwise(found))
    assert found == sorted(found, key=lambda step: step["place"])


def test_replay_has_only_answers_that_stand(stored: StoredGames) -> None:
    """Answers that were undone or amended are left out."""
    table = small_ball()
    for n, value in enumerate(("bat", [3], "bat", [6])):
        table.answer_ask("away", n, value)
    table.undo(2)
    table.correct_answer(1, [2])
    found = json_data(build_replay_part(table, {}).steps)
    assert [("Pip Marlowe singles.",)] == [tuple(line["sentence"] for line in step["lines"]) for step in found[1:]]


def test_parts_of_a_replay(stored: StoredGames, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part is as large as any other, and they are the whole game together; its scorecard and its journal are those
    of the table that was stored. A play with a stored picture of its dice names it, in the log and in the replay."""
    table = played("small-ball", most=100)
    table.undo(table.answers[-1].n)
    number, count = stored.put(table), len(table.journal)

    def asked(first: int) -> ReplayPart:
        found = stored.history._games.replay_part(number, first)
        assert found is not None
        return found

    parts = [asked(first) for first in range(0, 100, past_games.ANSWERS_PER_PART)]
    assert [(0, 99, 40), (40, 99, 40), (80, 99, 40)] == [(one.first, one.count, one.most) for one in parts]
    assert all(one.steps[0].place == one.first and len(one.steps) <= one.most for one in parts)
    in_parts = stored.history.replay(number)
    assert in_parts is not None
    monkeypatch.setattr(past_games, "ANSWERS_PER_PART", 1000)
    assert in_parts == stored.history.replay(number)
    assert [99] == [step.place for step in asked(10**6).steps]
    card = stored.history._games.game_scorecards(number)
    assert card is not None
    assert scorecards(table) == card
    assert any(True for _ in card["away"].all_boxes)
    journal = stored.history.journal(number)
    assert {
        "header": table.journal_header.as_json(),
        "entries": [entry_json(entry) for entry in table.journal],
    } == journal
    assert count == len(journal["entries"])
    stored.pictures = {(number, 3), (number + 1, 5)}
    replayed = [line for step in stored.history.replay(number) or () for line in step["lines"]]
    for lines in (stored.history.game_record(number)["log"], replayed):
        assert {f"{number}-3"} == {line["evidence"] for line in lines} - {None}


def test_an_answer_stored_during_a_read_is_not_in_it(stored: StoredGames, monkeypatch: pytest.MonkeyPatch) -> None:
    """Board and journal must be from the same moment, or they would contradict each other."""
    table = small_ball()
    number = stored.put(table)

    class Slow(sqlite3.Connection):
        """Store an answer between the reads of the game and of its entries."""

        def execute(self, sql: str, *more: object) -> sqlite3.Cursor:
            if "from entry" in sql and not table.answers:
                for n, value in enumerate(("bat", [2])):
                    table.answer_ask("away", n, value)
                    stored.store.append(number, table, "phone")
            return super().execute(sql, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(
        stored.history._games,
        "_connect_read_only",
        lambda: sqlite3.connect(f"file:{stored.path}?mode=ro", uri=True, factory=Slow),
    )
    assert not stored.history.game_record(number)["trouble"]
    assert 2 == len(table.answers)


# Damaged games and other versions ------------------------------------------------------------------------------------

DECK = [{"file": "mine.toml", "source": "[deck]\ngame = 'small-ball'\ntitle = 'Mine'\n[[player]]\nteam = 'pink'\n"}]

DAMAGE: dict[str, tuple[dict[str, str | None], str, str]] = {
    "no header": ({"header": "{"}, "Its journal is damaged.", "that they do not know"),
    "no game": ({"header": '{"game": "cricket"}'}, "Dugout doesn't know this game.", "that they do not know"),
    "a list": ({"header": "[]"}, "Its journal is damaged.", "that they do not know"),
    "deck": ({"decks": json.dumps(DECK)}, "", "mine.toml, player 1, team"),
    "other cards": ({"decks": "[]"}, "", "its cards are not the ones it was started with"),
    "no decks": ({"decks": "5"}, "", "that they do not know"),
    "score": ({"snapshot": '{"scoreboard": {}}'}, "", "they lead to a different score than was shown"),
    "snapshot": ({"snapshot": "{"}, "", "that they do not know"),
}


def test_damage_is_reported(stored: StoredGames) -> None:
    """The list works whatever was written in a journal; the game itself only says why it cannot be read."""
    table = played("small-ball", most=20)
    for columns, _, _ in DAMAGE.values():
        bad = stored.put(table)
        stored.spoil(bad, **columns)
        add_game_checksums(stored.store._db, bad)
    stored.put(small_ball())
    good, *listed = stored.history.games_page(1)["games"]
    assert good["note"] is None
    for (what, (_, note, trouble)), told in zip(DAMAGE.items(), reversed(listed), strict=True):
        assert (note or None) == told["note"], what
        found = stored.history.game_record(told["id"])
        assert trouble in found["trouble"], what
        assert (None, []) == (found["table"], found["log"]), what
        assert [None, None] == [stored.history.replay(told["id"]), stored.history.journal(told["id"])], what


def test_another_version_of_the_rules(stored: StoredGames) -> None:
    """A game from older rules is shown if they still lead to the same score, and the list says so. A game stored before
    plays were counted, or without any answer, shows what is known."""
    table = played("small-ball", most=20)
    number, bare = stored.put(table), stored.put(small_ball())
    stored.spoil(number, header=json.dumps(table.journal_header.as_json() | {"version": 0}))
    stored.spoil(number, snapshot=json.dumps(json_data(table.view_for(None))))
    stored.spoil(bare, snapshot=None)
    for game in (number, bare):
        add_game_checksums(stored.store._db, game)
    none, old = stored.history.games_page(1)["games"]
    assert f"It was started under version 0 of its rules, which are now at version {table.game.version}." == old["note"]
    assert stored.history.game_record(number)["trouble"] is None
    assert 0 == stored.history.journal(number)["header"]["version"]
    assert (None, None, None) == (none["sides"], none["outcome"], none["plays"])
    runs = json_data(table.view_for(None))["scoreboard"]["sides"]["away"]["runs"]
    assert (None, runs) == (old["plays"], old["sides"]["away"]["runs"])
    assert stored.history.game_record(bare)["table"] is not None


def test_a_refused_answer_is_not_repeated(stored: StoredGames) -> None:
    """If other rules refuse an answer, the reason does not repeat it: it may have been a secret."""
    number = stored.put(rally(removed="Drag bunt"))
    with closing(sqlite3.connect(stored.path)) as db, db:
        db.execute("update entry set body = replace(body, 'Drag bunt', 'Secret swing') where place = 0")
    add_game_checksums(stored.store._db, number)
    found = stored.history.game_record(number)
    assert found is not None
    assert "there is something in its journal that they do not know" in found["trouble"]
    assert "Secret swing" not in stored.everything(number)


def test_an_answer_changed_by_a_card_is_reported(stored: StoredGames) -> None:
    """The rules would accept it with the same score, but the game would look different from the one played."""
    number = stored.put(played("small-ball", most=20))
    with closing(sqlite3.connect(stored.path)) as db, db:
        db.execute("update entry set source = 'x' where place = 3")
    found = stored.history.game_record(number)
    assert "This game is damaged: its answers from number 4 of 20 on." in found["trouble"]
    assert 3 == found["table"]["version"]
    assert 3 == len(stored.history.journal(number)["entries"])


def test_a_disk_error_is_reported(stored: StoredGames) -> None:
    """The message does not have the file's path."""
    stored.history._games._path = stored.path.with_name("gone.db")
    for ask in (stored.history.games_page, stored.history.game_record):
        with pytest.raises(StoreError, match=r"^The games cannot be read: unable to open database file\.$"):
            ask(1)


# Secrets ------------------------------------------------------------------------------------------------------------

CARDS = ("Chop to the left", "Drag bunt", "Liner to right")


def pitched(pitch: str) -> Table:
    """Play until away has chosen its pitch and home is to guess."""
    table = ninth()
    give(table, "away", pitch)
    return table


def thrown(pitch: str) -> Table:
    """Play until home has chosen and undone its choice."""
    table = ninth()
    give(table, "home", pitch)
    table.undo(table.answers[-1].n)
    return table


def gloved(glove: str) -> Table:
    """Play until home's glove is sealed and others play on."""
    table = duel_game.new()
    give(table, "home", glove)
    give(table, "away", {"first": "ann", "second": "bob"})
    give(table, "away", "heads")
    return table


SECRETS: dict[str, tuple[tuple[str, ...], Callable[[str], Table]]] = {
    "pitch": (PITCHES, pitched),
    "taken back": (PITCHES, thrown),
    "chosen": (CARDS, lambda card: laid(rally(), card)),
    "removed": (CARDS, lambda card: laid(rally(removed=card), "Blooper to left")),
    "glove": (("high", "low"), gloved),
}


def answers(folder: Path, moment: str) -> list[str]:
    """Return everything shown about a game, for each value of the secret."""
    found = []
    values, after = SECRETS[moment]
    for value in values:
        (home := folder / value).mkdir()
        stored = StoredGames(home)
        number = stored.put(after(value))
        found.append(stored.everything(number))
        stored.store.close()
    return found


@pytest.fixture
def duels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow the made-up game to be stored."""
    monkeypatch.setitem(GAMES, duel_game.DUEL.key, duel_game.DUEL)


@pytest.mark.parametrize("moment", SECRETS)
@pytest.mark.usefixtures("duels")
def test_no_secret_is_published(moment: str, tmp_path: Path) -> None:
    """List, log, replay and journal are the same, byte for byte, whatever the secret is."""
    found = answers(tmp_path, moment)
    assert '"trouble": null' in found[0]
    assert 1 == len(set(found))


def _entries(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "sealed_entry_indexes", lambda self, seat: set())


def _seals(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("device.table.past_games.redacted_scoreboard", lambda board, seat: redacted_scoreboard(board, "home"))


@pytest.mark.parametrize(
    ("plant", "moment"), [(_entries, "pitch"), (_entries, "taken back"), (_entries, "removed"), (_seals, "glove")]
)
@pytest.mark.usefixtures("duels")
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the comparison above can fail."""
    plant(monkeypatch)
    assert len(SECRETS[moment][0]) == len(set(answers(tmp_path, moment)))


def test_a_replay_hides_secrets_until_their_reveal(tmp_path: Path) -> None:
    """In the replay of a finished game, each moment before the reveal shows no more than it did then."""
    table = duel_game.played(99)
    found = json_data(build_replay_part(table, {}).steps)
    assert "high" in json.dumps(found[-1])
    assert "hidden" in json.dumps(found[1])
    assert "high" not in json.dumps(found[:-1])
    assert isinstance(table.state.glove, SealedValue)  # type: ignore[attr-defined]
