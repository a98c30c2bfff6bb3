"""Rules of Small Ball, in the order of its rulebook. rules.md lists every rule ID."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Ask, Choose, MootOption, Play, choose, roll
from engine.diamond import EMPTY_BASES, HOME_BASE, advance_on_hit, advance_runners, force_runners, place_runner
from engine.events import chart_in_words
from engine.games.small_ball.cards import PinchHitter
from engine.games.small_ball.state import PINCH_OPTIONS, State
from engine.games.small_ball.words import RESULT_NAMES, describe_out, describe_result, describe_sacrifice
from engine.innings import Outcome
from engine.lazy import LazyFact
from engine.seats import SEATS, Seat, replace_for_seat
from engine.text.agreement import name_with_verb

T = TypeVar("T")
Step = Generator[Ask, object, None]

HIT_BASES = {"1B": 1, "2B": 2, "3B": 3, "HR": HOME_BASE}
"""The base that the batter reaches, by hit."""

GOOD_FACES = 4
"""A steal or a sacrifice succeeds on 1 to this number (SB-056, SB-070)."""

TRY_ODDS = {
    **dict.fromkeys(("steal-second", "steal-third", "double-steal"), f"safe {GOOD_FACES} in 6"),
    "sacrifice": f"works {GOOD_FACES} in 6",
}
"""The chance of each option that tries something, as its note."""

REGULATION_REASONS = {"9": "regulation", "6": "six-innings", "3": "three-innings"}
"""The reason of an outcome after the last inning, by the house rule `innings`."""


def next_play(s: State) -> Callable[[State], Play]:
    if s.sides is None:
        return set_up
    if s.reactivating:
        return reactivate
    return play_turn


# Setup -----------------------------------------------------------------------------------------------------------


def set_up(s: State) -> Play:
    """Have the managers agree on the away team. A coin flip is a die roll, odd for red (A17)."""
    away = s.house["awayTeam"]
    if away == "ask":
        red, blue = s.teams["red"].name, s.teams["blue"].name
        away = yield from choose("away", "away-team", ("red", "blue", "coin-flip"), red=red, blue=blue)
        if away == "coin-flip":
            face = yield from roll("away", "coin-flip", red=red, blue=blue)
            s.dice = (face,)
            away = "red" if face % 2 else "blue"
    s.sides = ("red", "blue") if away == "red" else ("blue", "red")
    for seat, colour in zip(SEATS, s.sides, strict=True):
        s.teams = {**s.teams, colour: replace(s.teams[colour], name=s.seat_name(seat, s.teams[colour].name))}
    s.emit("play-ball", away=s.teams[s.sides[0]].name, home=s.teams[s.sides[1]].name)
    begin_half(s)


def begin_half(s: State) -> None:
    """Clear the bases and bring the next side to bat. Its batting order continues where it stopped (SB-028)."""
    s.outs, s.bases, s.scored, s.retired, s.batted, s.stolen = 0, EMPTY_BASES, (), (), 0, False
    s.emit("half-inning", seat=s.batting_seat, inning=s.clock.inning, half=s.clock.half, team=s.batting_team.name)


# Decisions between rolls -----------------------------------------------------------------------------------------


def play_turn(s: State) -> Play:
    """Ask for one decision, then roll for it. Plays are declared before the roll (SB-055, SB-069, SB-076, SB-087)."""
    match (yield from ask_decision(s)):
        case "bank":
            end_half(s, "bank")
        case "steal-second" | "steal-third" | "double-steal" as what:
            yield from steal(s, what)
        case decision:
            yield from bat(s, decision)


def ask_decision(s: State) -> Generator[Ask, str, str]:
    """Return the decision of the manager at bat. A bank without runs is asked twice (A1)."""
    options = legal_decisions(s)
    moot: MootOption = LazyFact(moot_decision, s, options)
    while (decision := (yield decision_ask(s, "decision", options, moot))) == "bank" and not s.scored:
        wins = LazyFact(lambda s: "bank" if would_bank_win(s) else None, s)
        if (yield decision_ask(s, "bank-nothing", ("bat-on", "bank"), wins, team=s.batting_team.name)) == "bank":
            break
        moot = None  # A manager who takes a bank back is asked, even if it would win.
    return decision


def legal_decisions(s: State) -> tuple[str, ...]:
    """Return the decisions open to the manager at bat. The ninth at-bat ends the half, so there is always a batter."""
    offered = ["bat"]
    if can_hit_and_run(s):
        offered.append("hit-and-run")
    if can_sacrifice(s):
        offered.append("sacrifice")
    offered += possible_steals(s)
    if s.house["pinchTiming"] == "beforeRoll":
        offered += [PINCH_OPTIONS[i] for i, _ in s.available_pinch_hitters()]
    if can_bank(s):
        offered.append("bank")
    return tuple(offered)


def moot_decision(s: State, options: tuple[str, ...]) -> str | None:
    """Return a bank that wins the game, or "bat" if no other option can ever be better. None means a real choice."""
    if "bank" in options and would_bank_win(s):
        return "bank"
    return "bat" if all(option == "bat" or is_pointless(s, option) for option in options) else None


def outcome_after_bank(s: State) -> Outcome | None:
    """Return the game's outcome if the manager banks now, or None if the game continues."""
    twin = s.copy()
    end_half(twin, "bank")
    return twin.outcome


def would_bank_win(s: State) -> bool:
    """True if the game ends with a win if the manager banks now."""
    end = outcome_after_bank(s)
    return end is not None and end.winner == s.batting_seat


def is_pointless(s: State, option: str) -> bool:
    """True if a decision can never be better than to bat, such as a pinch hitter who changes no result.

    To bank nothing has a point: another batter leads off the next half than after one more at-bat (SB-028).
    """
    match option:
        case "bank":
            return outcome_after_bank(s) is not None  # It loses, since `moot_decision` takes one that wins.
        case "sacrifice":
            # It ends the half after this batter. So can a bank after he bats, if one is allowed then.
            return s.outs == 2 and (len(s.scored) > 0 or s.house["bankWithZero"] == "allow")
        case "pinch-1" | "pinch-2":
            return not any(can_change_result(s, PINCH_OPTIONS.index(option), printed) for printed in s.batter.results)
    return False


def can_change_result(s: State, which: int, printed: str, called: Sequence[PinchHitter] = ()) -> bool:
    """True if a pinch hitter, called after those in `called`, can change this result under some legal play.

    A hitter who could only change another hitter's result is ignored, because that other one counts.
    """
    before, card = [*called], s.batting_team.pinch[which]
    bunts = s.house["pinchWithSacrifice"] == "allow" and can_sacrifice(s)
    return any(
        final_result(s, result, [*before, card], play) != final_result(s, result, before, play)
        for result in ((printed, "SO") if bunts else (printed,))
        for play in ((False, True) if can_hit_and_run(s) else (False,))
    )


def decision_ask(s: State, why: str, options: tuple[str, ...], moot: MootOption = None, **facts: str) -> Choose:
    team = s.batting_team
    situation = {"batter": s.batter.name, "outs": s.outs, "stake": len(s.scored), "notes": TRY_ODDS}
    about = {**facts, **team.labels, **situation}
    return Choose(s.batting_seat, why, options, about, moot)


# Batting ---------------------------------------------------------------------------------------------------------


def bat(s: State, decision: str) -> Step:
    """Play one at-bat from the declared play to the next batter."""
    called: list[PinchHitter] = []
    while decision in PINCH_OPTIONS:
        called.append(call_pinch_hitter(s, PINCH_OPTIONS.index(decision)))
        decision = yield from ask_how_to_bat(s, called)
    batter, hit_and_run = s.batter, decision == "hit-and-run"
    s.hit_and_run = hit_and_run
    if hit_and_run:
        s.emit("hit-and-run", seat=s.batting_seat, batter=batter.name)
    if decision == "sacrifice":
        yield from sacrifice(s, called)
    else:
        changed = called or hit_and_run
        s.faces = (
            tuple(final_result(s, one, called, hit_and_run) for one in batter.results) if changed else batter.results
        )
        said, extra = LazyFact(face_chart, s), LazyFact(extra_base_sentence, s, hit_and_run)
        face: int = yield from roll(s.batting_seat, "at-bat", batter=batter.name, chart=said, extra=extra)
        s.dice, s.faces = (face,), ()
        printed = batter.results[face - 1]
        if s.house["pinchTiming"] == "afterRoll":
            called += yield from pinch_hit_after_roll(s, printed)
        resolve_result(s, printed, called, hit_and_run)
    s.batted += 1
    s.stolen, s.pinching, s.hit_and_run = False, (), False
    s.due = replace_for_seat(s.due, s.batting_seat, batter.number % 9 + 1)
    end_half_if_due(s)


def face_chart(s: State) -> str:
    return chart_in_words({face: describe_result(s, result) for face, result in enumerate(s.faces, 1)})


def extra_base_sentence(s: State, hit_and_run: bool) -> str:
    """Return the sentence about runners who take an extra base on a hit, or ""."""
    runs = runners_take_extra_base(s, hit_and_run) and any(s.bases) and not HIT_BASES.keys().isdisjoint(s.faces)
    return " On a hit every runner takes one more base." if runs else ""


def final_result(s: State, printed: str, called: list[PinchHitter], hit_and_run: bool) -> str:
    """Return the result after pinch hitters and the declared play, in the order that `pinchOrder` sets (A10)."""
    if hit_and_run and s.house["pinchOrder"] == "playFirst":
        return pinch_hit_result(hit_and_run_result(printed), called)
    result = pinch_hit_result(printed, called)
    return hit_and_run_result(result) if hit_and_run else result


def runners_take_extra_base(s: State, hit_and_run: bool) -> bool:
    """True if every runner takes one base more than the batter on a hit (SB-047, SB-077)."""
    return hit_and_run or runners_go_on_contact(s)


def resolve_result(s: State, printed: str, called: list[PinchHitter], hit_and_run: bool) -> None:
    result = final_result(s, printed, called, hit_and_run)
    match result:
        case "1B" | "2B" | "3B" | "HR":
            base_hit(s, HIT_BASES[result], extra=int(runners_take_extra_base(s, hit_and_run)))
        case "BB":
            walk(s)
        case "SO":
            strike_out(s)
        case "FO":
            fly_out(s)
        case "GO":
            ground_out(s)
        case "line-double-play" | "strike-double-play":
            double_off_runner(s, result)


def base_hit(s: State, base: int, extra: int) -> None:
    """Move the batter to `base`, and every runner up as many bases plus `extra` (SB-014, SB-015, SB-047, SB-077)."""
    batter = s.due[s.side_index]
    s.bases, home = advance_on_hit(s.bases, batter, base, extra)
    s.emit(
        ("single", "double", "triple", "home-run")[base - 1],
        seat=s.batting_seat,
        batter=s.player_name(batter),
        hit=True,
    )
    score_runs(s, home, s.player_name(batter))


def walk(s: State) -> None:
    """Put the batter on first. Only forced runners advance (SB-016)."""
    batter = s.due[s.side_index]
    s.bases, home = force_runners(s.bases, batter)
    s.emit("walk", seat=s.batting_seat, batter=s.player_name(batter), turn="walk")
    score_runs(s, home, s.player_name(batter))


def strike_out(s: State) -> None:
    """Retire the batter. Runners hold (SB-018)."""
    retired = retire(s, s.batter.number)
    s.emit("strikeout", seat=s.batting_seat, batter=s.batter.name, turn="strikeout", retired=retired)


def fly_out(s: State) -> None:
    """Retire the batter. Only a runner on third scores (SB-019, SB-020)."""
    first, second, third = s.bases
    home = (third,) if third and s.outs < 2 else ()
    turn, retired = "sacrifice" if home else "out", retire(s, s.batter.number)
    s.emit("fly-out", seat=s.batting_seat, batter=s.batter.name, turn=turn, retired=retired)
    if home:
        s.bases = (first, second, None)
        score_runs(s, home, s.batter.name)


def ground_out(s: State) -> None:
    """Retire the batter and a runner on first. The others advance (SB-021 to SB-023)."""
    first = s.bases[0]
    if first:
        facts = {"runner": s.player_name(first), "retired": retire(s, first, s.batter.number)}
        s.emit("ground-double-play", seat=s.batting_seat, batter=s.batter.name, turn="out", **facts)
        s.bases = place_runner(s.bases, None, 1)
    else:
        s.emit("ground-out", seat=s.batting_seat, batter=s.batter.name, turn="out", retired=retire(s, s.batter.number))
    if s.outs < 3:
        s.bases, home = advance_runners(s.bases, 1)
        score_runs(s, home, "" if first else s.batter.name)


def retire(s: State, *numbers: int) -> tuple[str, ...]:
    """Move cards to the OUTS side and return the names of those whose outs count.

    No play counts past three outs (SB-025, SB-026). Of two `numbers` the last is the batter's, whose out counts first.
    """
    counted = numbers[-(3 - s.outs) :]
    s.retired += numbers
    s.outs += len(counted)
    return tuple(s.player_name(number) for number in counted)


# The twist, and scoring ------------------------------------------------------------------------------------------


def score_runs(s: State, home: tuple[int, ...], by: str = "") -> None:
    """Move runners to the RUNS side until they are banked (SB-031, SB-038). `by` is the batter with the RBI, if any."""
    if home:
        s.scored += home
        names = [s.player_name(number) for number in home]
        s.emit("comes-home", seat=s.batting_seat, runners=names, by=by, stake=len(s.scored))


def can_bank(s: State) -> bool:
    """True if the manager may bank now under the house rules `bankTiming` and `bankWithZero` (SB-036, SB-115)."""
    if s.house["bankWithZero"] == "refuse" and not s.scored:
        return False
    return s.house["bankTiming"] == "betweenRolls" or (s.batted > 0 and not s.stolen)


def end_half_if_due(s: State) -> None:
    """End the half after three outs, which bust first (A3, SB-043), or nine batters, which bank (SB-041)."""
    if s.outs == 3:
        end_half(s, "bust")
    elif s.batted == 9:
        end_half(s, "batted-around")


def end_half(s: State, how: str) -> None:
    """Count or lose the runs of this half, and advance the clock (SB-009, SB-031, SB-032, SB-039)."""
    runs = 0 if how == "bust" else len(s.scored)
    s.emit(how, seat=s.batting_seat, team=s.batting_team.name, runs=runs, lost=len(s.scored) - runs, scored=runs)
    s.score = replace_for_seat(s.score, s.batting_seat, s.score[s.side_index] + runs)
    if s.clock.is_decided(*s.score, s.regulation, skip_bottom=s.house["skipBottomWhenAhead"] == "true"):
        end_game(s)
        return
    s.clock = s.clock.next_half()
    if may_reactivate(s):
        s.reactivating = tuple(seat for seat, used in zip(SEATS, s.used, strict=True) if used)
    begin_half(s)


# Running on contact ----------------------------------------------------------------------------------------------


def runners_go_on_contact(s: State) -> bool:
    """True with two outs and runs at stake (SB-046, SB-107)."""
    return s.outs == 2 and len(s.scored) > 0


# Stealing --------------------------------------------------------------------------------------------------------


def possible_steals(s: State) -> list[str]:
    """Return the legal steals. There is one between at-bats, to an open base, never home (SB-053, SB-066, SB-067)."""
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
    """Roll for a steal, safe on 1 to 4. On a double steal only the lead runner can be out (SB-056, SB-057, SB-062)."""
    first, second, third = s.bases
    double = what == "double-steal"
    lead = second if what != "steal-second" else first
    assert lead is not None
    facts: dict[str, Any] = {"behind": s.player_name(first)} if double and first else {}
    s.faces = ("safe",) * GOOD_FACES + ("out",) * 2
    face: int = yield from roll(s.batting_seat, what, runner=s.player_name(lead), out=describe_out(s), **facts)
    s.dice, s.faces = (face,), ()
    s.stolen = True
    safe = face <= GOOD_FACES
    more: dict[str, Any] = facts if safe else {"retired": retire(s, lead)}
    s.emit(what if safe else f"caught-{what}", seat=s.batting_seat, runner=s.player_name(lead), **more)
    if double:
        s.bases = (None, first, second if safe else third)
    elif what == "steal-second":
        s.bases = (None, first if safe else None, third)
    else:
        s.bases = (first, None, second if safe else third)
    if double and safe and third:
        score_runs(s, (third,))
    end_half_if_due(s)


# Laying down a sacrifice -----------------------------------------------------------------------------------------


def can_sacrifice(s: State) -> bool:
    """True if the batter may sacrifice, which needs a runner to advance (SB-114, A7)."""
    if not any(s.bases) and s.house["sacrificeEmpty"] == "refuse":
        return False
    return s.outs < 2 or s.house["sacrificeTwoOuts"] == "allow"


def sacrifice(s: State, called: list[PinchHitter]) -> Step:
    """Roll for a sacrifice. 1 to 4 advances every runner, and the batter is always out (SB-070, SB-071)."""
    batter = s.batter
    failed = pinch_hit_result("SO", called)
    s.faces = ("sacrifice",) * GOOD_FACES + (failed,) * 2
    face: int = yield from roll(
        s.batting_seat, "sacrifice", batter=batter.name, moved=describe_sacrifice(s), failed=describe_result(s, failed)
    )
    s.dice, s.faces = (face,), ()
    if face <= GOOD_FACES:
        s.emit("sacrifice", seat=s.batting_seat, batter=batter.name, turn="sacrifice", retired=retire(s, batter.number))
        if s.outs < 3:
            s.bases, home = advance_runners(s.bases, 1)
            score_runs(s, home, batter.name)
    else:
        resolve_result(s, "SO", called, hit_and_run=False)


# Executing a hit-and-run -----------------------------------------------------------------------------------------


def can_hit_and_run(s: State) -> bool:
    """True with fewer than two outs and a runner on first only (SB-074, SB-075)."""
    first, second, third = s.bases
    return s.outs < 2 and first is not None and second is None and third is None


def hit_and_run_result(result: str) -> str:
    """Return the result under a hit-and-run (SB-080 to SB-083). `resolve_result` adds the extra base on a hit."""
    return {"GO": "1B", "FO": "line-double-play", "SO": "strike-double-play"}.get(result, result)


def double_off_runner(s: State, how: str) -> None:
    """Retire the batter and the runner (SB-081, SB-082)."""
    runner = s.bases[0]
    assert runner is not None
    turn = "strikeout" if how == "strike-double-play" else "out"
    retired = retire(s, s.batter.number, runner)
    s.emit(how, seat=s.batting_seat, batter=s.batter.name, runner=s.player_name(runner), turn=turn, retired=retired)
    s.bases = place_runner(s.bases, None, 1)


# Pinch hitting ---------------------------------------------------------------------------------------------------


def call_pinch_hitter(s: State, which: int) -> PinchHitter:
    """Turn a pinch hitter to its X side. It is used, whatever the result (SB-088, SB-090)."""
    card = s.batting_team.pinch[which]
    s.used = replace_for_seat(s.used, s.batting_seat, s.used[s.side_index] | {which})
    s.pinching += (which,)
    s.emit("pinch-hitter", seat=s.batting_seat, pinch=card.name, kind=card.kind, batter=s.batter.name)
    return card


def ask_how_to_bat(s: State, called: list[PinchHitter]) -> Generator[Ask, str, str]:
    """Ask for the play with a pinch hitter, one per at-bat and none on a sacrifice (SB-112, SB-113)."""
    options = ["bat"]
    if can_hit_and_run(s):
        options.append("hit-and-run")
    if s.house["pinchWithSacrifice"] == "allow" and can_sacrifice(s):
        options.append("sacrifice")
    if s.house["pinchStack"] == "allow":
        options += [PINCH_OPTIONS[i] for i, _ in s.available_pinch_hitters()]
    if len(options) == 1:
        return "bat"
    return (yield decision_ask(s, "swing", tuple(options), pinch=called[-1].name))


def pinch_hit_after_roll(s: State, printed: str) -> Generator[Ask, str, list[PinchHitter]]:
    """Offer pinch hitters after the roll, if the house rules allow it (A11)."""
    called: list[PinchHitter] = []
    while s.available_pinch_hitters() and (not called or s.house["pinchStack"] == "allow"):
        options, result = (
            tuple(PINCH_OPTIONS[i] for i, _ in s.available_pinch_hitters()),
            RESULT_NAMES[pinch_hit_result(printed, called)],
        )
        idle = LazyFact(moot_pinch_hit, s, printed, tuple(called))
        decision = yield decision_ask(s, "pinch-after", ("no", *options), idle, result=result)
        if decision == "no":
            break
        called.append(call_pinch_hitter(s, PINCH_OPTIONS.index(decision)))
    return called


def moot_pinch_hit(s: State, printed: str, called: tuple[PinchHitter, ...]) -> str | None:
    """Return "no" if no remaining pinch hitter can change this result, else None."""
    return None if any(can_change_result(s, i, printed, called) for i, _ in s.available_pinch_hitters()) else "no"


def pinch_hit_result(result: str, called: list[PinchHitter]) -> str:
    """Return the result after each pinch hitter has changed it at most once, in any order (SB-091 to SB-095, A21)."""
    waiting = list(called)
    while turning := next((card for card in waiting if result in card.turns), None):
        waiting.remove(turning)
        result = turning.turns[result]
    return result


def may_reactivate(s: State) -> bool:
    """True before the first extra inning, or before each one by house rule (SB-098, A14)."""
    extra, top = s.clock.inning - s.regulation, s.clock.half == "top"
    return top and (extra == 1 or (extra > 1 and s.house["reactivation"] == "everyExtraInning"))


def reactivate(s: State) -> Play:
    """Let one manager take back one used pinch hitter, or none (SB-098, SB-099)."""
    seat: Seat = s.reactivating[0]
    side = SEATS.index(seat)
    assert s.sides is not None
    team = s.teams[s.sides[side]]
    used = tuple(PINCH_OPTIONS[i] for i in sorted(s.used[side]))
    facts = {"team": team.name, **team.labels}
    choice = yield Choose(seat, "reactivate", (*used, "none"), facts, used[0] if len(used) == 1 else None)
    if choice in PINCH_OPTIONS:
        s.used = replace_for_seat(s.used, seat, s.used[side] - {PINCH_OPTIONS.index(choice)})
        s.emit("reactivated", seat=seat, team=team.name, pinch=team.pinch[PINCH_OPTIONS.index(choice)].name)
    s.reactivating = s.reactivating[1:]


# Extra innings ---------------------------------------------------------------------------------------------------


def end_game(s: State) -> None:
    """End the game when one side's lead can no longer be changed (SB-100, SB-103, SB-116)."""
    away, home = s.score
    seat: Seat = "away" if away > home else "home"
    assert s.sides is not None
    team = s.teams[s.sides[SEATS.index(seat)]].name
    extra, top = s.clock.inning > s.regulation, s.clock.half == "top"
    reason = "extra-innings" if extra else "bottom-skipped" if top else REGULATION_REASONS[s.house["innings"]]
    sentence = f"{name_with_verb(team, 'wins/win')} {max(away, home)} to {min(away, home)}."
    s.outcome = Outcome(seat, reason, sentence)
    s.bases = EMPTY_BASES
    s.emit("game-over", seat=seat, team=team, winner=max(away, home), loser=min(away, home))
