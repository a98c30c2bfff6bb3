"""The scoreboard of Clutch for every display; hands are sealed for their owners (CL-057, CL-081, CL-084, CL-220)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from engine.diamond import EMPTY, Bases
from engine.events import Told
from engine.games.clutch.cards.card_text import in_play_text, pitching_note
from engine.games.clutch.cards.card_types import Batter, Box, Coach, Pitcher, Strategy
from engine.games.clutch.cards.effects import UNITS
from engine.games.clutch.cards.result_chart import Chart
from engine.games.clutch.numbers import fielding, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import die
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from engine.games.clutch.pitching.rest import FRESH, Rest
from engine.games.clutch.rules import EDITION
from engine.games.clutch.series import CHAIRS
from engine.games.clutch.squad import Line, Runner, Squad
from engine.games.clutch.state import Kept, State
from engine.games.clutch.strategy_cards import hands, muting
from engine.identity_cache import once
from engine.scoreboard import Scoreboard, Side, line_score
from engine.seats import SEATS, Seat
from engine.secrets import Open, Sealed

COLOURS: dict[Seat, str] = {"away": "red", "home": "blue"}


def scoreboard(s: State, log: Sequence[Told]) -> Scoreboard:
    """Return the scoreboard of the game under way, or of the last one."""
    fold = line_score(log)
    playing = bool(s.squad("away").order and s.squad("home").order)
    sides = {
        seat: Side(name(s, seat), COLOURS[seat], fold.lines[seat], s.score[i], fold.hits[seat])
        for i, seat in enumerate(SEATS)
    }
    up = playing and s.phase == "play" and not s.outcome
    order = s.squad(s.offence).order
    slot = s.squad(s.offence).slot
    first, second, third = (one.name if one else None for one in s.bases)
    return Scoreboard(
        game="clutch",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.offence if up else None,
        outs=s.outs,
        bases=(first, second, third),
        batter=order[slot] if up else None,
        on_deck=order[(slot + 1) % len(order)] if up else None,
        pitcher=s.pitcher.name if up else None,
        fatigue=pitcher_record.penalty(s.arm, s.house) if up else None,
        dice=s.dice,
        plays={s.home: "home", s.away: "away"},
        panel={
            "edition": EDITION,
            "level": s.house["level"],
            "phase": s.phase,
            "stands": stands(s),
            "series": series(s),
            "clutch": s.clutch if up else False,
            "at": plate(s) if up else None,
            "batter": batter(s) if up else None,
            "pitcher": pitcher(s) if up else None,
            "fielding": {seat: units(s, seat) for seat in SEATS} if playing else None,
            "squads": {seat: squad(s, seat) for seat in SEATS} if playing else None,
            "cards": {seat: cards(s, seat) for seat in SEATS} if playing and s.full else None,
            "hands": {chair: hand(s, chair) for chair in SEATS} if playing and s.full else None,
            "muted": {chair: muting.muted(s, chair) for chair in SEATS},
            "stadium": stadium(s),
            "weather": weather(s),
            "box": {seat: box(s, seat) for seat in SEATS} if playing else None,
        },
    )


def name(s: State, side: Seat) -> str:
    """Return the name of a side, also before rosters are chosen."""
    return s.team(side) or s.rosters[SEATS.index(s.chair(side))] or CHAIRS[s.chair(side)]


def stands(s: State) -> str:
    """Return where the game stands, in a few words, by which people recognize a stored game."""
    if s.outcome:
        return s.outcome.sentence
    if s.phase != "play":
        return "Before the game"
    played = f"Game {s.game}, " if s.house["series"] != "1" else ""
    return f"{played}{s.clock.half} of inning {s.clock.inning}"


def series(s: State) -> dict[str, Any]:
    """Return the series: its maximum of games, the game under way, and the games each chair has won."""
    return {"games": int(s.house["series"]), "game": s.game, "won": {seat: s.won[i] for i, seat in enumerate(SEATS)}}


def plate(s: State) -> dict[str, Any]:
    """Return the numbers of the at-bat under way; those not known yet are None."""
    at, throw = s.at, s.throw
    command, on_base = pitch_numbers.command(s), pitch_numbers.on_base(s)
    names = ("pitch_die", "pitch_natural", "pitch_roll", "pitch", "swing_die", "swing_natural", "swing_roll", "swing")
    known = {one: getattr(at, one) for one in names}
    return {
        **known,
        "command": command,
        "on_base": on_base,
        "need": need(s),
        "mistake": at.mistake,
        "advantage": at.advantage,
        "chart": at.chart,
        "read": at.read,
        "result": at.result,
        "outcome": at.outcome,
        "infield_in": at.infield_in,
        "throw": None
        if throw is None
        else {
            "kind": throw.kind,
            "unit": throw.unit,
            "runner": throw.runner,
            "base": throw.base,
            "rating": throw_numbers.rating_with_roll(s),
            "speed": throw_numbers.required(s),
            "natural": throw.natural,
            "total": throw.total,
            "against": throw.against,
            "made": throw.made,
        },
    }


def need(s: State) -> str:
    """Return what the next die has to show, or what each number of a swing gives; "" if no roll is next."""
    at, throw = s.at, s.throw
    if throw:
        return throw_numbers.needed(s).need if throw.natural is None else ""
    if at.pitch_natural is None:
        return pitch_numbers.needed(s, die(s, "pitch")).need
    if at.advantage and at.swing_natural is None:
        return swing_numbers.odds(s).gives
    return ""


def batter(s: State) -> Open:
    """Return the card of the batter at the plate."""
    return _batter(s.batter, s.box)


@once
def _batter(card: Batter, box: Box) -> dict[str, Any]:
    return {
        "name": card.name,
        "reads": box.reads["batter", card.name],
        "chart": rows(card.chart),
        "icons": card.icons,
    }


def rows(chart: Chart) -> list[dict[str, Any]]:
    """Return a Result Chart, row by row; `to` is None for the open last row."""
    ends = [low - 1 for low, _ in chart.rows[1:]]
    return [
        {"from": low, "to": end, "result": result} for (low, result), end in zip(chart.rows, (*ends, None), strict=True)
    ]


def pitcher(s: State) -> Open:
    """Return the card of the pitcher on the mound, with his innings, the outs before he tires, and his penalty."""
    return _pitcher(s.pitcher, s.arm, s.house)


@once
def _pitcher(card: Pitcher, arm: Arm, house: Mapping[str, str]) -> dict[str, Any]:
    return {
        "name": card.name,
        "reads": pitching_note(card, arm.role, arm.owes),
        "chart": rows(card.chart),
        "x_zone": card.x_zone,
        "icons": card.icons,
        "role": arm.role,
        "limit": pitcher_record.innings(arm, house),
        "left": pitcher_record.left(arm, house),
        "tired": pitcher_record.tires(arm, house),
        "penalty": pitcher_record.penalty(arm, house),
    }


def units(s: State, side: Seat) -> Open:
    """Return the ratings of battery, infield and outfield of a side (CL-090 to CL-092)."""
    return _units(s.squad(side), s.box, s.house)


@once
def _units(mine: Squad, box: Box, house: Mapping[str, str]) -> dict[str, int]:
    return {unit: fielding.squad_rating(mine, box, house, unit) for unit in UNITS}


def squad(s: State, side: Seat) -> Open:
    """Return batting order, bench and bullpen of a side, which both managers may see (CL-083, CL-084)."""
    bases = s.bases if side == s.offence else EMPTY
    return _squad(name(s, side), s.squad(side), bases, s.rests[SEATS.index(s.chair(side))], s.box)


@once
def _squad(team: str, mine: Squad, on: Bases[Runner], rests: Mapping[str, Rest], box: Box) -> dict[str, Any]:
    bases = {one.name: base for base, one in enumerate(on, 1) if one}
    return {
        "team": team,
        "order": [
            {
                "name": one,
                "position": spot,
                "due": at == mine.slot,
                "base": bases.get(one, 0),
                "reads": box.reads["batter", one],
            }
            for at, (one, spot) in enumerate(zip(mine.order, mine.spots, strict=True))
        ],
        "bench": [{"name": one, "reads": box.reads["batter", one]} for one in mine.bench],
        "bullpen": [
            {"name": one, "owes": rests.get(one, FRESH).owes, "reads": box.reads["pitcher", one]}
            for one in mine.bullpen
        ],
        "gone": mine.gone,
        "pitchers": mine.pitchers,
    }


def cards(s: State, side: Seat) -> Open:
    """Return the cards of a side that everybody may see, and how many are hidden (CL-057, CL-081)."""
    return _cards(side, s.holds(side), s.left(side), s.squad(side), s.kept, s.box)


@once
def _cards(side: Seat, hand: int, deck: int, mine: Squad, kept: tuple[Kept, ...], box: Box) -> dict[str, Any]:
    return {
        "hand": hand,
        "deck": deck,
        "discard": mine.discard,
        "coaches": [
            {"name": one, "kind": box.coaches[one].kind, "reads": box.reads["coach", one]} for one in mine.coaches
        ],
        "spent": mine.spent,
        "play": [
            {"name": one.name, "on": one.on[1] if one.on else "", "reads": in_play_text(_kept(one, box))}
            for one in kept
            if one.side == side
        ],
    }


def _kept(one: Kept, box: Box) -> Strategy | Coach:
    return box.coaches[one.name] if one.kind == "coach" else box.strategies[one.name]


def hand(s: State, chair: Seat) -> dict[str, Any] | None:
    """Return a manager's hand, for his eyes only, and the windows of this at-bat that he has muted.

    `real` is the number of real cards; their names are not known.
    """
    side: Seat = "home" if chair == s.home else "away"
    held = hands.names(s, side) if s.dealt else ()
    read = [{"name": one, "reads": s.box.reads["strategy", one]} for one in held]
    real = None if s.dealt else s.holds(side)
    return {"cards": Sealed(chair, read, -1), "real": real, "skipped": list(s.skipped[SEATS.index(chair)])}


def stadium(s: State) -> dict[str, Any] | None:
    """Return the stadium in force (CL-061)."""
    if not s.stadium:
        return None
    card = s.box.stadiums[s.stadium]
    return {"name": card.name, "reads": s.box.reads["stadium", card.name]}


def weather(s: State) -> dict[str, Any] | None:
    """Return the weather card in force (CL-386)."""
    if not s.weather:
        return None
    return {"name": s.weather, "reads": s.box.reads["weather", s.weather]}


def box(s: State, side: Seat) -> Open:
    """Return the box score of a side: batters by place, their totals, and pitchers in order (CL-093, CL-384).

    Counts of zero are left out.
    """
    at = SEATS.index(side)
    return _box(s.lines[at], s.arms[at], s.errors[at])


@once
def _box(of: Mapping[str, Line], mounds: Mapping[str, Arm], errors: int) -> dict[str, Any]:
    lines = [batting(line) for line in sorted(of.values(), key=lambda line: line.spot)]
    total = {one: count for one in COUNTS if (count := sum(line.get(one, 0) for line in lines))}
    return {
        "batting": lines,
        "total": total,
        "pitching": [pitching(arm) for arm in mounds.values()],
        "errors": errors,
    }


COUNTS = tuple(one.name for one in fields(Line) if one.type == "int" and one.name != "spot")
"""The counts in a batter's line."""


def batting(line: Line) -> Mapping[str, Any]:
    """Return a batter's line by the columns of a scorecard, without counts of zero."""
    did = {one: count for one in COUNTS if (count := getattr(line, one))}
    return {"name": line.name, "spot": line.spot + 1, "positions": line.positions, **did}


def pitching(arm: Arm) -> Mapping[str, Any]:
    """Return a pitcher's line: innings as "5.2", runs, earned runs, walks, inherited runners and those who scored."""
    return {
        "name": arm.name,
        "role": arm.role,
        "ip": pitcher_record.innings_pitched(arm),
        "outs": arm.outs,
        "h": arm.hits,
        "r": arm.runs,
        "er": arm.earned,
        "bb": arm.walks,
        "ibb": arm.intentional,
        "so": arm.strikeouts,
        "hr": arm.homers,
        "hbp": arm.hit_batters,
        "inherited": arm.inherited,
        "scored": arm.scored,
        "quality": arm.quality,
        "tired": arm.tired,
    }
