"""Nothing of the chance to win gives away a secret: not the number, the graph, how often or when it comes, or its size.

Two tables differ only in a secret. All that others get is written down with its time, byte for byte, and must be the
same until the rules open it: on every stream, in the view and in the analysis of the game. Planted evaluators that peek
are caught.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from device.analysis.background import BackgroundAnalysis
from device.inputs.random_player import pick_answer
from device.storage.store import Store
from device.table.past_games import PastGames
from device.table.publication import AudienceViews
from device.table.session import GameSession
from engine.errors import EngineError
from engine.journal import Answer, Source
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import TableView, json_data
from managers.evaluation import build_evaluator
from managers.manager import GameSetup, next_manager_ask
from tests.device.analysis.evaluators import FakeEvaluator, scoreboard_chance
from tests.device.stored_games import Clock
from tests.hostile.managers.test_leaking import HIDES, secret_choice
from web import auth
from web.live.stream import SnapshotBuilder
from web.render.templates import render_drawing, render_own_panel, render_panel, render_tv_panel

EVALUATION_S = 0.2
"""How long a fake evaluator takes for a position, in seconds of the table's clock."""

MAX_LATER_ANSWERS = 6

Chance = Callable[[TableView, Table, Clock], float | None]
"""What an evaluator says, from a view and, if it peeks, from the game on the table; and the clock that it may move."""


def honest(view: TableView, table: Table, clock: Clock) -> float | None:
    return scoreboard_chance(view)


class Watcher:
    """Notes what spectators, the television and the other seat get, with its time."""

    def __init__(self, session: GameSession, eyes: Seat, clock: Clock) -> None:
        self.session, self.eyes, self.clock = session, eyes, clock
        self.streams = {name: SnapshotBuilder() for name in ("spectators", "television", "seat")}
        self.start, self.seen, self.version = clock.now, list[tuple[float, str, bytes]](), -1
        session.game.subscribe(self.note)

    def note(self, views: AudienceViews) -> None:
        if views.version == self.version:
            return
        self.version, public, mine = views.version, views.view_for(None), views.view_for(self.eyes)
        panel, television = render_panel(public), render_tv_panel(public, self.session.record.outcome_chances())
        for name, view, regions in (
            ("spectators", public, panel),
            ("television", public, television),
            ("seat", auth.redacted_view(mine), panel | render_own_panel(mine, public)),
        ):
            shot = self.streams[name].build_snapshot(view, regions)
            self.write(name, shot.full_frames + (shot.change or b""))

    def write(self, name: str, body: bytes) -> None:
        """Note what somebody gets."""
        self.seen.append((round(self.clock.now - self.start, 3), name, body))


Moment = tuple[float, str, bytes]


def watched(
    folder: Path, table: Table, seat: Seat, value: Any, later: Sequence[Answer], chance: Chance | None
) -> list[Moment]:
    """Return all that others get while a seat chooses this in secret and the game goes on with `later`.

    chance: of a fake evaluator, None for the game's own.
    """
    folder.mkdir()
    store, clock = Store(folder / "journal.db"), Clock()
    session = GameSession(store, lambda: table.clone(), show=0, clock=clock)
    past = PastGames(store.path, lambda: session.game.number, lambda game, place: False)
    watcher = Watcher(session, opposite_seat(seat), clock)

    def evaluate(view: TableView) -> float | None:
        clock.now += EVALUATION_S
        assert chance is not None
        return chance(view, session.game.live, clock)

    def build(setup: GameSetup) -> Any:
        return FakeEvaluator(evaluate) if chance else build_evaluator(setup)

    def look(analysis: BackgroundAnalysis) -> None:
        analysis.update()
        clock.now += 1
        session.tick()
        found = analysis.game_analysis(session.game.number)
        facts = {"analysis": found, "row": past.games_page(1).games[0]}
        sides = session.game.view_for(None).table.scoreboard.sides
        watcher.write("analysis", render_drawing("analysis/body.html", **facts, sides=sides).encode())

    analysis = BackgroundAnalysis(session, past, "full", build)
    look(analysis)
    ask = next_manager_ask(session.game.table.view_for(seat))
    assert ask is not None
    session.seats.answer_ask(seat, ask.n, value, Source.PHONE)
    look(analysis)
    # After a restart everything is evaluated again, with the secret in the journal.
    analysis = BackgroundAnalysis(session, past, "full", build)
    look(analysis)
    for answer in later:
        session.game.submit_entry(answer, Source.PHONE)
        look(analysis)
    store.close()
    return watcher.seen


def secret_games(key: str, seat: Seat) -> list[Table]:
    """Return two tables on which a seat has just chosen in secret, each something else."""
    table, values = secret_choice(key, seat)
    ask, found = next_manager_ask(table.view_for(seat)), [table.clone() for _ in values]
    assert ask is not None
    for twin, value in zip(found, values, strict=True):
        twin.answer_ask(seat, ask.n, value)
    return found


def later_answers(tables: Sequence[Table], eyes: Seat) -> list[Answer]:
    """Return the next answers to give on both tables, as long as they look the same to others."""
    random, found = Random(3), list[Answer]()
    for _ in range(10 * MAX_LATER_ANSWERS):
        n, ask = random.choice(tables[0].open_asks())
        answer = Answer(ask.seat, n, pick_answer(tables[0].ask_view(n, ask, ask.seat, dealer=True), random))
        twins = [table.clone() for table in tables]
        with suppress(EngineError):
            for twin in twins:
                twin.apply_entry(answer)
            shown = [json_data(list(twin.views_for(None, eyes).values())) for twin in twins]
            if shown[0] == shown[1] and len(found) < MAX_LATER_ANSWERS:
                found.append(answer)
                tables = twins
    return found


def both(folder: Path, key: str, seat: Seat, chance: Chance | None) -> list[list[Moment]]:
    table, values = secret_choice(key, seat)
    later = later_answers(secret_games(key, seat), opposite_seat(seat))
    return [watched(folder / str(i), table, seat, value, later, chance) for i, value in enumerate(values)]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", HIDES)
def test_two_secrets_look_the_same(tmp_path: Path, key: str, seat: Seat) -> None:
    first, second = both(tmp_path, key, seat, honest)
    assert first == second
    assert {"spectators", "television", "seat", "analysis"} == {name for _, name, _ in first}


@pytest.mark.slow
@pytest.mark.parametrize("key", HIDES)
def test_two_secrets_look_the_same_to_the_games_own_evaluator(tmp_path: Path, key: str) -> None:
    first, second = both(tmp_path, key, "away", None)
    assert first == second


def peeked(table: Table) -> float:
    hidden = table.hidden_numbers()
    return crc32(repr([one.value for one in table.answers if one.n in hidden]).encode()) / 2**32


def tell_number(view: TableView, table: Table, clock: Clock) -> float | None:
    return peeked(table)


def tell_by_time(view: TableView, table: Table, clock: Clock) -> float | None:
    clock.now += peeked(table)
    return scoreboard_chance(view)


def tell_by_silence(view: TableView, table: Table, clock: Clock) -> float | None:
    between = sum(peeked(one) for one in secret_games(table.game.key, "away")) / 2
    return scoreboard_chance(view) if peeked(table) > between else None


@pytest.mark.parametrize("chance", [tell_number, tell_by_time, tell_by_silence])
@pytest.mark.parametrize("key", HIDES)
def test_an_evaluator_that_peeks_is_caught(tmp_path: Path, key: str, chance: Chance) -> None:
    first, second = both(tmp_path, key, "away", chance)
    assert first != second
