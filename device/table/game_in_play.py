"""The game in play: its table, everything that depends on its open asks, and what every audience sees of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from device.storage.roll_pictures import RollPictures
from device.table import house_turns, play_log, saved_clip, standing_answers
from device.table.agreement import Agreement
from device.table.entry.board_layout import BoardLayout
from device.table.entry.seat_entries import SeatEntries
from device.table.managed_seats import ManagedSeats, may_ask_coach
from device.table.play_log import Learner, RollEvidence
from device.table.proposed_roll import ProposedRoll, TrayRoll
from device.table.publisher import Publisher, Views
from device.table.race.open_race import OpenRace
from device.table.standing_answers import StandingSettings
from engine.announcer import Announcer
from engine.asks import Secret, Thrown
from engine.seats import SEATS, Seat
from engine.table import Given, Table
from engine.views import (
    AnswerView,
    AutomaticView,
    CallView,
    ChanceView,
    CorrectionPreview,
    GameName,
    PlayView,
    ProposalView,
    StandingReroll,
    StandingRoll,
    StandingView,
    TableView,
    TopicView,
    UndoPreview,
    View,
)
from web.models import PlaysPage, ThrowCaption
from web.port import LISTED, log_part
from web.security.paths import without_paths

TableViews = Mapping[Seat | None, TableView]
"""What every audience sees of the table."""

BEFORE = 6
"""How many plays of the half-inning before are shown with a new one: more than come of one throw."""


class GameInPlay(Publisher):
    """One game of the store, the proposed roll, the seats' entries, the race and the board; `Session` changes them.

    `show` and `clock` are those of the session, `pictures` and `lessons` those of `RollEvidence`.
    """

    _game: int
    """Its number in the store."""
    _table: Table
    _sources: list[str]
    """Who gave each entry of its journal."""
    _standing: StandingSettings

    def __init__(
        self, show: float, clock: Callable[[], float], pictures: RollPictures | None, lessons: Learner | None
    ) -> None:
        super().__init__(clock)
        self._show = show
        self._tray = TrayRoll(show)
        self._layout = BoardLayout()
        self._agreement = Agreement()
        self._managed = ManagedSeats()
        self._entries = SeatEntries(self._managed.again)
        self._evidence = RollEvidence(pictures, lessons)
        self._race: OpenRace | None = None
        self._ended = self._passed = -math.inf
        """When the last race ended, and when a race or roll last ended by itself."""
        self._stored = -math.inf
        """When the last answer was stored."""
        self._tables: TableViews = {}
        self._announcer = Announcer()
        self._chances: tuple[object, list[ChanceView]] = (None, [])
        """What the open roll may bring, behind the place in the game that this was worked out for."""
        self._outcome: tuple[object, str] = (None, "")
        """What the proposed roll would do, behind the roll and the place in the game that this was worked out for."""
        self._saved: tuple[tuple[str, ThrowCaption], bytes] | None = None
        """The last clip that was drawn to be saved, with its name and caption."""

    def _settle(self, views: TableViews | None = None, new: bool = False) -> None:
        """Update everything that depends on the open asks; `views` are those of the table, where they are known.

        `new`: discard everything from before.
        """
        self._tables = views or self._table.views(None, *SEATS)
        asks, now = dict(self._table.asks()), self.clock()
        self._tray.settle(asks, now)
        self._entries.settle(self._table, keep=not new, managed=self._standing.managers)
        self._lay_roll()
        self._layout.settle(self._table, now, new)
        last = max((one.n for one in self._table.answers[-2:]), default=-1)  # two asks at most are open together
        self._agreement.settle(len(self._table.journal), self._game, last, new)
        self._managed.settle(self._table, new)
        if self._race is not None and (new or not asks.keys() & self._race.n.values()):
            self._race, self._ended, self._passed = None, now, now
        if self._race is None:
            self._race = OpenRace.of(asks.items(), self._table.house, now)

    def watch(self, state: str, words: str) -> None:
        """Set what the dice camera is doing. In an empty tray, advice about the dice has had its time."""
        with self._lock:
            if state == "empty" and self._tray.pick_up():
                with self._change():
                    super().watch(state, words)
            else:
                super().watch(state, words)

    def _lay_roll(self) -> None:
        """Start the entry of the seat whose roll is proposed with what the roll shows."""
        if shown := self._tray.shown:
            self._entries.lay(self._table, shown.seat, shown.value, shown.likely)

    def _build(self, version: int) -> Views:
        log, shown, entry = self._table.log.read(), self._tray.shown, self._entries.shown
        begun = max(*log.halves[-1:], *log.games[-1:], 0, 0)
        lines = self._lines(max(0, begun - BEFORE))
        given = standing_answers.since_throw(self._table, self._sources)
        public = View(
            game=GameName(self._table.game.key, self._table.game.title),
            table=self._tables[None],
            undone=self._table.undone,
            plays=lines[min(begun, BEFORE) :],
            proposal=self._proposal(),
            dial=entry.view() if entry and not self._layout.looking(entry) else None,
            race=self._race.shown if self._race else None,
            layout=self._layout.view(entry),
            version=version,
            watching=self._watching,
            missing=[without_paths(words) for words in self._missing.values()],
            notice=(notice := self._notices.shown) and without_paths(notice),
            standing=self._standing_views(),
            automatic=self._automatic(given, None),
            waits=[seat for seat in SEATS if self._can_reopen(given, seat)],
            before=lines[: min(begun, BEFORE)],
            number=self._game,
            calls=self._calls(),
            managers=self._managed.views(self._table, self._standing),
            manageable=standing_answers.may_be_managed(self._table, self._tables[None].scoreboard.plays),
            pace=self._standing.pace,
            coached=may_ask_coach(self._table, self._standing, self._tables[None].scoreboard.plays),
            coaching=list(self._standing.coached),
            correction=proposed.view if (proposed := self._agreement.open) else None,
            warnings=[without_paths(sentence) for sentence in self._notices.warnings],
        )
        away, home = (
            replace(public, table=self._tables[seat], automatic=self._automatic(given, seat)) for seat in SEATS
        )
        return Views(public, away, home, shown.due if shown else None, self.clock)

    def _calls(self) -> list[CallView]:
        """Return what the announcer says of the newest answers. Each answer is read once."""
        calls = self._announcer.follow(self._table, self._tables[None].scoreboard)
        return [CallView(f"{self._game}-{one.place}", one.n, one.text, one.marks, one.now) for one in calls]

    def _lines(self, start: int = 0) -> list[PlayView]:
        """Return the play log from its event `start` on."""
        log = self._table.log
        pictures = self._evidence.names(self._game, self._table, log[start].n if start < len(log) else 0)
        clips = self._evidence.clips(pictures)
        return play_log.lines(self._table, pictures, self._evidence.typed, start, clips=clips)

    def _proposal(self) -> ProposalView | None:
        shown = self._tray.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in self._table.asks() if n == shown.n and isinstance(ask, Thrown))
        evidence = self._evidence.coming(self._game, self._table, shown)
        return shown.view(self.clock(), roll, evidence, self._outcome_of(shown))

    def _outcome_of(self, shown: ProposedRoll) -> str:
        """Return what the proposed roll would do. It is worked out once for its faces, not for every view."""
        about = (self._game, len(self._table.journal), shown.n, shown.value)
        if self._outcome[0] != about:
            self._outcome = about, play_log.outcome(self._table, shown.n, list(shown.value))
        return self._outcome[1]

    def _standing_views(self) -> dict[Seat, StandingView]:
        """Return what each seat of the table is asked."""
        table, settings = self._table, self._standing
        return {
            seat: StandingView(
                [
                    TopicView(one.key, one.title, one.means, settings.asked(seat, one.key))
                    for one in standing_answers.topics(table)
                ],
                standing_answers.waits(table, settings, seat),
            )
            for seat in SEATS
            if seat in self._tables[None].scoreboard.plays
        }

    def _automatic(self, given: Sequence[Given], seat: Seat | None) -> list[AutomaticView]:
        """Return what the table answered by itself since the last throw, `given`, as `seat` may see it."""
        table, found = self._table, list[AutomaticView]()
        for one in given:
            if not isinstance(one.ask, Secret) or one.ask.seat == seat:
                topic = standing_answers.topic_of(table, one.ask)
                standing = self._sources[one.entry] == house_turns.STANDING
                words = topic.means if topic and standing else play_log.words(table, one)
                found.append(AutomaticView(one.n, one.ask.seat, words))
        return found

    def _may_reopen(self, seat: Seat) -> bool:
        """True if "Wait" would reopen something for this seat."""
        return self._can_reopen(standing_answers.since_throw(self._table, self._sources), seat)

    def _may_wait(self, seat: Seat) -> bool:
        """True if "Wait" would reopen something for this seat, or ask it what is still to be answered for it."""
        table, settings = self._table, self._standing
        ahead = bool(table.asks()) and not self._thrown and not standing_answers.waits(table, settings, seat)
        return (ahead and settings.less(table, seat)) or self._may_reopen(seat)

    def _can_reopen(self, given: Sequence[Given], seat: Seat) -> bool:
        """True if the first of this seat's answers among `given` can be taken back without a person's answer."""
        first = None if self._thrown else next((one.n for one in given if one.ask.seat == seat), None)
        return first is not None and standing_answers.reaches(self._table, self._sources, first)

    @property
    def _thrown(self) -> bool:
        """True if dice are thrown already for what is asked now: a roll is shown, or somebody called in a race."""
        return self._tray.shown is not None or (self._race is not None and bool(self._race.sources))

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """A copy of the table, to be read without the lock."""
        return self.game[1]

    @property
    def number(self) -> int:
        """The number of the game in the store."""
        with self._lock:
            return self._game

    @property
    def game(self) -> tuple[int, Table]:
        """The number of the game in the store, and a copy of its table."""
        with self._lock:
            return self._game, self._table.clone()

    def picture(self, name: str) -> bytes | None:
        """Return the picture that `evidence` names, a JPEG; None if there is none or it is gone."""
        with self._lock:
            shown = self._tray.shown
            if shown and name == self._evidence.coming(self._game, self._table, shown):
                return shown.picture
        return self._evidence.find(name)

    def clip(self, name: str) -> bytes | None:
        """Return the clip of the throw beside the picture of that name, an animated WebP; None if there is none."""
        return self._evidence.find_clip(name)

    # What follows reads a whole game and may take long: from a copy, so that no answer waits for it.

    def plays(self, page: int = 1) -> PlaysPage:
        """Return a page of the play log; page 1 has the newest lines."""
        with self._lock:
            game, table, typed = self._game, self._table.clone(), set(self._evidence.typed)
        part, pages = log_part(len(table.log), page)
        pictures = self._evidence.names(game, table, table.log[part.start].n) if part else {}
        clips = self._evidence.clips(pictures)
        return PlaysPage(play_log.lines(table, pictures, typed, part.start, part.stop, clips), page, pages)

    def caption(self, name: str) -> ThrowCaption | None:
        """Return the score and the play that came of the throw in the clip of that name.

        None if it belongs to another game, was taken back, or nothing came of it.
        """
        with self._lock:
            game, table = self._game, self._table.clone()
        n = next((n for n, one in self._evidence.names(game, table).items() if one == name), None)
        return None if n is None else saved_clip.caption(table, n)

    def saved_clip(self, name: str) -> bytes | None:
        """Return the clip of the throw as a GIF, with its caption below if it has one; None if there is no clip."""
        clip, words = self.clip(name), self.caption(name) or ThrowCaption("", "")
        if clip is None:
            return None
        asked, kept = (name, words), self._saved
        if kept is None or kept[0] != asked:
            drawn = saved_clip.captioned(clip, words)
            if drawn is None:
                return None
            kept = self._saved = asked, drawn
        return kept[1]

    def rolls(self, most: int = LISTED, before: int | None = None) -> list[StandingRoll | StandingReroll]:
        """Return the current rolls, newest first, at most `most`, of those before answer `before` (None: of all)."""
        with self._lock:
            game, table, sources = self._game, self._table.clone(), list(self._sources)
            guesses = dict(self._evidence.guesses)
        return play_log.rolls(table, self._evidence.names(game, table), guesses, sources, most, before)

    def chances(self) -> list[ChanceView]:
        """Return what the roll that is asked for may bring, the likeliest first; empty if that cannot be told."""
        number, table = self.game
        key = number, len(table.journal)
        if self._chances[0] != key:
            self._chances = key, play_log.chances(table)
        return self._chances[1]

    def answers(self, most: int = LISTED, before: int | None = None) -> list[AnswerView]:
        """Return the current answers that people gave, newest first; `most` and `before` as in `rolls`."""
        with self._lock:
            table, sources = self._table.clone(), list(self._sources)
        return play_log.answers(table, sources, most, before)

    def undo_preview(self, n: int) -> UndoPreview:
        """Return what `undo(n)` would change. Raises StaleAnswer."""
        with self._lock:
            return play_log.undo_preview(self._table, n, self._sources)

    def preview(self, n: int, value: Any) -> CorrectionPreview:
        """Return what `amend(n, value)` would change."""
        with self._lock:
            return play_log.correction_preview(self._table, n, value)

    def proposed_change(self) -> CorrectionPreview | None:
        """Return what the proposed correction would change, as everybody may see it.

        None if none is proposed, or if that would show something hidden.
        """
        with self._lock:
            return self._agreement.open.preview if self._agreement.open else None
