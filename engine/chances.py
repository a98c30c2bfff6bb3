"""What an open roll can become, with the chance of each outcome, by trying every way its dice can fall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from engine.asks import Roll
from engine.dice import Face, die_sides
from engine.errors import EngineError
from engine.events import Event, MomentTracker, spoken_list
from engine.table import Table
from engine.text.numbers import chance_text
from engine.views import OutcomeChanceView

MAX_WAYS = 40
"""The most ways of falling that are tried: those of one d24, or of two d6."""

DICE_FACTS = frozenset({"face", "faces", "roll", "swing", "sum", "total", "compare", "compared", "against"})
"""The facts of events that only repeat what the dice show. All others belong to the outcome."""

NOT_OUTCOMES = frozenset({"half-inning", "at-bat", "ability"})
"""The codes of events that only open what comes next, or say how the dice are counted."""

HIDE_POINTS = str.maketrans(".!:", "\1\2\3")
"""Protects the points within names, which end no sentence."""

SHOW_POINTS = str.maketrans("\1\2\3", ".!:")
"""The opposite of `HIDE_POINTS`."""

_Way = tuple[tuple[Face, ...], Sequence[Event]]
"""How the dice can fall, and the events that this causes."""


def outcome_chances(table: Table) -> list[OutcomeChanceView]:
    """Chances of the open roll's outcomes, likeliest first. They add up to 1.

    The first moment of a roll decides, or else its last event, of those that do not happen anyway. Two ways of falling
    have the same outcome if that event says the same, whatever numbers the dice show. Each side of a die counts, so a
    letter on three sides of the pitching die counts three times.

    [] if anything but one roll is open; if its dice can fall in more than `MAX_WAYS` ways; if all have the same
    outcome; or if one causes no event, because something else decides later.
    """
    ways = _ways_to_fall(table)
    if not all(events for _, events in ways):
        return []
    in_all = set.intersection(*({_event_key(event) for event in events} for _, events in ways)) if ways else set()
    outcomes: dict[str, list[tuple[tuple[Face, ...], Event]]] = {}
    for faces, events in ways:
        own = [event for event in events if _event_key(event) not in in_all] or events
        decides = next(filter(MomentTracker().classify_event, own), own[-1])
        outcomes.setdefault(_event_key(decides), []).append((faces, decides))
    if len(outcomes) < 2:
        return []
    told = [_event_of_all([event for _, event in found]) for found in outcomes.values()]
    sentences = [table.game.words.event_sentence(event) for event in told]
    briefs = [_brief_sentence(sentence, event) for sentence, event in zip(sentences, told, strict=True)]
    result = [
        OutcomeChanceView(
            sentence,
            len(found) / len(ways),
            list(dict.fromkeys(faces[0] for faces, _ in found)) if len(found[0][0]) == 1 else [],
            brief,
            _odds_text(len(found), len(ways), dice=len(found[0][0])),
        )
        for sentence, brief, found in zip(
            sentences, briefs if len({*briefs}) == len(briefs) else sentences, outcomes.values(), strict=True
        )
    ]
    return sorted(result, key=lambda chance: -chance.share)


def _ways_to_fall(table: Table) -> list[_Way]:
    match table.open_asks():
        case [(n, Roll() as ask)]:
            pass
        case _:
            return []
    sides = [die_sides(die.kind, table.house) for die in ask.dice]
    if prod(map(len, sides)) > MAX_WAYS:
        return []
    try:
        fallen = [(faces, table.preview_answer(n, list(faces))) for faces in product(*sides)]
    except EngineError:
        return []
    return [(faces, [one.event for one in news if one.event.code not in NOT_OUTCOMES]) for faces, news in fallen]


def _event_key(event: Event) -> str:
    """What an event says, without the numbers that the dice show."""
    return repr((event.code, sorted(fact for fact in event.facts.items() if fact[0] not in DICE_FACTS)))


def _event_of_all(events: Sequence[Event]) -> Event:
    """One event for all these, which differ only in the numbers of the dice."""
    dice = {name: _text_of_all([event.facts[name] for event in events]) for name in events[0].facts.keys() & DICE_FACTS}
    return replace(events[0], facts={**events[0].facts, **dice})


def _text_of_all(values: Sequence[Any]) -> Any:
    """What these values of a fact say together, such as "3 to 12", "2, 4 or 6" or "with 2 to 4 against 5"."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, int) for value in values):
        return _numbers_text(sorted(set(values)))
    if isinstance(first, str):
        parts = enumerate(zip(*(re.split("([0-9]+)", value) for value in values), strict=False))
        return "".join(_numbers_text(sorted(set(map(int, one)))) if odd % 2 else one[0] for odd, one in parts)
    if len(first) == 1:
        return [_text_of_all([value[0] for value in values])]
    return [*first[:-1], f"{first[-1]}, or the like"]


def _numbers_text(numbers: Sequence[int]) -> str:
    """Different numbers in ascending order, as people say them."""
    least, most = numbers[0], numbers[-1]
    if len(numbers) > 2 and most - least == len(numbers) - 1:
        return f"{least} to {most}"
    return spoken_list(numbers, "or")


def _odds_text(ways: int, of: int, dice: int) -> str:
    """A chance as people say it: "2 in 6" of one six-sided die, else in percent."""
    return f"{ways} in {of}" if of == 6 and dice == 1 else chance_text(ways / of)


def _brief_sentence(sentence: str, event: Event) -> str:
    """What happens, in few words: without whom it happens to, what the dice showed, and the outs after it."""
    names = [value for value in event.facts.values() if isinstance(value, str)]
    for name in names:
        sentence = sentence.replace(name, name.translate(HIDE_POINTS))
    head, _, rest = re.split(r"[.!](?= |$)", sentence, maxsplit=1)[0].partition(": ")
    brief = head if not rest or re.match("[0-9]|with ", rest) else rest
    for who in (event.facts.get("batter"), event.facts.get("runner"), "The batter", "the batter"):
        brief = brief.removeprefix(f"{who} ".translate(HIDE_POINTS))
    return brief.removeprefix("is ").translate(SHOW_POINTS)
