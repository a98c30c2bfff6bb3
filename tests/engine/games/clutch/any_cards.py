"""Random cards that do anything a card can do, and games in which both managers play them at random."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from engine.cards import Deck
from engine.games.clutch.cards.card_set import reversal_effects
from engine.games.clutch.cards.phrases import (
    CONDITION_PHRASES,
    COST_PHRASES,
    DURATION_PHRASES,
    EFFECT_PHRASES,
    TRIGGER_PHRASES,
    parse_effects,
)
from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.state import State
from engine.table import Table
from tests.engine.games.clutch.field import at
from tests.engine.games.clutch.fixture import deck, roster, strategy, written

DEEDS = (
    *(one for one in EFFECT_PHRASES.examples if one != "nothing" and "d16" not in one),
    *("swing die = 24", "the lead runner is out", "the runner on first is out", "negate the card"),
    *("the runner is safe", "the runner is out", "the check is made", "the check fails"),
)
MOMENTS = tuple(one for one in TRIGGER_PHRASES.examples if "chart" not in one)
CHANGES = ("draw 1", "swing +2", "they discard 1 at random", "innings +1")
TRIALS = (
    *("an infield check is made", "a CA+1B check against 5 is made", "a d6 shows 2 or more"),
    *("an infield throw at the lead runner is made", "an outfield throw at the runner on third fails"),
    *("a battery throw at the runner on first's st is made", "an outfield throw at the batter is made"),
)
LEFT = ("", "", "", "batter", "pitcher", "runner")
COACHES = ("Hitting Coach", "Pitching Coach", "Bench Coach")
SIDES = (("A", "Away"), ("H", "Home"))
PLACES = ("", "", "momentum")


def deed(dice: random.Random) -> str:
    """Return an effect, sometimes with a choice, a condition or a check around it."""
    one, two = dice.choice(DEEDS), dice.choice(DEEDS)
    simple = not any(word in f"{one} {two}" for word in (" if ", "either", " and ", " or ", "else"))
    match dice.randrange(5) if simple else 0:
        case 1:
            return f"either {one} or {two}" + (f" and {dice.choice(CHANGES)}" if dice.randrange(2) else "")
        case 2:
            return f"{one} if {dice.choice(CONDITION_PHRASES.examples)} else {two}"
        case 3:
            changes = one.startswith("change") or two.startswith("change")
            return f"{one} if {dice.choice(TRIALS)}" + ("" if changes else f" else {two}")
    return one


def readable(text: str) -> bool:
    """Return True if an effect can be combined with others in a phrase."""
    try:
        return bool(parse_effects(text))
    except ValueError:
        return False


def deeds(dice: random.Random, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        if readable(one := deed(dice)):
            found.append(one)
    return found


def moments(dice: random.Random, does: Iterable[str], count: int = 3) -> list[str]:
    """Return a moment to play a card; effects that change a throw, a check or a card only fit where there is one."""
    needed = {typed for one in does for _, typed in reversal_effects(parse_effects(one))}
    return [*dice.sample(MOMENTS, count), "before the pitch", "on any result", *sorted(needed)]


@cache
def cards() -> dict[str, str]:
    """Return random strategy cards, coaches, stadiums and weather, and the rosters with those coaches."""
    dice = random.Random(9)
    found: dict[str, str] = {}
    for n in range(300):
        does = [DEEDS[n % len(DEEDS)], *deeds(dice, dice.randrange(2))]
        more = {"cost": dice.choice(COST_PHRASES.examples)} if n % 7 == 0 else {}
        more |= {"lasts": dice.choice(DURATION_PHRASES.examples)} if n % 5 == 0 else {}
        after = [one for one in deeds(dice, 2) if not list(reversal_effects(parse_effects(one)))]
        of: dict[str, Any] = dict(zip(("success", "failure"), after, strict=False)) if n % 3 == 0 else {}
        special, left = dice.choice(PLACES), dice.choice(LEFT)
        of |= {"special": special} if special else {"leave": left} if left else {}
        of |= {"if": dice.choice(CONDITION_PHRASES.examples)} if n % 11 == 0 else {}
        found[f"S{n}"] = strategy(f"S{n}", "neutral", moments(dice, does), does, **more, **of)
    for n in range(60):
        does = deeds(dice, 2)
        found[f"P{n}"] = written("stadium", name=f"P{n}", when=moments(dice, does, 12), do=does)
    for n in range(20):
        does = [*deeds(dice, 2), *(["swing +d16 if bases loaded"] if n % 3 == 0 else [])]
        found[f"W{n}"] = written("weather", name=f"W{n}", when=moments(dice, does, 12), do=does)
    for name in COACHES:
        does = deeds(dice, 2)
        of = {"kind": name.split()[0].lower(), "when": moments(dice, does, 8), "do": does}
        found[name] = written("coach", name=name, **of)
    for side, name in SIDES:
        found[name] = roster(side, coaches=COACHES)
    return found


@cache
def whole_deck() -> Deck:
    """Return these cards, with half of those that do not stay in each side's deck: if every ground ball were a single
    every time, a game might never end.
    """
    stay = ("lasts = ", "leave = ", "special = ")
    titles = [f"1 {name}" for name in cards() if name.startswith("S") and not any(one in cards()[name] for one in stay)]
    rosters = {name: roster(side, coaches=COACHES, deck=titles[place::2]) for place, (side, name) in enumerate(SIDES)}
    return deck(cards() | rosters)


LATE = ("T8", "B8", "T9", "B9", "T10")


def close_game(dice: random.Random, house: Mapping[str, str], when: Sequence[str] = LATE) -> Table:
    """Return a game late in a close game, with random hands and decks, a stadium, weather, and tired pitchers."""
    titles = [name for name in cards() if name.startswith("S")]

    def position(s: State) -> None:
        s.stadium = f"P{dice.randrange(60)}" if dice.randrange(3) else ""
        s.weather = f"W{dice.randrange(20)}" if dice.randrange(3) else ""
        s.rests = (
            {"A-Rx": PitcherRest(dice.randrange(3)), "A-R2": PitcherRest(1), "A-OP": PitcherRest(2)},
            {"Rx": PitcherRest(dice.randrange(3)), "H-R2": PitcherRest(1), "H-OP": PitcherRest(2)},
        )

    bases = dice.choice(("---", "1--", "-2-", "1-3", "-23", "123"))
    return at(
        f"{dice.choice(when)} {dice.randrange(3)}o {bases}",
        score=(3, dice.randrange(2, 4)),
        away=dice.sample(titles, 7),
        home=dice.sample(titles, 7),
        decks=(dice.sample(titles, 12), dice.sample(titles, 12)),
        cards=cards(),
        house=house,
        position=position,
    )


def games(dice: random.Random, count: int) -> Iterator[Table]:
    """Return games with random cards, the first few under the usual house rules, the others under any."""
    for number in range(count):
        house = {rule.key: dice.choice(rule.values) for rule in HOUSE_RULES} if number > 3 else {}
        yield close_game(dice, house | {"format": "open", "level": "full", "leagueOnly": "off", "series": "1"})
