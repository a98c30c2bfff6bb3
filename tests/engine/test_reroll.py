"""Rerolls, from the ask to the scoreboard: stored, corrected and replayed."""

from __future__ import annotations

import json
from random import Random

import pytest

from device.inputs import random_player
from engine.dice import Die
from engine.game import play_to_end
from engine.journal import entry_json
from engine.table import Table
from engine.views import json_data
from tests.engine.sample_games import pool_game
from tests.engine.sample_games.pool_game import POOLED, State, new
from tests.engine.tables import pick, replays

ROLL = [1, 2, 3, 4, 5, 6]


def shown(table: Table) -> tuple[object, ...]:
    """Return the dice that the scoreboard shows."""
    return table.scoreboard().dice


def test_what_the_ask_shows() -> None:
    """The dice on the table, those that may be rolled again, and how many."""
    ((n, ask),) = new(ROLL, "go").open_asks()
    told = json_data(new(ROLL, "go").ask_view(n, ask, None))
    assert ("reroll", ROLL, [0, 1, 2, 3, 4], 3) == tuple(told[key] for key in ("kind", "faces", "free", "most"))
    assert 6 == len(told["dice"])


def test_the_rules_receive_all_the_dice() -> None:
    """The dice that stayed are among them."""
    assert (1, 6, 3, 4, 1, 6) == shown(new(ROLL, "go", [None, 6, None, None, 1, None]))


def test_a_reroll_is_restored_from_the_journal() -> None:
    """Through JSON, with None for the dice that stayed."""
    table = new(ROLL, "up", [None, 6, None, None, None, None])
    replays(table)
    last = json.dumps(entry_json(table.journal[-1]))
    assert [None, 6, None, None, None, None] == json.loads(last)["value"]


def test_a_corrected_roll_keeps_the_reroll() -> None:
    """The die that stayed has its corrected value, the die rolled again has its new one."""
    table = new(ROLL, "go", [None, 6, None, None, None, None])
    assert (2,) == table.preview_correction(0, [1, 1, 1, 1, 1, 1]).kept[1:]
    table.correct_answer(0, [1, 1, 1, 1, 1, 1])
    assert (1, 6, 1, 1, 1, 1) == shown(table)


def test_a_correction_drops_a_reroll_that_is_no_longer_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corrected ask has another number of dice, or another die must stay."""
    table = new(ROLL, "go", [None, 6, None, None, None, None])
    monkeypatch.setattr(pool_game, "FREE", (0, 2))
    table.correct_answer(0, ROLL[::-1])
    assert [0, 1] == [one.n for one in table.answers]


def test_the_colors_are_those_of_all_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a reroll, and after a die was turned by hand before it."""
    table = new(ROLL, "up")
    assert () == table.scoreboard().dice_colours
    table.answer_ask("away", 2, [None, 6, None, None, None, None])
    assert ((2, 6, 3, 4, 5, 6), (None,) * 6) == (shown(table), table.scoreboard().dice_colours)
    monkeypatch.setattr(pool_game, "POOL", (Die(colour="red"),) * 6)
    assert ("red",) * 6 == new(ROLL, "go").scoreboard().dice_colours


def test_bots_reroll_some_dice() -> None:
    """Every reroll is legal, and each possible number of dice occurs; the rules also play on without a table."""
    counts = set()
    for seed in range(200):
        table, chance = new(ROLL, "go"), Random(seed)
        ((n, ask),) = table.open_asks()
        given = ask.validate_answer(random_player.pick_answer(table.ask_view(n, ask, "away"), chance))
        assert isinstance(given, tuple)
        counts.add(sum(face is not None for face in given))
        ask.validate_answer(pick(ask, seed))
    assert {1, 2, 3} == counts
    end = play_to_end(POOLED, State(), lambda ask: ask.validate_answer(pick(ask, 5)))
    assert (12, "home") == (len(end.faces), end.outcome and end.outcome.winner)
