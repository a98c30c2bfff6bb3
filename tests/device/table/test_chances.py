"""What a roll may bring: every way the dice may fall is tried, and those that cause the same are counted together."""

from __future__ import annotations

from random import Random

import pytest

from device.table.play_log import outcome_chances
from engine.asks import Roll
from engine.games import GAMES
from tests import golden
from tests.engine.games.contract.games import CONTRACTS

GAME_OF = {game.key: game for game in GAMES.values()}


def test_a_card_of_six_faces() -> None:
    """The faces of each outcome are those of the card, and the shares add up to one."""
    table = golden.new(GAME_OF["small-ball"])
    while not (
        len(table.open_asks()) == 1
        and isinstance(table.open_asks()[0][1], Roll)
        and table.open_asks()[0][1].why == "at-bat"
    ):
        n, ask = table.open_asks()[0]
        value = [1] if isinstance(ask, Roll) else "bat" if "bat" in getattr(ask, "options", ()) else ask.options[0]  # type: ignore[union-attr]
        table.answer_ask(ask.seat, n, value)
    found = outcome_chances(table)
    assert list(range(1, 7)) == sorted(face for chance in found for face in chance.faces if isinstance(face, int))
    assert 1 == pytest.approx(sum(chance.share for chance in found))
    assert all(chance.share == pytest.approx(len(chance.faces) / 6) for chance in found)
    assert [chance.share for chance in found] == sorted((chance.share for chance in found), reverse=True)


@pytest.mark.parametrize("key", sorted(CONTRACTS))
def test_no_game_changes_by_being_asked(key: str) -> None:
    """And whatever is shown of a roll is what its events say, for one die at random."""
    contract, chance = CONTRACTS[key], Random(3)
    table = next(iter(contract.walk.tables(Random(3))))
    seen = 0
    while table.open_asks() and len(table.answers) < 60:
        before = len(table.journal), len(table.log)
        found = outcome_chances(table)
        assert before == (len(table.journal), len(table.log))
        n, ask = chance.choice(table.open_asks())
        value = contract.walk.pick(ask, chance.randrange(1 << 16))
        told = " ".join(table.game.words.event_sentence(one.event) for one in table.answer_ask(ask.seat, n, value))
        if found and isinstance(ask, Roll) and len(ask.dice) == 1 and (face := value[0]) is not None:
            (mine,) = [one for one in found if face in one.faces]
            seen += 1
            assert mine.share <= 1
            assert told
    assert seen or key in ("rallybird", "clutch", "seventh-inning-stretch", "bottom-of-the-9th")


def test_too_many_dice_are_not_tried() -> None:
    """Six dice may fall in 46,656 ways."""
    table = golden.new(GAME_OF["seventh-inning-stretch"])
    for entry in golden.entries_of(GAME_OF["seventh-inning-stretch"]):
        table.apply_entry(entry)
        asks = [ask for _, ask in table.open_asks() if isinstance(ask, Roll)]
        if len(asks) == 1 and len(asks[0].dice) > 3:
            assert [] == outcome_chances(table)
            return
    pytest.fail("This game never asks for more than three dice.")
