"""The box of all cards, its faults, and warnings about likely typing mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from engine.cards import Card, quoted_value
from engine.errors import DeckError, DeckFault
from engine.games.clutch.cards import roster as rosters
from engine.games.clutch.cards.baseball_terms import signed_text
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.cards.card_text import batting_note, field_text, hand_text, pitching_note
from engine.games.clutch.cards.card_types import (
    DH,
    MAX_COPIES_BY_RARITY,
    POSITIONS_BY_ROSTER_FIELD,
    ClutchBatter,
    ClutchBox,
    ClutchPitcher,
    CoachCard,
    Roster,
    StadiumCard,
    StrategyCard,
    WeatherCard,
)
from engine.games.clutch.cards.effects import THIS_AT_BAT, CardEffect, CardRules, EffectDuration
from engine.games.clutch.cards.trigger_phrases import parse_trigger

WHILE_IN_PLAY = EffectDuration("while it stays in play", "play")
TWO_HALVES = EffectDuration("2 half-innings", "half", 2)  # A bench coach's effect (CL-031).
GAME_LONG = EffectDuration("this game", "game")

SPEED_RANGE = (11, 25)  # Baserunning and stealing on real cards (CL-095).
RATING_RANGE = (-2, 6)  # Fielding on real cards, except catchers (CL-095).
CATCHER_RATING_RANGE = (7, 12)  # On real cards (CL-095).


def build_box(cards: Sequence[Card], house: Mapping[str, str]) -> ClutchBox:
    """Build the box of these cards. Raise DeckError with everything that is doubled, missing or against the rulebook.
    If a strategy card was printed several times, its strictest rarity counts (AM-22).
    """
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    cards = _merge_reprints(cards)
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in CARD_SHAPES}
    faults = [
        *(fault for of in kinds.values() for fault in _duplicate_faults(of)),
        *(fault for card in cards for fault in _card_faults(card)),
    ]
    box = ClutchBox(
        *({card.fields["name"]: make(card) for card in kinds[kind]} for kind, make in _CARD_BUILDERS.items())
    )
    faults += _two_way_faults(kinds["pitcher"], box)
    for card in kinds["roster"]:
        roster = _build_roster(card)
        lacking = list(_unknown_name_faults(card, roster, box))
        faults += lacking or [card.field_fault(field, why) for field, why in rosters.check_roster(roster, box, house)]
    if len(kinds["roster"]) < 2:
        found = len(kinds["roster"])
        faults.append(DeckFault(files, "rosters", "name", f"two teams play: needs two [[roster]], not {found}."))
    if faults:
        raise DeckError(*faults)
    return replace(box, reads=_card_texts(box))


def _card_texts(box: ClutchBox) -> dict[tuple[str, str], str]:
    """Return the text of every card in one line. A pitcher is rested and in the first of his roles."""
    return {
        **{("batter", name): batting_note(card) for name, card in box.batters.items()},
        **{("pitcher", name): pitching_note(card, next(iter(card.innings)), 0) for name, card in box.pitchers.items()},
        **{("strategy", name): hand_text(card) for name, card in box.strategies.items()},
        **{("coach", name): hand_text(card) for name, card in box.coaches.items()},
        **{("stadium", name): field_text(card) for name, card in box.stadiums.items()},
        **{("weather", name): field_text(card) for name, card in box.weather.items()},
    }


def _merge_reprints(cards: Sequence[Card]) -> Sequence[Card]:
    """Merge strategy cards with the same title and text into one card with their strictest rarity."""
    kept: list[Card] = []
    places: dict[str, int] = {}
    for card in cards:
        title = card.fields["name"]
        if card.kind == "strategy" and title in places:
            one = kept[places[title]]
            if one.fields["set"] != card.fields["set"] and _printed_fields(one) == _printed_fields(card):
                rarity = min(
                    one.fields["rarity"], card.fields["rarity"], key=lambda rarity: MAX_COPIES_BY_RARITY[rarity]
                )
                kept[places[title]] = replace(one, fields={**one.fields, "rarity": rarity})
                continue
        if card.kind == "strategy":
            places[title] = len(kept)
        kept.append(card)
    return kept


def _printed_fields(card: Card) -> dict[str, object]:
    """Return the printed fields of a strategy card, except its set and rarity."""
    return {name: value for name, value in card.fields.items() if name not in ("set", "rarity")}


# Cards of the game ------------------------------------------------------------------------------------------------


def _build_batter(card: Card) -> ClutchBatter:
    of = card.fields
    gloves = {spot: rating for spot, rating in of["positions"] if spot != DH}
    positions = tuple(spot for spot, _ in of["positions"])
    return ClutchBatter(**{**of, "person": of["person"] or of["name"], "positions": positions}, gloves=gloves)


def _build_pitcher(card: Card) -> ClutchPitcher:
    of = card.fields
    fields = {name: value for name, value in of.items() if name != "roles"}
    return ClutchPitcher(**{**fields, "person": of["person"] or of["name"]}, innings=dict(of["roles"]))


def _build_strategy_card(card: Card) -> StrategyCard:
    of = card.fields
    leave = of["leave"] or ("play" if of["special"] == "momentum" else "")
    play = _build_play(card, WHILE_IN_PLAY if leave else THIS_AT_BAT, leave)
    return StrategyCard(of["name"], of["set"], of["rarity"], of["side"], of["special"], play, of["blank"])


def _build_coach(card: Card) -> CoachCard:
    of = card.fields
    return CoachCard(of["name"], of["kind"], _build_play(card, TWO_HALVES if of["kind"] == "bench" else THIS_AT_BAT))


def _build_stadium(card: Card) -> StadiumCard:
    of = card.fields
    main = CardRules(when=of["when"], conditions=_flatten_phrases(of["if"]), do=_flatten_phrases(of["do"]))
    defensive, offensive = (
        CardRules(conditions=of[f"{side}_for"], do=_flatten_phrases(of[side])) if of[side] else None
        for side in ("defensive", "offensive")
    )
    return StadiumCard(of["name"], main, defensive, offensive)


def _build_weather(card: Card) -> WeatherCard:
    of = card.fields
    lasts = of["lasts"] or GAME_LONG
    return WeatherCard(
        of["name"],
        CardRules(when=of["when"], conditions=_flatten_phrases(of["if"]), do=_flatten_phrases(of["do"]), lasts=lasts),
    )


def _build_play(card: Card, usual: EffectDuration, leave: str = "") -> CardRules:
    of = card.fields
    conditions, do, success, failure = (_flatten_phrases(of[field]) for field in ("if", "do", "success", "failure"))
    until, lasts = of.get("until", ()), of["lasts"] or usual
    return CardRules(of["when"], of["clutch"], conditions, of["cost"], do, success, failure, lasts, leave, until)


def _flatten_phrases(several: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(one for some in several for one in some)


def _build_roster(card: Card) -> Roster:
    of = card.fields
    fielders = {spot: of[place] for place, spot in POSITIONS_BY_ROSTER_FIELD.items()}
    deck = tuple(title for title, count in of["deck"] for _ in range(count))
    same = {field: of[field] for field in ("name", "bench", "rotation", "bullpen", "coaches", "stadium")}
    order = of["order"] or tuple(fielders.values())
    return Roster(**same, fielders=fielders, order=order, deck=deck, rest=dict(of["rest"]))


_CARD_BUILDERS: Mapping[str, Callable[[Card], Any]] = {
    "batter": _build_batter,
    "pitcher": _build_pitcher,
    "strategy": _build_strategy_card,
    "coach": _build_coach,
    "stadium": _build_stadium,
    "weather": _build_weather,
    "roster": _build_roster,
}
"""Builders of the kinds of cards, in the order of the fields of `ClutchBox`."""


# Faults -----------------------------------------------------------------------------------------------------------


def _duplicate_faults(cards: Sequence[Card]) -> Iterator[DeckFault]:
    count = Counter(card.fields["name"] for card in cards)
    for card in cards:
        if count[name := card.fields["name"]] > 1:
            yield card.field_fault("name", f"there are {count[name]} cards of kind {card.kind} named {name}.")


def _card_faults(card: Card) -> Iterator[DeckFault]:
    of = card.fields
    # Options listed with names, such as "never-mind", are lower-case, so a name must not be.
    if (name := of["name"]) == name.lower():
        yield card.field_fault("name", f"needs a name with a capital letter, not {quoted_value(name)}.")
    blank = of.get("blank", False)
    if card.kind in ("strategy", "coach"):
        for field in ("when", "do"):
            if not of[field] and not blank:
                more = "; or mark the card blank = true, and the table reads it" if card.kind == "strategy" else ""
                yield card.field_fault(field, f"is missing{more}.")
        for field in ("if", "do", "success", "failure"):
            if blank and of[field]:
                yield card.field_fault(field, "a blank card is read on the table; leave out this or blank.")
        yield from _moment_faults(card)
    if card.kind in ("strategy", "coach", "stadium", "weather"):
        yield from _hopeless_effect_faults(card)
    if card.kind == "strategy":
        if of["special"] == "momentum" and of["leave"] not in ("", "play"):
            yield card.field_fault("leave", "a Momentum card stays in play; leave this out.")
        if of["until"] and not of["leave"] and of["special"] != "momentum":
            yield card.field_fault("until", "says when a card goes that stays; say in leave where it stays.")
    if card.kind == "stadium":
        for side in ("defensive", "offensive"):
            if bool(of[side]) != bool(of[f"{side}_for"]):
                missing = f"{side}_for" if of[side] else side
                yield card.field_fault(missing, "is missing: a bonus needs both whom it is for and what it is.")


def _moment_faults(card: Card) -> Iterator[DeckFault]:
    """Yield triggers at which nobody can play the card, such as a chart or the other side's turn at bat."""
    side = card.fields.get("side") or {"hitting": "offense", "pitching": "defense"}.get(card.fields["kind"], "")
    never = {"offense": "theirs", "defense": "mine"}.get(side)
    for moment in card.fields["when"]:
        if moment.window == "chart":
            yield card.field_fault(
                "when", f"{quoted_value(moment.text)} is for stadiums; a card that is played waits for a result."
            )
        elif moment.window in ("half", "after", "end") and never in (*moment.tags, *moment.also):
            bats = "your side" if never == "mine" else "the other side"
            yield card.field_fault(
                "when", f"{quoted_value(moment.text)} never comes: {bats} bats then, and this is for {side}."
            )


_REVERSAL_MOMENTS = {
    "throw": "when a throw is settled",
    "check": "when a check is settled",
    "negate": "when a card is played",
}
"""Verbs that reverse a settled throw or check or a played card, with the trigger they need."""


def _hopeless_effect_faults(card: Card) -> Iterator[DeckFault]:
    """Yield effects that reverse a throw, a check or a card, if there can be none when this card is played."""
    for field in ("do", "success", "failure"):
        for text, typed in reversal_effects(_flatten_phrases(card.fields.get(field, ()))):
            if field != "do":
                yield card.field_fault(field, f"{quoted_value(text)} comes too late there; say it in do.")
            elif not any(one.window == parse_trigger(typed).window for one in card.fields["when"]):
                yield card.field_fault(
                    field, f"{quoted_value(text)} can never be done; say when = {quoted_value(typed)} too."
                )


def reversal_effects(effects: Sequence[CardEffect]) -> Iterator[tuple[str, str]]:
    """Yield the effects that reverse something, even nested ones, as their phrases and the trigger they need."""
    for one in effects:
        if one.verb in _REVERSAL_MOMENTS:
            yield one.text, _REVERSAL_MOMENTS[one.verb]
        yield from reversal_effects((*one.then, *one.otherwise))


def _two_way_faults(pitchers: Sequence[Card], box: ClutchBox) -> Iterator[DeckFault]:
    """Yield pitchers who share a batter's name but are not the same person (AM-13)."""
    for card in pitchers:
        name = card.fields["name"]
        if name in box.batters and box.batters[name].person != box.pitchers[name].person:
            yield card.field_fault("person", f"there is a batter named {name} too: the same person, or another name.")


_KIND_NAMES = {"strategy": "strategy card"}


def _unknown_name_faults(card: Card, roster: Roster, box: ClutchBox) -> Iterator[DeckFault]:
    named: list[tuple[str, str, str]] = [
        *((place, "batter", roster.fielders[spot]) for place, spot in POSITIONS_BY_ROSTER_FIELD.items()),
        *(("order", "batter", name) for name in roster.order if name not in roster.fielders.values()),
        *(("bench", "batter", name) for name in roster.bench),
        *(("rotation", "pitcher", name) for name in roster.rotation),
        *(("bullpen", "pitcher", name) for name in roster.bullpen),
        *(("deck", "strategy", title) for title in dict.fromkeys(roster.deck)),
        *(("coaches", "coach", name) for name in roster.coaches),
        *(("stadium", "stadium", name) for name in (roster.stadium,) if name),
    ]
    known: dict[str, Mapping[str, object]] = {
        "batter": box.batters,
        "pitcher": box.pitchers,
        "strategy": box.strategies,
        "coach": box.coaches,
        "stadium": box.stadiums,
    }
    for field, kind, name in named:
        if name not in known[kind]:
            other = {"batter": "pitcher", "pitcher": "batter"}.get(kind, "")
            more = f"; {name} is a {other}" if name in known.get(other, ()) else ""
            if not more and (near := get_close_matches(name, known[kind], 1)):
                more = f"; the nearest is {near[0]}"
            yield card.field_fault(field, f"there is no {_KIND_NAMES.get(kind, kind)} named {name}{more}.")
    pitchers = (*roster.rotation, *roster.bullpen)
    for name in roster.rest:
        if name not in pitchers:
            yield card.field_fault("rest", f"{name} is no pitcher of this roster.")


# Warnings ---------------------------------------------------------------------------------------------------------


def deck_warnings(cards: Sequence[Card]) -> tuple[DeckFault, ...]:
    """Return values unusual on real cards, which may be typos. They are legal, since cards rule (CL-095, AM-24)."""
    return tuple(fault for card in cards for fault in _card_warnings(card))


def _card_warnings(card: Card) -> Iterator[DeckFault]:
    of = card.fields
    if card.kind == "batter":
        for field in ("baserunning", "stealing"):
            if not SPEED_RANGE[0] <= of[field] <= SPEED_RANGE[1]:
                yield card.field_fault(
                    field, f"is {of[field]}; speeds are mostly {SPEED_RANGE[0]} to {SPEED_RANGE[1]}."
                )
        for spot, rating in of["positions"]:
            low, high = CATCHER_RATING_RANGE if spot == "CA" else RATING_RANGE
            if rating is not None and not low <= rating <= high:
                yield card.field_fault(
                    "positions",
                    f"{spot} is {signed_text(rating)}; it is mostly {signed_text(low)} to {signed_text(high)}.",
                )
    for kind, code in (("batter", "LD"), ("pitcher", "3B")):
        if card.kind == kind and code in (result for _, result in of["chart"].rows):
            yield card.field_fault("chart", f"has {code}, which a {kind}'s chart mostly has not.")
    if (
        card.kind == "roster"
        and len(of["bench"]) + len(of["bullpen"]) == 12
        and len(of["bullpen"]) < rosters.MIN_BULLPEN_SIZE
    ):
        yield card.field_fault("bullpen", f"has {len(of['bullpen'])} relievers; seven or eight are usual.")
