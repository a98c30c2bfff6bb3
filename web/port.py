"""What the web needs of the table, in small ports. The device provides them; tests fake them.

Every method may be called from any thread and may block for a few milliseconds. Everything returned was already opened
for its audience: the web hides nothing more than what a seat has `given` (`web.security.auth.seen`), and never hands
one audience's view to another. Refusals are `engine.errors.EngineError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.seats import Seat
from engine.views import (
    AnswerView,
    CorrectionPreview,
    PlayView,
    StandingReroll,
    StandingRoll,
    UndoPreview,
    View,
)
from web.models import (
    CalibrationReport,
    Catalogue,
    DeckList,
    DeckView,
    Figures,
    Finding,
    GameRecord,
    GamesPage,
    GameSummary,
    Health,
    Join,
    OfferedDeck,
    ReplayStep,
)

SEAT_NOTICE = 8.0
"""How long everybody sees that a seat was taken or freed, in seconds: the other side must notice."""


class PublishedViews(Protocol):
    """What every audience sees after one change."""

    def of(self, seat: Seat | None) -> View:
        """Return the view of one audience (None: spectators)."""


class GamePort(Protocol):
    """The game on the table."""

    def view(self, seat: Seat | None) -> View:
        """Return the whole small view of one audience (None: spectators and the operator)."""

    def plays(self) -> list[PlayView]:
        """Return the whole play log, oldest first."""

    def rolls(self, most: int | None = None) -> Sequence[StandingRoll | StandingReroll]:
        """Return the rolls that stand, newest first, at most `most`. Only these may be amended from a phone."""

    def answers(self) -> list[AnswerView]:
        """Return what people answered and stands, newest first; not what chance or the computer gave."""

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer ask `n`. `source` is "phone" for the seat's own or "operator". The web checks who may."""

    def call(self, seat: Seat, n: int, when: float | None, source: str) -> None:
        """Call for a seat in the race that ask `n` is open for; `when` None: now. The web checks who may.

        Whether the die backs it is found later: the view's `race` says so. A call that the table must confirm is
        confirmed by `answer`, with a face or "false-call"; no other answer to a call is taken.
        """

    def reject(self, n: int | None = None) -> None:
        """Drop the roll proposed for ask `n` before it counts."""

    def hold(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`: somebody is correcting it."""

    def tell(self, notice: str, seconds: float = 4.0) -> None:
        """Show a sentence to everybody for a moment."""

    def undo(self, n: int | None = None, source: str = "phone", version: int | None = None) -> None:
        """Take back answer `n` and all after it; None: the last that a person gave.

        `version` is the table's version that was looked at: raises StaleAnswer if it has changed.
        """

    def undo_preview(self, n: int) -> UndoPreview:
        """Return what `undo` would change, as a spectator may see it."""

    def amend(self, n: int, value: Any, source: str = "phone", version: int | None = None) -> None:
        """Correct roll `n`. `version` as in `undo`."""

    def preview(self, n: int, value: Any) -> CorrectionPreview:
        """Return what `amend` would change, as a spectator may see it."""

    def picture(self, name: str) -> bytes | None:
        """Return the picture that a play, roll or proposal names under `evidence`, a JPEG; None where there is none."""

    def subscribe(self, receive: Callable[[PublishedViews], None]) -> Callable[[], None]:
        """Have `receive` called with the `PublishedViews` of now and after every change, from any thread.

        Returns what ends it.
        """


class GamesPort(Protocol):
    """Which game is on the table, and those that were played."""

    def catalogue(self) -> Catalogue:
        """Return everything that can be played, with those of `LibraryPort.offered` as decks."""

    def new_game(self, game: str, decks: list[str], house: dict[str, str]) -> None:
        """Put this game on the table; `decks` by name, [] for the house deck; `house` only what differs."""

    def games(self, page: int) -> GamesPage:
        """Return a page, from 1, of the stored games, the last on the table first."""

    def aside(self) -> Sequence[GameSummary]:
        """Return the games that were put aside after somebody played in them, the last played first; at most 20."""

    def take(self, number: int) -> bool:
        """Put the game on the table aside and play on in this one. Returns False if there is none of that number.

        Raises IllegalAnswer where it is over or cannot be read, StaleAnswer where somebody else played on in it.
        """

    def name(self, number: int, name: str) -> bool:
        """Give a game a name of at most 40 characters, "" for none. Returns False if there is none of that number."""

    def past(self, number: int) -> GameRecord | None:
        """Return one game; None if there is no game of that number. It reads a whole journal."""

    def replay(self, number: int) -> list[ReplayStep] | None:
        """Return what spectators saw of one game, step by step.

        At most some thousand steps, the newest. None where there is no game of that number, or it cannot be read."""

    def journal(self, number: int) -> dict[str, Any] | None:
        """One game as {header, entries}, what the rulebook never opened "hidden". None as in `replay`."""


class AccessPort(Protocol):
    """Who may act at the table."""

    @property
    def code(self) -> str:
        """The code on the display. It changes with each new game, and whenever a seat is freed."""

    @property
    def key(self) -> str:
        """What cookies are signed with. A new key signs every phone out."""

    def role(self, code: str) -> str | None:
        """Return "operator" for the code on the display, else None. Compares in constant time."""

    def epoch(self, seat: Seat) -> int:
        """Return how often that seat was freed: a pass is good only in the epoch it was given in."""

    def free(self, seat: Seat) -> None:
        """Refuse every pass of that seat from here on, and change the code."""

    def age(self) -> float:
        """Return the seconds for which this table was ever on; after a power cut some minutes may be missing."""


class DevicesPort(Protocol):
    """The machine around the table."""

    @property
    def demo(self) -> bool:
        """True if virtual buttons and dice are offered."""

    def camera_jpeg(self) -> bytes | None:
        """Return the latest camera picture with the reading drawn on; None while there is none."""

    def board_jpeg(self) -> bytes | None:
        """Return the latest picture of the board camera with the layout drawn on; None while there is none."""

    def press(self, button: str, action: str) -> None:
        """Move a virtual button, in a demo only. `button` is "away-previous", "away-next", "away-ok", the same of
        home, or "undo"; `action` "press" (goes down), "hold" (has been down for long) or "release" (comes up)."""

    def simulate(self, what: str) -> None:
        """Move virtual dice, in a demo only: "throw", "pick-up", "cock", "stack", "hand", "unplug" or "plug".

        In a race "throw" throws the dice of both seats, "throw-home" and "throw-away" that of one. "lay" lays the
        pieces that are asked for on the board, "cover" puts a cup there until the next "lay".
        """

    def calibrate(self, step: str) -> CalibrationReport:
        """Do a step of the camera's calibration: "empty" (take the empty tray), "die" (one die lies in it) or "forget".

        May take some seconds; refuses nothing.
        """

    def health(self) -> list[Health]:
        """Return how each part is."""


class LibraryPort(Protocol):
    """The decks that can be played with: what ships, called "house", and the owner's, called as their files are.

    Reading opens files. A change is refused by DeckError with every fault, by StaleAnswer where a deck or card is gone
    or was changed meanwhile, by OSError; then nothing has changed.
    """

    def decks(self) -> Sequence[DeckList]:
        """Return the decks of every game, the one that ships first."""

    def offered(self, game: str) -> Sequence[OfferedDeck]:
        """Return the owner's decks for this game."""

    def deck(self, game: str, name: str) -> DeckView | None:
        """Return one deck; None if there is none."""

    def text(self, game: str, name: str) -> str | None:
        """Return the text of a deck's file, or None."""

    def new(self, game: str, title: str, copy: str | None) -> str:
        """Make a deck, empty or a copy. Returns its name."""

    def take(self, text: str, title: str | None) -> tuple[str, str]:
        """Keep a deck's text from elsewhere, all of whose cards must be right. Returns its game and name."""

    def write(
        self, game: str, name: str, kind: str, place: int | None, fields: dict[str, Any], seen: str | None
    ) -> int:
        """Write a card at `place`, None: as the last of its kind. Returns its place. `seen` is the mark of the card it
        replaces; None: whatever stands there. A field that is null or "" is left out."""

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Take a card out. `seen` as in `write`."""

    def rename(self, game: str, name: str, title: str) -> None:
        """Give a deck another title; its name stays."""

    def remove(self, game: str, name: str) -> None:
        """Delete a deck. Games that were begun with it go on: they have its text."""


class DoctorPort(Protocol):
    """The doctor of the machine. Except for `figures` its methods may take some seconds."""

    def figures(self) -> Figures:
        """Return the state of the parts, as only the running table knows it."""

    def findings(self) -> Sequence[Finding]:
        """Run the checks; return their findings, the worst first."""

    def bundle(self) -> bytes:
        """Return the same as a ZIP to send to whoever helps, with versions and the log, and without secrets."""


@dataclass(frozen=True)
class Port:
    """One table as the web sees it."""

    game: GamePort
    games: GamesPort
    access: AccessPort
    devices: DevicesPort
    library: LibraryPort
    doctor: DoctorPort
    join: Callable[[], Join]
    """How a phone finds the table."""
    display_png: Callable[[], bytes | None]
    """The bitmap on the display, the code included; None while there is none."""
    shutdown: Callable[[], None]
    """Switch the table off. It ends in order some moments after this has returned."""
