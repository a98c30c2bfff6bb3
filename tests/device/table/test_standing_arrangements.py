"""Arrangements that a seat leaves as they lie: when they stand, when they are asked, and who sees what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.storage.store import Store
from device.table.session import GameSession
from engine.asks import Arrange, Play, Secret, choose
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.games.rallybird import GAME as RALLYBIRD
from engine.journal import Source
from engine.printed_board import BOARD_AREAS
from engine.scoreboard import Scoreboard
from engine.table import Table
from tests.device.gloves_game import GLOVES, NAMES, OUT, WELL, State, layout, scoreboard, table
from tests.device.stored_games import Clock, answer
from tests.device.table.test_preset_answers import everything, replayed, said
from tests.engine.games.rallybird.fixture import deck, lie
from tests.engine.tables import asked, shot

OTHER = dict(zip(WELL, reversed(WELL.values()), strict=True))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows the made-up game."""
    monkeypatch.setitem(GAMES, "gloves", GLOVES)


@pytest.fixture
def kept(store: Store, clock: Clock) -> GameSession:
    """Gloves lie, and away says when the next at-bat begins. Home does not want to be asked."""
    session = GameSession(store, table, clock=clock)
    answer(session, "ready", WELL)
    session.seats.set_ask_preference("home", "gloves", "never")
    return session


def field(session: GameSession) -> dict[str, str]:
    state = session.game.table.state
    assert isinstance(state, State)
    return dict(state.field)


# Answering by itself -------------------------------------------------------------------------------------------------


def test_what_lies_stays(kept: GameSession) -> None:
    """It is an entry like any other, so the journal replays without the setting. No camera is asked about it, unless
    the seat is asked."""
    answer(kept, "ready")
    assert (WELL, ("ready",)) == (field(kept), asked(kept.game.table))
    assert ("standing", None) == (kept.game.sources[-1], kept.board.laying)
    assert [("home", "leave them")] == said(kept)
    assert shot(kept.game.table) == shot(replayed(kept))
    kept.seats.set_ask_preference("home", "gloves", "always")
    answer(kept, "ready")
    assert ("gloves",) == asked(kept.game.table)
    assert kept.board.laying is not None


def test_the_first_arrangement_is_asked(store: Store, clock: Clock) -> None:
    """Nothing lies yet."""
    session = GameSession(store, table, clock=clock)
    session.seats.set_ask_preference("home", "gloves", "never")
    answer(session, "ready")
    assert ("gloves",) == asked(session.game.table)
    answer(session, OTHER, "ready")
    assert (OTHER, ("ready",)) == (field(session), asked(session.game.table))


def test_what_may_not_lie_so_any_more_is_asked(kept: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Glove that went out of play lies there still."""
    monkeypatch.setitem(OUT, WELL["A"], "removed")
    answer(kept, "ready")
    assert ("gloves",) == asked(kept.game.table)


def test_wait_asks_for_it_all_the_same(kept: GameSession) -> None:
    """And the camera over the board takes part again."""
    answer(kept, "ready")
    kept.seats.reopen_answers("home")
    assert ("gloves",) == asked(kept.game.table)
    assert kept.board.laying is not None
    kept.board.set_layout(kept.board.laying, layout(OTHER))
    kept.buttons.press_ok("home")
    assert OTHER == field(kept)


# Secrets -------------------------------------------------------------------------------------------------------------


def hidden_play(s: State) -> Play:
    """As the made-up game, but home lays its Gloves in secret."""
    yield from choose("away", "ready", ("ready",))
    in_play = tuple(name for name in NAMES if name not in OUT)
    sealed = yield Secret(Arrange("home", "gloves", in_play, BOARD_AREAS, lying=dict(s.field)))
    s.field = tuple(sealed.peek().items())


def bare(s: State, log: Any) -> Scoreboard:
    """The scoreboard without what lies."""
    return replace(scoreboard(s, log), panel={})


HIDDEN = replace(GLOVES, next_play=lambda s: hidden_play, scoreboard=bare)


def stories(tmp_path: Path, begin: Callable[[Any], GameSession], *secrets: Any) -> list[list[Any]]:
    """Return what away and a spectator see of each story."""
    found = []
    for number, secret in enumerate(secrets):
        session = begin((Store(tmp_path / f"{number}.db"), secret))
        found.append([everything(session, None), everything(session, "away")])
        session.game._store.close()
    return found


def test_a_secret_that_stays_shows_only_to_its_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other seat sees that the setting is on; how the Gloves lie looks the same to it."""
    monkeypatch.setitem(GAMES, "gloves", HIDDEN)

    def begin(given: tuple[Store, dict[str, str]]) -> GameSession:
        store, lying = given
        session = GameSession(store, lambda: table(HIDDEN), clock=Clock())
        answer(session, "ready", lying)
        session.seats.set_ask_preference("home", "gloves", "never")
        answer(session, "ready")
        assert (lying, ("ready",)) == (field(session), asked(session.game.table))
        assert [("home", "leave them")] == said(session, "home")
        assert [] == said(session, "away") == said(session)
        assert "never" == session.game.view_for("away").standing["home"].topics[0].when
        return session

    first, second = stories(tmp_path, begin, WELL, OTHER)
    assert first == second


# RallyBird -----------------------------------------------------------------------------------------------------------


def rallybird(store: Store, removed: str = "F-6") -> GameSession:
    """Home leaves its Gloves as they lie from the second at-bat on."""
    session = GameSession(store, lambda: Table(RALLYBIRD, [deck()], {"visitor": "agreed"}), clock=Clock())
    n, ask = session.game.table.open_asks()[0]
    session.seats.answer_ask(ask.seat, n, removed, Source.HOUSE)
    answer(session, "F-DRIVE")
    session.seats.set_ask_preference("home", "gloves", "never")
    assert ("gloves",) == asked(session.game.table), "nothing lies yet"
    return answer(session, lie(session.game.table), [1, 1])


def test_the_gloves_stay_once_a_card_lies(store: Store) -> None:
    session = rallybird(store)
    assert ("at-bat",) == asked(session.game.table)
    answer(session, "F-1")
    assert ("hit",) == asked(session.game.table)
    assert [("home", "leave them in place")] == said(session)


def test_home_may_wait_until_the_card_lies(store: Store) -> None:
    """Later the card is revealed: then "Wait" is not offered, and refused."""
    session = rallybird(store)
    clock = session.game.clock
    assert isinstance(clock, Clock)
    clock.now += 1
    session.buttons.press_ok("home")
    answer(session, "F-1")
    assert ("gloves",) == asked(session.game.table)
    answer(session, lie(session.game.table), [1, 1], "F-1")
    assert ("hit",) == asked(session.game.table)
    assert [] == session.game.view_for(None).waits
    with pytest.raises(IllegalAnswer, match="revealed"):
        session.seats.reopen_answers("home")
    assert ("hit",) == asked(session.game.table)


def test_a_real_card_is_laid_again_after_wait(store: Store) -> None:
    """The camera sees no card: as it may be turned over already, Offense lays another."""
    house = {"visitor": "agreed", "cards": "real"}
    session = GameSession(store, lambda: Table(RALLYBIRD, [deck()], house), clock=Clock())
    session.seats.set_ask_preference("home", "gloves", "never")
    answer(session, lie(session.game.table), "F-1", [1, 1])
    assert ("shown",) == asked(session.game.table)
    assert "home" in session.game.view_for(None).waits
    session.seats.reopen_answers("home")
    assert ("laid",) == asked(session.game.table)
    answer(session, "ready")
    assert ("gloves",) == asked(session.game.table)


def test_the_card_that_is_out_changes_nothing(tmp_path: Path) -> None:
    """Neither the answer nor when it comes: only what lies for all to see decides."""

    def begin(given: tuple[Store, str]) -> GameSession:
        return answer(rallybird(*given), "F-1", [1, 1], "F-LEFT")

    home = list[Any]()

    def seen(given: tuple[Store, str]) -> GameSession:
        session = begin(given)
        home.append(everything(session, "home"))
        return session

    stories(tmp_path, seen, "F-6", "F-5")
    assert home[0] == home[1]
