"""Numbers of the throw or check under way, with all cards in force (3.11). Every function here needs `State.throw` and
raises AssertionError without a throw or check.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.events import last_name, spoken_list
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, text_with_printed
from engine.games.clutch.numbers import fielding
from engine.games.clutch.numbers.modifiers import card_bonus, die_with_cards, is_ignored, number_with_cards
from engine.games.clutch.numbers.rolls import (
    card_bonus_text,
    chance_clause,
    need_at_start,
    need_clause,
    need_for_title,
    sufficient_faces,
    total_by_face,
)
from engine.games.clutch.state import State


class ThrowNeed(NamedTuple):
    """The roll needed for an out (`need`, `wins` for a title, `least` to begin a sentence) and its parts (`made`).

    `chance` is its chance, to follow `need`.
    """

    need: str
    made: str
    rating: int
    speed: int
    wins: str
    least: str
    chance: str


class CheckNeed(NamedTuple):
    """The roll needed to make a check. Its fields are those of `ThrowNeed`, with the `target` in place of the speed."""

    need: str
    made: str
    rating: int
    target: int
    wins: str
    least: str
    chance: str


def judge_throw(s: State) -> None:
    """Resolve the throw or check. A throw must exceed the speed, and a check reach its target (CL-238, CL-241)."""
    total, against = _throw_total(s), required_number(s)
    made = total >= against if s.current_throw.kind == "check" else total > against
    s.throw = replace(s.current_throw, total=total, against=against, made=made)


def _throw_total(s: State) -> int:
    """Return rating plus die. Cards add to the roll and to the action separately (CL-213, CL-216)."""
    assert s.current_throw.natural is not None
    rolled = number_with_cards(s, f"{s.current_throw.roll_kind}_roll", s.current_throw.natural)
    s.throw = replace(s.current_throw, roll=rolled)
    return number_with_cards(s, s.current_throw.roll_kind, fielding_rating(s) + rolled)


def fielding_rating(s: State) -> int:
    """Return the fielders' rating with the bonuses of the play and of cards (CL-089)."""
    helped = 0 if is_ignored(s, "unit bonus") else s.current_throw.help
    return unit_rating(s, s.current_throw.unit) + helped


def unit_rating(s: State, unit: str) -> int:
    """Return the rating of a unit in the field, with cards on it and on each fielder (CL-089)."""
    by_cards = card_bonus(s, "unit", (unit,))
    squad = s.squad(s.defense)
    for spot in fielding.unit_positions(unit):
        by_cards += card_bonus(s, "defense", (spot, ""), name=squad.player_at(spot))
    return fielding.printed_unit_rating(s, s.defense, unit) + by_cards


def printed_rating(s: State) -> int:
    return fielding.printed_unit_rating(s, s.defense, s.current_throw.unit)


def rating_with_roll(s: State) -> int:
    """Return the rating with the cards on it and on its roll."""
    return total_by_face(s, s.current_throw.roll_kind, fielding_rating(s))(0)


def required_number(s: State) -> int:
    return check_target(s) if s.current_throw.kind == "check" else runner_speed(s)


def runner_speed(s: State) -> int:
    """Return the runner's speed with the bonuses of the play and of cards."""
    bonus = 0 if is_ignored(s, "runner bonus") else s.current_throw.bonus
    return number_with_cards(s, s.current_throw.speed, printed_required(s) + bonus, name=s.current_throw.runner)


def printed_required(s: State) -> int:
    """Return the speed printed on the runner's card, or the target of a check before cards."""
    if s.current_throw.kind == "check":
        return s.current_throw.target
    card = s.box.batters[s.current_throw.runner]
    return card.stealing if s.current_throw.speed == "st" else card.baserunning


def check_target(s: State) -> int:
    return number_with_cards(s, "check_target", s.current_throw.target)


def throw_need(s: State) -> ThrowNeed | CheckNeed:
    what, has, against = s.current_throw.roll_kind, fielding_rating(s), required_number(s)
    kind = die_with_cards(s, what)
    with_cards = f"{rating_text(s)} against"
    good = sufficient_faces(s, what, kind, has, against + (what == "throw"))
    wins, least = need_for_title(good, kind), need_at_start(good, kind)
    chance = chance_clause(s, what, good, kind)
    if what == "check":
        made = f"{with_cards} {required_text(s)}"
        return CheckNeed(need_clause("made", good, kind, "no roll makes it"), made, has, against, wins, least, chance)
    made = f"{with_cards} speed {required_text(s)}"
    return ThrowNeed(need_clause("out", good, kind, "no roll gets him"), made, has, against, wins, least, chance)


def rating_text(s: State) -> str:
    """Return the fielders' part of the sum, such as "Outfield +6 (printed +4) +2 from cards"."""
    has = fielding_rating(s)
    shown = text_with_printed(has, printed_rating(s), sign=True)
    return f"{unit_name(s.current_throw.unit)} {shown}{card_bonus_text(s, s.current_throw.roll_kind, has)}"


def required_text(s: State) -> str:
    """Return the number to exceed or reach, such as "18 (printed 15)"."""
    return text_with_printed(required_number(s), printed_required(s))


def unit_name(unit: str) -> str:
    """Return the name of a unit or of its positions: "Outfield", "SS and 2B"."""
    return unit.capitalize() if unit in fielding.UNIT_POSITIONS else spoken_list(unit.split("+"))


def throw_facts(s: State) -> dict[str, str | int]:
    """Return the facts of the ask for a throw's die, with its numbers, their meaning, and what else happens."""
    called, need = s.current_throw, throw_need(s)
    base, batter = BASE_NAMES[called.base - 1], s.batter_card.name
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
    """Return the facts of the ask for a check's die, with its numbers and their meaning."""
    need, unit = throw_need(s), s.current_throw.unit
    what = unit if unit in fielding.UNIT_POSITIONS else unit_name(unit)
    outlook = f"{need.least or 'No roll'} makes the check"
    facts = {"unit": unit, "fielders": what, "play": f"{unit_name(unit)} check", "outlook": outlook}
    return {**need._asdict(), **facts, "says": s.current_throw.says}
