"""Outcome tree of one pitch of a pitcher to a batter, with its dice and ability choices.

The engine's rules apply the abilities. Only dice and choices branch here. Equal branches are merged, so a pitch becomes
a distribution over a few outcomes and over choices between two such distributions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from engine.diamond import Bases, advance_runners
from engine.games.bottom_of_the_9th import pitch_dice
from engine.games.bottom_of_the_9th.abilities import PITCHER_FIRST_PHASES, is_refused_change
from engine.games.bottom_of_the_9th.cards import PITCH_CODES, DraftPool, NinthBatter, NinthPitcher
from engine.games.bottom_of_the_9th.effects import ABILITY_PHASES, ORDER_IN_PHASE, CardAbility, Needs
from engine.games.bottom_of_the_9th.rules import RACE_ORDER, unopposed_winning_faces
from engine.games.bottom_of_the_9th.state import PITCH_PARTS, AppliedEffect, Pitch, State
from engine.seats import Seat, opposite_seat
from managers.games.bottom_of_the_9th.relevant_facts import CHANGING_FACTS, RelevantFacts
from managers.games.bottom_of_the_9th.values import AbilityChoice, NodeDistribution, TreeValues

AbilitySpot = tuple[Seat, str, int, CardAbility]
"""An ability and its position: seat, slot, number in the slot from 1, card ability."""

MAX_ABILITY_COST = 16
"""Maximum total `_ability_cost` of two cards for a stare-down with all of their abilities."""

MAX_KINDS_BY_COST = {10: 8, MAX_ABILITY_COST: 4}
"""Maximum number of position classes of a lookahead, by the total cost up to which it applies; 2 beyond."""

MAX_TRACKED_ABILITIES = 2
"""Maximum number of abilities, used once an at-bat or a game, whose use a lookahead tracks."""


@dataclass(frozen=True, slots=True)
class CleanupRest:
    """A rest of the pitcher in the cleanup, if any of `when` and none of `unless` holds then."""

    direction: int
    location: int
    when: tuple[Needs, ...]
    unless: tuple[Needs, ...]
    spent_bit: int
    """Bit of `spent_bits` that the rest sets, 0 for an unlimited ability."""


@dataclass(frozen=True, slots=True)
class PitchEnd:
    """Outcome of a pitch.

    kind: "ball", "strike", "foul", "1B", "2B", "3B", "HR", or "out" in the race.
    balls, strikes: additional ones.
    runners: bases that all runners advance first.
    tired: rows for each part, beyond what the throw itself costs.
    spent: a bit for each ability that is used up then.
    """

    kind: str
    balls: int
    strikes: int
    runners: int
    fatigue: tuple[int, int]
    rests: tuple[CleanupRest, ...]
    spent_bits: int


class PitchTree:
    """Outcomes of the pitches of one pitcher to one batter. `nodes` grows as pitches are evaluated."""

    def __init__(self, batter: NinthBatter, pitcher: NinthPitcher, house: Mapping[str, str]) -> None:
        self.batter, self.pitcher, self.house = batter, pitcher, house
        cards, rows = (batter, pitcher), int(house["bottomRow"]) + 1
        abilities = [one for card in cards for some in card.abilities.values() for one in some]
        burden = sum(map(_ability_cost, abilities))
        self.is_simplified = burden > MAX_ABILITY_COST
        """True if the cards cost too much. A stare-down then ignores rerolls and optional abilities."""
        self.all_marks = _ability_marks(batter, pitcher)
        self.marks = tuple(self.all_marks[: 0 if self.is_simplified else MAX_TRACKED_ABILITIES])
        """Tracked abilities, in the order of the bits of `spent_bits`."""
        self.game_mark_count = sum(uses == "game" and name.startswith(f"{pitcher.name}, ") for uses, name in self.marks)
        """Number of leading marks that stay used up in the next at-bat."""
        self.facts = RelevantFacts(cards, rows)
        kinds = next((most for up_to, most in MAX_KINDS_BY_COST.items() if burden <= up_to), 2)
        self.lookahead_facts = RelevantFacts(cards, rows, max(1, kinds >> len(self.marks)))
        """Facts that a lookahead distinguishes."""
        faces = house["pitchingDie"]
        self.letters = [(face, faces.count(face) / len(faces)) for face in "BSC"]
        self.nodes: list[PitchEnd | AbilityChoice] = []
        self._numbers: dict[PitchEnd | AbilityChoice, int] = {}
        self._plans: dict[Any, list[TreeValues]] = {}
        self._pitch_distributions: dict[Any, NodeDistribution] = {}
        self._results: dict[Any, str] = {}
        self._orders: dict[str, list[AbilitySpot]] = {}
        self._cancels = any(one.effect.verb == "cancel" for one in abilities)
        self._slots: list[tuple[Seat, str]] = [("home", slot) for slot in batter.abilities]
        self._slots += [("away", slot) for slot in pitcher.abilities]
        self._after = {
            "reveal": self._after_reveal,
            "pitch": self._after_pitch,
            "swing": self._after_swing,
            "result": self._after_result,
            "bonus": self._after_bonus,
            "run": self._after_run,
        }
        # Caches of the current pitch:
        self._active_slots: dict[tuple[Seat, str], bool] = {}
        self._active: dict[str, list[AbilitySpot]] = {}
        self._swing_distributions: dict[Any, NodeDistribution] = {}
        self._result_distributions: dict[Any, NodeDistribution] = {}
        self._skips_optional = False

    # Nodes of the tree
    # ---------------------------------------------------------------------------------------------------

    def state_before_reveal(self, outs: int, bases: Bases[str], rows: tuple[int, int], spent: int, floor: int) -> State:
        used = frozenset(mark for place, mark in enumerate(self.marks) if spent >> place & 1)
        return State(
            cards=DraftPool(), house=self.house, lineup=(self.batter,), pitcher=self.pitcher, rows=rows, floor=floor,
            outs=outs, bases=bases, spent=used,
        )  # fmt: skip

    def pitch_distribution(
        self, s: State, thrown: Sequence[str], guess: Sequence[str], count: tuple[int, int]
    ) -> NodeDistribution:
        """Return the outcome distribution of a throw and a guess. The rows of `s` must include the throw's fatigue."""
        s.pitch = Pitch(tuple(thrown), tuple(guess), count)
        key = (self._skips_optional, self.facts.position_key(s, count), self.begin_pitch(s), s.spent)
        if key not in self._pitch_distributions:
            self._pitch_distributions[key] = self.phase_distribution(s, "reveal", 0)
        return self._pitch_distributions[key]

    def begin_pitch(self, s: State) -> object:
        """Prepare the other methods for a revealed pitch. Return a key of the abilities that are on."""
        self._active_slots = {(seat, slot): pitch_dice.is_slot_on(s, seat, slot) for seat, slot in self._slots}
        self._active = {
            phase: [spot for spot in self.abilities_in_phase(phase) if self._active_slots[spot[0], spot[1]]]
            for phase in ABILITY_PHASES
        }
        self._swing_distributions.clear()
        self._result_distributions.clear()
        tokens = s.held_tokens("home") if self.facts.tokens else ()
        thrown = dict(zip(PITCH_PARTS, s.pitch.thrown, strict=True))
        return (*self._active_slots.values(), tokens, *(thrown[part] for part in self.facts.parts))

    def outcome_plan(self, s: State, count: tuple[int, int], ahead: bool) -> tuple[Any, list[TreeValues]]:
        """Return the outcomes of each throw for every guess from the state `s` before it, and their cache key.

        With `lookahead_facts`, for a lookahead, similar positions may share a key.
        """
        reads = self.lookahead_facts if ahead and self.lookahead_facts.left_out else self.facts
        key = (reads is self.lookahead_facts, reads.position_key(s, count), s.spent)
        if key not in self._plans:
            calls = [tuple(pitch.split("-")) for pitch in PITCH_CODES]
            s = reads.representative_state(s)
            self._skips_optional = self.is_simplified
            self._plans[key] = []
            step = int(self.house["fatigueStep"])
            for thrown in calls:
                by = [step * (part == ace) for part, ace in zip(thrown, self.pitcher.ace, strict=True)]
                twin = s.copy()
                twin.rows = (min(s.bottom_row, s.rows[0] + by[0]), min(s.bottom_row, s.rows[1] + by[1]))
                mixes = [
                    self.pitch_distribution(twin, thrown, guess, reads.representative_count(count)) for guess in calls
                ]
                self._plans[key].append(TreeValues(mixes, self.nodes))
            self._skips_optional = False
        return key, self._plans[key]

    def abilities_in_phase(self, phase: str) -> list[AbilitySpot]:
        """Return the abilities of both cards for a phase, in their order of action."""
        if phase not in self._orders:
            first: Seat = "away" if phase in PITCHER_FIRST_PHASES else "home"
            cards = {"home": self.batter, "away": self.pitcher}
            self._orders[phase] = [
                (seat, slot, place, ability)
                for turn, seat in product(ORDER_IN_PHASE, (first, opposite_seat(first)))
                for slot, abilities in cards[seat].abilities.items()
                for place, ability in enumerate(abilities, 1)
                if ability.phase == phase
                and turn == (ability.effect.verb if ability.effect.verb in ORDER_IN_PHASE else "")
            ]
        return self._orders[phase]

    def is_ready(self, s: State, spot: AbilitySpot) -> bool:
        """True if an ability would act or be offered in this state."""
        seat, slot, _, ability = spot
        if not self._is_on(s, seat, slot) or (s.spent and self.ability_mark(spot) in s.spent):
            return False
        judged = ability.when or ability.unless
        fits = pitch_dice.can_act(s, seat, ability) if judged else pitch_dice.has_target(s, ability.effect)
        return fits and not is_refused_change(s, ability)

    def _is_on(self, s: State, seat: Seat, slot: str) -> bool:
        return pitch_dice.is_slot_on(s, seat, slot) if self._cancels else self._active_slots[seat, slot]

    def active_abilities(self, phase: str) -> list[AbilitySpot]:
        """Return the abilities of a phase that were on when the pitch began."""
        return self._active[phase]

    def ability_mark(self, spot: AbilitySpot) -> tuple[str, str]:
        """Return the key under which the use of an ability is recorded."""
        seat, slot, place, ability = spot
        return ability.uses, f"{self.batter.name if seat == 'home' else self.pitcher.name}, {slot} {place}"

    # Branches --------------------------------------------------------------------------------------------------------

    # These advance `s` and restore it before they return.

    def phase_distribution(self, s: State, phase: str, start: int) -> NodeDistribution:
        """Return the outcome distribution of a phase from the active ability at index `start`."""
        spots = self._active[phase]
        for place in range(start, len(spots)):
            ability = spots[place][3]
            if self._skips_optional and (ability.may or ability.effect.verb == "reroll"):
                continue
            if self.is_ready(s, spots[place]):
                use = self.use_distribution(s, phase, place)
                return (
                    self.choice_distribution(spots[place][0], use, self.phase_distribution(s, phase, place + 1))
                    if ability.may
                    else use
                )
        return self.distribution_after_phase(s, phase)

    def distribution_after_phase(self, s: State, phase: str) -> NodeDistribution:
        """Return the outcome distribution once all abilities of a phase have acted."""
        after: Callable[[State], NodeDistribution] = self._after[phase]
        return after(s)

    def use_distribution(self, s: State, phase: str, place: int) -> NodeDistribution:
        """Return the outcome distribution if the active ability at index `place` of a phase is used."""
        spot = self._active[phase][place]
        seat, slot, _, ability = spot
        effect, before = ability.effect, (s.pitch, s.spent, s.rows)
        s.pitch = replace(s.pitch, done=(*s.pitch.done, AppliedEffect(seat, slot, effect)))
        if self.ability_mark(spot) in self.marks:
            s.spent |= {self.ability_mark(spot)}
        if effect.verb == "reroll":
            fact = "letter" if effect.what == "pitch" else effect.what
            faces = self.letters if fact == "letter" else [(face, 1 / 6) for face in range(1, 7)]
            mixes, used = [], s.pitch
            for face, chance in faces:
                s.pitch = replace(used, **{fact: face})  # type: ignore[arg-type]
                mixes.append((chance, self.phase_distribution(s, phase, place + 1)))
            found = _blend_distributions(mixes)
        else:
            if effect.verb == "fatigue":
                s.rows = _rows_after_fatigue(s, effect.what, int(effect.value))
            found = self.phase_distribution(s, phase, place + 1)
        s.pitch, s.spent, s.rows = before
        return found

    def choice_distribution(self, seat: Seat, use: NodeDistribution, keep: NodeDistribution) -> NodeDistribution:
        """Return a distribution with one choice node, or `keep` if both branches are equal."""
        both = [tuple(sorted((node, round(chance, 12)) for node, chance in mix.items())) for mix in (use, keep)]
        return keep if both[0] == both[1] else {self._node_number(AbilityChoice(seat, both[0], both[1])): 1.0}

    def _node_number(self, node: PitchEnd | AbilityChoice) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[node]

    def _after_reveal(self, s: State) -> NodeDistribution:
        before, mixes = s.pitch, []
        for control in range(1, 7):
            for letter, chance in self.letters:
                s.pitch = _pitch_with_dice(before, control, letter)
                mixes.append((chance / 6, self.phase_distribution(s, "pitch", 0)))
        s.pitch = before
        return _blend_distributions(mixes)

    def _after_pitch(self, s: State) -> NodeDistribution:
        before = s.pitch
        key = (before.control, before.letter, before.done, s.spent)
        if key not in self._swing_distributions:
            idle = not self._active["swing"] and not self._active["result"]
            mixes = []
            for face in range(1, 7):
                found = self._cached_swing_distribution(before, face, s.spent) if idle else None
                if found is None:
                    s.pitch = _pitch_with_dice(before, swing=face)
                    found = self.phase_distribution(s, "swing", 0)
                mixes.append((1 / 6, found))
            s.pitch = before
            self._swing_distributions[key] = _blend_distributions(mixes)
        return self._swing_distributions[key]

    def _cached_swing_distribution(
        self, pitch: Pitch, swing: int, spent: frozenset[tuple[str, str]]
    ) -> NodeDistribution | None:
        """Return the cached distribution of a swing on which no ability acts, or None."""
        dice = (pitch.control, pitch.letter, swing)
        result = self._results.get((*dice, pitch.done))
        return self._result_distributions.get((result, pitch.done, spent, dice if self.facts.late_dice else ()))

    def _after_swing(self, s: State) -> NodeDistribution:
        return self.phase_distribution(s, "result", 0)

    def _after_result(self, s: State) -> NodeDistribution:
        """Resolve the pitch, and advance the runners if an ability does."""
        pitch = s.pitch
        dice = (pitch.control, pitch.letter, pitch.swing)
        if (*dice, pitch.done) not in self._results:
            self._results[*dice, pitch.done] = pitch_dice.pitch_result(s)
        result = self._results[*dice, pitch.done]
        key = (result, pitch.done, s.spent, dice if self.facts.late_dice else ())
        if key not in self._result_distributions:
            before = s.pitch, s.bases
            s.update_pitch(called=result)
            s.bases, _ = advance_runners(s.bases, min(4, pitch_dice.effect_total(s, "runners")))
            if result == "contact":
                self._result_distributions[key] = self.phase_distribution(s, "run", 0)
            elif result == "crush":
                called, mixes = s.pitch, []
                for face in range(1, 7):
                    s.pitch = _pitch_with_dice(called, bonus=face)
                    mixes.append((1 / 6, self.phase_distribution(s, "bonus", 0)))
                self._result_distributions[key] = _blend_distributions(mixes)
            else:
                self._result_distributions[key] = self._end_distribution(s, result)
            s.pitch, s.bases = before
        return self._result_distributions[key]

    def _after_bonus(self, s: State) -> NodeDistribution:
        found = pitch_dice.bonus_result(s)
        return self.phase_distribution(s, "run", 0) if found == "contact" else self._end_distribution(s, found)

    def _after_run(self, s: State) -> NodeDistribution:
        """Run the race. Both sides are equally quick, or roll in turn."""
        return self.race_distribution(s, safe_chance(s, unopposed_rolls(s)))

    def race_distribution(self, s: State, safe: float) -> NodeDistribution:
        return _blend_distributions(
            [(safe, self._end_distribution(s, "1B")), (1 - safe, self._end_distribution(s, "out"))]
        )

    def _end_distribution(self, s: State, kind: str) -> NodeDistribution:
        tired = [
            sum(
                int(done.effect.value)
                for done in s.pitch.done
                if done.effect.verb == "fatigue" and done.effect.what in (part, "both")
            )
            for part in PITCH_PARTS
        ]
        spent = sum(1 << place for place, mark in enumerate(self.marks) if mark in s.spent)
        counts = kind in ("ball", "strike", "foul")
        balls, strikes = (counts * pitch_dice.effect_total(s, "count", what) for what in ("ball", "strike"))
        runners = min(4, pitch_dice.effect_total(s, "runners"))
        return {
            self._node_number(
                PitchEnd(kind, balls, strikes, runners, (tired[0], tired[1]), self._active_rests(s), spent)
            ): 1.0
        }

    def _active_rests(self, s: State) -> tuple[CleanupRest, ...]:
        """Return the active rests of the cleanup, with the conditions that are still open."""
        found = []
        for seat, slot, place, ability in self.abilities_in_phase("cleanup"):
            mark = self.ability_mark((seat, slot, place, ability))
            if not pitch_dice.is_slot_on(s, seat, slot) or mark in s.spent or (ability.may and seat == "home"):
                continue
            known = pitch_dice.known_facts(s, seat)
            when, unless = (_remaining_conditions(tables, known) for tables in (ability.when, ability.unless))
            if (ability.when and not when) or any(not table for table in unless):
                continue
            by = [int(ability.effect.value) if ability.effect.what in (part, "both") else 0 for part in PITCH_PARTS]
            bit = 1 << self.marks.index(mark) if mark in self.marks else 0
            found.append(CleanupRest(by[0], by[1], () if () in when else when, unless, bit))
        return tuple(found)


def _ability_cost(ability: CardAbility) -> int:
    """Return a rough relative cost of evaluating an ability."""
    return 1 + 2 * ability.may + 3 * (ability.effect.verb == "reroll")


def _remaining_conditions(tables: Sequence[Needs], known: Mapping[str, Any]) -> tuple[Needs, ...]:
    """Return the conditions of each table that only the cleanup can decide, without the tables that already fail."""
    return tuple(
        tuple((name, values) for name, values in table if name in CHANGING_FACTS)
        for table in tables
        if all(known.get(name) in values for name, values in table if name not in CHANGING_FACTS)
    )


def _rows_after_fatigue(s: State, what: str, by: int) -> tuple[int, int]:
    direction, location = (
        max(s.floor, min(s.bottom_row, row + by)) if what in (part, "both") else row
        for part, row in zip(PITCH_PARTS, s.rows, strict=True)
    )
    return direction, location


def _pitch_with_dice(
    pitch: Pitch,
    control: int | None = None,
    letter: str | None = None,
    swing: int | None = None,
    bonus: int | None = None,
) -> Pitch:
    """Return a pitch with some dice set. `dataclasses.replace` takes four times as long."""
    return Pitch(
        pitch.thrown,
        pitch.guess,
        pitch.count,
        pitch.control if control is None else control,
        pitch.letter if letter is None else letter,
        pitch.swing if swing is None else swing,
        pitch.bonus if bonus is None else bonus,
        pitch.done,
        pitch.called,
    )


def _blend_distributions(parts: Iterable[tuple[float, NodeDistribution]]) -> NodeDistribution:
    found: NodeDistribution = {}
    for chance, mix in parts:
        for node, share in mix.items():
            found[node] = found.get(node, 0.0) + chance * share
    return found


def _ability_marks(batter: NinthBatter, pitcher: NinthPitcher) -> list[tuple[str, str]]:
    """Return the marks of abilities used once an at-bat or a game, with the pitcher's for a game first."""
    found = [
        (card is not pitcher or ability.uses != "game", (ability.uses, f"{card.name}, {slot} {place}"))
        for card in (pitcher, batter)
        for slot, abilities in card.abilities.items()
        for place, ability in enumerate(abilities, 1)
        if ability.uses != "pitch"
    ]
    return [mark for _, mark in sorted(found, key=lambda one: one[0])]


def unopposed_rolls(s: State) -> tuple[Seat, ...]:
    """Return the seats that roll alone before the race, in order."""
    rolling: tuple[Seat, ...] = tuple(seat for seat in RACE_ORDER if pitch_dice.has_unopposed_roll(s, seat))
    return rolling[:1] if s.house["bothUnopposed"] == "raceAtOnce" else rolling


def safe_chance(s: State, rolling: Sequence[Seat]) -> float:
    """Return the chance that the batter is safe: these roll alone first, then two equally quick sides race."""
    safe, racing = 0.0, 1.0
    for seat in rolling:
        won = len(unopposed_winning_faces(s, seat)) / 6
        safe += racing * won if seat == "home" else 0
        racing *= 1 - won
    home, away = (len(pitch_dice.winning_faces(s, seat)) / 6 for seat in ("home", "away"))
    haste = s.house["raceMode"] == "realtime"
    both = home * away
    alone = home - both
    race = (alone + both / 2) / (home + away - both) if haste else alone / (home + away - 2 * both)
    return safe + racing * race
