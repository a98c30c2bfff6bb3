"""Random cards: whatever a card says, a game with it can be played to its end."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Ask
from engine.game import drive
from engine.games.clutch import GAME
from engine.games.clutch.cards.card_set import too_late
from engine.games.clutch.cards.phrases import CONDITIONS, COSTS, EFFECTS, LASTS, TRIGGERS, effect
from engine.games.clutch.state import State
from tests.engine.games.clutch.field import at, run, state
from tests.engine.games.clutch.fixture import strategy, written
from tests.engine.tables import examples, inside, pick

MOST = 4000
"""Answers in which a game that is all but over is over, whatever is chosen: no window is without an end."""


DEEDS = (
    *(one for one in EFFECTS.examples if one != "nothing" and "d16" not in one),
    *("swing die = 24", "the lead runner is out", "the runner on first is out", "negate the card"),
    *("the runner is safe", "the runner is out", "the check is made", "the check fails"),
)
MOMENTS = tuple(one for one in TRIGGERS.examples if "chart" not in one)
TRIALS = (
    *("an infield check is made", "a CA+1B check against 5 is made", "a d6 shows 2 or more"),
    *("an infield throw at the lead runner is made", "an outfield throw at the runner on third fails"),
    *("a battery throw at the runner on first's st is made", "an outfield throw at the batter is made"),
)
LEFT = ("", "", "", "batter", "pitcher", "runner")
PLACES = ("", "", "momentum")


def deed(dice: random.Random) -> str:
    """Return an effect, sometimes with a choice, a condition or a check around it."""
    one, two = dice.choice(DEEDS), dice.choice(DEEDS)
    simple = not any(word in f"{one} {two}" for word in (" if ", "either", " and ", " or ", "else"))
    match dice.randrange(5) if simple else 0:
        case 1:
            return f"either {one} or {two}"
        case 2:
            return f"{one} if {dice.choice(CONDITIONS.examples)} else {two}"
        case 3:
            changes = one.startswith("change") or two.startswith("change")
            return f"{one} if {dice.choice(TRIALS)}" + ("" if changes else f" else {two}")
    return one


def readable(text: str) -> bool:
    """Return True if an effect can be combined with others in a phrase."""
    try:
        return bool(effect(text))
    except ValueError:
        return False


def deeds(dice: random.Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        if readable(one := deed(dice)):
            found.append(one)
    return found


def moments(dice: random.Random, does: Iterable[str]) -> list[str]:
    """Return a moment to play a card; effects that change a throw, a check or a card only fit where there is one."""
    needed = {typed for one in does for _, typed in too_late(effect(one))}
    return [*dice.sample(MOMENTS, 3), "before the pitch", "on any result", *sorted(needed)]


@cache
def cards() -> dict[str, str]:
    """Return random strategy cards, stadiums and weather."""
    dice = random.Random(9)
    found: dict[str, str] = {}
    for n in range(300):
        does = deeds(dice, dice.randrange(1, 3))
        more = {"cost": dice.choice(COSTS.examples)} if n % 7 == 0 else {}
        more |= {"lasts": dice.choice(LASTS.examples)} if n % 5 == 0 else {}
        after = [one for one in deeds(dice, 2) if not list(too_late(effect(one)))]
        of: dict[str, Any] = dict(zip(("success", "failure"), after, strict=False)) if n % 3 == 0 else {}
        special, left = dice.choice(PLACES), dice.choice(LEFT)
        of |= {"special": special} if special else {"leave": left} if left else {}
        found[f"S{n}"] = strategy(f"S{n}", "neutral", moments(dice, does), does, **more, **of)
    for n in range(60):
        does = deeds(dice, 1)
        found[f"P{n}"] = written("stadium", name=f"P{n}", when=moments(dice, does), do=does)
    return found


@examples(25)
@given(st.integers(0, 1 << 32))
def test_no_card_stops_the_game(seed: int) -> None:
    """Both managers play random cards of all kinds at random, in the bottom of the ninth of a tied or close game."""
    dice, left = random.Random(seed), MOST
    titles = [name for name in cards() if name.startswith("S")]

    def position(s: State) -> None:
        s.stadium = f"P{dice.randrange(60)}" if dice.randrange(2) else ""

    table = at(
        f"B9 {dice.randrange(3)}o {dice.choice(('---', '1--', '-2-', '1-3', '-23', '123'))}",
        score=(3, dice.randrange(2, 4)),
        away=dice.sample(titles, 7),
        home=dice.sample(titles, 7),
        decks=(dice.sample(titles, 9), dice.sample(titles, 9)),
        cards=cards(),
        position=position,
    )

    def answer(ask: Ask) -> object:
        nonlocal left
        left -= 1
        assert left, f"{inside(ask).why} is asked for ever"
        return pick(ask, dice.randrange(1 << 16))

    assert drive(GAME, state(table).copy(), answer).outcome


def test_a_stadium_does_not_trigger_itself() -> None:
    park = written("stadium", name="Park", when="on a check", do="both draw 1 if an infield check is made")

    def position(s: State) -> None:
        s.stadium = "Park"

    table = at(home=["CHK1B"], cards={"Park": park}, position=position)
    run(table, "1B!", "CHK1B", "D1", "D14")
    assert "GB" == state(table).last[-1]
