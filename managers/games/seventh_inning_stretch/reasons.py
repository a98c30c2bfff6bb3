"""Why an answer is given, in one plain sentence that everybody may read."""

from __future__ import annotations

from engine.ask_views import AnyAskView, ChooseView
from engine.events import last_name
from engine.games.seventh_inning_stretch.dice.goals import TITLES, Goal, nudged
from engine.games.seventh_inning_stretch.innings.outcomes import BEST
from engine.games.seventh_inning_stretch.state import REGULATION
from managers.games.seventh_inning_stretch.position import Position

STEALS = {
    "steal-second": "A steal puts a runner in scoring position.",
    "steal-third": "A steal moves the runners up.",
}

BOUGHT = {
    "flip-semifinals": "Home Field gives us the last at-bat in two semifinal games.",
    "flip-both": "Home Field gives us the last at-bat in two games of each series.",
    "lower-semifinals": "The semifinals get easier.",
    "lower-finals": "The finals get easier.",
    "team": "An easier team comes first.",
    "done": "Nothing left is worth the stars.",
}


def reason(position: Position, ask: AnyAskView, value: object) -> str:
    """Return why this answer is given; "" if there is nothing to say."""
    if ask.secret or not isinstance(value, str):
        return ""
    match ask.why:
        case "at-bat":
            return _at_bat(position, value)
        case "tokens":
            return _token(position, value)
        case "extra-base":
            return _extra_base(position, value)
        case "batter":
            return "" if value == "bats" else f"{last_name(value)} suits this spot better."
        case "outcome":
            return _outcome(ask, value)
        case "ability" | "before":
            return _ability(position, ask, value)
        case "relief":
            return _relief(position, value)
        case "opponent":
            return _opponent(position)
        case "spend":
            return BOUGHT.get(value, "")
    return ""


def _at_bat(position: Position, value: str) -> str:
    if value in STEALS:
        return STEALS[value]
    if value == "veteran":
        return "Another die helps more here than later."
    ready = position.pool[0] + position.coach
    if value == "0":
        return "We save the dice for the next batter." if ready else ""
    if int(value) < ready:
        return "We save some dice for the next batters."
    if position.outs == 2:
        return "With two outs, all the dice go into this at-bat."
    return ""


def _token(position: Position, value: str) -> str:
    if value == "reroll":
        return "Rerolling some dice may bring more."
    if value == "keep":
        return "We save the tokens for later."
    if value == "veteran":
        return "Another die helps more here than later."
    card = position.box.batters.get(position.batter)
    if card is None:
        return ""
    goal, at = Goal(card.lines), position.at()
    met = goal.met(nudged(position.dice, value), at)
    new = [one for one in BEST if one in met and one not in goal.met(position.dice, at)]
    shown = any(line["hope"] is not None for line in (position.panel["card"] or {"lines": ()})["lines"])
    return f"One pip makes it a {TITLES[new[0]]}." if new and shown else ""


def _extra_base(position: Position, value: str) -> str:
    if value in ("hold", "veteran"):
        return "The runners hold, and we save the dice." if value == "hold" else ""
    on_third = position.bases[2] is not None and position.bases[2] != position.batter
    if on_third and position.lead_of(position.batting) == 0:
        return "The runner on third is the go-ahead run, so he goes."
    return "The runner on third goes for home." if on_third else "The runners go for another base."


def _outcome(ask: AnyAskView, value: str) -> str:
    if isinstance(ask, ChooseView):
        first = min((one.value for one in ask.options), key=BEST.index)
        if value != first:
            return f"The {TITLES[value]} leaves more to come than the {TITLES[first]}."
    return "We take the best of them."


def _ability(position: Position, ask: AnyAskView, value: str) -> str:
    if value == "enough":
        return "We save the stamina for a worse roll."
    if ask.why == "before":
        return "Fewer dice bring fewer runs."
    late = position.clock.inning >= REGULATION
    return "Late in the game every run counts." if late else "It cuts into what these dice bring."


def _relief(position: Position, value: str) -> str:
    squad = position.in_field
    if value == "stays" or not squad.pitcher:
        return ""
    if position.left.get(squad.pitcher, 0) == 0:
        return f"{last_name(squad.pitcher)} has no stamina left."
    return f"{last_name(value)} suits this spot better."


def _opponent(position: Position) -> str:
    at_home = bool(position.season and position.season["at_home"])
    return "It's best to face a strong team at home." if at_home else "Away from home, an easier team is better."
