"""The box that cards make up, with everything that does not go together, and notes on cards that look mistyped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.cards import Card, quoted
from engine.errors import DeckError, Fault
from engine.games.clutch import roster as rosters
from engine.games.clutch.cards import DH, PLACES, Batter, Box, Pitcher, Roster
from engine.games.clutch.shapes import SHAPES

SPEEDS, RATINGS, CATCHERS = (11, 25), (-2, 6), (7, 12)
"""What real cards have: speeds, ratings in the field, and those of catchers (CL-095)."""


def unpack(cards: Sequence[Card], house: Mapping[str, str]) -> Box:
    """The box these cards make up. Raises DeckError with everything doubled, missing, or against the rulebook."""
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in SHAPES}
    faults = [
        *(fault for of in kinds.values() for fault in _doubled(of)),
        *(fault for card in cards for fault in _named(card)),
    ]
    batters = [_batter(card.fields) for card in kinds["batter"]]
    pitchers = [_pitcher(card.fields) for card in kinds["pitcher"]]
    brought = [_roster(card.fields) for card in kinds["roster"]]
    box = Box(
        batters={one.name: one for one in batters},
        pitchers={one.name: one for one in pitchers},
        rosters={one.name: one for one in brought},
    )
    faults += _pairs(kinds["pitcher"], box)
    for card, roster in zip(kinds["roster"], brought, strict=True):
        lacking = list(_strangers(card, roster, box))
        faults += lacking or [card.fault(field, why) for field, why in rosters.check(roster, box, house)]
    if len(brought) < 2:
        faults.append(Fault(files, "rosters", "name", f"two teams play: wants two [[roster]], not {len(brought)}."))
    if faults:
        raise DeckError(*faults)
    return box


# Cards as the game has them ---------------------------------------------------------------------------------------


def _batter(of: Mapping[str, Any]) -> Batter:
    gloves = {spot: rating for spot, rating in of["positions"] if spot != DH}
    return Batter(
        **{**of, "person": of["person"] or of["name"], "positions": tuple(spot for spot, _ in of["positions"])},
        gloves=gloves,
    )


def _pitcher(of: Mapping[str, Any]) -> Pitcher:
    fields = {name: value for name, value in of.items() if name != "roles"}
    return Pitcher(**{**fields, "person": of["person"] or of["name"]}, innings=dict(of["roles"]))


def _roster(of: Mapping[str, Any]) -> Roster:
    fielders = {spot: of[place] for place, spot in PLACES.items()}
    return Roster(
        of["name"],
        fielders,
        of["order"] or tuple(fielders.values()),
        of["bench"],
        of["rotation"],
        of["bullpen"],
        tuple(title for count, title in of["deck"] for _ in range(count)),
        of["coaches"],
        of["stadium"],
        dict(of["rest"]),
    )


# What does not go together ----------------------------------------------------------------------------------------


def _doubled(cards: Sequence[Card]) -> Iterator[Fault]:
    count = Counter(card.fields["name"] for card in cards)
    for card in cards:
        if count[name := card.fields["name"]] > 1:
            yield card.fault("name", f"there are {count[name]} {plural(card.kind)} named {name}.")


def plural(kind: str) -> str:
    """Several of a kind of card."""
    return {"strategy": "strategy cards", "coach": "coaches", "weather": "weather cards"}.get(kind, f"{kind}s")


def _named(card: Card) -> Iterator[Fault]:
    """What is offered beside names is in small letters, so a name is not."""
    if (name := card.fields["name"]) == name.lower():
        yield card.fault("name", f"wants a name with a capital letter, not {quoted(name)}.")


def _pairs(pitchers: Sequence[Card], box: Box) -> Iterator[Fault]:
    """A batter and a pitcher of one name are a two-way player (AM-13)."""
    for card in pitchers:
        name = card.fields["name"]
        if name in box.batters and box.batters[name].person != box.pitchers[name].person:
            yield card.fault("person", f"there is a batter named {name} too: the same person, or another name.")


def _strangers(card: Card, roster: Roster, box: Box) -> Iterator[Fault]:
    """Names in a roster that are no cards, or cards of another kind."""
    named: list[tuple[str, str, str]] = [
        *((place, "batter", roster.fielders[spot]) for place, spot in PLACES.items()),
        *(("order", "batter", name) for name in roster.order if name not in roster.fielders.values()),
        *(("bench", "batter", name) for name in roster.bench),
        *(("rotation", "pitcher", name) for name in roster.rotation),
        *(("bullpen", "pitcher", name) for name in roster.bullpen),
    ]
    known: dict[str, Mapping[str, Any]] = {"batter": box.batters, "pitcher": box.pitchers}
    for field, kind, name in named:
        if name not in known[kind]:
            other = {"batter": "pitcher", "pitcher": "batter"}.get(kind, "")
            more = f"; {name} is a {other}" if name in known.get(other, ()) else ""
            yield card.fault(field, f"there is no {kind} card named {name}{more}.")
    pitchers = (*roster.rotation, *roster.bullpen)
    for name in roster.rest:
        if name not in pitchers:
            yield card.fault("rest", f"{name} is no pitcher of this roster.")


# Notes ------------------------------------------------------------------------------------------------------------


def warnings(cards: Sequence[Card]) -> tuple[Fault, ...]:
    """What is unlike the cards that are sold, and may be mistyped; it is no fault, for cards rule (CL-095, AM-24)."""
    return tuple(fault for card in cards for fault in _notes(card))


def _notes(card: Card) -> Iterator[Fault]:
    of = card.fields
    if card.kind == "batter":
        for field in ("baserunning", "stealing"):
            if not SPEEDS[0] <= of[field] <= SPEEDS[1]:
                yield card.fault(field, f"is {of[field]}; speeds are mostly {SPEEDS[0]} to {SPEEDS[1]}.")
        for spot, rating in of["positions"]:
            low, high = CATCHERS if spot == "CA" else RATINGS
            if rating is not None and not low <= rating <= high:
                yield card.fault("positions", f"{spot} is {rating:+}; it is mostly {low:+} to {high:+}.")
    for kind, code in (("batter", "LD"), ("pitcher", "3B")):
        if card.kind == kind and code in (result for _, result in of["chart"].rows):
            yield card.fault("chart", f"has {code}, which a {kind}'s chart mostly has not.")
    if card.kind == "roster" and len(of["bench"]) + len(of["bullpen"]) == 12 and len(of["bullpen"]) < rosters.FEW:
        yield card.fault("bullpen", f"has {len(of['bullpen'])} relievers; {rosters.FEW} or eight are usual.")
