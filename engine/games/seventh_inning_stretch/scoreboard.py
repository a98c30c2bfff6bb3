"""The scoreboard of 7th Inning Stretch for every display; a duel's hands are sealed for their owners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from engine.events import Told
from engine.games.seventh_inning_stretch.dice.goals import TITLES, Goal
from engine.games.seventh_inning_stretch.season.regular_season import GAMES, at_home, best_of, title
from engine.games.seventh_inning_stretch.state import MANAGER, SERIES, State
from engine.games.seventh_inning_stretch.words import OURS, TEAMS, club, reads, reads_team
from engine.scoreboard import Scoreboard, Side, line_score
from engine.seats import SEATS, Seat

COLOURS: dict[Seat, str] = {"away": "red", "home": "blue"}


def scoreboard(s: State, log: Sequence[Told]) -> Scoreboard:
    """Return the scoreboard of the game under way, or of the last one. Innings that are not played are empty."""
    fold = line_score(log)
    sides = {
        seat: Side(name(s, seat), COLOURS[seat], line(s, seat, fold.lines[seat]), s.score[i], fold.hits[seat])
        for i, seat in enumerate(SEATS)
    }
    first, second, third = s.bases
    up = s.playing and s.begun and not s.outcome
    order = s.squad(s.offence) if up and s.batting else None
    pitches = bool(s.squad(s.defence).pitcher) and (s.duel or not s.batting)
    return Scoreboard(
        game="seventh-inning-stretch",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.clock.batting if up else None,
        outs=s.outs,
        bases=(first, second, third),
        batter=order.lineup[order.slot] if order else None,
        on_deck=order.lineup[(order.slot + 1) % len(order.lineup)] if order else None,
        pitcher=s.pitcher.name if pitches else None,
        fatigue=s.tired.get(s.pitcher.name, 0) if pitches else None,
        dice=s.dice,
        plays={seat: seat for seat in SEATS} if s.duel else {MANAGER: s.side},
        panel={
            "mode": s.house["mode"],
            "stands": stands(s),
            "phase": s.phase,
            "playing": s.playing,
            "pool": pool(s) if up and s.batting else None,
            "card": card(s) if up and s.batting else None,
            "pitcher": pitcher(s) if up and pitches else None,
            "team": team(s),
            "force": s.force.text,
            "squads": {seat: squad(s, seat) for seat in (SEATS if s.duel else (MANAGER,))},
            "season": None if s.duel else season(s),
            "hands": {seat: s.hands[i] for i, seat in enumerate(SEATS)} if s.duel else None,
        },
    )


def name(s: State, side: Seat) -> str:
    """Return the name of a side, also before the first game."""
    if s.duel or s.opponent:
        return club(s, side)
    return OURS if side == s.side else "Opponent"


def line(s: State, side: Seat, runs: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the score tokens: the runs of each half, or the totals so far with the opponent's head start (A35, A8)."""
    # A season's games begin in the bottom of the seventh.
    skipped = 0 if s.duel else 6 + (side == "away")
    if s.house["scoreToken"] == "half":
        return (*(None,) * skipped, *runs)
    made = tuple(one or 0 for one in runs)
    given = s.score[SEATS.index(side)] - sum(made)
    return (*(None,) * skipped, *(given + total for total in accumulate(made)))


def stands(s: State) -> str:
    """Return where the season stands, in a few words, by which people recognize a stored game."""
    if s.outcome:
        return s.outcome.sentence
    if s.duel:
        return f"Duel, inning {s.clock.inning}" if s.playing else "Duel, the draft"
    if s.phase in SERIES:
        return f"{title(s.phase).capitalize()}, game {len(s.series) + 1}"
    if s.phase in ("first", "second"):
        return f"{s.phase.capitalize()} half, game {len(s.won) + 1}"
    between = {"set-up": "Before the season", "spring": "Spring training", "deadline": "Trade deadline"}
    return between.get(s.phase, "Before the playoffs")


def pool(s: State) -> dict[str, Any]:
    """Return the dice and tokens of the pool, and those left in the supply."""
    supply = s.supply
    return {
        "dice": s.pool.dice + s.coached,
        "rerolls": s.pool.rerolls,
        "nudges": s.pool.nudges,
        "supply": {"dice": supply.dice, "rerolls": supply.rerolls, "nudges": supply.nudges},
        "coach": bool(s.coached),
        "veteran": s.veteran if s.has("veteran") else None,
    }


def card(s: State) -> dict[str, Any]:
    """Return the current batter's card; with dice on the table, the lines they meet and the odds of the others."""
    batter = s.hitter
    faces = s.dice if s.threw == "swing" and s.batter else ()
    goal = Goal(batter.lines, blank=batter.blank)
    met = goal.met(faces, s.at) if faces else ()
    left = s.usable
    hopes = goal.hopes(faces, left.rerolls, left.nudges, s.at) if faces else {}
    return {
        "name": batter.name,
        "reads": reads(batter),
        "lines": [
            {
                "text": one.text,
                "outcome": TITLES[one.outcome],
                "met": one.outcome in met,
                "hope": hope(hopes, one.outcome),
            }
            for one in batter.lines
        ],
    }


def hope(hopes: Mapping[str, Fraction | None], outcome: str) -> float | None:
    """Return the chance to get this outcome from the dice, 0 to 1; -1 if merely possible, None without dice."""
    if outcome not in hopes:
        return None
    chance = hopes[outcome]
    return -1.0 if chance is None else float(chance)


def pitcher(s: State) -> dict[str, Any]:
    """Return the current pitcher's card."""
    one = s.pitcher
    return {"name": one.name, "reads": reads(one), "stamina": one.stamina, "tired": s.tired.get(one.name, 0)}


def team(s: State) -> dict[str, Any] | None:
    """Return the opposing team."""
    return side_up(s, s.opponent) if s.opponent else None


def side_up(s: State, of: str) -> dict[str, Any]:
    """Return the team side of a card (SI-011, SI-027)."""
    one = s.box.teams[of]
    return {"name": one.name, "short": one.short, "letter": one.letter, "tier": one.tier, "reads": reads_team(one)}


def squad(s: State, seat: Seat) -> dict[str, Any]:
    """Return line-up, bench and dugout of a seat, and its pitchers with their exhaustion (SI-021)."""
    mine = s.squad(seat)
    bases = {runner: base for base, runner in enumerate(s.bases, 1) if runner}
    return {
        "team": TEAMS[seat] if s.duel else OURS,
        "lineup": [
            {"name": one, "due": s.playing and at == mine.slot, "base": bases.get(one, 0)}
            for at, one in enumerate(mine.lineup)
        ],
        "bench": [one for one in mine.bench if one in s.box.batters],
        "dugout": list(mine.dugout),
        "pitchers": [
            {
                "name": one,
                "reads": reads(s.box.pitchers[one]),
                "stamina": s.box.pitchers[one].stamina,
                "tired": s.tired.get(one, 0),
                "pitches": one == mine.pitcher,
                "out": one in mine.dugout,
            }
            for one in mine.roster
            if one in s.box.pitchers
        ],
        "batters": [{"name": one, "reads": reads(s.box.batters[one])} for one in mine.roster if one in s.box.batters],
    }


def season(s: State) -> dict[str, Any]:
    """Return the season board: wins, stars, schedules and playoff cards (SI-139)."""
    late = s.phase in ("spending", *SERIES)
    cards = {
        of: {
            "level": level,
            "green": green,
            "force": s.box.playoffs[of, level].green.text if green else s.box.playoffs[of, level].grey.text,
        }
        for of, level, green in zip(SERIES, s.levels, s.green, strict=True)
    }
    return {
        "won": s.won,
        "games": 2 * GAMES,
        "stars": s.stars,
        "schedule": [side_up(s, one) for one in s.schedule],
        "finals": [side_up(s, one) for one in s.finals],
        "tops": {str(tier): side_up(s, top) for tier, top in s.tops.items() if top},
        "series": s.series if s.phase in SERIES else (),
        "wins_needed": best_of(s) // 2 + 1,
        "cards": cards if late else None,
        "at_home": home(s),
    }


def home(s: State) -> bool | None:
    """Return True if the game under way, or else the next one, is at home; None if no game is next."""
    if s.playing:
        return s.side == "home"
    return at_home(s) if s.phase in ("first", "second", *SERIES) and not s.outcome else None
