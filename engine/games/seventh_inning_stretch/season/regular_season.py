"""The regular season with its six games, stars and standings (SI-016, SI-030 to SI-037, SI-139 to SI-150)."""

from __future__ import annotations

from engine.asks import Choose, Play, choose
from engine.games.seventh_inning_stretch.innings.look_ahead import has_blank_card
from engine.games.seventh_inning_stretch.innings.one_game import begin_game, select_players, set_deficit
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, PLAYOFF_SERIES, State, Step
from engine.games.seventh_inning_stretch.words import team_labels, team_notes
from engine.innings import Outcome
from engine.lazy import LazyFact

SEASON_PHASES = (
    "set-up",
    "spring",
    "first",
    "deadline",
    "second",
    "entry",
    "recovery",
    "opponents",
    "spending",
    *PLAYOFF_SERIES,
)
"""Phases of a season, in order."""

HALF_SEASON_GAMES = 3
"""Games in each half of the season (SI-016)."""

PLAYOFF_ENTRY_STARS = 3
"""Price of the playoffs in stars (SI-150, SI-151)."""

FIRST_INNING = 7
"""First inning of a season's game (SI-030)."""

HOME_FIELD_PATTERNS = {3: "HAH", 7: "HHAAAHH"}
"""Home (H) and away (A) games of a series with Home Field, by length. Without it they are swapped (SI-164, SI-183)."""


def series_length(s: State) -> int:
    """Return the most games of a series (SI-169, SI-182)."""
    return 7 if s.has_long_playoffs else 3


def is_at_home(s: State) -> bool:
    """True if the next game is at home (SI-034, SI-148, SI-164, SI-183)."""
    if s.phase not in PLAYOFF_SERIES:
        # Games 1, 3 and 5.
        return len(s.won) % 2 == 0
    field = HOME_FIELD_PATTERNS[series_length(s)][len(s.series)] == "H"
    return field == s.green[PLAYOFF_SERIES.index(s.phase)]


def play_ball(s: State) -> Play:
    """Begin a game with its opponent, deficit and players (SI-036 to SI-042, SI-143, SI-173, SI-188)."""
    if s.phase in PLAYOFF_SERIES or len(s.schedule) == 1:
        # In the playoffs the top of the pile is next (SI-174).
        s.opponent = s.schedule[0]
    else:
        where = "at home" if is_at_home(s) else "away"
        facts = {"labels": LazyFact(team_labels, s, s.schedule), "notes": LazyFact(team_notes, s, s.schedule)}
        s.opponent = yield from choose(
            MANAGER_SEAT, "opponent", s.schedule, number=len(s.won) + 1, where=where, **facts
        )
    s.side = "home" if is_at_home(s) else "away"
    begin_game(s, FIRST_INNING)
    number = len(s.series if s.phase in PLAYOFF_SERIES else s.won) + 1
    s.emit(
        "game", opens=True, number=number, team=s.opponent_team.name, where="at home" if s.side == "home" else "away"
    )
    yield from set_deficit(s)
    yield from select_players(s, MANAGER_SEAT)
    s.playing = True


def record_game(s: State) -> Play:
    """Record a game with its result, stars, exhaustion and next phase (SI-139 to SI-150, A28)."""
    won = s.winner == s.side
    s.schedule = tuple(name for name in s.schedule if name != s.opponent)
    s.playing, s.winner, s.opponent = False, None, ""
    s.update_squad(MANAGER_SEAT, pitcher="", dugout=())
    if s.phase in PLAYOFF_SERIES:
        s.series = (*s.series, won)
        end_series_if_decided(s)
    else:
        record_regular_game(s, won)
    if not s.outcome:
        yield from rest_pitchers(s)


def record_regular_game(s: State, won: bool) -> None:
    """Record a regular-season game. After every third, pitchers rest and a phase ends (SI-144 to SI-149)."""
    s.won = (*s.won, won)
    if won:
        earned = 1 if s.phase == "first" else 2
        s.stars += earned
        s.emit("stars", earned=earned, stars=s.stars)
    if len(s.won) == HALF_SEASON_GAMES:
        s.tired, s.phase = {}, "deadline"
        s.emit("deadline", won=sum(s.won))
    elif len(s.won) == 2 * HALF_SEASON_GAMES:
        s.tired, s.phase = {}, "entry"
        s.emit("regular-season", won=sum(s.won), lost=len(s.won) - sum(s.won), stars=s.stars)


def rest_pitchers(s: State) -> Step[None]:
    """Let the Pitching Coach take two exhaustion tokens off one pitcher, or one off each of two (SI-191)."""
    for why in ("pitching-coach", "pitching-coach-again"):
        if not s.has_variant("pitching") or not s.tired:
            return
        tired = [f"{name} {count}" for name, count in s.tired.items()]
        # A less tired pitcher is never worse, so with only one the choice is moot.
        only = next(iter(s.tired)) if len(s.tired) == 1 and not has_blank_card(s) else None
        name = yield Choose(MANAGER_SEAT, why, (*s.tired, "nobody"), {"tired": tired}, only)
        if name == "nobody":
            return
        s.tired = {one: count - (one == name) for one, count in s.tired.items() if count - (one == name)}
        s.emit("refreshed", pitcher=name, tokens=s.tired.get(name, 0))


def enter_playoffs(s: State) -> Play:
    """Enter the playoffs for three stars, or end the season (SI-150, SI-151)."""
    yield from ()
    if s.stars < PLAYOFF_ENTRY_STARS:
        end_season(
            s,
            "no-playoffs",
            f"The playoffs cost {PLAYOFF_ENTRY_STARS} stars, and you have {s.stars}. The season is over.",
        )
        return
    s.stars -= PLAYOFF_ENTRY_STARS
    s.emit("playoffs", stars=s.stars)
    # There is no recovery before long playoffs (SI-179).
    s.phase = "opponents" if s.has_long_playoffs else "recovery"


def end_series_if_decided(s: State) -> None:
    """End a series after a majority of its games (SI-169, SI-175, SI-176, SI-178, SI-182)."""
    enough, wins = series_length(s) // 2 + 1, sum(s.series)
    losses = len(s.series) - wins
    s.emit("series", wins=wins, losses=losses)
    if losses == enough:
        end_season(
            s, f"{s.phase}-lost", f"The {series_name(s.phase)} are lost, {losses} to {wins}. The season is over."
        )
    elif wins == enough and s.phase == "finals":
        end_season(s, "season-won", f"The finals are won, {wins} to {losses}. You have won the season!")
    elif wins == enough:
        s.phase, s.schedule, s.finals, s.series = "finals", s.finals, (), ()
        if s.has_long_playoffs:
            # Only long playoffs rest pitchers between series (SI-177, SI-184).
            s.tired = {}
        s.emit("finals", teams=[s.box.teams[name].name for name in s.schedule[: series_length(s)]])


def series_name(phase: str) -> str:
    return "semifinals" if phase == "semifinals" else "finals"


def end_season(s: State, reason: str, sentence: str) -> None:
    s.outcome = Outcome(MANAGER_SEAT if reason == "season-won" else None, reason, sentence)
    s.emit("season-over", ending=sentence)
