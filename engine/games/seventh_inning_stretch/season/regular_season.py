"""The regular season: six games, stars and standings (SI-016, SI-030 to SI-037, SI-139 to SI-150)."""

from __future__ import annotations

from engine.asks import Choose, Play, choose
from engine.clock import Outcome
from engine.games.seventh_inning_stretch.innings.look_ahead import unread
from engine.games.seventh_inning_stretch.innings.one_game import begin, deficit, select
from engine.games.seventh_inning_stretch.state import MANAGER, SERIES, State, Step
from engine.games.seventh_inning_stretch.words import team_labels, team_notes
from engine.lazy import Lazy

PHASES = ("set-up", "spring", "first", "deadline", "second", "entry", "recovery", "opponents", "spending", *SERIES)
"""The phases of a season in order."""

GAMES = 3
"""Games in each half of the season (SI-016)."""

ENTRY = 3
"""Stars that the playoffs cost (SI-150, SI-151)."""

FIRST = 7
"""The inning in which a game of a season begins (SI-030)."""

HOME = {3: "HAH", 7: "HHAAAHH"}
"""Home and away games of a series with Home Field, by its length; reversed without it (SI-164, SI-183)."""


def best_of(s: State) -> int:
    """Return the most games in a series (SI-169, SI-182)."""
    return 7 if s.extended else 3


def at_home(s: State) -> bool:
    """True if the next game is at home (SI-034, SI-148, SI-164, SI-183)."""
    if s.phase not in SERIES:
        # Games 1, 3 and 5.
        return len(s.won) % 2 == 0
    field = HOME[best_of(s)][len(s.series)] == "H"
    return field == s.green[SERIES.index(s.phase)]


def play_ball(s: State) -> Play:
    """Begin a game: opponent, deficit and player selection (SI-036 to SI-042, SI-143, SI-173, SI-188)."""
    if s.phase in SERIES or len(s.schedule) == 1:
        # In the playoffs the top of the pile is next (SI-174).
        s.opponent = s.schedule[0]
    else:
        where = "at home" if at_home(s) else "away"
        facts = {"labels": Lazy(team_labels, s, s.schedule), "notes": Lazy(team_notes, s, s.schedule)}
        s.opponent = yield from choose(MANAGER, "opponent", s.schedule, number=len(s.won) + 1, where=where, **facts)
    s.side = "home" if at_home(s) else "away"
    begin(s, FIRST)
    number = len(s.series if s.phase in SERIES else s.won) + 1
    s.tell("game", opens=True, number=number, team=s.team.name, where="at home" if s.side == "home" else "away")
    yield from deficit(s)
    yield from select(s, MANAGER)
    s.playing = True


def record(s: State) -> Play:
    """Record a game: result, stars, exhaustion, and the next phase (SI-139 to SI-150, A28)."""
    won = s.winner == s.side
    s.schedule = tuple(name for name in s.schedule if name != s.opponent)
    s.playing, s.winner, s.opponent = False, None, ""
    s.change(MANAGER, pitcher="", dugout=())
    if s.phase in SERIES:
        s.series = (*s.series, won)
        series(s)
    else:
        regular(s, won)
    if not s.outcome:
        yield from massage(s)


def regular(s: State, won: bool) -> None:
    """Record a regular-season game; after every third, pitchers rest and a phase ends (SI-144 to SI-149)."""
    s.won = (*s.won, won)
    if won:
        earned = 1 if s.phase == "first" else 2
        s.stars += earned
        s.tell("stars", earned=earned, stars=s.stars)
    if len(s.won) == GAMES:
        s.tired, s.phase = {}, "deadline"
        s.tell("deadline", won=sum(s.won))
    elif len(s.won) == 2 * GAMES:
        s.tired, s.phase = {}, "entry"
        s.tell("regular-season", won=sum(s.won), lost=len(s.won) - sum(s.won), stars=s.stars)


def massage(s: State) -> Step[None]:
    """Let the Pitching Coach take two exhaustion tokens off one pitcher, or one off each of two (SI-191)."""
    for why in ("pitching-coach", "pitching-coach-again"):
        if not s.has("pitching") or not s.tired:
            return
        tired = [f"{name} {count}" for name, count in s.tired.items()]
        # A pitcher who is less tired is never worse; of one alone nobody would refuse it.
        only = next(iter(s.tired)) if len(s.tired) == 1 and not unread(s) else None
        name = yield Choose(MANAGER, why, (*s.tired, "nobody"), {"tired": tired}, only)
        if name == "nobody":
            return
        s.tired = {one: count - (one == name) for one, count in s.tired.items() if count - (one == name)}
        s.tell("refreshed", pitcher=name, tokens=s.tired.get(name, 0))


def enter(s: State) -> Play:
    """Enter the playoffs for three stars, or end the season (SI-150, SI-151)."""
    yield from ()
    if s.stars < ENTRY:
        end(s, "no-playoffs", f"The playoffs cost {ENTRY} stars, and you have {s.stars}. The season is over.")
        return
    s.stars -= ENTRY
    s.tell("playoffs", stars=s.stars)
    # Nobody recovers before long playoffs (SI-179).
    s.phase = "opponents" if s.extended else "recovery"


def series(s: State) -> None:
    """Settle a series, which needs more than half of its games (SI-169, SI-175, SI-176, SI-178, SI-182)."""
    enough, wins = best_of(s) // 2 + 1, sum(s.series)
    losses = len(s.series) - wins
    s.tell("series", wins=wins, losses=losses)
    if losses == enough:
        end(s, f"{s.phase}-lost", f"The {title(s.phase)} are lost, {losses} to {wins}. The season is over.")
    elif wins == enough and s.phase == "finals":
        end(s, "season-won", f"The finals are won, {wins} to {losses}. You have won the season!")
    elif wins == enough:
        s.phase, s.schedule, s.finals, s.series = "finals", s.finals, (), ()
        if s.extended:
            # Only long playoffs give pitchers a rest in between (SI-177, SI-184).
            s.tired = {}
        s.tell("finals", teams=[s.box.teams[name].name for name in s.schedule[: best_of(s)]])


def title(phase: str) -> str:
    """Return the name of a series."""
    return "semifinals" if phase == "semifinals" else "finals"


def end(s: State, reason: str, sentence: str) -> None:
    """End the season, won or lost."""
    s.outcome = Outcome(MANAGER if reason == "season-won" else None, reason, sentence)
    s.tell("season-over", ending=sentence)
