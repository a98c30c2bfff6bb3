"""Sentences and labels about runners, throws, lineups and substitutions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.events import spoken_list
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, signed_text
from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION_RATING, ClutchBatter


def tries_sentence(names: Sequence[str], bases: Sequence[int], verb: str = "tries for") -> str:
    """Describe tries for bases, 2 to 4, the lead runner first: "Ash tries for home, Birch for third"."""
    short = verb.split()[-1]
    first, *more = (f"{name} {{}} {BASE_NAMES[base - 1]}" for name, base in zip(names, bases, strict=True))
    return ", ".join([first.format(verb), *(one.format(short) for one in more)])


def throw_label(name: str, base: int) -> str:
    return f"Throw {'' if base == 4 else 'to '}{BASE_NAMES[base - 1]}, at {name}"


def additions_text(link: str, *parts: tuple[int, str]) -> str:
    """Return the additions to a number after the word `link`, such as " and +2 from cards", or ""."""
    added = [f"{signed_text(amount)} {source}" for amount, source in parts if amount]
    return f" {link} {spoken_list(added)}" if added else ""


def scorers_ending(names: Sequence[str]) -> str:
    """Return the runners who score, to end a sentence like "Birch doubles; Ash scores", or ""."""
    return f"; {spoken_list(names)} score{'s' if len(names) == 1 else ''}" if names else ""


def moves_ending(scored: Sequence[str], on: Sequence[tuple[str, int]]) -> str:
    """Return the runners who move, to end a sentence like "Cole singles; Ash scores, Birch takes third", or ""."""
    what = ", ".join(filter(None, (scorers_ending(scored).removeprefix("; "), moves_sentence(on, (), None))))
    return f"; {what}" if what else ""


def moves_sentence(
    on: Sequence[tuple[str, int]], scored: Sequence[str], out: tuple[str, int] | None, takes: str = "takes"
) -> str:
    """Describe the runners' moves: "Ash scores, Birch takes third and Cole is out at second"."""
    parts = [f"{name} scores" for name in scored]
    parts += [f"{name} {takes} {BASE_NAMES[base - 1]}" for name, base in on]
    if out:
        parts.append(f"{out[0]} is out at {BASE_NAMES[out[1] - 1]}")
    return spoken_list(parts)


NEVER_MIND = "never-mind"  # The option that cancels a manager's change.


def out_of_position_texts(cards: Mapping[str, ClutchBatter], plays: Mapping[str, str]) -> list[str]:
    """List the fielders out of position with their ratings there, such as "Bram Oduya at SS, −3"."""
    worth = signed_text(OUT_OF_POSITION_RATING)
    return [f"{name} at {at}, {worth}" for name, at in plays.items() if at != DH and at not in cards[name].gloves]


def player_labels(spots: Mapping[str, str]) -> dict[str, str]:
    """Return labels of players with their positions, such as "Bram Oduya, LF"."""
    return {name: f"{name}, {spot}" for name, spot in spots.items()}


def position_labels(spots: Mapping[str, str]) -> dict[str, str]:
    """Return labels of filled positions with their players, such as "LF, for Bram Oduya"."""
    return {spot: f"{spot}, for {name}" for name, spot in spots.items()}


def runner_labels(names: Iterable[str]) -> dict[str, str]:
    """Return labels of runners with their bases. `names` are those on the three bases, "" for nobody."""
    on = zip(names, ("first", "second", "third"), strict=True)
    return {name: f"{name}, on {base}" for name, base in on if name}
