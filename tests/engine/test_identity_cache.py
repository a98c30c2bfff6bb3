"""What is made of parts that never change is made once."""

from __future__ import annotations

import gc
import weakref
from unittest import mock

from device.commands import engine
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.games.clutch import scoreboard
from engine.identity_cache import KEPT, once
from engine.secrets import view
from engine.table import Table


class Part:
    """A part of a state: like another, and not the same."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part)

    __hash__ = None  # type: ignore[assignment]


@once
def made(one: Part, two: Part) -> dict[str, int]:
    """Something made of two parts."""
    return {"one": id(one), "two": id(two)}


def test_of_the_same_parts_it_is_made_once() -> None:
    """The very same is given again, also after others were made."""
    one, two = Part(), Part()
    first = made(one, two)
    made(two, one)
    assert made(one, two) is first


def test_another_part_makes_it_anew() -> None:
    """Every part counts, and one that is like it is not the same."""
    one, two = Part(), Part()
    assert {"one": id(one), "two": id(two)} == made(one, two)
    assert {"one": id(two), "two": id(two)} == made(two, two)
    assert {"one": id(one), "two": id(one)} == made(one, one)


def test_old_parts_are_let_go() -> None:
    """No more are kept than were said, so no game lives on in them."""
    old = Part()
    gone = weakref.ref(old)
    made(old, old)
    del old
    for _ in range(KEPT):
        made(Part(), Part())
    gc.collect()
    assert gone() is None


def test_a_board_of_clutch_is_as_if_made_anew() -> None:
    """At every ask of a game: no part of a state is ever changed under what was made of it."""
    game = GAMES["clutch"]
    table = Table(game, [house_deck(game)])
    parts = {name: made for name, made in vars(scoreboard).items() if hasattr(made, "__wrapped__")}
    anew = {name: made.__wrapped__ for name, made in parts.items()}
    assert len(parts) > 4
    for _ in engine.autoplay(table, 3):
        shown = table.scoreboard()
        with mock.patch.multiple(scoreboard, **anew):
            assert view(table.scoreboard(), None) == view(shown, None)
