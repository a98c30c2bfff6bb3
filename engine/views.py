"""What one audience may see, as typed data without sealed values.

Every public shape is here or in `engine.ask_views`. Displays draw from these, pages render them, and `json_data` makes
the JSON for programs; the API's documentation is derived from the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.ask_views import AnyAskView, RerollView, RollView
from engine.box_score import SideBoxScore, Star
from engine.dice import Face
from engine.events import Moment
from engine.innings import Half, Outcome
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.secrets import redacted_data


def json_data(shape: Any) -> Any:
    """Return a view as plain data, ready for `json.dumps`: dataclasses become objects, tuples lists.

    A sealed value in it becomes "hidden", as a spectator sees it.
    """
    return redacted_data(shape, None)


@dataclass(frozen=True, slots=True)
class TableView:
    """The game under way as one audience may see it."""

    seat: Seat | None
    """The seat that sees this view; None for spectators."""
    version: int
    """The number of journal entries."""
    asks: Sequence[AnyAskView]
    """The open asks. A seat also sees the options of its own secret asks."""
    given: Mapping[str, Any]
    """The seat's own answers that are still sealed, by number."""
    ready: Sequence[Seat]
    """The seats that have answered and wait for another seat."""
    scoreboard: Scoreboard
    last: str
    """The last play in a sentence or two."""
    outcome: Outcome | None
    box: Mapping[Seat, SideBoxScore] | None
    """The box score by seat, once the game is over."""
    star: Star | None = None
    """The star of the game, once it is over and if it had one."""


@dataclass(frozen=True, slots=True)
class GameName:
    """The key and title of the rulebook."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class PlayView:
    """One line of the play log."""

    n: int
    """The number of the answer that caused it; -1 before the first."""
    code: str
    game: int
    """The number of the game, if several follow each other in one journal; usually there is one."""
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
    """Runs that this play put on the board."""
    evidence: str | None
    """The name of the picture of the dice that decided it: /evidence/NAME.jpg."""
    corrected: bool
    """True if a person entered values other than those read from that picture."""
    moment: Moment | None = None
    """What it means for the game: "home-run", "lead", "strikeout" ...; null for everything else."""
    thrown: bool = False
    """True if that answer was a throw of dice."""
    clip: bool = False
    """True if there is a clip of the throw: /evidence/NAME.webp, with the name of the picture."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A roll that was read but does not count yet."""

    n: int
    seat: Seat
    faces: Sequence[Face]
    """The faces read so far, in the order of the ask; may be empty."""
    words: str
    """The faces as a phrase that names dice of several colors: red die 3, white die 5."""
    again: Sequence[int] | None
    """In a reroll, the places of the dice that were thrown again; the others have not moved."""
    likely: Sequence[Sequence[Face]]
    """The other values each die may show, likeliest first."""
    clear: Sequence[bool]
    """True for each die that was read with certainty, even where the roll is in doubt."""
    sure: bool
    doubt: str | None
    advice: str | None
    """What to do about the doubt; null once the dice have been picked up."""
    source: str
    seconds: float | None
    """Seconds until it counts; null while it waits for a person."""
    total: float
    """Seconds for which a certain roll is shown in all."""
    evidence: str | None
    """The name of the picture of the dice: /evidence/NAME.jpg."""
    outcome: str = ""
    """What the roll would do, in sentences; "" if nobody can know it yet, or if it would show anything hidden."""


@dataclass(frozen=True, slots=True)
class ButtonEntryView:
    """The cursor of a seat's buttons. For a secret ask the label is "secret", and index and count are null."""

    seat: Seat
    n: int
    label: str
    index: int | None
    count: int | None
    touched: bool


@dataclass(frozen=True, slots=True)
class SecretButtonEntryView(ButtonEntryView):
    """A secret entry that no display shows: which buttons to press, in a few words and in fewer."""

    how: str
    brief: str


@dataclass(frozen=True, slots=True)
class RaceSeatView:
    """One seat in a race: the winning faces, the face of its die once known, and its state."""

    wins: Sequence[Face]
    face: Face | None
    state: str
    """"rolling", "ready", "void", "called" or "confirm"."""
    words: str


@dataclass(frozen=True, slots=True)
class DieConfirmationView:
    """A question to a seat that called: what did its die show?"""

    seat: Seat
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """The state of a race. `n` are the numbers of the asks by seat."""

    n: Mapping[Seat, int]
    seats: Mapping[Seat, RaceSeatView]
    confirm: DieConfirmationView | None


@dataclass(frozen=True, slots=True)
class LayoutView:
    """The layout that a camera sees at rest on the printed board, for an ask to arrange."""

    n: int
    seat: Seat
    value: Mapping[str, str]
    """The answer as far as it is certain, area to piece."""
    sure: bool
    """True if the seat may give exactly this answer."""
    words: Sequence[str]
    """The doubts, with what to do."""
    line: str | None
    """The same for a small display; null once the buttons enter something else."""


@dataclass(frozen=True, slots=True)
class CameraActivity:
    """What the dice camera is doing."""

    state: str
    words: str


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic on which a seat may have the table answer for it: "Strategy cards", "no cards"."""

    key: str
    title: str
    means: str
    """What the table answers when the seat is not asked."""
    when: str
    """When the seat is asked: "always", "runners" (with runners on), "seventh" (from the 7th inning) or "never"."""


@dataclass(frozen=True, slots=True)
class SeatSettingsView:
    """What one seat is asked."""

    topics: Sequence[TopicView]
    waiting: bool
    """True from its "Wait" until the next throw: it is asked everything."""


@dataclass(frozen=True, slots=True)
class AutomaticAnswerView:
    """What the table answered for a seat by itself."""

    n: int
    seat: Seat
    words: str
    """The answer in a few words: "no cards"."""


@dataclass(frozen=True, slots=True)
class ManagerView:
    """The computer that manages a seat."""

    strength: str
    """"rookie", "regular" or "all-star"."""
    reason: str
    """Why it answered as it did last, in one sentence; "" if there is nothing to say, or not yet."""
    again: Sequence[int] | None
    """In a reroll of this seat: the places of the dice that people throw again for it; null while it thinks."""


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    """What an announcer says after one answer, as spectators may hear it."""

    id: str
    """Always names the same call. A call that the list has lost is old, or was taken back."""
    n: int
    """The number of the answer."""
    text: str
    marks: Sequence[str]
    """What it is about: "hit", "runs" (also those at stake), "half", "final" or "back" (taken back or corrected)."""
    now: str
    """The whole situation after it."""


@dataclass(frozen=True, slots=True)
class AudienceView:
    """Everything one audience sees of the game under way."""

    game: GameName
    table: TableView
    undone: int
    """How many times something was taken back in this game."""
    plays: Sequence[PlayView]
    """The plays of the current half-inning."""
    proposal: ProposalView | None
    dial: SecretButtonEntryView | ButtonEntryView | None
    """The cursor of the buttons."""
    race: RaceView | None
    layout: LayoutView | None
    version: int
    """Rises with every change of anything shown."""
    watching: CameraActivity
    missing: Sequence[str]
    """The missing parts, in sentences."""
    notice: str | None
    """Sentences to show for a moment: all `warnings`, then an ordinary notice."""
    standing: Mapping[Seat, SeatSettingsView] = field(default_factory=dict)
    """What each seat of the table is asked."""
    automatic: Sequence[AutomaticAnswerView] = ()
    """What the table answered by itself since the last throw or answer of a person; secrets only for their seat."""
    waits: Sequence[Seat] = ()
    """The seats for which "Wait" would reopen something now."""
    before: Sequence[PlayView] = ()
    """The last plays of the half-inning before: what came of its last answer, and of those just before that."""
    number: int = 0
    """The number of the game: /games/NUMBER; 0 if it has none."""
    calls: Sequence[AnnouncementView] = ()
    """What the announcer said of the newest answers, oldest first; the same for all audiences."""
    managers: Mapping[Seat, ManagerView] = field(default_factory=dict)
    """The seats that a computer manages. People throw their dice."""
    manageable: bool = False
    """True if a computer may manage a seat of this game."""
    pace: str = ""
    """How soon the managers answer: "normal", "brisk" or "instant"."""
    coached: Sequence[Seat] = ()
    """The seats that may ask the coach now."""
    coaching: Sequence[Seat] = ()
    """The seats that allow asking the coach; between two people both must."""
    correction: CorrectionView | None = None
    """The correction of the last roll that a seat proposes; the same for all audiences."""
    warnings: Sequence[str] = ()
    """What somebody must notice, such as that a seat was taken; the newest first."""


@dataclass(frozen=True, slots=True)
class OutcomeChanceView:
    """What a roll may bring: an outcome in a sentence, and its share of all ways the dice may fall, from 0 to 1."""

    sentence: str
    share: float
    faces: Sequence[Face]
    """The faces that bring it, if the roll has one die; else empty."""


@dataclass(frozen=True, slots=True)
class CurrentRoll(RollView):
    """A current roll, which may be corrected."""

    value: Sequence[Face]
    evidence: str | None
    """The name of the picture of the dice: /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """The other values each die may have shown, likeliest first."""
    after: int
    """How many later answers people gave."""
    inning: int
    half: Half
    told: str
    """What came of it, in sentences; empty if that was decided only later."""


@dataclass(frozen=True, slots=True)
class CurrentReroll(RerollView):
    """A current reroll, which may be corrected; `value` is None for each die that was not thrown again."""

    value: Sequence[Face | None]
    evidence: str | None
    """The name of the picture of the dice: /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """The other values each die may have shown, likeliest first."""
    after: int
    """How many later answers people gave."""
    inning: int
    half: Half
    told: str
    """What came of it, in sentences; empty if that was decided only later."""


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction of the last roll that a seat proposes. It counts once the other side agrees."""

    n: int
    seat: Seat
    """The seat that proposes it."""
    agrees: Seat
    """The seat that must agree; the same seat if one person plays alone."""
    empty: bool
    """True if no phone held that seat when this was proposed: the operator may agree for it."""
    version: int
    """The version of the table that this is for; with any other it is gone."""
    roll: CurrentRoll | CurrentReroll
    """The roll as it counts."""
    value: Sequence[Face | None]
    """What its value would be."""
    words: str
    """That value in words."""
    stands: str
    """The value that counts, in words."""
    sentence: str
    """Who proposes what, and who must agree."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A current answer that a person gave."""

    n: int
    seat: Seat
    sentence: str
    """The question."""
    words: str | None
    """The answer; null until the rulebook opens it."""
    what: str
    """The answer in a few words, for "Undo": the roll 2, a secret."""


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """The effect of taking answers back."""

    version: int
    """The version of the table that this preview is for."""
    dropped: Sequence[int]
    """The answers that would be removed; answers revealed together are removed together."""
    given: int
    """How many of them people gave; the house gave the others."""
    games: int
    """How many whole games would be removed with them."""
    before: Scoreboard
    after: Scoreboard


@dataclass(frozen=True, slots=True)
class LaterHalfInning:
    """A half-inning from a corrected roll on: how many later answers in it stay as given, and how many do not fit."""

    game: int
    inning: int
    half: Half
    kept: int
    dropped: int


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """The effect of a correction."""

    version: int
    """The version of the table that this preview is for."""
    kept: Sequence[int]
    dropped: Sequence[int]
    games: int
    """How many whole games would be removed with the dropped answers."""
    before: Scoreboard
    after: Scoreboard
    sentences: Sequence[str]
    halves: Sequence[LaterHalfInning] = ()
    """The half-innings as they were played, oldest first."""
