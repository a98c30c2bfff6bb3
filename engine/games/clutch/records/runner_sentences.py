"""The sentences of hits, runners, throws at them, steals, bunts and the infield."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import spoken
from engine.games.clutch.cards.baseball_terms import BASE_NAMES

RUNNING_ASKS = {
    "extra-base": "{batter} gets a hit. Who tries for one base more?",
    "ground": "{batter} grounds to the infield. Who tries for third?",
    "send-home": "The infield plays in and has the ball. Who is sent home?",
    "tag-up": "The fly ball of {batter} is caught. Who tags up?",
    "throw-at": "{tries}. Throw at a runner?",
    "throw-or-batter": "{tries}. Throw at him, or take {batter} at first?",
    "double-play": "A ground ball with {runner} on first: try the double play?",
    "bunt": "{batter} bunts: roll the {which}; {need}.",
    "bunt-again": "Two bunts missed. Bunt again, and a miss is a strikeout; or swing at a pitch with +{bonus}?",
}

RUNNING_OPTIONS = {
    "stay": "Nobody",
    "no-throw": "No throw",
    "take-batter": "Take {batter} at first",
    "double-play": "Try the double play",
    "one-out": "Take the batter alone",
    "steal-second": "Steal second",
    "steal-third": "Steal third",
    "steal-both": "Double steal",
    "bunt": "Bunt",
    "bunt-again": "Bunt again",
}

RUNNING_EVENTS = {
    "strikeout": "{batter} strikes out. Outs: {outs}.",
    "single": "{batter} singles{home}.",
    "double": "{batter} doubles{home}.",
    "triple": "{batter} triples{home}.",
    "home-run": "{batter} hits a home run{home}!",
    "tries": "{tries}.",
    "ran": "{what}. Outs: {outs}.",
    "stays": "{runner} stays on {base}: {taken} is taken.",
    "ground-out": "{batter} grounds out{home}. Outs: {outs}.",
    "fielders-choice": "{batter} is on first by a fielder's choice{what}. Outs: {outs}.",
    "double-play": "{batter} grounds into a double play{home}. Outs: {outs}.",
    "fly-out": "{batter} flies out{what}. Outs: {outs}.",
    "sacrifice-fly": "{batter} hits a sacrifice fly{what}. Outs: {outs}.",
    "line-out": "{batter} lines out. Outs: {outs}.",
    "walk": "{batter} walks{home}.",
    "hit-by-pitch": "{batter} is hit by a pitch{home}.",
    "error": "{batter} reaches {base} on an error{home}.",
    "stolen": "{what}.",
    "caught": "{what}. Outs: {outs}.",
    "intentional-walk": "{batter} is walked intentionally{home}.",
    "bunts": "{batter} is going to bunt.",
    "bunt-missed": "The bunt is missed with {roll}; it wants more than {target}.",
    "sacrifice": "{batter} is out on a sacrifice bunt{what}. Outs: {outs}.",
    "infield-in": "The infield plays in.",
}


def tries_sentence(names: Sequence[str], bases: Sequence[int], verb: str = "tries for") -> str:
    """Return who tries for which base, 2 to 4, the lead runner first: "Ash tries for home, Birch for third"."""
    short = verb.split()[-1]
    first, *more = (f"{name} {{}} {BASE_NAMES[base - 1]}" for name, base in zip(names, bases, strict=True))
    return ", ".join([first.format(verb), *(one.format(short) for one in more)])


def throw_label(name: str, base: int) -> str:
    """Return the label of a throw at a runner on his way to a base."""
    return f"Throw {'' if base == 4 else 'to '}{BASE_NAMES[base - 1]}, at {name}"


def home(names: Sequence[str]) -> str:
    """Return who comes home, as the end of a sentence: "; Ash and Birch score", or nothing."""
    return f"; {spoken(names)} score{'s' if len(names) == 1 else ''}" if names else ""


def moves_ending(scored: Sequence[str], on: Sequence[tuple[str, int]]) -> str:
    """Return who moves with the batter, as the end of a sentence: "; Ash scores, Birch takes third", or nothing."""
    what = ", ".join(filter(None, (home(scored).removeprefix("; "), moves_sentence(on, (), None))))
    return f"; {what}" if what else ""


def moves_sentence(
    on: Sequence[tuple[str, int]], scored: Sequence[str], out: tuple[str, int] | None, takes: str = "takes"
) -> str:
    """Return what happened to runners: "Ash scores, Birch takes third and Cole is out at second"."""
    parts = [f"{name} scores" for name in scored]
    parts += [f"{name} {takes} {BASE_NAMES[base - 1]}" for name, base in on]
    if out:
        parts.append(f"{out[0]} is out at {BASE_NAMES[out[1] - 1]}")
    return spoken(parts)
