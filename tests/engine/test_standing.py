"""Standing answers: every game's topics exist, cover asks of their own, and are legal whenever they are asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Arrange, Choose
from engine.game import Rulebook
from engine.games import GAMES
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, inside, numbers


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_topics_cover_asks_of_the_game(game: Rulebook) -> None:
    """Each by its own name; no ask belongs to two topics, so there is one answer to it."""
    covered = [why for topic in game.standing for why in topic.ask_codes]
    assert set(covered) <= set(game.words.asks)
    assert len(covered) == len(set(covered))
    answers = [one for topic in game.standing for one in topic.answers.values()]
    options = {option for one in answers for option in (one if isinstance(one, tuple) else (one,))}
    assert options <= set(game.words.options)
    assert len(game.standing) == len({topic.key for topic in game.standing})


@every_game()
def test_standing_answers_are_always_legal(contract: Contract) -> None:
    """In random games under any house rules, where they are asked, also in secret. A choice always has one."""
    topics = {why: topic for topic in contract.game.standing for why in topic.ask_codes}

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def legal(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for number in numbers(seed, contract.longest):
            for _, ask in table.open_asks():
                if ask.why in topics:
                    topic, asked = topics[ask.why], inside(ask)
                    assert topic.can_occur(table.house), ask
                    assert isinstance(asked, Arrange if ask.why in topic.stays else Choose), ask
                    stands = topic.automatic_answer(ask)
                    if stands is None:
                        assert isinstance(asked, Arrange), ask
                    else:
                        assert stands == asked.validate_answer(stands)
            if not contract.step(table, number):
                break

    legal()
