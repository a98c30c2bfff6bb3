"""Rules for a roster, its deck, coaches and stadium (CL-033 to CL-056)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.events import spoken_list
from engine.games.clutch.cards.card_types import (
    COACH_KINDS,
    DH,
    MAX_COPIES_BY_RARITY,
    POSITIONS_BY_ROSTER_FIELD,
    ClutchBatter,
    ClutchBox,
    ClutchPitcher,
    PlayerCard,
    Roster,
)

RosterViolations = Iterator[tuple[str, str]]  # (field of the roster's card, sentence).

DECK_SIZE = 50  # Strategy cards (CL-047).

MIN_BULLPEN_SIZE = 7  # Usual for a roster of 26, required only by a house rule (AM-21).


@dataclass(frozen=True, slots=True)
class RosterFormat:
    """A format of rosters with the minimum and maximum players of each part, None for no limit.

    `size` counts all its players, and `relief` bench and bullpen together. `cap` is the salary cap. With `backup`, a
    bench player must be a catcher.
    """

    size: int
    cap: int | None
    bench: tuple[int, int | None]
    rotation: tuple[int, int | None]
    bullpen: tuple[int, int | None]
    relief: int | None = None
    backup: bool = False


ROSTER_FORMATS: Mapping[str, RosterFormat] = {
    "26-man": RosterFormat(26, 6000, (4, None), (5, 5), (0, 8), relief=12, backup=True),
    "20-man": RosterFormat(20, 5000, (2, 2), (4, 4), (5, 5)),
    "all-star": RosterFormat(30, None, (6, 6), (1, None), (0, None)),
}
"""The rulebook's own format and its two suggestions (CL-040, CL-041). "open" has no limits (CL-042)."""


def check_roster(roster: Roster, box: ClutchBox, house: Mapping[str, str]) -> RosterViolations:
    """Yield violations of the rulebook under the house rules' format and level. Names without cards are not checked."""
    known = ROSTER_FORMATS.get(house["format"])
    nine = list(roster.fielders.values())
    batters = [box.batters[name] for name in (*nine, *roster.bench)]
    pitchers = [box.pitchers[name] for name in (*roster.rotation, *roster.bullpen)]
    players: tuple[PlayerCard, ...] = (*batters, *pitchers)
    yield from _check_duplicates(batters, pitchers)
    if roster.order and set(roster.order) != set(nine):
        yield "order", "needs each of the nine once who are named at the positions and as dh."
    if not any(_has_role(one, "SP", "BP") for one in pitchers[: len(roster.rotation)]) and not any(
        _has_role(one, "OP") for one in pitchers[len(roster.rotation) :]
    ):
        yield "rotation", "needs a starter: one with SP or BP in the rotation, or an OP in the bullpen."
    if house["leagueOnly"] == "on":
        for card in players:
            if card.rotated:
                yield "", f"{card.name} is of a set that leagues no longer play with."
    if not known:
        return
    yield from _check_positions(roster, box)
    yield from _check_counts(roster, box, known, house)
    yield from _check_pitchers(roster, box)
    cost = sum(card.salary for card in players)
    if known.cap is not None and cost > known.cap:
        yield "", f"costs {cost}, and the salary cap is {known.cap}."
    if house["level"] == "full":
        if roster.deck or house["hands"] == "dealt":
            yield from _check_deck(roster, box)
        yield from _check_staff(roster, box)


def _has_role(pitcher: ClutchPitcher, *roles: str) -> bool:
    return any(role in pitcher.innings for role in roles)


def _check_duplicates(batters: Sequence[ClutchBatter], pitchers: Sequence[ClutchPitcher]) -> RosterViolations:
    """Yield cards and players in two places. A two-way player has one card of each kind (CL-043, AM-13)."""
    for what, cards in (("batters", batters), ("pitchers", pitchers)):
        names = Counter(card.name for card in cards)
        for name, count in names.items():
            if count > 1:
                yield "", f"{name} is named {count} times among the {what}; everybody has one place."
        persons: dict[str, list[str]] = {}
        for card in cards:
            persons.setdefault(card.person, []).append(card.name)
        for person, of in persons.items():
            if len(set(of)) > 1:
                yield (
                    "",
                    f"{spoken_list(dict.fromkeys(of))} are cards of the same player, {person}; a team has one of them.",
                )


def _check_positions(roster: Roster, box: ClutchBox) -> RosterViolations:
    """Yield starters out of position. Anybody may be the designated hitter (CL-034, CL-035)."""
    for place, spot in POSITIONS_BY_ROSTER_FIELD.items():
        card = box.batters[roster.fielders[spot]]
        if spot != DH and spot not in card.positions:
            yield place, f"{card.name} does not play {spot}; his card has {spoken_list(card.positions)}."


def _check_counts(roster: Roster, box: ClutchBox, known: RosterFormat, house: Mapping[str, str]) -> RosterViolations:
    """Yield parts with too few or too many players (CL-033, CL-036 to CL-041)."""
    parts = {
        "bench": (roster.bench, known.bench),
        "rotation": (roster.rotation, known.rotation),
        "bullpen": (roster.bullpen, known.bullpen),
    }
    size = len(roster.fielders) + sum(len(names) for names, _ in parts.values())
    if size != known.size:
        yield "", f"needs {known.size} players, not {size}."
    for part, (names, (fewest, most)) in parts.items():
        if len(names) < fewest:
            yield part, f"needs {fewest} {'or more' if most != fewest else 'players'}, not {len(names)}."
        if most is not None and len(names) > most:
            yield part, f"needs {'at most ' if most != fewest else ''}{most} players, not {len(names)}."
    both = len(roster.bench) + len(roster.bullpen)
    if known.relief is not None and both != known.relief:
        yield "bench", f"bench and bullpen need {known.relief} players together, not {both}."
    if known.backup and not any("CA" in box.batters[name].positions for name in roster.bench):
        yield "bench", "needs a second catcher: somebody with CA."
    if (
        known.relief is not None
        and house["minBullpen"] == str(MIN_BULLPEN_SIZE)
        and len(roster.bullpen) < MIN_BULLPEN_SIZE
    ):
        yield "bullpen", f"needs {MIN_BULLPEN_SIZE} or more, not {len(roster.bullpen)}."


def _check_pitchers(roster: Roster, box: ClutchBox) -> RosterViolations:
    """Yield pitchers who may not be in the rotation or the bullpen (CL-037, CL-038)."""
    for name in roster.rotation:
        if not _has_role(box.pitchers[name], "SP", "BP"):
            yield "rotation", f"{name} is neither SP nor BP; put him into the bullpen."
    for name in roster.bullpen:
        if not _has_role(box.pitchers[name], "RP", "OP"):
            yield "bullpen", f"{name} is neither RP nor OP; put him into the rotation."


def _check_deck(roster: Roster, box: ClutchBox) -> RosterViolations:
    """Yield faults of the deck, which has fifty cards, each within its rarity's copies (CL-047 to CL-050)."""
    if len(roster.deck) != DECK_SIZE:
        yield "deck", f"needs {DECK_SIZE} strategy cards, not {len(roster.deck)}."
    for title, count in Counter(roster.deck).items():
        card = box.strategies[title]
        if count > MAX_COPIES_BY_RARITY[card.rarity]:
            yield (
                "deck",
                f"{title} is {card.rarity}: a deck has at most {MAX_COPIES_BY_RARITY[card.rarity]}, not {count}.",
            )


def _check_staff(roster: Roster, box: ClutchBox) -> RosterViolations:
    """Yield missing coaches, one of each kind, or a missing stadium (CL-051, CL-055)."""
    kinds = Counter(box.coaches[name].kind for name in roster.coaches)
    if any(kinds[kind] != 1 for kind in COACH_KINDS):
        has = spoken_list(f"{count} {kind}" for kind, count in kinds.items()) or "none"
        yield "coaches", f"needs one hitting, one pitching and one bench coach; it has {has}."
    if not roster.stadium:
        yield "stadium", "is missing: which stadium does the team bring?"
