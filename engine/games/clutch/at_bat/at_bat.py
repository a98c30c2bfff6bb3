"""The at-bat, in the order of the rulebook: before the pitch, pitch, advantage, swing, result (3.8, 3.9)."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import Moot, Play
from engine.events import Facts, last_name
from engine.games.clutch.at_bat import bunting
from engine.games.clutch.at_bat.outcomes import intentional_walk, may_walk, outcome, owed, price
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES, signed
from engine.games.clutch.numbers import bunt_numbers, fielding, pitch_numbers, swing_numbers
from engine.games.clutch.numbers.modifiers import allowed, die, in_force, number
from engine.games.clutch.numbers.rolls import REGULAR, cast
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records import score_book
from engine.games.clutch.records.sentences import and_more
from engine.games.clutch.running import ground_balls, stealing
from engine.games.clutch.running.advancing import wins
from engine.games.clutch.state import AtBat, Shown, State, Step, Turn
from engine.games.clutch.strategy_cards import hands, muting, play_effects
from engine.games.clutch.strategy_cards.in_play import fire, lapse, settle
from engine.games.clutch.strategy_cards.playable import result_tags
from engine.games.clutch.strategy_cards.windows import DOOR, cards, door, offer, window
from engine.games.clutch.substitutions import substitutions
from engine.lazy import Lazy
from engine.seats import Seat

OF_STEAL = frozenset({"steal", "caught"})
"""Tags of a steal, which has its own window as soon as it is over; one that ends the at-bat shares that of the end."""

REACHED = ("1B", "2B", "3B", "HR", "BB", "HBP", "E", "IBB")  # Outcomes that put the batter on base, or bring him home.


def at_bat(s: State) -> Play:
    """Play one at-bat. The defense makes its changes, and may walk the batter, before anybody plays cards (CL-199,
    CL-312); a card may forbid that walk.
    """
    begin(s)
    yield from fire(s, "at-bat", ())
    plan = "pitch" if interrupted(s) else (yield from ask_defense(s))
    if not interrupted(s):
        yield from first_cards(s, plan)
    if interrupted(s):
        yield from end_early(s)
        return
    if plan == "pitch" or not allowed(s, "walk"):
        plan = yield from before_pitch(s)
    if plan == "walk":
        intentional_walk(s)
        yield from finish(s, "IBB")
        return
    if plan == "pitch":
        yield from infield(s)
        yield from window(s, "before-pitch")
        if not interrupted(s):
            yield from pitch(s)
        if not interrupted(s):
            yield from swing(s)
        if not interrupted(s):
            yield from read(s)
        if not interrupted(s):
            yield from changes(s)
    elif plan == "SO":
        s.now(result="SO", read="SO")
        if s.house["buntSoChangeable"] == "true":
            yield from changes(s)
    if plan != "SAC":
        if interrupted(s):
            yield from end_early(s)
            return
        yield from outcome(s, s.at.result)
    yield from finish(s, s.at.outcome)


def interrupted(s: State) -> bool:
    """True if the half-inning or the game has ended in the middle of an at-bat."""
    return s.outs >= 3 or s.over or bool(s.ended)


def begin(s: State) -> None:
    """Bring the batter to the plate (CL-165), with his bonus for intentional walks before him."""
    on_base, swing = owed(s)
    s.at = AtBat(on_base_bonus=on_base, swing_bonus=swing)
    s.number += 1
    s.skipped = ((), ())
    s.tell("at-bat", seat=s.offence, batter=s.batter.name, pitcher=s.pitcher.name)
    announce_tired(s)


def announce_tired(s: State) -> None:
    """Announce once that a pitcher is tired, and lift his manager's mutes (CL-098)."""
    arm = s.arm
    tired = pitcher_record.tires(arm, s.house)
    if tired and not arm.announced:
        muting.lift(s, s.chair(s.defence))
        penalty = signed(-pitcher_record.penalty(arm, s.house))
        s.tell("tires", seat=s.defence, pitcher=s.pitcher.name, penalty=penalty)
    if tired != arm.announced:
        s.pitched(s.defence, replace(arm, announced=tired))


# Before the pitch ----------------------------------------------------------------------------------------------------


def before_pitch(s: State) -> Step[str]:
    """Settle the offense's substitutions, steal and bunt (CL-166). Return "pitch", "walk", "SAC", "SO", or "cut" if a
    runner caught stealing ended the at-bat.
    """
    while not interrupted(s):
        order = s.squad(s.offence).order
        plan = yield from ask_offense(s)
        if plan == "swing":
            return "pitch"
        if plan.startswith("steal"):
            before = s.at.tags
            yield from stealing.steal(s, plan)
            yield from settle(s, "throw")
            score_book.judge(s)
            if not interrupted(s):
                yield from window(s, "after", *(s.at.tags & OF_STEAL - before))
            if interrupted(s):
                return "cut"
        elif plan == "bunt":
            bunted = yield from bunting.bunt(s)
            return "cut" if interrupted(s) and bunted == "pitch" else {"done": "SAC"}.get(bunted, bunted)
        elif plan == DOOR:
            if (yield from offer(s, s.offence, "at-bat", frozenset(), wanted=True)):
                yield from cards(s, "at-bat")
        else:
            yield from substitutions.change(s, s.offence, plan)
            if s.squad(s.offence).order != order and (yield from pitch_or_walk(s)) == "walk":
                return "walk"
    return "cut"


def first_cards(s: State, plan: str) -> Step[None]:
    """Let both managers play cards for the start of an at-bat. With real hands their menus have an option for it, so
    they are asked only if the `plan` is a walk, after which the side at bat has no menu.
    """
    if s.dealt or plan == "walk" or s.house["windows"] == "always":
        yield from cards(s, "at-bat", menu=plan == "pitch")


def ask_defense(s: State) -> Step[str]:
    """Ask the defense for its changes, then whether it pitches to the batter or walks him (CL-166, CL-167, AM-01).

    A walk waits until it is known who bats: if the side at bat changes anybody, the defense is asked again, whatever it
    has said (`before_pitch` sees to that after "pitch"). There is no new pitcher once the defense has played a card,
    but as an answer to one (CL-199).
    """
    side = s.defence
    while not interrupted(s):
        subs = substitutions.changes(s, side)
        if any(one.side == side and one.kind == "strategy" for one in s.at.played):
            subs = tuple(code for code in subs if code == "positions")
        options = ("pitch", *(("walk",) if may_walk(s) else ()), *subs)
        moot = Lazy(settled, s, side, options)
        answer = yield from menu(
            s, side, "defence", options, door(s, side), moot, lambda s: {"notes": {"walk": price(s)}}
        )
        if answer == "walk" and s.house["ibbWindow"] == "afterSubs":
            order = s.squad(s.offence).order
            yield from make_changes(s)
            return "walk" if s.squad(s.offence).order == order else (yield from pitch_or_walk(s))
        if answer in ("pitch", "walk"):
            return answer
        if answer == DOOR:
            yield from offer(s, side, "at-bat", frozenset(), wanted=True)
        else:
            yield from substitutions.change(s, side, answer)
    return "pitch"


def make_changes(s: State) -> Step[None]:
    """Ask the side at bat for its changes before the other side decides about a walk."""
    while not interrupted(s) and (options := substitutions.changes(s, s.offence)):
        answer = yield from menu(s, s.offence, "changes", ("no-change", *options), (), None, lambda s: {})
        if answer == "no-change":
            return
        yield from substitutions.change(s, s.offence, answer)


def pitch_or_walk(s: State) -> Step[str]:
    """Ask whether to pitch or walk, now that it is known who bats."""
    if not may_walk(s):
        return "pitch"
    moot = "pitch" if gives_away(s) else None
    return (yield from menu(s, s.defence, "walk", ("pitch", "walk"), (), moot, lambda s: {"price": price(s)}))


def settled(s: State, side: Seat, options: tuple[str, ...]) -> str | None:
    """Return "pitch" if nothing else can help the defense: no other positions would make a unit better. Cards may
    depend on positions, so it is None in a game with them.
    """
    if s.full or not set(options) <= {"pitch", "positions"}:
        return None
    best = fielding.best_ratings(s.squad(side), s.box, s.house)
    return "pitch" if all(fielding.rating(s, side, unit) >= most for unit, most in best.items()) else None


def gives_away(s: State) -> bool:
    """True if a walk would force in the run that wins the game at once."""
    return None not in s.bases and wins(s, 1)


def ask_offense(s: State) -> Step[str]:
    """Ask what the side at bat does: swing away, steal, bunt, or a substitution first. It is not asked if it has said
    that it swings away, and nothing has happened since.
    """
    side = s.offence
    if s.at.swings and side in s.at.content:
        return "swing"
    subs = () if s.at.stolen else substitutions.changes(s, side)
    bunts = ("bunt",) if bunting.may_bunt(s) else ()
    steals = stealing.steals(s)

    def facts(s: State) -> Facts:
        notes = {code: stealing.odds(s, code) for code in steals} | {code: bunt_numbers.odds(s) for code in bunts}
        return {"notes": notes, "first": play_effects.runner(s, "first"), "second": play_effects.runner(s, "second")}

    return (yield from menu(s, side, "offence", ("swing", *steals, *bunts, *subs), door(s, side), None, facts))


def menu(
    s: State, side: Seat, why: str, options: tuple[str, ...], beside: tuple[str, ...], moot: Moot, facts: Shown
) -> Step[str]:
    """Ask for one of `options`, or of those `beside` them. The first option changes nothing. It is taken without asking
    if there is no other, or if the chair has muted this ask for the half-inning. A manager with cards may say in the
    same breath that he plays none before the pitch. `moot` and `facts` are as in `muting.pick`.
    """
    chair, go = s.chair(side), options[0]
    if (len(options) == 1 and not beside) or (chair, why) in s.muted:
        return go
    if why in ("defence", "offence") and s.full and (s.holds(side) or s.squad(side).coaches):
        options = (go, f"{go}-now", *options[1:])

    def numbers(s: State) -> Facts:
        command, on_base = pitch_numbers.command(s), pitch_numbers.on_base(s)
        return {"command": command, "on_base": on_base, **shown(s, command, on_base), **facts(s)}

    answer = yield from muting.pick(s, side, why, (*options, *beside, f"{go}-on"), moot, numbers)
    if answer == f"{go}-on":
        s.muted |= {(chair, why)}
    if answer == f"{go}-now":
        s.now(content=s.at.content | {side})
    return go if answer in (f"{go}-on", f"{go}-now") else answer


def shown(s: State, command: int, on_base: int) -> dict[str, str]:
    """Return Command and On-Base as people see them: as they count now, with the printed ones if those differ."""
    return {"brings": pitch_numbers.brings(s, command), "meets": pitch_numbers.meets(s, on_base)}


def infield(s: State) -> Step[None]:
    """Ask whether the infield comes in or stays back (CL-335, AM-74)."""
    if ground_balls.may_play_in(s):
        third = {"runner": play_effects.runner(s, "third")}
        if (yield from menu(s, s.defence, "infield", ("back", "in"), (), None, lambda s: third)) == "in":
            ground_balls.play_in(s)


# The pitch and the swing ---------------------------------------------------------------------------------------------


def pitch(s: State) -> Step[None]:
    """Roll the pitch, and settle who has the Advantage (3.8.B, 3.8.C, 3.8.F)."""
    yield from hands.limit(s)
    score_book.judge(s)
    facts = {"batter": s.batter.name, "pitcher": s.pitcher.name}
    kind, face = yield from cast(
        s, "pitch", s.defence, REGULAR, False, lambda s: {**pitch_numbers.needed(s, die(s, "pitch"))._asdict(), **facts}
    )
    s.now(pitch_die=kind, pitch_natural=face)
    s.pitched(s.defence, pitcher_record.throw(s.arm, s.house))
    yield from window(s, "pitch-roll")
    settle_advantage(s)
    at = s.at
    counts = shown(s, at.command or 0, at.on_base or 0)
    numbers = {"total": at.pitch, "on_base": at.on_base, **counts, "more": pitch_more(s)}
    holder = s.batter.name if at.advantage == "batter" else s.pitcher.name
    s.tell("pitch", seat=s.defence, **numbers, holder=holder, **facts)
    if at.mistake:
        s.tell("mistake", seat=s.defence, **facts)
    yield from window(s, "advantage", at.advantage, *(("mistake",) if at.mistake else ()))
    if s.at is not at:  # Otherwise nobody has played a card.
        settle_advantage(s)


def pitch_more(s: State) -> str:
    """Return what the Pitch has beside its die and Command."""
    bonus = s.at.pitch_bonus
    cards = (s.at.pitch or 0) - (s.at.pitch_natural or 0) - (s.at.command or 0) - bonus
    return and_more("and", (cards, "from cards"), (bonus, "for missed bunts"))


def settle_advantage(s: State) -> None:
    """Compare Pitch with On-Base, with all cards in force (CL-173 to CL-179, CL-189 to CL-196)."""
    assert s.at.pitch_natural is not None
    command, on_base = pitch_numbers.command(s), pitch_numbers.on_base(s)
    rolled, total, mistake, advantage = pitch_numbers.judge(s, command, on_base)(s.at.pitch_natural)
    s.now(pitch_roll=rolled, command=command, pitch=total, on_base=on_base, mistake=mistake, advantage=advantage)


def swing(s: State) -> Step[None]:
    """Roll the swing (3.8.D, CL-099, CL-103)."""
    announce_tired(s)
    tired = pitcher_record.tires(s.arm, s.house)
    kind, face = yield from cast(s, "swing", s.offence, swing_numbers.usual_die(s), tired, swing_facts)
    s.now(swing_die=kind, swing_natural=face)
    yield from window(s, "swing-roll")
    assert s.at.swing_natural is not None
    rolled = number(s, "swing_roll", s.at.swing_natural)
    s.now(swing_roll=rolled, swing=number(s, "swing", rolled + s.at.swing_bonus))


def swing_facts(s: State) -> Facts:
    """Return what each number of the swing gives, on whose chart."""
    batter, pitcher, odds = s.batter.name, s.pitcher.name, swing_numbers.odds(s)
    facts = {"batter": batter, "pitcher": pitcher, "holder": s.at.advantage}
    facts |= {"chart": batter if swing_numbers.chart(s) == "batter" else pitcher, "outlook": odds.outlook}
    facts |= {"wins": odds.wins, "title": f"{last_name(batter)} swings{f': {odds.wins}' if odds.wins else ''}"}
    return {**facts, "plus": f" {odds.plus}." if odds.plus else ""}


def read(s: State) -> Step[None]:
    """Read the Result on the chart of the player with the Advantage; a stadium may alter it (3.8.E, CL-063, CL-343)."""
    of = swing_numbers.chart(s)
    swing = s.at.swing
    assert swing is not None
    code = (s.batter.chart if of == "batter" else s.pitcher.chart)[swing]
    s.now(chart=of, read=code)
    yield from fire(s, "chart", (*result_tags(s, code), of))
    for one in in_force(s, "alter"):
        if one.effect.reads(of, swing, code):
            code = one.effect.to
    code = ground_balls.through(s, code)
    s.now(result=code)
    facts = {"batter": s.batter.name, "pitcher": s.pitcher.name, "called": RESULT_NAMES[code]}
    walks = s.at.swing_bonus
    cards = swing - (s.at.swing_natural or 0) - walks
    facts["more"] = and_more("with", (cards, "from cards"), (walks, "after intentional walks"))
    facts["chart"] = facts[of]
    s.tell("swing", seat=s.offence, swing=swing, result=code, **facts)


def changes(s: State) -> Step[None]:
    """Let both managers change the Result; then it is the Outcome (CL-187, CL-188, 3.10)."""
    yield from window(s, "result")
    yield from settle(s, "result")
    yield from fire(s, "result", ())


# The end of the at-bat -----------------------------------------------------------------------------------------------


def finish(s: State, code: str) -> Step[None]:
    """Record the at-bat, let cards act on it, and bring up the next batter (W13)."""
    score_book.judge(s)
    ends = {"inning-ending"} if s.outs >= 3 or s.over else set[str]()
    s.now(tags=s.at.tags | result_tags(s, code) | ends)
    s.pitched(s.defence, pitcher_record.faced(s.arm))
    name = s.batter.name
    reached = code in REACHED or name in [one.name for one in s.bases if one]
    s.turns = (*s.turns, Turn(name, s.pitcher.name, code, reached, s.offence))
    s.last = (*s.last, code)
    yield from window(s, "after", *(s.at.tags - OF_STEAL))
    for of in ("throw", "check", "at-bat"):
        yield from settle(s, of)
    lapse(s, "at-bat", "roll", "throw")
    # A title may be played again: a card between two at-bats belongs to neither (CL-208).
    s.now(played=(), changed=frozenset())
    squad = s.squad(s.offence)
    s.change(s.offence, slot=(squad.slot + 1) % len(squad.order))


def end_early(s: State) -> Step[None]:
    """End an at-bat that the end of the half-inning cut off (CL-311, AM-68). Its effects lapse, and the same batter
    leads off the next inning.
    """
    score_book.judge(s)
    s.now(tags=s.at.tags | {"inning-ending"})
    yield from window(s, "after", *s.at.tags)
    s.pending = ()
    lapse(s, "at-bat", "roll", "throw")
    s.now(played=(), changed=frozenset())
    if s.house["csLeadoff"] == "nextBatter":
        squad = s.squad(s.offence)
        s.change(s.offence, slot=(squad.slot + 1) % len(squad.order))
