"""Decisions of the side in the field: pitchers' abilities, and relief."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from engine.ask_views import ChooseView, RerollView
from engine.games.seventh_inning_stretch.cards import StretchPitcher
from engine.games.seventh_inning_stretch.dice.abilities import AbilityUse, ability_uses
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.state import REGULATION_INNINGS
from managers.games.seventh_inning_stretch.game import relevant_inning_and_lead, team_run_distribution
from managers.games.seventh_inning_stretch.half import OUT_OUTCOME
from managers.games.seventh_inning_stretch.hands import FloatArray, all_hands, hand_chances, hand_rows, reroll_options
from managers.games.seventh_inning_stretch.lines import met_outcome_bits, open_lines
from managers.games.seventh_inning_stretch.offense import OffenseOptions, best_outcome_values
from managers.games.seventh_inning_stretch.outlook import StretchOutlook
from managers.games.seventh_inning_stretch.position import StretchPosition

RUNS_PER_ABILITY_STRENGTH = 0.1
"""Runs that a reliever saves per use and per point by which his ability changes three dice."""

MAX_USE_PRICE_RUNS = 1.1
"""Required savings of a use when stamina is far too low, in runs. A home run is about 1.5, a single 0.5."""
MIN_USE_PRICE_RUNS = 0.05  # Required savings of a use when there is enough stamina, in runs.
DUEL_HITS_PER_INNING = 3.0  # Approximate number of hits that a duel's pitcher faces in an inning.
SEASON_HALVES_PER_GAME = 2.5  # Approximate number of halves of a season's pitcher in a game.

DICE_COUNT_PATTERN = re.compile(r".* will roll ([0-9]{1,2}) (?:die|dice)\. ")
"""Start of the question before a roll of the opponent's team, with the number of dice."""

OptionValues = list[tuple[str, float]]
DiceValueFunction = Callable[[tuple[int, ...]], float]  # Win probability of the side in the field, by dice.


class DefenseOptions:
    """Options of a pitcher, rated by his side's win probability. `offense` rates what follows in a duel."""

    def __init__(
        self, position: StretchPosition, outlook: StretchOutlook, offense: type[OffenseOptions] = OffenseOptions
    ) -> None:
        self.position, self.outlook, self._offense = position, outlook, offense
        squad = position.fielding_squad
        self.pitcher: StretchPitcher | None = position.pitcher_card(squad.pitcher) if squad.pitcher else None

    # A batter of a duel ------------------------------------------------------------------------------------------

    def _hand_values(self, count: int) -> FloatArray:
        """Return the field's win probability for each hand of the batter's final dice."""
        offence = self._offense(self.position, self.outlook)
        lines = open_lines(offence.card, offence.at)
        pool = offence._pool_after_spending(0, 0)
        worths = {
            outcome: offence.outcome_value(outcome, pool) for outcome in (OUT_OUTCOME, *{one.outcome for one in lines})
        }
        return 1 - best_outcome_values(met_outcome_bits(lines, count, offence.rules.best), worths)

    # Asks --------------------------------------------------------------------------------------------------------

    def weigh_ability_uses(self, ask: ChooseView) -> OptionValues:
        faces = self.position.dice
        values = self._dice_value_function(len(faces))
        codes = [one.value for one in ask.options]
        found = [("enough", values(faces, 0, None))]
        if self.pitcher is None or self.pitcher.ability is None:
            return found + [(code, 0.0) for code in codes if code != "enough"]
        least = 1 if self.position.duel else self.outlook.team_dice()[1]
        by_code = {use.code: use for use in ability_uses(self.pitcher.ability, faces, 0, least)}
        left = self.position.uses_left[self.pitcher.name]
        for code in codes:
            if code in by_code:
                found.append((code, self._use_value(by_code[code], faces, least, left, values) - self.use_price()))
        return found

    def _use_value(
        self,
        use: AbilityUse,
        faces: tuple[int, ...],
        least: int,
        left: int,
        values: Callable[[tuple[int, ...], int, int | None], float],
    ) -> float:
        """Return the win probability of a use, followed by one more if that is better."""
        if use.again:
            return self._reroll_options(faces, use.again, use.most, lambda then: values(then, 0, None))[0][1]
        then = faces if use.faces is None else use.faces
        best = values(then, use.less, use.cap)
        assert self.pitcher is not None
        assert self.pitcher.ability is not None
        if left > 1 and use.faces is not None:
            more = ability_uses(self.pitcher.ability, then, 1, least)
            best = max(
                [best, *(values(one.faces, 0, None) - self.use_price() for one in more if one.faces is not None)]
            )
        return best

    def _reroll_options(
        self, faces: tuple[int, ...], free: tuple[int, ...], most: int, value: DiceValueFunction
    ) -> list[tuple[list[int], float]]:
        """Return the legal rerolls of free dice, best first."""
        count = len(faces)
        values = np.array([value(hand) for hand in all_hands(count)])
        found = []
        for worth, again in reroll_options(values, faces):
            want = [faces[at] for at in again]
            places_ = _find_free_dice(want, faces, free)
            if places_ is not None and len(places_) <= most:
                found.append((places_, worth))
        return found or [(list(free[:1]), float(values.mean()))]

    def _dice_value_function(self, count: int) -> Callable[[tuple[int, ...], int, int | None], float]:
        """Return the field's win probability as a function of dice, subtracted runs and maximum runs."""
        position = self.position
        if position.duel:
            table = self._hand_values(count)
            return lambda faces, less, cap: self._table_value(table, faces)
        team = position.team
        at = GuardFacts(inning=position.clock.inning, lead=position.side_lead(position.batting_seat))
        done = self._earlier_reductions(at)

        def dice_value(faces: tuple[int, ...], less: int, cap: int | None) -> float:
            runs = team.runs(faces, at) if team and team.runs else 1
            runs = max(0, runs - done[0] - less)
            caps = [one for one in (done[1], cap) if one is not None]
            runs = min([runs, *caps]) + position.condition.more_runs
            return self.outlook.win_probability_after_half(position.mine, position.clock, position.lead - runs)

        return dice_value

    def _table_value(self, table: FloatArray, faces: tuple[int, ...]) -> float:
        if len(faces) and table.shape[0] == len(all_hands(len(faces))):
            return float(table[hand_rows(len(faces))[tuple(sorted(faces))]])
        return float(self._hand_values(len(faces))[hand_rows(len(faces))[tuple(sorted(faces))]])

    def _earlier_reductions(self, at: GuardFacts) -> tuple[int, int | None]:
        """Return the runs that earlier uses subtracted from this roll, and the cap that they set."""
        position, pitcher = self.position, self.pitcher
        if pitcher is None or pitcher.ability is None or position.team is None or position.team.runs is None:
            return 0, None
        ability = pitcher.ability
        now = str(position.panel["now"]).split(" ")[0]
        rolled = position.team.runs(position.dice, at)
        shown = (0 if now == "no" else int(now) if now.isdecimal() else rolled) - position.condition.more_runs
        if ability.verb == "less":
            return max(0, rolled - shown), None
        if ability.verb == "cap" and shown < rolled:
            return 0, shown
        return 0, None

    def use_price(self) -> float:
        """Return the win probability that a use must save. Stamina that is not used now can be used later."""
        position = self.position
        squad = position.fielding_squad
        left = sum(position.uses_left.get(name, 0) for name in (squad.pitchers if position.duel else squad.arms))
        innings = max(1, REGULATION_INNINGS + 1 - position.clock.inning)
        coming = (
            DUEL_HITS_PER_INNING * innings if position.duel else SEASON_HALVES_PER_GAME * self._games_until_rest() - 1
        )
        short = max(0.0, 1 - left / max(1.0, coming))
        runs = MIN_USE_PRICE_RUNS + (MAX_USE_PRICE_RUNS - MIN_USE_PRICE_RUNS) * short * (1.0 if position.duel else 0.5)
        return runs * self.outlook.run_value()

    def _games_until_rest(self) -> int:
        """Return the number of games until pitchers rest, including this one."""
        season = self.position.season
        if self.position.phase in ("first", "second"):
            return 3 - len(season["won"]) % 3
        return 4 if self.position.phase == "semifinals" else 2

    def weigh_reroll(self, ask: RerollView) -> list[tuple[list[int], float]]:
        """Weigh the dice to reroll, after the use is paid."""
        faces = tuple(int(face) for face in ask.faces)
        values = self._dice_value_function(len(faces))
        return self._reroll_options(faces, ask.free, ask.most, lambda then: values(then, 0, None))

    def weigh_early_use(self, ask: ChooseView) -> OptionValues:
        """Weigh a reduction of the opponent's dice before the roll."""
        position = self.position
        if position.team is None or self.pitcher is None:
            return [(one.value, 0.5) for one in ask.options]
        count, least = self.outlook.team_dice()
        ability = self.pitcher.ability
        number = ability.number if ability else 1
        rolls = _asked_dice_count(ask.sentence, count)
        found = []
        for one in ask.options:
            dice = rolls if one.value == "enough" else max(rolls - number, min(least, rolls))
            cost = 0.0 if one.value == "enough" else self.use_price()
            found.append((one.value, self.win_probability_with_dice(dice) - cost))
        return found

    def win_probability_with_dice(self, count: int) -> float:
        """Return the win probability before the opponent rolls `count` dice, without abilities after the roll."""
        position = self.position
        assert position.team is not None
        lead = position.side_lead(position.batting_seat)
        inning, lead = relevant_inning_and_lead(position.team, position.clock.inning, lead)
        often = team_run_distribution(position.team, count, position.condition.more_runs, inning, lead)
        won = (
            self.outlook.win_probability_after_half(position.mine, position.clock, position.lead - runs)
            for runs in range(len(often))
        )
        return float(sum(chance * worth for chance, worth in zip(often, won, strict=True)))

    def weigh_relief(self, ask: ChooseView) -> list[tuple[str, float]]:
        """Weigh the pitchers. The current one should stay as long as he can use his ability."""
        position = self.position
        now = self._pitcher_strength(self.pitcher.name) if self.pitcher else 0.0
        tired = self.pitcher is None or position.uses_left[self.pitcher.name] == 0
        won, found = self.outlook.win_probability_after_half(position.mine, position.clock, position.lead), []
        for one in ask.options:
            strength = now if one.value == "stays" else self._pitcher_strength(one.value) * (1.0 if tired else 0.2)
            found.append((one.value, won + RUNS_PER_ABILITY_STRENGTH * strength * self.outlook.run_value()))
        return found

    def _pitcher_strength(self, name: str) -> float:
        return ability_strength(self.position.pitcher_card(name), self.position.duel) * self.position.uses_left[name]

    def weigh_starters(self, ask: ChooseView) -> list[tuple[str, float]]:
        return [(one.value, 0.5 + 0.01 * self._pitcher_strength(one.value)) for one in ask.options]


def _asked_dice_count(sentence: str, usual: int) -> int:
    """Return the number of dice in the question. The pattern skips numbers in names."""
    found = DICE_COUNT_PATTERN.match(sentence)
    return int(found[1]) if found else usual


def _find_free_dice(want: list[int], faces: tuple[int, ...], free: tuple[int, ...]) -> list[int] | None:
    """Return indexes of free dice with these faces, or None if there are too few."""
    found: list[int] = []
    for face in want:
        at = next((at for at in free if faces[at] == face and at not in found), None)
        if at is None:
            return None
        found.append(at)
    return sorted(found)


@lru_cache(maxsize=256)
def ability_strength(pitcher: StretchPitcher, duel: bool) -> float:
    """Return the approximate change that one use of a pitcher's ability makes to the sum of three dice."""
    ability = pitcher.ability
    if ability is None:
        return 0.3
    if ability.before or not ability.duel:
        return 0.0 if duel else 1.0
    total = 0.0
    for hand, chance in zip(all_hands(3), hand_chances(3), strict=True):
        best = sum(hand)
        for use in ability_uses(ability, hand, 0, 1):
            then = hand if use.faces is None else use.faces
            best = min(best, sum(then)) if not use.again else min(best, sum(hand) - max(0, 2 * max(hand) - 7) // 2)
        total += chance * (sum(hand) - best)
    return total / 3
