"""Nobody can tell a call before both are made: games that differ only in it look alike, byte for byte."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from device.storage.decks import house_deck
from engine.asks import Choose, Play, Secret
from engine.game import Game
from engine.games.bottom_of_the_9th import GAME, rules, scoreboard
from engine.games.bottom_of_the_9th.cards import PITCHES
from engine.games.bottom_of_the_9th.state import Pitch, State
from engine.journal import entry_json
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.tables import Look, everything

ROUND: list[tuple[str, object]] = [("away", [4, "B"]), ("home", 2)]
"""A pitch that is a ball whatever was called, under abilities that change no letter and no result."""


def start(game: Game, house: dict[str, str]) -> Table:
    """A game with both sides set up and one round played, so that there is something to look at."""
    deck = house_deck(GAME)
    table = Table(game, [deck], house)
    if house.get("draft") == "simultaneous":
        return table
    setting: list[tuple[str, object]] = [
        ("home", "ready-made"),
        ("away", "Nora Quillfeather"),
        ("away", "Zeb Holloway"),
    ]
    for seat, value in (*setting, ("home", "inside-high"), ("away", "inside-high"), *ROUND):
        give(table, seat, value)
    return table


def give(table: Table, seat: str, value: object) -> None:
    """Answer the open ask of a seat."""
    (n,) = [n for n, ask in table.asks() if ask.seat == seat]
    table.answer("home" if seat == "home" else "away", n, value)


def journal(table: Table, seat: Seat | None) -> Any:
    """The journal as it is given out."""
    return table.entries(seat)


def views(table: Table, seat: Seat | None) -> Any:
    """The view as JSON."""
    return table.view(seat)


def pairs() -> Iterator[tuple[Seat, str, str]]:
    """Two calls of one seat."""
    for seat in SEATS:
        for one, two in itertools.combinations(PITCHES, 2):
            yield seat, one, two


def leaks(game: Game, look: Look, house: dict[str, str] | None = None) -> int:
    """In how many pairs somebody else can tell two calls apart while the other seat's is still open."""
    found = 0
    for owner, one, two in pairs():
        for eyes in (None, other(owner)):
            seen = []
            for call in (one, two):
                table = start(game, house or {})
                give(table, owner, call)
                seen.append(json.dumps(look(table, eyes)).encode())
            found += seen[0] != seen[1]
    return found


@pytest.mark.rule("BN-037")
@pytest.mark.parametrize("look", [everything, journal, views])
@pytest.mark.parametrize("tokens", ["secret", "open"])
def test_nobody_can_tell_a_call(look: Look, tokens: str) -> None:
    """For spectators and the other seat: view, asks, log, journal, refusals; with real tokens too."""
    assert 0 == leaks(GAME, look, {"tokens": tokens})


def test_its_owner_sees_it() -> None:
    """The views are not alike because there is nothing in them."""
    for owner, one, two in pairs():
        seen = []
        for call in (one, two):
            table = start(GAME, {})
            give(table, owner, call)
            seen.append(table.view(owner)["given"])
        assert [[one], [two]] == [list(given.values()) for given in seen]


def test_everybody_sees_it_after_the_reveal() -> None:
    """And before, no word of the round under way is told."""
    table = start(GAME, {})
    length = len(table.log)
    give(table, "away", "away-low")
    assert length == len(table.log)
    give(table, "home", "inside-high")
    for seat in (*SEATS, None):
        assert ["away", "low"] == table.view(seat)["scoreboard"]["panel"]["pitch"]["thrown"]
        assert HIDDEN not in json.dumps(table.entries(seat))


def test_a_call_taken_back_before_the_reveal_stays_hidden() -> None:
    """The journal does not show it, though the round was played with others."""
    table = start(GAME, {})
    give(table, "away", "away-low")
    place = len(table.journal) - 1
    table.undo(table.answers[-1].n)
    for seat, value in (("away", "away-high"), ("home", "inside-low")):
        give(table, seat, value)
    assert HIDDEN == table.entries(None)[place]["value"] == table.entries("home")[place]["value"]
    assert "away-low" not in json.dumps(table.entries(None)[place:])


@pytest.mark.rule("BN-038")
@pytest.mark.parametrize("tokens", ["secret", "open"])
def test_what_is_open_is_changed_by_both_or_by_nobody(tokens: str) -> None:
    """Taken back after the reveal, guess and pitch are both asked again, whichever was entered last."""
    for seats in (SEATS, SEATS[::-1]):
        table = start(GAME, {"tokens": tokens})
        for seat in seats:
            give(table, seat, "away-low")
        table.undo(table.answers[-1].n)
        assert (["guess", "pitch-call"], {}) == ([ask.why for _, ask in table.asks()], table.view(seats[0])["given"])


def test_hidden_picks_are_taken_back_as_one() -> None:
    """After a simultaneous draft, all are asked again; before its end only what was taken back."""
    table = start(GAME, {"draft": "simultaneous"})
    for _ in range(7):
        ((n, ask),) = table.asks()
        assert isinstance(ask, Secret)
        assert isinstance(ask.ask, Choose)
        table.answer(ask.seat, n, ask.ask.options[0])
    table.undo(6)
    assert ["starter"] == [ask.why for _, ask in table.asks()]
    give(table, "away", "Oskar Kovalenko")
    give(table, "away", "Zeb Holloway")
    table.undo(7)
    assert ["bat-1"] == [ask.why for _, ask in table.asks()]


# Planted leaks ---------------------------------------------------------------------------------------------------


def one_by_one(s: State) -> Play:
    """A stare-down that takes the pitcher's call first, and keeps it on the board."""
    sealed = yield Secret(Choose("away", "pitch-call", PITCHES, facts(s)))
    s.pitch = Pitch(tuple(sealed.peek().split("-")))
    yield Secret(Choose("home", "guess", PITCHES, facts(s)))


def whisper(s: State) -> Play:
    """A stare-down that takes the batter's guess first, and tells it."""
    sealed = yield Secret(Choose("home", "guess", PITCHES, facts(s)))
    s.tell("ability", seat="home", card="x", does=sealed.peek())
    yield Secret(Choose("away", "pitch-call", PITCHES, facts(s)))


def openly(s: State) -> Play:
    """A stare-down that asks the pitcher alone, and not in secret."""
    yield Choose("away", "pitch-call", PITCHES, facts(s))
    yield Secret(Choose("home", "guess", PITCHES, facts(s)))


def hinting(s: State) -> Play:
    """A stare-down where what the batter may guess follows from what the pitcher called."""
    sealed = yield Secret(Choose("away", "pitch-call", PITCHES, facts(s)))
    yield Choose("home", "guess", tuple(one for one in PITCHES if one[0] == sealed.peek()[0]), facts(s))


def facts(s: State) -> dict[str, Any]:
    """What the sentences want."""
    return {"batter": s.batter.name, "pitcher": s.mound.name}


def planted(play: Callable[[State], Play]) -> Game:
    """The game, with this instead of its second round."""

    def next_play(s: State) -> Callable[[State], Play] | None:
        return play if s.pitcher and (s.balls, s.strikes) != (0, 0) else rules.next_play(s)

    return replace(GAME, next_play=next_play)


def first_calls(game: Game, look: Look, owner: Seat) -> int:
    """In how many pairs of this seat's calls, made first, the others can tell."""
    found = 0
    for seat, one, two in pairs():
        if seat == owner:
            seen = []
            for call in (one, two):
                table = start(game, {})
                give(table, owner, call)
                seen.append([json.dumps(look(table, eyes)) for eyes in (None, other(owner))])
            found += seen[0] != seen[1]
    return found


@pytest.mark.parametrize(
    ("play", "look", "owner"),
    [
        (one_by_one, views, "away"),
        (whisper, everything, "home"),
        (openly, journal, "away"),
        (hinting, views, "away"),
    ],
    ids=["board", "event", "unsealed", "options"],
)
def test_a_leak_in_the_rules_is_caught(play: Callable[[State], Play], look: Look, owner: Seat) -> None:
    """Each way for the rules to tell a call makes some pair differ."""
    assert 0 < first_calls(planted(play), look, owner)


@pytest.mark.parametrize(
    "look",
    [
        lambda table, seat: [entry_json(entry) for entry in table.journal],
        lambda table, seat: [table.view(eyes) for eyes in SEATS],
        lambda table, seat: [str(one.value) for one in table.answers],
    ],
    ids=["stored journal", "wrong eyes", "answers"],
)
def test_a_leak_in_what_is_given_out_is_caught(look: Look) -> None:
    """Handing out the stored journal, the other seat's view or the answers is told apart."""
    assert 0 < leaks(GAME, look)


def test_a_board_that_peeks_is_caught() -> None:
    """A scoreboard that reads what was answered, not what was revealed."""
    tables: list[Table] = []

    def peeking(s: State, log: Any) -> Scoreboard:
        calls = [one.value for table in tables[-1:] for one in table.answers]
        return replace(scoreboard.scoreboard(s, log), panel={"calls": calls})

    def look(table: Table, seat: Seat | None) -> Any:
        tables.append(table)
        return table.view(seat)

    assert 0 < leaks(replace(GAME, scoreboard=peeking), look)


# The draft -------------------------------------------------------------------------------------------------------


def drafted(picks: list[str], look: Look, eyes: Seat | None) -> list[bytes]:
    """What is seen while a simultaneous draft goes on: before the last pick."""
    table = start(GAME, {"draft": "simultaneous"})
    seen = []
    for pick in picks:
        ((_, ask),) = table.asks()
        give(table, ask.seat, pick)
        seen.append(json.dumps(look(table, eyes)).encode())
    return seen


def test_nobody_can_tell_a_hidden_pick() -> None:
    """Two line-ups, two starters: alike for the other side and for spectators until all is picked."""
    names = [card.fields["name"] for card in house_deck(GAME).cards if card.kind == "batter"]
    one, two = names[:6], [names[4], names[3], names[2], names[1], names[0], names[5]]
    for eyes in (None, "away"):
        seat: Seat | None = "away" if eyes else None
        assert drafted(one, everything, seat) == drafted(two, everything, seat)
    starters = [[*one, "Oskar Kovalenko"], [*one, "Ames Tanaka"]]
    assert drafted(starters[0], everything, "home") == drafted(starters[1], everything, "home")
    assert drafted(one, everything, "home") != drafted(two, everything, "home")
