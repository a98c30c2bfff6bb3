"""Evaluate conditions of cards for one manager's view of the game. cards/condition_phrases.py parses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.diamond import runners_on_base
from engine.games.clutch.cards.card_types import FIELD_POSITIONS, OUT_OF_POSITION_RATING, ClutchBatter, PlayerCard
from engine.games.clutch.cards.effects import RUNNER_BASES, Condition
from engine.games.clutch.numbers.fielding import unit_positions
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import CardInPlay, EffectInForce, SidePlayer, State
from engine.seats import Seat, opposite_seat

FactLookup = Callable[[str], Any]
"""A lookup of facts by their names in `FACT_READERS`, as the card's owner sees the game. A stadium sees it as the side
at bat does (AM-45). A fact not known yet, such as the Swing before its roll, is None or "".
"""


@dataclass(frozen=True, slots=True)
class SeenPlayer:
    """A player as conditions read him.

    hand: as printed, "L", "R" or "S".
    side: where he bats or throws from now, "L" or "R".
    positions: those on his card.
    playing: his position now; "P", "DH", or "" for none.
    defense: his rating at that position.
    role: of a pitcher; "" for a batter.
    """

    name: str
    hand: str
    side: str
    team: str
    set: str
    icons: frozenset[str]
    salary: int
    clutch: int
    positions: frozenset[str]
    playing: str
    defense: int
    on_base: int = 0
    command: int = 0
    br: int = 0
    st: int = 0
    role: str = ""


@dataclass(frozen=True, slots=True)
class SideView:
    """A `FactLookup` in the state as the manager of `side` sees it.

    `name` is the player in question, `source` the card with the conditions, and `tags` are those of the open window.
    While the card is `acting`, its last use is the present one and is not counted.
    """

    s: State
    side: Seat
    tags: frozenset[str] = frozenset()
    name: str = ""
    source: str = ""
    acting: bool = False

    def __call__(self, fact: str) -> Any:
        return FACT_READERS[fact](self)

    @property
    def batter(self) -> SeenPlayer:
        squad = self.s.squad(self.s.offense)
        return _build_batter(self.s, self.s.batter_card, squad.spots[squad.slot])

    @property
    def pitcher(self) -> SeenPlayer:
        card, arm = self.s.pitcher_card, self.s.current_record
        return _build_person(self.s, card, card.hand, {"P"}, "P", card.defense, command=card.command, role=arm.role)

    @property
    def runner(self) -> SeenPlayer | None:
        """The runner in question, by default the one who is thrown at."""
        name = self.name or (self.s.throw.runner if self.s.throw else "")
        return self._team_member(self.s.offense, name) if name in self.s.squad(self.s.offense).order else None

    @property
    def runners(self) -> tuple[SeenPlayer, ...]:
        """All runners on base. The last one is the lead runner, even if he is the only one (CL-375, AM-49)."""
        return tuple(self._team_member(self.s.offense, one.name) for one in runners_on_base(self.s.bases))

    @property
    def fielders(self) -> Mapping[str, SeenPlayer]:
        """The side in the field by position, with the pitcher as "P"."""
        squad, cards = self.s.squad(self.s.defense), self.s.box.batters
        field = zip(squad.order, squad.spots, strict=True)
        return {spot: _build_batter(self.s, cards[name], spot) for name, spot in field if spot in FIELD_POSITIONS} | {
            "P": self.pitcher
        }

    @property
    def involved_players(self) -> tuple[SeenPlayer, ...]:
        """The players whose numbers count in the current roll (CL-224)."""
        throw = self.s.throw
        if throw is None:
            return (self.batter, self.pitcher)
        fielders = self.fielders
        found = [fielders[spot] for spot in unit_positions(throw.unit) if spot in fielders]
        return (*found, *((self.pitcher,) if throw.unit == "battery" else ()), *filter(None, (self.runner,)))

    def find_player(self, name: str, fields: bool) -> SeenPlayer:
        """Return the player of this name on the side at bat, or in the field if `fields`, or else the pitcher."""
        side = self.s.defense if fields else self.s.offense
        return self._team_member(side, name) if name in self.s.squad(side).order else self.pitcher

    def _team_member(self, side: Seat, name: str) -> SeenPlayer:
        squad = self.s.squad(side)
        return _build_batter(self.s, self.s.box.batters[name], squad.spots[squad.order.index(name)])


def current_matchup(s: State) -> tuple[SidePlayer, SidePlayer]:
    return (s.offense, s.squad(s.offense).batter), (s.defense, s.squad(s.defense).pitcher)


def is_in_effect(s: State, one: EffectInForce) -> bool:
    """True if an effect in force counts in this at-bat. One meant for the next at-bat does not. One on a player counts
    while he bats or pitches, and one left on a runner counts while he is on base.
    """
    if one.lasts.unit == "next-at-bat" or not one.on:
        return one.lasts.unit != "next-at-bat"
    card = s.box.strategies.get(one.source)
    if card and card.play.leave == "runner":
        return one.on[1] in [runner.name for runner in runners_on_base(s.bases)]
    return one.on in current_matchup(s)


def batting_hand(s: State, card: ClutchBatter) -> str:
    """Return the side of the plate he bats from. A switch hitter bats opposite the pitcher's hand (CL-006)."""
    return card.hand if card.hand != "S" else "R" if s.pitcher_card.hand == "L" else "L"


def _build_batter(s: State, card: ClutchBatter, playing: str) -> SeenPlayer:
    defense = card.gloves.get(playing, OUT_OF_POSITION_RATING) if playing in FIELD_POSITIONS else 0
    speeds = {"on_base": card.on_base, "br": card.baserunning, "st": card.stealing}
    return _build_person(s, card, batting_hand(s, card), card.positions, playing, defense, **speeds)


def _build_person(
    s: State, card: PlayerCard, side: str, spots: Iterable[str], playing: str, defense: int, **more: Any
) -> SeenPlayer:
    off = any(one.effect.verb == "ignore" and one.effect.what == "icons" and is_in_effect(s, one) for one in s.standing)
    icons = frozenset(() if off else card.icons)
    printed = (card.name, card.hand, side, card.team, card.set, icons, card.salary, card.clutch)
    return SeenPlayer(*printed, frozenset(spots), playing, defense, **more)


def _natural_rolls(s: State) -> dict[str, int | None]:
    """Return the natural rolls so far (CL-223)."""
    rolled = {"pitch": s.at.pitch_natural, "swing": s.at.swing_natural, "bunt": s.at.bunt}
    return {**rolled, s.throw.roll_kind: s.throw.natural} if s.throw else rolled


def _current_numbers(s: State) -> dict[str, int | None]:
    names = ("pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing")
    known = {name: getattr(s.at, name) for name in names}
    return {**known, s.throw.roll_kind: s.throw.total} if s.throw else known


def _kept_kind(s: State, one: CardInPlay) -> str:
    """Return the kind of a card in play: "momentum", "coach", or "left" on a player."""
    if one.kind == "coach":
        return "coach"
    return "momentum" if s.box.strategies[one.name].special == "momentum" else "left"


def _use_counts(view: SideView) -> dict[str, int]:
    """Count the earlier times this card took effect, by period."""
    s, mine = view.s, [(half, number) for source, half, number in view.s.uses if source == view.source]
    if view.acting:
        mine = mine[:-1]
    return {
        "at-bat": sum(number == s.number for _, number in mine),
        "half": sum(half == s.half_number for half, _ in mine),
        "inning": sum(half // 2 == s.half_number // 2 for half, _ in mine),
        "game": len(mine),
    }


FACT_READERS: Mapping[str, Callable[[SideView], Any]] = {
    "inning": lambda view: view.s.clock.inning,
    "half": lambda view: view.s.clock.half,
    "outs": lambda view: view.s.outs,
    "bases": lambda view: tuple(one is not None for one in view.s.bases),
    # Runs of his side minus the other side's.
    "lead": lambda view: (view.s.score[1] - view.s.score[0]) * (1 if view.side == "home" else -1),
    "clutch": lambda view: view.s.is_clutch_moment,
    "offence": lambda view: view.s.offense == view.side,
    "home": lambda view: view.side == "home",
    "batter": lambda view: view.batter,
    "pitcher": lambda view: view.pitcher,
    "runner": lambda view: view.runner,
    "lead_runner": lambda view: (view.runners or (None,))[-1],
    "runners": lambda view: view.runners,
    "fielders": lambda view: view.fielders,
    "involved": lambda view: view.involved_players,
    "advantage": lambda view: view.s.at.advantage,
    "mistake": lambda view: view.s.at.mistake,
    "chart": lambda view: view.s.at.chart,
    "read": lambda view: view.s.at.read,
    "result": lambda view: view.s.at.result,
    "outcome": lambda view: view.s.at.outcome,
    "previous": lambda view: view.s.last,
    "naturals": lambda view: _natural_rolls(view.s),
    "numbers": lambda view: _current_numbers(view.s),
    "base": lambda view: view.s.throw.base if view.s.throw else 0,
    "tags": lambda view: view.tags,
    "tired": lambda view: pitcher_record.is_tired(view.s.current_record, view.s.house),
    "pitcher_outs": lambda view: view.s.current_record.outs,
    "pitcher_faced": lambda view: view.s.current_record.faced,
    "pitcher_walks": lambda view: view.s.current_record.walks,
    "pitcher_earned": lambda view: view.s.current_record.earned,
    "innings_left": lambda view: pitcher_record.outs_left(view.s.current_record, view.s.house),
    # Pairs of his own and the other manager's.
    "hand": lambda view: (view.s.hand_size(view.side), view.s.hand_size(opposite_seat(view.side))),
    "deck": lambda view: (view.s.cards_left(view.side), view.s.cards_left(opposite_seat(view.side))),
    # (is his, name, kind) of each card. The kind of a played card is its side, or "coach".
    "in_play": lambda view: [(one.side == view.side, one.name, _kept_kind(view.s, one)) for one in view.s.kept],
    "played": lambda view: [
        (one.side == view.side, one.name, view.s.box.strategies[one.name].side if one.kind == "strategy" else "coach")
        for one in view.s.at.played
    ],
    "used": _use_counts,
    "team": lambda view: view.s.team_name(view.s.offense),
    "stadium": lambda view: view.s.stadium,
    "weather": lambda view: view.s.weather,
}
"""Facts that conditions read, by name. "team" is the side at bat."""


def are_conditions_met(conditions: Iterable[Condition], view: FactLookup) -> bool:
    return all(_is_condition_met(one, view) for one in conditions)


def is_matching_player(filters: Iterable[Condition], person: SeenPlayer) -> bool:
    return all(_is_trait_met(one, person) for one in filters)


def _is_condition_met(one: Condition, view: FactLookup) -> bool:
    match one.op:
        case "not":
            return not are_conditions_met(one.value, view)
        case "any":
            return any(are_conditions_met(way, view) for way in one.value)
        case "who":
            return any(is_matching_player(one.value, person) for person in _condition_players(one.fact, view))
        case "last":
            count, wanted = one.value
            last: tuple[str, ...] = view("previous")[-count:]
            return len(last) == count and set(last) <= set(wanted)
        case "card":
            mine, what = one.value
            return any(
                mine in (None, whose) and what in ("", name.casefold(), kind) for whose, name, kind in view(one.fact)
            )
    return _matches_value(one, _fact_value(one.fact, view))


def _is_trait_met(one: Condition, person: SeenPlayer) -> bool:
    match one.op:
        case "not":
            return not is_matching_player(one.value, person)
        case "any":
            return any(is_matching_player(way, person) for way in one.value)
        case "icon":
            return bool(one.value in map(str.casefold, person.icons))
    return _matches_value(one, getattr(person, one.fact))


def _matches_value(one: Condition, now: Any) -> bool:
    """True if a fact meets a condition. None, a fact not known yet, never does."""
    match one.op:
        case _ if now is None:
            return False
        case "range":
            return bool(one.value[0] <= now <= one.value[1])
        case "odd":
            return bool(now % 2 == one.value)
        case "in":
            return bool(now in one.value)
        case "has":
            return not one.value.isdisjoint(now)
        case "name":
            return bool(now.casefold() == one.value)
    return bool(now == one.value)


def _condition_players(who: str, view: FactLookup) -> Iterable[SeenPlayer]:
    """Return the players of whom one has to meet the condition."""
    match who:
        case "batter" | "pitcher" | "runner" | "lead_runner":
            return filter(None, (view(who),))
        case "runners" | "involved":
            return tuple(view(who))
    fielders: Mapping[str, SeenPlayer] = view("fielders")
    return fielders.values() if who == "fielders" else filter(None, (fielders.get(who),))


def _fact_value(name: str, view: FactLookup) -> Any:
    """Return the fact of a condition, or None if it is not known yet."""
    match name.partition(":"):
        case ("natural", ":", key):
            return view("naturals").get(key)
        case ("number", ":", key):
            return view("numbers").get(key)
        case ("used", ":", key):
            return view("used").get(key, 0)
        case ("first" | "second" | "third", _, _):
            return view("bases")[RUNNER_BASES.index(name)]
        case ("risp", _, _):
            return any(view("bases")[1:])
        case ("on", _, _):
            return sum(view("bases"))
        case ("differential", _, _):
            return abs(view("lead"))
        case ("my hand" | "their hand" | "my deck" | "their deck", _, _):
            whose, what = name.split()
            return view(what)[whose == "their"]
    return view(name)
