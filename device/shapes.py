"""Data types that the device creates and the web shows, in addition to `engine.views`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.dice import Face
from engine.game import HouseRule
from engine.innings import Half, Outcome
from engine.journal import EntryJson, JournalHeaderJson
from engine.lessons.lesson import Explanation, LessonCard
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.story_views import GameStory, WinTrace
from engine.views import CastMemberView, GameName, PlayView, TableView, WinProbabilityView

DiceOrigin = Literal["camera", "person", "taught"]
"""Who gave a roll: the camera alone, or a person, who entered or confirmed it. The rolls of taught dice are known from
their stored readings."""

CardFields = Mapping[str, object]
"""The fields of a card or another table, as parsed from TOML or JSON."""

FieldForm = Mapping[str, object]
"""The form of a card's field: what can be typed, as in `engine.cards.Field.full_form`."""

LINES_PER_PAGE = 600
"""Lines of a play log on one page. Four long games fit, a season has more pages."""

TABLE_ID_HEADER = "Dugout-Table"
"""Header of the answer to /api/health, which distinguishes tables."""

MAX_LIST_LENGTH = 100
"""Rolls or answers in one list. Older ones are fetched page by page."""


def log_page_range(lines: int, page: int) -> tuple[range, int]:
    """Index range of the play log's lines on `page`, and the count of pages. Page 1 has the newest lines.

    Lines keep the order of the log. Lines of one answer may be split over two pages.
    """
    end = max(0, lines - (page - 1) * LINES_PER_PAGE)
    return range(max(0, end - LINES_PER_PAGE), end), max(1, -(-lines // LINES_PER_PAGE))


AbortCheck = Callable[[], None]
"""Called now and then by a slow read. It raises to end the read if nobody waits for the result."""


def never_abort() -> None:
    """Never raise: an `AbortCheck` that reads to the end."""


# The machine ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Health:
    """State of one part of the machine."""

    part: str
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class CalibrationCheck:
    """One check of the calibration."""

    name: str
    ok: bool
    words: str
    """What was found, or what to do."""
    clear: float | None = None
    """Confidence of the die's reading, from 0 to 1, None for all other checks."""


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Result of one calibration step."""

    step: str
    ok: bool
    """True if every check passed."""
    checks: Sequence[CalibrationCheck]


@dataclass(frozen=True, slots=True)
class RecentPress:
    """A recorded press of a button."""

    n: int
    """Number of the press, from 1."""
    event: str
    """The button's name, or the meaning of holding it."""
    ago: float
    """Age in seconds."""


@dataclass(frozen=True, slots=True)
class ThrowCaption:
    """The text below the clip of a throw."""

    score: str
    """Score after the throw and half-inning: "Lanterns 3, Owls 2 · Top of the 3rd"."""
    play: str
    """The result in a sentence or two."""


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """Frame rate and locked settings of the dice camera."""

    fps: float | None
    """Frames per second, averaged over the last few, None before the second frame."""
    locks: Mapping[str, Sequence[float] | None] | None
    """Locked camera settings, each None if the camera cannot lock it, None while it adjusts itself."""
    damaged: int = 0
    """Damaged pictures since the camera was opened."""


@dataclass(frozen=True, slots=True)
class JournalFigures:
    """How the journal is written to disk."""

    mode: str
    """SQLite's journal mode, read back."""
    sync: str
    """"full", or the number of another synchronous mode, read back, "" if unknown."""
    trouble: str | None
    """Fault of the file when it was opened."""
    restored: str | None = None
    """Source of the games, if a backup was restored since the last start or the restore failed."""


@dataclass(frozen=True, slots=True)
class RecentRejections:
    """Latest rejections of one gate for one address."""

    gate: str
    """Name of the gate, a key of `web.security.admission.GATES_BY_NAME`."""
    words: str
    """What happened and what helps, in a sentence with only the end of the address."""
    asked: str
    """Last rejected request, such as "GET /stream", "" for a connection."""
    times: int
    """Count of rejections."""
    ago: int
    """Seconds since the last rejection."""


@dataclass(frozen=True, slots=True)
class RejectionSummary:
    """Phones turned away since the table was started, with reasons."""

    counts: Mapping[str, int]
    """Rejections by gate, highest count first."""
    last: Sequence[RecentRejections]
    """Latest rejections, newest first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """State of the parts, from the running table or from probing the parts while no table runs.

    Only a running table has `journal`, `unsafe`, `port`, `given`, `presses`, `refusals`, `evaluation` and
    `table_id`.
    """

    demo: bool = False
    """True if every part is simulated."""
    health: Sequence[Health] = ()
    display: float | None = None
    """Seconds to draw one picture, None if unknown."""
    camera: CameraFigures | None = None
    journal: JournalFigures | None = None
    unsafe: str | None = None
    """Reason for safe mode."""
    port: int | None = None
    given: bool = False
    """True if the service manager passed the socket."""
    presses: Sequence[RecentPress] = ()
    """Latest presses. None is recorded while a seat chooses in secret."""
    refusals: RejectionSummary | None = None
    evaluation: float | None = None
    """Median seconds in which the chance to win in a position was computed lately, None if none was."""
    table_id: str = ""
    """ID of the table, which is also in the header `TABLE_ID_HEADER`."""

    def component_fault(self, part: str) -> str:
        """Fault of this part in words, "" if none."""
        return next((one.words for one in self.health if one.part == part and not one.ok), "")


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one of the doctor's checks."""

    name: str
    verdict: Literal["ok", "look", "wrong"]
    """Passed, a warning, or something that does not work until it is fixed."""
    seen: str
    """What the check saw, in sentences."""
    todo: str = ""
    """What to do, "" if nothing."""


# Phones --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableAddresses:
    """The table's address for phones: URL with its host name, that name, and IP address with port."""

    url: str
    name: str
    address: str
    qr_url: str
    """URL for QR codes, with the name or address that phones find."""


@dataclass(frozen=True, slots=True)
class SignedInPhone:
    """A phone that is signed in."""

    id: str
    """Session ID, to sign it out."""
    role: Literal["operator", "seat"]
    seat: Seat | None
    """The seat it holds. An operator may hold one too."""
    device: str
    """Kind of device from its User-Agent, such as iPhone."""
    seconds: int
    """Time since it signed in, in seconds."""
    unseen: int
    """Seconds since its last request, 0 while it has a stream open."""
    own: bool
    """True for the phone that asks."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Phones that are signed in or watch, and the code to sign in more."""

    code: str
    """The code on the display, to be read out."""
    phones: Sequence[SignedInPhone]
    """Signed-in phones, the longest signed in first."""
    spectators: Mapping[str, int]
    """Phones that only watch, counted by device, highest count first."""
    refusals: RejectionSummary


# Games ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team and its runs."""

    name: str
    colour: str
    runs: int


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One stored game in a list. The score is the last one shown, None if unknown."""

    id: int
    game: GameName
    name: str
    """Name that people gave it, empty for none."""
    started: str
    """Start time, in ISO 8601."""
    played: str
    """Time of the last answer, in ISO 8601."""
    now: bool
    """True if it is on the table."""
    aside: bool
    """True if it is paused and can be resumed."""
    damaged: bool
    """True if part of its journal was changed or lost."""
    note: str | None
    """A warning about the game, in a sentence."""
    sides: Mapping[Seat, TeamScore] | None
    outcome: Outcome | None
    plays: int | None
    stands: str | None
    """The situation in words."""
    alone: bool
    """True if one person plays a season. The sides are those of its last game."""
    computers: Mapping[Seat, str] = field(default_factory=dict)
    """The names of the computers that managed a seat when it was last on the table."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of the stored games, counted from 1."""

    games: Sequence[GameSummary]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class PlaysPage:
    """A page of the play log, oldest line first. Page 1 has the newest lines."""

    plays: Sequence[PlayView]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One stored game for spectators. If its journal cannot be read, `trouble` is the reason and `table` is None."""

    summary: GameSummary
    trouble: str | None
    table: TableView | None
    log: Sequence[PlayView]


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """What spectators saw after `place` current answers. `lines` are the new lines of the play log."""

    place: int
    scoreboard: Scoreboard
    outcome: Outcome | None
    lines: Sequence[PlayView]


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """The steps of a game after `first` to `first + most` - 1 answers, out of `count` answers."""

    steps: Sequence[ReplayStep]
    before: Sequence[PlayView]
    """The last lines of the play log before these steps."""
    first: int
    count: int
    most: int


@dataclass(frozen=True, slots=True)
class GameJournal:
    """One game's journal as anyone may read it. Secrets are "hidden"."""

    header: JournalHeaderJson
    pieces: Iterator[Sequence[EntryJson]]
    """Batches of entries, read from the disk one by one. Iterating raises OSError."""


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """One moment of a replay, as the page shows it."""

    place: int
    """Count of current answers at this moment."""
    scoreboard: Scoreboard
    outcome: Outcome | None
    """Winner and reason, if the game was over."""
    sentences: Sequence[str]
    """The events, in sentences."""
    panel: Mapping[str, str]
    """Changed parts of the page, as HTML by name. The first moment of a part has all of them."""
    win: float | None = None
    """Home's chance to win, 0 to 1; null until it is computed, and in games without one."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A part of a game as a series of moments, without undone or corrected answers."""

    steps: Sequence[ReplayMoment]
    """The moment after `first` answers, and each of the next `most` answers that changed anything."""
    first: int
    count: int
    """Current answers in all. A full replay requests the parts from 0, `most`, 2 × `most` and so on."""
    most: int


AnalysisLevel = Literal["full", "numbers", "off"]
"""What is analyzed: "numbers" leaves out stories and reviews."""


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A decision of a seat, compared with its best answer."""

    n: int
    inning: int
    half: Half
    situation: str
    """Score, outs and runners, in sentences."""
    question: str
    given: str
    """The answer in words."""
    best: str
    """The best answer in words, the same if it was given."""
    cost: float
    """Win probability that the answer gave away, 0 to 1."""
    reason: str
    """Why the best answer is better, in one sentence, or ""."""
    game: int | None = None
    """The number of the game in a season or series, from 1; None if there is only one."""


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The decisions of one seat in a game, and its luck. Decisions whose secrets stay hidden are left out."""

    name: str
    """The side that it played, at the end."""
    decisions: int
    """How many decisions mattered: their best and worst answers differ by `managers.manager.MIN_GAIN` or more."""
    best: int
    """How many of these lost less than that against the best answer."""
    accuracy: float
    """Share of the win probability at stake in these that was kept, 0 to 1; 1 if there are none. What is at stake in a
    decision is the difference between its best and its worst answer. An answer as good as the best keeps all of it."""
    cost: float
    """Win probability given away in all, also where little was at stake."""
    worst: Sequence[ReviewedDecision]
    """The most expensive ones, at most three, most expensive first. A mistake that was made again appears once."""
    luck: float
    """Win probability that the dice gave this seat, compared with expectation."""


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """What the win probabilities of a stored game say. All parts are null if the game has none."""

    win: WinProbabilityView | None
    trace: WinTrace
    story: GameStory | None
    """Null before the end of the game."""
    review: Mapping[Seat, SeatReview] | None
    """Null before the end of the game, and where the settings leave it out."""
    first: int = -1
    """The number in `trace` from which on it is about the last game of a season or series, as `win` and `story` are."""


@dataclass(frozen=True, slots=True)
class FaceCount:
    """How often a face came up, and how often it would on average if the die were fair."""

    face: Face
    count: int
    expected: float


@dataclass(frozen=True, slots=True)
class DieReport:
    """The counts of dice of one kind, or of a taught die, and what a test makes of them."""

    origin: DiceOrigin
    kind: str
    colour: str | None
    sides: Sequence[Face]
    title: str
    """What the dice are, such as "Red d6", or the name of a taught die."""
    rolls: int
    faces: Sequence[FaceCount]
    finding: Literal["few", "even", "uneven"]
    """Too few rolls to say, nothing suspicious, or less even than chance explains."""
    p: float
    """p-value of the test, corrected for testing several dice."""
    sentence: str


@dataclass(frozen=True, slots=True)
class SkippedGame:
    """A game that the dice report leaves out, and why."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class DiceReport:
    """The dice of all stored games. It is complete when `done` has reached `total`, and of an earlier moment before."""

    dice: Sequence[DieReport]
    games: int
    """Count of games that are in it."""
    skipped: Sequence[SkippedGame]
    done: int
    """Games counted so far."""
    total: int


@dataclass(frozen=True, slots=True)
class HouseRuleView:
    """A choice that the rulebook leaves to the table, or a point on which it is silent."""

    key: str
    title: str
    """What it decides, as a question or in a few words."""
    values: Sequence[str]
    labels: Sequence[str]
    """The values in words, in the same order."""
    default: str
    meaning: str
    """What title and labels leave out, may be empty."""
    silent: bool
    """False for a choice that people see before every game. Others are folded away."""
    under: str
    """The heading of its group, empty for none."""

    @classmethod
    def from_rule(cls, rule: HouseRule) -> HouseRuleView:
        values, labels = list(rule.values), list(rule.labels.values())
        return cls(rule.key, rule.title, values, labels, values[0], rule.meaning, not rule.always_shown, rule.under)


@dataclass(frozen=True, slots=True)
class GamePaceView:
    """One of the three ways to play a game: quick, classic, or as in the box."""

    key: str
    """"quick", "classic" or "box"."""
    title: str
    sentence: str
    """What it means for this game, and about how long it takes."""
    house: Mapping[str, str]
    """The house rules that it sets."""


@dataclass(frozen=True, slots=True)
class OfferedDeck:
    """A deck that a game can begin with."""

    name: str
    title: str
    house: Mapping[str, str]
    """House rules that the deck requires, usually none."""
    lacks: Sequence[str]
    """Reasons why it cannot be played alone, in sentences. Another deck may supply what it lacks."""


@dataclass(frozen=True, slots=True)
class PlayableGame:
    """A game, its house rules with a choice, and the owner's decks for it."""

    key: str
    title: str
    house_rules: Sequence[HouseRuleView]
    decks: Sequence[OfferedDeck]
    players: str = ""
    """Number of players, in words, empty if unknown."""
    minutes: int = 0
    """Longest time of a game, in minutes, 0 if unknown."""
    managers: bool = False
    """True if a computer may manage a seat, in the two-player ways to play."""
    paces: Sequence[GamePaceView] = ()
    """The ways to play, the shortest first. Empty if there is only one."""
    lesson: bool = False
    """True if /learn/KEY explains it in cards."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's rating of one answer."""

    value: Any
    """The answer as JSON. For a reroll, the indexes of the dice to throw again."""
    words: str
    win: float
    """Estimated chance that the seat wins the game with it, 0 to 1."""
    share: float
    """Chance that the coach would choose it, 0 to 1. Hidden choices are mixed."""
    reason: str
    chance: str
    """`win` in percent, with only the digits that are known."""
    often: str
    """`share` in percent."""


@dataclass(frozen=True, slots=True)
class GameCatalog:
    """All games that can be played, and the computer managers to play against."""

    games: Sequence[PlayableGame]
    cast: Sequence[CastMemberView] = ()


# Decks ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeckSummary:
    """One deck in the list."""

    name: str
    title: str
    own: bool
    """True if the owner made it and can change it."""
    lacks: Sequence[str]
    """Reasons why it cannot be played yet, in sentences."""
    house: Mapping[str, str]
    """House rules that it requires, usually none."""
    cards: int
    playable: bool


@dataclass(frozen=True, slots=True)
class DeckList:
    """The decks of one game."""

    game: str
    title: str
    """Title of the game."""
    decks: Sequence[DeckSummary]


@dataclass(frozen=True, slots=True)
class LessonView:
    """The lesson of one game for people who never played it."""

    game: GameName
    cards: Sequence[LessonCard]
    words: Sequence[Explanation]
    """The explained words in alphabetical order."""


@dataclass(frozen=True, slots=True)
class CardView:
    """One card of a deck."""

    kind: str
    place: int
    """Number among the cards of its kind, from 1."""
    fields: CardFields
    """Fields as stored in its file."""
    typed: Mapping[str, str]
    """Fields that the game parses itself, as people type them."""
    mark: str
    """Hash of this version of the card, sent with a change."""


@dataclass(frozen=True, slots=True)
class DeckNote:
    """A warning about one card."""

    card: str
    """Its kind and its number among the cards of that kind."""
    sentence: str


@dataclass(frozen=True, slots=True)
class DeckView:
    """One deck with all its cards."""

    name: str
    title: str
    own: bool
    """True if the owner made it and can change it."""
    lacks: Sequence[str]
    """Reasons why it cannot be played yet, in sentences."""
    house: Mapping[str, str]
    """House rules that it requires, usually none."""
    house_words: Sequence[str]
    """The same in words."""
    notes: Sequence[DeckNote]
    """Possible typing errors, though the deck can be played."""
    game: str
    of: str
    """Title of the game."""
    shapes: Mapping[str, Mapping[str, FieldForm]]
    """Forms of the fields, by kind of card and name of field."""
    cards: Sequence[CardView]
