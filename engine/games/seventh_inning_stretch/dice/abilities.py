"""Pitchers' abilities, parsed from phrases into possible uses on rolled dice.

    ability = "lower one die by 2"
    ability = "reroll the highest die, once a roll"

One use costs an exhaustion token (SI-026). An ability that changes the number of dice is used before the roll (A33),
all others after it. In a duel only abilities that change rolled dice count (SI-213, A23).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.games.seventh_inning_stretch.dice.conditions import normal_phrase, plain_phrase
from engine.games.seventh_inning_stretch.dice.odds import DIE_FACES
from engine.phrases import PhraseRow, PhraseSlot, Vocabulary, number_slot, word_slot


@dataclass(frozen=True, slots=True)
class PitcherAbility:
    """A pitcher's ability. `text` is as typed.

    Attributes:
        before: true if it is used before the roll, because it changes the number of dice.
        duel: true if it works on a batter's dice too.
        verb: its action (see `ABILITY_PHRASES`), done to `target` dice by or to `number`.
        source: the die that it copies.
        once: true if it has one use per roll.
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
class AbilityUse:
    """One way to use an ability now. `code` is stable and unique among the ways.

    Attributes:
        faces: dice after it, by index; None if dice are rerolled or none change.
        again: indexes of dice that may be rerolled, `most` of them.
        fewer, less: number of dice and of runs taken off.
        cap: most runs; None for no limit.
    """

    code: str
    label: str
    faces: tuple[int, ...] | None = None
    again: tuple[int, ...] = ()
    most: int = 0
    fewer: int = 0
    less: int = 0
    cap: int | None = None


_ONE_DIE_PATTERN = "1 die|the highest die|the lowest die|a die of [1-6]"


def _build_ability(text: str, verb: str, target: str = "", number: int = 0, source: str = "") -> PitcherAbility:
    before, runs = verb == "fewer", verb in ("less", "cap")
    return PitcherAbility(text, before, not before and not runs, verb, target, number, source)


ABILITY_PHRASES = Vocabulary(
    "ability",
    _build_ability,
    {
        "die": PhraseSlot(_ONE_DIE_PATTERN, str, ("one die",)),
        "dice": PhraseSlot(f"{_ONE_DIE_PATTERN}|all dice", str, ("one die",)),
        "by": PhraseSlot("[1-5]", int, ("2", "1")),
        "face": PhraseSlot("[1-6]", int, ("1",)),
        "other": word_slot("another", "the lowest", "the highest"),
        "most": number_slot(0, 99, "2"),
        "digit": PhraseSlot(r"[0-9]", int, ("2",)),
        "less": PhraseSlot("[1-9]", int, ()),
    },
    PhraseRow("{verb:lower|raise} {target:dice} by {number:by}", "turns a die, never below 1 or above 6"),
    PhraseRow("set {target:dice} to {number:face}", "turns a die to that face", verb="set"),
    PhraseRow("flip {target:dice}", "turns a die over: it shows 7 minus what it showed", verb="flip"),
    PhraseRow("{target:die} becomes {source:other}", "turns a die to what another one shows", verb="becomes"),
    PhraseRow("remove {target:die}", "removes a die, but never leaves fewer than the team's least dice", verb="remove"),
    PhraseRow("reroll {target:dice}", "rerolls a die; of all dice, as many as you like", verb="reroll"),
    PhraseRow(
        "reroll up to {number:most} dic?e", "rerolls any dice, at most this many", "reroll up to 2 dice", verb="reroll"
    ),
    PhraseRow(
        "",
        "other dice than one of your choice, as in all phrases above; no all dice with `becomes`, `up to` and `remove`",
        "lower the highest die by 1, lower the lowest die by 1, lower a die of 6 by 1, lower all dice by 1, "
        "reroll all dice",
    ),
    PhraseRow(
        "roll {number:less} dic?e fewer",
        "used before the team rolls; never below its least dice",
        "roll 1 die fewer, roll 2 dice fewer",
        verb="fewer",
    ),
    PhraseRow("{number:less} runs? fewer", "subtracts runs; not in a duel", "1 run fewer, 2 runs fewer", verb="less"),
    PhraseRow("runs at most {number:digit}", "the team scores no more in this half; not in a duel", verb="cap"),
    PhraseRow(
        "", "not more than once on the same dice; all phrases above can end like this", "lower one die by 2 once a roll"
    ),
    plain=plain_phrase,
)
"""Every ability; `parse_ability` reads "once a roll" at its end."""


def parse_ability(value: Any) -> PitcherAbility:
    """Parse an ability, such as "lower one die by 2". Raises PhraseError."""
    text = normal_phrase(value)
    deed = text.replace(",", "").removesuffix(" once a roll")
    return replace(ABILITY_PHRASES.parse_phrase(deed), text=text, once=text.endswith(" once a roll"))


def ability_uses(
    ability: PitcherAbility, faces: tuple[int, ...], used: int, least: int, count: int = 0
) -> tuple[AbilityUse, ...]:
    """Return the ways to use an ability now, one for each different effect, without those that change nothing.

    `faces` are the rolled dice, () before a roll of `count` dice. `used` counts the uses on this roll. There are never
    fewer dice than `least` (SI-028). Not checked: stamina.
    """
    if ability.before != (not faces) or (ability.once and used):
        return ()
    number = ability.number
    match ability.verb:
        case "fewer":
            fewer = min(number, count - least)
            return (
                (AbilityUse("fewer", f"roll {_amount_words(fewer, 'dice', 'die')} fewer", fewer=fewer),)
                if fewer > 0
                else ()
            )
        case "less":
            return (AbilityUse("less", f"{_amount_words(number, 'runs', 'run')} fewer", less=number),)
        case "cap":
            return (
                () if used else (AbilityUse("at-most", f"at most {_amount_words(number, 'runs', 'run')}", cap=number),)
            )
        case "reroll":
            again = _target_indexes(ability.target, faces)
            most = min(number, len(again)) or (len(again) if ability.target == "all dice" else 1)
            return (AbilityUse("reroll", _reroll_label(again, most, faces), again=again, most=most),) if again else ()
        case "remove":
            if len(faces) <= least:
                return ()
            return tuple(
                AbilityUse(f"remove-{face}", f"remove a {face}", (*faces[:place], *faces[place + 1 :]))
                for place, face in _distinct_targets(ability.target, faces)
            )
    return tuple(_changing_uses(ability, faces))


def _target_indexes(target: str, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return the indexes of the dice that the target allows."""
    wanted = {"the highest die": max(faces), "the lowest die": min(faces)}.get(target)
    if " of " in target:
        wanted = int(target[-1])
    return tuple(place for place, face in enumerate(faces) if wanted in (None, face))


def _changing_uses(ability: PitcherAbility, faces: tuple[int, ...]) -> Iterator[AbilityUse]:
    if ability.target == "all dice":
        after = tuple(new for place in range(len(faces)) for new in _possible_faces(ability, place, faces))
        if after != faces:
            shown, turned = (" ".join(map(str, dice)) for dice in (faces, after))
            yield AbilityUse("all", f"{shown} become {turned}", after)
        return
    for place, face in _distinct_targets(ability.target, faces):
        for new in _possible_faces(ability, place, faces):
            if new != face:
                after = (*faces[:place], new, *faces[place + 1 :])
                yield AbilityUse(f"{face}-to-{new}", f"{face} becomes {new}", after)


def _distinct_targets(target: str, faces: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of target dice with their faces, highest first. Of equal dice only the first counts."""
    first = {faces[place]: place for place in reversed(_target_indexes(target, faces))}
    yield from ((first[face], face) for face in sorted(first, reverse=True))


def _possible_faces(ability: PitcherAbility, place: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    face, number = faces[place], ability.number
    match ability.verb:
        case "lower":
            return (max(DIE_FACES[0], face - number),)
        case "raise":
            return (min(DIE_FACES[-1], face + number),)
        case "set":
            return (number,)
        case "flip":
            return (7 - face,)
    others = {"the highest": {max(faces)}, "the lowest": {min(faces)}}
    return tuple(sorted(others.get(ability.source, set(faces))))


def _reroll_label(places: tuple[int, ...], most: int, faces: tuple[int, ...]) -> str:
    """Return the label of a reroll, in which equal dice are interchangeable."""
    alike = {faces[place] for place in places}
    if most == 1 and len(alike) == 1:
        return f"reroll {'the' if len(places) == 1 else 'a'} {alike.pop()}"
    if most == 1:
        return "reroll one die"
    return "reroll any dice" if most >= len(faces) else f"reroll up to {most} dice"


def _amount_words(number: int, several: str, one: str) -> str:
    return f"{number} {one if number == 1 else several}"
