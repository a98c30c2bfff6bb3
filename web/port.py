"""The table as the web sees it, in small ports. The device implements them, and tests fake them.

Every method may be called from any thread and may block for a few milliseconds. Everything returned is redacted for its
audience. The web only hides what a seat has `given` (`web.auth.redacted_view`), and never shows a view to another
audience. Rejections are `engine.errors.EngineError`.
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
    CardFields,
    DeckList,
    DeckView,
    DiceReport,
    Finding,
    GameAnalysis,
    GameCatalog,
    GameJournal,
    GameRecord,
    GamesPage,
    GameSummary,
    Health,
    LessonView,
    OfferedDeck,
    PlaysPage,
    ReplayPart,
    TableAddresses,
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
from web.league_port import BooksPort, LeaguesPort
from web.security.passes import PassList
from web.security.rejection_log import RejectionLog

if TYPE_CHECKING:
    from web.lanes import Lanes


class PublishedViews(Protocol):
    """The views of all audiences after one change."""

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Return the view of one audience (None: spectators)."""


class GamePort(Protocol):
    """The game on the table, with its views and the operator's corrections."""

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Return the complete view of one audience (None: spectators and the operator)."""

    def subscribe(self, receive: Callable[[PublishedViews], None]) -> Callable[[], None]:
        """Call `receive` with the views now and after every change, in any thread. Return an unsubscriber."""

    def undo_answers(self, n: int | None = None, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Undo answer `n` and all later ones (None: the last answer of a person).

        Raises StaleAnswer if the table's version has changed from `version`, that on the phone.
        """

    def correct_roll(self, n: int, value: Any, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Correct roll `n`. `version` as in `undo_answers`."""


class SeatsPort(Protocol):
    """Answers of the seats, and automatic answers for them. The web checks permissions."""

    def answer_ask(self, seat: Seat, n: int, value: Any, source: Source) -> None:
        """Answer ask `n`. `source` is PHONE for the seat's own phone, or OPERATOR."""

    def set_ask_preference(self, seat: Seat, topic: str, when: str) -> None:
        """Set when a seat is asked about a topic of its game. See `AudienceView.standing`."""

    def reopen_answers(self, seat: Seat, n: int | None = None, source: Source = Source.PHONE) -> None:
        """Reopen a seat's automatic answers, `n` if known, and ask the seat everything until the next throw."""


class RacePort(Protocol):
    """The current race. The web checks permissions."""

    def call_in_race(self, seat: Seat, n: int, when: float | None, source: Source) -> None:
        """Call for a seat in the race of ask `n`, at the time `when` (None: now).

        The view's `race` shows later whether the die supports the call. If the table asks to confirm a call,
        `SeatsPort.answer_ask` must answer with a face or "false-call".
        """


class RollsPort(Protocol):
    """The roll that is shown before it counts."""

    def reject_roll(self, n: int | None = None) -> None:
        """Withdraw the roll proposed for ask `n` before it counts."""

    def stop_countdown(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`, because somebody is correcting it."""


class PhotographsPort(Protocol):
    """Photographs of dice. The web checks permissions."""

    def propose_photograph(self, n: int, data: bytes) -> None:
        """Read a photograph and propose its dice for the roll of ask `n`. Takes seconds."""


class SeatManagersPort(Protocol):
    """The computer managers of seats, and the coach. The web checks permissions."""

    def assign_manager(self, seat: Seat, choice: str | None) -> None:
        """Let a computer of the cast, or of a strength, manage a seat (None: a person). See `AudienceView.cast`.

        Raises IllegalAnswer for any other.
        """

    def set_pace(self, pace: str) -> None:
        """Set how soon the managers answer. See `AudienceView.pace`."""

    def set_table_rolls(self, on: bool) -> None:
        """Set whether the table rolls for the managers. See `AudienceView.table_rolls`."""

    def allow_coach(self, seat: Seat, on: bool) -> None:
        """Set whether a seat allows asking the coach. See `AudienceView.coaching`."""

    def set_assistance(self, seat: Seat, on: bool) -> None:
        """Set whether the coach answers what hardly matters for a seat. See `SeatSettingsView.assisted`."""


class CorrectionsPort(Protocol):
    """Corrections of the last roll that one seat proposes and the other agrees to. The web checks permissions."""

    def propose_correction(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        """Propose that the last roll, `n`, was `value`. `empty` is True if no phone holds the other seat."""

    def agree_to_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Agree for a seat to the correction with these values, as its own phone or as `operator`. It counts then."""

    def end_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Cancel the correction with these values. The roll stays."""

    def end_any_correction(self) -> None:
        """Cancel any proposed correction, because a phone changed sides or a seat was freed."""

    def preview_proposed_correction(self) -> CorrectionPreview | None:
        """Return the public effect of the proposed correction. None without one, or if it would show a secret."""


class RecordPort(Protocol):
    """The history of the game so far."""

    def plays_page(self, page: int = 1) -> PlaysPage:
        """Return a page of the play log. Page 1 has the newest lines."""

    def current_rolls(
        self, most: int = MAX_LIST_LENGTH, before: int | None = None
    ) -> Sequence[CurrentRoll | CurrentReroll]:
        """Return at most `most` current rolls before answer `before`, newest first. Phones may correct only these."""

    def outcome_chances(self) -> Sequence[OutcomeChanceView]:
        """Return the possible outcomes of the open roll, likeliest first. Empty if they are unknown."""

    def current_answers(self, most: int = MAX_LIST_LENGTH, before: int | None = None) -> Sequence[AnswerView]:
        """Return current answers of people, newest first, not of dice. `most` and `before` as in `current_rolls`."""

    def preview_undo(self, n: int) -> UndoPreview:
        """Return the effect of `undo_answers` as a spectator may see it."""

    def preview_correction(self, n: int, value: Any) -> CorrectionPreview:
        """Return the effect of `correct_roll` as a spectator may see it."""

    def dice_picture(self, name: str) -> bytes | None:
        """Return the JPEG that a play, roll or proposal names as `evidence`, or None."""

    def dice_reading_json(self, name: str) -> str | None:
        """Return the reading of the dice in that picture as JSON, or None."""

    def throw_clip(self, name: str) -> bytes | None:
        """Return the clip of the throw of that `evidence`, an animated WebP, or None."""

    def clip_caption(self, name: str) -> ThrowCaption | None:
        """Return the caption of a clip. None for a clip of another game, or if the throw had no result."""

    def captioned_clip(self, name: str) -> bytes | None:
        """Return the clip as a GIF with its caption drawn below, or None. Takes a second or more."""


class NoticesPort(Protocol):
    """Notices that everybody reads."""

    def show_warning(self, sentence: str) -> None:
        """Show a sentence that later notices do not replace."""


class GamesPort(Protocol):
    """Start, resume, list and name games."""

    def game_catalog(self) -> GameCatalog:
        """Return everything that can be played, with the decks of `LibraryPort.owner_decks`."""

    def begin_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        pace: str = "",
        table_rolls: bool = False,
        game_pace: str = "",
        people: Mapping[Seat, str] | None = None,
    ) -> None:
        """Start a new game on the table. Raises DeckError, HouseRuleError, or IllegalAnswer for an invalid name or a
        seat that no computer can manage.

        decks: names of decks in the library. []: the house deck.
        house: the house rules that differ from their defaults.
        names: what people call the sides. Sides not listed keep their default names.
        managers: the computer by seat that it manages, as in `SeatManagersPort.assign_manager`.
        pace: how soon managers answer. "": unchanged.
        table_rolls: True if the table rolls for the managers.
        game_pace: key of the game's pace whose house rules apply, unless `house` changes them. "": none.
        people: keys of the people who manage, by seat, as in `LeaguesPort.people`.
        """

    def agree_to_rematch(self, seat: Seat, on: bool) -> None:
        """Set whether a seat asks for a rematch. Once all seats of people do, it begins. See `AudienceView.rematch`.

        The web checks permissions. Raises IllegalAnswer while the game is not over.
        """

    def game_lesson(self, game: str) -> LessonView | None:
        """Return the lesson of a game, with figures of the decks on the table if they are of this game, else of the
        house deck. None if there is no such game, or it has no lesson.
        """

    def begin_rematch(self) -> None:
        """Start a new game with the same rulebook, decks, house rules and names as the one on the table."""

    def resume_game(self, number: int) -> bool:
        """Pause the game on the table and resume this one. Return False if there is no such game.

        Raises IllegalAnswer if it is over or cannot be read, StaleAnswer if somebody else resumed it.
        """

    def set_game_name(self, number: int, name: str) -> bool:
        """Name a game, in at most 40 characters ("": no name). Return False if there is no such game."""


class StoredGamesPort(Protocol):
    """The stored games."""

    def games_page(self, page: int) -> GamesPage:
        """Return a page of the stored games, from 1. The game that was last on the table comes first."""

    def paused_games(self) -> Sequence[GameSummary]:
        """Return at most 20 paused games with plays. The one that was last played comes first."""

    def game_record(self, number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
        """Return one game, or None if there is no such game. Reads a complete journal."""

    def game_scorecards(self, number: int, wanted: AbortCheck = never_abort) -> Mapping[Seat, Scorecard] | None:
        """Return the scorecard of each side of one game, or None as `game_journal` does. Reads the journal twice."""

    def share_picture(
        self, number: int, shape: Literal["wide", "tall"], wanted: AbortCheck = never_abort
    ) -> bytes | None:
        """Return the result of a game as a PNG to share. None if it is not over or cannot be read."""

    def replay_part(self, number: int, first: int = 0, wanted: AbortCheck = never_abort) -> ReplayPart | None:
        """Return a part of a game as spectators saw it, from after `first` answers, or None as `game_journal` does."""

    def game_journal(self, number: int, wanted: AbortCheck = never_abort) -> GameJournal | None:
        """Return the journal of one game. None if it is missing or cannot be read."""


class AnalysisPort(Protocol):
    """Win probabilities, computed in the background."""

    def game_analysis(self, number: int) -> GameAnalysis | None:
        """Return the analysis of a stored game. None while it is computed: ask again in a second.

        A game that nobody asks for is not computed. One that is missing or damaged has no analysis.
        """


class DicePort(Protocol):
    """The dice of all stored games."""

    def dice_report(self) -> DiceReport:
        """Return the dice report as far as it is known. While games are counted, ask again in a second."""


class AccessPort(Protocol):
    """Sign-in and permissions at the table."""

    @property
    def sign_in_code(self) -> str:
        """The code on the display. It changes with each new game and each freed seat."""

    @property
    def cookie_key(self) -> str:
        """The key that signs cookies. A new key signs out every phone."""

    @property
    def table_id(self) -> str:
        """The public ID of the table, which stays."""

    def role_for_code(self, code: str) -> str | None:
        """Return "operator" for the code on the display, else None. Compares in constant time."""

    def redeem_invitation(self, invitation: str) -> bool:
        """Redeem an invitation that the display showed. Return False if it is not valid, or was redeemed before."""

    def seat_epoch(self, seat: Seat) -> int:
        """Return the number of times that seat was freed. A pass is valid only in the epoch in which it was given."""

    def free_seat(self, seat: Seat) -> None:
        """End every pass of that seat and change the code."""

    def change_code(self) -> None:
        """Change the code, if the new one can be stored."""

    def lengthen_code(self) -> None:
        """Use a longer code because somebody is guessing it. The table shows a notice."""

    @property
    def pass_list(self) -> PassList:
        """The passes of phones that are signed in."""


class DevicesPort(Protocol):
    """The hardware of the table."""

    @property
    def is_demo(self) -> bool:
        """True if there are virtual buttons and dice."""

    def camera_jpeg(self) -> bytes | None:
        """Return the latest camera picture with its reading drawn on, or None."""

    def board_jpeg(self) -> bytes | None:
        """Return the latest picture of the board camera with its layout drawn on, or None."""

    def move_button(self, button: str, action: str) -> None:
        """Move a virtual button, in a demo only. `web.routes.api.PressBody` lists the values.

        `action` is "press" (goes down), "hold" (has been down for long) or "release" (comes up).
        """

    def simulate_action(self, what: str) -> None:
        """Act on the virtual tray, camera or board, in a demo only. `web.routes.api.SimulateBody` lists the values.

        In a race "throw" throws the dice of both seats, "throw-home" and "throw-away" those of one. "lay" places the
        requested pieces on the board. "cover" puts a cup there until the next "lay".
        """

    def run_calibration_step(self, step: str, corners: Sequence[tuple[float, float]] = ()) -> CalibrationReport:
        """Run a calibration step, which takes seconds.

        step: "empty" (capture the empty tray), "corners" (set those of the tray), "die" (measure one die), "dice"
            (test which dice can be read) or "forget".
        corners: positions in the picture, as shares of its width and height.
        """

    def component_health(self) -> list[Health]:
        """Return the state of each component."""


class LibraryPort(Protocol):
    """The decks that ship with the games, named "house", and the owner's, named as their files.

    Reading opens files. A rejected change changes nothing. It raises DeckError with every fault, StaleAnswer if a deck
    or card is gone or has changed, or OSError.
    """

    def all_decks(self) -> Sequence[DeckList]:
        """Return the decks of every game, the one that ships first."""

    def owner_decks(self, game: str) -> Sequence[OfferedDeck]:
        """Return the owner's decks for this game."""

    def deck_view(self, game: str, name: str) -> DeckView | None:
        """Return one deck, or None."""

    def deck_text(self, game: str, name: str) -> str | None:
        """Return the text of a deck's file, or None."""

    def create_deck(self, game: str, title: str, copy: str | None) -> str:
        """Create an empty deck or a copy. Return its name."""

    def import_deck(self, text: str, title: str | None) -> tuple[str, str]:
        """Store the text of a deck, whose cards must all be valid. Return its game and name."""

    def save_card(
        self, game: str, name: str, kind: str, place: int | None, fields: CardFields, seen: str | None
    ) -> int:
        """Write a card at `place` (None: after the last of its kind). Return its place.

        `seen` is the mark of the card to replace (None: any). A field that is null or "" is omitted.
        """

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Remove a card. `seen` as in `save_card`."""

    def rename_deck(self, game: str, name: str, title: str) -> None:
        """Change the title of a deck. Its name stays."""

    def delete_deck(self, game: str, name: str) -> None:
        """Delete a deck. Games that began with it continue, because they store its text."""


class DoctorPort(Protocol):
    """The checks of the machine. They may take some seconds."""

    def run_checks(self) -> Sequence[Finding]:
        """Run the checks and return their findings, the worst first."""

    def support_bundle(self) -> bytes:
        """Return the support bundle, a ZIP of the findings, versions and log, without secrets."""


class CoachPort(Protocol):
    """Advice of the computer managers."""

    def coach_advice(self, seat: Seat, n: int) -> Sequence[Advice]:
        """Return the coach's rating of each answer to ask `n` of a seat, the best first. May take seconds.

        Everybody reads that the coach was asked. The web checks permissions. Raises StaleAnswer if the ask is not open
        for this seat, IllegalAnswer if it may not ask the coach.
        """


def _build_lanes() -> Lanes:
    from web.lanes import Lanes  # here, because it loads the web server's libraries

    return Lanes()


@dataclass(frozen=True)
class TablePorts:
    """The ports of one table."""

    game: GamePort
    seats: SeatsPort
    race: RacePort
    rolls: RollsPort
    photographs: PhotographsPort
    managed: SeatManagersPort
    corrections: CorrectionsPort
    record: RecordPort
    notices: NoticesPort
    games: GamesPort
    past: StoredGamesPort
    dice: DicePort
    access: AccessPort
    devices: DevicesPort
    library: LibraryPort
    doctor: DoctorPort
    managers: CoachPort
    analysis: AnalysisPort
    books: BooksPort
    leagues: LeaguesPort
    join: Callable[[str], TableAddresses]
    """Return the addresses of the table for phones, given the table's address at which this request arrived."""
    display_png: Callable[[], bytes | None]
    """Return the bitmap on the display, which may show the code, or None."""
    shutdown: Callable[[], None]
    """Shut down the table, some moments after this has returned."""
    own_names: Sequence[str] = ()
    """The names of this table in its network. Every table also has its addresses, localhost and .local names."""
    refusals: RejectionLog = field(default_factory=RejectionLog)
    """The rejections by gates."""
    lanes: Lanes = field(default_factory=_build_lanes, init=False)
    """The lanes in which slow requests wait."""
