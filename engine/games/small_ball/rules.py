"""Small Ball, in the order of its rulebook. The numbers are the ledger's (rules.md lists them all)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from engine.asks import Ask, Play, choose, roll
from engine.clock import Outcome
from engine.diamond import EMPTY, HOME, advance, force, hit, place, runners
from engine.games.small_ball.cards import PinchHitter, Team
from engine.games.small_ball.state import State
from engine.seats import SEATS, Seat, put

T = TypeVar("T")
Step = Generator[Ask, object, None]

PINCH = ("pinch-1", "pinch-2")
LEVEL = {"1B": 1, "2B": 2, "3B": 3, "HR": HOME}
"""The base a hit takes the batter to."""


def next_play(s: State) -> Callable[[State], Play]:
    """The play that comes next."""
    if s.sides is None:
        return set_up
    if s.reactivating:
        return reactivate
    return turn


# Setting up ------------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """The managers agree who is away; a coin flip is a die, odd for red (A17)."""
    away = s.house["awayTeam"]
    if away == "ask":
        red, blue = s.teams["red"].name, s.teams["blue"].name
        away = yield from choose("away", "away-team", ("red", "blue", "coin-flip"), red=red, blue=blue)
        if away == "coin-flip":
            face = yield from roll("away", "coin-flip", red=red, blue=blue)
            s.dice = (face,)
            away = "red" if face % 2 else "blue"
    s.sides = ("red", "blue") if away == "red" else ("blue", "red")
    s.tell("play-ball", away=s.teams[s.sides[0]].name, home=s.teams[s.sides[1]].name)
    begin_half(s)


def begin_half(s: State) -> None:
    """Clear the diamond and call the next side to bat; its order goes on where it stopped (SB-028)."""
    s.outs, s.bases, s.scored, s.retired, s.batted, s.stolen = 0, EMPTY, (), (), 0, False
    s.tell("half-inning", seat=s.seat, inning=s.clock.inning, half=s.clock.half, team=s.team.name)


# A turn: what a manager may do between two rolls ------------------------------------------------------------------


def turn(s: State) -> Play:
    """One decision and the die that belongs to it. Declared first, thrown after (SB-055, SB-069, SB-076, SB-087)."""
    decision = yield from ask_for(s, "decision", decisions(s))
    match decision:
        case "bank":
            yield from bank(s)
        case "steal-second" | "steal-third" | "double-steal":
            yield from steal(s, decision)
        case _:
            yield from bat(s, decision)


def decisions(s: State) -> tuple[str, ...]:
    """What the manager at bat may declare now. The ninth at-bat ends the half, so there is always a batter."""
    offered = ["bat"]
    if hit_and_run_fits(s):
        offered.append("hit-and-run")
    if sacrifice_fits(s):
        offered.append("sacrifice")
    offered += steals(s)
    if s.house["pinchTiming"] == "beforeRoll":
        offered += [PINCH[i] for i, _ in s.bench()]
    if bank_fits(s):
        offered.append("bank")
    return tuple(offered)


def ask_for(s: State, why: str, options: tuple[str, ...], **facts: str) -> Generator[Ask, str, str]:
    """Ask the manager at bat."""
    facts |= labels(s.team)
    return (yield from choose(s.seat, why, options, batter=s.batter.name, outs=s.outs, stake=len(s.scored), **facts))


def labels(team: Team) -> dict[str, str]:
    """What the choices of the team's pinch hitters are called."""
    return {f"pinch_{i}": f"{card.name}, {card.kind}" for i, card in enumerate(team.pinch, 1)}


# Batting ---------------------------------------------------------------------------------------------------------


def bat(s: State, decision: str) -> Step:
    """One at-bat: what was declared, the die, the result, and who is up next."""
    called: list[PinchHitter] = []
    while decision in PINCH:
        called.append(call_up(s, PINCH.index(decision)))
        decision = yield from swing(s, called)
    batter, hit_and_run = s.batter, decision == "hit-and-run"
    if hit_and_run:
        s.tell("hit-and-run", seat=s.seat, batter=batter.name)
    if decision == "sacrifice":
        yield from sacrifice(s, called)
    else:
        face: int = yield from roll(s.seat, "at-bat", batter=batter.name)
        s.dice = (face,)
        printed = batter.results[face - 1]
        if s.house["pinchTiming"] == "afterRoll":
            called += yield from second_thoughts(s, printed)
        resolve(s, printed, called, hit_and_run)
    s.batted += 1
    s.stolen = False
    s.due = put(s.due, s.seat, batter.number % 9 + 1)
    end_of_play(s)


def resolve(s: State, printed: str, called: list[PinchHitter], hit_and_run: bool) -> None:
    """Read the card, then what was declared (A10: the pinch hitter speaks of the printed result)."""
    if hit_and_run and s.house["pinchOrder"] == "playFirst":
        result = pinch_turns(hit_and_run_turns(printed), called)
    else:
        result = pinch_turns(printed, called)
        result = hit_and_run_turns(result) if hit_and_run else result
    match result:
        case "1B" | "2B" | "3B" | "HR":
            base_hit(s, LEVEL[result], extra=int(hit_and_run or on_contact(s)))
        case "BB":
            walk(s)
        case "SO":
            strike_out(s)
        case "FO":
            fly_out(s)
        case "GO":
            ground_out(s)
        case "line-double-play" | "strike-double-play":
            doubled_up(s, result)


def base_hit(s: State, base: int, extra: int) -> None:
    """The batter takes his base and every runner as many, or `extra` more (SB-014, SB-015, SB-047, SB-077)."""
    batter = s.due[s.side]
    s.bases, home = hit(s.bases, batter, base, extra)
    s.tell(("single", "double", "triple", "home-run")[base - 1], seat=s.seat, batter=s.name(batter), hit=True)
    score(s, home, s.name(batter))


def walk(s: State) -> None:
    """Runners move only where forced (SB-016)."""
    batter = s.due[s.side]
    s.bases, home = force(s.bases, batter)
    s.tell("walk", seat=s.seat, batter=s.name(batter), turn="walk")
    score(s, home, s.name(batter))


def strike_out(s: State) -> None:
    """The batter is out, runners hold (SB-018)."""
    s.tell("strikeout", seat=s.seat, batter=s.batter.name, turn="strikeout")
    retire(s, s.batter.number)


def fly_out(s: State) -> None:
    """The batter is out, and only a runner on third comes in (SB-019, SB-020)."""
    first, second, third = s.bases
    home = (third,) if third and s.outs < 2 else ()
    s.tell("fly-out", seat=s.seat, batter=s.batter.name, turn="sacrifice" if home else "out")
    retire(s, s.batter.number)
    if home:
        s.bases = (first, second, None)
        score(s, home, s.batter.name)


def ground_out(s: State) -> None:
    """The batter is out, and so is a runner on first; the others advance (SB-021 to SB-023)."""
    first = s.bases[0]
    if first:
        s.tell("ground-double-play", seat=s.seat, batter=s.batter.name, runner=s.name(first), turn="out")
        s.bases = place(s.bases, None, 1)
        retire(s, s.batter.number, first)
    else:
        s.tell("ground-out", seat=s.seat, batter=s.batter.name, turn="out")
        retire(s, s.batter.number)
    if s.outs < 3:
        s.bases, home = advance(s.bases, 1)
        score(s, home, "" if first else s.batter.name)


def retire(s: State, *numbers: int) -> None:
    """To the OUTS side; a double play never counts past three (SB-025, SB-026)."""
    s.retired += numbers
    s.outs = min(3, s.outs + len(numbers))


# The twist, and scoring ------------------------------------------------------------------------------------------


def score(s: State, home: tuple[int, ...], by: str = "") -> None:
    """To the RUNS side, where they count only once banked (SB-031, SB-038). As in any box score a double play and a
    steal drive nobody in."""
    if home:
        s.scored += home
        names = [s.name(number) for number in home]
        s.tell("comes-home", seat=s.seat, runners=names, by=by, stake=len(s.scored))


def bank_fits(s: State) -> bool:
    """Between at-bats, at any run count (SB-036, SB-115)."""
    if s.house["bankWithZero"] == "refuse" and not s.scored:
        return False
    return s.house["bankTiming"] == "betweenRolls" or (s.batted > 0 and not s.stolen)


def bank(s: State) -> Step:
    """Stop, and the runs count (SB-031, SB-039). With none to bank the manager is asked again (A1)."""
    if not s.scored:
        sure = yield from ask_for(s, "bank-nothing", ("bat-on", "bank"))
        if sure == "bat-on":
            return
    end_half(s, "bank")


def end_of_play(s: State) -> None:
    """Three outs bust before all else (A3, SB-043); nine batters used up bank by themselves (SB-041)."""
    if s.outs == 3:
        end_half(s, "bust")
    elif s.batted == 9:
        end_half(s, "batted-around")


def end_half(s: State, how: str) -> None:
    """Count or lose the runs of this half, and turn the clock (SB-009, SB-031, SB-032)."""
    runs = 0 if how == "bust" else len(s.scored)
    s.tell(how, seat=s.seat, team=s.team.name, runs=runs, lost=len(s.scored) - runs, scored=runs)
    s.score = put(s.score, s.seat, s.score[s.side] + runs)
    if s.clock.decided(*s.score, skip_bottom=s.house["skipBottomWhenAhead"] == "true"):
        finish(s)
        return
    s.clock = s.clock.next()
    if may_reactivate(s):
        s.reactivating = tuple(seat for seat, used in zip(SEATS, s.used, strict=True) if used)
    begin_half(s)


# Running on contact ----------------------------------------------------------------------------------------------


def on_contact(s: State) -> bool:
    """Two outs and runs at stake: runners go on contact (SB-046, SB-107)."""
    return s.outs == 2 and len(s.scored) > 0


# Stealing --------------------------------------------------------------------------------------------------------


def steals(s: State) -> list[str]:
    """The steals that may be tried: one between at-bats, into an open base, never home (SB-053, SB-066, SB-067)."""
    if s.stolen:
        return []
    first, second, third = s.bases
    offered = []
    if first and not second:
        offered.append("steal-second")
    if second and not third:
        offered.append("steal-third")
    if first and second and (not third or s.house["doubleStealLoaded"] == "allow"):
        offered.append("double-steal")
    return offered


def steal(s: State, what: str) -> Step:
    """1 to 4 is safe, 5 and 6 is out; of two runners the lead runner is out (SB-056, SB-057, SB-062)."""
    first, second, third = s.bases
    double = what == "double-steal"
    lead = second if what != "steal-second" else first
    assert lead is not None
    face: int = yield from roll(s.seat, what, runner=s.name(lead))
    s.dice = (face,)
    s.stolen = True
    safe = face <= 4
    s.tell(what if safe else f"caught-{what}", seat=s.seat, runner=s.name(lead))
    if double:
        s.bases = (None, first, second if safe else third)
    elif what == "steal-second":
        s.bases = (None, first if safe else None, third)
    else:
        s.bases = (first, None, second if safe else third)
    if not safe:
        retire(s, lead)
    if double and safe and third:
        score(s, (third,))
    end_of_play(s)


# Laying down a sacrifice -----------------------------------------------------------------------------------------


def sacrifice_fits(s: State) -> bool:
    """It is given for runners to advance, so there must be one (SB-114, A7)."""
    if not runners(s.bases) and s.house["sacrificeEmpty"] == "refuse":
        return False
    return s.outs < 2 or s.house["sacrificeTwoOuts"] == "allow"


def sacrifice(s: State, called: list[PinchHitter]) -> Step:
    """1 to 4 moves every runner up, 5 and 6 is a strikeout; the batter is out either way (SB-070, SB-071)."""
    batter = s.batter
    face: int = yield from roll(s.seat, "sacrifice", batter=batter.name)
    s.dice = (face,)
    if face <= 4:
        s.tell("sacrifice", seat=s.seat, batter=batter.name, turn="sacrifice")
        retire(s, batter.number)
        if s.outs < 3:
            s.bases, home = advance(s.bases, 1)
            score(s, home, batter.name)
    else:
        resolve(s, "SO", called, hit_and_run=False)


# Executing a hit-and-run -----------------------------------------------------------------------------------------


def hit_and_run_fits(s: State) -> bool:
    """Fewer than two outs and a runner on first alone (SB-074, SB-075)."""
    first, second, third = s.bases
    return s.outs < 2 and first is not None and second is None and third is None


def hit_and_run_turns(result: str) -> str:
    """What a result becomes while the runner goes: a ground-out is a single, the other outs are double plays
    (SB-080 to SB-083). The runner's extra base on a hit is told by `resolve`."""
    return {"GO": "1B", "FO": "line-double-play", "SO": "strike-double-play"}.get(result, result)


def doubled_up(s: State, how: str) -> None:
    """Batter and runner are both out (SB-081, SB-082)."""
    runner = s.bases[0]
    assert runner is not None
    turn = "strikeout" if how == "strike-double-play" else "out"
    s.tell(how, seat=s.seat, batter=s.batter.name, runner=s.name(runner), turn=turn)
    s.bases = place(s.bases, None, 1)
    retire(s, s.batter.number, runner)


# Pinch hitting ---------------------------------------------------------------------------------------------------


def call_up(s: State, which: int) -> PinchHitter:
    """Turn a pinch hitter to the X side: used, whatever comes of it (SB-088, SB-090)."""
    card = s.team.pinch[which]
    s.used = put(s.used, s.seat, s.used[s.side] | {which})
    s.tell("pinch-hitter", seat=s.seat, pinch=card.name, kind=card.kind, batter=s.batter.name)
    return card


def swing(s: State, called: list[PinchHitter]) -> Generator[Ask, str, str]:
    """With a pinch hitter called, what the at-bat is to be; one at an at-bat, none to sacrifice (SB-112, SB-113)."""
    options = ["bat"]
    if hit_and_run_fits(s):
        options.append("hit-and-run")
    if s.house["pinchWithSacrifice"] == "allow" and sacrifice_fits(s):
        options.append("sacrifice")
    if s.house["pinchStack"] == "allow":
        options += [PINCH[i] for i, _ in s.bench()]
    if len(options) == 1:
        return "bat"
    return (yield from ask_for(s, "swing", tuple(options)))


def second_thoughts(s: State, printed: str) -> Generator[Ask, str, list[PinchHitter]]:
    """Where the house lets a pinch hitter be called after the die (A11)."""
    called: list[PinchHitter] = []
    while s.bench() and (not called or s.house["pinchStack"] == "allow"):
        decision = yield from ask_for(s, "pinch-after", ("no", *(PINCH[i] for i, _ in s.bench())), result=printed)
        if decision == "no":
            break
        called.append(call_up(s, PINCH.index(decision)))
    return called


def pinch_turns(result: str, called: list[PinchHitter]) -> str:
    """Each power once, in whatever order they bite (SB-091 to SB-095, A21)."""
    waiting = list(called)
    while biting := next((card for card in waiting if result in card.turns), None):
        waiting.remove(biting)
        result = biting.turns[result]
    return result


def may_reactivate(s: State) -> bool:
    """At the start of extra innings, once (SB-098, A14)."""
    inning, top = s.clock.inning, s.clock.half == "top"
    return top and (inning == 10 or (inning > 10 and s.house["reactivation"] == "everyExtraInning"))


def reactivate(s: State) -> Play:
    """One manager takes back one used pinch hitter, or none (SB-098, SB-099)."""
    seat: Seat = s.reactivating[0]
    side = SEATS.index(seat)
    assert s.sides is not None
    team = s.teams[s.sides[side]]
    used = tuple(PINCH[i] for i in sorted(s.used[side]))
    choice = yield from choose(seat, "reactivate", (*used, "none"), team=team.name, **labels(team))
    if choice in PINCH:
        back = s.used[side] - {PINCH.index(choice)}
        s.used = (back, s.used[1]) if side == 0 else (s.used[0], back)
        s.tell("reactivated", seat=seat, team=team.name, pinch=team.pinch[PINCH.index(choice)].name)
    s.reactivating = s.reactivating[1:]


# Extra innings ---------------------------------------------------------------------------------------------------


def finish(s: State) -> None:
    """Somebody leads, and no half can change it (SB-100, SB-103, SB-116)."""
    away, home = s.score
    seat: Seat = "away" if away > home else "home"
    assert s.sides is not None
    team = s.teams[s.sides[SEATS.index(seat)]].name
    reason = "extra-innings" if s.clock.inning > 9 else "bottom-skipped" if s.clock.half == "top" else "regulation"
    sentence = f"{team} win {max(away, home)} to {min(away, home)}."
    s.outcome = Outcome(seat, reason, sentence)
    s.bases = EMPTY
    s.tell("game-over", seat=seat, team=team, winner=max(away, home), loser=min(away, home))
