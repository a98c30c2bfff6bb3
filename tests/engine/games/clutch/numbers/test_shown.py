"""Throws, checks and bunts with random effects in force: what is shown before the roll is what the rules then use."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine.asks import Roll
from engine.games.clutch.at_bat import bunting
from engine.games.clutch.cards.effects import THIS_AT_BAT, CardEffect
from engine.games.clutch.running import throws
from engine.games.clutch.scoreboard import at_bat_panel
from engine.games.clutch.state import EffectInForce, State, Step, ThrowOrCheck
from engine.seats import SEATS
from tests.engine.games.clutch.steps import at
from tests.engine.tables import SEEDS, examples

NUMBERS = {
    "throw": ("throw_roll", "throw", "unit", "defense", "br", "st"),
    "check": ("check_roll", "check", "unit", "defense", "check_target"),
    "bunt": ("bunt_roll", "bunt_target"),
}
"""What effects may change, by the roll that it counts for."""

UNITS = ("battery", "infield", "outfield")

Make = Callable[[State], Step[bool]]


def effect(chance: Random, what: str) -> CardEffect:
    """Return an effect on a number: usually a change of it, else what it is."""
    to = {"unit": UNITS, "defense": ("", "CF", "SS", "CA")}.get(what, ("",))
    verb, amount = chance.choice((("mod", chance.randint(-4, 4)), ("mod", chance.randint(-4, 4)), ("set", 14)))
    if what in ("unit", "defense"):
        verb, amount = "mod", chance.randint(-4, 4)
    return CardEffect("", verb, what, amount, to=chance.choice(to))


def position(chance: Random, roll: str) -> State:
    """Return a position with a runner on first and up to five effects in force."""
    house = {"cap": chance.choice(("3", "none")), "capMode": chance.choice(("perDirection", "net"))}
    s = at(bases="1", house=house)
    found = (effect(chance, chance.choice(NUMBERS[roll])) for _ in range(chance.randint(1, 5)))
    s.standing = tuple(EffectInForce(f"C{n}", chance.choice(SEATS), one, THIS_AT_BAT) for n, one in enumerate(found))
    return s


def made(s: State, make: Make, face: int) -> tuple[bool, dict[str, Any]]:
    """Return whether this roll does it, and the facts of the last event."""
    twin = s.copy()
    step = make(twin)
    assert isinstance(next(step), Roll)
    with pytest.raises(StopIteration) as done:
        step.send((face,))
    return bool(done.value.value), dict(twin.news[-1].facts) if twin.news else {}


def shown(s: State, make: Make) -> tuple[Roll, Any]:
    """Return what is asked, and the throw or check in the panel."""
    twin = s.copy()
    ask = next(make(twin))
    assert isinstance(ask, Roll)
    return ask, at_bat_panel(twin).throw


def ways(chance: Random) -> dict[str, Make]:
    """Return a throw, a check and a bunt."""
    speed, unit, target = chance.choice(("br", "st")), chance.choice(UNITS), chance.choice((10, 15, 18, 20))
    bonus, more = chance.choice((0, 2)), chance.choice((0, 3))

    def throw(s: State) -> Step[bool]:
        runner = s.bases[0]
        assert runner is not None
        return throws.make_throw(s, ThrowOrCheck("card", unit, runner.name, 2, speed, bonus, more))

    return {
        "throw": throw,
        "check": lambda s: throws.make_check(s, unit, target),
        "bunt": lambda s: bunting.attempt_bunt(s, 0),
    }


@pytest.mark.rule("CL-238", "CL-241", "CL-325")
@pytest.mark.parametrize("roll", NUMBERS)
@given(SEEDS)
@examples(60)
def test_what_is_shown_is_what_counts(roll: str, seed: int) -> None:
    """The winning faces in the title, and in the panel the rating and what it is against; then both in the log."""
    chance = Random(seed)
    s, make = position(chance, roll), ways(chance)[roll]
    ask, panel = shown(s, make)
    faces = range(1, 21)
    results = {face: made(s, make, face) for face in faces}
    wins = [face for face in faces if results[face][0]]
    expected = "none" if not wins else "any" if len(wins) == 20 else f"{wins[0]}+" if wins[0] < 20 else "20"
    assert expected == ask.facts["wins"]
    if roll == "bunt" or any(one.effect.verb == "set" and one.effect.what.startswith(roll) for one in s.standing):
        return
    least = panel.speed - panel.rating + (roll == "throw")
    assert wins == [face for face in faces if face >= least]
    for face in faces:
        facts = results[face][1]
        assert (panel.rating + face, panel.speed) == (facts["total"], facts["speed" if roll == "throw" else "target"])
