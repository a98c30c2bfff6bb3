"""Invariants of every game of Small Ball."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from device.storage.decks import house_deck
from engine.asks import Ask, Choose
from engine.games.small_ball import GAME
from engine.games.small_ball.rules import can_hit_and_run, runners_go_on_contact
from engine.seats import SEATS
from engine.table import Table
from tests.engine.games.contract.contract import Contract, Ends, Moment, Walk
from tests.engine.games.small_ball.fixture import at, deck, new
from tests.golden.stories import Stories


def pick(ask: Ask, number: int) -> Any:
    """Return a legal answer; batting is twice as likely as anything else, so that half-innings go on."""
    if isinstance(ask, Choose):
        options = [*ask.options, *[option for option in ask.options if option in ("bat", "bat-on")]]
        return options[number % len(options)]
    return (number % 6 + 1,)


def players(moment: Moment) -> None:
    """Check that each player out, in or on base batted once in this half, and that outs match their list."""
    now = moment.now
    if moment.table.outcome:
        return
    through = [*now.retired, *now.scored, *(runner for runner in now.bases if runner is not None)]
    assert len(set(through)) == len(through) == now.batted <= 8
    assert min(3, len(now.retired)) == now.outs <= 2
    if now.sides:
        assert now.batter.number not in through


def score(moment: Moment) -> None:
    """Check that the score only moves as a half ends: by the stake if banked, by nothing in a bust.

    Only the team at bat scores, and the scoreboard agrees.
    """
    before, now, table = moment.before, moment.now, moment.table
    ended = [event for event in moment.events if "runs" in event.facts]
    gained = sum(event.facts["runs"] for event in ended)
    away, home = before.score
    assert now.score == ((away + gained, home) if before.side_index == 0 else (away, home + gained))
    assert len(ended) <= 1
    assert bool(ended) == (now.clock != before.clock or table.outcome is not None)
    assert all(event.code != "bust" or gained == 0 for event in ended)
    sides = table.scoreboard().sides
    assert now.score == (sides["away"].runs, sides["home"].runs)
    assert now.score == tuple(sum(cell or 0 for cell in sides[seat].line) for seat in SEATS)


def extra_base(moment: Moment) -> None:
    """Check that an extra base has one cause: no hit-and-run can be called while runners go on contact."""
    if moment.now.sides and not moment.table.outcome:
        assert not (can_hit_and_run(moment.now) and runners_go_on_contact(moment.now))


def seats(moment: Moment) -> None:
    """Check that only the team at bat is asked, except about who is away and which pinch hitter comes back."""
    for _, ask in moment.table.open_asks():
        assert ask.seat == moment.now.batting_seat or ask.why in ("away-team", "coin-flip", "reactivate")


def half_innings(table: Table) -> None:
    """Check that a half has at most nine at-bats and eight steals, and that no steal comes before the first at-bat."""
    ends = {told.n for told in table.log if told.event.code == "half-inning"}
    at_bats = steals = 0
    for one in table.answers:
        at_bats += one.ask.why in ("at-bat", "sacrifice")
        if "steal" in one.ask.why:
            steals += 1
            assert at_bats
        assert (at_bats <= 9, steals <= 8) == (True, True)
        if one.n in ends:
            at_bats = steals = 0


def listed(chance: random.Random) -> Iterator[Table]:
    """Return games from the start, and games in the ninth."""
    for game in range(60):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules if rule.key != "awayTeam"}
        late = at("12", stake=5, inning=9, used=((0, 1), (0,)), house=house)
        yield new(house | {"awayTeam": "ask"}) if game % 2 else late


CONTRACT = Contract(
    GAME,
    (house_deck(GAME), deck()),
    holds=(players, score, extra_base, seats),
    whole=(half_innings,),
    ends=Ends(
        [{}, {"innings": "6"}, {"innings": "3"}] * 30,
        frozenset({"regulation", "six-innings", "three-innings", "bottom-skipped", "extra-innings"}),
    ),
    stories=Stories(GAME, {"": {}}),
    index=Walk(listed, lambda: at("12"), 250, pick, lambda table, ask: set(getattr(ask, "options", ())), since=0),
    pick=pick,
    longest=400,
    examples=80,
    taken_back=160,
    few=30,
)
