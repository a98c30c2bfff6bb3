"""One-sentence reasons that everybody may read."""

from __future__ import annotations

from engine.ask_views import AnyAskView, ChooseView
from engine.events import last_name
from engine.games.seventh_inning_stretch.dice.goals import OUTCOME_NAMES, RollGoal, dice_after_nudge
from engine.games.seventh_inning_stretch.innings.outcomes import OUTCOMES_BEST_FIRST
from engine.games.seventh_inning_stretch.state import REGULATION_INNINGS
from managers.games.seventh_inning_stretch.position import StretchPosition

STEAL_REASONS = {
    "steal-second": "A steal puts a runner in scoring position.",
    "steal-third": "A steal moves the runners up.",
}

PURCHASE_REASONS = {
    "flip-semifinals": "Home Field gives us the last at-bat in two semifinal games.",
    "flip-both": "Home Field gives us the last at-bat in two games of each series.",
    "lower-semifinals": "The semifinals get easier.",
    "lower-finals": "The finals get easier.",
    "team": "An easier team comes first.",
    "done": "Nothing left is worth the stars.",
}


def answer_reason(position: StretchPosition, ask: AnyAskView, value: object) -> str:
    if ask.secret or not isinstance(value, str):
        return ""
    match ask.why:
        case "at-bat":
            return _at_bat_reason(position, value)
        case "tokens":
            return _token_reason(position, value)
        case "extra-base":
            return _extra_base_reason(position, value)
        case "batter":
            return "" if value == "bats" else f"{last_name(value)} suits this spot better."
        case "outcome":
            return _outcome_reason(ask, value)
        case "ability" | "before":
            return _ability_reason(position, ask, value)
        case "relief":
            return _relief_reason(position, value)
        case "opponent":
            return _opponent_reason(position)
        case "spend":
            return PURCHASE_REASONS.get(value, "")
    return ""


def _at_bat_reason(position: StretchPosition, value: str) -> str:
    if value in STEAL_REASONS:
        return STEAL_REASONS[value]
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


def _token_reason(position: StretchPosition, value: str) -> str:
    if value == "reroll":
        return "Rerolling some dice may bring more."
    if value == "keep":
        return "We save the tokens for later."
    if value == "veteran":
        return "Another die helps more here than later."
    card = position.box.batters.get(position.batter)
    if card is None:
        return ""
    goal, at = RollGoal(card.lines), position.guard_facts()
    met = goal.met_outcomes(dice_after_nudge(position.dice, value), at)
    new = [one for one in OUTCOMES_BEST_FIRST if one in met and one not in goal.met_outcomes(position.dice, at)]
    shown = any(line["hope"] is not None for line in (position.panel["card"] or {"lines": ()})["lines"])
    return f"One pip makes it a {OUTCOME_NAMES[new[0]]}." if new and shown else ""


def _extra_base_reason(position: StretchPosition, value: str) -> str:
    if value in ("hold", "veteran"):
        return "The runners hold, and we save the dice." if value == "hold" else ""
    on_third = position.bases[2] is not None and position.bases[2] != position.batter
    if on_third and position.side_lead(position.batting_seat) == 0:
        return "The runner on third is the go-ahead run, so he goes."
    return "The runner on third goes for home." if on_third else "The runners go for another base."


def _outcome_reason(ask: AnyAskView, value: str) -> str:
    if isinstance(ask, ChooseView):
        first = min((one.value for one in ask.options), key=OUTCOMES_BEST_FIRST.index)
        if value != first:
            return f"The {OUTCOME_NAMES[value]} sets us up better than the {OUTCOME_NAMES[first]}."
    return "We take the best of them."


def _ability_reason(position: StretchPosition, ask: AnyAskView, value: str) -> str:
    if value == "enough":
        return "We save the stamina for a worse roll."
    if ask.why == "before":
        return "Fewer dice bring fewer runs."
    late = position.clock.inning >= REGULATION_INNINGS
    return "Late in the game every run counts." if late else "It cuts into what these dice bring."


def _relief_reason(position: StretchPosition, value: str) -> str:
    squad = position.fielding_squad
    if value == "stays" or not squad.pitcher:
        return ""
    if position.uses_left.get(squad.pitcher, 0) == 0:
        return f"{last_name(squad.pitcher)} has no stamina left."
    return f"{last_name(value)} suits this spot better."


def _opponent_reason(position: StretchPosition) -> str:
    at_home = bool(position.season and position.season["at_home"])
    return "It's best to face a strong team at home." if at_home else "Away from home, an easier team is better."
