"""Helpers for every game's tests: set up a position, play on from it, and inspect the table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.asks import Arrange, Ask, Call, Choose, DiceAsk, Draw, Play, Reroll, Roll, Secret
from engine.cards import Deck
from engine.errors import EngineError
from engine.events import LoggedEvent
from engine.game import Rulebook
from engine.innings import InningClock
from engine.journal import Undo, entry_json, parse_entry
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import redacted_data
from engine.table import Table
from engine.views import json_data

# A position ------------------------------------------------------------------------------------------------------


def midway(
    game: Rulebook,
    cards: Deck,
    house: Mapping[str, str] | None,
    position: Callable[[Any], None],
    halves: Iterable[Mapping[str, Any]],
) -> Table:
    """Return a table in the middle of a game: `position` changes the first state, and `halves` are already recorded."""

    def start(dealt: Any, chosen: Mapping[str, str]) -> Any:
        state = game.start(dealt, chosen)
        position(state)
        state.dice = (0,)
        return state

    def next_play(state: Any) -> Callable[[Any], Play] | None:
        return come_in if state.dice == (0,) else game.next_play(state)

    def come_in(state: Any) -> Play:
        """Record the half-innings so far as events that the line score counts."""
        yield from ()
        state.dice = ()
        for facts in halves:
            state.emit("half-inning", **facts)

    return Table(replace(game, start=start, next_play=next_play), [cards], house)


def halves(last: InningClock, first: InningClock | None = None) -> Iterable[dict[str, Any]]:
    """Return the event of each half-inning from the first to the last."""
    now = first or InningClock()
    while True:
        yield {"seat": now.batting_seat, "inning": now.inning, "half": now.half}
        if now == last:
            return
        now = now.next_half()


# Playing on ------------------------------------------------------------------------------------------------------


def play(table: Table, *values: object) -> Table:
    """Give these answers in order, each from the seat that is asked."""
    for value in values:
        ((n, ask),) = table.open_asks()
        table.answer_ask(ask.seat, n, value)
    return table


def give(table: Table, seat: Seat, value: object) -> Table:
    """Answer a seat's open ask."""
    (n,) = [n for n, ask in table.open_asks() if ask.seat == seat]
    table.answer_ask(seat, n, value)
    return table


def inside(ask: Ask) -> Ask:
    """Return the ask itself, without its secret wrapper."""
    return ask.ask if isinstance(ask, Secret) else ask


def pick(ask: Ask, number: int) -> Any:
    """Return a legal answer to an ask, chosen by number."""
    match inside(ask):
        case Roll(dice=dice):
            return tuple(die.faces[(number >> 3 * i) % len(die.faces)] for i, die in enumerate(dice))
        case Reroll(dice=dice, free=free, most=most):
            chance = random.Random(number)
            again = chance.sample(free, chance.randint(1, min(most, len(free))))
            return tuple(chance.choice(die.faces) if place in again else None for place, die in enumerate(dice))
        case Call(wins=wins):
            return wins[number % len(wins)]
        case Choose(options=options) | Draw(options=options):
            return options[number % len(options)]
        case Arrange(pieces=pieces, places=places) as asked:
            chance, most = random.Random(number), min(len(pieces), len(places))
            count = chance.randint(asked.min_pieces, most)
            return dict(zip(chance.sample(places, count), chance.sample(pieces, count), strict=True))
    raise AssertionError(ask)


def step(table: Table, number: int, pick: Callable[[Ask, int], Any] = pick) -> bool:
    """Give one answer, from any seat that is asked; return False when the game is over."""
    if not table.open_asks():
        return False
    n, ask = table.open_asks()[(number >> 8) % len(table.open_asks())]
    table.answer_ask(ask.seat, n, pick(ask, number))
    return True


def ruled(rule: str, *rows: tuple[Any, ...]) -> list[Any]:
    """Return rows for `parametrize`, marked with the rule they prove."""
    return [pytest.param(*row, marks=pytest.mark.rule(rule)) for row in rows]


# Inspecting ------------------------------------------------------------------------------------------------------


def asked(table: Table) -> tuple[str, ...]:
    """Return the codes of the open asks."""
    return tuple(ask.why for _, ask in table.open_asks())


def offered(table: Table, seat: Seat | None = None) -> tuple[str, ...]:
    """Return the options to choose or draw from now, for one seat if several are asked."""
    (ask,) = [inside(ask) for _, ask in table.open_asks() if seat in (None, ask.seat)]
    assert isinstance(ask, Choose | Draw), ask
    return ask.options


def board(table: Table) -> Scoreboard:
    """Return the scoreboard."""
    return table.scoreboard()


def panel(table: Table, key: str) -> Any:
    """Return a part of the scoreboard's panel."""
    return board(table).panel[key]


def on_base(table: Table) -> str:
    """Return the occupied bases: "13" is first and third."""
    return "".join(str(base) for base, runner in enumerate(board(table).bases, 1) if runner)


def score(table: Table) -> tuple[int, int]:
    """Return the runs on the board, away first."""
    sides = board(table).sides
    return sides["away"].runs, sides["home"].runs


def clock(table: Table) -> tuple[int, str]:
    """Return the inning and half."""
    now = board(table)
    return now.inning, now.half


def codes(told: Iterable[LoggedEvent]) -> list[str]:
    """Return the codes of events."""
    return [one.event.code for one in told]


def shot(table: Table) -> str:
    """Return everything visible at a table except the length of its journal."""
    seen = [{**json_data(table.view_for(seat)), "version": 0} for seat in (None, *SEATS)]
    answers = [(one.n, one.value) for one in table.answers]
    return json.dumps([seen, [redacted_data(told, None) for told in table.log], answers])


# What leaves the engine --------------------------------------------------------------------------------------------

Look = Callable[[Table, Seat | None], Any]
"""A function that returns what one seat sees of a table; None is a spectator."""


def words_of(attempt: Callable[..., Any], *given: Any) -> str:
    """Return the kind and message of the error that a call raises."""
    with pytest.raises(EngineError) as refused:
        attempt(*given)
    return f"{refused.value.kind}: {refused.value}"


def refusals(table: Table, seat: Seat | None) -> Iterator[str]:
    """Return the error for each kind of wrong answer by this seat or the other; none of them may change anything."""
    for n, ask in table.open_asks():
        for value in (None, "no such thing", 99, {"first": "nobody"}):
            yield words_of(table.answer_ask, seat if ask.seat == seat else opposite_seat(ask.seat), n, value)
    for one in table.answers:
        for value in (None, "no such thing"):
            yield words_of(table.preview_correction, one.n, value)
            yield words_of(table.correct_answer, one.n, value)
    yield words_of(table.undo, 99)


def foreseen(table: Table) -> Iterator[list[str]]:
    """Yield what each open throw would do, in sentences, for some faces."""
    for n, ask in table.open_asks():
        if isinstance(ask, DiceAsk):
            for seed in range(4):
                value = table.ask_view(n, ask, None).random_answer(random.Random(seed))
                yield [table.game.words.event_sentence(one.event) for one in table.preview_answer(n, value)]


def corrected(table: Table, seat: Seat | None) -> Iterator[Any]:
    """Yield what some corrections of the last roll would change, unless that would show something hidden."""
    last = next((one for one in reversed(table.answers) if isinstance(one.ask, DiceAsk)), None)
    for seed in range(4 if last else 0):
        assert last is not None
        value = table.ask_view(last.n, last.ask, None).random_answer(random.Random(seed))
        found = table.preview_correction(last.n, value)
        yield found.reveals or redacted_data(found, seat)


def everything(table: Table, seat: Seat | None) -> Any:
    """Return everything that the engine may show to a seat."""
    public = [one for one in table.answers if not isinstance(one.ask, Secret)]
    return [
        json_data(table.view_for(seat)),
        [json_data(table.ask_view(n, ask, seat)) for n, ask in table.open_asks()],
        [getattr(inside(ask), "moot_option", None) for _, ask in table.open_asks()],
        [redacted_data(line, seat) for line in table.play_log_lines()],
        [redacted_data(told, seat) for told in table.log],
        table.redacted_entries(seat),
        table.last_play_text(),
        table.journal_header.as_json(),
        [redacted_data(table.preview_correction(one.n, one.value), seat) for one in public],
        list(foreseen(table)),
        list(corrected(table, seat)),
        repr(table.state),
        list(refusals(table, seat)),
    ]


# Properties of every game ----------------------------------------------------------------------------------------


def examples(count: int) -> settings:
    """Return settings for this many examples (fewer in a quick run), however long they take to generate."""
    most = max(2, count * settings().max_examples // 100)
    return settings(max_examples=most, suppress_health_check=[HealthCheck.too_slow])


def houses(game: Rulebook) -> st.SearchStrategy[dict[str, str]]:
    """Generate any combination of house rules."""
    return st.fixed_dictionaries({}, optional={rule.key: st.sampled_from(rule.values) for rule in game.house_rules})


SEEDS = st.integers(0, 1 << 32)
"""Seeds of random games. Hypothesis draws one number, because lists that it draws are too short to end a game."""


def numbers(seed: int, longest: int) -> list[int]:
    """Return numbers to choose by: at most `longest`, at least half as many."""
    chance = random.Random(seed)
    return [chance.randrange(1 << 16) for _ in range(chance.randint(longest // 2, longest))]


def refuses_others(table: Table, number: int, pick: Callable[[Ask, int], Any] = pick) -> None:
    """Check that the table refuses an answer from the wrong seat and does not change."""
    for n, ask in table.open_asks():
        before = len(table.journal)
        with pytest.raises(EngineError):
            table.answer_ask(opposite_seat(ask.seat), n, pick(ask, number))
        assert before == len(table.journal)


def undo_never_happened(table: Table, n: int) -> None:
    """Check that undoing answer `n`, and all that was revealed with it, and answering again gives the same table."""
    expected, answers = shot(table), list(table.answers)
    table.undo(n)
    last = table.journal[-1]
    assert isinstance(last, Undo)
    for each in answers:
        if each.n >= last.n:
            table.answer_ask(each.ask.seat, each.n, each.value)
    assert expected == shot(table)


def meddle(table: Table, number: int, pick: Callable[[Ask, int], Any] = pick) -> bool:
    """Give one answer, or sometimes undo or amend a recent one; return False when the game is over."""
    if number % 17 > 1 or not table.answers:
        return step(table, number, pick)
    one = table.answers[-(number % min(6, len(table.answers))) - 1]
    if number % 17:
        table.correct_answer(one.n, pick(one.ask, number))
    else:
        table.undo(one.n)
    return True


def replays(table: Table) -> list[dict[str, Any]]:
    """Check that the journal, through JSON, and a clone both reproduce the table; return the journal."""
    stored = [json.loads(json.dumps(entry_json(entry))) for entry in table.journal]
    again, twin = Table(table.game, table.decks, table.house, map(parse_entry, stored)), table.clone()
    assert [shot(table)] * 2 == [shot(again), shot(twin)]
    assert table.redacted_entries(None) == again.redacted_entries(None)
    assert json_data(table.view_for(None)) == json_data(again.view_for(None)) == json_data(twin.view_for(None))
    return stored
