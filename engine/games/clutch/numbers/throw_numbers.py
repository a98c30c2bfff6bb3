"""What the throw or check under way comes to, with all cards in force (3.11).

Every function here needs `State.throw`; without a throw or check it raises AssertionError.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.events import last_name, spoken
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, beside
from engine.games.clutch.numbers import fielding
from engine.games.clutch.numbers.modifiers import added, die, ignored, number
from engine.games.clutch.numbers.rolls import enough, from_cards, short_need, spoken_need, total, worded_need
from engine.games.clutch.state import State


class ThrowNeed(NamedTuple):
    """The roll that is an out (`need`, and `wins` for a title), what it is made of (`made`), and both numbers."""

    need: str
    made: str
    rating: int
    speed: int
    wins: str
    least: str


class CheckNeed(NamedTuple):
    """The roll that makes a check (`need`, and `wins` for a title), what it is made of (`made`), and both numbers."""

    need: str
    made: str
    rating: int
    target: int
    wins: str
    least: str


def judge(s: State) -> None:
    """Settle the throw or check by its die and the cards in force. A throw must beat the runner, a check must reach its
    target (CL-238, CL-241).
    """
    total, against = _total(s), required(s)
    made = total >= against if s.thrown.kind == "check" else total > against
    s.throw = replace(s.thrown, total=total, against=against, made=made)


def _total(s: State) -> int:
    """Return rating plus die. What cards add to the roll and to the action are two numbers (CL-213, CL-216)."""
    assert s.thrown.natural is not None
    rolled = number(s, f"{s.thrown.what}_roll", s.thrown.natural)
    s.throw = replace(s.thrown, roll=rolled)
    return number(s, s.thrown.what, rating(s) + rolled)


def rating(s: State) -> int:
    """Return what the fielders have, with what the play adds and with cards (CL-089)."""
    helped = 0 if ignored(s, "unit bonus") else s.thrown.help
    return unit_rating(s, s.thrown.unit) + helped


def unit_rating(s: State, unit: str) -> int:
    """Return the rating of a unit in the field, with cards on it and on each fielder (CL-089)."""
    by_cards = added(s, "unit", (unit,))
    squad = s.squad(s.defence)
    for spot in fielding.positions(unit):
        by_cards += added(s, "defense", (spot, ""), name=squad.playing(spot))
    return fielding.rating(s, s.defence, unit) + by_cards


def printed_rating(s: State) -> int:
    """Return what is printed on the fielders' cards."""
    return fielding.rating(s, s.defence, s.thrown.unit)


def rating_with_roll(s: State) -> int:
    """Return the rating with what cards add to it and to its roll."""
    return total(s, s.thrown.what, rating(s))(0)


def required(s: State) -> int:
    """Return what a throw must beat, or a check reach."""
    return target(s) if s.thrown.kind == "check" else speed(s)


def speed(s: State) -> int:
    """Return what a throw is compared with: the runner's speed, what the play adds, and cards."""
    bonus = 0 if ignored(s, "runner bonus") else s.thrown.bonus
    return number(s, s.thrown.speed, printed_required(s) + bonus, name=s.thrown.runner)


def printed_required(s: State) -> int:
    """Return the speed that is printed on the runner's card, or the target that was called for a check."""
    if s.thrown.kind == "check":
        return s.thrown.target
    card = s.box.batters[s.thrown.runner]
    return card.stealing if s.thrown.speed == "st" else card.baserunning


def target(s: State) -> int:
    """Return what a check must reach."""
    return number(s, "check_target", s.thrown.target)


def needed(s: State) -> ThrowNeed | CheckNeed:
    """Return what the die has to show for an out, or for a check that is made."""
    what, has, against = s.thrown.what, rating(s), required(s)
    kind = die(s, what)
    with_cards = f"{brings(s)} against"
    good = enough(s, what, kind, has, against + (what == "throw"))
    wins, least = short_need(good, kind), worded_need(good, kind)
    if what == "check":
        made = f"{with_cards} {meets(s)}"
        return CheckNeed(spoken_need("made", good, kind, "no roll makes it"), made, has, against, wins, least)
    made = f"{with_cards} speed {meets(s)}"
    return ThrowNeed(spoken_need("out", good, kind, "no roll is an out"), made, has, against, wins, least)


def brings(s: State) -> str:
    """Return what the fielders add to the die, as "Outfield +6 (printed +4) +2 from cards"."""
    has = rating(s)
    shown = beside(has, printed_rating(s), sign=True)
    return f"{fielders(s.thrown.unit)} {shown}{from_cards(s, s.thrown.what, has)}"


def meets(s: State) -> str:
    """Return what the die is compared with, as "18 (printed 15)"."""
    return beside(required(s), printed_required(s))


def fielders(unit: str) -> str:
    """Return a unit with a capital letter, or its positions: "Outfield", "SS and 2B"."""
    return unit.capitalize() if unit in fielding.UNIT_POSITIONS else spoken(unit.split("+"))


def throw_facts(s: State) -> dict[str, str | int]:
    """Return the facts of the ask for a throw's die: the numbers, what a number means, and what else happens."""
    called, need = s.thrown, needed(s)
    base, batter = BASE_NAMES[called.base - 1], s.batter.name
    play = "Double play" if called.kind == "double-play" else f"{last_name(called.runner)} out at {base}"
    gets = f"{need.least or 'No roll'} gets {called.runner}"
    also = ""
    if called.kind == "double-play":
        gets = f"{need.least or 'No roll'} gets {called.runner} too" if called.runner == batter else gets
        also = "; the runner from first is already out"
    elif called.kind in ("ground", "infield-in"):
        also = f"; {batter} is safe at first either way"
    facts = {"runner": called.runner, "base": base, "unit": called.unit, "play": play, "outlook": gets + also}
    facts["says"] = called.says
    return {**need._asdict(), **facts}


def check_facts(s: State) -> dict[str, str | int]:
    """Return the facts of the ask for a check's die: the numbers, and what a number means."""
    need, unit = needed(s), s.thrown.unit
    what = unit if unit in fielding.UNIT_POSITIONS else fielders(unit)
    outlook = f"{need.least or 'No roll'} makes the check"
    facts = {"unit": unit, "fielders": what, "play": f"{fielders(unit)} check", "outlook": outlook}
    return {**need._asdict(), **facts, "says": s.thrown.says}
