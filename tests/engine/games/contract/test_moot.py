"""Moot answers of every game: a table may give them by itself, and still a person may give any other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Choose
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, inside, numbers


@every_game()
def test_a_moot_answer_is_legal_and_so_is_every_other(contract: Contract) -> None:
    """In random games every option of a moot choice can be given, and the game goes on or ends."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def walks(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for _ in contract.moments(table, numbers(seed, contract.taken_back)):
            for n, ask in table.open_asks():
                inner = inside(ask)
                if not isinstance(inner, Choose) or inner.moot_option is None:
                    continue
                assert inner.moot_option in inner.options
                for option in inner.options:
                    twin = table.clone()
                    twin.answer_ask(ask.seat, n, option)
                    assert bool(twin.open_asks()) != bool(twin.outcome)

    walks()
