"""Nobody can tell what a coach holds in a duel's draft: games that differ only in it look alike, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Choose, Draw, Play, Secret
from engine.game import Game
from engine.games.seventh_inning_stretch import GAME, rules, scoreboard
from engine.games.seventh_inning_stretch.season import duel
from engine.games.seventh_inning_stretch.state import State
from engine.journal import entry_json
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat, other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import HOUSE, deck, true
from tests.engine.tables import Look, everything, give, play, step

HANDS = ("F-MAX", "F-0", "F-PAIR", "F-1", "F-3B", "F-2", "F-BB", "F-3")
"""What is dealt, by turns to away and home; the fourth card of each is the last to be kept."""

OTHERS = ("F-SAC", "F-TWO", "F-RES")
"""What could lie there instead."""


def tried(table: Table, seat: Seat | None) -> Any:
    """All that may leave the engine, and what would be left after taking back what was answered."""
    seen = [everything(table, seat)]
    for one in table.answers[-3:]:
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


def story(game: Game, hands: tuple[str, ...], picks: tuple[str, ...], eyes: Seat | None, look: Look) -> list[bytes]:
    """What is seen of a deal and a draft, card by card: each of `picks` is kept by away and home by turns."""
    table = play(Table(game, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *hands)
    seen = [json.dumps(look(table, eyes)).encode()]
    for number, card in enumerate(picks):
        give(table, SEATS[number % 2], card)
        seen.append(json.dumps(look(table, eyes)).encode())
    return seen


def with_card(place: int, card: str) -> tuple[str, ...]:
    """The hands with another card at a place."""
    return (*HANDS[:place], card, *HANDS[place + 1 :])


def leaks(game: Game, look: Look) -> int:
    """How many stories somebody can tell apart who must not: by a card in the other's hand, until the hands are
    passed; by one in anybody's, as a spectator, until it is kept; and by what the other has just kept."""
    found = 0
    for owner in SEATS:
        place = 6 + SEATS.index(owner)
        # The other coach sees the deal and half of the first round.
        held = {tuple(story(game, with_card(place, card), HANDS[:1], other(owner), look)) for card in OTHERS}
        # A spectator sees all but the end of it: this card is the last of its hand.
        rounds = (HANDS[0], HANDS[1], HANDS[3], HANDS[2], HANDS[4])
        seen = {tuple(story(game, with_card(place, card), rounds, None, look)) for card in OTHERS}
        found += len(held) + len(seen) - 2
    for eyes in (None, "home"):
        kept = {tuple(story(game, HANDS, (card,), eyes, look)) for card in HANDS[::2]}
        found += len(kept) - 1
    return found


@pytest.mark.rule("SI-194", "SI-195")
@pytest.mark.parametrize("look", [tried, journal, views, told])
def test_nobody_can_tell_a_hand(look: Look) -> None:
    """For the other coach and spectators: view, asks, log, journal, refusals, and what taking back would leave."""
    assert 0 == leaks(GAME, look)


def test_its_owner_sees_it() -> None:
    """The views are not alike because there is nothing in them: its owner can tell, and who it is passed to."""
    one, two = (story(GAME, with_card(6, card), (), "away", views) for card in OTHERS[:2])
    assert one != two
    one, two = (story(GAME, with_card(6, card), HANDS[:2], "home", views) for card in OTHERS[:2])
    assert (True, False) == (one[:2] == two[:2], one[2] == two[2])


@pytest.mark.rule("SI-195")
def test_what_is_kept_is_seen_once_both_have_kept() -> None:
    """Not before; and then in the journal too, but not what else was dealt."""
    table = play(Table(GAME, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *HANDS)
    give(table, "away", "F-MAX")
    assert ("F-PIT",) == true(table).squads[0].roster
    assert [HIDDEN] * 9 == [one["value"] for one in table.entries(None)[1:]]
    give(table, "home", "F-0")
    assert ["F-PIT", *[HIDDEN] * 8, "F-MAX", "F-0"] == [one["value"] for one in table.entries(None)]
    assert [["hidden"] * 3] * 2 == list(table.view(None)["scoreboard"]["panel"]["hands"].values())


@pytest.mark.rule("SI-195")
def test_both_picks_are_taken_back_together() -> None:
    """Once they are seen, nobody keeps another card knowing what the other has kept."""
    table = play(Table(GAME, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *HANDS)
    give(give(table, "away", "F-MAX"), "home", "F-0")
    table.undo(table.answers[-1].n)
    assert ["pick", "pick"] == [ask.why for _, ask in table.asks()]


# Planted leaks -------------------------------------------------------------------------------------------------------


def planted(whenever: Callable[[State], bool], play: Callable[[State], Play]) -> Game:
    """The game, with this instead of one of its plays."""

    def next_play(s: State) -> Callable[[State], Play] | None:
        return play if whenever(s) else rules.next_play(s)

    return replace(GAME, next_play=next_play)


def open_deal(s: State) -> Play:
    """A deal for all to see."""
    for _ in range(4):
        for seat in SEATS:
            name = yield Draw(seat, "hand", s.box.tier(1), {"tier": 1})
            sealed = yield Secret(Choose(seat, "hand", (name,), {"tier": 1}))
            duel.hold(s, seat, (*s.hands[SEATS.index(seat)], sealed))
    s.drafted = 1


def one_by_one(s: State) -> Play:
    """A round in which the Visitors' card is seen before Home keeps one."""
    for seat in SEATS:
        hand = tuple(one.peek() for one in s.hands[SEATS.index(seat)])
        name = yield Choose(seat, "pick", hand, {"count": len(hand), "notes": {}})
        s.tell("picked", seat=seat, team="", player=name)


def telling(s: State) -> Play:
    """A round that says how many batters a coach holds."""
    s.tell("deal", what=" and ".join(sorted(one.peek() for one in s.hands[0])))
    yield from duel.pick(s)


def hinting(s: State) -> Play:
    """A round that asks Home something where the Visitors hold a certain card."""
    if any(one.peek() == "F-SAC" for hand in s.hands for one in hand):
        yield Choose("home", "dealt", ("ready",))
    yield from duel.pick(s)


@pytest.mark.parametrize(
    ("game", "look"),
    [
        (planted(lambda s: s.phase == "first-deal" and not s.drafted, open_deal), journal),
        (planted(lambda s: bool(s.drafted), one_by_one), told),
        (planted(lambda s: bool(s.drafted), telling), told),
    ],
    ids=["open deal", "one by one", "event"],
)
def test_a_leak_in_the_rules_is_caught(game: Game, look: Look) -> None:
    """Each way for the rules to tell makes some pair differ."""
    seen = {tuple(story(game, deal_of(game, card), (), "home", look)) for card in OTHERS}
    kept = {tuple(story(game, deal_of(game, HANDS[6]), (card,), "home", look)) for card in HANDS[:4:2]}
    assert 2 < len(seen) + len(kept)


def deal_of(game: Game, card: str) -> tuple[str, ...]:
    """The hands with this card of the Visitors, each named twice where the deal is open."""
    hands = with_card(6, card)
    opened = game.next_play(State(house=GAME.house({"mode": "duel"}), phase="first-deal")) is open_deal
    return tuple(name for one in hands for name in (one, one)) if opened else hands


def test_an_ask_that_tells_is_caught() -> None:
    """Where something is asked only because of what a coach holds."""
    game = planted(lambda s: bool(s.drafted), hinting)
    assert 1 < len({tuple(story(game, with_card(6, card), (), None, views)) for card in OTHERS})


@pytest.mark.parametrize(
    "look",
    [
        lambda table, seat: [entry_json(entry) for entry in table.journal],
        lambda table, seat: [table.view(eyes) for eyes in SEATS],
        lambda table, seat: [str(one.value) for one in table.answers],
        lambda table, seat: [table.show(n, ask, ask.seat) for n, ask in table.asks()],
    ],
    ids=["stored journal", "wrong eyes", "answers", "open options"],
)
def test_a_leak_in_what_is_given_out_is_caught(look: Look) -> None:
    """Handing out the stored journal, the other seat's view, the answers, or what may be kept."""
    assert 0 < leaks(GAME, look)


def test_a_board_that_peeks_is_caught() -> None:
    """A scoreboard that opens the seals of the hands."""

    def peeking(s: State, log: Any) -> Scoreboard:
        shown = scoreboard.scoreboard(s, log)
        return replace(shown, panel={**shown.panel, "hands": [[one.peek() for one in hand] for hand in s.hands]})

    assert 0 < leaks(replace(GAME, scoreboard=peeking), views)


def test_after_the_draft_nothing_is_hidden() -> None:
    """Every card is with a coach, for all to see."""
    table = Table(GAME, [deck()], HOUSE | {"mode": "duel"})
    while true(table).phase != "selection":
        step(table, 0)
    assert HIDDEN not in json.dumps(table.view(None)["scoreboard"])
