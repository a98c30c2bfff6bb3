"""Nobody can tell what a manager holds: games that differ only in it look alike, byte for byte.

Where everybody is asked in every window (`windows = "always"`) nothing tells; where only who can play a card is asked,
that somebody is asked tells that he can, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Choose, Draw, Play, Prompt, Secret, Together
from engine.game import Game
from engine.games.clutch import GAME, rules, scoreboard
from engine.games.clutch.state import State
from engine.journal import entry_json
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.clutch.field import state
from tests.engine.games.clutch.fixture import HOUSE, deck
from tests.engine.tables import Look, asked, everything, give, inside

HANDS: Mapping[Seat, tuple[str, ...]] = {
    "away": ("SW+2", "OB+2", "DRAW2", "GB>1B", "1B>2B"),
    "home": ("SW-2", "PT+2", "DRAW2", "1B>GB", "PR-1"),
}
"""What is dealt; the last card of each is the one that could be another."""

OTHERS: Mapping[Seat, tuple[str, ...]] = {"away": ("SPD+2", "CL-SW", "MOM"), "home": ("THR+2", "IP+1", "STICK")}

SETUP = {
    "roster": "Away",
    "home-roll": 10,
    "starter": None,
    "line-up": "roster",
    "mulligan": "keep",
    "defence": "pitch",
}
"""Answers on the way to the first pitch; the first one offered where it is None."""

ALWAYS = {**HOUSE, "windows": "always"}


def tried(table: Table, seat: Seat | None) -> Any:
    """All that may leave the engine, and what would be left after taking back what was answered."""
    seen = [everything(table, seat)]
    for one in table.answers[-2:]:
        twin = table.clone()
        twin.undo(one.n)
        seen.append([twin.view(seat), twin.entries(seat)])
    return seen


def views(table: Table, seat: Seat | None) -> Any:
    """The view as JSON."""
    return table.view(seat)


def journal(table: Table, seat: Seat | None) -> Any:
    """The journal as it is given out."""
    return table.entries(seat)


def told(table: Table, seat: Seat | None) -> Any:
    """What happened, in words."""
    return [line.sentence for line in table.lines()]


def story(
    game: Game, hands: Mapping[Seat, tuple[str, ...]], eyes: Seat | None, look: Look, every: int = 1
) -> list[bytes]:
    """What is seen from the deal to the first swing, look by look or at `every` so manieth: nobody plays a card."""
    table = Table(game, [deck()], ALWAYS)
    left = {seat: list(hands[seat]) for seat in SEATS}
    rolls = {"away": 1, "home": 20}
    seen: list[bytes] = []
    while (whys := asked(table)) and "swing" not in whys:
        for n, ask in table.asks():
            asks = inside(ask)
            value: object = SETUP.get(ask.why)
            if ask.why == "home-roll":
                value = rolls[ask.seat]
            elif ask.why == "pitch":
                value = 9
            elif isinstance(asks, Draw):
                value = left[ask.seat].pop(0)
            elif isinstance(asks, Choose) and value not in asks.options:
                value = asks.options[0]
            table.answer(ask.seat, n, value)
            if isinstance(ask, Secret) and n % every == 0:
                seen.append(json.dumps(look(table, eyes)).encode())
    seen.append(json.dumps(look(table, eyes)).encode())
    return seen


def with_card(owner: Seat, card: str) -> Mapping[Seat, tuple[str, ...]]:
    """The hands with another last card."""
    return {**HANDS, owner: (*HANDS[owner][:-1], card)}


def leaks(game: Game, look: Look, only: int = 2) -> int:
    """How many stories somebody can tell apart who must not: the other manager, and a spectator."""
    found = 0
    for owner in SEATS:
        for eyes in (other(owner), None):
            found += len({tuple(story(game, with_card(owner, card), eyes, look)) for card in OTHERS[owner][:only]}) - 1
    return found


@pytest.mark.rule("CL-081", "CL-057")
@pytest.mark.parametrize("look", [journal, views, told])
def test_nobody_can_tell_a_hand(look: Look) -> None:
    """For the other manager and for spectators."""
    assert 0 == leaks(GAME, look, 3)


@pytest.mark.rule("CL-081")
@pytest.mark.parametrize("owner", SEATS)
def test_nothing_that_leaves_the_engine_tells(owner: Seat) -> None:
    """View, asks, log, journal, refusals, previews, and what taking back would leave."""
    one, two = (story(GAME, with_card(owner, card), other(owner), tried, 5) for card in OTHERS[owner][:2])
    assert one == two


def test_its_owner_sees_it() -> None:
    """The views are not alike because there is nothing in them."""
    for owner in SEATS:
        one, two = (story(GAME, with_card(owner, card), owner, views) for card in OTHERS[owner][:2])
        assert one != two


@pytest.mark.rule("CL-081", "CL-220")
def test_a_card_is_seen_once_it_is_played() -> None:
    """Not before; and then it lies face up, while the draws before it stay hidden in the journal."""
    table = Table(GAME, [deck()], ALWAYS)
    left = {seat: list(HANDS[seat]) for seat in SEATS}
    while "cards-before-pitch" not in asked(table):
        for n, ask in table.asks():
            asks = inside(ask)
            value = 1 if ask.seat == "away" else 20
            if isinstance(asks, Draw):
                table.answer(ask.seat, n, left[ask.seat].pop(0))
            elif isinstance(asks, Choose):
                table.answer(ask.seat, n, asks.options[0])
            else:
                table.answer(ask.seat, n, value)
    ((n, ask),) = table.asks()
    assert "PT+2" not in json.dumps(table.view("away")).replace(json.dumps(table.view("away")["scoreboard"]), "")
    table.answer(ask.seat, n, "PT+2")
    assert "PT+2" in table.last()
    entries = table.entries("away")
    assert "PT+2" == entries[n]["value"]
    draws = [one.entry for one in table.answers if one.ask.why == "draw" and one.ask.seat == "home"]
    assert [HIDDEN] * len(draws) == [entries[place]["value"] for place in draws]
    while state(table).at.pitch_natural is None:
        ((n, ask),) = table.asks()
        asks = inside(ask)
        give(table, ask.seat, asks.options[0] if isinstance(asks, Choose) else 9)
    assert ("PT+2",) == state(table).squad("home").discard


def test_where_only_who_can_play_is_asked_no_more_is_told() -> None:
    """Two hands with which the same windows are asked look alike."""
    usable = {**HOUSE, "windows": "usable"}
    stories = []
    for card in ("PT+2", "PT+2b"):
        table = Table(GAME, [deck()], usable)
        left = {"away": list(HANDS["away"]), "home": [card, "DRAW2", "SW-2", "1B>GB", "PR-1"]}
        seen = []
        while "swing" not in asked(table):
            for n, ask in table.asks():
                asks = inside(ask)
                value: object = 9 if ask.why == "pitch" else 1 if ask.seat == "away" else 20
                if isinstance(asks, Draw):
                    value = left[ask.seat].pop(0)
                elif isinstance(asks, Choose):
                    value = asks.options[0]
                table.answer(ask.seat, n, value)
            seen.append(json.dumps([table.view("away"), table.entries("away")]))
        stories.append(seen)
    assert stories[0] == stories[1]


# Planted leaks -------------------------------------------------------------------------------------------------------


def planted(change: Callable[[Prompt], Prompt | None]) -> Game:
    """The game with its prompts changed on their way out."""

    def next_play(s: State) -> Callable[[State], Play] | None:
        play = rules.next_play(s)

        def tampered(s: State) -> Play:
            running = play(s)
            try:
                prompt = next(running)
                while True:
                    prompt = running.send((yield change(prompt) or prompt))
            except StopIteration:
                return

        return tampered

    return replace(GAME, next_play=next_play)


def telling(prompt: Prompt) -> Prompt | None:
    """A mulligan's ask that tells the hand in its sentence."""
    if not isinstance(prompt, Together) or prompt.asks[0].why != "mulligan":
        return None
    asks = [ask.ask for ask in prompt.asks if isinstance(ask, Secret)]
    hands = [[card.peek() for card in ask.facts["hand"]] for ask in asks]
    return Together(tuple(Secret(replace(ask, facts={"taken": hand})) for ask, hand in zip(asks, hands, strict=True)))


def test_an_ask_that_tells_is_caught() -> None:
    """What is held, in the sentence of the ask."""
    assert 0 < leaks(planted(telling), views)


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
    """Handing out the stored journal, the other seat's view, or the answers."""
    assert 0 < leaks(GAME, look)


def test_a_board_that_peeks_is_caught() -> None:
    """A scoreboard that opens the seals of the hands."""

    def peeking(s: State, log: Any) -> Scoreboard:
        shown = scoreboard.scoreboard(s, log)
        return replace(
            shown, panel={**shown.panel, "hands": [[one.peek() for one in squad.hand] for squad in s.squads]}
        )

    assert 0 < leaks(replace(GAME, scoreboard=peeking), views)


def test_an_event_that_tells_is_caught() -> None:
    """A draw that says what was drawn."""

    def next_play(s: State) -> Callable[[State], Play] | None:
        play = rules.next_play(s)

        def chatty(s: State) -> Play:
            yield from play(s)
            for squad in s.squads:
                for card in squad.hand:
                    s.tell("discards", seat="away", team="", card=card.peek())

        return chatty

    assert 0 < leaks(replace(GAME, next_play=next_play), told)
