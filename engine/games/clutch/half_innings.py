"""Half-innings, and how a game ends (3.6, 3.2.D, Gl. 1-2-3 INNING to STRIKEOUT THE SIDE)."""

from __future__ import annotations

from engine.asks import Play
from engine.diamond import EMPTY
from engine.games.clutch.at_bat.at_bat import at_bat
from engine.games.clutch.numbers.modifiers import added
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import REGULATION, State
from engine.games.clutch.strategy_cards import hands
from engine.games.clutch.strategy_cards.in_play import lapse
from engine.games.clutch.strategy_cards.windows import window
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat, put


def half(s: State) -> Play:
    """Play the next part of a half-inning: its beginning, an at-bat, or its end."""
    if not s.begun:
        yield from begin(s)
    elif s.outs < 3:
        yield from at_bat(s)
    if s.over and not s.ended:
        s.ended = "walk-off"
    if s.outs >= 3 and not s.ended:
        yield from end(s)


def begin(s: State) -> Play:
    """Begin a half-inning (CL-146); in extra innings with a runner on second (CL-399)."""
    s.begun, s.outs, s.bases, s.runs, s.turns, s.walked = True, 0, EMPTY, 0, (), 0
    bench.take_field(s, s.defence)
    s.tell("half-inning", seat=s.offence, team=s.team(s.offence), inning=s.clock.inning, half=s.clock.half)
    start = s.house["autoRunnerFromInning"]
    if start != "0" and s.clock.inning >= int(start):
        squad = s.squad(s.offence)
        name = squad.order[squad.slot - 1]
        s.bases = (None, Runner(name, "", earned=False, automatic=True), None)
        s.tell("automatic-runner", seat=s.offence, runner=name)
    yield from window(s, "half")


def end(s: State) -> Play:
    """End a half-inning after three outs (CL-155); unless the game is over, managers draw a card (CL-075)."""
    yield from window(s, "end", *marks(s))
    s.now(played=())
    if s.outs < 3 or s.ended:
        return
    s.bases = EMPTY
    arms = s.arms[SEATS.index(s.defence)]
    s.arms = put(s.arms, s.defence, {name: pitcher_record.half_over(arm) for name, arm in arms.items()})
    lapse(s, "half", "inning")
    if s.clock.decided(*s.score, REGULATION):
        s.ended = "innings"
        return
    if s.full:
        drawing: tuple[Seat, ...] = SEATS if s.house["drawPerHalf"] == "each" else (s.offence,)
        for side in drawing:
            yield from hands.draw(s, side, max(0, 1 + added(s, "draw", side=side)))
    s.muted = frozenset()
    s.clock = s.clock.next()
    s.begun = False


def marks(s: State) -> tuple[str, ...]:
    """Return the tags of the half-inning that is over (CL-369, CL-376, CL-377, AM-50)."""
    found = ["scored" if s.runs else "scoreless"]
    three = len(s.turns) == 3
    if three and len({turn.pitcher for turn in s.turns}) == 1 and not any(turn.reached for turn in s.turns):
        found.append("one-two-three")
    if three and all(turn.outcome == "SO" for turn in s.turns):
        found.append("struck-out-the-side")
    if s.runs > 1:
        found.append("multi-run")
    return tuple(found)
