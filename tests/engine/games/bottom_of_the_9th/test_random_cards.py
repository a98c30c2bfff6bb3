"""Random abilities on all cards: the engine plays them exactly as the second implementation in `slow_rules` does."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine.asks import Ask, Call, Choose, Roll
from engine.cards import parse_deck
from engine.errors import DeckError
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import CARD_SHAPES
from engine.games.bottom_of_the_9th.effects import ABILITY_PHRASES
from engine.secrets import redacted_data
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.random_cards import EFFECTS, Box, Player, box, power
from tests.engine.games.bottom_of_the_9th.slow_rules import PARTS, Asked, OnePitch, SlowGame
from tests.engine.games.bottom_of_the_9th.test_words import faces_in
from tests.engine.tables import SEEDS, board, examples, inside, play

LONGEST = 400
"""More answers than any game needs, except a race in turn that nobody wins."""


def start(cards: Box, house: Mapping[str, str]) -> Table:
    """Return a table at the first stare-down, with the ready-made line-up."""
    deck = parse_deck(cards.toml(), "random.toml", GAME.key, CARD_SHAPES)
    return play(Table(GAME, [deck], house), "ready-made", cards.starter.name, cards.reliever.name)


def random_house(chance: Random) -> dict[str, str]:
    """Return house rules, in half of the games the default ones. Only the draft is always open."""
    rules = [rule for rule in GAME.house_rules if rule.key != "draft"]
    return {rule.key: chance.choice(rule.values) for rule in rules} if chance.random() < 0.5 else {}


# What both must agree on ------------------------------------------------------------------------------------------


def legal(ask: Ask) -> tuple[Any, ...]:
    """Return every answer that an ask takes."""
    match inside(ask):
        case Choose(options=options):
            return options
        case Call(wins=wins):
            return wins
        case Roll(dice=(die,)):
            return die.faces
        case Roll(dice=(one, two)):
            return tuple((face, letter) for face in one.faces for letter in two.faces)
    raise AssertionError(ask)


def same_ask(expected: Asked, ask: Ask) -> None:
    assert (expected.seat, expected.why) == (ask.seat, ask.why)
    assert expected.legal == legal(ask)
    assert expected.facts == {name: ask.facts[name] for name in expected.facts}


def same_board(slow: SlowGame, table: Table) -> None:
    now, see, pitch = slow.now, board(table), OnePitch(slow)
    assert (now.outs, tuple(now.bases.get(base) for base in (1, 2, 3))) == (see.outs, see.bases)
    names = [batter.name for batter in now.lineup]
    # A question about relief between two batters shows the next one, with a new count. Nobody bats once it is over.
    up = now.lineup[now.at_bat_over :]
    batter = None if now.winner else up[0].name
    assert (names, batter, now.pitcher.name) == (see.panel["lineup"], see.batter, see.pitcher)
    assert ((0, 0) if now.at_bat_over else (min(now.balls, 3), min(now.strikes, 2))) == see.count
    assert now.dice == see.dice
    assert (now.reliever.name if now.reliever else None) == see.panel["reliever"]
    fatigue = see.panel["fatigue"]
    assert (now.rows["direction"], now.rows["location"]) == (fatigue["direction"], fatigue["location"])
    worn = [word for word, part in zip(now.pitcher.ace, PARTS, strict=True) if now.rows[part] == pitch.bottom]
    assert (now.top, pitch.bottom, worn) == (fatigue["floor"], fatigue["bottom"], list(fatigue["exhausted"]))
    shown = see.panel["pitch"]
    assert (now.thrown, now.guess) == (shown["thrown"], shown["guess"])
    for die in ("control", "letter", "swing", "bonus"):
        counts = None if die not in now.fell else pitch.letter() if die == "letter" else pitch.die(die)
        assert (now.fell.get(die), counts) == (shown[die], shown["count"][die]), die
    race = see.panel["race"]
    assert (now.race == "open", now.race if now.race in ("safe", "out") else None) == (race["open"], race["result"])
    if now.race == "open":
        assert {seat: pitch.winning(seat) for seat in ("home", "away")} == race["wins"]
    for seat in ("home", "away"):
        assert pitch.tokens(seat) == list(see.panel["tokens"][seat])
        card: Player = up[0] if seat == "home" else pitch.card(seat)
        on = [slot for slot in card.powers if pitch.is_on(seat, slot) and (slot != "trait" or card.powers[slot])]
        assert (card.name, on) == (see.panel["cards"][seat]["name"], list(see.panel["cards"][seat]["on"]))


def same_events(slow: SlowGame, table: Table, seen: int) -> None:
    """Compare the events after the set-up that were not compared yet."""
    told = [one.event for one in table.log if one.event.code not in ("half-inning", "lineup", "pitchers")]
    assert [code for code, _ in slow.now.events] == [event.code for event in told]
    for (_, facts), event in zip(slow.now.events[seen:], told[seen:], strict=True):
        assert facts == {name: event.facts[name] for name in facts}


# The games --------------------------------------------------------------------------------------------------------


def lockstep(seed: int, kind: str = "") -> Table:
    """Play a game on both, and compare them after every answer. `kind` is what most abilities do, if not anything."""
    chance = Random(seed)
    cards, house = box(chance, kind), random_house(chance)
    table, slow = start(cards, house), SlowGame(cards, GAME.resolve_house_rules(house))
    seen = 0
    for _ in range(LONGEST):
        asks: list[Ask] = [ask for _, ask in table.open_asks()]
        assert len(slow.asks) == len(asks)
        for expected, ask in zip(slow.asks, asks, strict=True):
            same_ask(expected, ask)
        same_board(slow, table)
        same_events(slow, table, seen)
        seen = len(slow.now.events)
        if not asks:
            break
        n, ask = chance.choice(table.open_asks())
        value = chance.choice(legal(ask))
        table.answer_ask(ask.seat, n, value)
        slow.answer(ask.why, value)
    outcome = table.outcome
    assert slow.now.winner == (outcome and (outcome.winner, outcome.reason))
    return table


@given(SEEDS)
@examples(60)
def test_random_cards_are_played_alike(seed: int) -> None:
    lockstep(seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", dict.fromkeys(kind for kind, _ in EFFECTS))
@given(SEEDS)
@examples(20)
def test_cards_of_one_kind_are_played_alike(kind: str, seed: int) -> None:
    """Two and more of them meet in a pitch, also at the edge of the count, of the bases and of the track."""
    lockstep(seed, kind)


@pytest.mark.slow
def test_the_random_games_use_every_ability() -> None:
    """In a few dozen games every kind of ability acts, is offered, used and declined, and games end in all ways."""
    acted: set[str] = set()
    answered: set[str] = set()
    ends: set[str] = set()
    for seed in range(40):
        table = lockstep(seed)
        ends.add(table.outcome.reason)
        answered |= {f"{one.ask.why} {one.value}" if one.ask.why == "ability" else one.ask.why for one in table.answers}
        acted |= {
            ABILITY_PHRASES.parse_phrase(told.event.facts["ability"]).effect.verb
            for told in table.log
            if told.event.code == "ability"
        }
    assert {kind for kind, _ in EFFECTS} == acted
    assert {"ability use", "ability keep", "blank", "reroll", "bonus", "unopposed", "race-roll", "call-out"} <= answered
    assert {"three-outs", "walk-off-hit", "walk-off-home-run", "walk-off-run"} <= ends


ENDS = {"strikeout": "strike", "walk": "ball"}
"""What a pitch is that ends an at-bat, by the word in the chart."""

CALLS = {"ball", "strike", "foul", "contact", "crush"}
HITS = {"single": "single", "double": "double", "triple": "triple", "home run": "home-run"}


def told(table: Table, face: int) -> str | None:
    """Roll this face for swing or bonus, use nothing, and return what it is called; None if a die is thrown again."""
    twin, before = play(table.clone(), face), len(table.log)
    while True:
        codes = [one.event.code for one in list(twin.log)[before:]]
        if called := [code for code in codes if code in {*CALLS, *HITS.values(), "contact-after-all"}]:
            return {"contact-after-all": "contact"}.get(called[0], called[0])
        ((_, ask), *_) = twin.open_asks()
        if ask.why not in ("ability", "blank"):
            return None
        play(twin, "keep" if ask.why == "ability" else "nothing")


@given(SEEDS)
@examples(40)
def test_what_a_die_is_said_to_lead_to_happens(seed: int) -> None:
    """With random abilities of both cards in force, of each face of every swing and bonus roll in a game."""
    chance = Random(seed)
    table = start(box(chance), random_house(chance))
    for _ in range(60):
        if not table.open_asks():
            break
        n, ask = chance.choice(table.open_asks())
        if ask.why in ("swing", "bonus"):
            for face in range(1, 7):
                chart = redacted_data(ask.facts, None)["chart"]
                (said,) = [part for part in chart.split("; ") if face in faces_in(part.split(" on ")[1])]
                word = said.split(" on ")[0]
                assert told(table, face) in (ENDS.get(word, HITS.get(word, word)), None)
        table.answer_ask(ask.seat, n, chance.choice(legal(ask)))


@pytest.mark.slow
def test_a_deck_with_an_ability_that_comes_too_late_is_refused() -> None:
    """Of many random abilities exactly those are refused that look at facts known only after they can happen."""
    chance = Random(9)
    cards = box(chance)
    for _ in range(400):
        one = power(chance)
        first = Player("B-C", False, False, {"mvp": (one,)}, mark="C")
        text = Box((first, *cards.batters[1:]), cards.starter, cards.reliever).toml()
        if one.too_late:
            with pytest.raises(DeckError, match="is done before"):
                parse_deck(text, "random.toml", GAME.key, CARD_SHAPES)
        else:
            parse_deck(text, "random.toml", GAME.key, CARD_SHAPES)
