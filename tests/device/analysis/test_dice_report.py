"""The report on the dice of a store: computed in the background, once for each state of each game."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.analysis import dice_report
from device.analysis.dice_counts import CountedDie
from device.analysis.dice_report import DiceReports, die_reports
from device.shapes import DiceReport, DieReport
from device.storage import hash_chain
from device.storage.roll_pictures import with_comment
from device.storage.store import StoreError
from device.table.session import GameSession
from engine.dice import Face, die_sides
from engine.journal import Source
from tests.device.analysis.rolled import Stored, batted, complete
from tests.device.stored_games import Clock, seen, table, throw, wait
from tests.device.throws import thrown
from tests.vision.tints import die

D6 = CountedDie("camera", "d6", None, tuple(range(1, 7)))
D20 = CountedDie("person", "d20", None, tuple(range(1, 21)))


def faces(report: DieReport) -> dict[Face, int]:
    """The faces that came up, with their counts."""
    return {one.face: one.count for one in report.faces if one.count}


def counted(*counts: int) -> dict[Face, int]:
    """Counts of the faces 1, 2 and so on."""
    return dict(enumerate(counts, 1))


def described(counts: Mapping[CountedDie, Mapping[Face, int]]) -> list[tuple[str, str, str]]:
    return [(one.title, one.finding, one.sentence) for one in die_reports(counts)]


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    return Stored(tmp_path)


def test_all_games_count_by_who_gave_the_rolls(stored: Stored) -> None:
    stored.put(batted(5, 2), "camera")
    stored.put(batted(6, 2), "phone")
    stored.put(batted(1), "manager")
    stored.put(batted(2), "camera")
    found = complete(stored.reports)
    assert (4, [], 4, 4) == (found.games, found.skipped, found.done, found.total)
    assert [("camera", {2: 2, 5: 1}), ("person", {2: 1, 6: 1})] == [(one.origin, faces(one)) for one in found.dice]
    assert [0.5] * 6 == [one.expected for one in found.dice[0].faces]


def test_what_a_camera_reads_counts_as_read(stored: Stored, clock: Clock) -> None:
    """A sure roll counts by itself. One that a person confirms, because the camera had a doubt, counts as theirs."""
    session = GameSession(stored.store, table, clock=clock)
    throw(session, clock, seen(4))
    wait(session, clock, 106)
    n, ask = session.game.table.open_asks()[0]
    session.seats.answer_ask(ask.seat, n, "bat", session.game.sources[0])
    clock.now = 110
    session.rolls.handle_throw(seen(3, began=108, doubt="unclear"))
    session.rolls.accept_roll()
    assert [("camera", {4: 1}), ("person", {3: 1})] == [
        (one.origin, faces(one)) for one in complete(stored.reports).dice
    ]


def test_a_taught_die_is_counted_while_its_reading_is_stored(stored: Stored) -> None:
    game, picture = batted(5, 2), b"\xff\xd8 dice \xff\xd9"
    number, places = stored.put(game, "camera"), [one.entry for one in game.answers if one.value in ((5,), (2,))]
    for place, face in zip(places, (5, 2), strict=True):
        said = json.dumps({"dice": [{"kind": "d6", "value": face, "taught": "Lucky"}]})
        stored.pictures.store_picture(number, place, with_comment(picture, said))
    stored.pictures.store_picture(number + 1, places[0], with_comment(picture, said))  # of no game
    stored.pictures.store_picture(number, 0, picture)  # without a reading
    found = complete(stored.reports).dice
    assert [("camera", "d6"), ("taught", "Lucky (d6)")] == [(one.origin, one.title) for one in found]
    assert [{2: 1, 5: 1}] * 2 == [faces(one) for one in found]


def test_what_the_camera_recognizes_as_a_taught_die_is_counted(stored: Stored, clock: Clock) -> None:
    """From the throw to the report, also if a person confirms the roll."""
    session = GameSession(stored.store, table, clock=clock, evidence=stored.pictures)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    lucky = thrown([replace(die(5), taught="Lucky")], 101.0, "unclear")
    picture = with_comment(b"\xff\xd8 dice \xff\xd9", json.dumps(lucky.reading.as_json()))
    clock.now = 103
    session.rolls.handle_throw(replace(lucky, picture=picture))
    session.rolls.accept_roll()
    found = complete(stored.reports).dice
    assert [("person", "d6"), ("taught", "Lucky (d6)")] == [(one.origin, one.title) for one in found]


def test_only_changed_games_are_read_again(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after an undo, and if a game was deleted."""
    read = list[int]()
    usual = dice_report._count_game

    def count_game(db: sqlite3.Connection, number: int, *more: Any) -> Any:
        read.append(number)
        return usual(db, number, *more)

    monkeypatch.setattr(dice_report, "_count_game", count_game)
    session = GameSession(stored.store, lambda: batted(3))
    stored.put(batted(5))
    assert {3: 1, 5: 1} == faces(complete(stored.reports).dice[0])
    assert complete(stored.reports) is complete(stored.reports)
    assert [1, 2] == read
    session.game.undo_answers()
    assert {5: 1} == faces(complete(stored.reports).dice[0])
    assert [1, 2, 1] == read
    stored.change("delete from entry where game = 2")
    stored.change("delete from game where id = 2")
    assert (1, []) == (complete(stored.reports).games, complete(stored.reports).dice)
    assert [1, 2, 1] == read


def test_nobody_waits_for_it(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a game is read, each request is answered at once, with the report before; only one thread reads."""
    stored.put(batted(5))
    before = complete(stored.reports)
    go, reading = threading.Event(), list[str]()
    usual = dice_report._count_game

    def slow(*given: Any) -> Any:
        reading.append(threading.current_thread().name)
        assert go.wait(60)
        return usual(*given)

    monkeypatch.setattr(dice_report, "_count_game", slow)
    stored.put(batted(6))
    found = [stored.reports.dice_report() for _ in range(5)]
    assert [before.dice] * 5 == [one.dice for one in found]
    assert all(one.done < one.total for one in found)
    go.set()
    assert {5: 1, 6: 1} == faces(complete(stored.reports).dice[0])
    assert ["dice report"] == reading


def test_a_game_that_grows_while_it_is_read_is_not_damaged(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    session = GameSession(stored.store, lambda: batted(3))
    usual = hash_chain.longest_chain

    def grow(*given: Any) -> Any:
        found = usual(*given)
        n, ask = session.game.table.open_asks()[0]
        session.seats.answer_ask(ask.seat, n, "bat", Source.PHONE)
        monkeypatch.undo()
        return found

    monkeypatch.setattr(hash_chain, "longest_chain", grow)
    found = stored.reports.count_games()
    assert ([], {3: 1}) == (found.skipped, faces(found.dice[0]))


def test_a_damaged_game_is_skipped_and_named(stored: Stored) -> None:
    """Even if only its last answer is damaged, and one that the rules cannot read. The others count."""
    for rolls in ((5, 5), (6,), (4,)):
        stored.put(batted(*rolls))
    stored.change("update entry set body = '' where game = 1 and place = (select max(place) from entry where game = 1)")
    stored.change("update game set header = ? where id = 2", '{"game": "chess", "version": 1}', game=2)
    found = complete(stored.reports)
    assert {4: 1} == faces(found.dice[0])
    assert 1 == found.games
    assert [1, 2] == [one.number for one in found.skipped]
    assert "damaged" in found.skipped[0].reason
    assert "cannot be read under these rules" in found.skipped[1].reason


def test_a_store_without_rolls(stored: Stored) -> None:
    assert DiceReport([], 0, [], 0, 0) == complete(stored.reports)
    stored.put(table())
    assert DiceReport([], 1, [], 1, 1) == complete(stored.reports)


def test_a_store_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        DiceReports(tmp_path / "journal.db", tmp_path / "evidence").dice_report()


def test_the_words_claim_no_more_than_the_test() -> None:
    even, loaded = counted(*[60] * 6), counted(*[60] * 5, 120)
    rare = "Of a hundred tables with fair dice, about one sees such a result."
    assert [("d6", "even", "In 360 rolls, nothing suggests that a face is favored.")] == described({D6: even})
    more = "6 more often (120 times, 70 expected)"
    assert [("d6", "uneven", f"In 420 rolls, it showed {more} than chance explains. {rare}")] == described({D6: loaded})
    few = "Too few rolls to say: about 60 more would probably show a face that comes up twice as often."
    assert [("d6", "few", few)] == described({D6: counted(*[5] * 6)})
    split = counted(83, 83, 83, 117, 117, 117)
    told = f"In 600 rolls, its faces came up less evenly than chance explains. {rare}"
    assert [("d6", "uneven", told)] == described({D6: split})


def test_many_dice_are_tested_together() -> None:
    """The same counts are uneven alone, and not surprising among ten fair dice, which also need more rolls."""
    counts = counted(60, 60, 60, 60, 60, 97)
    others = {replace(D6, color=f"color {n}"): counted(*[60] * 6) for n in range(9)}
    assert "uneven" == die_reports({D6: counts})[0].finding
    assert {"even"} == {one.finding for one in die_reports({D6: counts} | others)}
    assert ["even"] == [one.finding for one in die_reports({D6: counted(*[16] * 6)})]
    assert "few" == die_reports({D6: counted(*[16] * 6)} | others)[0].finding


def test_letters_are_counted_by_their_sides() -> None:
    """A pitching die with three S shows S in half of its rolls; with other sides it is another die."""
    usual = CountedDie("camera", "pitch", None, die_sides("pitch", {}))
    other = replace(usual, sides=tuple("BBBSSC"))
    counts: dict[Face, int] = {"B": 100, "S": 150, "C": 50}
    found = die_reports({usual: counts, other: counts})
    assert [("Pitching die with 3 B, 2 S and 1 C", "uneven"), ("Pitching die with 2 B, 3 S and 1 C", "even")] == [
        (one.title, one.finding) for one in found
    ]
    assert [("B", 100.0), ("S", 150.0), ("C", 50.0)] == [(one.face, one.expected) for one in found[1].faces]
    assert [] == die_reports({replace(usual, sides=("B",) * 6): {"B": 50}})


def test_dice_are_listed_by_origin_and_size() -> None:
    mine = CountedDie("taught", "d6", None, D6.sides, "Lucky")
    red = replace(D6, color="red")
    assert ["d6", "Red d6", "d20", "Lucky (d6)"] == [
        one.title for one in die_reports({die: {1: 1} for die in (mine, D20, red, D6)})
    ]


def test_reports_on_fair_dice_seldom_alarm() -> None:
    """At most one in a hundred of 1,000 reports on four dice calls any of them uneven."""
    random, dice = (
        Random(11),
        [(D6, 200), (replace(D6, origin="person"), 40), (D20, 150), (replace(D20, color="red"), 30)],
    )
    alarms = 0
    for _ in range(1000):
        counts = {die: Counter(random.choices(die.sides, k=rolls)) for die, rolls in dice}
        alarms += any(one.finding == "uneven" for one in die_reports(counts))
    assert alarms <= 10 + 10  # three standard errors
