"""Effects in combination: random cards in random games, and every number counted a second time by `slow_effects`."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given

from engine.asks import Arrange, Ask, Choose, Draw, Roll
from engine.games.clutch.strategy_cards.windows import PASS_OPTIONS, REPLY_SUBSTITUTIONS
from engine.games.clutch.substitutions.substitutions import legal_changes
from engine.seats import SEATS, Seat
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, hand, state
from tests.engine.games.clutch.strategy_cards.slow_effects import Card, Count, card
from tests.engine.tables import SEEDS, board, examples, inside

ANSWERS = 130
"""The answers of a game: some ten at-bats."""

HOUSE = {
    "cap": ("3", "3", "3", "none"),
    "capMode": ("perDirection", "net"),
    "capSingleCard": ("true", "false"),
    "commandFloorAfterCards": ("false", "true"),
    "benchCoachHalves": ("currentPlusOne", "twoFull"),
    "lateSubReplies": ("oneEach", "unlimited"),
}


def deal(chance: Random) -> tuple[Table, dict[str, Card]]:
    """Return a game in its fourth to seventh inning, with random cards, hands, coaches, and players of either hand."""
    sides = ["offense"] * 7 + ["defense"] * 7 + ["neutral"] * 4
    cards = {f"C{n}": card(chance, f"C{n}", side) for n, side in enumerate(sides)}
    coaches = {
        f"{kind.title()} {n}": card(chance, f"{kind.title()} {n}", kind, True) for kind in COACHES for n in (1, 2)
    }
    texts = {name: one.toml() for name, one in (cards | coaches).items()}
    for side in ("A", "H"):
        for name, text in fixture.squad(side).items():
            hands = {"hand": chance.choice("LR" if "[[pitcher]]" in text else "LRS")}
            more = hands | {"left": chance.choice((0, 0, 1, 2)), "right": chance.choice((0, 0, 1, 3))}
            texts[name] = changed(text, **more)
        texts[{"A": "Away", "H": "Home"}[side]] = fixture.roster(side, coaches=list(coaches))
    where = (
        f"{chance.choice('TB')}{chance.randint(4, 7)} {chance.randint(0, 1)}o {chance.choice(('---', '1--', '-2-'))}"
    )
    away, home, *decks = (chance.choices(list(cards), k=count) for count in (7, 7, 20, 20))
    house = {key: chance.choice(values) for key, values in HOUSE.items()}
    arm = chance.choice(({}, {"outs": 9, "faced": 12}))
    table = at(where, (0, 0), away, home, texts, house, (decks[0], decks[1]), arm=arm)
    return table, cards | coaches


COACHES = ("hitting", "pitching", "bench")


def changed(text: str, **fields: Any) -> str:
    """Return a card with fields replaced or added."""
    lines = [line for line in text.splitlines() if line.split(" = ")[0] not in fields]
    return "\n".join([*lines, fixture.written("", **fields).partition("\n")[2]])


def reply(ask: Ask, chance: Random) -> Any:
    """Return an answer: cards often, changes of players now and then, seldom anything that ends an at-bat early."""
    asked = inside(ask)
    if isinstance(asked, Roll):
        return tuple(chance.choice(die.faces) for die in asked.dice)
    if isinstance(asked, Arrange):
        return dict(zip(asked.places, asked.pieces, strict=False))
    assert isinstance(asked, Choose | Draw)
    ways = [one for one in asked.options if one not in SELDOM]
    if asked.why.startswith("cards-") and "pass" in ways:
        return chance.choice(["pass", *ways[1:], *ways[1:]])
    if asked.why in ("defence", "offence"):
        subs = [one for one in ways if one in REPLY_SUBSTITUTIONS]
        return chance.choice(subs) if subs and chance.random() < 0.1 else ways[0]
    return chance.choice(ways)


SELDOM = (*PASS_OPTIONS[1:], "never-mind", "ask-again", "walk", "bunt", "in")


def follow(seed: int) -> set[str]:
    """Play a game and count along; return what happened in it."""
    chance = Random(seed)
    table, cards = deal(chance)
    count, heard, seen, faces, judged = Count(state(table), cards), 0, set(), {"pitch": 0, "swing": 0}, ("", False)
    dealt = {side: owned(table, side) for side in SEATS}
    for _ in range(ANSWERS):
        count.s = state(table)
        for told in list(table.log)[heard:]:
            code, facts = told.event.code, told.event.facts
            count.hear(told.event)
            if code == "pitch":
                total, mistake, holder = count.pitch(faces["pitch"])
                name = count.batter if holder == "batter" else count.pitcher
                assert (total, count.on_base(), name) == (facts["total"], facts["on_base"], facts["holder"])
            if code == "swing":
                assert count.swing(faces["swing"], judged[0]) == (facts["swing"], facts["result"])
            if code == "taken-back":
                side = facts["seat"]
                assert facts["card"] in (*hand(table, side), *state(table).squad(side).coaches)
            seen.add(code)
        heard = len(table.log)
        if not table.open_asks():
            break
        ((n, ask), *_) = table.open_asks()
        if ask.why in SETTLED:
            assert dealt == {side: owned(table, side) for side in SEATS}
        count.on = any(state(table).bases)
        check(count, table, inside(ask), cards)
        if ask.why == "swing":
            total, mistake, holder = count.pitch(faces["pitch"])
            judged = (holder, mistake)
            shown = board(table).panel["at"]
            assert (total, mistake, holder) == (shown["pitch"], shown["mistake"], shown["advantage"])
        value = reply(ask, chance)
        count.window = ask.why.removeprefix("cards-")
        if value in REPLY_SUBSTITUTIONS and count.answers(ask.seat):
            count.replied.add(ask.seat)
        if ask.why in faces:
            faces[ask.why] = value[0]
        if ask.why == "pitch":
            judged = ("", False)
        table.answer_ask(ask.seat, n, value)
    return seen


SETTLED = ("defence", "offence", "pitch", "swing", "cards-before-pitch", "cards-advantage")
"""Questions before which no card is half played."""


def owned(table: Table, side: Seat) -> Counter[str]:
    """Return the cards and coaches of a side, wherever they lie. None is ever lost, and none is there twice."""
    s = state(table)
    squad = s.squad(side)
    hidden = (card.peek() for card in (*squad.hand, *squad.top, *squad.bottom))
    kept = (one.name for one in s.kept if one.side == side and one.kind == "strategy")
    return Counter([*hidden, *squad.deck, *squad.discard, *kept, *squad.coaches, *squad.spent])


IN_AT_BAT = ("defence", "offence", "walk", "pitch", "swing", "take-back")


def check(count: Count, table: Table, ask: Ask, cards: dict[str, Card]) -> None:
    """Compare what is known before an answer: the numbers, the cards offered, and those that have come back."""
    if ask.why != "cards-card":
        count.resolve()
    if ask.why in ("reliever", "pinch-hitter", "removed"):
        return  # In the middle of a substitution.
    if ask.why in IN_AT_BAT or ask.why.startswith("cards-"):
        plate = board(table).panel["at"]
        assert (count.command(), count.on_base()) == (plate["command"], plate["on_base"])
    if isinstance(ask, Choose) and ask.why.startswith("cards-"):
        side, window = ask.seat, ask.why.removeprefix("cards-")
        held = [*hand(table, side), *state(table).squad(side).coaches]
        offered = {one for one in ask.options if one in cards}
        assert count.playable(side, window, held) == offered
    if isinstance(ask, Choose) and ask.why == "cards-before-pitch":
        may = {"offence": "pinch-hitter", "defence": "new-pitcher"}[
            "offence" if ask.seat == count.offence else "defence"
        ]
        replies = {may} if count.answers(ask.seat) and may in legal_changes(state(table), ask.seat) else set()
        assert replies == set(ask.options) & set(REPLY_SUBSTITUTIONS)
    if ask.why == "take-back":
        assert ask.facts["card"] in count.asked
        count.asked.remove(ask.facts["card"])
        return
    assert not count.asked, ("not asked", [count.cards[one] for one in count.asked])
    assert count.void <= count.back, ("did not come back", [count.cards[one] for one in count.void - count.back])
    count.void, count.back = set(), set()


@pytest.mark.slow
def test_the_random_games_have_everything() -> None:
    """In a dozen games cards are negated, come back, leave play and are on players; and players change."""
    seen = set[str]().union(*map(follow, range(12)))
    assert {"negated", "taken-back", "leaves-play", "is-for", "pinch-hitter", "new-pitcher", "replaces"} <= seen
    assert {"mistake", "tires", "half-inning", "home-run", "strikeout"} <= seen


@given(SEEDS)
@examples(24)
def test_cards_in_combination(seed: int) -> None:
    follow(seed)
