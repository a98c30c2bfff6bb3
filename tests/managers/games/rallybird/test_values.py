"""The values of RallyBird's manager: at-bats against the real engine, mixes against best answers, and whole games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
import pytest

from engine.asks import Choose, Roll
from engine.cards import cards_of
from engine.clock import Half
from engine.games.rallybird.cards import ZONES, unpack
from engine.table import Table
from managers.games.rallybird import mixing
from managers.games.rallybird.fielding import BACK, BARE, FRONT, OUT, Kit
from managers.games.rallybird.innings import LEAD
from managers.games.rallybird.matchup import Bird, Later, matchups
from managers.games.rallybird.outcomes import MOST_RUNS, OVER, Outcomes, outcomes
from managers.games.rallybird.situation import Situation, situation
from managers.games.rallybird.values import values_of
from managers.manager import Setup
from tests.managers.games.rallybird.fixture import any_deck, any_house, moments, new, setup
from tests.managers.seeds import seeds

SIDES: tuple[Half, Half] = ("top", "bottom")

LITTLE = 0.001
"""The most that a best answer may win more than a solved mix: a tenth of a percent of a game."""


def model(of: Setup) -> tuple[Outcomes, Kit]:
    """Return the cards and Gloves of a setup as the manager has them."""
    box = unpack(cards_of(of.decks), of.house)
    optional, last = of.house["glovePlacement"] == "oneEachOptional", of.house["lastGlove"] == "lastBackSide"
    return outcomes(box, of.house), Kit.of(box, optional, last)


def random_later(chance: np.random.Generator) -> Later:
    """Return random values of what follows an at-bat; after the third out no Glove matters."""
    later = chance.random((OVER + 1, BARE + 1, MOST_RUNS + 1))
    later[OVER] = later[OVER, :1]
    return later


def rolls(target: int) -> Iterator[tuple[list[int], float]]:
    """Yield a roll that shows less than a target, one that shows as much and one that shows more, with its chance."""
    pairs = list(product(range(1, 7), repeat=2))
    for kind in ([pair for pair in pairs if sum(pair) < target], [pair for pair in pairs if sum(pair) == target]):
        if kind:
            yield list(kind[0]), len(kind) / len(pairs)
    if more := [pair for pair in pairs if sum(pair) > target]:
        yield list(more[0]), len(more) / len(pairs)


@dataclass(frozen=True)
class Real:
    """An at-bat on the real engine, of which every comparison and every answer is tried out."""

    begun: Situation
    runs: int
    later: Later
    lost: Later

    def worth(self, table: Table) -> float:
        """Return the value for Offence of a table in the middle of this at-bat."""
        if table.outcome is None:
            ((n, ask),) = table.asks()

            def after(answer: object) -> float:
                twin = table.clone()
                twin.answer(ask.seat, n, answer)
                return self.worth(twin)

            if isinstance(ask, Roll):
                return sum(after(roll) * share for roll, share in rolls(ask.facts["target"]))
            if isinstance(ask, Choose) and ask.why in ("flip", "remove"):
                return min(map(after, ask.options))
            if isinstance(ask, Choose) and ask.why in ("rallybird", "rallybird-anyway"):
                return max(map(after, ask.options))
        return self._ended(table)

    def _ended(self, table: Table) -> float:
        board = table.scoreboard()
        runs = board.sides[self.begun.batting].runs - self.runs
        bird = board.panel["rallybird"][self.begun.batting] != "lost"
        values = self.later if bird == self.begun.birds[0] else self.lost
        if table.outcome is not None or board.half != self.begun.side:
            return float(values[OVER, 0, runs])
        gloves = [OUT if one.out else BACK if one.back else FRONT for one in board.panel["gloves"]]
        changed = [place for place, state in enumerate(gloves) if state != self.begun.gloves[place]]
        bases = sum(1 << at for at, runner in enumerate(board.bases) if runner)
        return float(values[board.outs * 8 + bases, changed[0] if changed else BARE, runs])


def check_at_bat(table: Table, cards: Outcomes, kit: Kit, chance: Random) -> None:
    """Compare the value of a random card against a random layout with that of the real engine."""
    ((n, ask),) = table.asks()
    begun = situation(table.view(ask.seat), cards, kit)
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    later, lost = random_later(numbers), random_later(numbers)
    rallies = table.scoreboard().panel["rallybird"][ask.seat] == "ready"
    house = table.house
    bird = Bird(lost, house["rallyOn"] == "failedOnly", house["rallyHomeRun"] == "bothRolls") if rallies else None
    twin = table.clone()
    name = table.ask_view(n, ask, ask.seat).random_answer(chance)
    twin.answer(ask.seat, n, name)
    ((n, gloves),) = twin.asks()
    laid = twin.ask_view(n, gloves, gloves.seat).random_answer(chance)
    twin.answer(gloves.seat, n, laid)
    layout = np.array([[kit.names.index(laid[zone]) if zone in laid else BARE for zone in ZONES]])
    found = {
        int(card): float(value)
        for met in matchups(cards, kit, begun.gloves, np.array([begun.position]), later, bird)
        for card, value in zip(met.cards, met.values(layout)[:, 0, 0], strict=True)
    }
    runs = table.scoreboard().sides[begun.batting].runs
    wanted = Real(begun, runs, later, lost).worth(twin)
    assert wanted == pytest.approx(found[cards.names.index(name)], abs=1e-9), (name, laid, begun)


def test_an_at_bat_is_worth_what_the_real_engine_says() -> None:
    """Every roll, change of a Glove and use of the RallyBird, with random cards, Gloves and house rules."""
    chance, checked, rallies = Random(7), 0, 0
    while checked < 20 or rallies < 6:
        of = setup(any_deck(chance), any_house(chance) | {"cards": "secret", "startInning": "9"})
        cards, kit = model(of)
        for table, _, ask in moments(new(of), chance):
            clock = table.scoreboard()
            ahead = clock.half == "bottom" and clock.sides["home"].runs + MOST_RUNS > clock.sides["away"].runs
            if ask.why != "at-bat" or ahead or clock.inning > 9 or chance.random() < 0.8:
                continue
            rally = clock.panel["rallybird"][ask.seat] == "ready"
            if rally or checked < 20:
                check_at_bat(table, cards, kit, chance)
                checked, rallies = checked + 1, rallies + rally


@seeds(4, 12)
def test_no_answer_beats_a_solved_mix(seed: int) -> None:
    """Neither a card, for whatever card is out, nor a layout: best pure answers, worked out without the solver."""
    chance, numbers = Random(seed), np.random.default_rng(seed)
    of = setup(any_deck(chance), any_house(chance))
    cards, kit = model(of)
    gloves = kit.fresh(kit.icons[0])
    for _ in range(chance.randrange(7)):
        gloves = kit.worn(gloves, chance.choice([glove for glove, state in enumerate(gloves) if state != OUT]))
    position = chance.randrange(OVER)
    playable = np.flatnonzero(cards.playable[position % 8])
    layouts = kit.layouts(gloves)
    payoffs = np.zeros((len(cards.names), len(layouts)))
    for met in matchups(cards, kit, gloves, np.array([position]), random_later(numbers)):
        payoffs[met.cards] = met.values(layouts)[:, 0]
    payoffs = payoffs[playable]
    unseen = numbers.random(len(cards.names)) < 0.5
    out = (unseen / max(1, unseen.sum()))[playable]
    mix = mixing.solve(payoffs, out)
    assert mix.cards.sum() == pytest.approx(1)
    assert mix.layouts.sum() == pytest.approx(1)
    assert (mix.cards @ payoffs).min() > mix.value - LITTLE, "a layout is better"
    against = payoffs @ mix.layouts
    other = (1 - out.sum()) * against.max()
    best = other + sum(share * np.delete(against, card).max() for card, share in enumerate(out) if share)
    assert best < mix.value + LITTLE, "a card is better"
    plans = [mixing.given_out(mix.cards, out, int(card)) for card in np.flatnonzero(out)]
    mixed = sum((out[card] * plan for card, plan in zip(np.flatnonzero(out), plans, strict=True)), np.zeros(len(out)))
    mixed = mixed + (1 - out.sum()) * mixing.given_out(mix.cards, out, None) if out.sum() < 0.999 else mixed
    assert (mixed @ payoffs).min() > mix.value - LITTLE, "the plans do not make the mix"
    assert all(plan[card] == 0 for card, plan in zip(np.flatnonzero(out), plans, strict=True))


def test_a_lead_helps_and_decides_when_the_rules_say_so() -> None:
    innings = values_of(setup()).innings
    for inning in (7, 8, 9):
        for side in SIDES:
            chances = innings.start(inning, side, (True, True))
            assert (np.diff(chances) > -1e-9).all(), (inning, side)
    top, bottom = (innings.end(9, side, (True, True)) for side in SIDES)
    assert (top[:LEAD] == 0).all(), "home ahead after the top of the ninth has won"
    assert 0 < top[LEAD] < top[LEAD + 1] < 1, "a visitor ahead still has to get home out"
    assert (bottom[:LEAD] == 0).all()
    assert (bottom[LEAD + 1 :] == 1).all()
    assert bottom[LEAD] == pytest.approx(0.5), "extra innings are even"


def test_the_rallybird_helps_who_is_behind_in_the_ninth() -> None:
    innings = values_of(setup()).innings
    behind = slice(LEAD - 4, LEAD)
    with_bird, without = (innings.start(9, "bottom", (bird, True))[behind] for bird in (True, False))
    assert (with_bird > without + LITTLE).all()
    assert innings.start(9, "bottom", (True, True))[LEAD] == innings.start(9, "bottom", (False, True))[LEAD]
