"""Pitchers' abilities: phrases, and the ways to use one on the dice on the table.

    ability = "lower one die by 2"
    ability = "reroll the highest die, once a roll"

One use costs an exhaustion token (SI-026). An ability that changes the number of dice is used before the roll (A33),
all others after it. In a duel only abilities that change rolled dice count (SI-213, A23).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.cards import Phrases, unknown
from engine.games.seventh_inning_stretch.dice.conditions import normal, plain
from engine.games.seventh_inning_stretch.dice.measures import FACES

PHRASES: Phrases = {
    "lower one die by 2, raise one die by 1": "turns a die, never below 1 or above 6",
    "set one die to 1": "turns a die to that face",
    "flip one die": "turns a die over: what shows is 7 less what showed",
    "one die becomes another, one die becomes the lowest": "turns a die to what another shows",
    "remove one die": "takes a die away, but never so that a team has less than its least dice",
    "reroll one die": "has a die thrown again",
    "reroll up to 2 dice, reroll all dice": "has some thrown again, as many as one wants: at most so many, or all",
    "lower the highest die by 1, lower the lowest die by 1, lower a die of 6 by 1, lower all dice by 1": (
        "the same for other dice than one of your choice; so with all of the above, but for becomes, up to and remove, "
        "which are never for all dice"
    ),
    "roll 1 die fewer, roll 2 dice fewer": "used before the team rolls, and never below its least dice",
    "1 run fewer, 2 runs fewer": "takes runs away; not in a duel",
    "runs at most 2": "the team scores no more in this half; not in a duel",
    "lower one die by 2 once a roll": "no more than once on the same dice; so with all of the above",
}
"""Every form, with its explanation, as in docs/cards.md."""


@dataclass(frozen=True, slots=True)
class Ability:
    """A pitcher's ability, as typed and as its parts.

    `before` is True if it is used before the roll, because it changes the number of dice; `duel` if it works on a
    batter's dice too. `verb` is the action (see `_GRAMMAR`), `target` its dice, `number` how much, and `source` the die
    that it copies. `once` limits it to one use per roll.
    """

    text: str
    before: bool
    duel: bool
    verb: str
    target: str = ""
    number: int = 0
    source: str = ""
    once: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """One way to use an ability now. `code` is stable and unique among the ways; `label` is in plain words.

    `faces` are the dice after it, in their places; None if dice are rolled again or none change. `again` are the places
    that may be rolled again, `most` how many of them. `fewer` dice are rolled, `less` runs are scored, and at most
    `cap` (None: any).
    """

    code: str
    label: str
    faces: tuple[int, ...] | None = None
    again: tuple[int, ...] = ()
    most: int = 0
    fewer: int = 0
    less: int = 0
    cap: int | None = None


_ONE = r"(?P<target>1 die|the highest die|the lowest die|a die of [1-6])"
_ANY = _ONE.replace("1 die", "1 die|all dice")

_GRAMMAR = (
    ("lower", rf"lower {_ANY} by (?P<number>[1-5])"),
    ("raise", rf"raise {_ANY} by (?P<number>[1-5])"),
    ("set", rf"set {_ANY} to (?P<number>[1-6])"),
    ("flip", rf"flip {_ANY}"),
    ("becomes", rf"{_ONE} becomes (?P<source>another|the highest|the lowest)"),
    ("remove", rf"remove {_ONE}"),
    ("reroll", rf"reroll {_ANY}"),
    ("reroll", r"reroll up to (?P<number>\d\d?) dic?e"),
    ("fewer", r"roll (?P<number>[1-9]) dic?e fewer"),
    ("less", r"(?P<number>[1-9]) runs? fewer"),
    ("cap", r"runs at most (?P<number>\d)"),
)
"""Every phrase, and its verb."""


def ability(value: Any) -> Ability:
    """Read an ability, as "lower one die by 2". Raises ValueError with the nearest phrase."""
    text = normal(value)
    phrase = plain(text)
    action = phrase.removesuffix(" once a roll")
    for verb, pattern in _GRAMMAR:
        if found := re.fullmatch(pattern, action):
            parts = {"target": "", "number": "0", "source": "", **found.groupdict()}
            before, runs = verb == "fewer", verb in ("less", "cap")
            target, number, source = parts["target"], int(parts["number"]), parts["source"]
            return Ability(text, before, not before and not runs, verb, target, number, source, action != phrase)
    raise ValueError(unknown(text, "ability", PHRASES))


def uses(ability: Ability, faces: tuple[int, ...], used: int, least: int) -> tuple[Use, ...]:
    """Return the ways to use an ability now, one for each different effect; without those that change nothing.

    `faces` are the dice on the table, () before the roll; `used` counts the uses on this roll. No die is removed if
    there are only `least` (SI-028). Not checked: stamina.
    """
    if ability.before != (not faces) or (ability.once and used):
        return ()
    number = ability.number
    match ability.verb:
        case "fewer":
            return (Use("fewer", f"roll {_counted(number, 'dice', 'die')} fewer", fewer=number),)
        case "less":
            return (Use("less", f"{_counted(number, 'runs', 'run')} fewer", less=number),)
        case "cap":
            return () if used else (Use("at-most", f"at most {_counted(number, 'runs', 'run')}", cap=number),)
        case "reroll":
            again = _places(ability.target, faces)
            most = min(number, len(again)) or (len(again) if ability.target == "all dice" else 1)
            return (
                (Use("reroll", f"throw {_again(again, most, faces)} again", again=again, most=most),) if again else ()
            )
        case "remove":
            return tuple(_removed(ability, faces)) if len(faces) > least else ()
    return tuple(_changed(ability, faces))


def _places(target: str, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the dice that it can change."""
    wanted = {"the highest die": max(faces), "the lowest die": min(faces)}.get(target)
    if " of " in target:
        wanted = int(target[-1])
    return tuple(place for place, face in enumerate(faces) if wanted in (None, face))


def _removed(ability: Ability, faces: tuple[int, ...]) -> Iterator[Use]:
    for place, face in _different(ability.target, faces):
        yield Use(f"remove-{face}", f"take away {_named(face)}", (*faces[:place], *faces[place + 1 :]))


def _changed(ability: Ability, faces: tuple[int, ...]) -> Iterator[Use]:
    if ability.target == "all dice":
        after = tuple(new for place in range(len(faces)) for new in _becomes(ability, place, faces))
        if after != faces:
            yield Use("all", f"{_row(faces)} become {_row(after)}", after)
        return
    for place, face in _different(ability.target, faces):
        for new in _becomes(ability, place, faces):
            if new != face:
                after = (*faces[:place], new, *faces[place + 1 :])
                yield Use(f"{face}-to-{new}", f"{face} becomes {new}", after)


def _different(target: str, faces: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the places that it can change with their faces, highest first; of equal dice only the first."""
    first = {faces[place]: place for place in reversed(_places(target, faces))}
    yield from ((first[face], face) for face in sorted(first, reverse=True))


def _becomes(ability: Ability, place: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return what the die at a place can become."""
    face, number = faces[place], ability.number
    match ability.verb:
        case "lower":
            return (max(FACES[0], face - number),)
        case "raise":
            return (min(FACES[-1], face + number),)
        case "set":
            return (number,)
        case "flip":
            return (7 - face,)
    others = {"the highest": {max(faces)}, "the lowest": {min(faces)}}
    return tuple(sorted(others.get(ability.source, set(faces))))


def _again(places: tuple[int, ...], most: int, faces: tuple[int, ...]) -> str:
    alike = {faces[place] for place in places}
    if most == 1:
        return _named(alike.pop()) if len(alike) == 1 else "one die"
    return "any dice" if most >= len(faces) else f"up to {most} dice"


def _named(face: int) -> str:
    return f"a {face}"


def _row(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _counted(number: int, several: str, one: str) -> str:
    return f"{number} {one if number == 1 else several}"
