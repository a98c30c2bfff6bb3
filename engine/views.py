"""The views of one audience, as typed data without sealed values.

Every public shape is here or in `engine.ask_views`. Displays draw them, pages render them, and `json_data` makes the
JSON for programs. The API's documentation is derived from the same classes.
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
from engine.story_views import GameStory, WinSwing


def json_data(shape: Any) -> Any:
    """Return a view as data for `json.dumps`. A sealed value becomes "hidden", as for a spectator."""
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
    """The seat's own sealed answers, by number."""
    ready: Sequence[Seat]
    """The seats that have answered and are waiting for another seat."""
    scoreboard: Scoreboard
    last: str
    """The last play in a sentence or two."""
    outcome: Outcome | None
    box: Mapping[Seat, SideBoxScore] | None
    """The box score by seat, once the game is over."""
    star: Star | None = None
    """The star of the game, after its end and if it had one."""


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
    """The number of the game in its journal, from 1. Usually there is only one."""
    inning: int
    half: Half
    seat: Seat | None
    sentence: str
    scored: int
    """Runs that this play put on the board."""
    evidence: str | None
    """The name of the picture of the dice that decided it, at /evidence/NAME.jpg."""
    corrected: bool
    """True if a person entered values other than those read from that picture."""
    moment: Moment | None = None
    """The kind of moment in the game, such as "home-run", "lead" or "strikeout"; null if it is none."""
    thrown: bool = False
    """True if that answer was a throw of dice."""
    clip: bool = False
    """True if there is a clip of the throw at /evidence/NAME.webp, where NAME is that of the picture."""
    by_table: bool = False
    """True if the table rolled those dice for a computer manager."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A roll that was read but does not count yet."""

    n: int
    seat: Seat
    faces: Sequence[Face]
    """The faces read so far, in the order of the ask; may be empty."""
    words: str
    """The faces as a phrase that names dice of several colors, such as "red die 3, white die 5"."""
    again: Sequence[int] | None
    """In a reroll, the indexes of the dice that were rerolled. The others have not moved."""
    likely: Sequence[Sequence[Face]]
    """The other values that each die may show, likeliest first."""
    clear: Sequence[bool]
    """True for each die that was read with certainty, even where the roll is in doubt."""
    sure: bool
    doubt: str | None
    advice: str | None
    """What to do about the doubt, why the countdown stopped, or what a die became; else null."""
    source: str
    """"camera", "photo" if a phone sent a picture, or "manager" if the table rolled for a computer manager. Nobody can
    change what the table rolled."""
    seconds: float | None
    """Seconds until it counts; null while it waits for a person."""
    total: float
    """How long a certain roll is shown, in seconds."""
    evidence: str | None
    """The name of the picture of the dice, at /evidence/NAME.jpg."""
    outcome: str = ""
    """The effect of the roll in sentences; "" if it is not known yet or would show anything hidden."""


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
    """A secret entry that no display shows."""

    how: str
    """Which buttons to press, in a few words."""
    brief: str
    """The same in fewer words."""


@dataclass(frozen=True, slots=True)
class RaceSeatView:
    """One seat in a race."""

    wins: Sequence[Face]
    face: Face | None
    """The face of its die; null until it is known."""
    state: str
    """"rolling", "ready", "void", "called" or "confirm"."""
    words: str


@dataclass(frozen=True, slots=True)
class DieConfirmationView:
    """A question to a seat that called, about the face of its die."""

    seat: Seat
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RaceView:
    """The state of a race."""

    n: Mapping[Seat, int]
    """The number of the ask of each seat."""
    seats: Mapping[Seat, RaceSeatView]
    confirm: DieConfirmationView | None


@dataclass(frozen=True, slots=True)
class LayoutView:
    """The pieces at rest on the printed board, as a camera sees them, for an ask to arrange."""

    n: int
    seat: Seat
    value: Mapping[str, str]
    """The certain part of the answer, an object from area to piece."""
    sure: bool
    """True if the seat may give exactly this answer."""
    words: Sequence[str]
    """The doubts, with what to do about them."""
    line: str | None
    """The same for a small display; null if the buttons enter something else."""


@dataclass(frozen=True, slots=True)
class CameraActivity:
    """The state of the dice camera."""

    state: str
    words: str


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic on which the table may answer for a seat, such as "Strategy cards"."""

    key: str
    title: str
    means: str
    """The automatic answer in a few words, such as "no cards"."""
    when: str
    """When the seat is asked: "always", "runners" (with runners on), "seventh" (from the 7th inning) or "never"."""


@dataclass(frozen=True, slots=True)
class SeatSettingsView:
    """The settings of one seat for when it is asked."""

    topics: Sequence[TopicView]
    waiting: bool
    """True from its "Wait" until the next throw. The seat is asked everything meanwhile."""
    assisted: bool = False
    """True if the coach answers what hardly matters for the seat."""


@dataclass(frozen=True, slots=True)
class AutomaticAnswerView:
    """An answer that the table gave for a seat."""

    n: int
    seat: Seat
    words: str
    """The answer in a few words, such as "no cards"."""
    coach: bool = False
    """True if the coach gave it, because it hardly matters."""


@dataclass(frozen=True, slots=True)
class ManagerView:
    """The computer that manages a seat."""

    strength: str
    """"rookie", "regular" or "all-star"."""
    reason: str
    """The reason for its last answer, in one sentence, until a play follows that it does not explain; else ""."""
    again: Sequence[int] | None
    """In a reroll of this seat, the indexes of the dice that people reroll for it; null while it thinks."""
    key: str = ""
    """The key of its member of the cast."""
    name: str = "Computer"
    """Its name; its portrait is at /portrait.svg?name=NAME."""
    temper: str = ""
    """"patient", "by the book" or "bold"."""
    thinking: str = ""
    """What it is thinking about, such as "weighs the next pitch"; "" unless that takes long."""


@dataclass(frozen=True, slots=True)
class CastMemberView:
    """A computer manager that people may choose. Its portrait is at /portrait.svg?name=NAME."""

    key: str
    name: str
    strength: str
    """"rookie", "regular" or "all-star"."""
    temper: str
    """"patient", "by the book" or "bold"."""


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    """The call of an announcer after one answer, as spectators may hear it."""

    id: str
    """Identifies the call permanently. A call that has left the list is old, or was taken back."""
    n: int
    """The number of the answer."""
    text: str
    marks: Sequence[str]
    """Its subjects: "hit", "runs" (even those at stake), "half", "final" or "back" (taken back or corrected)."""
    now: str
    """The complete situation after it."""


@dataclass(frozen=True, slots=True)
class WinProbabilityView:
    """Each side's chance to win, from public information only. While a secret is hidden, it is that before it."""

    home: float
    """Home's chance, 0 to 1; away has the rest. Neither 0 nor 1 before the end."""
    margin: float
    """About how far it may be from the truth; 0 if it is exact."""
    path: Sequence[float]
    """Home's chances from the start of the game to now, for a graph."""
    halves: Sequence[int]
    """The indexes in `path` at which a half-inning begins."""
    biggest: WinSwing | None = None
    """The play of this game that changed most so far."""


@dataclass(frozen=True, slots=True)
class AudienceView:
    """Everything one audience sees of the game under way."""

    game: GameName
    table: TableView
    undone: int
    """How many times answers were undone in this game."""
    plays: Sequence[PlayView]
    """The plays of the current half-inning."""
    proposal: ProposalView | None
    dial: SecretButtonEntryView | ButtonEntryView | None
    """The cursor of the buttons."""
    race: RaceView | None
    layout: LayoutView | None
    version: int
    """A number that grows with each visible change."""
    watching: CameraActivity
    missing: Sequence[str]
    """The missing parts, in sentences."""
    notice: str | None
    """Sentences to show for a moment, first all `warnings`, then an ordinary notice."""
    standing: Mapping[Seat, SeatSettingsView] = field(default_factory=dict)
    """The settings of each seat for when it is asked."""
    automatic: Sequence[AutomaticAnswerView] = ()
    """The table's own answers since the last throw or answer of a person. Secret ones are only for their seat."""
    waits: Sequence[Seat] = ()
    """The seats for which "Wait" would reopen something now."""
    before: Sequence[PlayView] = ()
    """The plays of the last answer of the half-inning before, and of those just before that."""
    number: int = 0
    """The number of the game, at /games/NUMBER; 0 if it has none."""
    calls: Sequence[AnnouncementView] = ()
    """The calls of the announcer for the newest answers, oldest first. They are the same for all audiences."""
    managers: Mapping[Seat, ManagerView] = field(default_factory=dict)
    """The computer managers by the seat that they manage. People throw the dice of these seats (see `table_rolls`)."""
    cast: Sequence[CastMemberView] = ()
    """The computer managers to choose from, weakest first."""
    manageable: bool = False
    """True if a computer may manage a seat of this game."""
    pace: str = ""
    """The pace of the managers: "normal", "brisk" or "instant"."""
    coached: Sequence[Seat] = ()
    """The seats that may ask the coach now."""
    coaching: Sequence[Seat] = ()
    """The seats that allow asking the coach. Between two people both must."""
    correction: CorrectionView | None = None
    """The correction of the last roll that a seat proposes. It is the same for all audiences."""
    warnings: Sequence[str] = ()
    """Warnings that everybody should notice, such as that a seat was taken. The newest is first."""
    table_rolls: bool = False
    """True if the table rolls the dice of the computer managers. Otherwise people do."""
    rematch: Sequence[Seat] = ()
    """The seats that ask for a rematch of this game, which is over."""
    series: str = ""
    """The score of the series of rematches, in a sentence; "" before its second game."""
    win_expected: bool = False
    """True if each side's chance to win is computed on this table."""
    win: WinProbabilityView | None = None
    """Each side's chance to win; null until it is computed, and in games without one."""
    story: GameStory | None = None
    """How the game was won, some moments after its end."""
    people: Mapping[Seat, str] = field(default_factory=dict)
    """The names of the people who manage, by seat, as they are called now. Seats without an entry have nobody known."""
    league: str = ""
    """The league and round of the game in a short line, such as "Summer league, round 3"; "" for none."""
    league_key: str = ""
    """The key of that league, whose standings are at /leagues/KEY; "" for none."""


@dataclass(frozen=True, slots=True)
class OutcomeChanceView:
    """A possible outcome of a roll, in a sentence."""

    sentence: str
    share: float
    """Its chance, from 0 to 1."""
    faces: Sequence[Face]
    """The faces that lead to it, if the roll has one die; else empty."""
    brief: str
    """The outcome in few words, such as "steals second"."""
    odds: str
    """Its chance in words: "2 in 6" of one six-sided die, otherwise in percent."""


@dataclass(frozen=True, slots=True)
class CurrentRoll(RollView):
    """A current roll. It may be corrected."""

    value: Sequence[Face]
    evidence: str | None
    """The name of the picture of the dice, at /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """The other values that each die may have shown, likeliest first."""
    after: int
    """How many later answers came from people."""
    inning: int
    half: Half
    told: str
    """The result in sentences; "" if that was decided only later."""


@dataclass(frozen=True, slots=True)
class CurrentReroll(RerollView):
    """A current reroll. It may be corrected."""

    value: Sequence[Face | None]
    """The faces, null for each die that was not rerolled."""
    evidence: str | None
    """The name of the picture of the dice, at /evidence/NAME.jpg."""
    likely: Sequence[Sequence[Face]]
    """The other values that each die may have shown, likeliest first."""
    after: int
    """How many later answers came from people."""
    inning: int
    half: Half
    told: str
    """The result in sentences; "" if that was decided only later."""


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction of the last roll that a seat proposes. It counts when the other side agrees."""

    n: int
    seat: Seat
    """The seat that proposes it."""
    agrees: Seat
    """The seat that must agree. It is the same seat if one person plays alone."""
    empty: bool
    """True if no phone held that seat at the time of the proposal. The operator may then agree for it."""
    version: int
    """The version of the table at the time of the proposal. The correction ends with any other version."""
    roll: CurrentRoll | CurrentReroll
    """The current roll."""
    value: Sequence[Face | None]
    """The proposed value."""
    words: str
    """The proposed value in words."""
    stands: str
    """The current value in words."""
    sentence: str
    """A sentence with the proposal and who must agree to it."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A current answer that a person gave."""

    n: int
    seat: Seat
    sentence: str
    """The question."""
    words: str | None
    """The answer; null until the rulebook reveals it."""
    what: str
    """The answer in a few words, for "Undo", such as "the roll 2" or "a secret"."""


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """The effect of an undo."""

    version: int
    """The version of the table that this preview is for."""
    dropped: Sequence[int]
    """The answers that would be removed. Answers revealed together are removed together."""
    given: int
    """How many of them came from people. The house gave the others."""
    games: int
    """How many games would be removed completely."""
    before: Scoreboard
    after: Scoreboard


@dataclass(frozen=True, slots=True)
class LaterHalfInning:
    """A half-inning after a corrected roll, with how many of its later answers are kept and how many are not valid."""

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
    """How many games would be removed completely with the dropped answers."""
    before: Scoreboard
    after: Scoreboard
    sentences: Sequence[str]
    halves: Sequence[LaterHalfInning] = ()
    """The half-innings as they were played, oldest first."""
