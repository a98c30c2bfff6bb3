"""Half-innings and the end of a game (3.6, 3.2.D, Gl. 1-2-3 INNING to STRIKEOUT THE SIDE)."""

from __future__ import annotations

from engine.asks import Play
from engine.diamond import EMPTY_BASES
from engine.games.clutch.at_bat.at_bat import at_bat
from engine.games.clutch.numbers.modifiers import card_bonus
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import REGULATION_INNINGS, State
from engine.games.clutch.strategy_cards import hands
from engine.games.clutch.strategy_cards.in_play import end_expired_effects
from engine.games.clutch.strategy_cards.windows import open_window
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat, replace_for_seat


def play_half(s: State) -> Play:
    if not s.begun:
        yield from begin_half(s)
    elif s.outs < 3:
        yield from at_bat(s)
    if s.is_walk_off and not s.ended:
        s.ended = "walk-off"
    if s.outs >= 3 and not s.ended:
        yield from end_half(s)


def begin_half(s: State) -> Play:
    """Begin a half-inning (CL-146). In extra innings a runner starts on second (CL-399)."""
    s.begun, s.outs, s.bases, s.runs, s.turns, s.walked = True, 0, EMPTY_BASES, 0, (), 0
    bench.record_positions(s, s.defense)
    s.emit("half-inning", seat=s.offense, team=s.team_name(s.offense), inning=s.clock.inning, half=s.clock.half)
    start = s.house["autoRunnerFromInning"]
    if start != "0" and s.clock.inning >= int(start):
        squad = s.squad(s.offense)
        name = squad.order[squad.slot - 1]
        s.bases = (None, BaseRunner(name, "", earned=False, automatic=True), None)
        s.emit("automatic-runner", seat=s.offense, runner=name)
    yield from open_window(s, "half")


def end_half(s: State) -> Play:
    """End a half-inning after three outs (CL-155). Managers draw a card unless the game is over (CL-075)."""
    yield from open_window(s, "end", *half_tags(s))
    s.update_at_bat(played=())
    if s.outs < 3 or s.ended:
        return
    s.bases = EMPTY_BASES
    arms = s.arms[SEATS.index(s.defense)]
    s.arms = replace_for_seat(s.arms, s.defense, {name: pitcher_record.end_half(arm) for name, arm in arms.items()})
    end_expired_effects(s, "half", "inning")
    if s.clock.is_decided(*s.score, REGULATION_INNINGS):
        s.ended = "innings"
        return
    if s.full:
        drawing: tuple[Seat, ...] = SEATS if s.house["drawPerHalf"] == "each" else (s.offense,)
        for side in drawing:
            yield from hands.draw_from_deck(s, side, max(0, 1 + card_bonus(s, "draw", side=side)))
    s.muted = frozenset()
    s.clock = s.clock.next_half()
    s.begun = False


def half_tags(s: State) -> tuple[str, ...]:
    """Return the card tags of the completed half-inning (CL-369, CL-376, CL-377, AM-50)."""
    found = ["scored" if s.runs else "scoreless"]
    three = len(s.turns) == 3
    if three and len({turn.pitcher for turn in s.turns}) == 1 and not any(turn.reached for turn in s.turns):
        found.append("one-two-three")
    if three and all(turn.outcome == "SO" for turn in s.turns):
        found.append("struck-out-the-side")
    if s.runs > 1:
        found.append("multi-run")
    return tuple(found)
