"""A journal of weeks: an answer in it, and a view of it, cost what they cost on the first evening."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from types import FrameType
from typing import Any

from device.inputs import random_player
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table import play_log
from device.table.past_games import build_replay_part
from device.table.session import GameSession
from engine.journal import Answer, Correction, Source, Undo
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import table
from tests.engine.sample_games.series_game import series

SHORT, LONG, SOME = 100, 1500, 15


def seasoned(answers: int) -> Table:
    """Return a table with this many answers, of games that follow each other."""
    one = table()
    found, random = Table(series(one.game), one.decks), Random(4)
    while len(found.answers) < answers:
        on(found, random, found.answer_ask)
    return found


def on(at: Table, random: Random, answer: Callable[[Seat, int, Any], object]) -> None:
    n, ask = at.open_asks()[0]
    answer(ask.seat, n, random_player.pick_answer(at.ask_view(n, ask, ask.seat), random))


def work(act: Callable[[], object]) -> int:
    """How many lines of Python an act takes: the same on any machine, however busy it is."""
    lines = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return lines


def costs(folder: Path, answers: int) -> dict[str, float]:
    """The work of an answer, of what spectators see then, and of the newest roll, in a game that is so long."""
    store, random = Store(folder / f"{answers}.db"), Random(1)
    session = GameSession(store, lambda: seasoned(answers), evidence=RollPictures(folder / f"{answers}"))
    found: dict[str, list[int]] = {"answer": [], "view": [], "roll": []}

    def answer(seat: Seat, n: int, value: Any) -> None:
        found["answer"].append(work(lambda: session.seats.answer_ask(seat, n, value, Source.PHONE)))

    for _ in range(SOME):
        on(session.game.table, random, answer)
        found["view"].append(work(lambda: json_data(session.game.view_for(None))))
        found["roll"].append(work(lambda: json_data(session.record.current_rolls(1))))
    store.close()
    return {what: median(lines) for what, lines in found.items()}


def test_an_answer_late_in_a_season_costs_what_it_does_early(tmp_path: Path) -> None:
    """At most twice as much work at 1,500 answers as at one hundred."""
    early, late = costs(tmp_path, SHORT), costs(tmp_path, LONG)
    assert [] == [(what, early[what], late[what]) for what in ("answer", "view") if late[what] > 2 * early[what]]


def test_a_replay_costs_as_much_as_it_is_long() -> None:
    """Twice the game, about twice the work for all its parts, not four times."""

    def whole(table: Table) -> None:
        first, count = 0, 1
        while first < count:
            shown = build_replay_part(table, {}, first)
            first, count = first + shown.most, shown.count

    once, twice = (work(partial(whole, seasoned(answers))) for answers in (150, 300))
    assert twice < 3 * once


def test_the_half_under_way_is_the_end_of_the_log(tmp_path: Path) -> None:
    """Pictures and corrections too, also where answers were taken back and put right."""
    store, random = Store(tmp_path / "journal.db"), Random(2)
    session = GameSession(store, lambda: seasoned(174))
    for place in range(60):
        at = session.game.table
        if place % 9 == 8:
            session.game.undo_answers(at.answers[-3].n)
        elif place % 9 == 4 and (rolls := json_data(session.record.current_rolls(1))):
            session.game.correct_roll(rolls[0]["n"], [rolls[0]["value"][0] % 6 + 1])
        else:
            on(at, random, partial(session.seats.answer_ask, source=Source.PHONE))
        at = session.game.table
        whole = [asdict(line) for line in at.play_log_lines()]
        start = max((i for i, line in enumerate(whole) if line["code"] in ("half-inning", "opened")), default=0)
        shown = json_data(session.game.view_for(None))["plays"]
        assert whole[start:] == [{key: line[key] for key in whole[0]} for line in shown]
        assert sum(isinstance(entry, Undo) for entry in at.journal) == json_data(session.game.view_for(None))["undone"]
        pictures = play_log.picture_names(at, 7, lambda game, place: place % 2 == 0)
        places = play_log.answer_entry_indexes(at, len(at.journal))
        assert {one.n: f"7-{places[one.n]}" for one in at.answers if places[one.n] % 2 == 0} == pictures
        n = at.answers[len(at.answers) // 2].n
        assert {k: name for k, name in pictures.items() if k >= n} == play_log.picture_names(
            at, 7, lambda g, p: p % 2 == 0, n
        )
        amended = {entry.n for entry in at.journal if isinstance(entry, Correction)}
        came = {entry.n: tuple(entry.value) for entry in at.journal if isinstance(entry, Answer)}
        stand = {one.n: one.value for one in at.answers}
        assert {n for n in amended & stand.keys() if came[n] != stand[n]} == play_log.corrected_numbers(at)
    assert "opened" in [line.code for line in at.play_log_lines()]
    store.close()
