"""Invariants of every season and duel of 7th Inning Stretch, and the secrets of a duel's draft."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Ask, Choose, Draw, Play, Secret
from engine.diamond import runners_on_base
from engine.errors import HouseRuleError
from engine.game import Rulebook
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.season import duel
from engine.games.seventh_inning_stretch.season.draft import supply_count
from engine.games.seventh_inning_stretch.state import (
    DICE_COUNT,
    EXHAUSTION_TOKEN_COUNT,
    NUDGE_TOKEN_COUNT,
    PLAYOFF_SERIES,
    REROLL_TOKEN_COUNT,
    Pool,
    State,
)
from engine.scoreboard import line_score
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.contract.contract import Contract, Ends, Moment, Walk
from tests.engine.games.contract.secrecy import Case, Leak, Secrets, Show, Story, journal, sentences, views, with_play
from tests.engine.games.seventh_inning_stretch.fixture import BLANK, HOUSE, LATE, between, deck
from tests.engine.tables import give, houses, inside, pick, play
from tests.golden.seasons import STORIES

MODES = ("season", "season", "extended", "duel")
"""How often each is played."""

# Invariants --------------------------------------------------------------------------------------------------------


def cards(moment: Moment) -> None:
    """Check that no card is in two places and that the supplies hold the cards not yet drawn."""
    now = moment.now
    of = list(chain(*(one.roster for one in now.squads), now.schedule, now.finals, *now.supplies.values()))
    of += [top for top in now.tops.values() if top]
    of += [card.peek() for hand in now.hands for card in hand]
    # A card drawn in secret is in the hand once it is sealed; a drafted card is in no zone while it is being chosen.
    assert not [name for name, count in Counter(of).items() if count > 1 and name not in now.tops.values()]
    assert set(of) <= set(chain(now.box.players_of_tier(1), now.box.players_of_tier(2), now.box.players_of_tier(3)))
    extended = now.has_long_playoffs
    match now.phase:
        case "first":
            assert (8, 14) == (supply_count(now, 2), supply_count(now, 3))
        case "second" | "entry":
            assert (8, 8) == (supply_count(now, 2), supply_count(now, 3))
        case "spending" | "semifinals" | "finals":
            assert ((0, 0) if extended else (5 - now.bought, 2)) == (supply_count(now, 2), supply_count(now, 3))
        case "game":
            assert [15, 15] == [len(one.roster) for one in now.squads]


def exhaustion(moment: Moment) -> None:
    """Check that exhaustion is on owned pitchers only, within stamina and twelve tokens, and grows by one at a time."""
    before, now = moment.before, moment.now
    mine = set(chain(*(one.roster for one in now.squads)))
    for name, count in now.tired.items():
        assert name in mine
        assert 0 < count <= now.box.pitchers[name].stamina
        assert count <= before.tired.get(name, 0) + 1
    assert now.house["supplyLimit"] == "unlimited" or sum(now.tired.values()) <= EXHAUSTION_TOKEN_COUNT


def resources(moment: Moment) -> None:
    """Check that pool and supply add up and are never negative, and that the pool is empty between halves."""
    now = moment.now
    pool, supply = now.pool, now.supply_left
    assert min(pool.dice, pool.rerolls, pool.nudges, supply.dice, supply.rerolls, supply.nudges) >= 0
    if now.house["supplyLimit"] == "physical":
        aside = now.has_variant("hitting") + (now.has_variant("veteran") and now.veteran > 0)
        assert (DICE_COUNT, REROLL_TOKEN_COUNT, NUDGE_TOKEN_COUNT) == (
            pool.dice + supply.dice + aside + now.thrown,
            pool.rerolls + supply.rerolls,
            pool.nudges + supply.nudges,
        )
    assert len(now.dice) <= DICE_COUNT
    if not now.begun or not now.is_person_batting:
        assert Pool() == pool
    assert 0 <= now.veteran <= 6
    assert now.threw == "line-up-die" or all(1 <= face <= 6 for face in now.dice)


def order(moment: Moment) -> None:
    """Check that only the player who is due is replaced, always from the bench, and that nobody comes back."""
    before, now = moment.before, moment.now
    for old, new in zip(before.squads, now.squads, strict=True):
        assert not set(new.dugout) & {*new.lineup, new.pitcher}
        assert set(new.lineup) | set(new.dugout) <= set(new.roster)
        assert len(set(new.lineup)) == len(new.lineup)
        if before.playing and now.playing and not before.winner:
            changed = [place for place, name in enumerate(old.lineup) if name != new.lineup[place]]
            assert changed in ([], [old.slot])
            assert {new.lineup[place] for place in changed} <= set(old.available_players)
            assert {old.lineup[place] for place in changed} <= set(new.dugout)
            assert set(old.dugout) <= set(new.dugout)


def field(moment: Moment) -> None:
    """Check for at most four players on the field, all different and of the side at bat, and at most three outs."""
    now = moment.now
    on = [*runners_on_base(now.bases), *([now.batter] if now.batter else [])]
    assert len(set(on)) == len(on) <= 4
    assert 0 <= now.outs <= 3
    assert not on or set(on) <= set(now.squad(now.offense).lineup)


def runs(moment: Moment) -> None:
    """Check that scores match the line score plus any runs given, and that only the side at bat scores."""
    before, now, table = moment.before, moment.now, moment.table
    if not now.playing:
        return
    line = line_score(table.log)
    given = [score - sum(one or 0 for one in line.lines[seat]) for seat, score in zip(SEATS, now.score, strict=True)]
    if table.log[-1].event.code not in ("game", "duel"):
        mine = SEATS.index(now.side)
        assert 0 == given[mine] if not now.duel else [0, 0] == given
        assert 0 <= given[1 - mine] <= 2 + now.playoff_condition.down
    if before.playing and before.begun:
        idle = SEATS.index(opposite_seat(before.clock.batting_seat))
        assert before.score[idle] == now.score[idle]


def halves(moment: Moment) -> None:
    """Check that each side bats at most three times in nine innings of a season, in at most five halves."""
    now, table = moment.now, moment.table
    told = [one.event for one in table.log]
    opened = max((place for place, one in enumerate(told) if one.facts.get("opens")), default=0)
    played = Counter(
        one.facts["seat"] for one in told[opened:] if one.code == "half-inning" and one.facts["inning"] <= 9
    )
    most = {"away": 9, "home": 9} if now.duel else {"away": 2, "home": 3}
    assert all(count <= most[seat] for seat, count in played.items())


def stars(moment: Moment) -> None:
    """Check that stars stay between zero and nine, and that purchases are paid for."""
    before, now = moment.before, moment.now
    assert 0 <= now.stars <= 9
    if now.phase in ("first", "second", "deadline", "entry"):
        assert sum(1 + (game >= 3) for game, won in enumerate(now.won) if won) == now.stars
    assert now.stars <= before.stars or len(now.won) > len(before.won)
    assert all(1 <= level <= 3 for level in now.levels)


def roster(moment: Moment) -> None:
    """Check that a season can go on: nine batters and a pitcher, and full line-ups (eight at least in a duel)."""
    now, table = moment.now, moment.table
    for mine in now.squads:
        batters = [name for name in mine.roster if name in now.box.batters]
        if now.phase != "set-up" and not now.duel and mine.roster:
            assert len(batters) >= 9
            assert len(batters) < len(mine.roster)
        if now.playing:
            assert len(mine.lineup) in ((8, 9) if now.duel else (0, 9))
    if now.phase in PLAYOFF_SERIES and not table.outcome:
        assert now.schedule


def dealt(table: Table) -> None:
    """Check that the journal given out hides the cards dealt in a duel."""
    public = table.redacted_entries(None)
    places = [one.entry for one in table.answers if one.ask.why == "hand"]
    assert [HIDDEN_TEXT] * len(places) == [public[place]["value"] for place in places]


# The index ---------------------------------------------------------------------------------------------------------

SELDOM = {"duelFirstBat": "ask", "tier2TeamPick": "choose"}
"""House rules with asks that come once in a game at most."""


def listed(chance: random.Random) -> Iterator[Table]:
    """Return seasons and duels under any house rules, and one that is about to buy a team, which is rare."""
    piles: dict[str, Any] = {"schedule": ("U-1", "U-2", "U-3"), "finals": ("U-4", "U-5", "U-6")}
    yield between("spending", SELDOM, stars=9, **(LATE | piles))
    decks, games = (house_deck(GAME), deck(BLANK)), 0
    while games < 42:
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules} | SELDOM
        house["mode"] = GAME.house_rules[0].values[games % 3]
        try:
            table = Table(GAME, [decks[games % 2]], house)
        except HouseRuleError:
            continue
        games += 1
        yield table


def to_the_team(ask: Ask, number: int) -> Any:
    """Return a legal answer that brings the game to the other team's turn as soon as possible."""
    inner = inside(ask)
    return "team" if isinstance(inner, Choose) and "team" in inner.options else pick(ask, number)


# Secrets -----------------------------------------------------------------------------------------------------------

HANDS = ("F-MAX", "F-0", "F-PAIR", "F-1", "F-3B", "F-2", "F-BB", "F-3")
"""The cards dealt, by turns to away and home; the fourth card of each is the last to be kept."""

OTHERS = ("F-SAC", "F-TWO", "F-RES")
"""Cards that could be there instead."""

ROUNDS = (HANDS[0], HANDS[1], HANDS[3], HANDS[2], HANDS[4])
"""Picks that leave the last card of each hand."""


def draft(hands: tuple[str, ...], *picks: str) -> Story:
    """Play a deal and a draft, card by card; away and home take turns keeping one of `picks`."""

    def story(game: Rulebook, show: Show) -> None:
        table = play(Table(game, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *hands)
        show(table)
        for number, card in enumerate(picks):
            show(give(table, SEATS[number % 2], card))

    return story


def with_card(place: int, card: str) -> tuple[str, ...]:
    """Return the hands with the card at a place replaced."""
    return (*HANDS[:place], card, *HANDS[place + 1 :])


def cases() -> Iterator[Case]:
    """Return what must not leak: a card in the other's hand, any card not yet kept, and the other's latest pick."""
    for place, owner in enumerate(SEATS, 6):
        yield Case(opposite_seat(owner), tuple(draft(with_card(place, card), HANDS[0]) for card in OTHERS))
        yield Case(None, tuple(draft(with_card(place, card), *ROUNDS) for card in OTHERS))
    eyes: Seat | None
    for eyes in (None, "home"):
        yield Case(eyes, tuple(draft(HANDS, card) for card in HANDS[::2]))


def owners() -> Iterator[Case]:
    """Return who may know a hand: its holder and the coach it is passed to."""
    yield Case("away", tuple(draft(with_card(6, card)) for card in OTHERS[:2]))
    yield Case("home", tuple(draft(with_card(6, card), *HANDS[:2]) for card in OTHERS[:2]))


# Planted leaks -----------------------------------------------------------------------------------------------------


def open_deal(s: State) -> Play:
    """Deal in the open."""
    for _ in range(4):
        for seat in SEATS:
            name = yield Draw(seat, "hand", s.box.players_of_tier(1), {"tier": 1})
            sealed = yield Secret(Choose(seat, "hand", (name,), {"tier": 1}))
            s.hands = replace_for_seat(s.hands, seat, (*s.hands[SEATS.index(seat)], sealed))
    s.drafted = 1


def one_by_one(s: State) -> Play:
    """Play a round in which away's card is seen before home keeps one."""
    for seat in SEATS:
        hand = tuple(one.peek() for one in s.hands[SEATS.index(seat)])
        name = yield Choose(seat, "pick", hand, {"count": len(hand), "notes": {}})
        s.emit("picked", seat=seat, team="", player=name)


def telling(s: State) -> Play:
    """Play a round that names the cards of a hand."""
    s.emit("deal", what=" and ".join(sorted(one.peek() for one in s.hands[0])))
    yield from duel.pick_cards(s)


def hinting(s: State) -> Play:
    """Play a round that asks home an extra question where away holds a certain card."""
    if any(one.peek() == "F-SAC" for hand in s.hands for one in hand):
        yield Choose("home", "dealt", ("ready",), {"what": "A hand"})
    yield from duel.pick_cards(s)


def drafting(play: Any) -> Rulebook:
    """Return the game with this round of the draft instead of its own."""
    return with_play(GAME, play, lambda s: s.drafted)


KEPT = (Case("home", tuple(draft(with_card(6, HANDS[6]), card) for card in HANDS[:4:2])),)
HELD = (Case("home", tuple(draft(with_card(6, card)) for card in OTHERS)),)
TWICE = (
    Case("home", tuple(draft(tuple(name for one in with_card(6, card) for name in (one, one))) for card in OTHERS)),
)
"""Each card named twice: where the deal is open."""

CONTRACT = Contract(
    GAME,
    (house_deck(GAME), deck(BLANK)),
    holds=(cards, exhaustion, resources, order, field, runs, halves, stars, roster),
    whole=(dealt,),
    ends=Ends(
        [{"mode": MODES[seed % 4], "difficulty": "rookie"} for seed in range(24)],
        frozenset({"no-playoffs", "semifinals-lost", "finals-lost", "nine-innings"}),
    ),
    stories=STORIES,
    index=Walk(listed, lambda: Table(GAME, [deck()]), 1500, to_the_team),
    houses=st.builds(
        lambda house, mode: {**house, "mode": mode, "difficulties": "combine"}, houses(GAME), st.sampled_from(MODES)
    ),
    longest=900,
    examples=25,
    taken_back=200,
    few=8,
    rules={"secrecy": ("SI-194", "SI-195")},
    secrets=Secrets(
        tuple(cases()),
        owners=tuple(owners()),
        undone=3,
        leaks={
            "open deal": Leak(
                with_play(GAME, open_deal, lambda s: s.phase == "first-deal" and not s.drafted), journal, TWICE
            ),
            "one by one": Leak(drafting(one_by_one), sentences, KEPT),
            "event": Leak(drafting(telling), sentences, HELD),
            "ask": Leak(drafting(hinting), views, (replace(HELD[0], eyes=None),)),
        },
        careless={
            "open options": lambda table, seat: [
                json_data(table.ask_view(n, ask, ask.seat)) for n, ask in table.open_asks()
            ]
        },
        peek=lambda s: [[one.peek() for one in hand] for hand in s.hands],
    ),
)
