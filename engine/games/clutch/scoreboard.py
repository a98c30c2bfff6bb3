"""The scoreboard of Clutch for every display. Hands are sealed for their owners (CL-057, CL-081, CL-084, CL-220)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar

from engine.diamond import EMPTY_BASES, Bases
from engine.events import LoggedEvent
from engine.games.clutch.cards.card_text import in_play_text, pitching_note
from engine.games.clutch.cards.card_types import ClutchBatter, ClutchBox, ClutchPitcher
from engine.games.clutch.cards.effects import FIELDING_UNITS
from engine.games.clutch.cards.result_chart import ResultChart
from engine.games.clutch.numbers import fielding, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import die_with_cards, number_with_cards
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.pitching.rest import FULLY_RESTED, PitcherRest
from engine.games.clutch.rules import RULES_EDITION
from engine.games.clutch.series import CHAIR_NAMES
from engine.games.clutch.squad import BaseRunner, BattingLine, ClutchSquad
from engine.games.clutch.state import CardInPlay, ClutchAtBat, EffectInForce, State, ThrowOrCheck
from engine.games.clutch.strategy_cards import hands, muting
from engine.identity_cache import cache_public_data
from engine.scoreboard import GamePanel, Scoreboard, SideScore, due_up_batters, line_score
from engine.seats import SEATS, Seat
from engine.secrets import PublicData, SealedValue

SIDE_COLORS: dict[Seat, str] = {"away": "red", "home": "blue"}

LINE_COUNTS = tuple(one.name for one in fields(BattingLine) if one.type == "int" and one.name != "spot")
"""Counts in a batter's line, in the order of `BattingLine`."""

_line_counts = attrgetter(*LINE_COUNTS)

P = TypeVar("P", bound=GamePanel)


@dataclass(frozen=True, slots=True)
class SeriesPanel(GamePanel):
    """The series, with its maximum number of games, the current game, and the wins of each chair."""

    games: int
    game: int
    won: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class ThrowPanel(GamePanel):
    """The throw or check under way, see `state.ThrowOrCheck`. `rating` and `speed` include play and card bonuses."""

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
class AtBatPanel(GamePanel):
    """The numbers of the at-bat under way, see `state.ClutchAtBat`. None is a number not known yet. `command`,
    `on_base`, `x_zone` and the dice still to be rolled include the cards in force; `printed_*` do not.
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
    reader: str
    read: str
    result: str
    outcome: str
    infield_in: bool
    on_base_bonus: int
    swing_bonus: int
    pitch_bonus: int
    throw: ThrowPanel | None


@dataclass(frozen=True, slots=True)
class PlayedCardPanel(GamePanel):
    """A card played in the at-bat under way, with its side, its kind and the window (`effects.WINDOW_TAGS`)."""

    card: str
    side: Seat
    kind: str
    window: str


@dataclass(frozen=True, slots=True)
class EffectPanel(GamePanel):
    """A card effect in force, see `state.EffectInForce`.

    side: the card's owner; None for the stadium and the weather.
    on: the only player it applies to, or "".
    amount: final, even if it comes from a die or a Clutch rating.
    lasts: unit of its duration.
    """

    card: str
    side: Seat | None
    effect: str
    verb: str
    amount: int
    on: str
    lasts: str
    ends: int


CardTexts = dict[str, str]  # A card's name, its text ("reads"), and optionally its kind or the player it is on.

ChartRows = list[dict[str, int | str | None]]
"""Rows of a Result Chart, each with "from", "to" (None in the open last row) and "result"."""


@dataclass(frozen=True, slots=True)
class ClutchBatterPanel(GamePanel):
    """The card of the batter at the plate."""

    name: str
    reads: str
    chart: ChartRows
    icons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClutchPitcherPanel(GamePanel):
    """The card of the pitcher on the mound, with his inning limit, the outs before he tires, and his penalty."""

    name: str
    reads: str
    chart: ChartRows
    x_zone: int
    icons: tuple[str, ...]
    role: str
    limit: int
    left: int
    tired: bool
    penalty: int


@dataclass(frozen=True, slots=True)
class LineupPlacePanel(GamePanel):
    """A place in the batting order. `base` is 0 for a player who is not on base."""

    name: str
    position: str
    due: bool
    base: int
    reads: str


@dataclass(frozen=True, slots=True)
class RelieverPanel(GamePanel):
    """A pitcher in the bullpen and the games of rest that he owes."""

    name: str
    owes: int
    reads: str


@dataclass(frozen=True, slots=True)
class ClutchSquadPanel(GamePanel):
    """Batting order, bench and bullpen of a side, which are open to both managers (CL-083, CL-084)."""

    team: str
    order: list[LineupPlacePanel]
    bench: list[CardTexts]
    bullpen: list[RelieverPanel]
    gone: tuple[str, ...]
    pitchers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideCardsPanel(GamePanel):
    """The public cards of a side, and the number of hidden ones (CL-057, CL-081)."""

    hand: int
    deck: int
    discard: tuple[str, ...]
    coaches: list[CardTexts]
    spent: tuple[str, ...]
    play: list[CardTexts]


@dataclass(frozen=True, slots=True)
class HandPanel(GamePanel):
    """A manager's hand and the windows of this at-bat that he has muted, for his eyes only. `real` counts the real
    cards, whose names are not known. It is None for dealt hands.
    """

    cards: SealedValue[list[CardTexts]]
    real: int | None
    skipped: tuple[SealedValue[str], ...]


@dataclass(frozen=True, slots=True)
class PitchingLinePanel(GamePanel):
    """A pitcher's line. `ip` are innings such as "5.2"; `scored` counts the inherited runners who scored."""

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
class BoxScorePanel(GamePanel):
    """The box score of a side, with batters by place, totals, and pitchers in order, without zeros (CL-093, CL-384)."""

    batting: list[dict[str, int | str | tuple[str, ...]]]
    total: dict[str, int]
    pitching: list[PitchingLinePanel]
    errors: int


@dataclass(frozen=True, slots=True)
class ClutchPanel(GamePanel):
    """Everything that only Clutch shows. Fields of a game under way are None before and after it."""

    edition: str
    level: str
    phase: str
    stands: str
    series: SeriesPanel
    clutch: bool
    at: AtBatPanel | None
    batter: PublicData | None
    pitcher: PublicData | None
    fielding: Mapping[Seat, PublicData] | None
    printed_fielding: Mapping[Seat, PublicData] | None
    squads: Mapping[Seat, PublicData] | None
    cards: Mapping[Seat, PublicData] | None
    hands: Mapping[Seat, HandPanel] | None
    muted: Mapping[Seat, list[str]]
    played: list[PlayedCardPanel]
    in_force: list[EffectPanel]
    changed: tuple[Seat, ...]  # The sides that have changed the result of this at-bat.
    walked: int  # Intentional walks in a row in this half-inning.
    stadium: CardTexts | None
    weather: CardTexts | None
    box: Mapping[Seat, PublicData] | None


def build_scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Build the scoreboard of the game under way, or of the last one."""
    fold = line_score(log)
    playing = bool(s.squad("away").order and s.squad("home").order)
    sides = {
        seat: SideScore(side_name(s, seat), SIDE_COLORS[seat], fold.lines[seat], s.score[i], fold.hits[seat])
        for i, seat in enumerate(SEATS)
    }
    up = playing and s.phase == "play" and not s.outcome
    order = s.squad(s.offense).order
    slot = s.squad(s.offense).slot
    first, second, third = (one.name if one else None for one in s.bases)
    return Scoreboard(
        game="clutch",
        sides=sides,
        inning=s.clock.inning,
        half=s.clock.half,
        marker=str(s.clock.inning),
        batting=s.offense if up else None,
        outs=s.outs,
        bases=(first, second, third),
        batter=order[slot] if up else None,
        on_deck=order[(slot + 1) % len(order)] if up else None,
        due_up=due_up_batters(order, slot) if up else (),
        pitcher=s.pitcher_card.name if up else None,
        fatigue=pitcher_record.tired_penalty(s.current_record, s.house) if up else None,
        dice=s.dice,
        plays={s.home: "home", s.away_chair: "away"},
        panel=ClutchPanel(
            edition=RULES_EDITION,
            level=s.house["level"],
            phase=s.phase,
            stands=progress_text(s),
            series=SeriesPanel(int(s.house["series"]), s.game, dict(zip(SEATS, s.won, strict=True))),
            clutch=s.is_clutch_moment if up else False,
            at=at_bat_panel(s) if up else None,
            batter=_batter_panel(s.batter_card, s.box) if up else None,
            pitcher=_pitcher_panel(s.pitcher_card, s.current_record, s.house) if up else None,
            fielding={seat: unit_ratings(s, seat) for seat in SEATS} if playing else None,
            printed_fielding={seat: _printed_unit_ratings(s.squad(seat), s.box, s.house) for seat in SEATS}
            if playing
            else None,
            squads={seat: squad_panel(s, seat) for seat in SEATS} if playing else None,
            cards={seat: cards_panel(s, seat) for seat in SEATS} if playing and s.full else None,
            hands={chair: hand_panel(s, chair) for chair in SEATS} if playing and s.full else None,
            muted={chair: muting.muted_asks(s, chair) for chair in SEATS},
            played=[PlayedCardPanel(one.name, one.side, one.kind, one.window) for one in s.at.played] if up else [],
            in_force=[effect_panel(one) for one in s.standing] if up else [],
            changed=tuple(side for side in SEATS if side in s.at.changed) if up else (),
            walked=s.walked if up else 0,
            stadium={"name": s.stadium, "reads": s.box.reads["stadium", s.stadium]} if s.stadium else None,
            weather={"name": s.weather, "reads": s.box.reads["weather", s.weather]} if s.weather else None,
            box={seat: box_score_panel(s, seat) for seat in SEATS} if playing else None,
        ),
    )


def effect_panel(one: EffectInForce) -> EffectPanel:
    on, of = one.on[1] if one.on else "", one.effect
    return EffectPanel(one.source, one.side, of.text, of.verb, of.amount, on, one.lasts.unit, one.ends)


def fill_panel(shape: type[P], source: object, **more: Any) -> P:
    """Build a panel from `more` and from the fields of `source` with the same names."""
    same = {name: getattr(source, name) for name in shape.__dataclass_fields__ if name not in more}
    return shape(**same, **more)


def side_name(s: State, side: Seat) -> str:
    """Return the name of a side, even before rosters are chosen."""
    chair = s.chair(side)
    return s.team_name(side) or s.seat_name(chair, s.rosters[SEATS.index(chair)] or CHAIR_NAMES[chair])


def progress_text(s: State) -> str:
    """Return the progress of the game in a few words, by which people recognize a stored game."""
    if s.outcome:
        return s.outcome.sentence
    if s.phase != "play":
        return "Before the game"
    played = f"Game {s.game}, " if s.house["series"] != "1" else ""
    return f"{played}{s.clock.half} of inning {s.clock.inning}"


def at_bat_panel(s: State) -> AtBatPanel:
    """Return the numbers of the at-bat under way, or of the next one, once it is over, without rolls."""
    if s.at.over:
        s = s.copy()
        s.at, s.throw = ClutchAtBat(), None
    command, on_base, throw = pitch_numbers.current_command(s), pitch_numbers.current_on_base(s), None
    if s.throw:
        rating, speed = throw_numbers.rating_with_roll(s), throw_numbers.required_number(s)
        printed = {
            "printed_rating": throw_numbers.printed_rating(s),
            "printed_speed": throw_numbers.printed_required(s),
        }
        throw = fill_panel(ThrowPanel, s.throw, rating=rating, speed=speed, **printed)
    now = {"command": command, "on_base": on_base, "x_zone": number_with_cards(s, "x_zone", s.pitcher_card.x_zone)}
    cards = {"command": s.pitcher_card.command, "on_base": s.batter_card.on_base, "x_zone": s.pitcher_card.x_zone}
    printed = {f"printed_{name}": value for name, value in cards.items()}
    dice = {} if s.at.pitch_natural is not None else {"pitch_die": die_with_cards(s, "pitch")}
    dice |= {} if s.at.swing_natural is not None else {"swing_die": swing_numbers.swing_die(s)}
    return fill_panel(AtBatPanel, s.at, **now, **printed, **dice, need=need_text(s), throw=throw)


def need_text(s: State) -> str:
    """Return the faces needed on the next die, or a swing's result by face. It is "" if no roll is next."""
    at, throw = s.at, s.throw
    if throw:
        return throw_numbers.throw_need(s).need if throw.natural is None else ""
    if at.pitch_natural is None:
        return pitch_numbers.pitch_need(s, die_with_cards(s, "pitch")).need
    if at.advantage and at.swing_natural is None:
        return swing_numbers.swing_odds(s).gives
    return ""


@cache_public_data
def _batter_panel(card: ClutchBatter, box: ClutchBox) -> ClutchBatterPanel:
    return fill_panel(ClutchBatterPanel, card, reads=box.reads["batter", card.name], chart=chart_rows(card.chart))


def chart_rows(chart: ResultChart) -> ChartRows:
    ends = [low - 1 for low, _ in chart.rows[1:]]
    return [
        {"from": low, "to": end, "result": result} for (low, result), end in zip(chart.rows, (*ends, None), strict=True)
    ]


@cache_public_data
def _pitcher_panel(card: ClutchPitcher, arm: PitcherRecord, house: Mapping[str, str]) -> ClutchPitcherPanel:
    return fill_panel(
        ClutchPitcherPanel,
        card,
        reads=pitching_note(card, arm.role, arm.owes),
        chart=chart_rows(card.chart),
        role=arm.role,
        limit=pitcher_record.inning_limit(arm, house),
        left=pitcher_record.outs_left(arm, house),
        tired=pitcher_record.is_tired(arm, house),
        penalty=pitcher_record.tired_penalty(arm, house),
    )


def unit_ratings(s: State, side: Seat) -> PublicData:
    """Return the ratings of battery, infield and outfield of a side, with the cards in force if it is in the field."""
    printed = _printed_unit_ratings(s.squad(side), s.box, s.house)
    if not s.standing or side != s.defense or s.phase != "play":
        return printed
    twin, ratings = s.copy(), dict[str, int]()
    for unit in FIELDING_UNITS:
        twin.throw = ThrowOrCheck("check", unit)
        ratings[unit] = throw_numbers.unit_rating(twin, unit)
    return PublicData(ratings)


@cache_public_data
def _printed_unit_ratings(mine: ClutchSquad, box: ClutchBox, house: Mapping[str, str]) -> dict[str, int]:
    """Return the printed ratings of battery, infield and outfield (CL-090 to CL-092)."""
    return {unit: fielding.squad_rating(mine, box, house, unit) for unit in FIELDING_UNITS}


def squad_panel(s: State, side: Seat) -> PublicData:
    bases = s.bases if side == s.offense else EMPTY_BASES
    return _build_squad_panel(side_name(s, side), s.squad(side), bases, s.rests[SEATS.index(s.chair(side))], s.box)


@cache_public_data
def _build_squad_panel(
    team: str, mine: ClutchSquad, on: Bases[BaseRunner], rests: Mapping[str, PitcherRest], box: ClutchBox
) -> ClutchSquadPanel:
    bases = {one.name: base for base, one in enumerate(on, 1) if one}
    order = [
        LineupPlacePanel(one, spot, at == mine.slot, bases.get(one, 0), box.reads["batter", one])
        for at, (one, spot) in enumerate(zip(mine.order, mine.spots, strict=True))
    ]
    bench = [{"name": one, "reads": box.reads["batter", one]} for one in mine.bench]
    pen = [RelieverPanel(one, rests.get(one, FULLY_RESTED).owes, box.reads["pitcher", one]) for one in mine.bullpen]
    return ClutchSquadPanel(team, order, bench, pen, mine.gone, mine.pitchers)


def cards_panel(s: State, side: Seat) -> PublicData:
    return _build_cards_panel(side, s.hand_size(side), s.cards_left(side), s.squad(side), s.kept, s.box)


@cache_public_data
def _build_cards_panel(
    side: Seat, hand: int, deck: int, mine: ClutchSquad, kept: tuple[CardInPlay, ...], box: ClutchBox
) -> SideCardsPanel:
    coaches = [{"name": one, "kind": box.coaches[one].kind, "reads": box.reads["coach", one]} for one in mine.coaches]
    play = [
        {
            "name": one.name,
            "on": one.on[1] if one.on else "",
            "reads": in_play_text(box.playable_card(one.kind, one.name)),
        }
        for one in kept
        if one.side == side
    ]
    return fill_panel(SideCardsPanel, mine, hand=hand, deck=deck, coaches=coaches, play=play)


def hand_panel(s: State, chair: Seat) -> HandPanel:
    side: Seat = "home" if chair == s.home else "away"
    read = [
        {"name": one, "reads": s.box.reads["strategy", one]}
        for one in (hands.possible_hand(s, side) if s.dealt else ())
    ]
    return HandPanel(
        SealedValue(chair, read, -1), None if s.dealt else s.hand_size(side), s.skipped[SEATS.index(chair)]
    )


def box_score_panel(s: State, side: Seat) -> PublicData:
    at = SEATS.index(side)
    return _build_box_score_panel(s.lines[at], s.arms[at], s.errors[at])


@cache_public_data
def _build_box_score_panel(
    of: Mapping[str, BattingLine], mounds: Mapping[str, PitcherRecord], errors: int
) -> BoxScorePanel:
    lines = sorted(of.values(), key=lambda line: line.spot)
    sums = map(sum, zip(*map(_line_counts, lines), strict=True))
    total = {one: count for one, count in zip(LINE_COUNTS, sums, strict=False) if count}
    return BoxScorePanel(
        [batting_row(line) for line in lines], total, [pitching_panel(arm) for arm in mounds.values()], errors
    )


def batting_row(line: BattingLine) -> dict[str, int | str | tuple[str, ...]]:
    """Return a batter's line under the column names of a scorecard, without counts of zero."""
    did = {one: count for one, count in zip(LINE_COUNTS, _line_counts(line), strict=True) if count}
    return {"name": line.name, "spot": line.spot + 1, "positions": line.positions, **did}


def pitching_panel(arm: PitcherRecord) -> PitchingLinePanel:
    return fill_panel(
        PitchingLinePanel,
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
