"""Evidence of a roll that a camera saw, once it counts: its picture, other readings of it, and a training sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from device.storage.roll_pictures import RollPictures
from device.table import play_log
from device.table.proposed_roll import Guess, ProposedRoll
from engine.asks import Reroll
from engine.dice import Face
from engine.journal import Amend, Answer, Entry, Undo
from engine.table import Table


class Learner(Protocol):
    """What learns from the rolls that counted, such as `device.inputs.roll_samples.RollSamples`."""

    def hear(self, game: int, place: int, values: Any, seen: Any = None) -> None:
        """Take the values of the roll at `place` in a journal, None if it was taken back, and how it was seen."""


class RollEvidence:
    """The evidence for the rolls of all games. A place is that of an answer in its game's journal. Not thread-safe.

    Without `evidence` no pictures are stored; without `lessons` nothing is learned. `guesses` are what the camera knew
    about the rolls of the current game, by place. They serve corrections soon after the roll and are not stored; nor is
    `typed`, the places of rolls that a person entered differently from the reading.
    """

    def __init__(self, evidence: RollPictures | None, lessons: Learner | None) -> None:
        self._evidence, self._lessons = evidence, lessons
        self.guesses: dict[int, tuple[Guess, ...]] = {}
        self.typed: set[int] = set()

    def keep(self, game: int, table: Table, entry: Entry, shown: ProposedRoll | None, source: str) -> None:
        """Store the evidence for `entry`, the last entry in the journal of `table`; `shown` is the roll that was
        proposed then.
        """
        place = len(table.journal) - 1
        if isinstance(entry, Answer):
            if shown is not None and shown.n == entry.n:
                self._counted(game, place, table, entry, shown, source)
        elif self._lessons is not None:
            for n, given in play_log.places(table).items():
                if isinstance(entry, Undo) and n >= entry.n:
                    self._lessons.hear(game, given, None)
                elif isinstance(entry, Amend) and n == entry.n:
                    self._lessons.hear(game, given, _faces(table, n))

    def _counted(self, game: int, place: int, table: Table, entry: Answer, shown: ProposedRoll, source: str) -> None:
        self.guesses[place] = shown.guesses
        if tuple(entry.value)[: len(shown.faces)] != shown.value:
            self.typed.add(place)
        if self._evidence is not None and shown.picture:
            self._evidence.keep(game, place, shown.picture)
        if self._lessons is not None and shown.glimpse is not None and source != "bot":
            self._lessons.hear(game, place, _faces(table, entry.n), shown.glimpse)

    def forget(self) -> None:
        """Forget the guesses and typed rolls: another game is on the table."""
        self.guesses.clear()
        self.typed.clear()

    def names(self, game: int, table: Table, n: int = 0) -> play_log.Pictures:
        """Return the picture names of the current answers from number `n` on, by answer number."""
        return play_log.pictures(table, game, self._evidence.has, n) if self._evidence else {}

    def coming(self, game: int, table: Table, shown: ProposedRoll) -> str | None:
        """Return the name that the picture of the proposed roll will have once it counts; None if it has no picture."""
        return f"{game}-{len(table.journal)}" if self._evidence and shown.picture else None

    def find(self, name: str) -> bytes | None:
        """Return the picture of that name, a JPEG; None if it never existed or was deleted."""
        game, _, place = name.partition("-")
        if self._evidence is None or not (game.isdecimal() and place.isdecimal()):
            return None
        return self._evidence.find(int(game), int(place))


def _faces(table: Table, n: int) -> Sequence[Face]:
    """Return what all the dice showed for answer `n`, which must be current."""
    one = next(one for one in table.answers if one.n == n)
    faces: Sequence[Face] = one.ask.after(one.value) if isinstance(one.ask, Reroll) else one.value
    return faces
