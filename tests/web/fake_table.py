"""A table without a machine: a real engine behind the web's port, and a record of what the web did with it."""

from __future__ import annotations

import base64
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from device.storage.decks import DeckLibrary, house_deck
from device.storage.game_list import checked_name
from device.table import play_log, saved_clip
from device.table.agreement import Agreement
from device.table.game_rows import where
from device.table.past_games import part
from engine.ask_views import ChooseView
from engine.cards import Deck
from engine.errors import IllegalAnswer, StaleAnswer, WrongSeat
from engine.game import Game
from engine.games import GAMES
from engine.journal import Undo
from engine.scorecard.fold import sheets
from engine.scorecard.sheet import Sheet
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import (
    AnswerView,
    AutomaticView,
    ChanceView,
    CorrectionPreview,
    GameName,
    LayoutView,
    ManagerView,
    ProposalView,
    RaceView,
    StandingReroll,
    StandingRoll,
    StandingView,
    UndoPreview,
    View,
    Watching,
    plain,
)
from web.models import (
    Advice,
    CalibrationCheck,
    CalibrationReport,
    CameraFigures,
    Catalogue,
    Figures,
    Finding,
    GameJournal,
    GameRecord,
    GamesPage,
    GameSummary,
    Health,
    HouseRuleView,
    Join,
    JournalFigures,
    NotedPress,
    OfferedDeck,
    PlayableGame,
    PlaysPage,
    ReplayPart,
    TeamScore,
    ThrowCaption,
)
from web.port import LISTED, Port, PublishedViews, Wanted, anyway, log_part
from web.security.passes import PassList

CODE = "4711"
INVITATION = "K7QM2XWD9FHT3RBN"
DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")


class FakeManagers:
    """The coach of a table."""

    def __init__(self, table: FakePort) -> None:
        self._table = table

    def coach(self, seat: Seat, n: int) -> list[Advice]:
        """Return advice on the first two options of a choice; refuse if the seat may not ask."""
        if seat not in self._table.coached:
            raise IllegalAnswer("The coach may be asked against the computer, or if both sides allow it.")
        self._table.acts.append(("coach", seat, str(n)))
        ask = next(ask for ask in self._table.table.view(seat).asks if ask.n == n)
        options = ask.options[:2] if isinstance(ask, ChooseView) else ()
        return [Advice(one.value, one.label, 0.5 - i / 10, 1.0 - i, "") for i, one in enumerate(options)]


class FakeDoctor:
    def figures(self) -> Figures:
        journal, press = JournalFigures("wal", "full", None), NotedPress(1, "away-ok", 0.5)
        health = [Health("camera", True, "Works.")]
        return Figures(True, health, 0.024, CameraFigures(10.0, None), journal, None, 8000, False, [press])

    def findings(self) -> list[Finding]:
        return [
            Finding("power", "wrong", "The voltage is <b>too low</b>.", "Take its supply."),
            Finding("network", "look", "Avahi does not run.", "Start it."),
            Finding("disk", "ok", "12.4 GiB are free."),
        ]

    def bundle(self) -> bytes:
        return b"a bundle"


def with_(shape: Any, **changed: Any) -> Any:
    """Return a view with some fields changed; a mapping for a field that is a dataclass changes fields of that."""
    inner = {
        name: with_(getattr(shape, name), **value)
        if isinstance(value, Mapping) and hasattr(getattr(shape, name), "__dataclass_fields__")
        else value
        for name, value in changed.items()
    }
    return replace(shape, **inner)


def proposal(n: int, seat: Seat, faces: Sequence[int | str] = (), **more: Any) -> ProposalView:
    """Return a proposal of a roll that was read for sure; `more` changes any of its fields."""
    usual: dict[str, Any] = dict.fromkeys(one.name for one in fields(ProposalView))
    usual |= {"n": n, "seat": seat, "faces": list(faces), "words": ", ".join(map(str, faces))}
    usual |= {"likely": [], "clear": [], "sure": True, "source": "camera", "seconds": 1.0, "total": 1.5, "outcome": ""}
    return ProposalView(**usual | more)


@dataclass(frozen=True)
class FakeViews:
    """The views of one moment, with a count of how often the web reads them."""

    table: FakePort
    views: Mapping[Seat | None, View]

    def of(self, seat: Seat | None) -> View:
        self.table.looks += 1
        self.table.on_look()
        return self.views[seat]


class FakePort:
    """One table in memory, behind all ports of the web.

    `acts` records what was done; `demo` may be switched. `on_look` is called whenever the web reads what was published;
    a test may have it raise.
    """

    def __init__(self, game: Game | None = None, decks: Sequence[Deck] | None = None, demo: bool = True) -> None:
        game = game or GAMES["small-ball"]
        self.table = Table(game, [house_deck(game)] if decks is None else decks)
        self.demo = demo
        self.acts: list[tuple[str, ...]] = []
        self.names, self.shelf = dict[int, str](), list[GameSummary]()
        self.proposal: ProposalView | None = None
        self.missing = ["No camera: type the dice on a phone or with the buttons."]
        self.notice: str | None = None
        self.warnings: list[str] = []
        self.watching = Watching("empty", "The tray is empty.")
        self.standing: Mapping[Seat, StandingView] = {}
        self.managers: dict[Seat, ManagerView] = {}
        self.manageable, self.pace = False, "normal"
        self.coached: Sequence[Seat] = ()
        self.coaching: Sequence[Seat] = ()
        self.automatic: Sequence[AutomaticView] = ()
        self.waiting: Sequence[Seat] = ()
        self.lit = 0.0
        self.race: RaceView | None = None
        self.layout: LayoutView | None = None
        self.agreement = Agreement()
        self.jpeg: bytes | None = None
        self.doctor = FakeDoctor()
        self.proofs: dict[int, str] = {}
        self.film: bytes | None = None
        self.trouble: str | None = None
        self.code = CODE
        self.invitation = INVITATION
        self.own_names: Sequence[str] = ("testserver",)
        self.key = "a key for tests only"
        self.passes = PassList(age=self.age)
        self.epochs: dict[Seat, int] = {"away": 0, "home": 0}
        self._library: DeckLibrary | None = None
        self.version = 0
        self.looks = 0
        self.on_look: Callable[[], None] = lambda: None
        self.bench = FakeManagers(self)
        self._lock = threading.RLock()
        self._followers: list[Callable[[PublishedViews], None]] = []

    @property
    def port(self) -> Port:
        return Port(
            game=self,
            games=self,
            access=self,
            devices=self,
            library=self.library,
            doctor=self.doctor,
            managers=self.bench,
            join=self.join,
            display_png=lambda: DOT,
            shutdown=lambda: self.acts.append(("shutdown",)),
            own_names=self.own_names,
        )

    @property
    def library(self) -> DeckLibrary:
        """The real library, in a temporary folder of this table."""
        if self._library is None:
            folder = tempfile.mkdtemp()
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._library = DeckLibrary(Path(folder))
        return self._library

    def touch(self) -> None:
        """Publish a change."""
        with self._lock:
            self._settle(len(self.table.journal))
            self.version += 1
            for receive in list(self._followers):
                receive(self._views())

    def _views(self) -> FakeViews:
        return FakeViews(self, {seat: self.view(seat) for seat in (None, *SEATS)})

    def view(self, seat: Seat | None) -> View:
        with self._lock:
            lines = play_log.lines(self.table, self.proofs, clips=self._clips)
            now = (lines[-1].inning, lines[-1].half) if lines else None
            return View(
                game=GameName(self.table.game.key, self.table.game.title),
                table=self.table.view(seat),
                undone=sum(isinstance(entry, Undo) for entry in self.table.journal),
                plays=[line for line in lines if (line.inning, line.half) == now],
                proposal=self.proposal,
                dial=None,
                race=self.race,
                layout=self.layout,
                version=self.version,
                watching=self.watching,
                missing=list(self.missing),
                notice=self.notice,
                standing=self.standing,
                automatic=self.automatic,
                waits=self.waiting,
                managers=dict(self.managers),
                manageable=self.manageable,
                pace=self.pace,
                coached=self.coached,
                coaching=self.coaching,
                correction=self.agreement.open.view if self.agreement.open else None,
                warnings=self.warnings,
            )

    def chances(self) -> list[ChanceView]:
        return play_log.chances(self.table)

    def plays(self, page: int = 1) -> PlaysPage:
        with self._lock:
            part, pages = log_part(len(self.table.log), page)
            return PlaysPage(
                play_log.lines(self.table, self.proofs, (), part.start, part.stop, self._clips), page, pages
            )

    def picture(self, name: str) -> bytes | None:
        return self.jpeg if name in self.proofs.values() else None

    @property
    def _clips(self) -> set[str]:
        return set(self.proofs.values()) if self.film else set()

    def clip(self, name: str) -> bytes | None:
        return self.film if name in self._clips else None

    def caption(self, name: str) -> ThrowCaption | None:
        with self._lock:
            n = next((n for n, one in self.proofs.items() if one == name), None)
            return None if n is None else saved_clip.caption(self.table, n)

    def saved_clip(self, name: str) -> bytes | None:
        return self.clip(name)

    def rolls(self, most: int = LISTED, before: int | None = None) -> Sequence[StandingRoll | StandingReroll]:
        with self._lock:
            return play_log.rolls(self.table, self.proofs, most=most, before=before)

    def answers(self, most: int = LISTED, before: int | None = None) -> Sequence[AnswerView]:
        with self._lock:
            return play_log.answers(self.table, most=most, before=before)

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        with self._lock:
            self.table.answer(seat, n, value)
            self.proposal = None
        self.touch()

    def call(self, seat: Seat, n: int, when: float | None, source: str) -> None:
        assert when is None, "when a call from a phone came is the table's to say"
        with self._lock:
            if all(n != one for one, _ in self.table.asks()):
                raise StaleAnswer("No race is on.")
        self.acts.append(("call", seat, str(n), source))

    def stand(self, seat: Seat, topic: str, when: str) -> None:
        """Record it; a topic "weather" is refused."""
        if topic == "weather":
            raise IllegalAnswer("No such topic.")
        self.acts.append(("stand", seat, topic, when))

    def manage(self, seat: Seat, strength: str | None) -> None:
        self.acts.append(("manage", seat, str(strength)))
        self.managers.pop(seat, None)
        if strength:
            self.managers[seat] = ManagerView(strength, "", None)
        self.touch()

    def set_pace(self, pace: str) -> None:
        self.acts.append(("pace", pace))
        self.pace = pace

    def let_coach(self, seat: Seat, on: bool) -> None:
        self.acts.append(("let-coach", seat, str(on)))

    def wait(self, seat: Seat, n: int | None = None, source: str = "phone") -> None:
        self.acts.append(("wait", seat, str(n), source))

    def show_warning(self, sentence: str) -> None:
        self.acts.append(("warning", sentence))

    def reject(self, n: int | None = None) -> None:
        if self.proposal is None or self.proposal.n != n:
            raise StaleAnswer("That roll is not shown any more.")
        self.proposal = None
        self.touch()

    def hold(self, n: int) -> None:
        if self.proposal is None or self.proposal.n != n:
            raise StaleAnswer("That roll is not shown any more.")
        self.proposal = replace(self.proposal, seconds=None)
        self.touch()

    def undo_preview(self, n: int) -> UndoPreview:
        with self._lock:
            return play_log.undo_preview(self.table, n)

    def undo(self, n: int | None = None, source: str = "phone", version: int | None = None) -> None:
        with self._lock:
            self._still(version)
            if not self.table.answers:
                raise StaleAnswer("There is nothing to take back.")
            self.table.undo(self.table.answers[-1].n if n is None else n)
        self.touch()

    def amend(self, n: int, value: Any, source: str = "phone", version: int | None = None) -> None:
        with self._lock:
            self._still(version)
            self.table.amend(n, value)
        self.touch()

    def propose(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        with self._lock:
            self._still(version)
            self._settle(version)
            self.agreement.propose(self.table, next(iter(self.rolls(1)), None), seat, n, value, empty)
        self.touch()

    def _settle(self, version: int) -> None:
        self.agreement.settle(version, 1, max((one.n for one in self.table.answers), default=-1))

    def agree(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Record who agreed, and correct the roll."""
        with self._lock:
            one = self.agreement.find(self.table, n, value, version)
            if seat != one.agrees:
                raise WrongSeat("It counts only if the other side agrees.")
        self.acts.append(("agree", "operator" if operator else seat))
        self.amend(n, value, version=version)

    def drop(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        with self._lock:
            self.agreement.find(self.table, n, value, version)
            self.agreement.drop()
        self.acts.append(("drop", "operator" if operator else seat))
        self.touch()

    def part(self) -> None:
        with self._lock:
            self.agreement.drop()

    def proposed_change(self) -> CorrectionPreview | None:
        return self.agreement.open.preview if self.agreement.open else None

    def _still(self, version: int | None) -> None:
        if version not in (None, len(self.table.journal)):
            raise StaleAnswer("The game went on: look again.")

    def preview(self, n: int, value: Any) -> CorrectionPreview:
        with self._lock:
            return play_log.correction_preview(self.table, n, value)

    def catalogue(self) -> Catalogue:
        return Catalogue(
            [
                PlayableGame(
                    game.key,
                    game.title,
                    [HouseRuleView.of(rule) for rule in game.house_rules],
                    [OfferedDeck("house", house_deck(game).title, {}, []), *self.library.offered(game.key)],
                )
                for game in GAMES.values()
            ]
        )

    def new_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        pace: str = "",
    ) -> None:
        with self._lock:
            self.table = Table(GAMES[game], self.library.load(GAMES[game], decks), house, names=names)
            self.managers = {seat: ManagerView(strength, "", None) for seat, strength in (managers or {}).items()}
            self.pace = pace or self.pace
        self.touch()

    def again(self) -> None:
        with self._lock:
            self.table = Table(self.table.game, self.table.decks, self.table.house, names=self.table.names)
        self.touch()

    def past(self, number: int, wanted: Wanted = anyway) -> GameRecord | None:
        """Return the game on the table as game 1, as it would be read from a store, unless there is `trouble`."""
        if number != 1:
            return None
        seen = self.view(None)
        board, outcome = seen.table.scoreboard, seen.table.outcome
        sides = {seat: TeamScore(side.name, side.colour, side.runs) for seat, side in board.sides.items()}
        summary = GameSummary(
            id=1,
            game=seen.game,
            name=self.names.get(1, ""),
            started="2026-04-01T19:05:00+00:00",
            played="2026-04-02T21:30:00+00:00",
            now=not outcome,
            aside=False,
            damaged=False,
            note=None,
            sides=sides,
            outcome=outcome,
            plays=self.table.log.read().plays,
            stands=where(plain(board)),
            alone=len(board.plays) == 1,
        )
        if self.trouble:
            return GameRecord(summary, self.trouble, None, [])
        return GameRecord(summary, None, seen.table, play_log.lines(self.table, self.proofs))

    def scorecard(self, number: int, wanted: Wanted = anyway) -> dict[Seat, Sheet] | None:
        return None if number > 1 or self.trouble else sheets(self.table)

    def share(self, number: int, shape: str, wanted: Wanted = anyway) -> bytes | None:
        return b"PNG " + shape.encode() if number == 1 else None

    def games(self, page: int) -> GamesPage:
        found = self.past(1)
        return GamesPage([found.summary] if found else [], page, 3)

    def aside(self) -> list[GameSummary]:
        return self.shelf

    def take(self, number: int) -> bool:
        """Record it; game 3 is over."""
        if number == 3:
            raise IllegalAnswer("That game is over.")
        self.acts.append(("take", str(number)))
        return number == 2

    def name(self, number: int, name: str) -> bool:
        """Keep it, for game 1 only."""
        if number == 1:
            self.names[1] = checked_name(name)
        return number == 1

    def replay(self, number: int, first: int = 0, wanted: Wanted = anyway) -> ReplayPart | None:
        return None if number > 1 or self.trouble else part(self.table, self.proofs, first)

    def journal(self, number: int, wanted: Wanted = anyway) -> GameJournal | None:
        if number > 1 or self.trouble:
            return None
        return GameJournal(self.table.header.as_json(), iter([self.table.entries(None)]))

    def role(self, code: str) -> str | None:
        return "operator" if code == self.code else None

    def epoch(self, seat: Seat) -> int:
        return self.epochs[seat]

    def free(self, seat: Seat) -> None:
        self.epochs[seat] += 1
        self.code = str(int(self.code) + 1)
        self.acts.append(("free", seat))

    def invited(self, invitation: str) -> bool:
        good = bool(invitation) and invitation == self.invitation
        self.invitation = "" if good else self.invitation
        return good

    def recode(self) -> None:
        self.code = str(int(self.code) + 1)

    def guessed(self) -> None:
        self.acts.append(("guessed",))

    def age(self) -> float:
        return self.lit

    def join(self) -> Join:
        return Join("http://dugout.local:8000/", "dugout", "10.0.0.7:8000")

    def camera_jpeg(self) -> bytes | None:
        return self.jpeg

    def board_jpeg(self) -> bytes | None:
        return self.jpeg

    def press(self, button: str, action: str) -> None:
        self.acts.append((button, action))

    def simulate(self, what: str) -> None:
        self.acts.append((what,))

    def calibrate(self, step: str) -> CalibrationReport:
        self.acts.append(("calibrate", step))
        checks = [
            CalibrationCheck("outline", True, "It fills 63% of the picture."),
            CalibrationCheck("light", False, "It is too dark: turn on a lamp."),
        ]
        return CalibrationReport(step, False, checks)

    def health(self) -> list[Health]:
        return [
            Health("journal", True, "Every play is on the card."),
            Health("camera", False, "No camera is plugged in."),
        ]

    def subscribe(self, receive: Callable[[PublishedViews], None]) -> Callable[[], None]:
        with self._lock:
            receive(self._views())
            self._followers.append(receive)
        return lambda: self._followers.remove(receive)
