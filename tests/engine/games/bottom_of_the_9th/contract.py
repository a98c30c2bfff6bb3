"""Invariants of every game of Bottom of the 9th, and its secrets.

The secrets are a call until both are made, and the picks of a simultaneous draft.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Choose, Play, Secret
from engine.diamond import runners_on_base
from engine.game import Rulebook
from engine.games.bottom_of_the_9th import GAME, scoreboard
from engine.games.bottom_of_the_9th.cards import PITCH_CODES
from engine.games.bottom_of_the_9th.rules import throwable_pitches
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, Pitch, State
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.bottom_of_the_9th.fixture import deck, true
from tests.engine.games.contract.contract import Contract, Ends, Moment, Walk
from tests.engine.games.contract.secrecy import Case, Leak, Secrets, Show, Story, journal, views, with_play
from tests.engine.tables import everything, give, houses, inside, pick, play
from tests.golden.stories import Stories

# Invariants --------------------------------------------------------------------------------------------------------

REVEALS = {"guessed", "half-guessed", "fooled"}


def tokens(moment: Moment) -> None:
    """Check that exactly one seat holds each part's token after a reveal."""
    now = moment.now
    if REVEALS & set(moment.codes) and not now.pitch.over:
        home, away = (set(now.held_tokens(seat)) for seat in ("home", "away"))
        assert ({*PITCH_PARTS}, set()) == (home | away, home & away)


def outs(moment: Moment) -> None:
    """Check that at-bats equal outs plus runners, at most five, while nobody has scored; three outs end the game."""
    now, outcome = moment.now, moment.table.outcome
    if now.pitcher and not outcome:
        through = 6 - len(now.lineup) + (now.cleanup == "at-bat")
        assert now.outs + len(runners_on_base(now.bases)) == through <= 5
        assert now.batter.name not in now.bases or now.cleanup == "at-bat"
        assert now.outs <= 2
    assert outcome is None or (outcome.winner == "away") == (now.outs == 3)


def fatigue(moment: Moment) -> None:
    """Check that fatigue stays on its track, falls only at the reveal, and rises only in cleanup or by the bench."""
    before, now, codes = moment.before, moment.now, set(moment.codes)
    if now.pitcher is None:
        return
    benched = any(told.event.code == "bench" for told in moment.table.log)
    assert now.floor == (int(moment.table.house["reliefRow"]) if benched else 0)
    assert all(now.floor <= row <= now.bottom_row for row in now.rows)
    if "bench" in codes:
        assert (now.floor, now.floor) == now.rows or "ability" in codes
        return
    for was, row in zip(before.rows, now.rows, strict=True):
        if row > was:
            assert codes & REVEALS
        if row < was:
            assert before.cleanup or now.pitch.over or "relief" in codes


def pitches(moment: Moment) -> None:
    """Check that a pitch is always possible, and that the pitches offered are exactly the possible ones."""
    if moment.now.pitcher:
        assert throwable_pitches(moment.now)
    for _, ask in moment.table.open_asks():
        if ask.why == "pitch-call":
            inner = inside(ask)
            assert isinstance(inner, Choose)
            assert throwable_pitches(moment.now) == inner.options


def count(moment: Moment) -> None:
    """Check for 0 to 3 balls and 0 to 2 strikes as a stare-down begins; the scoreboard never shows more."""
    if {ask.why for _, ask in moment.table.open_asks()} & {"guess", "pitch-call"}:
        now = moment.now
        assert (now.balls in range(4), now.strikes in range(3)) == (True, True)
        assert (now.balls, now.strikes) == moment.table.scoreboard().count


LESS = {"B": "ball", "S": "strike", "C": "strike"}
EQUAL = {"B": "ball", "S": "foul", "C": "contact"}
MORE = {"B": "strike", "S": "contact", "C": "strike"}


def pitch(moment: Moment) -> None:
    """Check a pitch against its letter and its dice as counted, apart from natural 6s and ability effects."""
    now, table = moment.now.pitch, moment.table
    turned = [done for done in now.done if done.effect.verb in ("result", "cancel")]
    default = all(table.house[rule.key] == rule.values[0] for rule in GAME.house_rules)
    if default and {"ball", "strike", "foul", "contact"} & set(moment.codes) and not turned:
        event = next(one.event for one in reversed(table.log) if "letter" in one.event.facts)
        control, swing, letter = (event.facts[name] for name in ("control", "swing", "letter"))
        assert {1, 2, 3, 4, 5, 6} >= {control, swing}
        assert (LESS if swing < control else EQUAL if swing == control else MORE)[letter] == event.code
        assert now.swing != 6


def waiting(moment: Moment) -> None:
    """Check that a call stays out of everybody else's view and journal while the other seat's call is open."""
    table = moment.table
    if len(table.journal) % 3 or {"guess", "pitch-call"} != {ask.why for _, ask in table.open_asks()}:
        return
    n, ask = table.open_asks()[len(table.journal) % 2]
    twin = table.clone()
    twin.answer_ask(ask.seat, n, pick(ask, len(table.journal)))
    for eyes in (None, opposite_seat(ask.seat)):
        shown = json_data(twin.view_for(eyes))
        assert json.dumps(json_data(table.view_for(eyes))["scoreboard"]) == json.dumps(shown["scoreboard"])
        assert ({}, HIDDEN_TEXT) == (shown["given"], twin.redacted_entries(eyes)[-1]["value"])
        assert [opposite_seat(ask.seat)] == [one["seat"] for one in shown["asks"]]


# The index ---------------------------------------------------------------------------------------------------------


def listed(chance: random.Random) -> Iterator[Table]:
    """Return games under any house rules."""
    decks = (house_deck(GAME), deck({"F-DULL": 'positions = "C"\ntrait = "bonus 2 as 3B"'}))
    for game in range(150):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
        yield Table(GAME, [decks[game % 2]], house)


def options(table: Table, ask: Ask) -> set[str]:
    """Return the options that are neither players nor phrases of blank cards."""
    inner, cards = inside(ask), true(table).cards
    if ask.why == "blank" or not isinstance(inner, Choose):
        return {"nothing"} if ask.why == "blank" else set()
    return set(inner.options) - {one.name for one in (*cards.batters, *cards.pitchers)}


RELIEFS = frozenset(code for code in GAME.words.options if code.startswith("relief-"))

# Secrets -----------------------------------------------------------------------------------------------------------

SETUP: list[tuple[Seat, object]] = [("home", "ready-made"), ("away", "Nora Quillfeather"), ("away", "Zeb Holloway")]
ROUND: list[tuple[Seat, object]] = [("home", "inside-high"), ("away", "inside-high"), ("away", [4, "B"]), ("home", 2)]
"""A pitch that is a ball whatever was called, under abilities that change no letter and no result."""


def start(game: Rulebook, house: dict[str, str]) -> Table:
    """Return a game with both sides set up and one round played, so that there is something to see."""
    table = Table(game, [house_deck(GAME)], house)
    for seat, value in (*SETUP, *ROUND):
        give(table, seat, value)
    return table


def call(owner: Seat, value: str, **house: str) -> Story:
    """Have one seat call while the other's call is still open."""

    def story(game: Rulebook, show: Show) -> None:
        show(give(start(game, house), owner, value))

    return story


def calls(owner: Seat, eyes: Seat | None, **house: str) -> Case:
    """Return any call of a seat."""
    return Case(eyes, tuple(call(owner, one, **house) for one in PITCH_CODES))


def draft(picks: list[str]) -> Story:
    """Play a simultaneous draft up to its last pick."""

    def story(game: Rulebook, show: Show) -> None:
        table = Table(game, [house_deck(GAME)], {"draft": "simultaneous"})
        for name in picks:
            show(play(table, name))

    return story


NAMES = [str(card.fields["name"]) for card in house_deck(GAME).cards if card.kind == "batter"]
LINEUPS = (draft(NAMES[:6]), draft([*NAMES[4::-1], NAMES[5]]))
STARTERS = (draft([*NAMES[:6], "Oskar Kovalenko"]), draft([*NAMES[:6], "Ames Tanaka"]))

CASES = (
    *(
        calls(owner, eyes, tokens=tokens)
        for owner in SEATS
        for eyes in (None, opposite_seat(owner))
        for tokens in ("secret", "open")
    ),
    Case(None, LINEUPS),
    Case("away", LINEUPS),
    Case("home", STARTERS),
)


# Planted leaks -----------------------------------------------------------------------------------------------------


def one_by_one(s: State) -> Play:
    """Play a stare-down that takes the pitcher's call first and keeps it on the scoreboard."""
    sealed = yield Secret(Choose("away", "pitch-call", PITCH_CODES, facts(s)))
    s.pitch = Pitch(tuple(sealed.peek().split("-")))
    yield Secret(Choose("home", "guess", PITCH_CODES, facts(s)))


def whisper(s: State) -> Play:
    """Play a stare-down that takes the batter's guess first and announces it."""
    sealed = yield Secret(Choose("home", "guess", PITCH_CODES, facts(s)))
    s.emit("ability", seat="home", card="x", does=sealed.peek())
    yield Secret(Choose("away", "pitch-call", PITCH_CODES, facts(s)))


def openly(s: State) -> Play:
    """Play a stare-down that asks the pitcher alone, and openly."""
    yield Choose("away", "pitch-call", PITCH_CODES, facts(s))
    yield Secret(Choose("home", "guess", PITCH_CODES, facts(s)))


def hinting(s: State) -> Play:
    """Play a stare-down where the pitcher's call decides what the batter may guess."""
    sealed = yield Secret(Choose("away", "pitch-call", PITCH_CODES, facts(s)))
    yield Choose("home", "guess", tuple(one for one in PITCH_CODES if one[0] == sealed.peek()[0]), facts(s))


def facts(s: State) -> dict[str, Any]:
    """Return the facts of the sentences."""
    return {"batter": s.batter.name, "pitcher": s.current_pitcher.name}


def planted(stare: Callable[[State], Play]) -> Rulebook:
    """Return the game with this as its second round."""
    return with_play(GAME, stare, lambda s: s.pitcher and (s.balls, s.strikes) != (0, 0))


def peeking() -> Leak:
    """Show a scoreboard that reads answers before they are revealed."""
    tables: list[Table] = []

    def shown(s: State, log: Any) -> Scoreboard:
        calls = [str(one.value) for table in tables[-1:] for one in table.answers]
        return replace(scoreboard.build_scoreboard(s, log), panel={"calls": calls})

    def look(table: Table, seat: Seat | None) -> Any:
        tables.append(table)
        return json_data(table.view_for(seat))

    return Leak(replace(GAME, scoreboard=shown), look)


FIRST = {seat: tuple(calls(seat, eyes) for eyes in (None, opposite_seat(seat))) for seat in SEATS}
"""Cases where a seat calls first."""

CONTRACT = Contract(
    GAME,
    (house_deck(GAME), deck()),
    holds=(tokens, outs, fatigue, pitches, count, pitch, waiting),
    ends=Ends([{}] * 60, frozenset({"away: three-outs", "home: walk-off-hit", "home: walk-off-home-run"})),
    stories=Stories(GAME, {"": {}}),
    houses=st.one_of(st.just({}), houses(GAME)),
    index=Walk(
        listed,
        lambda: play(Table(GAME, [deck()]), "ready-made", "F-PIT", "F-REL"),
        options=options,
        more={"relief": RELIEFS, "pitch-call": frozenset(PITCH_CODES)},
    ),
    longest=240,
    examples=60,
    few=20,
    rules={"secrecy": ("BN-037",)},
    secrets=Secrets(
        CASES,
        owners=(*(calls(seat, seat) for seat in SEATS), Case("home", LINEUPS)),
        leaks={
            "board": Leak(planted(one_by_one), views, FIRST["away"]),
            "event": Leak(planted(whisper), everything, FIRST["home"]),
            "unsealed": Leak(planted(openly), journal, FIRST["away"]),
            "options": Leak(planted(hinting), views, FIRST["away"]),
            "peeking board": peeking(),
        },
    ),
)
