"""The scoreboard of Clutch for every display; hands are sealed for their owners (CL-057, CL-081, CL-084, CL-220)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar

from engine.diamond import EMPTY, Bases
from engine.events import LoggedEvent
from engine.games.clutch.cards.card_text import in_play_text, pitching_note
from engine.games.clutch.cards.card_types import Batter, Box, Pitcher
from engine.games.clutch.cards.effects import UNITS
from engine.games.clutch.cards.result_chart import Chart
from engine.games.clutch.numbers import fielding, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import die, number
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from engine.games.clutch.pitching.rest import FRESH, Rest
from engine.games.clutch.rules import EDITION
from engine.games.clutch.series import CHAIRS
from engine.games.clutch.squad import Line, Runner, Squad
from engine.games.clutch.state import Kept, Standing, State, Throw
from engine.games.clutch.strategy_cards import hands, muting
from engine.identity_cache import once
from engine.scoreboard import Panel, Scoreboard, Side, line_score, turn
from engine.seats import SEATS, Seat
from engine.secrets import Open, Sealed

COLOURS: dict[Seat, str] = {"away": "red", "home": "blue"}

COUNTS = tuple(one.name for one in fields(Line) if one.type == "int" and one.name != "spot")
"""The counts in a batter's line."""

_counts = attrgetter(*COUNTS)

P = TypeVar("P", bound=Panel)


@dataclass(frozen=True, slots=True)
class Series(Panel):
    """The series: its maximum of games, the game under way, and the games each chair has won."""

    games: int
    game: int
    won: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class ThrowNumbers(Panel):
    """The throw or check under way; see state.Throw. It needs `rating` and a die against `speed`, both with what the
    play and the cards add; beside them are the printed numbers.
    """

    kind: str
    unit: str
    runner: str
    base: int
    rating: int
    printed_rating: int
    speed: int
    printed_speed: int
    natural: int | None
    total: int | None
    against: int | None
    made: bool | None


@dataclass(frozen=True, slots=True)
class Plate(Panel):
    """The numbers of the at-bat under way, see state.AtBat; those not known yet are None. `command`, `on_base`,
    `x_zone` and the dice still to be rolled are those that count now; beside them are the printed numbers.
    """

    pitch_die: str
    pitch_natural: int | None
    pitch_roll: int | None
    pitch: int | None
    swing_die: str
    swing_natural: int | None
    swing_roll: int | None
    swing: int | None
    command: int
    printed_command: int
    on_base: int
    printed_on_base: int
    x_zone: int
    printed_x_zone: int
    need: str
    mistake: bool
    advantage: str
    chart: str
    read: str
    result: str
    outcome: str
    infield_in: bool
    on_base_bonus: int
    swing_bonus: int
    pitch_bonus: int
    throw: ThrowNumbers | None


@dataclass(frozen=True, slots=True)
class PlayedCard(Panel):
    """A card played in the at-bat under way, the side that played it, its kind, and the window (`effects.WINDOWS`)."""

    card: str
    side: Seat
    kind: str
    window: str


@dataclass(frozen=True, slots=True)
class InForce(Panel):
    """An effect of a card that is in force; see state.Standing. `side` is None for the stadium and the weather; `on` is
    the player it applies to, "" if it is not one player's. `amount` is settled; `lasts` is the unit of its duration.
    """

    card: str
    side: Seat | None
    effect: str
    verb: str
    amount: int
    on: str
    lasts: str
    ends: int


Texts = dict[str, str]
"""The name of a card, what it reads, and more about it in words."""

Rows = list[dict[str, int | str | None]]
"""A Result Chart, row by row: "from", "to" (None for the open last row) and "result"."""


@dataclass(frozen=True, slots=True)
class BatterCard(Panel):
    """The card of the batter at the plate."""

    name: str
    reads: str
    chart: Rows
    icons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PitcherCard(Panel):
    """The card of the pitcher on the mound, with his innings, the outs before he tires, and his penalty."""

    name: str
    reads: str
    chart: Rows
    x_zone: int
    icons: tuple[str, ...]
    role: str
    limit: int
    left: int
    tired: bool
    penalty: int


@dataclass(frozen=True, slots=True)
class Place(Panel):
    """A place in the batting order; `base` is 0 for nobody on base."""

    name: str
    position: str
    due: bool
    base: int
    reads: str


@dataclass(frozen=True, slots=True)
class Reliever(Panel):
    """A pitcher in the bullpen, and the games of rest that he owes."""

    name: str
    owes: int
    reads: str


@dataclass(frozen=True, slots=True)
class Team(Panel):
    """Batting order, bench and bullpen of a side, which both managers may see (CL-083, CL-084)."""

    team: str
    order: list[Place]
    bench: list[Texts]
    bullpen: list[Reliever]
    gone: tuple[str, ...]
    pitchers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cards(Panel):
    """The cards of a side that everybody may see, and how many are hidden (CL-057, CL-081)."""

    hand: int
    deck: int
    discard: tuple[str, ...]
    coaches: list[Texts]
    spent: tuple[str, ...]
    play: list[Texts]


@dataclass(frozen=True, slots=True)
class Hand(Panel):
    """A manager's hand, for his eyes only, and the windows of this at-bat that he has muted. `real` is the number of
    real cards; their names are not known.
    """

    cards: Sealed[list[Texts]]
    real: int | None
    skipped: tuple[Sealed[str], ...]


@dataclass(frozen=True, slots=True)
class PitchingLine(Panel):
    """A pitcher's line: innings as "5.2", runs, earned runs, walks, inherited runners and those who scored."""

    name: str
    role: str
    ip: str
    outs: int
    h: int
    r: int
    er: int
    bb: int
    ibb: int
    so: int
    hr: int
    hbp: int
    inherited: int
    scored: int
    quality: bool
    tired: bool


@dataclass(frozen=True, slots=True)
class BoxScore(Panel):
    """The box score of a side: batters by place, their totals, and pitchers in order (CL-093, CL-384). Counts of zero
    are left out.
    """

    batting: list[dict[str, int | str | tuple[str, ...]]]
    total: dict[str, int]
    pitching: list[PitchingLine]
    errors: int


@dataclass(frozen=True, slots=True)
class ClutchPanel(Panel):
    """Everything that only Clutch shows; what belongs to a game under way is None before and after it."""

    edition: str
    level: str
    phase: str
    stands: str
    series: Series
    clutch: bool
    at: Plate | None
    batter: Open | None
    pitcher: Open | None
    fielding: Mapping[Seat, Open] | None
    printed_fielding: Mapping[Seat, Open] | None
    squads: Mapping[Seat, Open] | None
    cards: Mapping[Seat, Open] | None
    hands: Mapping[Seat, Hand] | None
    muted: Mapping[Seat, list[str]]
    played: list[PlayedCard]
    in_force: list[InForce]
    changed: tuple[Seat, ...]
    """The sides that have changed the result of this at-bat."""
    walked: int
    """Intentional walks in a row in this half-inning."""
    stadium: Texts | None
    weather: Texts | None
    box: Mapping[Seat, Open] | None


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
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
        due_up=turn(order, slot) if up else (),
        pitcher=s.pitcher.name if up else None,
        fatigue=pitcher_record.penalty(s.arm, s.house) if up else None,
        dice=s.dice,
        plays={s.home: "home", s.away: "away"},
        panel=ClutchPanel(
            edition=EDITION,
            level=s.house["level"],
            phase=s.phase,
            stands=stands(s),
            series=Series(int(s.house["series"]), s.game, dict(zip(SEATS, s.won, strict=True))),
            clutch=s.clutch if up else False,
            at=plate(s) if up else None,
            batter=_batter(s.batter, s.box) if up else None,
            pitcher=_pitcher(s.pitcher, s.arm, s.house) if up else None,
            fielding={seat: units(s, seat) for seat in SEATS} if playing else None,
            printed_fielding={seat: _units(s.squad(seat), s.box, s.house) for seat in SEATS} if playing else None,
            squads={seat: squad(s, seat) for seat in SEATS} if playing else None,
            cards={seat: cards(s, seat) for seat in SEATS} if playing and s.full else None,
            hands={chair: hand(s, chair) for chair in SEATS} if playing and s.full else None,
            muted={chair: muting.muted(s, chair) for chair in SEATS},
            played=[PlayedCard(one.name, one.side, one.kind, one.window) for one in s.at.played] if up else [],
            in_force=[in_force(one) for one in s.standing] if up else [],
            changed=tuple(side for side in SEATS if side in s.at.changed) if up else (),
            walked=s.walked if up else 0,
            stadium={"name": s.stadium, "reads": s.box.reads["stadium", s.stadium]} if s.stadium else None,
            weather={"name": s.weather, "reads": s.box.reads["weather", s.weather]} if s.weather else None,
            box={seat: box(s, seat) for seat in SEATS} if playing else None,
        ),
    )


def in_force(one: Standing) -> InForce:
    """Return an effect in force as everybody may see it."""
    on, of = one.on[1] if one.on else "", one.effect
    return InForce(one.source, one.side, of.text, of.verb, of.amount, on, one.lasts.unit, one.ends)


def filled(shape: type[P], source: object, **more: Any) -> P:
    """Return a panel with `more`; all its other fields are those of `source` with the same name."""
    same = {name: getattr(source, name) for name in shape.__dataclass_fields__ if name not in more}
    return shape(**same, **more)


def name(s: State, side: Seat) -> str:
    """Return the name of a side, also before rosters are chosen."""
    chair = s.chair(side)
    return s.team(side) or s.called(chair, s.rosters[SEATS.index(chair)] or CHAIRS[chair])


def stands(s: State) -> str:
    """Return where the game stands, in a few words, by which people recognize a stored game."""
    if s.outcome:
        return s.outcome.sentence
    if s.phase != "play":
        return "Before the game"
    played = f"Game {s.game}, " if s.house["series"] != "1" else ""
    return f"{played}{s.clock.half} of inning {s.clock.inning}"


def plate(s: State) -> Plate:
    """Return the numbers of the at-bat under way."""
    command, on_base, throw = pitch_numbers.command(s), pitch_numbers.on_base(s), None
    if s.throw:
        rating, speed = throw_numbers.rating_with_roll(s), throw_numbers.required(s)
        printed = {
            "printed_rating": throw_numbers.printed_rating(s),
            "printed_speed": throw_numbers.printed_required(s),
        }
        throw = filled(ThrowNumbers, s.throw, rating=rating, speed=speed, **printed)
    now = {"command": command, "on_base": on_base, "x_zone": number(s, "x_zone", s.pitcher.x_zone)}
    cards = {"command": s.pitcher.command, "on_base": s.batter.on_base, "x_zone": s.pitcher.x_zone}
    printed = {f"printed_{name}": value for name, value in cards.items()}
    dice = {} if s.at.pitch_natural is not None else {"pitch_die": die(s, "pitch")}
    dice |= {} if s.at.swing_natural is not None else {"swing_die": swing_numbers.swing_die(s)}
    return filled(Plate, s.at, **now, **printed, **dice, need=need(s), throw=throw)


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


@once
def _batter(card: Batter, box: Box) -> BatterCard:
    return filled(BatterCard, card, reads=box.reads["batter", card.name], chart=rows(card.chart))


def rows(chart: Chart) -> Rows:
    """Return a Result Chart, row by row."""
    ends = [low - 1 for low, _ in chart.rows[1:]]
    return [
        {"from": low, "to": end, "result": result} for (low, result), end in zip(chart.rows, (*ends, None), strict=True)
    ]


@once
def _pitcher(card: Pitcher, arm: Arm, house: Mapping[str, str]) -> PitcherCard:
    return filled(
        PitcherCard,
        card,
        reads=pitching_note(card, arm.role, arm.owes),
        chart=rows(card.chart),
        role=arm.role,
        limit=pitcher_record.innings(arm, house),
        left=pitcher_record.left(arm, house),
        tired=pitcher_record.tires(arm, house),
        penalty=pitcher_record.penalty(arm, house),
    )


def units(s: State, side: Seat) -> Open:
    """Return the ratings of battery, infield and outfield of a side; of the one in the field with all cards in force,
    as they would count in a check.
    """
    printed = _units(s.squad(side), s.box, s.house)
    if not s.standing or side != s.defence or s.phase != "play":
        return printed
    twin, ratings = s.copy(), dict[str, int]()
    for unit in UNITS:
        twin.throw = Throw("check", unit)
        ratings[unit] = throw_numbers.unit_rating(twin, unit)
    return Open(ratings)


@once
def _units(mine: Squad, box: Box, house: Mapping[str, str]) -> dict[str, int]:
    """Return the printed ratings of battery, infield and outfield of a side (CL-090 to CL-092)."""
    return {unit: fielding.squad_rating(mine, box, house, unit) for unit in UNITS}


def squad(s: State, side: Seat) -> Open:
    """Return batting order, bench and bullpen of a side, a Team."""
    bases = s.bases if side == s.offence else EMPTY
    return _squad(name(s, side), s.squad(side), bases, s.rests[SEATS.index(s.chair(side))], s.box)


@once
def _squad(team: str, mine: Squad, on: Bases[Runner], rests: Mapping[str, Rest], box: Box) -> Team:
    bases = {one.name: base for base, one in enumerate(on, 1) if one}
    order = [
        Place(one, spot, at == mine.slot, bases.get(one, 0), box.reads["batter", one])
        for at, (one, spot) in enumerate(zip(mine.order, mine.spots, strict=True))
    ]
    bench = [{"name": one, "reads": box.reads["batter", one]} for one in mine.bench]
    pen = [Reliever(one, rests.get(one, FRESH).owes, box.reads["pitcher", one]) for one in mine.bullpen]
    return Team(team, order, bench, pen, mine.gone, mine.pitchers)


def cards(s: State, side: Seat) -> Open:
    """Return the cards of a side that everybody may see, Cards."""
    return _cards(side, s.holds(side), s.left(side), s.squad(side), s.kept, s.box)


@once
def _cards(side: Seat, hand: int, deck: int, mine: Squad, kept: tuple[Kept, ...], box: Box) -> Cards:
    coaches = [{"name": one, "kind": box.coaches[one].kind, "reads": box.reads["coach", one]} for one in mine.coaches]
    play = [
        {"name": one.name, "on": one.on[1] if one.on else "", "reads": in_play_text(box.card(one.kind, one.name))}
        for one in kept
        if one.side == side
    ]
    return filled(Cards, mine, hand=hand, deck=deck, coaches=coaches, play=play)


def hand(s: State, chair: Seat) -> Hand:
    """Return a manager's hand."""
    side: Seat = "home" if chair == s.home else "away"
    read = [{"name": one, "reads": s.box.reads["strategy", one]} for one in (hands.names(s, side) if s.dealt else ())]
    return Hand(Sealed(chair, read, -1), None if s.dealt else s.holds(side), s.skipped[SEATS.index(chair)])


def box(s: State, side: Seat) -> Open:
    """Return the BoxScore of a side."""
    at = SEATS.index(side)
    return _box(s.lines[at], s.arms[at], s.errors[at])


@once
def _box(of: Mapping[str, Line], mounds: Mapping[str, Arm], errors: int) -> BoxScore:
    lines = sorted(of.values(), key=lambda line: line.spot)
    sums = map(sum, zip(*map(_counts, lines), strict=True))
    total = {one: count for one, count in zip(COUNTS, sums, strict=False) if count}
    return BoxScore([batting(line) for line in lines], total, [pitching(arm) for arm in mounds.values()], errors)


def batting(line: Line) -> dict[str, int | str | tuple[str, ...]]:
    """Return a batter's line by the columns of a scorecard, without counts of zero."""
    did = {one: count for one, count in zip(COUNTS, _counts(line), strict=True) if count}
    return {"name": line.name, "spot": line.spot + 1, "positions": line.positions, **did}


def pitching(arm: Arm) -> PitchingLine:
    """Return a pitcher's line."""
    return filled(
        PitchingLine,
        arm,
        ip=pitcher_record.innings_pitched(arm),
        h=arm.hits,
        r=arm.runs,
        er=arm.earned,
        bb=arm.walks,
        ibb=arm.intentional,
        so=arm.strikeouts,
        hr=arm.homers,
        hbp=arm.hit_batters,
    )
