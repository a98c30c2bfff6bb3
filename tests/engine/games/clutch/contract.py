"""Invariants of every game of Clutch, and its secrets: what a manager holds.

Where everybody is asked in every window (`windows = "always"`), nothing gives a hand away. Where only managers who can
play a card are asked, being asked shows that they can, and nothing more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Choose, Draw, Play, Prompt, Roll, Secret, SimultaneousAsks
from engine.diamond import runners_on_base
from engine.game import Rulebook
from engine.games.clutch import GAME, rules
from engine.games.clutch.cards.card_types import LINEUP_POSITIONS
from engine.games.clutch.numbers import modifiers
from engine.games.clutch.state import State
from engine.scoreboard import line_score
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from tests.engine.games.clutch import any_cards, rare
from tests.engine.games.clutch.fixture import HOUSE, deck
from tests.engine.games.contract.contract import Contract, Ends, Moment, Walk
from tests.engine.games.contract.secrecy import Case, Leak, Secrets, Show, Story, sentences, views
from tests.engine.tables import asked, houses, inside
from tests.engine.tables import pick as any_of
from tests.golden.clutch import STORIES

PLAIN = ("line-up", "starter", "mulligan", "defence", "offence", "changes", "walk")
"""Asks in which the first answer is given most of the time, or a game would be nothing but substitutions."""


def pick(ask: Ask, number: int) -> Any:
    """Return a legal answer; for player changes, mostly the one that changes nothing."""
    return any_of(ask, 0 if inside(ask).why in PLAIN and number % 4 else number)


# Invariants --------------------------------------------------------------------------------------------------------


def sides(s: State) -> tuple[Seat, ...]:
    """Return both sides, once they are on the field."""
    return SEATS if s.phase == "play" and not s.ended else ()


def cards(moment: Moment) -> None:
    """Check that no strategy card is lost or doubled: every card of a deck is in a zone or being played."""
    now = moment.now
    if not now.full or not now.dealt:
        return
    for side in sides(now):
        squad = now.squad(side)
        held = [one.peek() for pile in (squad.bottom, squad.top, squad.hand) for one in pile]
        kept = [one.name for one in now.kept if one.side == side and one.kind == "strategy"]
        there = Counter([*squad.deck, *held, *squad.discard, *kept])
        whole = Counter(squad.roster.deck)
        assert not there - whole
        played = Counter(one.name for one in now.at.played if one.side == side)
        assert not whole - there - played


def hands(moment: Moment) -> None:
    """Check that no hand exceeds seven cards at the Pitch Roll and at a bunt, unless a card allows it (CL-076)."""
    now, table = moment.now, moment.table
    for _n, ask in table.open_asks():
        if isinstance(ask, Roll) and ask.why in ("pitch", "bunt") and now.at.pitch_natural is None and not now.at.bunt:
            for side in SEATS:
                assert now.hand_size(side) <= max(0, 7 + modifiers.card_bonus(now, "hand_limit", side=side))


def field(moment: Moment) -> None:
    """Check that each base has at most one runner, all of the side at bat and none its batter; at most three outs."""
    now, table = moment.now, moment.table
    on = [one.name for one in runners_on_base(now.bases)]
    assert len(set(on)) == len(on)
    assert 0 <= now.outs <= 3
    if now.begun and sides(now):
        assert set(on) <= set(now.squad(now.offense).order)
        asking = [ask.why for _, ask in table.open_asks()]
        assert "pitch" not in asking or now.batter_card.name not in on


def nine(moment: Moment) -> None:
    """Check that nine bat, each position is filled once, and nobody who left comes back (CL-082, CL-123)."""
    before, now = moment.before, moment.now
    for side in sides(now):
        squad = now.squad(side)
        assert len(set(squad.order)) == len(squad.order) in (8, 9)
        assert len(squad.order) < 9 or set(LINEUP_POSITIONS) == set(squad.spots)
        people = [*squad.order, *squad.bench]
        assert len(set(people)) == len(people)
        assert not set(squad.gone) & set(squad.bench)
        if before.game == now.game and before.phase == now.phase:
            assert set(before.squad(side).gone) <= set(squad.gone)


def runs(moment: Moment) -> None:
    """Check that the score is the sum of the line score, and that only the side at bat scores."""
    before, now, table = moment.before, moment.now, moment.table
    if not sides(now):
        return
    line = line_score(table.log).lines
    assert list(now.score) == [sum(one or 0 for one in line[side]) for side in SEATS]
    assert all(new >= old for old, new in zip(before.score, now.score, strict=True)) or before.game != now.game


def arms(moment: Moment) -> None:
    """Check that a side's pitchers add up to its opponents' outs and runs, and that no limit is below zero."""
    now = moment.now
    for i, side in enumerate(SEATS):
        if side in sides(now):
            outs = sum(arm.outs for arm in now.arms[i].values())
            assert outs <= 27 + 3 * max(0, now.clock.inning - 9)
            assert sum(arm.runs for arm in now.arms[i].values()) <= now.score[1 - i]
            assert all(0 <= arm.earned <= arm.runs for arm in now.arms[i].values())


def at_bats(moment: Moment) -> None:
    """Check that no at-bat goes on forever."""
    table = moment.table
    begun = next((n for n, told in enumerate(reversed(table.log)) if told.event.code == "at-bat"), 0)
    assert begun < 120


def series(end: State) -> None:
    """Check that a series ends when one side has won more than half of it, or when all games are played."""
    games = int(end.house.get("series", "1"))
    assert sum(end.won) <= games
    assert max(end.won) * 2 > games or sum(end.won) == games


# Secrets -----------------------------------------------------------------------------------------------------------

HANDS: Mapping[Seat, tuple[str, ...]] = {
    "away": ("SW+2", "OB+2", "DRAW2", "GB>1B", "1B>2B"),
    "home": ("SW-2", "PT+2", "DRAW2", "1B>GB", "PR-1"),
}
"""The cards dealt; the last card of each is the one that could be another."""

OTHERS: Mapping[Seat, tuple[str, ...]] = {"away": ("SPD+2", "CL-SW", "MOM"), "home": ("THR+2", "IP+1", "STICK")}

SETUP = {"roster": "Away", "line-up": "roster", "mulligan": "keep", "defence": "pitch"}
"""Answers on the way to the first pitch, where they are not the first one offered."""


def to_the_swing(hands: Mapping[Seat, tuple[str, ...]], every: int = 1, windows: str = "always") -> Story:
    """Play from the deal to the first swing without cards, showing the table after every `every`-th secret ask."""

    def story(game: Rulebook, show: Show) -> None:
        table = Table(game, [deck()], {**HOUSE, "windows": windows})
        left = {seat: list(hands[seat]) for seat in SEATS}
        while (whys := asked(table)) and "swing" not in whys:
            for n, ask in table.open_asks():
                table.answer_ask(ask.seat, n, answer(inside(ask), left))
                if isinstance(ask, Secret) and n % every == 0:
                    show(table)
        show(table)

    return story


def answer(ask: Ask, left: Mapping[Seat, list[str]]) -> object:
    """Answer for a story: draw the next card of its hand, play none."""
    if isinstance(ask, Draw):
        return left[ask.seat].pop(0)
    if isinstance(ask, Choose):
        value = SETUP.get(ask.why)
        return value if value in ask.options else ask.options[0]
    return 9 if ask.why == "pitch" else {"away": 1, "home": 20}[ask.seat]


def with_card(owner: Seat, card: str) -> Mapping[Seat, tuple[str, ...]]:
    """Return the hands with the last card of one replaced."""
    return {**HANDS, owner: (*HANDS[owner][:-1], card)}


def cases(count: int, eyes: Callable[[Seat], tuple[Seat | None, ...]], every: int = 1) -> Iterator[Case]:
    """Return cases by the last card of each hand."""
    for owner in SEATS:
        stories = tuple(to_the_swing(with_card(owner, card), every) for card in OTHERS[owner][:count])
        yield from (Case(one, stories) for one in eyes(owner))


def usable(card: str) -> Story:
    """Return cases in which home holds one card that can be played before the pitch."""
    return to_the_swing({**HANDS, "home": (card, "DRAW2", "SW-2", "1B>GB", "PR-1")}, windows="usable")


# Planted leaks -----------------------------------------------------------------------------------------------------


def with_prompts(change: Callable[[Prompt], Prompt | None]) -> Rulebook:
    """Return the game with its questions changed on their way out."""

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
    """Ask about a mulligan in a sentence that names the hand."""
    if not isinstance(prompt, SimultaneousAsks) or prompt.asks[0].why != "mulligan":
        return None
    asks = [ask.ask for ask in prompt.asks if isinstance(ask, Secret)]
    hands = [[card.peek() for card in ask.facts["hand"]] for ask in asks]
    return SimultaneousAsks(
        tuple(Secret(replace(ask, facts={**ask.facts, "taken": hand})) for ask, hand in zip(asks, hands, strict=True))
    )


def chatty(s: State) -> Callable[[State], Play] | None:
    """Draw a card with an event that names it."""
    play = rules.next_play(s)

    def told(s: State) -> Play:
        yield from play(s)
        for squad in s.squads:
            for card in squad.hand:
                s.emit("discards", seat="away", team="", card=card.peek())

    return told


def mixed(chance: Random) -> Iterator[Table]:
    """Return games of every level under any house rules, then close games with cards that do anything."""
    for number in range(24):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules} if number > 3 else {}
        level = ("full", "full", "players", "basic")[number % 4]
        house |= {"format": "open", "leagueOnly": "off", "level": level}
        yield Table(GAME, [(house_deck(GAME), deck())[number // 4 % 2]], house)
    yield from any_cards.games(chance, 40)


CONTRACT = Contract(
    GAME,
    (house_deck(GAME), deck()),
    holds=(cards, hands, field, nine, runs, arms, at_bats),
    ended=(series,),
    ends=Ends(
        [{"format": "open", **house} for house in ({}, {"level": "basic"}, {"level": "players", "series": "3"})] * 2,
        frozenset({"nine-innings", "series"}),
    ),
    stories=STORIES,
    mixed=Walk(mixed, longest=200, pick=pick),
    rare=Walk(rare.games, longest=600, pick=rare.pick),
    pick=pick,
    houses=st.builds(
        lambda house, level: {**house, "format": "open", "leagueOnly": "off", "level": level},
        houses(GAME),
        st.sampled_from(("full", "full", "players", "basic")),
    ),
    longest=700,
    examples=25,
    taken_back=160,
    few=8,
    rules={"holds": ("CL-076", "CL-082", "CL-123"), "secrecy": ("CL-081", "CL-057")},
    secrets=Secrets(
        (*cases(3, lambda owner: (opposite_seat(owner), None)), Case("away", (usable("PT+2"), usable("PT+2b")))),
        owners=tuple(cases(2, lambda owner: (owner,))),
        thorough=tuple(cases(2, lambda owner: (opposite_seat(owner),), every=5)),
        undone=2,
        leaks={"ask": Leak(with_prompts(telling), views), "event": Leak(replace(GAME, next_play=chatty), sentences)},
        peek=lambda s: [[one.peek() for one in squad.hand] for squad in s.squads],
    ),
)
