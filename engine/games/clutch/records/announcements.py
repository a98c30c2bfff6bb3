"""The sentences of starters, line-ups and substitutions, with their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.games.clutch.cards.baseball_terms import signed
from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION, Batter

NEVER_MIND = "never-mind"
"""The option that cancels what the manager has begun."""

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


def out_of_position(cards: Mapping[str, Batter], plays: Mapping[str, str]) -> list[str]:
    """Return the fielders out of position, with what they are worth there: "Bram Oduya at SS, −3"."""
    worth = signed(OUT_OF_POSITION)
    return [f"{name} at {at}, {worth}" for name, at in plays.items() if at != DH and at not in cards[name].gloves]


def with_position(spots: Mapping[str, str]) -> dict[str, str]:
    """Return labels for players with their positions: "Bram Oduya, LF"."""
    return {name: f"{name}, {spot}" for name, spot in spots.items()}


def by_position(spots: Mapping[str, str]) -> dict[str, str]:
    """Return labels for positions with their players: "LF, for Bram Oduya"; not for positions without a player."""
    return {spot: f"{spot}, for {name}" for name, spot in spots.items()}


def with_base(names: Iterable[str]) -> dict[str, str]:
    """Return labels for runners with their bases; `names` are those on the three bases, "" for nobody."""
    on = zip(names, ("first", "second", "third"), strict=True)
    return {name: f"{name}, on {base}" for name, base in on if name}
