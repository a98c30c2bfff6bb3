"""One game: player selection, halves, and the end (SI-030 to SI-043, SI-112, SI-133 to SI-141)."""

from __future__ import annotations

from engine.asks import Play, arrange, choose, roll
from engine.clock import Clock
from engine.diamond import EMPTY
from engine.dice import Die
from engine.events import spoken
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.pool import gain
from engine.games.seventh_inning_stretch.state import REGULATION, Pool, State, Step
from engine.games.seventh_inning_stretch.words import club, notes, pitcher_labels, places
from engine.lazy import Lazy
from engine.seats import SEATS, Seat, other, put

NINE = 9
"""Batters in a line-up (SI-038)."""

D10 = Die("d10")
"""The line-up die (SI-003)."""


# Player selection ----------------------------------------------------------------------------------------------------


def select(s: State, seat: Seat) -> Step[None]:
    """Select the line-up, the leadoff batter and the pitcher (SI-038 to SI-042)."""
    yield from line_up(s, seat)
    yield from lead_off(s, seat)
    names = s.bench(seat, s.box.pitchers)
    name = names[0]
    if len(names) > 1:
        facts = {"labels": Lazy(pitcher_labels, s, names), "notes": Lazy(notes, s, names)}
        name = yield look_ahead.choice(s, seat, "pitcher", names, facts, look_ahead.starter, names)
    s.change(seat, pitcher=name)
    s.tell("pitches", pitcher=name)


def line_up(s: State, seat: Seat) -> Step[None]:
    """Ask for nine batters in order, or for the line-up of the last game."""
    squad = s.squad(seat)
    names = tuple(name for name in squad.roster if name in s.box.batters)
    again = {"notes": {"same": spoken(squad.laid)}}
    if squad.laid and (yield from choose(seat, "line-up-again", ("same", "new"), **again)) == "same":
        order = squad.laid
    else:
        spots = tuple(str(spot) for spot in range(1, min(NINE, len(names)) + 1))
        labels, about = places(spots), Lazy(notes, s, names)
        laid = yield from arrange(seat, "line-up", names, spots, labels=labels, notes=about, count=len(spots))
        order = tuple(laid.values())
    s.change(seat, lineup=order, laid=order)
    side = seat if s.duel else s.side
    s.tell("line-up", seat=side, team=club(s, side), order=list(order))


def lead_off(s: State, seat: Seat) -> Step[None]:
    """Roll the line-up die; if it shows no place, ask for the leadoff batter (SI-039, SI-040, A21, A26)."""
    order = s.squad(seat).lineup
    face = yield from roll(seat, "line-up-die", D10, count=len(order))
    s.dice, s.now, s.threw = (face,), "", "line-up-die"
    if face > len(order):
        face = order.index((yield from choose(seat, "lead-off", order, face=face, notes=Lazy(notes, s, order)))) + 1
    s.change(seat, slot=face - 1)
    s.tell("lead-off", spot=face, batter=order[face - 1])


# The game ------------------------------------------------------------------------------------------------------------


def begin(s: State, first: int) -> None:
    """Begin a scoreless game, in inning `first`: the bottom of a season's, the top of a duel's (SI-030, SI-199)."""
    s.winner, s.begun, s.outs, s.runs = None, False, 0, 0
    s.clock, s.score = Clock(first, "top" if s.duel else "bottom"), (0, 0)


def deficit(s: State) -> Step[None]:
    """Set the deficit at the start: a die's for a G.O.A.T., plus a playoff card's (SI-188, A8)."""
    down = s.force.down
    if s.has("goat"):
        face = yield from roll(s.offence, "goat")
        s.dice, s.now, s.threw = (face,), "", "goat"
        lost = 2 if face >= 5 else 1 if face >= 2 else 0
        s.tell("goat", face=face, down=lost)
        down += lost
    s.score = put((0, 0), other(s.side), down)


# The halves ----------------------------------------------------------------------------------------------------------


def begin_half(s: State) -> Play:
    """Begin a half: nobody on, nobody out, an empty pool but for a rookie's start (SI-058, SI-060, SI-186)."""
    yield from ()
    s.begun, s.outs, s.runs, s.bases = True, 0, 0, EMPTY
    s.pool, s.spent, s.dice, s.now, s.batter, s.banned, s.rested = Pool(), {}, (), "", "", False, True
    side = s.clock.batting
    s.tell("half-inning", seat=side, inning=s.clock.inning, half=s.clock.half, team=club(s, side))
    if s.batting and s.has("rookie"):
        gain(s, 1, 1, 1)
        s.tell("rookie")


def score(s: State, runs: int, batter: str = "", runners: tuple[str, ...] = (), by: str = "") -> None:
    """Score runs (SI-110, SI-111)."""
    if not runs:
        return
    side = s.clock.batting
    s.runs += runs
    s.score = put(s.score, side, s.score[SEATS.index(side)] + runs)
    facts = {"batter": batter, "runners": runners, "by": by} if runners else {}
    s.tell("scores", seat=side, scored=runs, team=club(s, side), **dict(zip(SEATS, s.score, strict=True)), **facts)


def walked_off(s: State) -> bool:
    """True if the home side has just won (SI-118, SI-119, SI-138, A11)."""
    if s.house["duelEnd"] == "bothBat" and s.duel:
        return False
    late = s.clock.inning > REGULATION and s.house["extraInningWalkoff"] == "false"
    return not late and s.clock.walked_off(*s.score, REGULATION)


def end_half(s: State) -> None:
    """End a half after three outs, or after the team's roll, and record the runs (SI-112, SI-129)."""
    s.tell("half-over", runs=s.runs, team=club(s, s.clock.batting), **dict(zip(SEATS, s.score, strict=True)))
    s.begun = False
    # If home leads after the top of the ninth, the bottom is not played (SI-133, SI-134, A27).
    short = s.house["duelEnd"] != "bothBat" or not s.duel
    if s.clock.decided(*s.score, REGULATION, skip_bottom=short):
        finish(s)
    else:
        s.clock = s.clock.next()


def finish(s: State) -> None:
    """End the game (SI-135, SI-141)."""
    away, home = s.score
    s.winner = "home" if home > away else "away"
    s.pool, s.begun, s.bases = Pool(), False, EMPTY
    s.tell("game-won", seat=s.winner, team=club(s, s.winner), best=max(s.score), least=min(s.score))


def next_batter(s: State, seat: Seat) -> None:
    """Move to the next batter; the first one follows the last (SI-116)."""
    squad = s.squad(seat)
    s.change(seat, slot=(squad.slot + 1) % len(squad.lineup))
