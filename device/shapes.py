"""Shapes of what the device makes and the web shows, beside the game's own views (`engine.views`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.game import HouseRule
from engine.innings import Outcome
from engine.journal import EntryJson, JournalHeaderJson
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.views import GameName, PlayView, TableView

Fields = Mapping[str, object]
"""The fields of a card, or another table, as TOML or JSON has them."""

FieldLook = Mapping[str, object]
"""What can be typed into a field of a card, as `engine.cards.Field.full_form` describes it."""

LINES_PER_PAGE = 600
"""Lines of a play log on one page; four long games have as many, and a season has more pages."""

MAX_LIST_LENGTH = 100
"""Rolls or answers in one list; older ones come a page at a time."""


def log_page_range(lines: int, page: int) -> tuple[range, int]:
    """Return which lines of a play log are on this page, counted from 1 for the newest; and how many pages there are.

    The lines of a page are in the order of the log. What one answer caused may be on two pages.
    """
    end = max(0, lines - (page - 1) * LINES_PER_PAGE)
    return range(max(0, end - LINES_PER_PAGE), end), max(1, -(-lines // LINES_PER_PAGE))


AbortCheck = Callable[[], None]
"""A slow read calls it now and then: it raises what ends the read, once nobody waits for the answer any more."""


def never_abort() -> None:
    """Read to the end (`AbortCheck`)."""


# The machine ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Health:
    """The state of one part of the machine."""

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
    """How clearly a die is read, from 0 to 1; None for all other checks."""


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The result of one step of the calibration."""

    step: str
    ok: bool
    """True if every check passed."""
    checks: Sequence[CalibrationCheck]


@dataclass(frozen=True, slots=True)
class NotedPress:
    """A press of a button."""

    n: int
    """Counted from 1."""
    event: str
    """The button's name, or what holding it means."""
    ago: float
    """Seconds."""


@dataclass(frozen=True, slots=True)
class ThrowCaption:
    """What stands below the clip of a throw."""

    score: str
    """The score after it, and the half-inning: "Lanterns 3, Owls 2 · Top of the 3rd"."""
    play: str
    """What came of it, in a sentence or two."""


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """What the camera over the tray delivers."""

    fps: float | None
    """Pictures a second, from the last few; None before there are two."""
    locks: Mapping[str, Sequence[float] | None] | None
    """The settings it holds, each None if it cannot be held; None while it adjusts itself."""


@dataclass(frozen=True, slots=True)
class JournalFigures:
    """How the journal is written."""

    mode: str
    """SQLite's journal mode, read back."""
    sync: str
    """"full", or the number of another sync, read back; "" if unknown."""
    trouble: str | None
    """What was wrong with the file when it was opened."""
    restored: str | None = None
    """Where the games are from, if a backup was restored since the last start, or was to be."""


@dataclass(frozen=True, slots=True)
class NotedRefusal:
    """What one gate refused to the phones of one address."""

    gate: str
    """The name of the gate: a key of `web.security.admission.GATES_BY_NAME`."""
    words: str
    """What happened and what helps, in a sentence; of the address it has only the end."""
    asked: str
    """What was asked for last, such as "GET /stream"; "" if it was a connection."""
    times: int
    """How often."""
    ago: int
    """Seconds since the last time."""


@dataclass(frozen=True, slots=True)
class RefusalSummary:
    """Which phones were turned away since the table was switched on, and why."""

    counts: Mapping[str, int]
    """How often each gate refused, by its name, the most first."""
    last: Sequence[NotedRefusal]
    """The last refusals, the newest first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The state of the parts: from the running table, or from trying the parts while no table runs.

    Only a running table has `journal`, `unsafe`, `port`, `given`, `presses` and `refusals`.
    """

    demo: bool = False
    """True if every part is simulated."""
    health: Sequence[Health] = ()
    display: float | None = None
    """Seconds it takes to draw a picture; None if unknown."""
    camera: CameraFigures | None = None
    journal: JournalFigures | None = None
    unsafe: str | None = None
    """Why the table is in safe mode."""
    port: int | None = None
    given: bool = False
    """True if the service manager handed over the port."""
    presses: Sequence[NotedPress] = ()
    """The last presses. None is noted while a seat chooses in secret."""
    refusals: RefusalSummary | None = None

    def component_fault(self, part: str) -> str:
        """Return what is wrong with this part, "" if nothing."""
        return next((one.words for one in self.health if one.part == part and not one.ok), "")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one of the doctor's checks."""

    name: str
    verdict: Literal["ok", "look", "wrong"]
    """Nothing to do; worth a look; something does not work until it is fixed."""
    seen: str
    """What the check saw, in sentences."""
    todo: str = ""
    """What to do; "" if nothing."""


# Phones --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Join:
    """The address of the table for phones: a URL by name, that name, and the IP address with the port."""

    url: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class SignedInPhone:
    """A phone that is signed in."""

    id: str
    """Its pass, to sign it out."""
    role: Literal["operator", "seat"]
    seat: Seat | None
    """The seat it holds; an operator may hold one too."""
    device: str
    """A word from its User-Agent, such as iPhone."""
    seconds: int
    """How long it has been signed in."""
    unseen: int
    """Seconds since it was last heard of; 0 while it listens."""
    own: bool
    """True for the phone that asks."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is signed in, who watches, and the code that lets more phones in."""

    code: str
    """The code on the display, to be read out."""
    phones: Sequence[SignedInPhone]
    """Those that are signed in, the longest first."""
    spectators: Mapping[str, int]
    """All others that are listening, counted by device, the most first."""
    refusals: RefusalSummary


# Games ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team and its runs."""

    name: str
    colour: str
    runs: int


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One stored game in a list. The score is the last one shown; None if that is not known."""

    id: int
    game: GameName
    name: str
    """What people call it; empty for none."""
    started: str
    """When it began, in ISO 8601."""
    played: str
    """When somebody answered last, in ISO 8601."""
    now: bool
    """True if it is on the table."""
    aside: bool
    """True if it was put aside and can be resumed."""
    damaged: bool
    """True if some of it is not as it was written."""
    note: str | None
    """A warning about the game, in a sentence."""
    sides: Mapping[Seat, TeamScore] | None
    outcome: Outcome | None
    plays: int | None
    stands: str | None
    """Where the game stands, in words."""
    alone: bool
    """True if one person plays a season; the sides are those of its last game."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of the stored games, counted from 1."""

    games: Sequence[GameSummary]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class PlaysPage:
    """A page of the play log, oldest line first; pages are counted from 1, the newest lines first."""

    plays: Sequence[PlayView]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One stored game for spectators. `trouble` is why its journal cannot be read; then `table` is None."""

    summary: GameSummary
    trouble: str | None
    table: TableView | None
    log: Sequence[PlayView]


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """What spectators saw at one moment of a game, after `place` answers that stand; `lines` are its additions to the
    play log.
    """

    place: int
    scoreboard: Scoreboard
    outcome: Outcome | None
    lines: Sequence[PlayView]


@dataclass(frozen=True, slots=True)
class ReplayPart:
    """The steps of a game from the one after `first` answers to before that after `first + most`; `count` in all."""

    steps: Sequence[ReplayStep]
    before: Sequence[PlayView]
    """The last lines of the play log before these steps."""
    first: int
    count: int
    most: int


@dataclass(frozen=True, slots=True)
class GameJournal:
    """One game's journal as anyone may read it: secrets are "hidden"."""

    header: JournalHeaderJson
    pieces: Iterator[Sequence[EntryJson]]
    """Its entries, in pieces that are read from the disk one by one; raises OSError."""


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """One moment of a replay, as the page shows it."""

    place: int
    """How many of the answers that stand had been given."""
    scoreboard: Scoreboard
    outcome: Outcome | None
    """Who won and why, once the game was over."""
    sentences: Sequence[str]
    """What happened."""
    panel: Mapping[str, str]
    """The parts of the page that changed, as HTML by name; in the first moment of a part all of them."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A part of a game as a series of moments, without what was taken back or corrected."""

    steps: Sequence[ReplayMoment]
    """The moment after `first` answers, and each of the next `most` answers that changed anything."""
    first: int
    count: int
    """All answers that stand: the whole replay has the parts from 0, `most`, 2 × `most` and so on to this."""
    most: int


@dataclass(frozen=True, slots=True)
class HouseRuleView:
    """A choice that the rulebook leaves to the table, or a point on which it is silent."""

    key: str
    title: str
    """The question in a few words; may be empty."""
    values: Sequence[str]
    labels: Sequence[str]
    """The values in words, in the same order."""
    default: str
    meaning: str
    silent: bool
    """True if it only settles how to read the rulebook."""
    under: str
    """The heading it belongs under; empty for none."""

    @classmethod
    def from_rule(cls, rule: HouseRule) -> HouseRuleView:
        """Return the view of a house rule."""
        values, labels = list(rule.values), list(rule.value_labels)
        return cls(rule.key, rule.title, values, labels, values[0], rule.meaning, rule.is_interpretation, rule.under)


@dataclass(frozen=True, slots=True)
class OfferedDeck:
    """A deck that a game can begin with."""

    name: str
    title: str
    house: Mapping[str, str]
    """The house rules that the deck needs; mostly none."""
    lacks: Sequence[str]
    """Why it cannot be played alone, in sentences; another deck may have what it lacks."""


@dataclass(frozen=True, slots=True)
class PlayableGame:
    """A game, its house rules that leave a choice, and the owner's decks for it."""

    key: str
    title: str
    house_rules: Sequence[HouseRuleView]
    decks: Sequence[OfferedDeck]
    players: str = ""
    """How many can play, in words; empty if that is not known."""
    minutes: int = 0
    """How long a game may take; 0 if that is not known."""
    managers: bool = False
    """True if a computer may manage a seat, in the ways to play that have two."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the coach thinks of one answer."""

    value: Any
    """The answer, in JSON form; for a reroll, the places of the dice to throw again."""
    words: str
    win: float
    """The chance from 0 to 1 that the seat wins the game with it, as far as the coach can tell."""
    share: float
    """How often the coach would give this answer, from 0 to 1: hidden choices are mixed."""
    reason: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything that can be played."""

    games: Sequence[PlayableGame]


# Decks ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeckSummary:
    """One deck in the list."""

    name: str
    title: str
    own: bool
    """True if it is the owner's and can be changed."""
    lacks: Sequence[str]
    """Why it cannot be played yet, in sentences."""
    house: Mapping[str, str]
    """The house rules that it needs; mostly none."""
    cards: int
    playable: bool


@dataclass(frozen=True, slots=True)
class DeckList:
    """The decks of one game."""

    game: str
    title: str
    """The game's."""
    decks: Sequence[DeckSummary]


@dataclass(frozen=True, slots=True)
class CardView:
    """One card of a deck."""

    kind: str
    place: int
    """Its place among its kind, from 1."""
    fields: Fields
    """As its file has them."""
    typed: Mapping[str, str]
    """The fields that the game parses itself, as people type them."""
    mark: str
    """Identifies this version of the card in a change."""


@dataclass(frozen=True, slots=True)
class DeckNote:
    """Something unusual on a card."""

    card: str
    """Its kind and its place among its kind."""
    sentence: str


@dataclass(frozen=True, slots=True)
class DeckView:
    """One deck, card by card."""

    name: str
    title: str
    own: bool
    """True if it is the owner's and can be changed."""
    lacks: Sequence[str]
    """Why it cannot be played yet, in sentences."""
    house: Mapping[str, str]
    """The house rules that it needs; mostly none."""
    notes: Sequence[DeckNote]
    """What may be a typing error, though the deck can be played."""
    game: str
    of: str
    """The game's title."""
    shapes: Mapping[str, Mapping[str, FieldLook]]
    """What can be typed, by kind of card and field."""
    cards: Sequence[CardView]
