"""The values of RallyBird's manager: at-bats against the real engine, mixes against best answers, and whole games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np
import pytest

from engine.asks import Choose, Roll
from engine.cards import cards_in_decks
from engine.games.rallybird.cards import ZONE_LETTERS, build_box
from engine.innings import Half
from engine.table import Table
from managers.games.rallybird import mixing
from managers.games.rallybird.gloves import GLOVE_BACK, GLOVE_FRONT, GLOVE_OUT, NO_GLOVE, GloveKit
from managers.games.rallybird.innings import MAX_LEAD
from managers.games.rallybird.matchup import LaterValues, RallybirdOption, card_matchups
from managers.games.rallybird.model import model_for_setup
from managers.games.rallybird.outcomes import MAX_AT_BAT_RUNS, THIRD_OUT_STATE, CardOutcomes, card_outcomes
from managers.games.rallybird.situation import RallybirdPosition, position_from_view
from managers.manager import GameSetup
from tests.managers.games.rallybird.fixture import any_deck, any_house, moments, new, setup
from tests.managers.seeds import seeds

SIDES: tuple[Half, Half] = ("top", "bottom")

LITTLE = 0.001
"""The most that a best answer may win more than a solved mix: a tenth of a percent of a game."""


def model(of: GameSetup) -> tuple[CardOutcomes, GloveKit]:
    """Return the cards and Gloves of a setup as the manager has them."""
    box = build_box(cards_in_decks(of.decks), of.house)
    optional, last = of.house["glovePlacement"] == "oneEachOptional", of.house["lastGlove"] == "lastBackSide"
    return card_outcomes(box, of.house), GloveKit.from_box(box, optional, last)


def random_later(chance: np.random.Generator) -> LaterValues:
    """Return random values of what follows an at-bat; after the third out no Glove matters."""
    later = chance.random((THIRD_OUT_STATE + 1, NO_GLOVE + 1, MAX_AT_BAT_RUNS + 1))
    later[THIRD_OUT_STATE] = later[THIRD_OUT_STATE, :1]
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

    begun: RallybirdPosition
    runs: int
    later: LaterValues
    lost: LaterValues

    def worth(self, table: Table) -> float:
        """Return the value for Offence of a table in the middle of this at-bat."""
        if table.outcome is None:
            ((n, ask),) = table.open_asks()

            def after(answer: object) -> float:
                twin = table.clone()
                twin.answer_ask(ask.seat, n, answer)
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
        values = self.later if bird == self.begun.rallybird_holders[0] else self.lost
        if table.outcome is not None or board.half != self.begun.side:
            return float(values[THIRD_OUT_STATE, 0, runs])
        gloves = [GLOVE_OUT if one.out else GLOVE_BACK if one.back else GLOVE_FRONT for one in board.panel["gloves"]]
        changed = [place for place, state in enumerate(gloves) if state != self.begun.gloves[place]]
        bases = sum(1 << at for at, runner in enumerate(board.bases) if runner)
        return float(values[board.outs * 8 + bases, changed[0] if changed else NO_GLOVE, runs])


def check_at_bat(table: Table, cards: CardOutcomes, kit: GloveKit, chance: Random) -> None:
    """Compare the value of a random card against a random layout with that of the real engine."""
    ((n, ask),) = table.open_asks()
    begun = position_from_view(table.view_for(ask.seat), cards, kit)
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    later, lost = random_later(numbers), random_later(numbers)
    rallies = table.scoreboard().panel["rallybird"][ask.seat] == "ready"
    house = table.house
    bird = (
        RallybirdOption(lost, house["rallyOn"] == "failedOnly", house["rallyHomeRun"] == "bothRolls")
        if rallies
        else None
    )
    twin = table.clone()
    name = table.ask_view(n, ask, ask.seat).random_answer(chance)
    twin.answer_ask(ask.seat, n, name)
    ((n, gloves),) = twin.open_asks()
    laid = twin.ask_view(n, gloves, gloves.seat).random_answer(chance)
    twin.answer_ask(gloves.seat, n, laid)
    layout = np.array([[kit.names.index(laid[zone]) if zone in laid else NO_GLOVE for zone in ZONE_LETTERS]])
    found = {
        int(card): float(value)
        for met in card_matchups(cards, kit, begun.gloves, np.array([begun.base_out_state]), later, bird)
        for card, value in zip(met.cards, met.layout_values(layout)[:, 0, 0], strict=True)
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
            ahead = clock.half == "bottom" and clock.sides["home"].runs + MAX_AT_BAT_RUNS > clock.sides["away"].runs
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
    gloves = kit.fresh_gloves(kit.icons[0])
    for _ in range(chance.randrange(7)):
        gloves = kit.gloves_after_change(
            gloves, chance.choice([glove for glove, state in enumerate(gloves) if state != GLOVE_OUT])
        )
    position = chance.randrange(THIRD_OUT_STATE)
    playable = np.flatnonzero(cards.playable[position % 8])
    layouts = kit.legal_layouts(gloves)
    payoffs = np.zeros((len(cards.names), len(layouts)))
    for met in card_matchups(cards, kit, gloves, np.array([position]), random_later(numbers)):
        payoffs[met.cards] = met.layout_values(layouts)[:, 0]
    payoffs = payoffs[playable]
    unseen = numbers.random(len(cards.names)) < 0.5
    out = (unseen / max(1, unseen.sum()))[playable]
    mix = mixing.solve_at_bat(payoffs, out)
    assert mix.cards.sum() == pytest.approx(1)
    assert mix.layouts.sum() == pytest.approx(1)
    assert (mix.cards @ payoffs).min() > mix.value - LITTLE, "a layout is better"
    against = payoffs @ mix.layouts
    other = (1 - out.sum()) * against.max()
    best = other + sum(share * np.delete(against, card).max() for card, share in enumerate(out) if share)
    assert best < mix.value + LITTLE, "a card is better"
    plans = [mixing.strategy_without_card(mix.cards, out, int(card)) for card in np.flatnonzero(out)]
    mixed = sum((out[card] * plan for card, plan in zip(np.flatnonzero(out), plans, strict=True)), np.zeros(len(out)))
    mixed = mixed + (1 - out.sum()) * mixing.strategy_without_card(mix.cards, out, None) if out.sum() < 0.999 else mixed
    assert (mixed @ payoffs).min() > mix.value - LITTLE, "the plans do not make the mix"
    assert all(plan[card] == 0 for card, plan in zip(np.flatnonzero(out), plans, strict=True))


def test_a_lead_helps_and_decides_when_the_rules_say_so() -> None:
    innings = model_for_setup(setup()).innings
    for inning in (7, 8, 9):
        for side in SIDES:
            chances = innings.half_start_probabilities(inning, side, (True, True))
            assert (np.diff(chances) > -1e-9).all(), (inning, side)
    top, bottom = (innings.half_end_probabilities(9, side, (True, True)) for side in SIDES)
    assert (top[:MAX_LEAD] == 0).all(), "home ahead after the top of the ninth has won"
    assert 0 < top[MAX_LEAD] < top[MAX_LEAD + 1] < 1, "a visitor ahead still has to get home out"
    assert (bottom[:MAX_LEAD] == 0).all()
    assert (bottom[MAX_LEAD + 1 :] == 1).all()
    assert bottom[MAX_LEAD] == pytest.approx(0.5), "extra innings are even"


def test_the_rallybird_helps_who_is_behind_in_the_ninth() -> None:
    innings = model_for_setup(setup()).innings
    behind = slice(MAX_LEAD - 4, MAX_LEAD)
    with_bird, without = (innings.half_start_probabilities(9, "bottom", (bird, True))[behind] for bird in (True, False))
    assert (with_bird > without + LITTLE).all()
    assert (
        innings.half_start_probabilities(9, "bottom", (True, True))[MAX_LEAD]
        == innings.half_start_probabilities(9, "bottom", (False, True))[MAX_LEAD]
    )
