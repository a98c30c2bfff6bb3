"""Starting pitchers, positions and batting order before a game (3.2.C, 3.2.E)."""

from __future__ import annotations

from engine.asks import arrange, choose, roll
from engine.dice import Die
from engine.events import spoken_list
from engine.games.clutch.cards.card_text import batting_note, pitching_note
from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS, LINEUP_POSITIONS
from engine.games.clutch.pitching import pitcher_record, rest
from engine.games.clutch.records.sentences import NEVER_MIND, out_of_position_texts
from engine.games.clutch.squad import BattingLine
from engine.games.clutch.state import State, Step
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat, replace_for_seat

LineupSpots = tuple[tuple[str, str], ...]  # In batting order, each with his position.

D20 = Die("d20")


def arrange_rotation(s: State, side: Seat) -> Step[None]:
    """Have a manager put his rotation in order, for the games of a series or the numbers of a d20 (CL-069)."""
    chair, names = s.chair(side), s.squad(side).roster.rotation
    places = tuple(str(place) for place in range(1, len(names) + 1))
    notes = {
        name: _pitcher_note(s, side, name, "SP" if "SP" in s.box.pitchers[name].innings else "BP") for name in names
    }
    laid = yield from arrange(chair, "rotation", names, places, team=s.team_name(side), notes=notes)
    order = tuple(laid.values())
    s.rotations = replace_for_seat(s.rotations, chair, order)
    s.emit("rotation", seat=side, team=s.team_name(side), order=list(order))


def name_starter(s: State, side: Seat) -> Step[None]:
    """Name the starter, who is a rested starter or an opener (CL-065, CL-066), or picked by a d20 (CL-069)."""
    if s.house["starter"] == "d20":
        name = yield from _roll_for_starter(s, side)
    else:
        names = eligible_starters(s, side)
        notes = {name: _pitcher_note(s, side, name, _starter_role(s, side, name)) for name in names}
        name = names[0]
        if len(names) > 1:
            name = yield from choose(s.chair(side), "starter", names, team=s.team_name(side), notes=notes)
    role = _starter_role(s, side, name)
    arm = pitcher_record.new_record(s.box.pitchers[name], role, bench.owed_rest(s, side, name).owes)
    pen = tuple(one for one in s.squad(side).roster.bullpen if one != name)
    s.update_squad(side, pitchers=(name,), bullpen=pen)
    s.arms = replace_for_seat(s.arms, side, {name: arm})
    s.emit("opener" if role == "OP" else "starter", seat=side, team=s.team_name(side), pitcher=name)


def eligible_starters(s: State, side: Seat) -> tuple[str, ...]:
    """Return the starters of the rotation, and openers that a bulk pitcher can follow (AM-08). Tired ones may start
    only if nobody is rested (AM-14), and bulk pitchers only if there is nobody else.
    """
    owing = s.rests[SEATS.index(s.chair(side))]
    able = rest.rested_starters(bench.current_rotation(s, side), owing, s.house)
    named = (*(name for name in able if "SP" in s.box.pitchers[name].innings), *eligible_openers(s, side))
    return rest.rested_starters(named, owing, s.house) or able


def eligible_openers(s: State, side: Seat) -> tuple[str, ...]:
    """Return the pitchers who may open a game, so that a bulk pitcher can follow (CL-066, CL-067, AM-08)."""
    pen = s.squad(side).roster.bullpen
    names = tuple(name for name in pen if "OP" in s.box.pitchers[name].innings)
    if s.house["opRequiresBp"] == "false":
        return names
    return tuple(name for name in names if set(_bulk_candidates(s, side)) - {name})


def _bulk_candidates(s: State, side: Seat) -> tuple[str, ...]:
    names = (*bench.current_rotation(s, side), *s.squad(side).roster.bullpen)
    return tuple(name for name in names if "BP" in s.box.pitchers[name].innings)


def _roll_for_starter(s: State, side: Seat) -> Step[str]:
    """Pick a starter from the rotation by a d20, each with an equal share of its numbers (AM-16). If he is not rested,
    the next rested one starts. An opener starts for a bulk pitcher, if there is one.
    """
    order = bench.current_rotation(s, side)
    places = {face: (face - 1) * len(order) // len(D20.faces) for face in range(1, len(D20.faces) + 1)}
    numbers = [[face for face, place in places.items() if place == at] for at in range(len(order))]
    picks = ", ".join(f"{some[0]} to {some[-1]} {name}" for some, name in zip(numbers, order, strict=True))
    face = yield from roll(s.chair(side), "starter-roll", D20, team=s.team_name(side), picks=picks)
    s.dice, at = (face,), places[face]
    able = rest.rested_starters(order, s.rests[SEATS.index(s.chair(side))], s.house)
    name = next(one for one in (*order[at:], *order[:at]) if one in able)
    names = eligible_openers(s, side)
    if "SP" in s.box.pitchers[name].innings or not names:
        return name
    notes = {one: _pitcher_note(s, side, one, "OP") for one in names}
    return (yield from choose(s.chair(side), "opener", names, team=s.team_name(side), pitcher=name, notes=notes))


def _starter_role(s: State, side: Seat, name: str) -> str:
    """Return the role of a starting pitcher, "OP" from the bullpen, or else "SP", or "BP" if his card has no SP."""
    if name in s.squad(side).roster.bullpen:
        return "OP"
    return "SP" if "SP" in s.box.pitchers[name].innings else "BP"


def _pitcher_note(s: State, side: Seat, name: str, role: str) -> str:
    return pitching_note(s.box.pitchers[name], role, bench.owed_rest(s, side, name).owes)


def set_lineup(s: State, side: Seat) -> Step[None]:
    """Set a lineup, either that of the roster, that of the last game, or a new one (CL-082, CL-083). Nine batters play
    the eight positions and designated hitter, in any order. The starter is already known.
    """
    chair, roster = s.chair(side), s.squad(side).roster
    ready = tuple((name, spot) for spot, name in roster.fielders.items())
    if roster.order:
        at = dict(ready)
        ready = tuple((name, at[name]) for name in roster.order)
    ways = {"roster": ready, "same": s.laid[SEATS.index(chair)]}
    ways = {code: nine for code, nine in ways.items() if _is_usable(s, side, nine)}
    notes = {code: spoken_list(f"{name} {spot}" for name, spot in nine) for code, nine in ways.items()}
    nine: LineupSpots = ()
    while not nine:
        how = yield from choose(chair, "line-up", (*ways, "new"), team=s.team_name(side), notes=notes)
        nine = ways[how] if how != "new" else (yield from _arrange_lineup(s, side, (NEVER_MIND,) if ways else ()))
    order, spots = tuple(name for name, _ in nine), tuple(spot for _, spot in nine)
    sit = tuple(name for name in _all_batters(s, side) if name not in order)
    s.update_squad(side, order=order, spots=spots, slot=0, bench=sit)
    s.lines = replace_for_seat(
        s.lines, side, {name: BattingLine(name, at, (spot,)) for at, (name, spot) in enumerate(nine)}
    )
    s.laid = replace_for_seat(s.laid, chair, nine)
    s.emit("line-up", seat=side, team=s.team_name(side), order=[f"{name} ({spot})" for name, spot in nine])


def _all_batters(s: State, side: Seat) -> tuple[str, ...]:
    roster = s.squad(side).roster
    return (*roster.fielders.values(), *roster.bench)


def _is_usable(s: State, side: Seat, nine: LineupSpots) -> bool:
    """True if there is a lineup and nobody in the field also pitches (AM-13)."""
    mound = bench.person_on_mound(s, side)
    return bool(nine) and all(spot == DH or s.box.batters[name].person != mound for name, spot in nine)


def _arrange_lineup(s: State, side: Seat, leave: tuple[str, ...]) -> Step[LineupSpots]:
    """Arrange a lineup, positions first, then the order. Return () if the manager chose an option of `leave`.

    A two-way player who pitches is the designated hitter or does not bat. Before the positions are final, the manager
    sees who would be out of position (CL-130).
    """
    chair, team, mound = s.chair(side), s.team_name(side), bench.person_on_mound(s, side)
    names = tuple(name for name in _all_batters(s, side) if s.box.batters[name].person != mound)
    both = [name for name in _all_batters(s, side) if name not in names]
    why, ways = ("two-way", ("bats", "sits")) if both else ("lay", ("lay",))
    notes = {name: batting_note(s.box.batters[name]) for name in names}
    plays: dict[str, str] = {}
    while not plays:
        how = ways[0]
        if len(options := (*ways, *leave)) > 1:
            how = yield from choose(chair, why, options, team=team, pitcher=s.squad(side).pitcher)
        if how in leave:
            return ()
        spots = FIELD_POSITIONS if how == "bats" else LINEUP_POSITIONS
        field = yield from arrange(chair, "field", names, spots, team=team, notes=notes)
        plays = {name: spot for spot, name in field.items()} | ({both[0]: DH} if how == "bats" else {})
        if strays := out_of_position_texts(s.box.batters, plays):
            choice = yield from choose(chair, "strays", ("take-it", "lay-again"), team=team, strays=strays)
            plays = plays if choice == "take-it" else {}
    places = tuple(str(place) for place in range(1, len(plays) + 1))
    notes = {name: f"{spot}, {batting_note(s.box.batters[name])}" for name, spot in plays.items()}
    order = yield from arrange(chair, "order", tuple(plays), places, team=team, notes=notes)
    return tuple((name, plays[name]) for name in order.values())
