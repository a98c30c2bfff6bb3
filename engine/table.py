"""The table: asks in, answers out; undo, amend, clone; and the view of each audience.

Rules know only their state and their asks; the table knows only asks and answers. Every change of a game is one
appended entry, so the journal is the game.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any

from engine.ask_views import AskView
from engine.asks import Ask, Call, Draw, Prompt, Race, Reroll, Roll, Secret, Together, alone, given, keep
from engine.box_score import box, star
from engine.cards import Deck, cards_of
from engine.dice import Face
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.events import Event, LoggedEvent
from engine.game import Game, State
from engine.journal import Amend, Answer, Entry, EntryJson, Header, Undo, entry_json
from engine.scoreboard import Line, Log, Scoreboard, opened
from engine.seats import SEATS, Seat, checked_names
from engine.secrets import HIDDEN, view
from engine.views import TableView


@dataclass(frozen=True, slots=True)
class Given:
    """A current answer: its ask, its checked value, and the journal entry that holds it."""

    n: int
    ask: Ask
    value: Any
    entry: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A stable state: the number the next ask will have, and the lengths of answers and log at that point."""

    n: int
    state: State
    answers: int
    log: int


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of an amend: the numbers of later answers `kept` and `dropped`, both scoreboards, and the new events
    from the amended answer on. Unrevealed answers are in neither list. `reveals`: it would show something hidden.
    """

    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    before: Scoreboard
    after: Scoreboard
    events: tuple[LoggedEvent, ...]
    reveals: bool = False


class Table:
    """One game under way.

    `Table(game, decks, house)` starts one; with `journal` it is restored. `house` names only the rules that differ
    from their defaults. `names` are what people call the sides, where those have no usual names. Raises DeckError,
    HouseRuleError, or IllegalAnswer for what can be no name. Not thread-safe: one caller at a time.
    """

    def __init__(
        self,
        game: Game,
        decks: Sequence[Deck],
        house: Mapping[str, str] | None = None,
        journal: Iterable[Entry] = (),
        names: Mapping[Seat, str] | None = None,
    ) -> None:
        self.game = game
        self.decks = tuple(decks)
        self.house = game.house(house or {})
        called = checked_names(names or {})
        self.names = {seat: name for seat, name in zip(SEATS, called, strict=True) if name}
        self.journal: list[Entry] = []
        self.answers: list[Given] = []
        self.log = Log()
        self.undone = 0
        self._shown: dict[int, int] = {}
        """Journal entries of answers that were hidden and that everybody has seen since, and of answers given in
        between; for each, the first number revealed with it.
        """
        self._marks: list[Mark] = []
        self._pending: list[Given] = []
        self._n = 0
        self._prompt: Prompt | None = None
        self._asks: dict[int, Ask] = {}
        state = game.start(cards_of(self.decks), self.house)
        state.names = called
        self._enter(state)
        for entry in journal:
            self._write(entry)

    @property
    def header(self) -> Header:
        """The header of this table's journal."""
        decks = tuple((deck.title, deck.digest) for deck in self.decks)
        return Header(self.game.key, self.game.version, decks, self.house, self.names)

    @property
    def outcome(self) -> Any:
        """The `Outcome` of the game, or None while it goes on."""
        return self.state.outcome

    # Writing -----------------------------------------------------------------------------------------------------

    def answer(self, seat: Seat, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Answer ask `n`; see `write`."""
        return self.write(Answer(seat, n, value))

    def undo(self, n: int) -> tuple[LoggedEvent, ...]:
        """Take back answer `n` and all after it. If one of these was revealed together with earlier answers, take back
        those too; see `write`.
        """
        return self.write(Undo(n))

    def amend(self, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Correct answer `n` and keep the later answers that still fit; see `write`.

        A secret answer stays only if its ask is exactly the same. If `n` itself is secret, only secrets asked together
        with it stay: whether others still fit would give something away.
        """
        return self.write(Amend(n, value))

    def write(self, entry: Entry) -> tuple[LoggedEvent, ...]:
        """Apply one entry and append it to the journal. Nothing else changes a game.

        Returns the new events; for an undo or amend, the first has the code `undo` or `amend`. Raises InvalidAnswer,
        IllegalAnswer, StaleAnswer or WrongSeat, and then nothing has changed. Any other error is a bug in the rules:
        discard the table and restore it from its journal.

        An Undo goes back to the first of the answers that were revealed together (BN-038), also from an answer given
        between secret and reveal (RB-004), and the journal records that number: nobody may choose again knowing what
        the other chose. A secret that is not revealed yet is taken back alone.
        """
        if isinstance(entry, Undo):
            entry = Undo(self._first(self._given(entry.n).n, self.answers))
        return self._write(entry)

    def _write(self, entry: Entry) -> tuple[LoggedEvent, ...]:
        """Apply an entry as `write` does, but undo exactly to its number, whatever was revealed. Journals are restored
        so.
        """
        length = len(self.log)
        match entry:
            case Answer(seat, n, value):
                ask = self._open_ask(n, seat)
                entry = Answer(seat, n, ask.check(value))
                self._take(n, ask, entry.value, len(self.journal))
                news = tuple(self.log[length:])
            case Undo(n):
                self._given(n)
                self._rewind(n)
                self.undone += 1
                news = (LoggedEvent(n, Event("undo", {"n": n})),)
            case Amend(n, value):
                entry = Amend(n, self._given(n).ask.check(value))
                self._amend(n, entry.value)
                replayed = (logged for logged in self.log if logged.n >= n)
                news = (LoggedEvent(n, Event("amend", {"n": n})), *replayed)
        self.journal.append(entry)
        return news

    def _open_ask(self, n: int, seat: Seat) -> Ask:
        ask = self._asks.get(n)
        if ask is None:
            if n < self._n or any(one.n == n for one in self._pending):
                raise StaleAnswer("That was answered already.")
            back = any(isinstance(entry, Undo | Amend) for entry in self.journal)
            raise StaleAnswer("That was taken back." if back else "That question isn't open.")
        if ask.seat != seat:
            raise WrongSeat("The other side answers that.")
        return ask

    def _given(self, n: int) -> Given:
        for one in reversed(self.answers):
            if one.n == n:
                return one
        raise StaleAnswer(f"There is no answer {n}.")

    def _first(self, n: int, answers: Sequence[Given]) -> int:
        """Return the number from which `answers` must go if those from `n` on do: answers revealed together go
        together.
        """
        for one in reversed(answers):
            if one.n >= n:
                n = min(n, self._shown.get(one.entry, n))
        return n

    def hidden(self) -> set[int]:
        """Return the numbers of the answers that not everybody has seen."""
        secrets = {one.n for one in self.answers if isinstance(one.ask, Secret) and one.entry not in self._shown}
        return secrets | {one.n for one in self._pending}

    def _amend(self, n: int, value: Any) -> None:
        later, hidden = [one for one in self.answers if one.n > n], self.hidden()
        amended = self._given(n)
        self._rewind(n)
        beside = dict(self._asks)
        self._take(n, amended.ask, value, len(self.journal))
        for one in later:
            ask = self._asks.get(one.n)
            learned = ask != one.ask or (n in hidden and one.n not in beside)
            if ask is None or not _fits(ask, one) or (one.n in hidden and learned):
                first = self._first(one.n, later)
                if first < one.n:
                    self._rewind(max(first, n + 1))
                break
            self._take(one.n, ask, ask.check(one.value), one.entry)

    # Reading -----------------------------------------------------------------------------------------------------

    def asks(self) -> tuple[tuple[int, Ask], ...]:
        """Return the open asks with their numbers."""
        return tuple(self._asks.items())

    def preview(self, n: int, value: Any) -> Preview:
        """Return what `amend(n, value)` would change. Raises as `write` does; changes nothing."""
        twin = self.clone()
        twin.amend(n, value)
        later = {one.n for one in self.answers if one.n > n} - self.hidden()
        kept = later & {one.n for one in twin.answers}
        return Preview(
            tuple(sorted(kept)),
            tuple(sorted(later - kept)),
            self.scoreboard(),
            twin.scoreboard(),
            tuple(logged for logged in twin.log if logged.n >= n),
            not twin._shown.keys() <= self._shown.keys(),
        )

    def foresee(self, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Return the events that answering ask `n` with `value` would cause, as everybody may read them.

        Empty if it would show anything hidden, or if nothing would happen yet, as where more dice follow. Raises
        StaleAnswer, InvalidAnswer or IllegalAnswer; changes nothing.
        """
        twin, ask = self.clone(), self._asks.get(n)
        if ask is None:
            raise StaleAnswer("That question isn't open.")
        news = twin.answer(ask.seat, n, value)
        return () if isinstance(ask, Secret) or twin._shown != self._shown else news

    def clone(self) -> Table:
        """Return an independent table at the same point, with its whole past."""
        twin = object.__new__(Table)
        twin.game, twin.decks, twin.house, twin.names = self.game, self.decks, self.house, self.names
        twin.journal, twin.log = list(self.journal), Log(self.log)
        twin.undone = self.undone
        twin._shown, twin._marks = dict(self._shown), list(self._marks)
        twin.answers = list(self.answers)
        twin._rewind(self._n + len(alone(self._prompt)) if self._prompt else self._n)
        return twin

    def retraced(self, place: int) -> Iterator[Table]:
        """Yield one copy of the table: as it was before the current answers from `place` of the journal on, then after
        each of them. Without any, yield the table itself. All entries from `place` on must be answers; not checked.
        """
        first = min((one.n for one in self.answers if one.entry >= place), default=None)
        if first is None:
            yield self
            return
        again = [one for one in self.answers if one.n >= first]
        twin = self.clone()
        twin._rewind(first)
        yield twin
        for one in again:
            twin._take(one.n, one.ask, one.value, one.entry)
            yield twin

    def scoreboard(self) -> Scoreboard:
        """Return what every display draws. Secrets in it are still sealed: show it through `view`."""
        board = self.game.scoreboard(self.state, self.log)
        return replace(board, dice_colours=self._colours(board.dice)) if board.dice else board

    def _colours(self, faces: tuple[Face, ...]) -> tuple[str | None, ...]:
        """Return the colors of the dice that showed `faces` last; empty if no throw did."""
        for one in reversed(self.answers if faces else ()):
            match one.ask:
                case Roll(dice=dice):
                    showed = one.value
                case Reroll(dice=dice):
                    showed = one.ask.after(one.value)
                case Call(die=die):
                    dice, showed = (die,), (one.value,)
                case _:
                    continue
            if faces == showed:
                return tuple(die.colour for die in dice)
        return ()

    def lines(self, start: int = 0, end: int | None = None) -> tuple[Line, ...]:
        """Return the play log from event `start` to before `end` (None: all), as spectators may read it, each line with
        its half-inning. Events before a game's first half-inning belong to that one.
        """
        return self.log.lines(self.game.words, start, end)

    def last(self) -> str:
        """Return the last play in a sentence or two."""
        last = list(takewhile(lambda one: one.n == self.log[-1].n, reversed(self.log)))
        return " ".join(self.game.words.event(one.event) for one in reversed(last))

    def entries(self, seat: Seat | None) -> list[EntryJson]:
        """Return the journal as `seat` may read it: other seats' secrets stay hidden until they are revealed."""
        sealed = self.sealed(seat)
        return [
            entry_json(replace(entry, value=HIDDEN) if place in sealed and not isinstance(entry, Undo) else entry)
            for place, entry in enumerate(self.journal)
        ]

    def sealed(self, seat: Seat | None) -> set[int]:
        """Return the places in the journal of the entries whose value `seat` may not read."""
        found = set[int]()
        guarded: dict[int, Seat | None] = {}
        twin = Table(self.game, self.decks, self.house, names=self.names)
        for place, entry in enumerate(self.journal):
            for n, ask in twin.asks():
                guarded[n] = ask.seat if isinstance(ask, Secret) or isinstance(twin._prompt, Together) else None
            twin._write(entry)
            if isinstance(entry, Answer | Amend) and guarded[entry.n] not in (None, seat) and place not in self._shown:
                found.add(place)
        return found

    def view(self, seat: Seat | None) -> TableView:
        """Return what `seat` may see (None: spectators)."""
        return self.views(seat)[seat]

    def views(self, *seats: Seat | None) -> dict[Seat | None, TableView]:
        """Return what each of several audiences may see. What all of them share is worked out once."""
        board, last, asks = self.scoreboard(), self.last(), self.asks()
        result = box(self.log) if self.outcome else None
        best = star(result, self.outcome) if result else None
        ready = sorted({one.ask.seat for one in self._pending})
        shared = {n: self.ask_view(n, ask, None) for n, ask in asks if not isinstance(ask, Secret)}
        return {
            seat: TableView(
                seat,
                len(self.journal),
                [shared.get(n) or self.ask_view(n, ask, seat) for n, ask in asks],
                {str(one.n): view(one.value, seat) for one in self._pending if one.ask.seat == seat},
                ready,
                opened(board, seat),
                last,
                self.outcome,
                result,
                best,
            )
            for seat in seats
        }

    def ask_view(self, n: int, ask: Ask, seat: Seat | None, dealer: bool = False) -> AskView:
        """Return one open ask as `seat` may see it: the bare `AskView` if its options are secret. If it is not a secret
        ask, everybody sees the same.

        Only the `dealer` sees the options of a secret draw: the missing ones would give away the other seat's cards.
        """
        secret, race = isinstance(ask, Secret), isinstance(self._prompt, Race)
        inner = ask.ask if isinstance(ask, Secret) else ask
        words, facts = self.game.words, view(ask.facts, seat if secret else None)
        kind, title, sentence = type(inner).__name__.lower(), words.title(ask.why, facts), words.ask(ask.why, facts)
        about = (n, ask.seat, kind, secret, race, ask.why, title, sentence)
        if secret and (not dealer if isinstance(inner, Draw) else ask.seat != seat):
            return AskView(*about)
        return inner.describe(about, partial(words.choices, facts=facts))

    # Machinery ---------------------------------------------------------------------------------------------------

    def _enter(self, state: State) -> None:
        """Mark a stable state, and run into the first ask of the next play."""
        while True:
            state.news, state.uncovered = (), False
            self._marks.append(Mark(self._n, state.copy(), len(self.answers), len(self.log)))
            if self._open(state):
                return

    def _open(self, state: State) -> bool:
        """Start the next play; False if it ended without an ask."""
        self.state, self._pending, self._logged = state, [], 0
        play = None if state.outcome else self.game.next_play(state)
        if play is None:
            self._prompt, self._asks = None, {}
            return True
        self._prompt = None
        self._play: Generator[Prompt, Any, None] = play(state)
        return self._step(None)

    def _step(self, value: Any) -> bool:
        """Send an answer into the play; False if the play ended."""
        before, uncovered = self.state.revealed, self.state.uncovered
        if self._prompt is not None:
            keep(self._prompt)
        try:
            self._prompt = self._play.send(value)
            self._asks = dict(enumerate(alone(self._prompt), self._n))
            running = True
        except StopIteration:
            running = False
        cause = self.answers[-1].n if self.answers else -1
        self.log += [LoggedEvent(cause, event) for event in self.state.news[self._logged :]]
        self._logged = len(self.state.news)
        opened, start = self.state.revealed - before, self._marks[-1].n
        if self.state.uncovered > uncovered:
            opened |= {start}
        if opened:
            # Public answers in this play after the first of them are removed together with it.
            since = max(min(opened), start)
            together = opened | {one.n for one in self.answers if one.n >= since and not isinstance(one.ask, Secret)}
            self._shown |= {one.entry: min(opened) for one in self.answers if one.n in together}
        return running

    def _take(self, n: int, ask: Ask, value: Any, entry: int) -> None:
        """Give a checked answer to its open ask."""
        prompt = self._prompt
        assert prompt is not None
        one = Given(n, ask, value, entry)
        self.answers.append(one)
        self._pending.append(one)
        del self._asks[n]
        if isinstance(prompt, Together):
            if self._asks:
                return
            in_order = sorted(self._pending, key=lambda one: one.n)
            self.answers[-len(in_order) :] = in_order  # nobody may see who was quicker
            self._shown |= {one.entry: in_order[0].n for one in in_order if not isinstance(one.ask, Secret)}
            send: Any = {one.ask.seat: given(one.ask, one.n, one.value) for one in in_order}
        elif isinstance(prompt, Race):
            send = (ask.seat, given(ask, n, value))
        else:
            send = given(ask, n, value)
        self._n += len(alone(prompt))
        self._pending = []
        if not self._step(send):
            self._enter(self.state)

    def _rewind(self, n: int) -> None:
        """Go back to the state in which only the answers before number `n` have been given."""
        while self._marks[-1].n > n:
            self._marks.pop()
        mark = self._marks[-1]
        again = [one for one in self.answers[mark.answers :] if one.n < n]
        del self.answers[mark.answers :]
        del self.log[mark.log :]
        self._n = mark.n
        self._open(mark.state.copy())
        for one in again:
            self._take(one.n, one.ask, one.value, one.entry)


def _fits(ask: Ask, old: Given) -> bool:
    """True if an old answer still counts for a new ask."""
    try:
        ask.check(old.value)
    except (InvalidAnswer, IllegalAnswer):
        return False
    return _shape(ask) == _shape(old.ask)


def _shape(ask: Ask) -> tuple[Any, ...]:
    """Return the properties that must match for an old answer to count for a new ask."""
    return type(ask), ask.seat, ask.why, getattr(ask, "dice", ())
