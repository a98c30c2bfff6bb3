"""The identity cache: a value built from the same immutable parts is built once."""

from __future__ import annotations

import gc
import weakref
from unittest import mock

from device.commands import engine
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.games.clutch import scoreboard
from engine.identity_cache import MAX_CACHED_RESULTS, cache_public_data
from engine.secrets import redacted_data
from engine.table import Table


class Part:
    """A part of a state; equal parts are still different objects."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part)

    __hash__ = None  # type: ignore[assignment]


@cache_public_data
def made(one: Part, two: Part) -> dict[str, int]:
    """Build a value from two parts."""
    return {"one": id(one), "two": id(two)}


def test_the_same_parts_give_the_same_object() -> None:
    """Also after other values were built in between."""
    one, two = Part(), Part()
    first = made(one, two)
    made(two, one)
    assert made(one, two) is first


def test_a_different_part_builds_a_new_value() -> None:
    """Every part counts, and an equal but different object is a different part."""
    one, two = Part(), Part()
    assert {"one": id(one), "two": id(two)} == made(one, two)
    assert {"one": id(two), "two": id(two)} == made(two, two)
    assert {"one": id(one), "two": id(one)} == made(one, one)


def test_old_parts_are_released() -> None:
    """The cache keeps only its latest values, so it does not keep old games alive."""
    old = Part()
    gone = weakref.ref(old)
    made(old, old)
    del old
    for _ in range(MAX_CACHED_RESULTS):
        made(Part(), Part())
    gc.collect()
    assert gone() is None


def test_a_cached_clutch_board_equals_a_new_one() -> None:
    """Checked at every ask of a game: nothing changes a cached part of the state."""
    game = GAMES["clutch"]
    table = Table(game, [house_deck(game)])
    parts = {name: made for name, made in vars(scoreboard).items() if hasattr(made, "__wrapped__")}
    anew = {name: made.__wrapped__ for name, made in parts.items()}
    assert len(parts) > 4
    for _ in engine.autoplay_game(table, 3):
        shown = table.scoreboard()
        with mock.patch.multiple(scoreboard, **anew):
            assert redacted_data(table.scoreboard(), None) == redacted_data(shown, None)
