"""What the web needs from the table, in small ports. The device provides them; tests fake them.

Every method may be called from any thread and may block for a few milliseconds. Everything returned is already meant
for its audience: the web only hides what a seat has `given` (`web.auth.redacted_view`), and never hands one audience's
view to another. Refusals are `engine.errors.EngineError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from device.shapes import (
    MAX_LIST_LENGTH,
    AbortCheck,
    Advice,
    CalibrationReport,
    Catalogue,
    DeckList,
    DeckView,
    Fields,
    Finding,
    GameJournal,
    GameRecord,
    GamesPage,
    GameSummary,
    Health,
    Join,
    OfferedDeck,
    PlaysPage,
    ReplayPart,
    ThrowCaption,
    never_abort,
)
from engine.journal import Source
from engine.scorecard.sheet import Scorecard
from engine.seats import Seat
from engine.views import (
    AnswerView,
    AudienceView,
    CorrectionPreview,
    CurrentReroll,
    CurrentRoll,
    OutcomeChanceView,
    UndoPreview,
)
from web.security.passes import PassList
from web.security.rejection_log import RejectionLog

if TYPE_CHECKING:
    from web.lanes import Lanes


class PublishedViews(Protocol):
    """The views of all audiences after one change."""

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Return the view of one audience (None: spectators)."""


class GamePort(Protocol):
    """The game on the table: what everybody sees of it, and what the operator corrects."""

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Return the whole small view of one audience (None: spectators and the operator)."""

    def subscribe(self, receive: Callable[[PublishedViews], None]) -> Callable[[], None]:
        """Call `receive` with the views now and after every change, from any thread; return what ends that."""

    def undo_answers(self, n: int | None = None, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Take back answer `n` and all after it; None: the last that a person gave.

        `version` is the table's version that the phone showed: raises StaleAnswer if it has changed.
        """

    def correct_roll(self, n: int, value: Any, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Correct roll `n`. `version` as in `undo_answers`."""


class SeatsPort(Protocol):
    """What the seats answer, and what is answered for them. The web checks permissions."""

    def answer_ask(self, seat: Seat, n: int, value: Any, source: Source) -> None:
        """Answer ask `n`. `source` is PHONE for the seat's own, or OPERATOR."""

    def set_ask_preference(self, seat: Seat, topic: str, when: str) -> None:
        """Set when a seat is asked about a topic of its game: see `View.standing`."""

    def reopen_answers(self, seat: Seat, n: int | None = None, source: Source = Source.PHONE) -> None:
        """Reopen what was answered by itself for a seat, and ask it everything until the next throw.

        `n` is one of the answers to reopen, if the phone knows one.
        """


class RacePort(Protocol):
    """The race that is on. The web checks permissions."""

    def call_in_race(self, seat: Seat, n: int, when: float | None, source: Source) -> None:
        """Call for a seat in the race of ask `n`; `when` None: now.

        The view's `race` says later whether the die backs it. A call that the table must confirm is confirmed by
        `SeatsPort.answer_ask`, with a face or "false-call"; no other answer to a call is accepted.
        """


class RollsPort(Protocol):
    """The roll that is shown before it counts."""

    def reject_roll(self, n: int | None = None) -> None:
        """Drop the roll proposed for ask `n` before it counts."""

    def stop_countdown(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`, because somebody is correcting it."""


class SeatManagersPort(Protocol):
    """The seats that a computer manages, and the coach. The web checks permissions."""

    def assign_manager(self, seat: Seat, strength: str | None) -> None:
        """Have a computer of this strength manage a seat, None: a person: see `View.managers`."""

    def set_pace(self, pace: str) -> None:
        """Set how soon the managers answer: see `View.pace`."""

    def allow_coach(self, seat: Seat, on: bool) -> None:
        """Allow asking the coach, or not, for a seat: see `View.coaching`."""


class CorrectionsPort(Protocol):
    """Corrections of the last roll that one seat proposes and the other agrees to. The web checks permissions."""

    def propose_correction(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        """Propose for a seat that the last roll, `n`, showed `value`: see `View.correction`.

        `empty`: no phone holds the other seat.
        """

    def agree_to_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Agree for a seat to exactly this correction, which counts then. `operator`: the operator agrees for it."""

    def end_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """End exactly this correction: the roll stays."""

    def end_any_correction(self) -> None:
        """End any proposed correction: a phone changed sides, or a seat was freed."""

    def preview_proposed_correction(self) -> CorrectionPreview | None:
        """Return what the proposed correction would change, as everybody may see it.

        None if none is proposed, or if that would show something hidden.
        """


class RecordPort(Protocol):
    """What happened in the game so far."""

    def plays_page(self, page: int = 1) -> PlaysPage:
        """Return a page of the play log; page 1 has the newest lines."""

    def current_rolls(
        self, most: int = MAX_LIST_LENGTH, before: int | None = None
    ) -> Sequence[CurrentRoll | CurrentReroll]:
        """Return the rolls that stand, newest first, at most `most`, of those before answer `before` (None: of all).

        Phones may amend only these.
        """

    def outcome_chances(self) -> Sequence[OutcomeChanceView]:
        """Return what the roll that is asked for may bring, the likeliest first; empty if that cannot be told."""

    def current_answers(self, most: int = MAX_LIST_LENGTH, before: int | None = None) -> Sequence[AnswerView]:
        """Return the standing answers of people, newest first, not those of dice or a computer manager.

        `most` and `before` as in `current_rolls`.
        """

    def preview_undo(self, n: int) -> UndoPreview:
        """Return what `undo_answers` would change, as a spectator may see it."""

    def preview_correction(self, n: int, value: Any) -> CorrectionPreview:
        """Return what `correct_roll` would change, as a spectator may see it."""

    def dice_picture(self, name: str) -> bytes | None:
        """Return the picture, a JPEG, that a play, roll or proposal names as `evidence`; None if there is none."""

    def dice_reading_json(self, name: str) -> str | None:
        """Return what the reader said of the dice in that picture, as JSON; None if there is none."""

    def throw_clip(self, name: str) -> bytes | None:
        """Return the clip of the throw, an animated WebP, where a play with that `evidence` has one; else None."""

    def clip_caption(self, name: str) -> ThrowCaption | None:
        """Return what stands below a clip; None for a clip of another game, or if nothing came of the throw."""

    def captioned_clip(self, name: str) -> bytes | None:
        """Return the clip with its caption drawn below, a GIF; None if there is no clip. It takes a second or more."""


class NoticesPort(Protocol):
    """What everybody reads beside the game."""

    def show_warning(self, sentence: str) -> None:
        """Show a sentence that somebody must notice, whatever comes after it."""


class GamesPort(Protocol):
    """The choice of the game on the table."""

    def game_catalog(self) -> Catalogue:
        """Return everything that can be played, with the decks of `LibraryPort.owner_decks`."""

    def begin_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        pace: str = "",
    ) -> None:
        """Put this game on the table; `all_decks` by name, [] for the house deck; `house`: rules that differ.

        `names` are what people call the sides; a side without one has its usual name. `managers` has the strength of
        the computer that manages a seat, and `pace` how soon it answers, "" as before. Raises IllegalAnswer for what
        can be no name, or what no computer manages.
        """

    def begin_rematch(self) -> None:
        """Put a new game like the one on the table there: same game, decks, house rules and names."""

    def resume_game(self, number: int) -> bool:
        """Put the game on the table aside and play on in this one. Return False if there is no such game.

        Raises IllegalAnswer if it is over or cannot be read, StaleAnswer if somebody else played on in it.
        """

    def set_game_name(self, number: int, name: str) -> bool:
        """Give a game a name of at most 40 characters, "" for none. Return False if there is no such game."""


class StoredGamesPort(Protocol):
    """The stored games."""

    def games_page(self, page: int) -> GamesPage:
        """Return a page, counted from 1, of the stored games, the last on the table first."""

    def paused_games(self) -> Sequence[GameSummary]:
        """Return the played games that were put aside, the last played first; at most 20."""

    def game_record(self, number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
        """Return one game; None if there is no such game. It reads a whole journal."""

    def game_scorecards(self, number: int, wanted: AbortCheck = never_abort) -> Mapping[Seat, Scorecard] | None:
        """Return the scorecard of each side of one game; None as for `game_journal`. It reads a whole journal twice."""

    def share_picture(
        self, number: int, shape: Literal["wide", "tall"], wanted: AbortCheck = never_abort
    ) -> bytes | None:
        """Return the result of a game as a picture to share, a PNG; None if it is not over or cannot be read."""

    def replay_part(self, number: int, first: int = 0, wanted: AbortCheck = never_abort) -> ReplayPart | None:
        """Return a part of what spectators saw, from the moment after `first` answers; None as for `game_journal`."""

    def game_journal(self, number: int, wanted: AbortCheck = never_abort) -> GameJournal | None:
        """Return the journal of one game; None if it is missing or cannot be read."""


class AccessPort(Protocol):
    """Who may act at the table."""

    @property
    def sign_in_code(self) -> str:
        """The code on the display. It changes with each new game and each freed seat."""

    @property
    def cookie_key(self) -> str:
        """The key that signs cookies. A new key signs every phone out."""

    def role_for_code(self, code: str) -> str | None:
        """Return "operator" for the code on the display, else None. Compares in constant time."""

    def redeem_invitation(self, invitation: str) -> bool:
        """Use up an invitation that the display showed, once; return False if it is not good."""

    def seat_epoch(self, seat: Seat) -> int:
        """Return how often that seat was freed: a pass is valid only in the epoch it was given in."""

    def free_seat(self, seat: Seat) -> None:
        """End every pass of that seat, and change the code."""

    def change_code(self) -> None:
        """Change the code, if the new one can be stored."""

    def lengthen_code(self) -> None:
        """Note that somebody is guessing the code: it gets longer, and the table says so."""

    @property
    def pass_list(self) -> PassList:
        """The phones that are signed in."""


class DevicesPort(Protocol):
    """The machine around the table."""

    @property
    def is_demo(self) -> bool:
        """True if virtual buttons and dice are offered."""

    def camera_jpeg(self) -> bytes | None:
        """Return the latest camera picture with the reading drawn on; None if there is none."""

    def board_jpeg(self) -> bytes | None:
        """Return the latest picture of the board camera with the layout drawn on; None if there is none."""

    def move_button(self, button: str, action: str) -> None:
        """Move a virtual button, in a demo only; `web.routes.api.PressBody` lists both values.

        `action` "press" (goes down), "hold" (has been down for long) or "release" (comes up).
        """

    def simulate_action(self, what: str) -> None:
        """Act on the virtual tray, camera or board, in a demo only; `web.routes.api.SimulateBody` lists the values.

        In a race "throw" throws the dice of both seats, "throw-home" and "throw-away" that of one. "lay" lays the
        requested pieces on the board, "cover" puts a cup there until the next "lay".
        """

    def run_calibration_step(self, step: str, corners: Sequence[tuple[float, float]] = ()) -> CalibrationReport:
        """Do a calibration step, in seconds: "empty" (capture the empty tray), "corners" (take these for the tray's:
        places in the picture, as shares of its width and height), "die" (measure one die), "dice" (which of the dice
        can be read) or "forget"."""

    def component_health(self) -> list[Health]:
        """Return the state of each part."""


class LibraryPort(Protocol):
    """The decks: those that ship with the games, named "house", and the owner's, named as their files.

    Reading opens files. A refused change changes nothing: it raises DeckError with every fault, StaleAnswer if a deck
    or card is gone or has changed, or OSError.
    """

    def all_decks(self) -> Sequence[DeckList]:
        """Return the decks of every game, the one that ships first."""

    def owner_decks(self, game: str) -> Sequence[OfferedDeck]:
        """Return the owner's decks for this game."""

    def deck_view(self, game: str, name: str) -> DeckView | None:
        """Return one deck; None if there is none."""

    def deck_text(self, game: str, name: str) -> str | None:
        """Return the text of a deck's file, or None."""

    def create_deck(self, game: str, title: str, copy: str | None) -> str:
        """Make a deck, empty or a copy; return its name."""

    def import_deck(self, text: str, title: str | None) -> tuple[str, str]:
        """Store the text of a deck, all of whose cards must be valid; return its game and name."""

    def save_card(self, game: str, name: str, kind: str, place: int | None, fields: Fields, seen: str | None) -> int:
        """Write a card at `place`, None: as the last of its kind; return its place.

        `seen` is the mark of the card to replace, None for any. A field that is null or "" is left out.
        """

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Remove a card. `seen` as in `save_card`."""

    def rename_deck(self, game: str, name: str, title: str) -> None:
        """Give a deck another title; its name stays."""

    def delete_deck(self, game: str, name: str) -> None:
        """Delete a deck. Games begun with it go on: they have its text."""


class DoctorPort(Protocol):
    """The doctor of the machine. It may take some seconds."""

    def run_checks(self) -> Sequence[Finding]:
        """Run the checks; return their findings, the worst first."""

    def support_bundle(self) -> bytes:
        """Return the support bundle: the findings, versions and log as a ZIP, without secrets."""


class CoachPort(Protocol):
    """The computer managers."""

    def coach_advice(self, seat: Seat, n: int) -> Sequence[Advice]:
        """Return what the coach thinks of the answers to ask `n` of a seat, the best first; everybody reads that it was
        asked. It may take seconds. The web checks permissions.

        Raises StaleAnswer if that is not asked of this seat, IllegalAnswer if it may not ask the coach.
        """


def _build_lanes() -> Lanes:
    from web.lanes import Lanes  # late, because it loads the web server's libraries

    return Lanes()


@dataclass(frozen=True)
class TablePorts:
    """One table as the web sees it."""

    game: GamePort
    seats: SeatsPort
    race: RacePort
    rolls: RollsPort
    managed: SeatManagersPort
    corrections: CorrectionsPort
    record: RecordPort
    notices: NoticesPort
    games: GamesPort
    past: StoredGamesPort
    access: AccessPort
    devices: DevicesPort
    library: LibraryPort
    doctor: DoctorPort
    managers: CoachPort
    join: Callable[[], Join]
    """Return the address of the table for phones."""
    display_png: Callable[[], bytes | None]
    """Return the bitmap on the display, which may show the code; None if there is none."""
    shutdown: Callable[[], None]
    """Switch the table off, in order, some moments after this has returned."""
    own_names: Sequence[str] = ()
    """The names of this table in its network; every table also goes by its addresses, localhost and .local names."""
    refusals: RejectionLog = field(default_factory=RejectionLog)
    """What the gates refused."""
    lanes: Lanes = field(default_factory=_build_lanes, init=False)
    """Where requests wait that take long."""
