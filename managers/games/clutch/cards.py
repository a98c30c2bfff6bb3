"""Value of playing a strategy card or a coach card now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.card_types import CoachCard, StrategyCard
from engine.games.clutch.cards.effects import RESULT_GROUPS, CardEffect, CardRules, Trial
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State, ThrowOrCheck
from engine.games.clutch.strategy_cards.apply import LASTING_VERBS
from engine.games.clutch.strategy_cards.play_effects import runner_name
from engine.seats import SEATS, Seat, opposite_seat
from managers.games.clutch.card_prices import CardPrices, card_usefulness
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.odds import OUTCOME_INDEXES, current_distribution
from managers.games.clutch.position import with_effect
from managers.games.clutch.window_judge import WindowJudge

EffectCase = tuple[float, State, float]
"""One outcome of an effect: probability, state after it, and additional win probability."""

OFFENSE_NUMBERS = frozenset(("on_base", "swing_roll", "swing", "br", "st", "bunt_roll", "bunt_target"))
"""Numbers of the side at bat that an effect may change."""
AT_BATS_BY_DURATION = {"half": 3.0, "inning": 4.0, "play": 5.0, "player": 3.0, "game": 12.0}
"""Approximate number of at-bats for which a lasting effect counts, by its unit."""


class CardJudge(WindowJudge):
    """Evaluates cards for the seat `judge.side`."""

    def __init__(self, judge: PositionJudge, prices: CardPrices, window: str) -> None:
        super().__init__(judge, window)
        self.prices = prices

    def card_value(self, s: State, side: Seat, card: StrategyCard | CoachCard) -> float:
        """Return the win probability if `side` plays this card, less the card's price."""
        play = card.play
        mine = 1 if side == self.side else -1
        spent = isinstance(card, StrategyCard) and not any(one.verb == "return" for one in play.do)
        cost = self.playing_cost(s, side, play)
        base = s.copy()
        if isinstance(card, CoachCard):
            cost += self.prices.current_price(s) * 0.8
        elif spent:
            cost += self.card_price(s, side, card.name)
        total = self.effects_value(base, side, card.name, play.do, play)
        total += mine * self._follow_up_value(base, side, play)
        return total - mine * cost

    def card_price(self, s: State, side: Seat, name: str) -> float:
        """Return the price of the last card in the hand, scaled by the usefulness of this one."""
        last = -self.prices.extra_cards_value(s, side, -1)
        return last * min(1.6, max(0.4, card_usefulness(s.box, name)))

    def playing_cost(self, s: State, side: Seat, play: CardRules) -> float:
        """Return the price of what the card's rules charge, without the card itself."""
        total = 0.0
        for cost in play.cost:
            match cost.verb:
                case "discard":
                    total -= self.prices.extra_cards_value(s, side, -cost.count, 1) * (
                        0.8 if cost.how == "choice" else 1.0
                    )
                case "skip":
                    total += self.prices.extra_cards_value(s, side, 1, 1)
                case "mill":
                    total += 0.02 * self.prices.current_price(s)
        return total

    def _follow_up_value(self, s: State, side: Seat, play: CardRules) -> float:
        """Return the approximate value of effects on success or failure. Only drawn cards count."""
        if not (play.success or play.failure):
            return 0.0
        chance = 0.5
        if self.window in ("before-pitch", "pitch-roll", "advantage", "swing-roll"):
            odds = current_distribution(s)
            out = float(sum(odds[OUTCOME_INDEXES[code]] for code in RESULT_GROUPS["out"]))
            chance = out if side == s.defense else 1 - out
        elif s.throw and s.throw.kind != "check":
            out = self.out_chance(s, s.throw)
            chance = out if side == s.defense else 1 - out
        return chance * self._drawn_cards_value(s, side, play.success) + (1 - chance) * self._drawn_cards_value(
            s, side, play.failure
        )

    def _drawn_cards_value(self, s: State, side: Seat, effects: Sequence[CardEffect]) -> float:
        return sum(self._hand_effect_value(s, side, one) for one in effects)

    def effects_value(self, s: State, side: Seat, source: str, effects: Sequence[CardEffect], play: CardRules) -> float:
        cases: list[EffectCase] = [(1.0, s, 0.0)]
        for effect in effects:
            cases = [
                (chance * share, after, more + plus)
                for chance, before, more in cases
                for share, after, plus in self._effect_cases(before, side, source, effect, play)
            ]
        return sum(chance * (self.win_probability(after) + more) for chance, after, more in cases)

    def _effect_cases(self, s: State, side: Seat, source: str, effect: CardEffect, play: CardRules) -> list[EffectCase]:
        mine = 1 if side == self.side else -1
        sight = SideView(s, side, s.at.tags, source=source)
        if effect.verb == "if":
            way = effect.then if are_conditions_met(effect.when, sight) else effect.otherwise
            return self._sequence_cases(s, side, source, way, play)
        if effect.when and effect.verb not in LASTING_VERBS and not are_conditions_met(effect.when, sight):
            return [(1.0, s, 0.0)]
        match effect.verb:
            case verb if verb in LASTING_VERBS:
                return self._lasting_effect_cases(s, side, source, effect, play)
            case "reroll" | "twice" | "face":
                return self._reroll_cases(s, side, source, effect, play)
            case "change":
                return [(1.0, self._with_changed_result(s, side, effect), 0.0)]
            case "try":
                return self._result_trial_cases(s, side, effect)
            case "call":
                return self._trial_cases(s, side, source, effect, play)
            case "throw" | "check":
                return [(1.0, self._with_reversed_throw(s, effect), 0.0)]
            case "either":
                ways = [self._sequence_cases(s, side, source, way, play) for way in (effect.then, effect.otherwise)]
                return max(
                    ways, key=lambda cases: mine * sum(p * (self.win_probability(after) + m) for p, after, m in cases)
                )
            case "advance" | "out" | "remove" | "place":
                return [(1.0, self._with_moved_runners(s, side, effect), 0.0)]
            case "innings":
                return [(1.0, self._with_changed_innings(s, side, effect), 0.0)]
        return [(1.0, s, mine * self._hand_effect_value(s, side, effect))]

    def _sequence_cases(
        self, s: State, side: Seat, source: str, effects: Sequence[CardEffect], play: CardRules
    ) -> list[EffectCase]:
        cases: list[EffectCase] = [(1.0, s, 0.0)]
        for effect in effects:
            cases = [
                (chance * share, after, more + plus)
                for chance, before, more in cases
                for share, after, plus in self._effect_cases(before, side, source, effect, play)
            ]
        return cases

    def _lasting_effect_cases(
        self, s: State, side: Seat, source: str, effect: CardEffect, play: CardRules
    ) -> list[EffectCase]:
        """Return the state with an effect in force. The value of later at-bats is added if it lasts."""
        if effect.verb == "mod" and effect.of:
            sign = -1 if effect.amount < 0 else 1
            rating = {"batter's clutch": s.batter_card.clutch, "pitcher's clutch": s.pitcher_card.clutch}.get(effect.of)
            mean = (len(FACES_BY_KIND[effect.of]) + 1) // 2 if effect.of in FACES_BY_KIND else 2
            effect = replace(effect, amount=sign * (mean if rating is None else rating), of="")
        if effect.what in ("hand_limit", "draw"):
            gain = self.prices.extra_cards_value(s, side, 1)
            return [(1.0, s, (1 if side == self.side else -1) * gain)]
        on = None
        if effect.verb == "hold" or (effect.what in ("br", "st") and effect.to not in ("", "every")):
            name = runner_name(s, effect.what if effect.verb == "hold" else effect.to)
            on = (s.offense, name) if name else None
        elif effect.what in ("br", "st") and not effect.to:
            name = s.throw.runner if s.throw else runner_name(s, "lead")
            on = (s.offense, name) if name else None
        after = with_effect(s, side, source, effect, replace(play, lasts=replace(play.lasts, unit="at-bat")), on)
        unit = "play" if play.leave else play.lasts.unit
        if unit not in AT_BATS_BY_DURATION:
            return [(1.0, after, 0.0)]
        gain = self.win_probability(after) - self.win_probability(s)
        if effect.what in ("st",) and self.window != "steal" and not s.throw:
            gain = 0.3 * self.prices.current_price(s) * (1 if side == self.side else -1) / AT_BATS_BY_DURATION[unit]
        batting = effect.what in OFFENSE_NUMBERS and effect.whose in ("my", "their")
        theirs = (effect.whose == "my") == (side == s.offense) if batting else True
        if batting and not theirs:
            gain = 0.0
        return [(1.0, after, (AT_BATS_BY_DURATION[unit] - 1) * gain * 0.8)]

    def _reroll_cases(self, s: State, side: Seat, source: str, effect: CardEffect, play: CardRules) -> list[EffectCase]:
        """Return the outcomes of a reroll. Before the roll, it is kept as an effect."""
        at, throw = s.at, s.throw
        after = s.copy()
        if throw and throw.natural is not None and effect.what == throw.roll_kind:
            faces = self._face_chances(effect, throw.die, throw.natural)
            cases = []
            for face, chance in faces:
                one = s.copy()
                one.throw = replace(throw, natural=face, made=None)
                cases.append((chance, one, 0.0))
            return cases
        if effect.what == "swing" and at.swing_natural is not None and not at.result:
            return self._face_cases(s, effect, at.swing_die, at.swing_natural)
        if effect.what == "pitch" and at.pitch_natural is not None and not at.advantage:
            return self._face_cases(s, effect, at.pitch_die, at.pitch_natural)
        if effect.what in ("swing", "pitch") and (at.result or at.swing_natural is not None):
            return [(1.0, after, 0.0)]
        return [(1.0, with_effect(s, side, source, effect, play, None), 0.0)]

    def _face_cases(self, s: State, effect: CardEffect, die: str, face: int) -> list[EffectCase]:
        cases = []
        for new, chance in self._face_chances(effect, die, face):
            one = s.copy()
            one.at = s.at._replace(pitch_natural=new) if effect.what == "pitch" else s.at._replace(swing_natural=new)
            cases.append((chance, one, 0.0))
        return cases

    def _face_chances(self, effect: CardEffect, die: str, face: int) -> list[tuple[int, float]]:
        """Return the probability of each face that may count after a reroll."""
        if effect.verb == "face":
            return [(effect.amount, 1.0)]
        faces = [int(one) for one in FACES_BY_KIND[die]]
        if effect.verb == "twice":
            faces = [(max if effect.of == "best" else min)(one, face) for one in faces]
        return [(one, 1 / len(faces)) for one in faces]

    def _with_changed_result(self, s: State, side: Seat, effect: CardEffect) -> State:
        """Return the state with the result changed if the rules allow it, else `s`."""
        if not s.at.result or not effect.can_change_result(s.at.result) or side in s.at.changed:
            return s
        after = s.copy()
        after.at = s.at._replace(result=effect.to)
        return after

    def _result_trial_cases(self, s: State, side: Seat, effect: CardEffect) -> list[EffectCase]:
        if effect.trial is None:
            return [(1.0, s, 0.0)]
        made = self.trial_chance(s, effect.trial)
        chance = 1 - made if effect.of == "failed" else made
        return [(chance, self._with_changed_result(s, side, effect), 0.0), (1 - chance, s, 0.0)]

    def _trial_cases(self, s: State, side: Seat, source: str, effect: CardEffect, play: CardRules) -> list[EffectCase]:
        if effect.trial is None:
            return [(1.0, s, 0.0)]
        made = self.trial_chance(s, effect.trial)
        good = self._sequence_cases(s, side, source, effect.then, play)
        bad = self._sequence_cases(s, side, source, effect.otherwise, play)
        return [(made * p, after, m) for p, after, m in good] + [((1 - made) * p, after, m) for p, after, m in bad]

    def trial_chance(self, s: State, trial: Trial) -> float:
        if trial.call == "check":
            return self.check_chance(s, ThrowOrCheck("check", trial.unit, target=trial.target))
        if trial.call == "throw":
            name = runner_name(s, trial.runner)
            if not name:
                return 0.0
            base = next((at for at, one in enumerate(s.bases, 2) if one and one.name == name), 1)
            return self.judge.out_chance(s, ThrowOrCheck("card", trial.unit, name, base, trial.speed))
        faces = FACES_BY_KIND[trial.die]
        return sum(int(face) >= trial.target for face in faces) / len(faces)

    def _with_reversed_throw(self, s: State, effect: CardEffect) -> State:
        """Return the state with the result of its throw or check set by a card."""
        if s.throw is None or s.throw.made is None or s.throw.roll_kind != effect.verb:
            return s
        after = s.copy()
        after.throw = replace(s.throw, made=effect.to in ("out", "made"))
        return after

    def _with_moved_runners(self, s: State, side: Seat, effect: CardEffect) -> State:
        """Return the approximate state after a card advances, removes or puts out runners."""
        if effect.what == "batter" and not s.at.outcome:
            to = "E" if effect.verb == "advance" else "LD"
            return self._with_changed_result(s, side, replace(effect, what="", to=to)) if s.at.result else s
        after = s.copy()
        bases, runs = list(s.bases), 0
        wanted = [runner_name(s, one) for one in ("third", "second", "first")]
        if effect.what != "every":
            wanted = [runner_name(s, effect.what)]
        for name in filter(None, wanted):
            at = next((at for at, one in enumerate(bases) if one and one.name == name), None)
            if at is None:
                continue
            one, bases[at] = bases[at], None
            if effect.verb == "advance":
                base = at + effect.amount
                runs += base > 2
                if base <= 2:
                    bases[base if bases[base] is None else at] = one
            elif effect.verb == "out":
                after.outs += 1
        after.bases = (bases[0], bases[1], bases[2])
        away, home = s.score
        after.score = (away + runs, home) if s.offense == "away" else (away, home + runs)
        return after

    def _with_changed_innings(self, s: State, side: Seat, effect: CardEffect) -> State:
        whose = opposite_seat(side) if effect.amount < 0 else side
        name = s.squad(whose).pitcher
        arm = s.arms[SEATS.index(whose)].get(name)
        if arm is None:
            return s
        after = s.copy()
        after.store_record(whose, pitcher_record.add_innings(arm, effect.amount, s.house))
        return after

    def _hand_effect_value(self, s: State, side: Seat, effect: CardEffect) -> float:
        """Return the value to `side` of an effect on hands and decks."""
        price = self.prices.current_price(s)
        sign, whose = self.hand_owner(s, side, effect.whose)
        match effect.verb:
            case "draw" | "recover" | "search":
                count = min(effect.amount, 3)
                bonus = {"draw": 1.0, "recover": 1.1, "search": 1.4}[effect.verb]
                if effect.whose == "both":
                    return 0.0
                return sign * bonus * self.prices.extra_cards_value(s, whose, count, int(whose == side))
            case "discard":
                if effect.whose == "both":
                    return 0.0
                count = effect.amount or s.squad(whose).held
                return sign * self.prices.extra_cards_value(s, whose, -min(count, s.squad(whose).held))
            case "bottom":
                return sign * 0.8 * self.prices.extra_cards_value(s, whose, -effect.amount)
            case "look":
                return 0.1 * price
            case "rest":
                return 0.3 * price * (1 if s.house["series"] != "1" else 0)
        return 0.0

    def hand_owner(self, s: State, side: Seat, whose: str) -> tuple[int, Seat]:
        """Return the sign of a hand's value to `side`, and the seat that has the hand."""
        found: Seat = side
        match whose:
            case "their":
                found = opposite_seat(side)
            case "offense":
                found = s.offense
            case "defense":
                found = s.defense
        return (1 if found == side else -1), found
