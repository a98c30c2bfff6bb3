"""What one audience may see, as typed data: nothing in it is sealed any more.

Every public shape is here or in `engine.ask_views`. Displays draw from these, pages render them, and `plain` makes the
JSON that programs get; the API's documentation is derived from the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.ask_views import AskView, RerollView, RollView
from engine.box_score import Box
from engine.clock import Half, Outcome
from engine.dice import Face
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.secrets import view


def plain(shape: Any) -> Any:
    """Return a view as plain data, ready for `json.dumps`: dataclasses become objects, tuples lists.

    A sealed value in it becomes "hidden", as a spectator sees it.
    """
    return view(shape, None)


@dataclass(frozen=True, slots=True)
class TableView:
    """The game under way as one audience may see it."""

    seat: Seat | None
    """Whose view it is; None for spectators."""
    version: int
    """How many entries the journal has."""
    asks: Sequence[AskView]
    """The open asks. A seat also sees the options of its own secret ones."""
    given: Mapping[str, Any]
    """The seat's own answers that are not opened yet, by number."""
    ready: Sequence[Seat]
    """The seats that have answered and wait for another to answer too."""
    scoreboard: Scoreboard
    last: str
    """The last play in a sentence or two."""
    outcome: Outcome | None
    box: Mapping[Seat, Box] | None
    """The box score by seat, once an outcome stands."""


@dataclass(frozen=True, slots=True)
class GameName:
    """Which rulebook is on the table."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class PlayView:
    """One line of the play log."""

    n: int
    """The number of the answer that caused it; -1 before the first."""
    code: str
    game: int
    """Counts the games that follow each other in one journal; mostly there is one."""
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
    """Runs it put on the board."""
    evidence: str | None
    """Names the picture of its dice: /evidence/NAME.jpg."""
    corrected: bool
    """True if a person entered other values than were read from that picture."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A roll that was read and does not count yet."""

    n: int
    seat: Seat
    faces: Sequence[Face]
    """As far as they were read, in the order of the ask; may be empty."""
    words: str
    """The faces as a phrase that names dice of several colours: red die 3, white die 5."""
    again: Sequence[int] | None
    """For a reroll, the places of the dice that were thrown again; the others still lie."""
    likely: Sequence[Sequence[Face]]
    """What else each die may show, likeliest first."""
    clear: Sequence[bool]
    """Which dice were read for sure, even where the roll is in doubt."""
    sure: bool
    doubt: str | None
    advice: str | None
    source: str
    seconds: float | None
    """Until it counts; null while it waits for a person."""
    total: float
    """Seconds a sure roll is shown in all."""
    evidence: str | None
    """Names the picture of its dice: /evidence/NAME.jpg."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """Where a seat's buttons point. Of a secret ask the label is "secret", and index and count are null."""

    seat: Seat
    n: int
    label: str
    index: int | None
    count: int | None
    touched: bool


@dataclass(frozen=True, slots=True)
class SecretEntryView(EntryView):
    """A secret entered unseen: which buttons to press, in a few words and in fewer."""

    how: str
    brief: str


@dataclass(frozen=True, slots=True)
class RunnerView:
    """One seat in a race: the faces that win, its die's face once known, and how it stands."""

    wins: Sequence[Face]
    face: Face | None
    state: str
    """"rolling", "ready", "void", "called" or "confirm"."""
    words: str


@dataclass(frozen=True, slots=True)
class ConfirmView:
    """A question to a seat that called: what did its die show?"""

    seat: Seat
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """How a race stands. `n` are the numbers of the asks by seat."""

    n: Mapping[Seat, int]
    seats: Mapping[Seat, RunnerView]
    confirm: ConfirmView | None


@dataclass(frozen=True, slots=True)
class LayoutView:
    """What a camera sees at rest on the printed board, for an ask to arrange."""

    n: int
    seat: Seat
    value: Mapping[str, str]
    """The answer as far as it is certain, area to piece."""
    sure: bool
    """True if the seat may answer just so."""
    words: Sequence[str]
    """The doubts, with what to do."""
    line: str | None
    """The same for a small display; null once the buttons enter something else."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What the dice camera is doing."""

    state: str
    words: str


@dataclass(frozen=True, slots=True)
class View:
    """The whole small view of one audience."""

    game: GameName
    table: TableView
    undone: int
    """How often something was taken back in this game."""
    plays: Sequence[PlayView]
    """The lines of the half-inning under way."""
    proposal: ProposalView | None
    dial: EntryView | None
    """Where the buttons point."""
    race: RaceView | None
    layout: LayoutView | None
    version: int
    """Rises with every change of anything shown."""
    watching: Watching
    missing: Sequence[str]
    """What is not there, in sentences."""
    notice: str | None
    """A sentence for a moment."""


@dataclass(frozen=True, slots=True)
class StandingRoll(RollView):
    """A roll that stands and may be corrected."""

    value: Sequence[Face]
    evidence: str | None
    """Names the picture of its dice: /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """What else each die may have shown, likeliest first."""
    after: int
    """How many answers of people stand after it."""


@dataclass(frozen=True, slots=True)
class StandingReroll(RerollView):
    """A reroll that stands and may be corrected; `value` is None for each die that was left lying."""

    value: Sequence[Face | None]
    evidence: str | None
    """Names the picture of its dice: /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """What else each die may have shown, likeliest first."""
    after: int
    """How many answers of people stand after it."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What a person answered, and stands."""

    n: int
    seat: Seat
    sentence: str
    """What was asked."""
    words: str | None
    """What was answered; null until the rulebook opens it."""


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """What taking back would change."""

    version: int
    """The table's version that this is about."""
    dropped: Sequence[int]
    """The answers that would go; those opened together go together."""
    given: int
    """How many of them people gave; chance and the computer gave the others."""
    games: int
    """How many whole games would go with them."""
    before: Scoreboard
    after: Scoreboard


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """What a correction would change."""

    version: int
    """The table's version that this is about."""
    kept: Sequence[int]
    dropped: Sequence[int]
    games: int
    """How many whole games would go with the dropped answers."""
    before: Scoreboard
    after: Scoreboard
    sentences: Sequence[str]
