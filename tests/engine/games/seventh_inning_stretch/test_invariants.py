"""What holds in every season and duel, whatever is chosen, thrown, taken back or corrected, under any house rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask
from engine.cards import Deck
from engine.diamond import runners
from engine.game import drive
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.season.draft import left
from engine.games.seventh_inning_stretch.state import DICE, NUDGES, REROLLS, SERIES, TOKENS, Pool, State
from engine.scoreboard import line_score
from engine.seats import SEATS, other
from engine.secrets import HIDDEN
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import deck, true
from tests.engine.games.seventh_inning_stretch.test_index import BLANK
from tests.engine.tables import (
    examples,
    houses,
    meddle,
    numbered,
    pick,
    refuses_others,
    replays,
    step,
    undo_never_happened,
)

DECKS = (house_deck(GAME), deck(BLANK))

MODES = ("season", "season", "extended", "duel")
"""How often each is played."""

HOUSES = st.builds(
    lambda house, mode: {**house, "mode": mode, "difficulties": "combine"}, houses(GAME), st.sampled_from(MODES)
)
CHOICES = numbered(900)
WHICH = st.integers(0, 1)

Holds = Callable[[State, State, Table], None]
"""Something that must hold: with the state before an answer and after it, and the table after it."""


def walk(house: dict[str, str], numbers: list[int], which: int) -> Iterator[tuple[State, State, Table]]:
    """A season or a duel, answer by answer."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        before = true(table).copy()
        if not step(table, number):
            return
        yield before, true(table), table


def cards(_: State, now: State, table: Table) -> None:
    """No card is in two places; of the supplies so many are left as were not drawn."""
    of = list(chain(*(one.roster for one in now.squads), now.schedule, now.finals, *now.supplies.values()))
    of += [top for top in now.tops.values() if top]
    of += [card.peek() for hand in now.hands for card in hand]
    # What is drawn in secret is in the hand once it is sealed; what is drafted stands nowhere while it is chosen.
    assert not [name for name, count in Counter(of).items() if count > 1 and name not in now.tops.values()]
    assert set(of) <= set(chain(now.box.tier(1), now.box.tier(2), now.box.tier(3)))
    extended = now.extended
    match now.phase:
        case "first":
            assert (8, 14) == (left(now, 2), left(now, 3))
        case "second" | "entry":
            assert (8, 8) == (left(now, 2), left(now, 3))
        case "spending" | "semifinals" | "finals":
            assert ((0, 0) if extended else (5 - now.bought, 2)) == (left(now, 2), left(now, 3))
        case "game":
            assert [15, 15] == [len(one.roster) for one in now.squads]


def exhaustion(before: State, now: State, table: Table) -> None:
    """Never above stamina, only on pitchers somebody has, twelve at most in the box; and it grows by one at a time."""
    mine = set(chain(*(one.roster for one in now.squads)))
    for name, count in now.tired.items():
        assert name in mine
        assert 0 < count <= now.box.pitchers[name].stamina
        assert count <= before.tired.get(name, 0) + 1
    assert now.house["supplyLimit"] == "unlimited" or sum(now.tired.values()) <= TOKENS


def resources(_: State, now: State, table: Table) -> None:
    """Pool and supply are never below nothing, and are all there is; between halves the pool is empty."""
    pool, supply = now.pool, now.supply
    assert min(pool.dice, pool.rerolls, pool.nudges, supply.dice, supply.rerolls, supply.nudges) >= 0
    if now.house["supplyLimit"] == "physical":
        aside = now.has("hitting") + (now.has("veteran") and now.veteran > 0)
        assert (DICE, REROLLS, NUDGES) == (
            pool.dice + supply.dice + aside + now.thrown,
            pool.rerolls + supply.rerolls,
            pool.nudges + supply.nudges,
        )
    assert len(now.dice) <= DICE
    if not now.begun or not now.batting:
        assert Pool() == pool
    assert 0 <= now.veteran <= 6
    assert now.threw == "line-up-die" or all(1 <= face <= 6 for face in now.dice)


def order(before: State, now: State, table: Table) -> None:
    """In a game only the one who is due is replaced, by somebody who was on the bench; nobody comes back."""
    for old, new in zip(before.squads, now.squads, strict=True):
        assert not set(new.dugout) & {*new.lineup, new.pitcher}
        assert set(new.lineup) | set(new.dugout) <= set(new.roster)
        assert len(set(new.lineup)) == len(new.lineup)
        if before.playing and now.playing and not before.winner:
            changed = [place for place, name in enumerate(old.lineup) if name != new.lineup[place]]
            assert changed in ([], [old.slot])
            assert {new.lineup[place] for place in changed} <= set(old.bench)
            assert {old.lineup[place] for place in changed} <= set(new.dugout)
            assert set(old.dugout) <= set(new.dugout)


def field(_: State, now: State, table: Table) -> None:
    """Four at most on the field, each of them once, and of the side at bat; outs up to three."""
    on = [*runners(now.bases), *([now.batter] if now.batter else [])]
    assert len(set(on)) == len(on) <= 4
    assert 0 <= now.outs <= 3
    assert not on or set(on) <= set(now.squad(now.offence).lineup)


def runs(before: State, now: State, table: Table) -> None:
    """The score is the sum of the line and of what one side was given; in a half only who bats scores."""
    if not now.playing:
        return
    line = line_score(table.log)
    given = [score - sum(one or 0 for one in line.lines[seat]) for seat, score in zip(SEATS, now.score, strict=True)]
    if table.log[-1].event.code not in ("game", "duel"):
        mine = SEATS.index(now.side)
        assert 0 == given[mine] if not now.duel else [0, 0] == given
        assert 0 <= given[1 - mine] <= 2 + now.force.down
    if before.playing and before.begun:
        idle = SEATS.index(other(before.clock.batting))
        assert before.score[idle] == now.score[idle]


def halves(_: State, now: State, table: Table) -> None:
    """Each side bats at most three times in a season's game to the ninth, and at most five halves are played."""
    told = [one.event for one in table.log]
    opened = max((place for place, one in enumerate(told) if one.facts.get("opens")), default=0)
    played = Counter(
        one.facts["seat"] for one in told[opened:] if one.code == "half-inning" and one.facts["inning"] <= 9
    )
    most = {"away": 9, "home": 9} if now.duel else {"away": 2, "home": 3}
    assert all(count <= most[seat] for seat, count in played.items())


def stars(before: State, now: State, table: Table) -> None:
    """Never below nothing or above nine; what they buy is paid for."""
    assert 0 <= now.stars <= 9
    if now.phase in ("first", "second", "deadline", "entry"):
        assert sum(1 + (game >= 3) for game, won in enumerate(now.won) if won) == now.stars
    assert now.stars <= before.stars or len(now.won) > len(before.won)
    assert all(1 <= level <= 3 for level in now.levels)


def roster(_: State, now: State, table: Table) -> None:
    """A season can always be played on: nine batters and a pitcher; line-ups are nine; a duel's have eight at least."""
    for mine in now.squads:
        batters = [name for name in mine.roster if name in now.box.batters]
        if now.phase != "set-up" and not now.duel and mine.roster:
            assert len(batters) >= 9
            assert len(batters) < len(mine.roster)
        if now.playing:
            assert len(mine.lineup) in ((8, 9) if now.duel else (0, 9))
    if now.phase in SERIES and not table.outcome:
        assert now.schedule


HOLDS: tuple[Holds, ...] = (cards, exhaustion, resources, order, field, runs, halves, stars, roster)


@examples(25)
@given(HOUSES, CHOICES, WHICH)
def test_all_of_it_holds(house: dict[str, str], numbers: list[int], which: int) -> None:
    """After every answer."""
    for before, now, table in walk(house, numbers, which):
        for holds in HOLDS:
            holds(before, now, table)


@examples(8)
@given(HOUSES, CHOICES, WHICH)
def test_each_seat_answers_its_own(house: dict[str, str], numbers: list[int], which: int) -> None:
    """The other seat's answer is refused and changes nothing."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers[::3]:
        refuses_others(table, number)
        if not step(table, number):
            break


def test_seasons_and_duels_end() -> None:
    """At random and without a table, for every reason."""
    ends = set()
    for seed in range(24):
        house = {"mode": MODES[seed % 4], "difficulty": "rookie"}
        outcome = played_out(house, seed, DECKS[seed // 4 % 2]).outcome
        assert outcome
        ends.add(outcome.reason)
    assert {"no-playoffs", "semifinals-lost", "season-won", "nine-innings"} <= ends


def played_out(house: dict[str, str], seed: int, cards: Deck) -> State:
    """The end of a season or a duel at random."""
    dice = random.Random(seed)

    def answer(ask: Ask) -> object:
        return pick(ask, dice.randrange(1 << 16))

    state = Table(GAME, [cards], house).state
    assert isinstance(state, State)
    return drive(GAME, state.copy(), answer)


# Taking back, correcting, restoring --------------------------------------------------------------------------------


@examples(8)
@given(HOUSES, numbered(200), WHICH, st.data())
def test_undo_never_happened(house: dict[str, str], numbers: list[int], which: int, data: st.DataObject) -> None:
    """Taking back an answer, with what was revealed together with it, and giving all again leads to the same place."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        if not step(table, number):
            break
    undo_never_happened(table, data.draw(st.sampled_from(table.answers)).n)


@examples(8)
@given(HOUSES, numbered(200), WHICH)
def test_a_journal_replays_to_the_same_table(house: dict[str, str], numbers: list[int], which: int) -> None:
    """With answers taken back and corrected in it, through JSON; and a clone taken anywhere is the same. What was dealt
    in a duel stays hidden in the journal given out."""
    table = Table(GAME, [DECKS[which]], house)
    for number in numbers:
        if not meddle(table, number):
            break
    stored, public = replays(table), table.entries(None)
    dealt = [one.entry for one in table.answers if one.ask.why == "hand"]
    assert [HIDDEN] * len(dealt) == [public[place]["value"] for place in dealt]
    assert len(stored) == len(public)


@examples(6)
@given(HOUSES, st.integers(0, 1 << 32), WHICH)
def test_a_bare_playout_ends(house: dict[str, str], seed: int, which: int) -> None:
    """Under any house rules."""
    assert played_out(house, seed, DECKS[which]).outcome
