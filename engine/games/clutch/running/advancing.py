"""Tries for a base, the defense's throws at runners, and their outcome (3.12, 3.14). A try is always for the next base
(AM-53), so the base, 2 to 4, identifies the runner.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from engine.diamond import HOME_BASE, Bases, place_runner
from engine.events import Facts, last_name
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import is_allowed, is_held
from engine.games.clutch.numbers.throw_numbers import CheckNeed, ThrowNeed
from engine.games.clutch.records.score_book import put_out, score_run
from engine.games.clutch.records.sentences import moves_sentence, throw_label, tries_sentence
from engine.games.clutch.running.throws import make_throw
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import REGULATION_INNINGS, State, Step, ThrowOrCheck
from engine.games.clutch.strategy_cards.muting import ask_side
from engine.games.clutch.strategy_cards.windows import open_window
from engine.lazy import LazyFact

GOING_HOME_BONUS = 3  # Of the runner (CL-255, CL-282, CL-338).

BasesTried = tuple[int, ...]  # The bases that runners try for, ascending.

# Builds the throw at a runner from his name and the base he tries for.
ThrowBuilder = Callable[[str, int], ThrowOrCheck]


@dataclass(frozen=True, slots=True)
class TryResult:
    """The result of tries, with runners who come home, runners on new bases, and the one who is out at a base."""

    home: tuple[BaseRunner, ...] = ()
    on: tuple[tuple[BaseRunner, int], ...] = ()
    out: tuple[BaseRunner, int] | None = None

    def result_sentence(self, scored: Collection[str], takes: str = "takes") -> str:
        """Return the result as a sentence without its end. `scored` are the runners whose runs count."""
        out = self.out and (self.out[0].name, self.out[1])
        return moves_sentence([(runner.name, base) for runner, base in self.on], tuple(scored), out, takes)


def legal_tries(bases: Bases[BaseRunner], among: Iterable[int]) -> tuple[BasesTried, ...]:
    """List the combinations of tries `among` these bases that never put two runners on one (CL-261, CL-285, CL-308)."""
    able = [base for base in among if bases[base - 2] is not None]
    if not able:
        return ()
    ways = (way for count in range(1, len(able) + 1) for way in combinations(able, count))
    return tuple(way for way in ways if all(_is_open(bases, base, way) for base in way))


def _is_open(bases: Bases[BaseRunner], base: int, way: BasesTried) -> bool:
    return base == HOME_BASE or bases[base - 1] is None or base + 1 in way


def runner_names(s: State, tried: BasesTried) -> tuple[str, ...]:
    """Return the runners who try for these bases, in the same order."""
    return tuple(runner.name for base in tried if (runner := s.bases[base - 2]) is not None)


def tries_text(s: State, tried: BasesTried, verb: str = "tries for") -> str:
    """Describe the tries as a sentence, the lead runner first."""
    return tries_sentence(runner_names(s, tried)[::-1], tried[::-1], verb)


def tries_not_held(s: State, ways: Iterable[BasesTried]) -> tuple[BasesTried, ...]:
    return tuple(way for way in ways if not any(is_held(s, name) for name in runner_names(s, way)))


def ask_tries(s: State, why: str, ways: tuple[BasesTried, ...], thrown: ThrowBuilder) -> Step[BasesTried]:
    """Ask the offense which tries it makes, if any, and open the window on them (CL-249). Held runners stay."""
    ways = tries_not_held(s, ways)
    if not ways:
        return ()
    codes = {"to-" + "-".join(BASE_NAMES[base - 1] for base in way): way for way in ways}

    def tries_facts(s: State) -> Facts:
        labels = {code: tries_text(s, way) for code, way in codes.items()}
        notes = {code: tries_odds_text(s, way, thrown) for code, way in codes.items()}
        who = runner_names(s, tuple(sorted({base for way in ways for base in way}, reverse=True)))
        return {"runners": list(who), "runner": who[0], "labels": labels, "notes": notes}

    choice = yield from ask_side(s, s.offense, why, ("stay", *codes), None, tries_facts)
    if choice == "stay":
        return ()
    tried = codes[choice]
    s.update_at_bat(tries=tries_text(s, tried))
    s.emit("tries", seat=s.offense, tries=s.at.tries)
    yield from open_window(s, "try", thrown("", 0).kind)
    return remaining_tries(s, tried)


def need_for_out(s: State, called: ThrowOrCheck) -> ThrowNeed | CheckNeed:
    """Return the roll needed for an out, with the cards in force now."""
    outer, s.throw = s.throw, called
    need = throw_numbers.throw_need(s)
    s.throw = outer
    return need


def remaining_tries(s: State, tried: BasesTried) -> BasesTried:
    """Return the tries that cards leave, none after the third out. A held runner blocks the one behind him."""
    goes: list[int] = []
    for base in reversed(tried if s.outs < 3 else ()):
        runner = s.bases[base - 2]
        if runner is None:
            continue
        blocked = base + 1 in tried and base + 1 not in goes and s.bases[base - 1] is not None
        if blocked or is_held(s, runner.name):
            s.emit("holds", seat=s.offense, runner=runner.name, base=BASE_NAMES[base - 2])
        else:
            goes.insert(0, base)
    return tuple(goes)


def possible_throws(s: State, tried: BasesTried, thrown: ThrowBuilder) -> tuple[ThrowOrCheck, ...]:
    """List the possible throws at these runners, the lead runner first."""
    return tuple(thrown(name, base) for name, base in zip(runner_names(s, tried)[::-1], tried[::-1], strict=True))


def throw_odds_text(s: State, called: ThrowOrCheck) -> str:
    found = need_for_out(s, called)
    return found.need.replace("out", f"out at {BASE_NAMES[called.base - 1]}", 1) + found.chance


def tries_odds_text(s: State, tried: BasesTried, thrown: ThrowBuilder) -> str:
    return "; ".join(dict.fromkeys(throw_odds_text(s, called) for called in possible_throws(s, tried, thrown)))


def ask_throw_target(
    s: State, tried: BasesTried, thrown: ThrowBuilder, why: str = "throw-at", spare: str = "no-throw"
) -> Step[int]:
    """Ask at which runner the defense throws, and return his base, or 0 for none (CL-254, CL-259, AM-52)."""
    if not is_allowed(s, "throw"):
        return 0
    targets = {f"at-{BASE_NAMES[called.base - 1]}": called for called in possible_throws(s, tried, thrown)}

    def target_facts(s: State) -> Facts:
        labels = {code: throw_label(called.runner, called.base) for code, called in targets.items()}
        notes = {code: throw_odds_text(s, called) for code, called in targets.items()}
        lead, *others = (called.runner for called in targets.values())
        at = "a runner" if others else last_name(lead)
        return {"tries": tries_text(s, tried), "runner": lead, "at": at, "labels": labels, "notes": notes}

    choice = yield from ask_side(
        s, s.defense, why, (*targets, spare), LazyFact(_moot_target, s, targets, spare), target_facts
    )
    return targets[choice].base if choice in targets else 0


def _moot_target(s: State, targets: Mapping[str, ThrowOrCheck], spare: str) -> str | None:
    """Return "no-throw" if no roll gets anybody, so that a throw changes nothing. Cards could change that, so in a game
    with cards it is None. An out is a choice: it may bring up another batter in the next half-inning.
    """
    hopeless = not s.full and all(need_for_out(s, called).wins == "none" for called in targets.values())
    return spare if hopeless and spare == "no-throw" else None


def run_tries(s: State, tried: BasesTried, target: int, thrown: ThrowBuilder) -> Step[TryResult]:
    """Throw at the runner who tries for `target` (0 for nobody). All others are safe (CL-260). A runner stays if a card
    has put another one on his base (CL-261). Runs are not scored here.
    """
    named = dict(zip(tried, runner_names(s, tried), strict=True))
    out = bool(target) and (yield from make_throw(s, thrown(named[target], target)))
    if s.outs >= 3:
        return TryResult()  # A card made the third out.
    home: list[BaseRunner] = []
    on: list[tuple[BaseRunner, int]] = []
    caught = None
    for base in reversed(tried):
        runner = s.bases[base - 2]
        if runner is None or runner.name != named[base] or is_held(s, runner.name):
            continue  # A card has moved or held him.
        left = place_runner(s.bases, None, base - 1)
        if out and base == target and s.outs < 3:
            s.bases, caught = left, (runner, base)
            put_out(s, runner.name)
        elif base == HOME_BASE:
            s.bases = left
            home.append(runner)
        elif s.bases[base - 1] is None:
            s.bases = place_runner(left, runner, base)
            on.append((runner, base))
        else:
            announce_stay(s, runner, base)
    return TryResult(tuple(home), tuple(on), caught)


def announce_stay(s: State, runner: BaseRunner, base: int) -> None:
    """Announce that a runner does not take `base`, which is occupied."""
    s.emit("stays", seat=s.offense, runner=runner.name, base=BASE_NAMES[base - 2], taken=BASE_NAMES[base - 1])


def moved_runners(before: Bases[BaseRunner], after: Bases[BaseRunner]) -> list[tuple[str, int]]:
    """Return the runners who changed bases, the lead runner first, without new ones."""
    stood = {one.name: base for base, one in enumerate(before, 1) if one}
    stands = {one.name: base for base, one in enumerate(after, 1) if one}
    return [(name, base) for name, base in reversed(stands.items()) if stood.get(name, base) != base]


def counting_runners(s: State, ran: TryResult, home: tuple[BaseRunner, ...]) -> tuple[BaseRunner, ...]:
    """Return the runners whose runs count, even if a runner thrown out is the third out (AM-59)."""
    return () if ran.out and s.outs >= 3 and s.house["thirdOutRuns"] == "none" else home


def score_runners(s: State, runners: Iterable[BaseRunner], rbi: bool = True) -> list[str]:
    """Score runs and return the names of the runners whose runs count."""
    return [runner.name for runner in runners if score_run(s, runner, rbi)]


def would_win(s: State, runs: int) -> bool:
    """True if `runs` more would win the game at once (CL-152, CL-153)."""
    away, home = s.score
    return s.clock.is_walk_off(away, home + runs, REGULATION_INNINGS)


def batter_as_runner(s: State, instead: BaseRunner | None = None) -> BaseRunner:
    """Return the batter as a runner. If the defense put out a runner `instead`, the batter inherits the pitcher to
    charge and whether the run is earned (AM-35).
    """
    return (
        BaseRunner(s.batter_card.name, s.pitcher_card.name)
        if instead is None
        else replace(instead, name=s.batter_card.name)
    )
