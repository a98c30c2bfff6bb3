"""The play log of a game, its current rolls with their evidence, its answers, and previews of corrections."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from device.shapes import MAX_LIST_LENGTH
from device.storage.roll_pictures import RollPictures
from device.table import automatic_draws
from device.table.entry.answer_entry import dice_text
from device.table.proposed_roll import ProposedRoll
from device.table.throw_match import DieGuess, other_faces
from engine.ask_views import RerollView, RollView
from engine.asks import Arrange, Call, DiceAsk, Reroll, Roll, Secret
from engine.dice import Face
from engine.errors import EngineError
from engine.innings import Half
from engine.journal import Answer, Correction, JournalEntry, Source, Undo
from engine.scoreboard import PlayLogLine, redacted_scoreboard
from engine.secrets import redacted_data
from engine.table import CurrentAnswer, Table
from engine.text.numbers import parse_whole_number
from engine.views import (
    AnswerView,
    CorrectionPreview,
    CurrentReroll,
    CurrentRoll,
    LaterHalfInning,
    PlayView,
    UndoPreview,
)

PictureNames = Mapping[int, str]
"""Names of camera pictures, by answer number."""


def answer_entry_indexes(table: Table, before: int) -> dict[int, int]:
    """Journal index of each answer's last entry before index `before`, by answer number."""
    return {entry.n: place for place, entry in enumerate(table.journal[:before]) if isinstance(entry, Answer)}


def answers_since(table: Table, n: int) -> list[CurrentAnswer]:
    return table.answers[bisect_left(table.answers, n, key=_answer_number) :]


def _answer_number(one: CurrentAnswer) -> int:
    return one.n


def original_entry_index(table: Table, one: CurrentAnswer) -> int:
    """Journal index of a current answer's first entry, before any correction."""
    entries = ((place, table.journal[place]) for place in range(one.entry, -1, -1))
    return next(place for place, entry in entries if isinstance(entry, Answer) and entry.n == one.n)


def picture_names(table: Table, game: int, has: Callable[[int, int], bool], n: int = 0) -> dict[int, str]:
    """Names of the pictures of the current answers, by answer number from `n` on. `has` is given a game and a journal
    index, and returns True if there is a picture."""
    return {
        one.n: f"{game}-{place}"
        for one in answers_since(table, n)
        if has(game, place := original_entry_index(table, one))
    }


def corrected_numbers(table: Table, typed: Collection[int] = (), n: int = 0) -> set[int]:
    """Numbers of the answers from `n` that were corrected or typed. `typed` are journal indexes."""
    return {
        one.n
        for one in answers_since(table, n)
        if (place := original_entry_index(table, one)) in typed or _is_corrected(table, one, place)
    }


def _is_corrected(table: Table, one: CurrentAnswer, place: int) -> bool:
    entry = table.journal[place]
    return isinstance(one.ask, DiceAsk) and isinstance(entry, Answer) and tuple(entry.value) != one.value


def play_views(
    table: Table,
    pictures: PictureNames,
    typed: Collection[int] = (),
    start: int = 0,
    end: int | None = None,
    clips: Collection[str] = (),
    sources: Sequence[Source] = (),
) -> list[PlayView]:
    """Views of the play log from event `start` to before `end` (None: all), oldest first.

    pictures: picture names by answer number.
    typed: journal indexes of answers that a person entered differently from the reading.
    clips: picture names that have a clip.
    sources: sources of the journal's entries, to mark what the table rolled for a computer.

    A line has the picture of its answer as `evidence`, and is marked as corrected if the answer differs from the
    reading. A moment without its own throw has the picture of the last throw before it.
    """
    found = table.play_log_lines(start, end)
    first = found[0].n if found else 0
    righted = corrected_numbers(table, typed, first)
    rolled = [one for one in answers_since(table, first) if isinstance(one.ask, DiceAsk | Call)]
    throws = [one.n for one in rolled]
    thrown, by_table = set(throws), {one.n for one in rolled if is_rolled_by_table(one, sources)}

    def deciding_throw(line: PlayLogLine) -> int:
        """Number of the throw that decided a line. A walk may be intentional, so it has only its own answer."""
        before = bisect_left(throws, line.n)
        if before == 0 or line.n in thrown or line.moment in (None, "half-inning", "walk"):
            return line.n
        return throws[before - 1]

    return [
        PlayView(
            line.n,
            line.code,
            line.game,
            line.inning,
            line.half,
            line.seat,
            line.sentence,
            line.scored,
            picture := pictures.get(of := deciding_throw(line)),
            picture is not None and of in righted,
            line.moment,
            line.n in thrown,
            picture in clips,
            line.n in by_table,
        )
        for line in found
    ]


class AnswerResults:
    """Half-inning and result of each answer of a table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._numbers = [logged.n for logged in table.log]

    def line_of_answer(self, n: int) -> PlayLogLine | None:
        """First line of the play log caused by answer `n`, else the last line before it, or None."""
        place = bisect_left(self._numbers, n)
        if place == len(self._numbers) or self._numbers[place] != n:
            place = max(0, place - 1)
        return next(iter(self._table.play_log_lines(place, place + 1)), None)

    def half_and_result(self, n: int) -> tuple[int, Half, str]:
        """Inning, half, and result in sentences of answer `n`. The result is "" if it came later."""
        start, end = bisect_left(self._numbers, n), bisect_left(self._numbers, n + 1)
        lines = self._table.play_log_lines(start, end)
        line = lines[0] if lines else self.line_of_answer(n)
        told = (one.sentence for one in lines if one.code != "half-inning")
        return (line.inning, line.half, " ".join(told)) if line else (1, "top", "")


def is_rolled_by_table(one: CurrentAnswer, sources: Sequence[Source]) -> bool:
    """True if the table rolled these dice for a computer. `sources` are those of the journal's entries, if known."""
    return isinstance(one.ask, DiceAsk) and bool(sources) and sources[one.entry] is Source.MANAGER


def current_rolls(
    table: Table,
    pictures: PictureNames,
    guesses: Mapping[int, tuple[DieGuess, ...]] | None = None,
    sources: Sequence[Source] = (),
    most: int = MAX_LIST_LENGTH,
    before: int | None = None,
) -> list[CurrentRoll | CurrentReroll]:
    """At most `most` current rolls, newest first, without those that the table made. If `before` is a number, only
    those of earlier answers.

    `guesses` has the camera's guesses by journal index. `sources` as in `automatic_draws.is_from_person`.
    """
    found: list[CurrentRoll | CurrentReroll] = []
    after, halves = 0, AnswerResults(table)
    for one in reversed(table.answers):
        if len(found) == most:
            break
        listed = isinstance(one.ask, DiceAsk) and not is_rolled_by_table(one, sources)
        if isinstance(one.ask, DiceAsk) and listed and (before is None or one.n < before):
            faces = one.ask.faces_after(one.value) if isinstance(one.ask, Reroll) else one.value
            likely = other_faces(one.ask.dice, faces, (guesses or {}).get(one.entry, ()))
            ask, more = (
                table.ask_view(one.n, one.ask, None),
                (one.value, pictures.get(one.n), likely, after, *halves.half_and_result(one.n)),
            )
            about = (ask.n, ask.seat, ask.kind, ask.secret, ask.race, ask.why, ask.title, ask.sentence)
            if isinstance(ask, RerollView):
                found.append(CurrentReroll(*about, ask.dice, ask.faces, ask.free, ask.most, *more))
            elif isinstance(ask, RollView):
                found.append(CurrentRoll(*about, ask.dice, *more))
        after += automatic_draws.is_from_person(one, sources)
    return found


def current_answers(
    table: Table, sources: Sequence[Source] = (), most: int = MAX_LIST_LENGTH, before: int | None = None
) -> list[AnswerView]:
    """The current answers that people gave, newest first. Hidden answers have no words.

    `sources` as in `automatic_draws.is_from_person`, `most` and `before` as in `current_rolls`.
    """
    hidden = table.hidden_numbers()
    older = table.answers if before is None else table.answers[: bisect_left(table.answers, before, key=_answer_number)]
    given = (one for one in reversed(older) if automatic_draws.is_from_person(one, sources))
    return [
        AnswerView(
            one.n,
            one.ask.seat,
            table.ask_view(one.n, one.ask, None).sentence,
            None if one.n in hidden else answer_text(table, one),
            "a secret" if one.n in hidden else short_answer_text(table, one),
        )
        for one in islice(given, most)
    ]


def answer_text(table: Table, one: CurrentAnswer) -> str:
    """Format an answer. Not checked: whether everybody may see it."""
    ask = one.ask.ask if isinstance(one.ask, Secret) else one.ask
    if isinstance(ask, Roll):
        return dice_text(ask.dice, one.value)
    if isinstance(ask, Reroll):
        again = [(old, new) for old, new in zip(ask.faces, one.value, strict=True) if new is not None]
        old, new = (", ".join(map(str, faces)) for faces in zip(*again, strict=True))
        return f"{old} rerolled: {new}"
    if isinstance(ask, Call):
        return str(one.value)
    facts = redacted_data(ask.facts, None)
    label = table.game.words.option_label
    if isinstance(ask, Arrange):
        return ", ".join(f"{label(place, facts)}: {label(piece, facts)}" for place, piece in one.value.items())
    return label(one.value, facts)


def undo_notice_text(
    table: Table, fell: Sequence[CurrentAnswer], hidden: Collection[int], sources: Sequence[Source] = ()
) -> str:
    """Format the notice that the answers in `fell`, oldest first, were undone.

    It has a person's first answer, unless that is `hidden`, and the count of the others. `sources` as in
    `current_rolls`.
    """
    first, *more = [one for one in fell if automatic_draws.is_from_person(one, sources)] or fell
    what = "a secret" if first.n in hidden else short_answer_text(table, first)
    also = f", and {len(more)} more {'answer' if len(more) == 1 else 'answers'}" if more else ""
    return f"Taken back: {what}{also}."


def short_answer_text(table: Table, one: CurrentAnswer) -> str:
    """Format an answer in a few words, such as "the roll 2". Not checked: whether everybody may see it."""
    ask = one.ask.ask if isinstance(one.ask, Secret) else one.ask
    if isinstance(ask, Arrange):
        return "the layout"
    return f"the roll {answer_text(table, one)}" if isinstance(ask, Roll) else answer_text(table, one)


def undo_preview(table: Table, n: int, sources: Sequence[Source] = ()) -> UndoPreview:
    """Preview the undo of answer `n` and all after it. Raises StaleAnswer. `sources` as in `undo_notice_text`."""
    twin = table.clone()
    twin.undo(n)
    kept = {one.n for one in twin.answers}
    return UndoPreview(
        version=len(table.journal),
        dropped=[one.n for one in table.answers if one.n not in kept],
        given=sum(one.n not in kept and automatic_draws.is_from_person(one, sources) for one in table.answers),
        games=_removed_game_count(table, max(kept, default=-1)),
        before=redacted_scoreboard(table.scoreboard(), None),
        after=redacted_scoreboard(twin.scoreboard(), None),
    )


def correction_preview(table: Table, n: int, value: Any) -> CorrectionPreview:
    """Preview the correction of answer `n`. Raises as `Table.preview_correction` does."""
    found = table.preview_correction(n, value)
    return CorrectionPreview(
        version=len(table.journal),
        kept=found.kept,
        dropped=found.dropped,
        games=_removed_game_count(table, max(found.kept, default=n)) if found.dropped else 0,
        before=redacted_scoreboard(found.before, None),
        after=redacted_scoreboard(found.after, None),
        sentences=[table.game.words.event_sentence(logged.event) for logged in found.events],
        halves=_later_halves(table, found.kept, found.dropped),
    )


def _later_halves(table: Table, kept: Sequence[int], dropped: Sequence[int]) -> list[LaterHalfInning]:
    """Half-innings of these later answers, oldest first, each with the counts of kept and dropped answers."""
    halves, stays = AnswerResults(table), frozenset(kept)
    counts: dict[tuple[int, int, Half], Counter[bool]] = {}
    for n in sorted((*kept, *dropped)):
        if line := halves.line_of_answer(n):
            counts.setdefault((line.game, line.inning, line.half), Counter())[n in stays] += 1
    return [LaterHalfInning(*place, count[True], count[False]) for place, count in counts.items()]


def predicted_result(table: Table, n: int, value: Any) -> str:
    """Predict the result of answering ask `n` with `value`, in sentences. "" if it cannot be predicted.

    The sentence that opens a half-inning is left out, because it says nothing about the roll.
    """
    try:
        news = table.preview_answer(n, value)
    except EngineError:
        return ""
    return " ".join(table.game.words.event_sentence(one.event) for one in news if one.event.code != "half-inning")


def _removed_game_count(table: Table, last: int) -> int:
    """Count the games that disappear when the answers after number `last` are removed."""
    newest = table.answers[-1].n
    return sum(last <= table.log[place].n < newest for place in table.log.read_new_events().games)


class RollLearner(Protocol):
    """A learner from stored rolls, such as `device.inputs.corrections.LearnedCorrections`."""

    def record_roll(self, game: int, place: int, values: Any, seen: Any = None) -> None:
        """Record a roll at journal index `place`. `values` is None if it was undone, `seen` what the camera saw."""


class RollEvidence:
    """Evidence for the rolls of all games. `place` is an answer's index in its journal. Not thread-safe.

    Without `evidence` no pictures are stored, without `lessons` nothing is learned. `guesses` has the camera's guesses
    for the current game, `typed` the places of rolls that a person entered differently from the reading. Both serve
    corrections soon after the roll and are not stored.
    """

    def __init__(self, evidence: RollPictures | None, lessons: RollLearner | None) -> None:
        self._evidence, self._lessons = evidence, lessons
        self.guesses: dict[int, tuple[DieGuess, ...]] = {}
        self.typed: set[int] = set()

    def store_evidence(
        self, game: int, table: Table, place: int, entry: JournalEntry, shown: ProposedRoll | None, source: Source
    ) -> None:
        """Store the evidence for `entry` at `place`. `shown` is the roll that was proposed at that time."""
        if isinstance(entry, Answer):
            if shown is not None and shown.n == entry.n:
                self._store_roll(game, place, table, entry, shown, source)
        elif self._lessons is not None:
            for n, given in answer_entry_indexes(table, place).items():
                if isinstance(entry, Undo) and n >= entry.n:
                    self._lessons.record_roll(game, given, None)
                elif isinstance(entry, Correction) and n == entry.n:
                    self._lessons.record_roll(game, given, _rolled_faces(table, n))

    def _store_roll(
        self, game: int, place: int, table: Table, entry: Answer, shown: ProposedRoll, source: Source
    ) -> None:
        self.guesses[place] = shown.fit.guesses
        if tuple(entry.value)[: len(shown.fit.faces)] != shown.answer_value:
            self.typed.add(place)
        if self._evidence is not None and shown.seen.picture:
            self._evidence.store_picture(game, place, shown.seen.picture, shown.seen.clip)
        if self._lessons is not None and shown.seen.glimpse is not None and source.is_person:
            self._lessons.record_roll(game, place, _rolled_faces(table, entry.n), shown.seen.glimpse)

    def clear_guesses(self) -> None:
        self.guesses.clear()
        self.typed.clear()

    def picture_names(self, game: int, table: Table, n: int = 0) -> PictureNames:
        return picture_names(table, game, self._evidence.has_picture, n) if self._evidence else {}

    def next_picture_name(self, game: int, table: Table, shown: ProposedRoll) -> str | None:
        """Future name of the proposed roll's picture, None if it has no picture."""
        return f"{game}-{len(table.journal)}" if self._evidence and shown.seen.picture else None

    def names_with_clip(self, names: PictureNames) -> set[str]:
        return {name for name in names.values() if self._has_clip(name)}

    def _has_clip(self, name: str) -> bool:
        key = _parse_picture_name(name)
        return self._evidence is not None and key is not None and self._evidence.has_clip(*key)

    def find_picture(self, name: str) -> bytes | None:
        """The JPEG with this name. None if it never existed or was deleted."""
        key = _parse_picture_name(name)
        return None if self._evidence is None or key is None else self._evidence.find_picture(*key)

    def find_clip(self, name: str) -> bytes | None:
        """The clip that belongs to this picture, an animated WebP. None as for `find_picture`."""
        key = _parse_picture_name(name)
        return None if self._evidence is None or key is None else self._evidence.find_clip(*key)


def _parse_picture_name(name: str) -> tuple[int, int] | None:
    game, place = (parse_whole_number(part, 10**9) for part in name.partition("-")[::2])
    return None if game is None or place is None else (game, place)


def _rolled_faces(table: Table, n: int) -> Sequence[Face]:
    one = next(one for one in table.answers if one.n == n)
    faces: Sequence[Face] = one.ask.faces_after(one.value) if isinstance(one.ask, Reroll) else one.value
    return faces
