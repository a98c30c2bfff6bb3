"""The table, which runs asks and answers of one game, with undo, correction, copies and the view of each audience.

Rules know only their state and their asks, and the table knows only asks and answers. Every change of a game appends
one entry, so the journal defines the game.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Any

from engine.ask_views import AskView
from engine.asks import (
    Ask,
    Call,
    Draw,
    Prompt,
    RaceAsks,
    Reroll,
    Roll,
    Secret,
    SimultaneousAsks,
    answer_for_rules,
    freeze_lazy_facts,
    prompt_asks,
)
from engine.box_score import box_scores, find_star
from engine.cards import Deck, cards_in_decks
from engine.dice import Face
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.events import Event, LoggedEvent
from engine.game import GameState, Rulebook
from engine.journal import Answer, Correction, EntryJson, JournalEntry, JournalHeader, Undo, entry_json
from engine.scoreboard import EventLog, PlayLogLine, Scoreboard, redacted_scoreboard
from engine.seats import SEATS, Seat, validate_side_names
from engine.secrets import HIDDEN_TEXT, redacted_data
from engine.views import TableView


@dataclass(frozen=True, slots=True)
class CurrentAnswer:
    """A current answer, with its ask and validated value. `entry` is the index of its journal entry."""

    n: int
    ask: Ask
    value: Any
    entry: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A stable state, with the number of the next ask and the lengths of answers and log at that point."""

    n: int
    state: GameState
    answers: int
    log: int


@dataclass(frozen=True, slots=True)
class CorrectionDiff:
    """The effect of a correction. `kept` and `dropped` are the numbers of later answers, without unrevealed ones.

    `events` are the new ones from the corrected answer on. `reveals` is True if it would show something hidden.
    """

    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    before: Scoreboard
    after: Scoreboard
    events: tuple[LoggedEvent, ...]
    reveals: bool = False


class Table:
    """One game under way. Not thread-safe.

        house: only the house rules that differ from their defaults.
        journal: entries to restore.
        names: what people call the sides, if not by their default names.

    Raises DeckError, HouseRuleError, or IllegalAnswer for an invalid name.
    """

    def __init__(
        self,
        game: Rulebook,
        decks: Sequence[Deck],
        house: Mapping[str, str] | None = None,
        journal: Iterable[JournalEntry] = (),
        names: Mapping[Seat, str] | None = None,
    ) -> None:
        self.game = game
        self.decks = tuple(decks)
        self.house = game.resolve_house_rules(house or {})
        called = validate_side_names(names or {})
        self.names = {seat: name for seat, name in zip(SEATS, called, strict=True) if name}
        self.journal: list[JournalEntry] = []
        self.answers: list[CurrentAnswer] = []
        self.log = EventLog()
        self.undone = 0
        self._first_linked: dict[int, int] = {}
        """The first number to undo with an entry, by its index, for revealed secrets and answers given in between."""
        self._checkpoints: list[Checkpoint] = []
        self._pending: list[CurrentAnswer] = []
        self._n = 0
        self._prompt: Prompt | None = None
        self._asks: dict[int, Ask] = {}
        state = game.start(cards_in_decks(self.decks), self.house)
        state.names = called
        self._enter_state(state)
        for entry in journal:
            self._apply_stored_entry(entry)

    @property
    def journal_header(self) -> JournalHeader:
        decks = tuple((deck.title, deck.digest) for deck in self.decks)
        return JournalHeader(self.game.key, self.game.version, decks, self.house, self.names)

    @property
    def outcome(self) -> Any:
        """The `Outcome` of the game, or None while it goes on."""
        return self.state.outcome

    # Writing -----------------------------------------------------------------------------------------------------

    def answer_ask(self, seat: Seat, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Answer ask `n`. See `apply_entry`."""
        return self.apply_entry(Answer(seat, n, value))

    def undo(self, n: int) -> tuple[LoggedEvent, ...]:
        """Undo answer `n` and all later ones, with answers revealed together. See `apply_entry`."""
        return self.apply_entry(Undo(n))

    def correct_answer(self, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Correct answer `n` and keep the later answers that are still valid. See `apply_entry`.

        A secret answer stays only if its ask is exactly the same. If `n` is secret, only secrets asked together with it
        stay, because the validity of others would give something away.
        """
        return self.apply_entry(Correction(n, value))

    def apply_entry(self, entry: JournalEntry) -> tuple[LoggedEvent, ...]:
        """Apply one entry and append it to the journal. Nothing else changes a game.

        Returns the new events. For an undo or correction the first has the code `undo` or `amend`. Raises
        InvalidAnswer, IllegalAnswer, StaleAnswer or WrongSeat without changing anything. Any other error is a bug in
        the rules, after which the table must be restored from its journal.

        An Undo goes back to the first of the answers revealed together (BN-038), even from an answer given between
        secret and reveal (RB-004), so nobody may choose again knowing the other's choice. The journal records that
        number. A secret that is not yet revealed is undone alone.
        """
        if isinstance(entry, Undo):
            entry = Undo(self._first_linked_number(self._require_answer(entry.n).n, self.answers))
        return self._apply_stored_entry(entry)

    def _apply_stored_entry(self, entry: JournalEntry) -> tuple[LoggedEvent, ...]:
        """Apply an entry as `apply_entry` does, but undo exactly to its number, as restoring a journal needs."""
        length = len(self.log)
        match entry:
            case Answer(seat, n, value):
                ask = self._require_open_ask(n, seat)
                entry = Answer(seat, n, ask.validate_answer(value))
                self._accept_answer(n, ask, entry.value, len(self.journal))
                news = tuple(self.log[length:])
            case Undo(n):
                self._require_answer(n)
                self._rewind_to(n)
                self.undone += 1
                news = (LoggedEvent(n, Event("undo", {"n": n})),)
            case Correction(n, value):
                entry = Correction(n, self._require_answer(n).ask.validate_answer(value))
                self._correct_answer(n, entry.value)
                replayed = (logged for logged in self.log if logged.n >= n)
                news = (LoggedEvent(n, Event("amend", {"n": n})), *replayed)
        self.journal.append(entry)
        return news

    def _require_open_ask(self, n: int, seat: Seat) -> Ask:
        ask = self._asks.get(n)
        if ask is None:
            if n < self._n or any(one.n == n for one in self._pending):
                raise StaleAnswer("That was answered already.")
            back = any(isinstance(entry, Undo | Correction) for entry in self.journal)
            raise StaleAnswer("That was taken back." if back else "That question isn't open.")
        if ask.seat != seat:
            raise WrongSeat("The other side answers that.")
        return ask

    def _require_answer(self, n: int) -> CurrentAnswer:
        for one in reversed(self.answers):
            if one.n == n:
                return one
        raise StaleAnswer(f"There is no answer {n}.")

    def _first_linked_number(self, n: int, answers: Sequence[CurrentAnswer]) -> int:
        """Return the first number to remove, `n` or that of an earlier answer revealed with a removed one."""
        for one in reversed(answers):
            if one.n >= n:
                n = min(n, self._first_linked.get(one.entry, n))
        return n

    def hidden_numbers(self) -> set[int]:
        secrets = {one.n for one in self.answers if isinstance(one.ask, Secret) and one.entry not in self._first_linked}
        return secrets | {one.n for one in self._pending}

    def _correct_answer(self, n: int, value: Any) -> None:
        later, hidden = [one for one in self.answers if one.n > n], self.hidden_numbers()
        amended = self._require_answer(n)
        self._rewind_to(n)
        beside = dict(self._asks)
        self._accept_answer(n, amended.ask, value, len(self.journal))
        for one in later:
            ask = self._asks.get(one.n)
            learned = ask != one.ask or (n in hidden and one.n not in beside)
            if ask is None or not _is_still_valid(ask, one) or (one.n in hidden and learned):
                first = self._first_linked_number(one.n, later)
                if first < one.n:
                    self._rewind_to(max(first, n + 1))
                break
            self._accept_answer(one.n, ask, ask.validate_answer(one.value), one.entry)

    # Reading -----------------------------------------------------------------------------------------------------

    def open_asks(self) -> tuple[tuple[int, Ask], ...]:
        return tuple(self._asks.items())

    def preview_correction(self, n: int, value: Any) -> CorrectionDiff:
        """Return the effect of `correct_answer(n, value)` without changing anything. Raises as `apply_entry` does."""
        twin = self.clone()
        twin.correct_answer(n, value)
        later = {one.n for one in self.answers if one.n > n} - self.hidden_numbers()
        kept = later & {one.n for one in twin.answers}
        return CorrectionDiff(
            tuple(sorted(kept)),
            tuple(sorted(later - kept)),
            self.scoreboard(),
            twin.scoreboard(),
            tuple(logged for logged in twin.log if logged.n >= n),
            not twin._first_linked.keys() <= self._first_linked.keys(),
        )

    def preview_answer(self, n: int, value: Any) -> tuple[LoggedEvent, ...]:
        """Return the public events that answering ask `n` with `value` would cause, without changing anything.

        They are those if nobody plays a hidden card (`GameState.decline_hidden_offers`). Empty if it would show
        anything hidden, or if nothing would happen yet, such as before further dice. Raises StaleAnswer, InvalidAnswer
        or IllegalAnswer.
        """
        twin, ask = self.clone(), self._asks.get(n)
        if ask is None:
            raise StaleAnswer("That question isn't open.")
        twin.state.decline_hidden_offers()
        news = twin.answer_ask(ask.seat, n, value)
        return () if isinstance(ask, Secret) or twin._first_linked != self._first_linked else news

    def clone(self) -> Table:
        twin = object.__new__(Table)
        twin.game, twin.decks, twin.house, twin.names = self.game, self.decks, self.house, self.names
        twin.journal, twin.log = list(self.journal), EventLog(self.log)
        twin.undone = self.undone
        twin._first_linked, twin._checkpoints = dict(self._first_linked), list(self._checkpoints)
        twin.answers = list(self.answers)
        twin._rewind_to(self._n + len(prompt_asks(self._prompt)) if self._prompt else self._n)
        return twin

    def replay_from(self, place: int) -> Iterator[Table]:
        """Yield one copy of the table before the current answers from journal index `place`, then after each one.

        Yields the table itself if there are none. Not checked: all entries from `place` on must be answers.
        """
        first = min((one.n for one in self.answers if one.entry >= place), default=None)
        if first is None:
            yield self
            return
        again = [one for one in self.answers if one.n >= first]
        twin = self.clone()
        twin._rewind_to(first)
        yield twin
        for one in again:
            twin._accept_answer(one.n, one.ask, one.value, one.entry)
            yield twin

    def scoreboard(self) -> Scoreboard:
        """Return the scoreboard for displays. Secrets in it are still sealed, so show it only through `view_for`."""
        board = self.game.scoreboard(self.state, self.log)
        return replace(board, dice_colours=self._dice_colors(board.dice)) if board.dice else board

    def _dice_colors(self, faces: tuple[Face, ...]) -> tuple[str | None, ...]:
        """Return the colors of the dice that last showed `faces`, () if no throw did."""
        for one in reversed(self.answers if faces else ()):
            match one.ask:
                case Roll(dice=dice):
                    showed = one.value
                case Reroll(dice=dice):
                    showed = one.ask.faces_after(one.value)
                case Call(die=die):
                    dice, showed = (die,), (one.value,)
                case _:
                    continue
            if faces == showed:
                return tuple(die.colour for die in dice)
        return ()

    def play_log_lines(self, start: int = 0, end: int | None = None) -> tuple[PlayLogLine, ...]:
        """Return the play log for spectators, from event `start` to before `end` (None: the last)."""
        return self.log.play_log_lines(self.game.words, start, end)

    def last_play_text(self) -> str:
        last = list(takewhile(lambda one: one.n == self.log[-1].n, reversed(self.log)))
        return " ".join(self.game.words.event_sentence(one.event) for one in reversed(last))

    def redacted_entries(self, seat: Seat | None) -> list[EntryJson]:
        """Return the journal as `seat` may read it. Secrets of others are hidden until they are revealed."""
        sealed = self.sealed_entry_indexes(seat)
        return [
            entry_json(replace(entry, value=HIDDEN_TEXT) if place in sealed and not isinstance(entry, Undo) else entry)
            for place, entry in enumerate(self.journal)
        ]

    def sealed_entry_indexes(self, seat: Seat | None) -> set[int]:
        """Return the journal indexes of the entries whose value `seat` may not read."""
        found = set[int]()
        guarded: dict[int, Seat | None] = {}
        twin = Table(self.game, self.decks, self.house, names=self.names)
        for place, entry in enumerate(self.journal):
            for n, ask in twin.open_asks():
                guarded[n] = ask.seat if isinstance(ask, Secret) or isinstance(twin._prompt, SimultaneousAsks) else None
            twin._apply_stored_entry(entry)
            if (
                isinstance(entry, Answer | Correction)
                and guarded[entry.n] not in (None, seat)
                and place not in self._first_linked
            ):
                found.add(place)
        return found

    def view_for(self, seat: Seat | None) -> TableView:
        return self.views_for(seat)[seat]

    def views_for(self, *seats: Seat | None) -> dict[Seat | None, TableView]:
        """Return the views of several audiences, with shared parts computed once."""
        board, last, asks = self.scoreboard(), self.last_play_text(), self.open_asks()
        result = box_scores(self.log) if self.outcome else None
        best = find_star(result, self.outcome) if result else None
        ready = sorted({one.ask.seat for one in self._pending})
        shared = {n: self.ask_view(n, ask, None) for n, ask in asks if not isinstance(ask, Secret)}
        return {
            seat: TableView(
                seat,
                len(self.journal),
                [shared.get(n) or self.ask_view(n, ask, seat) for n, ask in asks],
                {str(one.n): redacted_data(one.value, seat) for one in self._pending if one.ask.seat == seat},
                ready,
                redacted_scoreboard(board, seat),
                last,
                self.outcome,
                result,
                best,
            )
            for seat in seats
        }

    def ask_view(self, n: int, ask: Ask, seat: Seat | None, dealer: bool = False) -> AskView:
        """Return the view of one open ask for `seat`, a bare `AskView` if its options are secret.

        Only the `dealer` sees the options of a secret draw, because missing ones would reveal the other seat's cards.
        """
        secret, race = isinstance(ask, Secret), isinstance(self._prompt, RaceAsks)
        inner = ask.ask if isinstance(ask, Secret) else ask
        words, facts = self.game.words, redacted_data(ask.facts, seat if secret else None)
        kind, title, sentence = (
            type(inner).__name__.lower(),
            words.ask_title(ask.why, facts),
            words.ask_sentence(ask.why, facts),
        )
        about = (n, ask.seat, kind, secret, race, ask.why, title, sentence)
        if secret and (not dealer if isinstance(inner, Draw) else ask.seat != seat):
            return AskView(*about)
        return inner.build_view(about, partial(words.labeled_options, facts=facts))

    # Machinery ---------------------------------------------------------------------------------------------------

    def _enter_state(self, state: GameState) -> None:
        """Save a checkpoint of a stable state, and run to the first ask of the next play."""
        while True:
            state.news, state.uncovered = (), False
            self._checkpoints.append(Checkpoint(self._n, state.copy(), len(self.answers), len(self.log)))
            if self._start_play(state):
                return

    def _start_play(self, state: GameState) -> bool:
        """Start the next play. Return False if it ended without an ask."""
        self.state, self._pending, self._logged = state, [], 0
        play = None if state.outcome else self.game.next_play(state)
        if play is None:
            self._prompt, self._asks = None, {}
            return True
        self._prompt = None
        self._play: Generator[Prompt, Any, None] = play(state)
        return self._advance_play(None)

    def _advance_play(self, value: Any) -> bool:
        """Send an answer into the play. Return False if the play ended."""
        before, uncovered = self.state.revealed, self.state.uncovered
        if self._prompt is not None:
            freeze_lazy_facts(self._prompt)
        try:
            self._prompt = self._play.send(value)
            self._asks = dict(enumerate(prompt_asks(self._prompt), self._n))
            running = True
        except StopIteration:
            running = False
        cause = self.answers[-1].n if self.answers else -1
        self.log += [LoggedEvent(cause, event) for event in self.state.news[self._logged :]]
        self._logged = len(self.state.news)
        opened, start = self.state.revealed - before, self._checkpoints[-1].n
        if self.state.uncovered > uncovered:
            opened |= {start}
        if opened:
            # Public answers in this play after the first of them are removed together with it.
            since = max(min(opened), start)
            together = opened | {one.n for one in self.answers if one.n >= since and not isinstance(one.ask, Secret)}
            self._first_linked |= {one.entry: min(opened) for one in self.answers if one.n in together}
        return running

    def _accept_answer(self, n: int, ask: Ask, value: Any, entry: int) -> None:
        prompt = self._prompt
        assert prompt is not None
        one = CurrentAnswer(n, ask, value, entry)
        self.answers.append(one)
        self._pending.append(one)
        del self._asks[n]
        if isinstance(prompt, SimultaneousAsks):
            if self._asks:
                return
            in_order = sorted(self._pending, key=lambda one: one.n)
            self.answers[-len(in_order) :] = in_order  # nobody may see who was quicker
            self._first_linked |= {one.entry: in_order[0].n for one in in_order if not isinstance(one.ask, Secret)}
            send: Any = {one.ask.seat: answer_for_rules(one.ask, one.n, one.value) for one in in_order}
        elif isinstance(prompt, RaceAsks):
            send = (ask.seat, answer_for_rules(ask, n, value))
        else:
            send = answer_for_rules(ask, n, value)
        self._n += len(prompt_asks(prompt))
        self._pending = []
        if not self._advance_play(send):
            self._enter_state(self.state)

    def _rewind_to(self, n: int) -> None:
        """Restore the state before answer `n`, by replaying from the last checkpoint."""
        while self._checkpoints[-1].n > n:
            self._checkpoints.pop()
        mark = self._checkpoints[-1]
        again = [one for one in self.answers[mark.answers :] if one.n < n]
        del self.answers[mark.answers :]
        del self.log[mark.log :]
        self._n = mark.n
        self._start_play(mark.state.copy())
        for one in again:
            self._accept_answer(one.n, one.ask, one.value, one.entry)


def _is_still_valid(ask: Ask, old: CurrentAnswer) -> bool:
    try:
        ask.validate_answer(old.value)
    except (InvalidAnswer, IllegalAnswer):
        return False
    return _ask_signature(ask) == _ask_signature(old.ask)


def _ask_signature(ask: Ask) -> tuple[Any, ...]:
    """Return the properties that two asks must share for an answer to be valid for both."""
    return type(ask), ask.seat, ask.why, getattr(ask, "dice", ())
