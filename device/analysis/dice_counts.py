"""Counts of the faces that dice showed in one game: a fold over its current rolls."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from device.shapes import DiceOrigin
from device.storage.restore import JSON_ERRORS
from device.table.play_log import original_entry_index
from engine.asks import DiceAsk, Roll
from engine.dice import Die, Face, die_sides
from engine.journal import Source
from engine.table import Table


@dataclass(frozen=True, slots=True)
class CountedDie:
    """Dice that are counted together. `name` is that of a taught die, else ""."""

    origin: DiceOrigin
    kind: str
    color: str | None
    sides: tuple[Face, ...]
    name: str = ""


FaceCounts = Counter[tuple[CountedDie, Face]]
"""How often each face was rolled."""


def count_faces(table: Table, sources: Sequence[Source], readings: Mapping[int, str]) -> FaceCounts:
    """Count the faces of the current rolls, with their corrected values.

    sources: those of the journal's entries.
    readings: the stored readings as JSON, by index of the answer in the journal.

    A corrected roll stays with the source that first gave it: without the faces that the camera misread, the others
    would look too frequent. Left out are rolls by the table for a computer, the dice of a race, of which only those
    that decide it are stored, and what is not public yet. Of a reroll, only the dice that were rolled count.
    """
    counts, hidden = FaceCounts(), table.hidden_numbers()
    for one in table.answers:
        place = original_entry_index(table, one)
        if not isinstance(one.ask, DiceAsk) or one.n in hidden or not sources[place].is_person:
            continue
        origin: DiceOrigin = "camera" if sources[place] is Source.CAMERA else "person"
        for die, face in zip(one.ask.dice, one.value, strict=True):
            if face is not None:
                counts[CountedDie(origin, die.kind, die.colour, die_sides(die.kind, table.house)), face] += 1
        if isinstance(one.ask, Roll) and place in readings:
            for name, kind, face in taught_faces(one.ask.dice, one.value, readings[place]):
                counts[CountedDie("taught", kind, None, die_sides(kind, table.house), name), face] += 1
    return counts


def taught_faces(dice: Sequence[Die], faces: Sequence[Face], reading: str) -> Iterator[tuple[str, str, Face]]:
    """Yield name, kind and face of each taught die of a roll of `dice`, according to its stored reading as JSON.

    A corrected die has its corrected face. Yields nothing if it is unclear which die that was, or if the reading is of
    other dice or damaged.
    """
    try:
        seen = [(one["kind"], one["value"], one.get("taught")) for one in json.loads(reading)["dice"]]
        played = Counter((die.kind, face) for die, face in zip(dice, faces, strict=True))
        read = Counter((kind, face) for kind, face, _ in seen)
    except JSON_ERRORS:
        return
    wrong, right = list((read - played).elements()), list((played - read).elements())
    if len(wrong) != len(right) or len(wrong) > 1 or (wrong and (read[wrong[0]] > 1 or wrong[0][0] != right[0][0])):
        return
    for kind, face, name in seen:
        if isinstance(name, str) and name:
            yield name, kind, right[0][1] if [(kind, face)] == wrong else face
