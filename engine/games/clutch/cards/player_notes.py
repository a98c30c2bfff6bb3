"""What a player brings, in one line: at the plate, on base, in the field, on the mound."""

from __future__ import annotations

from engine.events import spoken
from engine.games.clutch.cards.baseball_terms import signed
from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION, Batter, Pitcher

HANDS = {"R": "right", "L": "left", "S": "both ways"}


def batting_note(card: Batter) -> str:
    """Return what a batter brings to the plate, and where he can play."""
    more = _handedness(card.left, card.right, "pitchers")
    return (
        f"bats {HANDS[card.hand]}, On-Base {card.on_base}{more}, Clutch {signed(card.clutch)}; can play {_gloves(card)}"
    )


def running_note(card: Batter) -> str:
    """Return what a runner brings, and where he can play."""
    return f"Baserunning {card.baserunning}, Stealing {card.stealing}; can play {_gloves(card)}"


def fielding_note(card: Batter, *spots: str) -> str:
    """Return what a fielder is worth at these positions, and where else he can play."""
    others = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items() if spot not in spots]
    more = f"; also {', '.join(others)}" if others else ""
    return f"{', '.join(position_note(card, spot) for spot in spots)}{more}"


def position_note(card: Batter, spot: str) -> str:
    """Return what a fielder is worth at one position (CL-130)."""
    if spot in card.gloves:
        return f"{spot} {signed(card.gloves[spot])}"
    return f"{spot} {signed(OUT_OF_POSITION)}, not on the card"


def pitching_note(card: Pitcher, role: str, owes: int) -> str:
    """Return what a pitcher brings in a role, and whether he is rested; `owes` are the games he still has to rest."""
    rested = f"owes {owes} game{'' if owes == 1 else 's'} of rest: tired" if owes else "fresh"
    innings = card.innings.get(role, 0)
    more = _handedness(card.left, card.right, "batters")
    length = f"{role}, {innings} inning{'' if innings == 1 else 's'}"
    return f"throws {HANDS[card.hand]}, Command {card.command}{more}; {length}; {rested}"


def _gloves(card: Batter) -> str:
    """Return where a batter can play, and how well: "LF +2, CF −1"."""
    fields = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items()]
    return ", ".join(fields) or DH


def _handedness(left: int, right: int, whom: str) -> str:
    """Return what handedness brings: ", +2 against left-handed pitchers"."""
    sides = [f"+{more} against {hand}-handed {whom}" for more, hand in ((left, "left"), (right, "right")) if more]
    return f", {spoken(sides)}" if sides else ""
