"""The dice report: the faces of all rolls of all stored games, counted in the background."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from device.analysis import fairness
from device.analysis.dice_counts import CountedDie, FaceCounts, count_faces
from device.shapes import DiceReport, DieReport, FaceCount, SkippedGame
from device.storage import game_check, hash_chain
from device.storage.database import open_read_only
from device.storage.restore import restore_table, unreadable_reason
from device.storage.roll_pictures import NAME_PATTERN, jpeg_comment, picture_paths
from device.storage.store import REPAIR_ADVICE, StoreError
from device.table.game_rows import read_transaction
from engine.dice import FACES_BY_KIND, Face
from engine.events import spoken_list
from engine.journal import Source
from vision.matching import kind_name

log = logging.getLogger("dugout.dice")

LEVEL = 0.01
"""Probability that a report on fair dice calls any of them uneven."""

RARITY_TEXT = "Of a hundred tables with fair dice, about one sees such a result."
"""What `LEVEL` means."""

ORIGINS = ("camera", "person", "taught")
"""The order of the report."""

READING_NICENESS = 10
"""`nice` value of the thread that reads games, so that the table goes first."""

LAST_ENTRY_QUERY = "select place, seal from entry where game = ? order by place desc limit 1"

COMMENT_BYTES = 6 + 0xFFFF
"""A picture's comment ends within these first bytes."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """The counts of one game up to its last entry, or why it is skipped."""

    last_entry: tuple[object, ...]
    counts: FaceCounts = field(default_factory=Counter)
    trouble: str = ""


class DiceReports:
    """Reports on the dice of the games in `journal`, with the readings stored in the folder `pictures`.

    Any thread may call. A game is read again only when it has another last entry.
    """

    def __init__(self, journal: Path, pictures: Path) -> None:
        self._journal, self._pictures = journal, pictures
        self._lock = threading.Lock()
        self._games = dict[int, CountedGame]()
        self._report = DiceReport([], 0, [], 0, 0)
        self._thread: threading.Thread | None = None

    def dice_report(self) -> DiceReport:
        """Return the report as far as it is known, and have another thread count the games that it lacks.

        Raises StoreError.
        """
        with self._lock:
            if self._thread is None:
                try:
                    with closing(open_read_only(self._journal)) as db:
                        last = _last_entries(db)
                except sqlite3.Error as error:
                    raise StoreError(f"The games cannot be read: {error}.") from error
                if last == {number: one.last_entry for number, one in self._games.items()}:
                    return self._report
                self._report = replace(self._report, done=0, total=max(1, len(last)))
                thread = threading.Thread(target=self._count_in_background, name="dice report", daemon=True)
                thread.start()
                self._thread = thread
            return self._report

    def count_games(self) -> DiceReport:
        """Count the games that are new or have changed, and return the complete report. Raises sqlite3.Error."""
        with closing(open_read_only(self._journal)) as db:
            last = _last_entries(db)
            changed = [
                number
                for number, entry in last.items()
                if number not in self._games or self._games[number].last_entry != entry
            ]
            paths = _reading_paths(self._pictures, changed)
            for number in self._games.keys() - last.keys():
                del self._games[number]
            for done, number in enumerate(changed, len(last) - len(changed)):
                self._report = replace(self._report, done=done, total=len(last))
                self._games[number] = _count_game(db, number, last[number], paths[number])
        return _build_report(self._games)

    def _count_in_background(self) -> None:
        with suppress(OSError, AttributeError):  # only on Linux do threads have their own priority
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), READING_NICENESS)
        found = None
        try:
            found = self.count_games()
        except Exception:  # whatever a damaged file can raise: the next visit tries again
            log.exception("The dice cannot be counted.")
        with self._lock:
            self._report, self._thread = found or self._report, None


def _last_entries(db: sqlite3.Connection) -> dict[int, tuple[object, ...]]:
    """Index and checksum of each game's last entry, () if there is none or it cannot be read."""
    numbers = hash_chain.game_numbers([db])
    return {n: next(iter(hash_chain.readable_rows(db, LAST_ENTRY_QUERY, n)[0]), ()) for n in numbers}


def _reading_paths(folder: Path, games: Sequence[int]) -> Mapping[int, Mapping[int, Path]]:
    """Pictures by game and index of the answer."""
    found: dict[int, dict[int, Path]] = {number: {} for number in games}
    for path in picture_paths(folder):
        name = NAME_PATTERN.fullmatch(path.name)
        if name and name[3] == "jpg" and int(name[1]) in found:
            found[int(name[1])][int(name[2])] = path
    return found


def _read_readings(paths: Mapping[int, Path]) -> dict[int, str]:
    found = {}
    for place, path in paths.items():
        with suppress(OSError), path.open("rb") as file:  # the table may delete it in the meantime
            found[place] = jpeg_comment(file.read(COMMENT_BYTES)) or ""
    return found


def _count_game(
    db: sqlite3.Connection, number: int, last: tuple[object, ...], paths: Mapping[int, Path]
) -> CountedGame:
    with read_transaction(db):  # the game on the table may grow meanwhile
        stored = game_check.check_game(db, number, set())
    if stored is None or stored.chain is None or stored.damage:
        return CountedGame(last, trouble=f"{stored.damage_sentence} {REPAIR_ADVICE}" if stored else "It was deleted.")
    chain = stored.chain
    try:
        table = restore_table(chain.header, chain.decks, (body for body, *_ in chain.rows), chain.snapshot)
        sources = [Source(source) for _, source, *_ in chain.rows]
        return CountedGame(last, count_faces(table, sources, _read_readings(paths)))
    except Exception as error:  # a foreign journal can break anything
        log.info("Game %d cannot be read: %s.", number, type(error).__name__)
        why = unreadable_reason(error, chain.header)
        return CountedGame(last, trouble=f"This game cannot be read under these rules: {why}")


def _build_report(games: Mapping[int, CountedGame]) -> DiceReport:
    by_die: dict[CountedDie, Counter[Face]] = defaultdict(Counter)
    for one in games.values():
        for (die, face), count in one.counts.items():
            by_die[die][face] += count
    skipped = [SkippedGame(number, one.trouble) for number, one in sorted(games.items()) if one.trouble]
    return DiceReport(die_reports(by_die), len(games) - len(skipped), skipped, len(games), len(games))


def die_reports(counts: Mapping[CountedDie, Mapping[Face, int]]) -> list[DieReport]:
    """Test dice together, and describe each of them. Dice with one face only are left out."""
    dice = sorted(
        (die for die in counts if len(set(die.sides)) > 1),
        key=lambda die: (ORIGINS.index(die.origin), die.name, len(die.sides), die.kind, die.color or "", die.sides),
    )
    found = list[tuple[list[int], list[float]]]()
    for die in dice:
        shares = Counter(die.sides)
        found.append(([counts[die].get(face, 0) for face in shares], [n / len(die.sides) for n in shares.values()]))
    adjusted = fairness.holm_adjusted([fairness.die_p_value(*one) for one in found])
    return [_die_report(*one, len(dice)) for one in zip(dice, found, adjusted, strict=True)]


def _die_report(die: CountedDie, found: tuple[list[int], list[float]], p: float, tests: int) -> DieReport:
    counts, shares = found
    rolls, faces = sum(counts), list(dict.fromkeys(die.sides))
    enough = fairness.rolls_for_power(shares, LEVEL / tests)
    finding: Literal["few", "even", "uneven"] = "even"
    sentence = f"In {rolls} rolls, nothing suggests that a face is favored."
    if p <= LEVEL:
        finding, sentence = "uneven", _uneven_sentence(faces, counts, shares)
    elif rolls < enough:
        more = -(-(enough - rolls) // 10) * 10
        finding = "few"
        sentence = f"Too few rolls to say: about {more} more would probably show a face that comes up twice as often."
    listed = [FaceCount(face, n, round(rolls * share, 2)) for face, n, share in zip(faces, counts, shares, strict=True)]
    return DieReport(die.origin, die.kind, die.color, die.sides, _die_title(die), rolls, listed, finding, p, sentence)


def _uneven_sentence(faces: Sequence[Face], counts: Sequence[int], shares: Sequence[float]) -> str:
    """Name the faces that are unusual by themselves, if any."""
    rolls, told = sum(counts), list[str]()
    for place in fairness.unusual_faces(counts, shares, LEVEL):
        expected = rolls * shares[place]
        than = "more" if counts[place] > expected else "less"
        told.append(f"{faces[place]} {than} often ({counts[place]} times, {expected:.0f} expected)")
    found = f"it showed {spoken_list(told)}" if told else "its faces came up less evenly"
    return f"In {rolls} rolls, {found} than chance explains. {RARITY_TEXT}"


def _die_title(die: CountedDie) -> str:
    kind = kind_name(die.kind)
    if die.kind == "pitch":
        kind = f"{kind} with {spoken_list([f'{n} {face}' for face, n in Counter(die.sides).items()])}"
    if die.name:
        return f"{die.name} ({kind})"
    title = f"{die.color} {kind}" if die.color else kind
    return title if title in FACES_BY_KIND else title[0].upper() + title[1:]
