"""One bad game hides no other: whatever a card does to an old game, the rest is there, and the game is marked."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from device.cli import main
from device.diagnostics.checks import disk
from device.diagnostics.facts import DoctorFacts
from device.machine import Machine
from device.shapes import GameSummary
from device.storage import game_check, game_list
from device.storage.decks import DeckLibrary
from device.storage.store import Store
from device.table.game_choice import GameChoice
from device.table.past_games import PastGames
from device.table.session import GameSession
from engine.errors import IllegalAnswer
from tests.device import stored_games
from tests.device.display.menus import Games, menu
from tests.device.storage.power_cuts import SWIFT
from tests.device.table.test_past_games import played
from tests.web.phones import phone, text
from tests.web.web_table import WebTable, parts
from web.app import create_app

ODD = [
    b"",
    b"null",
    b"[]",
    b"5",
    b"{}",
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"scoreboard": 5, "outcome": 5}',
    b'{"scoreboard": {"sides": {"away": {"name": [], "colour": 1, "runs": "x"}}}, "outcome": null}',
    b'{"scoreboard": {"panel": []}, "outcome": {"winner": {}, "reason": 7, "sentence": []}}',
    b'{"game": [], "version": {}, "decks": 1, "house": 2}',
    b'{"game": "small-ball", "version": 1e999, "decks": [["x", "y"]], "house": {}}',
    b"9" * 5000,
    b'"\\ud800"',
    b"\xff\xfe\x00",
    b"a\x00b",
    b"9999-99-99T99:99",
    "\u202e\u2066".encode(),
]
"""What may be in a column in place of what was written."""

TEXTS = {
    "game": ("header", "decks", "started", "snapshot", "seal"),
    "entry": ("body", "source", "at", "seal"),
    "turn": ("name", "standing", "seal"),
}
NUMBERS = [0, -1, 1, 2**31, 2**63 - 1, -(2**63)]

OLD = (1, 2, 3)
"""The games that were put aside; number 4 is on the table."""


@dataclass(frozen=True)
class Damage:
    """What happens to a column of an old game, or to one of its answers."""

    game: int
    table: str
    column: str
    where: int
    """A place in the column, and among the answers."""
    value: bytes | int | None
    """None: one bit is flipped."""

    def do(self, journal: Path) -> None:
        """Do it, as a card does: past all that guards the rows."""
        key = "id" if self.table == "game" else "game"
        with closing(sqlite3.connect(journal, isolation_level=None)) as db:
            db.text_factory = bytes
            row, game = "", self.game
            if self.table == "entry":
                ((count,),) = db.execute("select count(*) from entry where game = ?", (game,))
                row = f" and place = {self.where % count}"
            which = f"from {self.table} where {key} = {game}{row}"
            ((old,),) = db.execute(f"select {self.column} {which}").fetchall()
            new = self.value
            if new is None and isinstance(old, bytes) and old:
                at = self.where % len(old)
                new = old[:at] + bytes([old[at] ^ (1 << self.where % 8)]) + old[at + 1 :]
            if isinstance(new, int):
                db.execute(f"update {self.table} set {self.column} = ? where {key} = {game}{row}", (new,))
            else:
                change = f"update {self.table} set {self.column} = cast(? as text) where {key} = {game}{row}"
                db.execute(change, (new or b"",))


@dataclass(frozen=True)
class OpenTable:
    """A table on a journal: its list of games, and its pages."""

    store: Store
    session: GameSession
    games: GameChoice
    past: PastGames

    def rows(self) -> dict[int, GameSummary]:
        return {one.id: one for one in self.past.games_page(1).games}

    def visit(self, *games: int) -> Iterator[tuple[str, int, str]]:
        """Yield the address, status and text of the list, of all pages about one game, and of the pages of others."""
        port = replace(WebTable().port, **parts(self.session), games=self.games, past=self.past)
        with phone(create_app(port)) as client:
            first, *others = games
            all_of_it = [f"/games/{first}{more}" for more in ("", ".svg", ".jsonl")]
            for path in ("/games", *all_of_it, f"/api/games/{first}/replay", *(f"/games/{n}" for n in others)):
                answer = client.get(path)
                yield path, answer.status_code, answer.text


@contextmanager
def opened(journal: Path) -> Iterator[OpenTable]:
    """Start a table on this journal."""
    with closing(Store(journal)) as store:
        session = GameSession(store, stored_games.table)
        past = PastGames(journal, lambda: session.game.number, lambda game, place: False)
        library = DeckLibrary(journal.parent / "decks")
        yield OpenTable(store, session, GameChoice(session.game, store, library, past, lambda: None), past)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three old games, one of them over and one named, one on the table, and a copy of all."""
    journal = tmp_path_factory.mktemp("kept") / "journal.db"
    with closing(Store(journal)) as store:
        for table in (played("small-ball"), played("bottom-of-the-9th", most=9), played("small-ball", 3, most=20)):
            store.begin_game(table)
        store.rename_game(2, "Autumn league")
        store.begin_game(stored_games.table())
    return journal


@pytest.fixture(scope="module")
def whole(kept: Path) -> dict[int, GameSummary]:
    """The rows of the list before any damage."""
    with opened(kept) as table:
        return table.rows()


def taken(kept: Path, folder: Path, copied: bool) -> Path:
    """A journal of its own for one example, with its copy or without."""
    for path in kept.parent.glob("journal.db*" if copied else "journal.db"):
        shutil.copy(path, folder)
    return folder / "journal.db"


@st.composite
def damages(draw: st.DrawFn) -> Damage:
    table = draw(st.sampled_from(["game", "game", "game", "entry", "entry", "turn"]))
    game, where = draw(st.sampled_from(OLD)), draw(st.integers(0, 10**6))
    if table == "turn" and draw(st.booleans()):
        return Damage(game, table, draw(st.sampled_from(["turn", "rev"])), where, draw(st.sampled_from(NUMBERS)))
    value = draw(st.one_of(st.none(), st.sampled_from(ODD), st.binary(max_size=40)))
    return Damage(game, table, draw(st.sampled_from(TEXTS[table])), where, value)


def facts(journal: Path) -> DoctorFacts:
    return DoctorFacts(Machine(), data=journal.parent)


@pytest.mark.slow
@given(damages(), st.booleans())
@example(Damage(1, "game", "snapshot", 0, b"\xff"), False)
@example(Damage(2, "game", "snapshot", 40, b"[" * 100_000), True)
@example(Damage(3, "game", "header", 40, b"\xff"), False)
@settings(max_examples=25)
def test_any_column(kept: Path, whole: dict[int, GameSummary], damage: Damage, copied: bool) -> None:
    """The table opens, its pages answer, all other games are listed whole, and the damaged one is marked.

    The doctor names it, `dugout games` lists it, and a repair gets it back from the copy."""
    with TemporaryDirectory(dir=SWIFT) as name:
        journal = taken(kept, Path(name), copied)
        damage.do(journal)
        with opened(journal) as table:
            found = table.rows()
            assert [4, 3, 2, 1] == sorted(found, reverse=True)
            changed = {n for n in whole if found[n] != whole[n]}
            assert changed <= {damage.game}
            pages = {path: (status, page) for path, status, page in table.visit(damage.game, damage.game % 3 + 1)}
            for path, (status, _) in pages.items():
                own = path.startswith((f"/games/{damage.game}.", f"/api/games/{damage.game}/"))
                assert status in ((200, 404) if own else (200,)), path
            now = found[damage.game]
            if damage.table == "turn":  # the list itself is repaired at the start
                assert now == replace(whole[now.id], name=now.name)
                assert now.name in ("", whole[now.id].name)
            elif changed and not (damage.column == "started" and now == replace(whole[now.id], started=now.started)):
                assert (True, False) == (now.damaged, now.aside)
                assert "damaged" in text(pages["/games"][1])
                assert "damaged" in text(pages[f"/games/{damage.game}"][1])
                assert {one.id for one in table.past.paused_games()} >= {2, 3} - {now.id}
                told = disk.check_games(facts(journal))
                assert ("wrong", True) == (told.verdict, f"{damage.game}: " in told.seen)
            elif not changed:
                assert "ok" == disk.check_games(facts(journal)).verdict
        assert main(["games", "--data", name]) == 0
        assert main(["games", "--repair", "--data", name]) == 0
        with opened(journal) as table:
            again = table.rows()
            assert {n for n in whole if again[n] != whole[n]} <= {damage.game}
            if copied and damage.table != "turn":
                assert replace(whole[damage.game], started=again[damage.game].started) == again[damage.game]


Rows = dict[int, GameSummary]


def spoilt(kept: Path, folder: Path, *damage: Damage, copied: bool = False) -> Path:
    journal = taken(kept, folder, copied)
    for one in damage:
        one.do(journal)
    return journal


def test_a_byte_that_is_no_text(kept: Path, tmp_path: Path) -> None:
    """It made every list of games answer 503, through every restart."""
    with closing(sqlite3.connect(taken(kept, tmp_path, True))) as db, db:
        db.execute("update game set snapshot = cast(replace(cast(snapshot as blob), 'a', x'ff') as text) where id = 2")
    with opened(tmp_path / "journal.db") as table:
        pages = {path: (status, text(page)) for path, status, page in table.visit(2)}
        assert 200 == pages["/games"][0]
        assert "Autumn league" in pages["/games"][1]
        assert "This game is damaged: its last answers or what was shown last." in pages["/games"][1]
        assert 200 == pages["/games/2"][0]
        assert "sudo dugout games --repair" in pages["/games/2"][1]
        assert [3] == [one.id for one in table.past.paused_games() if not one.damaged]
        assert [2] == [one.id for one in table.past.paused_games() if one.damaged]


def repaired(capsys: pytest.CaptureFixture[str], journal: Path, *number: str) -> str:
    """Run the repair; return what it says."""
    assert main(["games", "--repair", *number, "--data", str(journal.parent)]) == 0
    return capsys.readouterr().out


SOURCE, BODY = Damage(3, "entry", "source", 7, b"x"), Damage(3, "entry", "body", 7, b"x")
HEADER, SHOWN = Damage(3, "game", "header", 0, b"{"), Damage(3, "game", "snapshot", 0, b"{")
UNDATED = Damage(3, "game", "started", 0, b"\xff")


@pytest.mark.parametrize("runs", [True, False])
def test_repair_from_the_copy(
    runs: bool, kept: Path, whole: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever was damaged, the game is as it was, whether or not a table is running, and can be resumed."""
    for damage in (SOURCE, BODY, HEADER, SHOWN, UNDATED):
        (folder := tmp_path / damage.column).mkdir()
        journal = spoilt(kept, folder, damage, copied=True)
        with ExitStack() as stack:
            table = stack.enter_context(opened(journal)) if runs else None
            told = repaired(capsys, journal)
            assert ("its date is known again" if damage is UNDATED else "as it was written") in told, damage
            table = table or stack.enter_context(opened(journal))
            assert whole == table.rows(), damage
            assert table.games.resume_game(3), damage
            assert "No game is damaged.\n" == repaired(capsys, journal), damage


def test_repair_from_its_answers(kept: Path, whole: Rows, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a copy, answers that lead to what was shown last are believed, and what was shown is worked out."""
    for damage, words in ((SOURCE, "lead to what was shown last"), (SHOWN, "worked out from its answers")):
        (folder := tmp_path / damage.column).mkdir()
        journal = spoilt(kept, folder, damage)
        assert words in repaired(capsys, journal)
        with opened(journal) as table:
            assert whole == table.rows()
            assert table.games.resume_game(3)
        with closing(sqlite3.connect(f"{journal}.copy")) as copy:
            assert [(20,)] == copy.execute("select count(*) from entry where game = 3").fetchall()


def test_no_answer_is_given_up_unasked(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is before a damaged answer is shown, and kept alone only where somebody says so."""
    journal = spoilt(kept, tmp_path, BODY)
    told = "Game 3: 7 of its 20 answers are as they were written. To give up the others, run dugout games --repair 3.\n"
    assert told == repaired(capsys, journal)
    with opened(journal) as table:
        found = table.past.game_record(3)
        assert found is not None
        assert found.table is not None
        assert (True, 7) == (found.summary.damaged, found.table.version)
        assert "its answers from number 8 of 20 on" in str(found.trouble)
        with pytest.raises(IllegalAnswer, match="not as they were written"):
            table.games.resume_game(3)
        assert table.games.set_game_name(3, "Spring")
    assert "Game 3: cut before its first damaged answer: 7 are kept, 13 are lost.\n" == repaired(capsys, journal, "3")
    with opened(journal) as table:
        assert table.games.resume_game(3)
        assert (7, "Spring") == (table.session.game.view_for(None).table.version, table.rows()[3].name)


def test_what_cannot_be_repaired_stays(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game without a beginning says so, shows its last score, and a repair of the whole journal keeps it too."""
    journal = spoilt(kept, tmp_path, replace(HEADER, game=1), Damage(1, "turn", "name", 0, b"x"))
    for _ in range(2):
        with opened(journal) as table:
            found = table.rows()
            assert [1, 2, 3, 4] == sorted(found)
            assert (True, 2) == (found[1].damaged, (found[1].sides or {})["away"].runs)
            assert [1] == [one.id for one in game_check.damaged_games(table.store._db)]
    assert "Game 1: cannot be repaired: neither the journal nor its copy" in repaired(capsys, journal)


def test_the_last_game_without_a_beginning_does_not_stop_the_table(kept: Path, tmp_path: Path) -> None:
    """The one on the table is damaged: the one before it comes back, the damaged one stays in the list, once."""
    journal = spoilt(kept, tmp_path, Damage(4, "game", "header", 0, b"{"))
    for trouble in (True, False):
        with opened(journal) as table:
            assert (3, trouble) == (table.session.game.number, bool(table.store.trouble))
            assert (True, [1, 2, 3, 4]) == (table.rows()[4].damaged, sorted(table.rows()))


def test_damage_while_the_table_runs(kept: Path, tmp_path: Path) -> None:
    """It is seen in a list that was whole before, and the menu of the buttons says it."""
    journal = taken(kept, tmp_path, True)
    with opened(journal) as table:
        assert not any(one.damaged for one in table.rows().values())
        SHOWN.do(journal)
        assert [3] == [n for n, one in table.rows().items() if one.damaged]
        shown = menu(table.session, games=Games(kept=table.past.paused_games))
        shown._open_paused_games()
        assert ["Back to game", "2 Autumn league", "3 damaged"] == [item.label for item in shown._items]
        shown._items[2].action()
        assert "Game 3 is damaged" in str(table.session.game.view_for(None).notice)


def test_a_page_that_cannot_be_read(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SQLite itself refuses the rows of one game, the others are listed all the same."""
    journal = taken(kept, tmp_path, True)

    class Failing(sqlite3.Connection):
        """Refuse every query about game 2, as for a damaged page."""

        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            if more and 2 in more[0]:
                raise sqlite3.DatabaseError("database disk image is malformed")
            return super().execute(sql, *more)

    with opened(journal) as table:
        made = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: made(*given, **{**more, "factory": Failing}))
        found = table.rows()
        assert [1, 2, 3, 4] == sorted(found)
        assert [2] == [n for n, one in found.items() if one.damaged]
        past = table.past.game_record(2)
        assert past is not None
        assert "cannot be read" in str(past.trouble)


def test_room_is_made_all_the_same(kept: Path, tmp_path: Path) -> None:
    """A damaged old game stops no new one: games are deleted to make room."""
    journal = spoilt(kept, tmp_path, Damage(2, "game", "snapshot", 0, ODD[5]), SHOWN)
    with closing(Store(journal, budget=1)) as store:
        store.begin_game(stored_games.table())
        assert [5] == [game for _, game in game_list.games_by_turn(store._db)]
