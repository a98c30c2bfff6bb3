"""Sentences of Small Ball for asks, choices and events."""

from __future__ import annotations

from engine.events import GameWords
from engine.games.small_ball.announcements import ANNOUNCEMENT_RULES
from engine.games.small_ball.state import State

GAME_WORDS = GameWords(
    asks={
        "away-team": "Who is the away team and bats first?",
        "coin-flip": "Roll the die. Odd: {red:bats/bat} first. Even: {blue:bats/bat} first.",
        "decision": "{batter} is up with {outs:out} and {stake:run} at stake. What will you do?",
        "swing": "{pinch} helps {batter} at the plate. How do you play it?",
        "at-bat": "Roll the die for {batter}: {chart}.{extra}",
        "pinch-after": "The die says {result} for {batter}. Let it stand, or call a pinch hitter to change it?",
        "bank-nothing": "{team:has/have} no runs to bank. End the half-inning anyway?",
        "steal-second": "Roll the die. On 1 to 4, {runner} steals second. On 5 or 6, {runner} is {out}.",
        "steal-third": "Roll the die. On 1 to 4, {runner} steals third. On 5 or 6, {runner} is {out}.",
        "double-steal": "Roll the die. On 1 to 4, {runner} and {behind} both steal. On 5 or 6, {runner} is {out}, "
        "and only {behind} is safe.",
        "sacrifice": "Roll the die for the sacrifice: {moved} on 1 to 4; {failed} on 5 or 6.",
        "reactivate": "Extra innings: {team} may use one pinch hitter again. Which one?",
    },
    titles={
        "away-team": "Who bats first?",
        "coin-flip": "Odd: {red:bats/bat} first",
        "decision": "{batter} is up",
        "swing": "How to bat: {batter}",
        "at-bat": "At bat: {batter}",
        "pinch-after": "Pinch hit for {batter}?",
        "bank-nothing": "End the half-inning?",
        "steal-second": "Steal second: 1-4",
        "steal-third": "Steal third: 1-4",
        "double-steal": "Double steal: 1-4",
        "sacrifice": "Sacrifice: 1-4",
        "reactivate": "Reuse a pinch hitter",
    },
    options={
        "red": "{red} (red)",
        "blue": "{blue} (blue)",
        "coin-flip": "Let the die decide",
        "bat": "Bat",
        "hit-and-run": "Hit-and-run",
        "sacrifice": "Sacrifice",
        "steal-second": "Steal 2nd",
        "steal-third": "Steal 3rd",
        "double-steal": "Double steal",
        "pinch-1": "Pinch hit: {pinch_1}",
        "pinch-2": "Pinch hit: {pinch_2}",
        "bank": "Bank {stake:run}",
        "bat-on": "Keep batting",
        "no": "Let it stand",
        "none": "None",
    },
    events={
        "play-ball": "{away} at {home}: play ball!",
        "half-inning": "Inning {inning}, {half}: {team:bats/bat}.",
        "single": "{batter} singles.",
        "double": "{batter} doubles.",
        "triple": "{batter} triples.",
        "home-run": "{batter} hits a home run!",
        "walk": "{batter} walks.",
        "strikeout": "{batter} strikes out.",
        "fly-out": "{batter} flies out.",
        "ground-out": "{batter} grounds out.",
        "ground-double-play": "{batter} grounds into a double play. {runner} is out, too.",
        "line-double-play": "{batter} lines out and {runner} is doubled up.",
        "strike-double-play": "{batter} strikes out and {runner} is thrown out.",
        "comes-home": "{runners} scored: {stake:run} at stake.",
        "steal-second": "{runner} steals second.",
        "steal-third": "{runner} steals third.",
        "double-steal": "Double steal: {runner} takes third, and the runner behind takes second.",
        "caught-steal-second": "{runner} is caught stealing second.",
        "caught-steal-third": "{runner} is caught stealing third.",
        "caught-double-steal": "{runner} is caught at third; the runner behind is safe at second.",
        "sacrifice": "{batter} lays down a sacrifice.",
        "hit-and-run": "Hit-and-run: the runner goes with the pitch.",
        "pinch-hitter": "{pinch} ({kind}) helps {batter} at the plate.",
        "reactivated": "{team} can use {pinch} again.",
        "bank": "{team:banks/bank} {runs:run}.",
        "batted-around": "Nine have batted: {team:banks/bank} {runs:run}.",
        "bust": "Three outs: {team:busts and loses/bust and lose} {lost:run}.",
        "game-over": "Game over: {team:wins/win} {winner} to {loser}.",
    },
    announced=ANNOUNCEMENT_RULES,
    thinking={
        "decision": "weighs the next play",
    },
)

RESULT_NAMES = {
    "1B": "single",
    "2B": "double",
    "3B": "triple",
    "HR": "home run",
    "BB": "walk",
    "SO": "strikeout",
    "FO": "flyout",
    "GO": "groundout",
    "line-double-play": "lineout and the runner is doubled up",
    "strike-double-play": "strikeout and the runner is thrown out",
}
"""Names of the results of an at-bat, by code."""


def describe_result(s: State, result: str) -> str:
    """Return a result in words with its effect on the runners, such as "groundout and Juno Sable is out too"."""
    first, _, third = s.bases
    named, early = RESULT_NAMES[result], s.outs < 2
    if result == "GO" and first and early:
        return f"{named} and {s.player_name(first)} is out too"
    if result == "FO" and third and early:
        return f"{named} and {s.player_name(third)} scores"
    return named


def describe_out(s: State) -> str:
    """Return the cost of one more out, either "out" or, for example, "the third out, which loses 2 runs"."""
    runs = len(s.scored)
    if s.outs < 2:
        return "out"
    return "the third out" + (f", which loses {runs} run{'s' if runs > 1 else ''}" if runs else "")


def describe_sacrifice(s: State) -> str:
    """Return the effect of a successful sacrifice in words."""
    batter = f"{s.batter.name} is {describe_out(s)}"
    return f"{batter} and every runner moves up a base" if s.outs < 2 else batter
