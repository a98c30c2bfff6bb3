"""Sentences of RallyBird for asks, choices, events, results and cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.diamond import Bases
from engine.events import GameWords, spoken_list
from engine.games.rallybird.announcements import ANNOUNCEMENT_RULES
from engine.games.rallybird.cards import AtBatCard
from engine.games.rallybird.results import ALL_RUNNERS, BASE_NAMES, STEPS_FOR_OUT, CardResult, RunnerKey
from engine.games.rallybird.state import State, glove_value
from engine.seats import Seat

TEAM_NAMES: dict[Seat, str] = {"away": "Visitors", "home": "Home"}

GAME_WORDS = GameWords(
    usual={"visitors": TEAM_NAMES["away"], "hosts": TEAM_NAMES["home"]},
    asks={
        "visitor": "Who is the visitor and bats first? Agree and switch seats, or let a die decide.",
        "visitor-die": "The player in the visitor's seat rolls a die. Odd: stay. Even: switch seats.",
        "removed": "Draw a card at random. It sits out this half-inning, and only you see it.",
        "set-aside": "Draw a real card at random, look at it alone, and set it aside face down for this half-inning.",
        "leave-out": "{first}Which of the two Gloves with a baseball do you leave out this half-inning?",
        "at-bat": "Choose the card for this at-bat. Nobody else sees it until the Gloves are down.",
        "laid": "Place a card face down for this at-bat. Then Defense places its Gloves.",
        "gloves": "{down} place {many} on the zones, at most one on each. The dice must beat the zones the card tests.",
        "shown": "Once your card and the Gloves are down, turn the card over. Which is it? If it isn't listed, it "
        "can't be played now: undo, and play another.",
        "tests": "Read {card}: which zone does it test? Pick a zone twice if it counts twice.",
        "hit": "{card} against {target}{first}. Roll both dice. Less: {less}. Equal: {equal}. More: {more}.",
        "hit-again": "{card} against {target}, the second roll. Less: {less}. Equal: {equal}. More: {more}.",
        "hit-blank": "{card} against {target}{first}. Roll both dice, then read the card.",
        "hit-blank-again": "{card} against {target}, the second roll. Roll both dice, then read the card.",
        "first-roll": "The dice show {compare}: read {card}. Is that good enough for the second roll?",
        "result": "The dice show {compare}: read {card}. What happens?",
        "rallybird": "{sum} against {target} failed: {result}. Use the RallyBird to roll again? If that fails too, "
        "you lose the RallyBird.",
        "rallybird-anyway": "{sum} against {target} already succeeded: {result}. Use the RallyBird anyway? Only the "
        "new roll counts, and if it fails you lose the RallyBird.",
        "flip": "Which Glove tested by {card} do you turn over? It stays that way for this half-inning.",
        "remove": "Which Glove tested by {card} do you remove for this half-inning?",
    },
    titles={
        "visitor": "Who is the visitor?",
        "visitor-die": "Odd: keep your seats",
        "removed": "One card sits out",
        "set-aside": "Set a card aside",
        "leave-out": "Glove to leave out",
        "at-bat": "Card for this at-bat",
        "laid": "Place a card face down",
        "gloves": "Place your Gloves",
        "shown": "Which card is it?",
        "tests": "Which zone does it test?",
        "hit": "Beat {target}: {card}",
        "hit-again": "Beat {target} again",
        "hit-blank": "Two dice against {target}",
        "hit-blank-again": "Again, against {target}",
        "first-roll": "Is the first roll good?",
        "result": "Read the card: {compare}",
        "rallybird": "RallyBird: roll again?",
        "rallybird-anyway": "RallyBird anyway?",
        "flip": "Glove to turn over",
        "remove": "Glove to remove",
    },
    options={
        "agreed": "We agreed",
        "die": "Let a die decide",
        "ready": "It's down",
        "enough": "No more zones",
        "good": "Yes, roll again",
        "bad": "No, it has failed",
        "keep": "Keep this roll",
        "reroll": "Roll again",
    },
    events={
        "stay-seated": "The die shows {face}: keep your seats.",
        "change-chairs": "The die shows {face}: switch seats.",
        "play-ball": "Play ball!",
        "half-inning": "Inning {inning}, {half}: {team} to bat.",
        "card-removed": "One card sits out this half-inning, face down. {left} can be played.",
        "glove-left-out": "Glove {glove} is left out.",
        "card-laid": "{team:plays/play} a card face down.",
        "shown-blank": "The card is {card}.",
        "shown": "{card} tests {tests}: {target} to beat.",
        "roll": "{sum} {against} {target}.",
        "rallybird": "{team:uses/use} the RallyBird to roll again!",
        "rallybird-lost": "That fails, too: {team:loses/lose} the RallyBird.",
        "single": "The batter is on first.",
        "double": "The batter is on second.",
        "triple": "The batter is on third.",
        "home-run": "The batter comes all the way home!",
        "walk": "The batter walks.",
        "fielders-choice": "The batter is safe at {base}.",
        "ground-out": "The batter is thrown out at first.",
        "double-play": "Double play!",
        "fly-out": "The ball is caught: the batter is out.",
        "batter-out": "The batter is out.",
        "runner-out": "The runner on {base} is out.",
        "runners-go": "Runners advance: {moves}.",
        "nothing-moves": "Nobody moves; the batter stays.",
        "scores": "{scored:run} in! {visitors} {away}, {hosts} {home}.",
        "flipped": "Glove {glove} is turned over and shows {value}.",
        "removed": "Glove {glove} is removed.",
        "third-out": "Three outs. {visitors} {away}, {hosts} {home}.",
        "game-over": "{ending}",
    },
    announced=ANNOUNCEMENT_RULES,
    thinking={
        "at-bat": "weighs the at-bat",
        "gloves": "places the Gloves",
    },
)

BATTER_PHRASES = {
    "stays": "the batter stays at bat",
    "walk": "the batter walks",
    "ground": "the batter is thrown out at first",
    "air": "the batter's ball is caught",
    "other": "the batter is out",
}

COMPARISON_VERBS = {"less": "is less than", "equal": "equals", "more": "beats"}
"""Verbs between a roll and its target, by comparison."""


def team_name(s: State, seat: Seat) -> str:
    return s.seat_name(seat, TEAM_NAMES[seat])


def describe_result(result: CardResult) -> str:
    moves = [_describe_runner(who, by) for who, by in result.runners if by]
    reaches = "the batter comes home" if result.reach == 4 else f"the batter reaches {BASE_NAMES[result.reach - 1]}"
    if result.batter != "stays" or not moves:
        moves.insert(0, reaches if result.batter == "hit" else BATTER_PHRASES[result.batter])
    sentence = spoken_list(moves)
    return f"{sentence}; without that runner {describe_result(result.otherwise)}" if result.otherwise else sentence


def describe_result_here(result: CardResult, bases: Bases[int]) -> str:
    """Return the effect of a result in words, without runners who are not on base and without its alternative."""
    there = (
        (who, by) for who, by in result.runners if (bases[who - 1] is not None if isinstance(who, int) else any(bases))
    )
    return describe_result(replace(result, runners=tuple(there), otherwise=None))


def describe_card(card: AtBatCard, tests: Sequence[str]) -> str:
    twice = ", two rolls" if card.twice else ""
    results = [f"{compare.capitalize()}: {describe_result(result)}." for compare, result in card.results.items()]
    return " ".join([f"Tests {spoken_list(tests)}{twice}.", *results])


def _describe_runner(who: RunnerKey, by: int) -> str:
    several = who == ALL_RUNNERS
    named = (
        f"the runner on {BASE_NAMES[who - 1]}" if isinstance(who, int) else "runners" if several else "the lead runner"
    )
    if by == STEPS_FOR_OUT:
        return f"{named} is out"
    if by == 3 or (isinstance(who, int) and who + by >= 4):
        return f"{named} {'come' if several else 'comes'} home"
    return f"{named} {'move' if several else 'moves'} up {by} base{'s' if by > 1 else ''}"


def board_labels(s: State) -> dict[str, str]:
    """Return labels of the Gloves, with the side that is or will be up, and of the zones."""
    sides = {name: "back" if name in s.backs else "front" for name in s.box.gloves}
    return {name: f"{name}, {side} up: {glove_value(s, name)}" for name, side in sides.items()} | s.box.zone_labels


def action_labels(do: str, gloves: Sequence[str]) -> dict[str, str]:
    """Return labels that repeat the action, because the small display shows nothing else with them."""
    return {name: f"{do} {name}" for name in gloves}
