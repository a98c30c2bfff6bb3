"""Abilities that turn one thing into another need that thing: without it none is used up, offered or announced."""

from __future__ import annotations

from engine.table import Table
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import at, deck, result, stare, throw, true
from tests.engine.tables import asked, codes, play

NEXT = {"guess", "pitch-call"}


def batting(trait: str, arm: str = "", count: str = "0-0") -> Table:
    """Return a game in which the batter always has the one ability, and the pitcher the other."""
    arms = {"F-MILD": f'role = "starter"\nace = "inside-high"\n{arm}'}
    return at(count=count, cards=deck({"F-DULL": f'positions = "C"\ntrait = {trait}'}, arms))


def spent(table: Table) -> bool:
    return bool(true(table).spent)


@each(
    ("phrase", "without", "found"),
    [
        ("foul as contact", ("B", 5, 2), ("S", 4, 4)),
        ("S as C", ("C", 5, 2), ("S", 5, 2)),
        ("strike as ball", ("B", 5, 2), ("S", 5, 2)),
    ],
)
def test_it_is_used_up_only_when_it_applies(
    phrase: str, without: tuple[str, int, int], found: tuple[str, int, int]
) -> None:
    """Once an at-bat: a pitch without the thing neither uses nor announces the ability, a pitch with it uses it up."""
    table = throw(batting(f'{{ do = "{phrase}", uses = "at-bat" }}'), *without)
    assert (False, False) == (spent(table), "ability" in codes(table.log))
    throw(table, *found)
    assert "ability" in codes(table.log)
    assert spent(table)


def test_it_is_offered_only_when_it_applies() -> None:
    """The question about an optional ability comes when the thing is there, and only then."""
    trait = '{ do = "strike as ball", may = true, uses = "game" }'
    assert NEXT == set(asked(throw(batting(trait), "B", 5, 2)))
    table = throw(batting(trait), "S", 5, 2)
    assert ("ability",) == asked(table)
    assert "ball" == result(play(table, "use"))


def test_a_bonus_is_turned_only_from_its_face() -> None:
    trait = '["bonus +1", { do = "bonus 3 as HR", may = true }]'
    assert "double" in codes(play(throw(batting(trait), "S", 4, 6), 4).log)
    table = play(throw(batting(trait), "S", 4, 6), 2)
    assert ("ability",) == asked(table)
    assert "home-run" in codes(play(table, "use").log)


def test_dice_change_before_anything_is_turned() -> None:
    """Both cards change dice first, in whatever order their abilities are typed; turning uses the changed dice."""
    arm = 'trait = "swing -1"'
    assert "ball" == result(throw(batting('"strike as ball"', arm), "S", 4, 4))
    assert "foul" == result(throw(batting('["strike as ball", "swing +1"]'), "S", 4, 3))
    assert "strike" == result(throw(batting('{ do = "foul as contact", uses = "game" }', arm), "S", 4, 4))


def test_a_rerolled_letter_is_turned_as_it_fell() -> None:
    table = batting('["S as C", "reroll pitch"]')
    play(stare(table), [4, "B"])
    assert "contact" == result(play(table, "S", 4))
