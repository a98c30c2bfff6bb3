"""What a question shows of any game is the same, whenever somebody looks."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Ask, Choose
from engine.secrets import redacted_data
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, inside, numbers


def seen(ask: Ask) -> tuple[str, Any, str | None]:
    """Return what can be worked out of an ask."""
    inner = inside(ask)
    return ask.why, redacted_data(ask.facts, ask.seat), inner.moot_option if isinstance(inner, Choose) else None


@every_game()
def test_an_ask_is_the_same_after_its_answer(contract: Contract) -> None:
    """Facts and moot answers that nobody looked at while they were asked are as they were then, after a whole game."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def plays(house: dict[str, str], seed: int, which: int) -> None:
        looked, later = contract.start(house, which), contract.start(house, which)
        for number in numbers(seed, contract.taken_back):
            for _, ask in looked.open_asks():
                seen(ask)
            if not (contract.step(looked, number) and contract.step(later, number)):
                break
        assert list(map(seen, (one.ask for one in looked.answers))) == [seen(one.ask) for one in later.answers]

    plays()
