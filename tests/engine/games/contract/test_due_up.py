"""Who is due up: the batter, the one on deck, and the one after."""

from __future__ import annotations

from engine.games import GAMES
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.golden import entries_of, new


@every_game()
def test_the_next_three_batters_are_named(contract: Contract) -> None:
    """Through the stored playthrough: they begin with the batter and the one on deck, and nobody is named twice."""
    table = new(GAMES[contract.game.key])
    named, followed = 0, 0
    for entry in entries_of(table.game):
        before = table.scoreboard()
        table.write(entry)
        board = table.scoreboard()
        assert [one for one in (board.batter, board.on_deck) if one] == list(board.due_up[:2])
        assert len(set(board.due_up)) == len(board.due_up) <= 3
        named += len(board.due_up) == 3
        followed += before.half == board.half and before.due_up[1:] == board.due_up[:2] != ()
    assert (named > 0, followed > 0) == (table.scoreboard().game != "rallybird",) * 2
