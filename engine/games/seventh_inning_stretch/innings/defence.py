"""The side in the field: the half of a season's opponent, whose card rolls and scores (SI-120 to SI-132), relief
pitching, and pitchers' abilities (SI-202 to SI-214).
"""

from __future__ import annotations

from typing import Any

from engine.asks import Play, reroll, rolls
from engine.dice import D6
from engine.games.seventh_inning_stretch import blank_cards
from engine.games.seventh_inning_stretch.dice.abilities import Use, uses
from engine.games.seventh_inning_stretch.dice.goals import Goal
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.look_ahead import Pitched, fresh
from engine.games.seventh_inning_stretch.innings.one_game import end_half, score
from engine.games.seventh_inning_stretch.state import DICE, State, Step
from engine.games.seventh_inning_stretch.words import counted, notes, pitcher_labels, scores, use_labels
from engine.lazy import Lazy
from engine.seats import other

# The opponent's half ------------------------------------------------------------------------------------------------


def team_half(s: State) -> Play:
    """Play the opponent's half: pitcher, roll, ability, runs; once, without outs (SI-128)."""
    yield from relieve(s)
    pitched = yield from use_ability(s, Pitched(), early=True)
    count = to_roll(s, pitched)
    s.threw = "team"
    rule = scores(s.team, s.force.more_runs)
    s.dice = yield from rolls(s.defence, "team", (D6,) * count, count=count, team=s.team.name, rule=rule)
    s.now = worth(s, s.dice, pitched, None)
    s.tell("team-rolled", seat=s.clock.batting, team=s.team.name, faces=list(s.dice), what=s.now)
    pitched = yield from use_ability(s, pitched)
    if s.team.runs is None:
        runs = yield from blank_cards.runs(s)
    else:
        runs = s.team.runs(s.dice, s.at)
    score(s, pitched.runs(runs, s.force.more_runs))
    end_half(s)


def dice(s: State) -> tuple[int, int]:
    """Return how many dice the team rolls, and its minimum, as a playoff card may change them (SI-123, SI-170, A9).

    There are never more than twelve dice (SI-003).
    """
    force, team = s.force, s.team
    count = team.dice if force.dice is None else force.dice
    return min(DICE, count + force.more_dice), team.least if force.least is None else force.least


def to_roll(s: State, pitched: Pitched) -> int:
    """Return the dice of the team's roll after abilities: never fewer than its minimum (SI-028)."""
    count, least = dice(s)
    return max(count - pitched.fewer, min(least, count))


# Relief and abilities ---------------------------------------------------------------------------------------------


def relieve(s: State) -> Step[None]:
    """Ask for a relief pitcher; the one who leaves keeps his exhaustion (SI-120 to SI-122, SI-132)."""
    seat = s.defence
    names = s.bench(seat, s.box.pitchers)
    if not names or not s.allowed("pitchers"):
        return
    squad = s.squad(seat)
    left = s.pitcher.stamina - s.tired.get(squad.pitcher, 0)
    labels, about = Lazy(pitcher_labels, s, names), Lazy(notes, s, names)
    facts = {"pitcher": squad.pitcher, "left": left, "labels": labels, "notes": about}
    count, least = (0, 0) if s.duel else dice(s)
    name = yield look_ahead.choice(s, seat, "relief", ("stays", *names), facts, look_ahead.relief, names, least, count)
    if name != "stays":
        s.spend("pitchers")
        s.change(seat, pitcher=name, dugout=(*squad.dugout, squad.pitcher))
        s.tell("relieves", seat=other(s.clock.batting), pitcher=name, out=squad.pitcher)


def able(s: State) -> bool:
    """True if the current pitcher may use his ability again (SI-126, SI-208, A6)."""
    return fresh(s, s.pitcher.name) and s.allowed("abilities")


def tire(s: State) -> None:
    """Add an exhaustion token for a use (SI-026)."""
    name = s.pitcher.name
    s.tired = {**s.tired, name: s.tired.get(name, 0) + 1}
    s.spend("abilities")


def use_ability(s: State, done: Pitched, early: bool = False, goal: Goal | None = None) -> Step[Pitched]:
    """Ask for uses of the ability, as often as the pitcher is able (SI-125, SI-204).

    `early` uses change how many dice the team rolls (SI-028, A33); the others change rolled dice.
    """
    count, seat = 0, s.defence
    while able(s):
        pitcher = s.pitcher
        least = 1 if goal is not None else dice(s)[1]
        left = to_roll(s, done) if early else 0
        if pitcher.blank or pitcher.ability is None:
            ways = blank_cards.uses(early, goal is None, s.dice, least, left)
        elif goal is not None and not pitcher.ability.duel:
            return done
        else:
            ways = uses(pitcher.ability, () if early else s.dice, count, least, left)
        ways = tuple(use for use in ways if not idle(s, done, use))
        if not ways:
            return done
        again = pitcher.stamina - s.tired.get(pitcher.name, 0)
        says = pitcher.ability.text if pitcher.ability else "as the card says"
        facts: dict[str, Any] = {"pitcher": pitcher.name, "left": again, "labels": use_labels(ways), "ability": says}
        codes = {use.code: use for use in ways}
        options = ("enough", *codes)
        if early:
            facts |= {"team": s.team.name, "count": left}
            ask = look_ahead.choice(s, seat, "before", options, facts, look_ahead.before, done, left, least)
        else:
            notes = Lazy(lambda s, ways, done: {one.code: note(s, one, done, goal) for one in ways}, s, ways, done)
            facts |= {"dice": list(s.dice), "now": s.now, "notes": notes}
            ask = look_ahead.choice(s, seat, "ability", options, facts, look_ahead.ability, done, count, least, goal)
        what = yield ask
        if what == "enough":
            return done
        use = codes[what]
        if pitcher.blank:
            use = yield from blank_cards.many(s, use)
        count += 1
        tire(s)
        side = other(s.clock.batting)
        tokens = s.tired[pitcher.name]
        s.tell("ability", seat=side, pitcher=pitcher.name, what=use.label, tokens=tokens, of=pitcher.stamina)
        if use.again:
            told = {"pitcher": pitcher.name, "what": use.label}
            s.dice = yield from reroll(s.defence, "ability-reroll", s.dice, use.again, use.most, **told)
        elif use.faces is not None:
            s.dice = use.faces
        done = done.after(use)
        if not early:
            s.now = worth(s, s.dice, done, goal)
            s.tell("dice-now", seat=side, faces=list(s.dice), what=s.now)
    return done


def scored(s: State, faces: tuple[int, ...], done: Pitched) -> int | None:
    """Return the opponent's runs with these dice; None if the card is blank."""
    return None if s.team.runs is None else done.runs(s.team.runs(faces, s.at), s.force.more_runs)


def worth(s: State, faces: tuple[int, ...], done: Pitched, goal: Goal | None) -> str:
    """Return what these dice are, in words: a batter's outcomes, or the opponent's runs."""
    if goal is not None:
        return goal.reads(faces, s.at)
    runs = scored(s, faces, done)
    return "as the card says" if runs is None else counted(runs)


def note(s: State, use: Use, done: Pitched, goal: Goal | None) -> str:
    """Return what the dice are after this use; "" if it is not known yet."""
    if use.again or (s.pitcher.blank and use.faces is None):
        return ""
    return worth(s, s.dice if use.faces is None else use.faces, done.after(use), goal)


def idle(s: State, done: Pitched, use: Use) -> bool:
    """True if the use would only take runs away, and there are none to take."""
    if not use.less and use.cap is None:
        return False
    now = scored(s, s.dice, done)
    return now is not None and now == scored(s, s.dice, done.after(use))


def defend(s: State, goal: Goal) -> Step[tuple[int, ...]]:
    """Let a duel's pitcher change the dice of an at-bat last (SI-204 to SI-207, SI-213, A23)."""
    worn = s.tired
    yield from use_ability(s, Pitched(), goal=goal)
    s.banned = s.tired is not worn
    return s.dice
