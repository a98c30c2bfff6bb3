"""A game for one, stored while the table had a pitcher of its own, goes on as a game for two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import GameSession
from engine.asks import Call, Choose
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from tests.device.stored_games import answer
from tests.web.games.bottom_of_the_9th import contact, ninth

GAME = GAMES["bottom-of-the-9th"]
OLD = replace(
    GAME,
    house_rules=tuple(
        replace(one, labels={"off": "", "houseBot": ""}) if one.key == "solo" else one for one in GAME.house_rules
    ),
    former_house={},
)
"""The game as it was."""


def test_an_old_solo_game_goes_on(tmp_path: Path) -> None:
    """The away seat is free, for a computer too. Undo passes over what the pitcher answered, as it always did."""
    store, table = Store(tmp_path / "journal.db"), Table(OLD, [house_deck(GAME)], {"solo": "houseBot"})
    game = store.begin_game(table)
    for source in (Source.PHONE, Source.BOT, Source.BOT):
        n, ask = table.open_asks()[0]
        assert isinstance(ask, Choose)
        table.answer_ask(ask.seat, n, ask.options[0])
        store.append(game, table, source.value)
    session = GameSession(store, lambda: pytest.fail("The game is there."), show=0)
    assert {"guess", "pitch-call"} == {ask.why for _, ask in session.game.table.open_asks()}
    session.managed.assign_manager("away", "rookie")
    session.game.undo_answers()
    assert ["lineup"] == [ask.why for _, ask in session.game.table.open_asks()]
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        session.game.undo_answers()
    answer(session, "ready-made")
    assert ["starter"] == [ask.why for _, ask in session.game.table.open_asks()]
    store.close()


def test_it_races_in_turn() -> None:
    """One person threw both dice, whatever the house rule on pace said."""
    assert [True, True] == [isinstance(ask, Call) for _, ask in contact(ninth()).open_asks()]
    old = contact(ninth({"solo": "houseBot", "raceMode": "realtime"}))
    assert ["race-roll"] == [ask.why for _, ask in old.open_asks()]
    assert ("off", "alternate") == (old.house["solo"], old.house["raceMode"])
