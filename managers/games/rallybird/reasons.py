"""One-sentence reasons that name the situation and reveal no plan."""

from __future__ import annotations

from managers.games.rallybird.gloves import GLOVE_FRONT, GloveKit, GloveStates
from managers.games.rallybird.outcomes import CardOutcomes
from managers.games.rallybird.situation import RallybirdPosition


def card_reason(now: RallybirdPosition, card: int, cards: CardOutcomes) -> str:
    """Return the reason for a card. It may be shown only after the card is revealed."""
    if cards.steals[card]:
        return "One more base is worth the risk." if now.outs < 2 else "With two outs, the runner has to go."
    if now.bases >> 2 & 1:
        return "There's a runner on third to bring home."
    if now.bases >> 1 & 1:
        return "With a runner on second, a hit can bring in a run."
    if now.bases & 1:
        return "The runner on first has to be moved over."
    return "With the bases empty, somebody has to get on."


def layout_reason(now: RallybirdPosition) -> str:
    if now.bases >> 2 & 1 and now.outs < 2:
        return "The runner on third can't be allowed to score."
    if now.bases & 1 and now.outs < 2:
        return "With a runner on first, a double play is possible."
    if now.outs == 2:
        return "One more out ends the half-inning."
    if now.bases:
        return "The runners can't be allowed to advance."
    return "With the bases empty, the Gloves cover the whole field."


def omission_reason(kit: GloveKit, glove: str) -> str:
    place = kit.names.index(glove)
    stays = next(icon for icon in kit.icons if icon != place)
    if kit.front[stays] > kit.front[place]:
        return f"Glove {kit.names[stays]} shows more on its front."
    if kit.back[stays] > kit.back[place]:
        return f"Glove {kit.names[stays]} shows more on its back."
    return ""


def glove_change_reason(kit: GloveKit, gloves: GloveStates, glove: str) -> str:
    place = kit.names.index(glove)
    if gloves[place] != GLOVE_FRONT:
        return f"Glove {glove} shows only {kit.glove_value(gloves, place)}, so it can go."
    if kit.back[place] >= kit.front[place]:
        return f"Glove {glove} loses nothing when it is turned over."
    return f"Glove {glove} still shows {kit.back[place]} on its back."


def rallybird_reason(now: RallybirdPosition, answer: str, good: bool) -> str:
    if answer == "reroll":
        return f"Behind by {-now.lead}, the dice get another chance."
    return "This roll is good enough." if good else "We may need the RallyBird more later."
