"""One game from player selection to its end (SI-030 to SI-043, SI-112, SI-133 to SI-141)."""

from __future__ import annotations

from engine.asks import Play, arrange, choose, roll
from engine.diamond import EMPTY_BASES
from engine.dice import Die
from engine.events import spoken_list
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.pool import gain_resources
from engine.games.seventh_inning_stretch.state import REGULATION_INNINGS, Pool, State, Step
from engine.games.seventh_inning_stretch.words import lineup_place_labels, pitcher_labels, player_notes, team_name
from engine.innings import InningClock
from engine.lazy import LazyFact
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat

LINEUP_SIZE = 9
"""Batters in a lineup (SI-038)."""

LINEUP_DIE = Die("d10")
"""The lineup die (SI-003)."""


# Player selection ----------------------------------------------------------------------------------------------------


def select_players(s: State, seat: Seat) -> Step[None]:
    """Select the lineup, the leadoff batter and the pitcher (SI-038 to SI-042)."""
    yield from select_lineup(s, seat)
    yield from select_leadoff_batter(s, seat)
    names = s.bench_players(seat, s.box.pitchers)
    name = names[0]
    if len(names) > 1:
        facts = {"labels": LazyFact(pitcher_labels, s, names), "notes": LazyFact(player_notes, s, names)}
        name = yield look_ahead.choice_ask(s, seat, "pitcher", names, facts, look_ahead.only_fresh_starter, names)
    s.update_squad(seat, pitcher=name)
    s.emit("pitches", seat=seat if s.duel else s.side, pitcher=name)


def select_lineup(s: State, seat: Seat) -> Step[None]:
    """Ask for nine batters in order, or for the lineup of the last game."""
    squad = s.squad(seat)
    names = tuple(name for name in squad.roster if name in s.box.batters)
    again = {"notes": {"same": spoken_list(squad.laid)}}
    if squad.laid and (yield from choose(seat, "line-up-again", ("same", "new"), **again)) == "same":
        order = squad.laid
    else:
        spots = tuple(str(spot) for spot in range(1, min(LINEUP_SIZE, len(names)) + 1))
        labels, about = lineup_place_labels(spots), LazyFact(player_notes, s, names)
        laid = yield from arrange(seat, "line-up", names, spots, labels=labels, notes=about, count=len(spots))
        order = tuple(laid.values())
    s.update_squad(seat, lineup=order, laid=order)
    side = seat if s.duel else s.side
    s.emit("line-up", seat=side, team=team_name(s, side), order=list(order))


def select_leadoff_batter(s: State, seat: Seat) -> Step[None]:
    """Roll the lineup die for the leadoff batter. If it shows no place, ask (SI-039, SI-040, A21, A26)."""
    order = s.squad(seat).lineup
    face = yield from roll(seat, "line-up-die", LINEUP_DIE, count=len(order))
    s.dice, s.now, s.threw = (face,), "", "line-up-die"
    if face > len(order):
        face = (
            order.index((yield from choose(seat, "lead-off", order, face=face, notes=LazyFact(player_notes, s, order))))
            + 1
        )
    s.update_squad(seat, slot=face - 1)
    s.emit("lead-off", spot=face, batter=order[face - 1])


# The game ------------------------------------------------------------------------------------------------------------


def begin_game(s: State, first: int) -> None:
    """Begin a scoreless game in inning `first`, in the bottom half in a season, the top in a duel (SI-030, SI-199)."""
    s.winner, s.begun, s.outs, s.runs = None, False, 0, 0
    s.clock, s.score = InningClock(first, "top" if s.duel else "bottom"), (0, 0)


def set_deficit(s: State) -> Step[None]:
    """Set the deficit at the start by a G.O.A.T.'s die and the playoff card (SI-188, A8)."""
    down = s.playoff_condition.down
    if s.has_variant("goat"):
        face = yield from roll(s.offense, "goat")
        s.dice, s.now, s.threw = (face,), "", "goat"
        lost = 2 if face >= 5 else 1 if face >= 2 else 0
        s.emit("goat", face=face, down=lost)
        down += lost
    s.score = replace_for_seat((0, 0), opposite_seat(s.side), down)


# The halves ----------------------------------------------------------------------------------------------------------


def begin_half(s: State) -> Play:
    """Begin a half with the bases and the pool empty, except for a rookie's start (SI-058, SI-060, SI-186)."""
    yield from ()
    s.begun, s.outs, s.runs, s.bases = True, 0, 0, EMPTY_BASES
    s.pool, s.spent, s.dice, s.now, s.batter, s.banned, s.rested = Pool(), {}, (), "", "", False, True
    side = s.clock.batting_seat
    s.emit("half-inning", seat=side, inning=s.clock.inning, half=s.clock.half, team=team_name(s, side))
    if s.is_person_batting and s.has_variant("rookie"):
        gain_resources(s, 1, 1, 1)
        s.emit("rookie")


def score_runs(s: State, runs: int, batter: str = "", runners: tuple[str, ...] = (), by: str = "") -> None:
    """Score runs (SI-110, SI-111)."""
    if not runs:
        return
    side = s.clock.batting_seat
    s.runs += runs
    s.score = replace_for_seat(s.score, side, s.score[SEATS.index(side)] + runs)
    facts = {"batter": batter, "runners": runners, "by": by} if runners else {}
    s.emit("scores", seat=side, scored=runs, team=team_name(s, side), **dict(zip(SEATS, s.score, strict=True)), **facts)


def is_walk_off(s: State) -> bool:
    """True if the home side has just won (SI-118, SI-119, SI-138, A11)."""
    if s.house["duelEnd"] == "bothBat" and s.duel:
        return False
    late = s.clock.inning > REGULATION_INNINGS and s.house["extraInningWalkoff"] == "false"
    return not late and s.clock.is_walk_off(*s.score, REGULATION_INNINGS)


def end_half(s: State) -> None:
    """End a half after three outs or the team's roll, and record its runs (SI-112, SI-129)."""
    s.emit("half-over", runs=s.runs, team=team_name(s, s.clock.batting_seat), **dict(zip(SEATS, s.score, strict=True)))
    s.begun = False
    # If home leads after the top of the ninth, the bottom is not played (SI-133, SI-134, A27).
    short = s.house["duelEnd"] != "bothBat" or not s.duel
    if s.clock.is_decided(*s.score, REGULATION_INNINGS, skip_bottom=short):
        end_game(s)
    else:
        s.clock = s.clock.next_half()


def end_game(s: State) -> None:
    """End the game (SI-135, SI-141)."""
    away, home = s.score
    s.winner = "home" if home > away else "away"
    s.pool, s.begun, s.bases = Pool(), False, EMPTY_BASES
    s.emit("game-won", seat=s.winner, team=team_name(s, s.winner), best=max(s.score), least=min(s.score))


def advance_batting_order(s: State, seat: Seat) -> None:
    """Advance to the next batter. The first one follows the last (SI-116)."""
    squad = s.squad(seat)
    s.update_squad(seat, slot=(squad.slot + 1) % len(squad.lineup))
