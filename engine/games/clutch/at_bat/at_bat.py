"""The at-bat, in the order of the rulebook: before the pitch, pitch, advantage, swing, result (3.8, 3.9)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Play, Prompt
from engine.dice import FACES
from engine.games.clutch.at_bat import bunting, required_rolls, walks
from engine.games.clutch.at_bat.dice import POWER, REGULAR, cast
from engine.games.clutch.at_bat.outcomes import outcome
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records import score_book
from engine.games.clutch.records.runner_sentences import CALLED
from engine.games.clutch.running import ground_balls, stealing
from engine.games.clutch.state import AtBat, State, Turn
from engine.games.clutch.strategy_cards import hands, muting
from engine.games.clutch.strategy_cards.context import bats
from engine.games.clutch.strategy_cards.modifiers import added, changed, die, ignored, in_force, last, number
from engine.games.clutch.strategy_cards.windows import DOOR, door, fire, groups, lapse, offer, settle, window
from engine.games.clutch.substitutions import substitutions
from engine.seats import Seat

T = TypeVar("T")
Step = Generator[Prompt, Any, T]

REACHED = ("1B", "2B", "3B", "HR", "BB", "HBP", "E", "IBB")
"""Outcomes by which the batter is on base or home."""


def at_bat(s: State) -> Play:
    """One batter, from the box to the book."""
    begin(s)
    yield from window(s, "at-bat")
    if over(s):
        yield from cut(s)
        return
    plan = yield from before(s)
    if plan == "walk":
        walks.intentional_walk(s)
        yield from finish(s, "IBB")
        return
    if plan == "pitch":
        yield from infield(s)
        yield from window(s, "before-pitch")
        if not over(s):
            yield from pitch(s)
        if not over(s):
            yield from swing(s)
        if not over(s):
            yield from read(s)
        if not over(s):
            yield from changes(s)
    elif plan == "SO":
        s.now(result="SO", read="SO")
        if s.house["buntSoChangeable"] == "true":
            yield from changes(s)
    if plan != "SAC":
        if over(s):
            yield from cut(s)
            return
        yield from outcome(s, s.at.result)
    yield from finish(s, s.at.outcome)


def over(s: State) -> bool:
    """The half-inning or the game has ended in the middle of an at-bat."""
    return s.outs >= 3 or s.over or bool(s.ended)


def begin(s: State) -> None:
    """The batter steps into the box (CL-165), with what intentional walks before him bring."""
    on_base, swing = walks.owed(s)
    s.at = AtBat(on_base_bonus=on_base, swing_bonus=swing)
    s.number += 1
    s.skipped = ((), ())
    s.tell("at-bat", seat=s.offence, batter=s.batter.name, pitcher=s.pitcher.name)
    weary(s)


def weary(s: State) -> None:
    """Everybody hears once that a pitcher is tired, and his manager is asked about everything again (CL-098)."""
    tired = pitcher_record.tires(s.arm, s.house)
    if tired and not s.arm.told:
        muting.lift(s, s.chair(s.defence))
        penalty = required_rolls.signed(-pitcher_record.penalty(s.arm, s.house))
        s.tell("tires", seat=s.defence, pitcher=s.pitcher.name, penalty=penalty)
    if tired != s.arm.told:
        s.pitched(s.defence, replace(s.arm, told=tired))


# Before the pitch ----------------------------------------------------------------------------------------------------


def before(s: State) -> Step[str]:
    """Substitutions, intentional walk, steal, bunt (CL-166): gives "pitch", "walk", "SAC", "SO", or "cut" where a
    runner caught stealing ended it."""
    if (yield from defend(s)) == "walk":
        return "walk"
    while not over(s):
        who = s.squad(s.offence).batter
        plan = yield from bat(s)
        if plan == "swing":
            return "pitch"
        if plan.startswith("steal"):
            yield from stealing.steal(s, plan)
            yield from settle(s, "throw")
            score_book.judge(s)
            if over(s):
                return "cut"
        elif plan == "bunt":
            bunted = yield from bunting.bunt(s)
            return "cut" if over(s) and bunted == "pitch" else {"done": "SAC"}.get(bunted, bunted)
        elif plan == DOOR:
            yield from offer(s, s.offence, "at-bat", frozenset(), wanted=True)
        else:
            yield from substitutions.change(s, s.offence, plan)
            if s.squad(s.offence).batter != who and (yield from again(s)) == "walk":
                return "walk"
    return "cut"


def defend(s: State) -> Step[str]:
    """What the side in the field does first: changes, then pitch to the batter or walk him, which it may leave open
    until it is known who bats (CL-166, CL-167, AM-01)."""
    side = s.defence
    while True:
        subs = substitutions.changes(s, side) if not s.at.stolen else ()
        if substitutions.locked(s) and s.turns:
            # Until substitutions begin moves are offered once in a half-inning.
            subs = tuple(code for code in subs if code != "positions")
        silent = (s.chair(s.offence), "changes") in s.muted
        theirs = () if silent else substitutions.changes(s, s.offence)
        walk = walks.may_walk(s)
        late = walk and bool(theirs) and s.house["ibbWindow"] == "afterSubs"
        options = ("pitch", *(("hold",) if late else ("walk",) if walk else ()), *subs)
        answer = yield from menu(s, side, "defence", options, door(s, side))
        if answer == "hold":
            yield from make_changes(s)
            return (yield from again(s))
        if answer in ("pitch", "walk"):
            return answer
        if answer == DOOR:
            yield from offer(s, side, "at-bat", frozenset(), wanted=True)
            if over(s):
                return "pitch"
            continue
        yield from substitutions.change(s, side, answer)


def make_changes(s: State) -> Step[None]:
    """The side at bat makes its changes before the other decides about a walk."""
    while options := substitutions.changes(s, s.offence):
        answer = yield from menu(s, s.offence, "changes", ("no-change", *options))
        if answer == "no-change":
            return
        yield from substitutions.change(s, s.offence, answer)


def again(s: State) -> Step[str]:
    """Now that it is known who bats: pitch to him or walk him."""
    if not walks.may_walk(s):
        return "pitch"
    return (yield from menu(s, s.defence, "walk", ("pitch", "walk")))


def bat(s: State) -> Step[str]:
    """What the side at bat does: swing away, steal, bunt, or change somebody first."""
    subs = () if s.at.stolen else substitutions.changes(s, s.offence)
    bunts = ("bunt",) if bunting.may_bunt(s) else ()
    steals = stealing.steals(s)
    notes = {code: stealing.odds(s, code) for code in steals} | {code: bunting.odds(s) for code in bunts}
    return (
        yield from menu(s, s.offence, "offence", ("swing", *steals, *bunts, *subs), door(s, s.offence), notes=notes)
    )


def menu(
    s: State, side: Seat, why: str, options: tuple[str, ...], beside: tuple[str, ...] = (), **more: Any
) -> Step[str]:
    """Ask for one of these, or of what stands `beside` them. The first changes nothing; nobody is asked where there is
    no other, or who did not want to be asked about this for the rest of the half-inning."""
    chair = s.chair(side)
    idle = len(options) == 1 or options == ("pitch", "positions")
    if (idle and not beside) or (chair, why) in s.muted:
        return options[0]
    facts = {"batter": s.batter.name, "pitcher": s.pitcher.name, "command": command(s), "on_base": on_base(s), **more}
    answer = yield from muting.pick(s, side, why, (*options, *beside, f"{options[0]}-on"), **facts)
    if answer == f"{options[0]}-on":
        s.muted |= {(chair, why)}
        return options[0]
    return answer


def infield(s: State) -> Step[None]:
    """The infield comes in, or stays back (CL-335, AM-74)."""
    if ground_balls.may_play_in(s) and (yield from menu(s, s.defence, "infield", ("back", "in"))) == "in":
        ground_balls.play_in(s)


# The pitch and the swing ---------------------------------------------------------------------------------------------


def pitch(s: State) -> Step[None]:
    """The Pitch Roll, and who has the Advantage (3.8.B, 3.8.C, 3.8.F)."""
    yield from hands.limit(s)
    score_book.judge(s)
    facts: dict[str, Any] = {"batter": s.batter.name, "pitcher": s.pitcher.name}
    kind, face = yield from cast(s, "pitch", s.defence, **pitching(s, die(s, "pitch")), **facts)
    s.now(pitch_die=kind, pitch_natural=face)
    s.pitched(s.defence, pitcher_record.throw(s.arm, s.house))
    yield from window(s, "pitch-roll")
    weigh(s)
    s.tell(
        "pitch",
        seat=s.defence,
        total=s.at.pitch,
        on_base=s.at.on_base,
        holder=s.batter.name if s.at.advantage == "batter" else s.pitcher.name,
        **facts,
    )
    if s.at.mistake:
        s.tell("mistake", seat=s.defence, **facts)
    yield from window(s, "advantage", s.at.advantage, *(("mistake",) if s.at.mistake else ()))
    weigh(s)


def weigh(s: State) -> None:
    """Pitch against On-Base with all cards in force; a tie is the batter's, and so is a Mistake Pitch (CL-173 to
    CL-179, CL-189 to CL-196)."""
    assert s.at.pitch_natural is not None
    rolled, total, mistake, advantage = judged(s, command(s), on_base(s))(s.at.pitch_natural)
    s.now(pitch_roll=rolled, command=command(s), pitch=total, on_base=on_base(s), mistake=mistake, advantage=advantage)


def judged(s: State, command: int, on_base: int) -> Callable[[int], tuple[int, int, bool, str]]:
    """What a pitch comes to with each face: roll, Pitch, whether it is a Mistake Pitch, and who has the Advantage."""
    roll, action, x_zone = changed(s, "pitch_roll"), changed(s, "pitch"), number(s, "x_zone", s.pitcher.x_zone)
    forced, given = last(s, "mistake"), last(s, "advantage")

    def judge(face: int) -> tuple[int, int, bool, str]:
        rolled = roll(face)
        total = action(rolled + command + s.at.pitch_bonus)
        mistake = forced.of == "cause" if forced else rolled <= x_zone
        advantage = "batter" if mistake or total <= on_base else "pitcher"
        return rolled, total, mistake, given.of if given else advantage

    return judge


def pitching(s: State, kind: str) -> dict[str, Any]:
    """What the die of a pitch has to show for the Advantage (`need`), and what that is made of (`made`)."""
    has, against = command(s), on_base(s)
    plus = required_rolls.cards(s, "pitch", has + s.at.pitch_bonus)
    missed = f" {required_rolls.signed(s.at.pitch_bonus)}" if s.at.pitch_bonus else ""
    made = f"Command {has}{missed}{plus} against On-Base {against}"
    return {"need": needed(s, kind, has, against), "made": made, "command": has, "on_base": against}


def needed(s: State, kind: str, command: int, on_base: int) -> str:
    """What the die of a pitch has to show for the Advantage."""
    judge = judged(s, command, on_base)
    good = [int(face) for face in FACES[kind] if judge(int(face))[3] == "pitcher"]
    return required_rolls.shown("advantage", good, kind, f"{s.batter.name} has the advantage whatever is rolled")


def command(s: State) -> int:
    """The pitcher's Command in this at-bat: printed, with his hand, less what he is tired (CL-098, CL-173)."""
    card, arm = s.pitcher, s.arm
    bonus = card.left if bats(s, s.batter) == "L" else card.right
    if ignored(s, "handedness", "pitcher"):
        bonus = 0
    printed = card.command
    for one in in_force(s, "set", "command"):
        printed = one.effect.amount
    return pitcher_record.command(printed, bonus, pitcher_record.penalty(arm, s.house), added(s, "command"), s.house)


def on_base(s: State) -> int:
    """The batter's On-Base in this at-bat (CL-009, CL-179, CL-317)."""
    card = s.batter
    bonus = card.left if s.pitcher.hand == "L" else card.right
    if ignored(s, "handedness", "batter"):
        bonus = 0
    return number(s, "on_base", card.on_base + bonus + s.at.on_base_bonus)


def swing(s: State) -> Step[None]:
    """The Swing: the Power Die after a Mistake Pitch, and always against a tired pitcher (3.8.D, CL-099, CL-103)."""
    facts: dict[str, Any] = {"batter": s.batter.name, "pitcher": s.pitcher.name, "holder": s.at.advantage}
    weary(s)
    usual, plus, gives = swinging(s)
    name = s.batter.name if required_rolls.chart(s) == "batter" else s.pitcher.name
    facts |= {"chart": name, "plus": f" {plus}." if plus else "", "gives": gives}
    tired = pitcher_record.tires(s.arm, s.house)
    kind, face = yield from cast(s, "swing", s.offence, usual, fixed=tired, **facts)
    s.now(swing_die=kind, swing_natural=face)
    yield from window(s, "swing-roll")
    assert s.at.swing_natural is not None
    rolled = number(s, "swing_roll", s.at.swing_natural)
    s.now(swing_roll=rolled, swing=number(s, "swing", rolled + s.at.swing_bonus))


def swinging(s: State) -> tuple[str, str, str]:
    """The die of the Swing without cards on it, the sum of what is added, and what each number gives."""
    tired = pitcher_record.tires(s.arm, s.house)
    usual = POWER if tired or s.at.mistake else REGULAR
    return usual, *required_rolls.swinging(s, usual if tired else die(s, "swing", usual))


def read(s: State) -> Step[None]:
    """The Result on the chart of whoever has the Advantage, as the stadium may alter it (3.8.E, CL-063, CL-343)."""
    of = required_rolls.chart(s)
    swing = s.at.swing
    assert swing is not None
    code = (s.batter.chart if of == "batter" else s.pitcher.chart)[swing]
    s.now(chart=of, read=code)
    yield from fire(s, "chart", (*groups(code), of))
    for one in in_force(s, "alter"):
        if one.effect.reads(of, swing, code):
            code = one.effect.to
    code = ground_balls.through(s, code)
    s.now(result=code)
    facts = {"batter": s.batter.name, "pitcher": s.pitcher.name, "called": CALLED[code]}
    facts["chart"] = f" on the chart of {facts[of]}" if last(s, "switch") else ""
    s.tell("swing", seat=s.offence, swing=swing, result=code, **facts)


def changes(s: State) -> Step[None]:
    """Both managers may change the Result; then it is the Outcome (CL-187, CL-188, 3.10)."""
    yield from window(s, "result")
    yield from settle(s, "result")
    yield from fire(s, "result", ())


# What comes of it ----------------------------------------------------------------------------------------------------


def finish(s: State, code: str) -> Step[None]:
    """The book of the at-bat, what cards do after it, and the next batter (W13)."""
    score_book.judge(s)
    s.now(tags=s.at.tags | groups(code))
    if s.outs >= 3 or s.over:
        s.now(tags=s.at.tags | {"inning-ending"})
    s.pitched(s.defence, pitcher_record.faced(s.arm))
    name = s.squad(s.offence).batter
    reached = code in REACHED or any(one and one.name == name for one in s.bases)
    s.turns = (*s.turns, Turn(name, s.pitcher.name, code, reached, s.offence))
    s.last = (*s.last, code)
    yield from window(s, "after", *s.at.tags)
    for of in ("throw", "check", "at-bat"):
        yield from settle(s, of)
    lapse(s, "at-bat", "roll", "throw")
    # A title may be played again: what comes between two at-bats belongs to neither (CL-208).
    s.now(played=(), changed=frozenset())
    squad = s.squad(s.offence)
    s.change(s.offence, slot=(squad.slot + 1) % len(squad.order))


def cut(s: State) -> Step[None]:
    """The half-inning ended in the middle of the at-bat: its effects lapse, and the same batter leads off the next
    inning (CL-311, AM-68)."""
    score_book.judge(s)
    s.now(tags=s.at.tags | {"inning-ending"})
    yield from window(s, "after", *s.at.tags)
    s.pending = ()
    lapse(s, "at-bat", "roll", "throw")
    s.now(played=(), changed=frozenset())
    if s.house["csLeadoff"] == "nextBatter":
        squad = s.squad(s.offence)
        s.change(s.offence, slot=(squad.slot + 1) % len(squad.order))
