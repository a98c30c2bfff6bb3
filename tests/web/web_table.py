"""A real table behind the pages: the session on a temporary store, with small stand-ins for the machine around it."""

from __future__ import annotations

import base64
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

from device.analysis.dice_report import DiceReports
from device.service.access import Access
from device.shapes import (
    Advice,
    CalibrationCheck,
    CalibrationReport,
    Finding,
    GameAnalysis,
    GameRecord,
    Health,
    TableAddresses,
)
from device.storage.decks import DeckLibrary, house_deck
from device.storage.roll_pictures import RollPictures, with_comment
from device.storage.store import Store, StoreError
from device.table.game_choice import GameChoice
from device.table.past_games import PastGames
from device.table.publication import AudienceViews
from device.table.session import GameSession
from engine.ask_views import ChooseView
from engine.cards import Deck
from engine.game import Rulebook
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.text.numbers import chance_text
from engine.views import AudienceView, ProposalView
from tests.device.stored_games import Clock
from tests.web.made_up_leagues import MadeUpLeagues
from web.port import TablePorts

CODE = "4711"
DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
JPEG = with_comment(b"\xff\xd8 the dice \xff\xd9", "{}")
WEBP = b"RIFF\x06\0\0\0a clip"


class Film:
    """The clip of a throw."""

    def encode_webp(self) -> bytes:
        return WEBP


class Machine:
    """The camera, buttons and doctor of a table; `acts` records what they were told."""

    def __init__(self, demo: bool) -> None:
        self.is_demo, self.acts = demo, list[tuple[str, ...]]()

    def camera_jpeg(self) -> bytes:
        return JPEG

    board_jpeg = camera_jpeg

    def move_button(self, button: str, action: str) -> None:
        self.acts.append((button, action))

    def simulate_action(self, what: str) -> None:
        self.acts.append((what,))

    def shutdown(self) -> None:
        self.acts.append(("shutdown",))

    def run_calibration_step(self, step: str, corners: Sequence[tuple[float, float]] = ()) -> CalibrationReport:
        self.acts.append(("calibrate", step, *(f"{x:.2f} {y:.2f}" for x, y in corners)))
        light = CalibrationCheck("light", False, "It is too dark: turn on a lamp.")
        return CalibrationReport(
            step, False, [CalibrationCheck("outline", True, "It fills 63% of the picture."), light]
        )

    def propose_photograph(self, n: int, data: bytes) -> None:
        self.acts.append(("photograph", str(n), str(len(data))))

    def component_health(self) -> list[Health]:
        return [Health("journal", True, "Every play is on the card."), Health("camera", False, "No camera.")]

    def run_checks(self) -> list[Finding]:
        power = Finding("power", "wrong", "The voltage is <b>too low</b>.", "Take its supply.")
        network = Finding("network", "look", "Avahi does not run.", "Start it.")
        return [power, network, Finding("disk", "ok", "12.4 GiB are free.")]

    def support_bundle(self) -> bytes:
        return b"a bundle"


class WebTable(GameSession):
    """A game on a temporary store, behind all ports of the web. `shown` are fields of every view that a test sets.

    `looks` counts how often somebody read what was published; `on_look` is called then, and may raise.
    """

    def __init__(
        self,
        game: Rulebook | None = None,
        decks: Sequence[Deck] | None = None,
        *,
        table: Table | None = None,
        demo: bool = True,
        store: type[Store] = Store,
        **shown: Any,
    ) -> None:
        game = game or GAMES["small-ball"]
        folder = Path(tempfile.mkdtemp())
        self.store = store(folder / "journal.db", lambda: datetime(2026, 4, 2, 21, 30, tzinfo=UTC))
        self.time, self.pictures = Clock(), RollPictures(folder / "evidence")
        weakref.finalize(self, _remove, self.store, folder)
        self.shown, self.looks = shown, 0
        self.on_look: Callable[[], None] = lambda: None
        begun = table or Table(game, [shipped(game.key)] if decks is None else decks)
        super().__init__(self.store, lambda: begun, clock=self.time, evidence=self.pictures)
        # Drawing a caption takes a second.
        self.record.captioned_clip = self.record.throw_clip  # type: ignore[method-assign]
        self.machine = Machine(demo)
        self.access = Access(self.store, self.game.publish_again, clock=self.time)
        self.access.sign_in_code = CODE
        self.library = DeckLibrary(folder / "decks")
        self.past = PastGames(self.store.path, lambda: self.game.number, self.pictures.has_picture, _drawn)
        self.leagues = MadeUpLeagues()
        self.dice = DiceReports(self.store.path, folder / "evidence")
        self.games = GameChoice(self.game, self.store, self.library, self.past, self.access.change_code)
        self.analysis: GameAnalysis | None = GameAnalysis(None, {}, None, None)
        """Of every stored game; None while it is computed."""
        self.own_names: Sequence[str] = ("testserver",)
        self.rolls.set_camera_state("empty", "The tray is empty.")

    @property
    def port(self) -> TablePorts:
        return TablePorts(
            **parts(self),
            photographs=self.machine,
            games=self.games,
            past=self.past,
            dice=self.dice,
            access=self.access,
            devices=self.machine,
            library=self.library,
            doctor=self.machine,
            managers=self,
            analysis=self,
            books=self.leagues,
            leagues=self.leagues,
            join=lambda reached: TableAddresses(
                "http://dugout.local:8000/", "dugout", "10.0.0.7:8000", "http://10.0.0.7:8000/"
            ),
            display_png=lambda: DOT,
            shutdown=self.machine.shutdown,
            own_names=self.own_names,
        )

    def show(self, **shown: Any) -> None:
        """Publish views with these fields changed."""
        self.shown |= shown
        self.game.publish_again()

    def altered(self, view: AudienceView, seat: Seat | None) -> AudienceView:
        """Return the view that an audience gets in place of its own."""
        changed: AudienceView = with_(view, **self.shown)
        return changed

    def build_views(self, version: int) -> AudienceViews:
        """Return the views with what a test changed."""
        views = super().build_views(version)
        away, home = (self.altered(view, seat) for seat, view in zip(SEATS, (views.away, views.home), strict=True))
        return CountedViews(self.altered(views.public, None), away, home, views.due, views.clock, self)

    def catch_up(self) -> None:
        """Publish what was answered on the table itself; it is not stored."""
        with self.game.publish_change():
            self.game.sources += [Source.UNKNOWN] * (len(self.game.live.journal) - len(self.game.sources))
            self.game.tables = {}
            self.game.give_automatic_answers()

    def coach_advice(self, seat: Seat, n: int) -> list[Advice]:
        """Return advice on the first two options of a choice, for those who may ask."""
        self.managed.record_coach_question(seat)
        ask = next(ask for ask in self.game.table.view_for(seat).asks if ask.n == n)
        options = ask.options[:2] if isinstance(ask, ChooseView) else ()
        found = [(one, 0.5 - i / 10, 1.0 - i) for i, one in enumerate(options)]
        return [
            Advice(one.value, one.label, win, share, "", chance_text(win), chance_text(share))
            for one, win, share in found
        ]

    def game_analysis(self, number: int) -> GameAnalysis | None:
        """Return the analysis that a test has set."""
        return self.analysis


class CountedViews(AudienceViews):
    """The views of one moment, which count who reads them."""

    def __init__(
        self,
        public: AudienceView,
        away: AudienceView,
        home: AudienceView,
        due: float | None,
        clock: Any,
        table: WebTable,
    ) -> None:
        super().__init__(public, away, home, due, clock)
        object.__setattr__(self, "table", table)

    def view_for(self, seat: Seat | None) -> AudienceView:
        """Return the view of one audience."""
        self.table.looks += 1  # type: ignore[attr-defined]
        self.table.on_look()  # type: ignore[attr-defined]
        return super().view_for(seat)


def parts(session: GameSession) -> dict[str, Any]:
    """Return the ports of a port that a session provides."""
    names = ("game", "seats", "race", "rolls", "managed", "corrections", "record")
    return {name: getattr(session, name) for name in names} | {"notices": session.game.notices}


@cache
def shipped(key: str) -> Deck:
    """Return the deck that ships with a game, read once."""
    return house_deck(GAMES[key])


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


def _drawn(record: GameRecord, shape: Literal["wide", "tall"]) -> bytes | None:
    return b"PNG " + shape.encode() if record.table and record.table.outcome else None


def _remove(store: Store, folder: Path) -> None:
    with suppress(StoreError):
        store.close()
    shutil.rmtree(folder, ignore_errors=True)
