"""Ground balls, with forced and unforced runners, double plays, and the infield in (3.12.C, 3.13, 4.3). With two outs
before it, the batter is the third out and nobody has a choice (CL-396).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.diamond import HOME_BASE, Bases, advance_runners, force_runners, place_runner
from engine.games.clutch.numbers.modifiers import is_allowed, is_held
from engine.games.clutch.records.score_book import emit_play, put_out, record_entry
from engine.games.clutch.records.sentences import moves_ending, moves_sentence
from engine.games.clutch.running.advancing import (
    BasesTried,
    ask_throw_target,
    ask_tries,
    batter_as_runner,
    legal_tries,
    moved_runners,
    runner_names,
    score_runners,
    would_win,
)
from engine.games.clutch.running.throws import make_throw
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import State, Step, ThrowOrCheck
from engine.games.clutch.strategy_cards.muting import ask_side, forget_early_passes

BATTER_TO_FIRST_BONUS = 3  # On a double play (CL-294, AM-55).


def play_ground_ball(s: State) -> Step[None]:
    """Play a ground ball (CL-264 to CL-277)."""
    first, second, third = s.bases
    if s.outs == 2:
        put_out_at_first(s, s.bases, runner_on_third(s))
    elif s.at.infield_in and third:
        yield from play_with_infield_in(s)
    elif first:
        if (yield from ask_double_play(s)):
            yield from double_play(s, first)
        else:
            put_out_at_first(s, *advance_runners(s.bases, 1))
    elif second and not would_win(s, len(runner_on_third(s))):
        yield from play_unforced_runner(s)
    else:
        put_out_at_first(s, (None, second, None), runner_on_third(s))


def runner_on_third(s: State) -> tuple[BaseRunner, ...]:
    """Return the runner on third, who scores without a throw while the infield is back (CL-269)."""
    third = s.bases[2]
    return (third,) if third else ()


def put_out_at_first(s: State, bases: Bases[BaseRunner], home: Iterable[BaseRunner]) -> None:
    """Put the batter out at first. Runners go to `bases` and `home`, but not on the third out (AM-60)."""
    put_out(s, s.batter_card.name)
    before, runs = s.bases, list[str]()
    if s.outs < 3 or s.house["gbThirdOutScores"] == "true":
        s.bases = bases
        runs = score_runners(s, home)
    record_entry(s, "out")
    emit_play(s, "ground-out", runs, home=moves_ending(runs, moved_runners(before, s.bases)), outs=s.outs, ending="out")


def play_fielders_choice(
    s: State, bases: Bases[BaseRunner], home: Iterable[BaseRunner], out: tuple[BaseRunner, int] | None
) -> None:
    """Put the batter on first by a fielder's choice (CL-291). `out` is the runner put out, if any. Force the others."""
    before = s.bases
    s.bases, forced = force_runners(bases, batter_as_runner(s, out[0] if out else None))
    s.update_at_bat(tags=s.at.tags | {"fielders-choice"})
    runs = score_runners(s, (*home, *forced))
    record_entry(s, "FC")
    what = moves_sentence(moved_runners(before, s.bases), runs, (out[0].name, out[1]) if out else None)
    emit_play(s, "fielders-choice", runs, what=f"; {what}" if what else "", outs=s.outs, ending="FC")


def play_unforced_runner(s: State) -> Step[None]:
    """Play a try of the runner on second for third, with a throw at him or at the batter (CL-271 to CL-275). A runner
    on third goes home in any case (CL-394, AM-65).
    """
    third = s.bases[2]
    tried: BasesTried = ()
    if is_allowed(s, "extra-base"):
        tried = yield from ask_tries(s, "ground", legal_tries(place_runner(s.bases, None, 3), (3,)), ground_ball_throw)
    if not tried:
        put_out_at_first(s, *bases_without_runner_from_third(s, third))
        return
    (name,) = runner_names(s, tried)
    target = yield from ask_throw_target(s, tried, ground_ball_throw, "throw-or-batter", "take-batter")
    out = bool(target) and (yield from make_throw(s, ground_ball_throw(name, 3)))
    bases, home = bases_without_runner_from_third(s, third)
    runner = bases[1]
    if runner is None or runner.name != name or is_held(s, name):
        play_fielders_choice(s, bases, home, None)  # A card has moved or held him.
    elif out:
        put_out(s, name)
        play_fielders_choice(s, place_runner(bases, None, 2), home, (runner, 3))
    elif target:
        play_fielders_choice(s, advance_if_open(bases, 2), home, None)
    else:
        put_out_at_first(s, advance_if_open(bases, 2), home)


def bases_without_runner_from_third(
    s: State, runner: BaseRunner | None, sent: bool = False
) -> tuple[Bases[BaseRunner], tuple[BaseRunner, ...]]:
    """Return the bases without the `runner` from third, and that runner. He is left there if a card has moved him, has
    made the third out, or holds him although he was `sent`.
    """
    third = s.bases[2]
    gone = third is None or runner is None or third.name != runner.name
    if third is None or gone or s.outs >= 3 or (sent and is_held(s, third.name)):
        return s.bases, ()
    return place_runner(s.bases, None, 3), (third,)


def advance_if_open(bases: Bases[BaseRunner], base: int) -> Bases[BaseRunner]:
    """Advance the runner on `base`, 1 or 2, if the next base is free, since a card may have filled it (CL-261)."""
    return bases if bases[base] else place_runner(place_runner(bases, None, base), bases[base - 1], base + 1)


def ground_ball_throw(name: str, base: int) -> ThrowOrCheck:
    """Return the throw at an unforced runner (CL-273)."""
    return ThrowOrCheck("ground", "infield", name, base)


def ask_double_play(s: State) -> Step[bool]:
    """Return True if the defense tries the double play, with a runner on first (CL-292, CL-299, AM-57, AM-61)."""
    if s.at.infield_in or not is_allowed(s, "double-play"):
        return False
    if s.house["dpAuto"] == "true":
        return True
    options, first = ("double-play", "one-out"), s.bases[0]
    runner = {"runner": first.name if first else "nobody"}
    return (yield from ask_side(s, s.defense, "double-play", options, None, lambda s: runner)) == "double-play"


def double_play(s: State, first: BaseRunner) -> Step[None]:
    """Put out the runner from first and throw at the batter (CL-293 to CL-298, AM-55, AM-56)."""
    put_out(s, first.name)
    s.bases = place_runner(s.bases, None, 1)
    out = yield from make_throw(
        s, ThrowOrCheck("double-play", "infield", s.batter_card.name, 1, bonus=BATTER_TO_FIRST_BONUS)
    )
    bases, home = advance_runners(s.bases, 1)
    if not out or s.outs >= 3:
        play_fielders_choice(s, bases, home if s.outs < 3 else (), (first, 2))
        return
    put_out(s, s.batter_card.name)
    s.update_at_bat(tags=s.at.tags | {"double-play"})
    before, runs = s.bases, list[str]()
    if s.outs < 3 or s.house["gbThirdOutScores"] == "true":
        s.bases = bases
        runs = score_runners(s, home, rbi=False)
    record_entry(s, "GDP")
    ending = moves_ending(runs, moved_runners(before, s.bases))
    emit_play(s, "double-play", runs, False, runner=first.name, home=ending, outs=s.outs, ending="GDP")


def may_bring_infield_in(s: State) -> bool:
    """True if the defense may play the infield in, with a runner on third and fewer than two outs (CL-335, AM-74)."""
    if s.basic or s.at.infield_in or not is_allowed(s, "infield-in"):
        return False
    return s.bases[2] is not None and s.outs < 2


def bring_infield_in(s: State) -> None:
    """Play the infield in for this at-bat and announce it (CL-335)."""
    s.update_at_bat(infield_in=True)
    forget_early_passes(s, s.offense)
    s.emit("infield-in", seat=s.defense, team=s.team_name(s.defense))


def result_with_infield_in(s: State, read: str) -> str:
    """Return the result on the chart. With the infield in, a batter's ground ball is a single (CL-343, CL-344). This is
    not a change of the result, and it ignores later changes by cards (AM-77).
    """
    return "1B" if s.at.infield_in and s.at.chart == "batter" and read == "GB" else read


def play_with_infield_in(s: State) -> Step[None]:
    """Play a ground ball with a runner on third and the infield in (CL-336 to CL-342)."""
    first, second, third = s.bases
    if first and second and third:
        put_out(s, third.name)
        play_fielders_choice(s, (None, first, second), (), (third, HOME_BASE))
        return
    tried: BasesTried = ()
    if is_allowed(s, "extra-base"):
        tried = yield from ask_tries(s, "send-home", send_home_tries(s), lambda name, base: throw_home(s, name))
    if HOME_BASE not in tried:
        # The runner on first advances, and the one on second must stay (CL-340, CL-341).
        put_out_at_first(s, advance_if_open(s.bases, 1), ())
        return
    yield from play_at_home(s, follows=3 in tried)


def send_home_tries(s: State) -> tuple[BasesTried, ...]:
    """List the tries that send the runner on third. By a house rule the runner on second may follow (AM-76)."""
    among = (3, HOME_BASE) if s.house["infieldInR2MayFollow"] == "true" else (HOME_BASE,)
    return legal_tries(s.bases, among)


def throw_home(s: State, name: str) -> ThrowOrCheck:
    """Return the throw at the runner sent home (CL-338, AM-63)."""
    return ThrowOrCheck("infield-in", "infield", name, HOME_BASE, bonus=int(s.house["infieldInHomeBonus"]))


def play_at_home(s: State, follows: bool) -> Step[None]:
    """Play on the runner sent from third (CL-338, CL-339, CL-345, CL-398, AM-75). The defense throws and gives the
    batter first, or lets the run score. A runner on first is forced.
    """
    third = s.bases[2]
    safe = s.house["infieldInConcede"] == "batterSafe"
    why, spare = ("throw-at", "no-throw") if safe else ("throw-or-batter", "take-batter")
    target = yield from ask_throw_target(s, (HOME_BASE,), lambda name, base: throw_home(s, name), why, spare)
    out = bool(target) and (yield from make_throw(s, throw_home(s, runner_names(s, (HOME_BASE,))[0])))
    bases, home = bases_without_runner_from_third(s, third, sent=True)
    if follows:
        bases = advance_if_open(bases, 2)
    if out:
        put_out(s, home[0].name)
        play_fielders_choice(s, bases, (), (home[0], HOME_BASE))
    elif target or safe:
        play_fielders_choice(s, bases, home, None)
    else:
        put_out_at_first(s, advance_if_open(bases, 1), home)
