"""Sentences of Bottom of the 9th for asks, choices, events and abilities."""

from __future__ import annotations

from engine.events import GameWords, spoken_list
from engine.games.bottom_of_the_9th.announcements import ANNOUNCEMENT_RULES
from engine.games.bottom_of_the_9th.effects import AbilityEffect

RELIEF_LABELS = {
    f"relief-{direction}-{location}": "Rest "
    + ", ".join(f"{{{part}}} +{steps}" for part, steps in (("direction", direction), ("location", location)) if steps)
    for direction in range(4)
    for location in range(4 - direction)
    if direction + location
}
"""Labels of every possible relief, at most three steps in total."""

GAME_WORDS = GameWords(
    usual={"up": "Home bats", "visitors": "the visitors"},
    asks={
        "lineup": "Who bats for home? The ready-made six are {batters}.",
        **{f"bat-{place}": f"Pick the batter for spot {place} of 6." for place in range(1, 7)},
        "starter": "Pick the starting pitcher.",
        "reliever": "Pick the reliever, who can come in later.",
        "guess": "What will {pitcher} throw {batter}? Each half you guess right earns its token.",
        "pitch-call": "What does {pitcher} throw {batter}? You keep the token of each half the batter guesses wrong.",
        "pitch": "Roll both white dice: {pitcher} throws to {batter}. The number is the control, and the letter says "
        "how the swing is judged.",
        "swing": "Roll the red die: {batter} swings at {thing} with control {control}: {chart}.",
        "bonus": "Crushed! Roll the red die again for {batter}: {chart}.",
        "reroll": "{card}: reroll the {which} die. It showed {face}.",
        "ability": "{card} {does}. Use it now?{change}",
        "blank": "Read {card}'s card: what does it do to this pitch?",
        "unopposed": "Before the race, roll one die for {card} alone. On {needs}, {won}. If not, {lost}.",
        "call-safe": "Roll the red die over and over. On {needs}, call SAFE: if you are first, {batter} is safe.",
        "call-out": "Roll a white die over and over. On {needs}, call OUT: if you are first, {batter} is out.",
        "race-roll": "Roll one die for {card}: {needs} wins the race, unless the other side's die wins too.",
        "relief": "{plan} before the next pitch? {tired}",
    },
    titles={
        "lineup": "Your lineup",
        **{f"bat-{place}": f"Batter {place} of 6" for place in range(1, 7)},
        "starter": "Starting pitcher",
        "reliever": "Reliever",
        "guess": "Guess the pitch",
        "pitch-call": "Call the pitch",
        "pitch": "Pitch to {batter:last}",
        "swing": "Swing: good on {wins}",
        "bonus": "Crushed: hit on {wins}",
        "reroll": "Reroll: {which} die",
        "ability": "{card:last}: use it?",
        "blank": "{card}'s card",
        "unopposed": "Roll alone: {needs}",
        "call-safe": "Race: SAFE on {needs}",
        "call-out": "Race: OUT on {needs}",
        "race-roll": "Race: {needs} wins",
        "relief": "Relief for {pitcher:last}",
    },
    options={
        "ready-made": "These six",
        "pick": "Pick six",
        "inside-high": "Inside, high",
        "inside-low": "Inside, low",
        "away-high": "Away, high",
        "away-low": "Away, low",
        "use": "Use it",
        "keep": "Not now",
        "nothing": "Nothing",
        **RELIEF_LABELS,
        "none": "No relief",
        "bench": "Bring in {reliever}",
    },
    events={
        "half-inning": "Bottom of the 9th, all even.",
        "lineup": "{up} {batters}.",
        "pitchers": "{starter} pitches for {visitors}, and {reliever} is ready in the pen.",
        "guessed": "{pitcher} throws {pitch}, and {batter} saw it coming.",
        "half-guessed": "{pitcher} throws {pitch}. {batter} looked for {guess} and is half right.",
        "fooled": "{pitcher} throws {pitch}. {batter} looked for {guess} and is fooled.",
        "exhausted": "{pitcher} is too tired for another {part} pitch.",
        "ability": "{card} {does}.",
        "ball": "Ball on {letter}: {swing} against {control}.",
        "strike": "Strike on {letter}: {swing} against {control}.",
        "foul": "Foul on {letter}: {swing} against {control}.",
        "contact": "Contact on {letter}: {swing} against {control}!",
        "crush": "{batter} crushes it!",
        "contact-after-all": "It stays in the park.",
        "walk": "{batter} walks.",
        "strikeout": "{batter} strikes out: {outs:out}.",
        "single": "{batter} is safe at first.",
        "double": "{batter} doubles.",
        "triple": "{batter} triples.",
        "home-run": "{batter} hits it out of the park!",
        "thrown-out": "{batter} is thrown out: {outs:out}.",
        "unopposed": "{card} rolls alone: {face}.",
        "race": "{batter} runs, {pitcher} fields!",
        "relief": "{pitcher} gets a breather: {steps:step}.",
        "bench": "{benched} leaves the game, and {pitcher} comes in.",
        "next-batter": "{batter} steps in.",
        "run-scores": "{runners} comes home!",
        "game-over": "{ending}",
    },
    announced=ANNOUNCEMENT_RULES,
    thinking={
        "lineup": "sets the lineup",
        "starter": "picks a pitcher",
        "reliever": "looks to the bullpen",
        "relief": "looks to the bullpen",
        "guess": "guesses the next pitch",
        "pitch-call": "weighs the next pitch",
        **{f"bat-{place}": "picks a batter" for place in range(1, 7)},
    },
)

THING_NAMES = {
    "control": "the control die",
    "swing": "the swing die",
    "pitch": "the pitching die",
    "B": "a B",
    "S": "an S",
    "C": "a C",
    "ball": "a ball",
    "strike": "a strike",
    "foul": "a foul",
    "contact": "contact",
    "crush": "a crush",
    "strikeout": "a strikeout",
    "walk": "a walk",
    "bonus": "the bonus",
    "1B": "a single",
    "2B": "a double",
    "3B": "a triple",
    "HR": "a home run",
    "direction": "direction",
    "location": "location",
    "both": "direction and location",
}
"""Names of the things that an ability can change."""

RESULT_NAMES = {
    **{result: result for result in ("ball", "strike", "foul", "contact", "crush", "walk", "strikeout")},
    "1B": "single",
    "2B": "double",
    "3B": "triple",
    "HR": "home run",
}
"""Names of results in the chart of a die, without articles."""

SLOT_NAMES = {slot: f"{slot} ability" for slot in ("direction", "location", "ace")} | {
    "mvp": "MVP ability",
    "trait": "trait",
}


def describe_effect(effect: AbilityEffect) -> str:
    """Return an ability's effect as a predicate for the name of its card, such as "adds 1 to the swing die"."""
    value = effect.value
    by = abs(value) if isinstance(value, int) else 0
    more = by == value
    s = "" if by == 1 else "s"
    thing = THING_NAMES.get(effect.what, "")
    match effect.verb:
        case "add":
            return f"adds {by} to {thing}" if more else f"subtracts {by} from {thing}"
        case "set":
            return f"makes {thing} a {value}"
        case "reroll":
            return f"rerolls {thing}"
        case "letter" | "result":
            return f"turns {thing} into {THING_NAMES[str(value)]}"
        case "bonus":
            return f"turns a bonus of {effect.what} into {THING_NAMES[str(value)]}"
        case "count":
            return f"counts {by} more {effect.what}{s}"
        case "runners":
            return f"moves every runner up {by} base{s}"
        case "race":
            wins = "wins the race" if effect.what == "race" else "lets the other side win the race only"
            return f"{wins} with {spoken_list(range(by, 7), 'or')}"
        case "cancel":
            return f"cancels the {SLOT_NAMES[effect.what]} of the other card"
        case "fatigue":
            return f"{'tires' if more else 'rests'} {thing} by {by} row{s}"
    return "rolls alone before the race"
