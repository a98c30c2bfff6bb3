"""Whole games set to a position, and scripts of what happens next.

`at("T3 1o 1-3", score=(0, 0), …)` is a table before the next at-bat; `run(table, "P15", "S8", "D12")` plays on. A roll
is its letter and face (P pitch, S swing, D throw or check, B bunt, X any other). Anything else is a choice, made as
soon as it is possible ("SW+2", "steal-second", or "home:DRAW2" if both sides could). Everything else is passed: no
card, no change, no try, no throw. A script ends when it is used up and the next ask belongs to the next at-bat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Arrange, Ask, Choose, Draw, Roll
from engine.cards import Deck
from engine.errors import EngineError
from engine.games.clutch import GAME
from engine.games.clutch.pitching import pitcher_record as pitching
from engine.games.clutch.squad import BaseRunner, BattingLine, ClutchSquad
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards.windows import PASS_OPTIONS, REPLY_SUBSTITUTIONS, SWING_OPTION
from engine.innings import Half, InningClock
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.tables import codes, halves, inside, midway

DICE = {"pitch": "P", "swing": "S", "throw": "D", "check": "D", "bunt": "B"}
"""The letter of each roll in a script; all others are X."""

PASSES = ("pass", "pitch", "swing", "back", "stay", "no-throw", "take-batter", "leave", "keep", "no-change", "one-out")
"""The choice if the script does not say."""

LEFT = ("SPARE",) * 9
"""The deck if a position does not say, of cards that are hardly useful."""

SPARE = {"SPARE": fixture.strategy("SPARE", "offense", "when a check fails", "reroll the check")}

MACROS = {
    "SO!": ("P15", "S3"),
    "GB!": ("P15", "S8"),
    "LD!": ("P15", "S11"),
    "FB!": ("P15", "S14"),
    "BB!": ("P2", "S8"),
    "1B!": ("P2", "S12"),
    "2B!": ("P2", "S17"),
    "3B!": ("P2", "S19"),
    "HR!": ("P2", "S20"),
    "GBb!": ("P2", "S3"),
}
"""The macros of the rule ledger."""


def at(
    where: str = "T5 0o ---",
    score: tuple[int, int] = (0, 0),
    away: Sequence[str] = (),
    home: Sequence[str] = (),
    cards: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    decks: tuple[Sequence[str], Sequence[str]] = (LEFT, LEFT),
    arm: Mapping[str, Any] | None = None,
    position: Callable[[State], None] | None = None,
    level: str = "full",
) -> Table:
    """Return a table at a position.

    `away` and `home` are hands, `decks` the cards still to draw, `arm` facts about the pitcher on the mound, and
    `position` other fields to change. Runners are the last three of the order at bat, from first base on.
    """
    found = re.fullmatch(r"([TB])(\d+)(?: (\d)o)?(?: ([1-3-]{3}))?", where)
    assert found, where
    half: Half = "top" if found[1] == "T" else "bottom"
    clock, outs, bases = InningClock(int(found[2]), half), int(found[3] or 0), found[4] or "---"

    def place(s: State) -> None:
        s.rosters, s.phase = ("Away", "Home"), "play"
        s.clock, s.score, s.outs, s.begun = clock, score, outs, True
        for side, name in zip(SEATS, s.rosters, strict=True):
            take_the_field(s, side, name)
        for side, hand, deck in zip(SEATS, (away, home), decks, strict=True):
            s.update_squad(
                side, hand=tuple(SealedValue(side, one, -1) for one in hand), deck=tuple(deck), held=len(hand)
            )
        put_on_base(s, bases)
        s.store_record(s.defense, replace(s.current_record, **(arm or {"faced": 3, "finished": True})))
        if position:
            position(s)

    rules = {**fixture.HOUSE, "level": level, **(house or {})}
    past = [{**one, "team": one["seat"].title()} for one in halves(clock)]
    return midway(GAME, deck(cards), rules, place, past)


def by_rule(*rows: tuple[Any, ...]) -> list[Any]:
    """Return the rows of a table for `parametrize`, each marked with the rules it begins with: "CL-008 CL-018"."""
    return [pytest.param(*row, marks=pytest.mark.rule(*rules.split())) for rules, *row in rows]


def deck(cards: Mapping[str, str] | None = None) -> Deck:
    """Return the fixtures with all test cards, plus or replaced by other cards."""
    return fixture.deck(SPARE | dict(cards or {}))


def take_the_field(s: State, side: Seat, name: str) -> None:
    """Put a side on the field as its roster has it, with its first starter on the mound."""
    roster = s.box.rosters[name]
    spot = {player: position for position, player in roster.fielders.items()}
    starter = roster.rotation[0]
    i = SEATS.index(side)
    squads, arms, lines = list(s.squads), list(s.arms), list(s.lines)
    squads[i] = ClutchSquad(
        roster,
        roster.order,
        tuple(spot[one] for one in roster.order),
        pitchers=(starter,),
        bench=roster.bench,
        bullpen=roster.bullpen,
        coaches=roster.coaches,
    )
    arms[i] = {starter: pitching.new_record(s.box.pitchers[starter], "SP")}
    lines[i] = {one: BattingLine(one, slot) for slot, one in enumerate(roster.order)}
    s.squads, s.arms, s.lines = (squads[0], squads[1]), (arms[0], arms[1]), (lines[0], lines[1])


def put_on_base(s: State, bases: str) -> None:
    """Put the last three of the order at bat on these bases, first base first: "13" or "1-3" are first and third."""
    order, mound = s.squad(s.offense).order, s.pitcher_card.name
    first, second, third = (BaseRunner(order[-base], mound) if str(base) in bases else None for base in (1, 2, 3))
    s.bases = (first, second, third)


# Playing -------------------------------------------------------------------------------------------------------------


def run(table: Table, *script: str) -> Table:
    """Play the whole script, then pass until the next at-bat begins or the game is over.

    Raises what the table raises for an answer that it refuses.
    """
    left = [one for word in script for one in MACROS.get(word, (word,))]
    bats = up(table)
    while table.open_asks():
        ((n, ask), *_) = table.open_asks()
        if not left and up(table) > bats:
            return table
        more, now = len(left), up(table)
        table.answer_ask(ask.seat, n, reply(ask, left))
        if len(left) < more:
            bats = now
    assert not left, f"{left} was never asked"
    return table


def up(table: Table) -> tuple[int, int]:
    """Return the number of the game in its series, and of the at-bat in it."""
    return state(table).game, state(table).number


def reply(ask: Ask, left: list[str]) -> Any:
    """Return the answer: the next of the script if it fits, else a pass."""
    asked = inside(ask)
    if isinstance(asked, Roll):
        letter = DICE.get(asked.why, "X")
        word = left[0] if left else "nothing"
        assert re.fullmatch(rf"{letter}\d+", word), f"{letter} is to be rolled ({asked.why}), not {word}"
        return int(left.pop(0)[1:])
    if isinstance(asked, Arrange):
        return dict(zip(asked.places, asked.pieces, strict=False))
    assert isinstance(asked, Choose | Draw), asked
    if left and (choice := chosen(asked, left[0])):
        left.pop(0)
        return choice
    return next((one for one in PASSES if one in asked.options), asked.options[0])


def chosen(ask: Choose | Draw, word: str) -> str:
    """Return the option that a word of the script means, if it is offered now; "home:X" is X for home."""
    seat, _, code = word.rpartition(":")
    if seat in SEATS and seat != ask.seat:
        return ""
    code = code if seat in SEATS else word
    return code if code in ask.options else ""


def until(table: Table, *script: str) -> Ask:
    """Return what is asked once the script is used up."""
    left = [one for word in script for one in MACROS.get(word, (word,))]
    while left:
        ((n, ask), *_) = table.open_asks()
        table.answer_ask(ask.seat, n, reply(ask, left))
    return table.open_asks()[0][1]


def upto(table: Table, why: str, *script: str) -> Ask:
    """Play the script, then pass until an ask whose reason is `why` or begins with it; return that ask."""
    until(table, *script)
    for _ in range(200):
        ((n, ask), *_) = table.open_asks()
        if inside(ask).why.startswith(why):
            return ask
        table.answer_ask(ask.seat, n, reply(ask, []))
    raise AssertionError(f"{why} is not asked")


def options(ask: Ask) -> tuple[str, ...]:
    """Return the options."""
    asked = inside(ask)
    assert isinstance(asked, Choose | Draw), asked
    return asked.options


def refused(table: Table, value: object, seat: Seat | None = None) -> None:
    """Assert that the open ask refuses this and that nothing changes."""
    ((n, ask), *_) = table.open_asks()
    before = len(table.journal)
    with pytest.raises(EngineError):
        table.answer_ask(seat or ask.seat, n, value)
    assert len(table.journal) == before


# Looking -------------------------------------------------------------------------------------------------------------


def state(table: Table) -> State:
    """Return the state."""
    assert isinstance(table.state, State)
    return table.state


def now(table: Table) -> str:
    """Return the situation as the ledger writes it: "T3 1o 1-3"."""
    s = state(table)
    on = "".join(str(base) if runner else "-" for base, runner in enumerate(s.bases, 1))
    return f"{'T' if s.clock.half == 'top' else 'B'}{s.clock.inning} {s.outs}o {on}"


def event_codes(table: Table) -> list[str]:
    """Return the codes of all events."""
    return codes(table.log)


def line(table: Table, name: str, side: Seat = "away") -> BattingLine:
    """Return a batter's line."""
    found: BattingLine = state(table).lines[SEATS.index(side)][name]
    return found


def mound(table: Table, name: str = "Px", side: Seat = "home") -> Any:
    """Return a pitcher's record."""
    return state(table).arms[SEATS.index(side)][name]


def hand(table: Table, side: Seat) -> list[str]:
    """Return the cards in a side's hand."""
    return [one.peek() for one in state(table).squad(side).hand]


def fact(table: Table, code: str, what: str) -> Any:
    """Return a fact of the last event with this code."""
    return [one.event.facts[what] for one in table.log if one.event.code == code][-1]


def swung(table: Table) -> tuple[int, str]:
    """Return the last Swing and its result on the chart."""
    return fact(table, "swing", "swing"), fact(table, "swing", "result")


def pitched(table: Table) -> tuple[int, int, str]:
    """Return the last Pitch, the On-Base against it, and who has the Advantage."""
    return fact(table, "pitch", "total"), fact(table, "pitch", "on_base"), fact(table, "pitch", "holder")


def playable(table: Table, side: Seat, window: str, *script: str) -> tuple[str, ...]:
    """Return the cards that a side may play in this window after the script; () if it is not asked.

    The window must come before the next roll and the next at-bat.
    """
    until(table, *script)
    bats = state(table).number
    while table.open_asks():
        ((n, ask), *_) = table.open_asks()
        if isinstance(inside(ask), Roll) or state(table).number > bats:
            break
        if (ask.seat, ask.why) == (side, f"cards-{window}"):
            return tuple(one for one in options(ask) if one not in (*PASS_OPTIONS, *REPLY_SUBSTITUTIONS, SWING_OPTION))
        table.answer_ask(ask.seat, n, reply(ask, []))
    return ()


def die(table: Table, why: str, *script: str) -> str:
    """Return the kind of die that has to be rolled for this."""
    asked = upto(table, why, *script)
    assert isinstance(asked, Roll), asked
    return asked.dice[0].kind
