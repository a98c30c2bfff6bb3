"""Scoreboard of 7th Inning Stretch for every display. A duel's hands are sealed for their owners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

from engine.events import LoggedEvent
from engine.games.seventh_inning_stretch.dice.goals import OUTCOME_NAMES, RollGoal
from engine.games.seventh_inning_stretch.innings.defense import team_dice
from engine.games.seventh_inning_stretch.season.regular_season import (
    HALF_SEASON_GAMES,
    is_at_home,
    series_length,
    series_name,
)
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, PLAYOFF_SERIES, Pool, State
from engine.games.seventh_inning_stretch.words import describe_card, describe_team, manager_team_name, team_name
from engine.scoreboard import GamePanel, Scoreboard, SideScore, due_up_batters, line_score
from engine.seats import SEATS, Seat

SIDE_COLORS: dict[Seat, str] = {"away": "red", "home": "blue"}


def build_scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Build the scoreboard of the current or last game. Innings that are not played are empty."""
    fold = line_score(log)
    sides = {
        seat: SideScore(
            side_name(s, seat), SIDE_COLORS[seat], score_tokens(s, seat, fold.lines[seat]), s.score[i], fold.hits[seat]
        )
        for i, seat in enumerate(SEATS)
    }
    first, second, third = s.bases
    up = s.playing and s.begun and not s.outcome
    order = s.squad(s.offense) if up and s.is_person_batting else None
    pitches = bool(s.squad(s.defense).pitcher) and (s.duel or not s.is_person_batting)
    return Scoreboard(
        game="seventh-inning-stretch",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.clock.batting_seat if up else None,
        outs=s.outs,
        bases=(first, second, third),
        batter=order.lineup[order.slot] if order else None,
        on_deck=order.lineup[(order.slot + 1) % len(order.lineup)] if order else None,
        due_up=due_up_batters(order.lineup, order.slot) if order else (),
        pitcher=s.pitcher_card.name if pitches else None,
        fatigue=s.tired.get(s.pitcher_card.name, 0) if pitches else None,
        dice=s.dice,
        plays={seat: seat for seat in SEATS} if s.duel else {MANAGER_SEAT: s.side},
        panel={
            "mode": s.house["mode"],
            "stands": progress_text(s),
            "phase": s.phase,
            "playing": s.playing,
            "pool": pool_panel(s) if up and s.is_person_batting else None,
            "card": card_panel(s) if up and s.is_person_batting else None,
            "pitcher": pitcher_panel(s) if up and pitches else None,
            "team": opponent_panel(s) if s.opponent else None,
            "now": s.now,
            "force": s.playoff_condition.text,
            "squads": {seat: squad_panel(s, seat) for seat in (SEATS if s.duel else (MANAGER_SEAT,))},
            "season": None if s.duel else season_panel(s),
            "hands": {seat: s.hands[i] for i, seat in enumerate(SEATS)} if s.duel else None,
        },
    )


def side_name(s: State, side: Seat) -> str:
    """Return the name of a side, even before the first game."""
    if s.duel or s.opponent:
        return team_name(s, side)
    return manager_team_name(s) if side == s.side else "Opponent"


def score_tokens(s: State, side: Seat, runs: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the runs of each half, or the running totals with the opponent's head start (A35, A8)."""
    # A season's games begin in the bottom of the seventh.
    skipped = 0 if s.duel else 6 + (side == "away")
    if s.house["scoreToken"] == "half":
        return (*(None,) * skipped, *runs)
    made = tuple(one or 0 for one in runs)
    given = s.score[SEATS.index(side)] - sum(made)
    return (*(None,) * skipped, *(given + total for total in accumulate(made)))


def progress_text(s: State) -> str:
    """Return the progress of the season in a few words, by which people recognize a stored game."""
    if s.outcome:
        return s.outcome.sentence
    if s.duel:
        before = "batting order" if s.phase == "selection" else "the draft"
        return f"Duel, inning {s.clock.inning}" if s.playing else f"Duel, {before}"
    if s.phase in PLAYOFF_SERIES:
        return f"{series_name(s.phase).capitalize()}, game {len(s.series) + 1}"
    if s.phase in ("first", "second"):
        return f"{s.phase.capitalize()} half, game {len(s.won) + 1}"
    between = {"set-up": "Before the season", "spring": "Spring training", "deadline": "Trade deadline"}
    return between.get(s.phase, "Before the playoffs")


@dataclass(frozen=True, slots=True, eq=False)
class PoolPanel(GamePanel):
    """The dice and tokens of the pool, and those left in the supply. `veteran` are the remaining calls."""

    dice: int
    rerolls: int
    nudges: int
    supply: Pool
    coach: bool
    veteran: int | None


def pool_panel(s: State) -> PoolPanel:
    veteran = s.veteran if s.has_variant("veteran") else None
    return PoolPanel(
        s.pool.dice + s.coach_dice_count,
        s.pool.rerolls,
        s.pool.nudges,
        s.supply_left,
        bool(s.coach_dice_count),
        veteran,
    )


@dataclass(frozen=True, slots=True, eq=False)
class LinePanel(GamePanel):
    """A line of the batter's card. `hope` is its chance, 0 to 1, or -1 if merely possible, or None without dice."""

    text: str
    outcome: str
    met: bool
    hope: float | None


@dataclass(frozen=True, slots=True, eq=False)
class BatterCardPanel(GamePanel):
    """The current batter's card."""

    name: str
    reads: str
    lines: tuple[LinePanel, ...]


def card_panel(s: State) -> BatterCardPanel:
    """Return the current batter's card. After the roll it has the met lines and the odds of the others."""
    batter = s.batter_card
    faces = s.dice if s.threw == "swing" and s.batter else ()
    goal = RollGoal(batter.lines, blank=batter.blank)
    met = goal.met_outcomes(faces, s.guard_facts) if faces else ()
    hopes = goal.best_chances(faces, s.usable_tokens.rerolls, s.usable_tokens.nudges, s.guard_facts) if faces else {}
    lines = (
        LinePanel(one.text, OUTCOME_NAMES[one.outcome], one.outcome in met, line_chance(hopes, one.outcome))
        for one in batter.lines
    )
    return BatterCardPanel(batter.name, describe_card(batter), tuple(lines))


def line_chance(hopes: Mapping[str, Fraction | None], outcome: str) -> float | None:
    if outcome not in hopes:
        return None
    chance = hopes[outcome]
    return -1.0 if chance is None else float(chance)


@dataclass(frozen=True, slots=True, eq=False)
class PitcherPanel(GamePanel):
    """The current pitcher's card and exhaustion."""

    name: str
    reads: str
    stamina: int
    tired: int


def pitcher_panel(s: State) -> PitcherPanel:
    one = s.pitcher_card
    return PitcherPanel(one.name, describe_card(one), one.stamina, s.tired.get(one.name, 0))


@dataclass(frozen=True, slots=True, eq=False)
class TeamPanel(GamePanel):
    """The team side of a card (SI-011, SI-027)."""

    name: str
    short: str
    letter: str
    tier: int
    reads: str


def team_panels(s: State, names: Iterable[str]) -> tuple[TeamPanel, ...]:
    found = (s.box.teams[name] for name in names)
    return tuple(TeamPanel(one.name, one.short, one.letter, one.tier, describe_team(one)) for one in found)


def opponent_panel(s: State) -> TeamPanel:
    """Return the current opponent, with dice and runs after a playoff card."""
    (printed,) = team_panels(s, [s.opponent])
    return replace(printed, reads=describe_team(s.opponent_team, *team_dice(s), s.playoff_condition.more_runs))


@dataclass(frozen=True, slots=True, eq=False)
class LineupPanel(GamePanel):
    """A place in a lineup. `due` marks the next batter, and `base` is the player's base as a runner, 0 for none."""

    name: str
    due: bool
    base: int


@dataclass(frozen=True, slots=True, eq=False)
class RosterPitcherPanel(PitcherPanel):
    """A pitcher of the roster. `pitches` marks the current one, `out` those who have left this game."""

    pitches: bool
    out: bool


@dataclass(frozen=True, slots=True, eq=False)
class RosterBatterPanel(GamePanel):
    """A batter of the roster, with the card in words."""

    name: str
    reads: str


@dataclass(frozen=True, slots=True, eq=False)
class SquadPanel(GamePanel):
    """The lineup, bench, dugout and roster of a seat (SI-021)."""

    team: str
    lineup: tuple[LineupPanel, ...]
    bench: tuple[str, ...]
    dugout: tuple[str, ...]
    pitchers: tuple[RosterPitcherPanel, ...]
    batters: tuple[RosterBatterPanel, ...]


def squad_panel(s: State, seat: Seat) -> SquadPanel:
    mine = s.squad(seat)
    bases = {runner: base for base, runner in enumerate(s.bases, 1) if runner}
    arms = (s.box.pitchers[one] for one in mine.roster if one in s.box.pitchers)
    return SquadPanel(
        team=team_name(s, seat) if s.duel else manager_team_name(s),
        lineup=tuple(
            LineupPanel(one, s.playing and at == mine.slot, bases.get(one, 0)) for at, one in enumerate(mine.lineup)
        ),
        bench=tuple(one for one in mine.available_players if one in s.box.batters),
        dugout=mine.dugout,
        pitchers=tuple(
            RosterPitcherPanel(
                one.name,
                describe_card(one),
                one.stamina,
                s.tired.get(one.name, 0),
                one.name == mine.pitcher,
                one.name in mine.dugout,
            )
            for one in arms
        ),
        batters=tuple(
            RosterBatterPanel(one, describe_card(s.box.batters[one])) for one in mine.roster if one in s.box.batters
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlayoffCardPanel(GamePanel):
    """A playoff card with its level, its upper side, and that side's condition."""

    level: int
    green: bool
    force: str


@dataclass(frozen=True, slots=True, eq=False)
class SeasonPanel(GamePanel):
    """The season board (SI-139). `cards` are the playoff cards by series, None before the playoffs."""

    won: tuple[bool, ...]
    games: int
    stars: int
    schedule: tuple[TeamPanel, ...]
    finals: tuple[TeamPanel, ...]
    tops: Mapping[str, TeamPanel]
    series: tuple[bool, ...]
    wins_needed: int
    cards: Mapping[str, PlayoffCardPanel] | None
    at_home: bool | None


def season_panel(s: State) -> SeasonPanel:
    cards = {}
    for of, level, green in zip(PLAYOFF_SERIES, s.levels, s.green, strict=True):
        card = s.box.playoffs[of, level]
        cards[of] = PlayoffCardPanel(level, green, (card.green if green else card.grey).text)
    return SeasonPanel(
        won=s.won,
        games=2 * HALF_SEASON_GAMES,
        stars=s.stars,
        schedule=team_panels(s, s.schedule),
        finals=team_panels(s, s.finals),
        tops={str(tier): team_panels(s, [top])[0] for tier, top in s.tops.items() if top},
        series=s.series if s.phase in PLAYOFF_SERIES else (),
        wins_needed=series_length(s) // 2 + 1,
        cards=cards if s.phase in ("spending", *PLAYOFF_SERIES) else None,
        at_home=is_home_game(s),
    )


def is_home_game(s: State) -> bool | None:
    """Return True if the current or next game is at home, or None if no game is next."""
    if s.playing:
        return s.side == "home"
    return is_at_home(s) if s.phase in ("first", "second", *PLAYOFF_SERIES) and not s.outcome else None
