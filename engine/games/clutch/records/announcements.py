"""What is called out as players come and go: sentences of starters, line-ups and substitutions, and their notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.events import spoken
from engine.games.clutch.at_bat.required_rolls import signed
from engine.games.clutch.cards.card_types import DH, Batter, Pitcher
from engine.games.clutch.state import OUT_OF_POSITION

NEVER_MIND = "never-mind"
"""The option that leaves what was begun."""

BENCH_ASKS = {
    "rotation": "Lay the rotation of {team}: who starts when, from 1 on.",
    "starter": "Who starts for {team}?",
    "starter-roll": "Roll the d20: it picks the starter of {team}. {picks}.",
    "opener": "{pitcher}, who follows an opener, is up: who opens for {team}?",
    "line-up": "How do {team} line up?",
    "two-way": "{pitcher} pitches. Does he bat too, as the designated hitter?",
    "lay": "Lay the line-up of {team} anew: who plays where, then who bats when.",
    "field": "Who plays where for {team}?",
    "strays": "Out of position for {team}: {strays}. Take it, or lay it again?",
    "order": "In which order do {team} bat?",
    "reliever": "{pitcher} leaves: who pitches now?",
    "pinch-hitter": "Who bats for {batter}?",
    "pinch-run-for": "Which runner is replaced?",
    "pinch-runner": "Who runs for {runner}?",
    "replaced": "Who of {team} leaves the field?",
    "replacement": "Who comes in for {out}?",
    "elsewhere": "{batter} is out of position at all of these: where does he play?",
    "replacement-plays": "Where does {batter} play? Who plays there becomes {position}.",
    "switched": "Double switch: who leaves first?",
    "switched-too": "Double switch: who leaves besides {out}?",
    "switch-in": "Double switch: who comes in?",
    "switch-in-too": "Double switch: who comes in besides {batter}?",
    "switch-bats": "Who of the two bats in place {place}, for {out}?",
    "switch-plays": "Who of the two plays {position}?",
    "moves": "Who of {team} moves?",
    "moves-to": "Where does {batter} move? Who plays there becomes {position}.",
    "removed": "{out} is out of the game: who takes his place?",
}

BENCH_OPTIONS = {
    "new-pitcher": "Change the pitcher",
    "replace": "Replace a fielder",
    "double-switch": "Double switch",
    "positions": "Move fielders",
    "pinch-hitter": "Pinch hitter",
    "pinch-runner": "Pinch runner",
    "another-position": "Another position",
    "never-mind": "Never mind",
    "roster": "As the roster says",
    "same": "As in the last game",
    "new": "Lay it anew",
    "bats": "He bats, as DH",
    "sits": "He only pitches",
    "lay": "Lay it",
    "take-it": "Take it",
    "lay-again": "Lay it again",
}

BENCH_EVENTS = {
    "rotation": "The rotation of {team}: {order}.",
    "starter": "{pitcher} starts for {team}.",
    "opener": "{pitcher} opens for {team}; a bulk pitcher must follow.",
    "line-up": "{team} bat {order}.",
    "new-pitcher": "{pitcher} comes in for {out}.",
    "pinch-hitter": "{batter} bats for {out}.",
    "pinch-runner": "{batter} runs for {out}.",
    "replaces": "{batter} comes in for {out} as {position} and bats in place {place}.",
    "moves": "{batter} is {position} now.",
    "afield": "{batter} takes the field as {position}; {team} go on without a designated hitter.",
    "forfeit": "{team} cannot field nine and forfeit the game.",
}

HANDS = {"R": "right", "L": "left", "S": "both ways"}


def gloves(card: Batter) -> str:
    """Where a batter can play, and how well: "LF +2, CF −1"."""
    fields = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items()]
    return ", ".join(fields) or DH


def at_bat(card: Batter) -> str:
    """What a batter brings to the plate, and where he can play."""
    more = bonus(card.left, card.right, "pitchers")
    return (
        f"bats {HANDS[card.hand]}, On-Base {card.on_base}{more}, Clutch {signed(card.clutch)}; can play {gloves(card)}"
    )


def on_base(card: Batter) -> str:
    """What a runner brings."""
    return f"Baserunning {card.baserunning}, Stealing {card.stealing}; can play {gloves(card)}"


def rated(card: Batter, spot: str) -> str:
    """What a fielder is worth at a position (CL-130)."""
    if spot in card.gloves:
        return f"{spot} {signed(card.gloves[spot])}"
    return f"{spot} {signed(OUT_OF_POSITION)}, not on the card"


def in_field(card: Batter, *spots: str) -> str:
    """What a fielder is worth at some positions, and where he can play at all."""
    others = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items() if spot not in spots]
    more = f"; also {', '.join(others)}" if others else ""
    return f"{', '.join(rated(card, spot) for spot in spots)}{more}"


def on_mound(card: Pitcher, role: str, owes: int) -> str:
    """What a pitcher brings in a role, and whether he is rested."""
    rested = f"owes {owes} game{'' if owes == 1 else 's'} of rest: tired" if owes else "fresh"
    innings = card.innings.get(role, 0)
    more = bonus(card.left, card.right, "batters")
    length = f"{role}, {innings} inning{'' if innings == 1 else 's'}"
    return f"throws {HANDS[card.hand]}, Command {card.command}{more}; {length}; {rested}"


def bonus(left: int, right: int, whom: str) -> str:
    """What handedness brings: ", +2 against left-handed pitchers"."""
    sides = [f"+{more} against {hand}-handed {whom}" for more, hand in ((left, "left"), (right, "right")) if more]
    return f", {spoken(sides)}" if sides else ""


def out_of_position(cards: Mapping[str, Batter], plays: Mapping[str, str]) -> list[str]:
    """Who of the fielders plays what is not on his card, and what he is worth there: "Bram Oduya at SS, −3"."""
    worth = signed(OUT_OF_POSITION)
    return [f"{name} at {at}, {worth}" for name, at in plays.items() if at != DH and at not in cards[name].gloves]


def stand(spots: Mapping[str, str]) -> dict[str, str]:
    """Players with what they play: "Bram Oduya, LF"."""
    return {name: f"{name}, {spot}" for name, spot in spots.items()}


def held(spots: Mapping[str, str]) -> dict[str, str]:
    """Positions with who plays them: "LF, for Bram Oduya"; those that nobody has are left out."""
    return {spot: f"{spot}, for {name}" for name, spot in spots.items()}


def bases(names: Iterable[str]) -> dict[str, str]:
    """Runners with their bases; "" is nobody."""
    on = zip(names, ("first", "second", "third"), strict=True)
    return {name: f"{name}, on {base}" for name, base in on if name}
