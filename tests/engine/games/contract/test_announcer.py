"""The announcer of every game: a listener who only hears it knows the score, the outs and the bases."""

from __future__ import annotations

import string

from hypothesis import given

from engine.announcer import Announcer
from tests.engine.announcer.fold import Radio
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, meddle, numbers


@every_game()
def test_random_games_can_be_followed_by_ear(contract: Contract) -> None:
    """Also with answers taken back and corrected, with several answers at once, and by somebody who joins late."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS)
    def followed(house: dict[str, str], seed: int) -> None:
        table, radio, late = contract.start(house, seed % len(contract.decks)), Radio(), Announcer()
        for number, turn in enumerate(numbers(seed, contract.taken_back)):
            if not meddle(table, turn, contract.pick):
                break
            if turn % 5:
                radio.check(table)
            if number % 23 == 22:
                seldom, now = late.update_announcements(table), radio.announcer.update_announcements(table)
                both = {call.place for call in seldom} & {call.place for call in now}
                assert [one for one in seldom if one.place in both] == [one for one in now if one.place in both]
        radio.check(table)

    followed()


def fields(template: str) -> set[str]:
    """Return the facts that a sentence uses."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@every_game()
def test_announced_codes_exist_and_wordings_have_the_same_facts(contract: Contract) -> None:
    words = contract.game.words
    announced = words.announced
    codes = announced.quiet | announced.alone | announced.tell_runs | announced.endings | set(announced.ways)
    common = {"single", "double", "triple", "home-run", "walk", "strikeout", "fly-out", "ground-out"}
    assert codes - common <= set(words.events)
    for code, ways in announced.ways.items():
        assert len(ways) == len(set(ways))
        assert len({frozenset(fields(way)) for way in ways}) == 1, code
        if code in words.events:
            assert fields(ways[0]) <= fields(words.events[code]), code
