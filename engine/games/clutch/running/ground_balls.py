"""Ground balls: outs, forced and unforced runners, double plays, and the infield in (3.12.C, 3.13, 4.3).

With two outs before it, the batter is the third out and nobody has a choice (CL-396).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.diamond import HOME, Bases, advance, force, place
from engine.games.clutch.numbers.modifiers import allowed, held
from engine.games.clutch.records.score_book import credit, put_out, tell
from engine.games.clutch.records.sentences import moves_ending, moves_sentence
from engine.games.clutch.running.advancing import Tries, ask, batter, come_home, legal, names, shifted, whom, wins
from engine.games.clutch.running.throws import throw
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import State, Step, Throw
from engine.games.clutch.strategy_cards.muting import pick, stir

TO_FIRST = 3  # Bonus of the batter when he runs out a double play (CL-294, AM-55).


def ground(s: State) -> Step[None]:
    """Play a ground ball (CL-264 to CL-277)."""
    first, second, third = s.bases
    if s.outs == 2:
        at_first(s, s.bases, scoring(s))
    elif s.at.infield_in and third:
        yield from drawn_in(s)
    elif first:
        if (yield from turn_two(s)):
            yield from double_play(s, first)
        else:
            at_first(s, *advance(s.bases, 1))
    elif second and not wins(s, len(scoring(s))):
        yield from unforced(s)
    else:
        at_first(s, (None, second, None), scoring(s))


def scoring(s: State) -> tuple[Runner, ...]:
    """Return the runner on third, who comes home by himself while the infield is back (CL-269)."""
    third = s.bases[2]
    return (third,) if third else ()


def at_first(s: State, bases: Bases[Runner], home: Iterable[Runner]) -> None:
    """Put the batter out at first; runners go to `bases` and `home`, but not on the third out (AM-60)."""
    put_out(s, s.batter.name)
    before, runs = s.bases, list[str]()
    if s.outs < 3 or s.house["gbThirdOutScores"] == "true":
        s.bases = bases
        runs = come_home(s, home)
    credit(s, "out")
    tell(s, "ground-out", runs, home=moves_ending(runs, shifted(before, s.bases)), outs=s.outs, ending="out")


def on_first(s: State, bases: Bases[Runner], home: Iterable[Runner], out: tuple[Runner, int] | None) -> None:
    """Put the batter on first by a fielder's choice; `out` is the runner who was put out, if any (CL-291). A runner on
    first is forced along.
    """
    before = s.bases
    s.bases, forced = force(bases, batter(s, out[0] if out else None))
    s.now(tags=s.at.tags | {"fielders-choice"})
    runs = come_home(s, (*home, *forced))
    credit(s, "FC")
    what = moves_sentence(shifted(before, s.bases), runs, (out[0].name, out[1]) if out else None)
    tell(s, "fielders-choice", runs, what=f"; {what}" if what else "", outs=s.outs, ending="FC")


def unforced(s: State) -> Step[None]:
    """Let the runner on second try for third; the defense plays on him or on the batter (CL-271 to CL-275). A runner on
    third goes home in any case (CL-394, AM-65).
    """
    third = s.bases[2]
    tried: Tries = ()
    if allowed(s, "extra-base"):
        tried = yield from ask(s, "ground", legal(place(s.bases, None, 3), (3,)), fielded)
    if not tried:
        at_first(s, *homeward(s, third))
        return
    (name,) = names(s, tried)
    target = yield from whom(s, tried, fielded, "throw-or-batter", "take-batter")
    out = bool(target) and (yield from throw(s, fielded(name, 3)))
    bases, home = homeward(s, third)
    runner = bases[1]
    if runner is None or runner.name != name or held(s, name):
        on_first(s, bases, home, None)  # A card has moved or held him in the meantime.
    elif out:
        put_out(s, name)
        on_first(s, place(bases, None, 2), home, (runner, 3))
    elif target:
        on_first(s, up(bases, 2), home, None)
    else:
        at_first(s, up(bases, 2), home)


def homeward(s: State, runner: Runner | None, sent: bool = False) -> tuple[Bases[Runner], tuple[Runner, ...]]:
    """Return the bases without the `runner` from third, and that runner; not if a card has moved him, holds him
    although he was `sent`, or has made the third out.
    """
    third = s.bases[2]
    gone = third is None or runner is None or third.name != runner.name
    if third is None or gone or s.outs >= 3 or (sent and held(s, third.name)):
        return s.bases, ()
    return place(s.bases, None, 3), (third,)


def up(bases: Bases[Runner], base: int) -> Bases[Runner]:
    """Move the runner on a base, 1 or 2, to the next one if it is free: a card may have filled it (CL-261)."""
    return bases if bases[base] else place(place(bases, None, base), bases[base - 1], base + 1)


def fielded(name: str, base: int) -> Throw:
    """Return the throw at an unforced runner (CL-273)."""
    return Throw("ground", "infield", name, base)


def turn_two(s: State) -> Step[bool]:
    """Return True if the defense tries the double play, with a runner on first (CL-292, CL-299, AM-57, AM-61)."""
    if s.at.infield_in or not allowed(s, "double-play"):
        return False
    if s.house["dpAuto"] == "true":
        return True
    options, first = ("double-play", "one-out"), s.bases[0]
    runner = {"runner": first.name if first else "nobody"}
    return (yield from pick(s, s.defence, "double-play", options, None, lambda s: runner)) == "double-play"


def double_play(s: State, first: Runner) -> Step[None]:
    """Put out the runner from first; a throw decides about the batter (CL-293 to CL-298, AM-55, AM-56)."""
    put_out(s, first.name)
    s.bases = place(s.bases, None, 1)
    out = yield from throw(s, Throw("double-play", "infield", s.batter.name, 1, bonus=TO_FIRST))
    bases, home = advance(s.bases, 1)
    if not out or s.outs >= 3:
        on_first(s, bases, home if s.outs < 3 else (), (first, 2))
        return
    put_out(s, s.batter.name)
    s.now(tags=s.at.tags | {"double-play"})
    before, runs = s.bases, list[str]()
    if s.outs < 3 or s.house["gbThirdOutScores"] == "true":
        s.bases = bases
        runs = come_home(s, home, rbi=False)
    credit(s, "GDP")
    ending = moves_ending(runs, shifted(before, s.bases))
    tell(s, "double-play", runs, False, runner=first.name, home=ending, outs=s.outs, ending="GDP")


def may_play_in(s: State) -> bool:
    """True if the defense may play the infield in: a runner on third, fewer than two outs (CL-335, AM-74)."""
    if s.basic or s.at.infield_in or not allowed(s, "infield-in"):
        return False
    return s.bases[2] is not None and s.outs < 2


def play_in(s: State) -> None:
    """Play the infield in for this at-bat, and announce it (CL-335)."""
    s.now(infield_in=True)
    stir(s, s.offence)
    s.tell("infield-in", seat=s.defence, team=s.team(s.defence))


def through(s: State, read: str) -> str:
    """Return the result on the chart; with the infield in, a batter's ground ball is a single (CL-343, CL-344). This is
    not a change of the result, and it ignores what cards make of the result later (AM-77).
    """
    return "1B" if s.at.infield_in and s.at.chart == "batter" and read == "GB" else read


def drawn_in(s: State) -> Step[None]:
    """Play a ground ball with a runner on third and the infield in (CL-336 to CL-342)."""
    first, second, third = s.bases
    if first and second and third:
        put_out(s, third.name)
        on_first(s, (None, first, second), (), (third, HOME))
        return
    tried: Tries = ()
    if allowed(s, "extra-base"):
        tried = yield from ask(s, "send-home", sent(s), lambda name, base: at_home(s, name))
    if HOME not in tried:
        # The runner on first moves up, the one on second must stay (CL-340, CL-341).
        at_first(s, up(s.bases, 1), ())
        return
    yield from go_home(s, follows=3 in tried)


def sent(s: State) -> tuple[Tries, ...]:
    """Return the ways to send the runner on third; by a house rule the runner on second may follow (AM-76)."""
    among = (3, HOME) if s.house["infieldInR2MayFollow"] == "true" else (HOME,)
    return legal(s.bases, among)


def at_home(s: State, name: str) -> Throw:
    """Return the throw at the runner sent home (CL-338, AM-63)."""
    return Throw("infield-in", "infield", name, HOME, bonus=int(s.house["infieldInHomeBonus"]))


def go_home(s: State, follows: bool) -> Step[None]:
    """Play on the runner sent from third (CL-338, CL-339, CL-345, CL-398, AM-75). The defense throws and gives the
    batter first, or lets the run score. A runner on first is forced along.
    """
    third = s.bases[2]
    safe = s.house["infieldInConcede"] == "batterSafe"
    why, spare = ("throw-at", "no-throw") if safe else ("throw-or-batter", "take-batter")
    target = yield from whom(s, (HOME,), lambda name, base: at_home(s, name), why, spare)
    out = bool(target) and (yield from throw(s, at_home(s, names(s, (HOME,))[0])))
    bases, home = homeward(s, third, sent=True)
    if follows:
        bases = up(bases, 2)
    if out:
        put_out(s, home[0].name)
        on_first(s, bases, (), (home[0], HOME))
    elif target or safe:
        on_first(s, bases, home, None)
    else:
        at_first(s, up(bases, 1), home)
