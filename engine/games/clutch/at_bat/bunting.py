"""Sacrifice bunts (4.2, CL-323 to CL-334)."""

from __future__ import annotations

from engine.diamond import place
from engine.events import Facts
from engine.games.clutch.numbers.bunt_numbers import down, odds, target
from engine.games.clutch.numbers.modifiers import allowed, number
from engine.games.clutch.numbers.rolls import REGULAR, cast, short_need, worded_need
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records.score_book import credit, put_out, tell
from engine.games.clutch.records.sentences import and_more, moves_sentence
from engine.games.clutch.running.advancing import legal
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import hands
from engine.games.clutch.strategy_cards.in_play import lapse
from engine.games.clutch.strategy_cards.muting import pick, stir
from engine.games.clutch.strategy_cards.windows import window

MISSED = 2  # Bonus of the Pitch if the batter swings after two missed bunts (CL-328).

STEAL_WINDOWS = frozenset({"steal", "throw", "throw-roll", "throw-result"})
"""Windows of a steal, in which cards do not rule out a bunt (AM-02)."""


def may_bunt(s: State) -> bool:
    """True if the offense may bunt: no strategy card before, and a runner it helps (CL-323, AM-02, AM-72)."""
    if s.basic or not allowed(s, "bunt"):
        return False
    forgiven = STEAL_WINDOWS if s.house["buntAfterStealCards"] == "true" else frozenset[str]()
    if any(card.kind == "strategy" and card.window not in forgiven for card in s.at.played):
        return False
    return s.house["buntNeedsAdvance"] == "false" or (s.outs < 2 and bool(legal(s.bases, (2, 3))))


def bunt(s: State) -> Step[str]:
    """Play a bunt that was declared (CL-324 to CL-331, AM-73). Return "done"; "pitch" if the batter swings after two
    misses; or "SO" after a third miss. The caller plays that pitch, or settles that strikeout.
    """
    stir(s, s.defence)
    s.tell("bunts", seat=s.offence, batter=s.batter.name)
    yield from window(s, "bunt")
    for misses in range(3):
        if misses == 2:
            ways = ("bunt-again", "swing")
            choice = yield from pick(s, s.offence, "bunt-again", ways, None, lambda s: {"bonus": MISSED})
            if choice == "swing":
                s.now(pitch_bonus=MISSED, bunt=None)
                return "pitch"
        if (yield from attempt(s, misses)):
            sacrifice(s)
            return "done"
    return "SO"


MISSES = ("A miss costs nothing yet", "After a miss, bunt again or swing", "A miss is a strikeout")
"""What a miss costs at each of the three tries (CL-326 to CL-329)."""


def attempt(s: State, misses: int) -> Step[bool]:
    """Roll one bunt after `misses` of them; return True if it succeeds. A 12 is a tie and goes to the defense (CL-325).
    The hand limit applies before it, and it counts as a pitch (CL-334, AM-20).
    """
    yield from hands.limit(s)
    _, face = yield from cast(s, "bunt", s.offence, REGULAR, False, lambda s: {**needed(s), "miss": MISSES[misses]})
    s.now(bunt=face)
    s.pitched(s.defence, pitcher_record.throw(s.arm, s.house))
    yield from window(s, "bunt-roll")
    rolled, goal = number(s, "bunt_roll", s.at.bunt or 0), target(s)
    lapse(s, "roll")
    if rolled > goal:
        return True
    more = and_more("with", (rolled - (s.at.bunt or 0), "from cards"))
    s.tell("bunt-missed", seat=s.offence, batter=s.batter.name, roll=rolled, target=goal, least=goal + 1, more=more)
    return False


def needed(s: State) -> Facts:
    """Return what the roll has to show."""
    good, kind = down(s)
    facts = {"batter": s.batter.name, "need": odds(s), "wins": short_need(good, kind)}
    return {**facts, "target": target(s), "least": worded_need(good, kind) or "No roll"}


def sacrifice(s: State) -> None:
    """Put the batter out and move runners up one base, but never home (CL-330 to CL-333). A runner behind one who stays
    also stays.
    """
    s.now(outcome="SAC", tags=s.at.tags | {"sacrifice"})
    s.walked = 0
    put_out(s, s.batter.name)
    on: list[tuple[Runner, int]] = []
    for base in (3, 2) if s.outs < 3 else ():
        runner = s.bases[base - 2]
        if runner is not None and s.bases[base - 1] is None:
            s.bases = place(place(s.bases, None, base - 1), runner, base)
            on.append((runner, base))
    credit(s, "SAC")
    what = moves_sentence([(runner.name, base) for runner, base in on], (), None)
    tell(s, "sacrifice", what=f"; {what}" if what else "", outs=s.outs, ending="SAC")
