"""Sentences of 7th Inning Stretch for asks, options, events and cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.events import GameWords, chart_in_words, spoken_list
from engine.games.seventh_inning_stretch.announcements import ANNOUNCEMENT_RULES
from engine.games.seventh_inning_stretch.cards import OpponentTeam, StretchBatter, StretchPitcher
from engine.games.seventh_inning_stretch.dice.abilities import AbilityUse
from engine.games.seventh_inning_stretch.dice.goals import dice_in_words
from engine.seats import Seat

if TYPE_CHECKING:
    from engine.games.seventh_inning_stretch.state import Pool, State

TEAM_NAMES: dict[Seat, str] = {"away": "Visitors", "home": "Home"}
"""Default names of the two coaches' teams in a duel."""

MANAGER_TEAM_NAME = "Your team"
"""Default name of the manager's team in a season."""

NINTH_BATTER_REMINDER = "You have eight batters: keep a batter if you hold one. "
"""Reminder for a duel's coach near the end of a draft with real cards (SI-211)."""

GAME_WORDS = GameWords(
    usual={"visitors": TEAM_NAMES["away"], "hosts": TEAM_NAMES["home"]},
    asks={
        # Dealing and drafting.
        "roster-pitcher": "Tier 1 has two pitchers: draw one.",
        "roster-batter": "Draw batter {number} of 9 from tier 1.",
        "top": "Turn up the team side of the next tier {tier} card. Which team is it?",
        "draft": "Pick {step} of 3: who joins your roster? You face the other card's team.",
        "first-bat": "Who bats first? Agree and switch seats, or let a die decide.",
        "first-bat-die": "Visitors roll a die. Odd: stay. Even: switch seats. Visitors bat first.",
        "duel-pitcher": "Which tier 1 pitcher do the Visitors start with? Home gets the other one.",
        "duel-pitcher-drawn": "Draw the pitcher for the Visitors. Home gets the other one.",
        "dealt": "Deal both hands, each {what}. Press when all cards are dealt.",
        "hand": "A tier {tier} card is dealt.",
        "pick": "Keep one of these {count:card}. The others are passed on.",
        "kept": "{mind}Turn over the card you keep. Which is it?",
        # Player selection.
        "opponent": "Game {number}, {where}: which team do you face?",
        "line-up-again": "Do the same nine bat in the same order?",
        "line-up": "Put your {count} batters in order.",
        "line-up-die": (
            "Roll the ten-sided die. On 1 to {count}, the batter in that spot leads off. Anything higher lets you "
            "choose. A 0 is a 10."
        ),
        "lead-off": "The die shows {face}, so you choose: who leads off?",
        "pitcher": "Who pitches? A pitcher with no stamina left cannot use the ability.",
        "goat": "Roll for your starting deficit. A 1 means none, 2 to 4 one run, 5 or 6 two runs.",
        # Offense.
        "batter": "{batter} is due up. Use a pinch hitter? {batter:last} is then out for the rest of this game.",
        "resources": "Roll for the dice that {batter} brings: {rule}.",
        "at-bat": "{batter} is at bat: {card}. How many dice do you use up? With none, it's out number {out}.",
        "steal-second-dice": (
            "How many dice for {runner} to steal second? One must show 5 or 6, or {runner:last} is out."
        ),
        "steal-third-dice": "How many dice for {runner} to steal third? A 6 moves all runners up; else one is out.",
        "steal-second": "Roll {count:die/dice} for {runner} to steal second. A 5 or 6 is safe; less is an out.",
        "steal-third": "Roll {count:die/dice} for {runner} to steal third. A 6 moves all runners up; else one is out.",
        "swing": "Roll {count:die/dice} for {batter}: {card}. Anything else is out number {out}.",
        "tokens": "{what}: the dice show {dice}, {now}. Spend a token? You have {left}.",
        "reroll": "{what}: pick up any dice, at least one, and reroll them. Leave the others in place.",
        "runner-out": "{what} failed. Which runner is out? It's out number {out}.",
        "outcome": "{batter}'s dice show {dice} and meet several lines of the card. Which one counts?",
        "extra-base": (
            "Roll for {runners} to move up one more base? A die must show {face}; otherwise {fails}. {batter} stays."
        ),
        "extra-base-roll": (
            "Roll {count:die/dice} for {runners} to move up one more base: {face} is safe; otherwise {fails}."
        ),
        # Defense.
        "relief": (
            "{pitcher} can use the ability {left:more time/more times}. Bring in a reliever? {pitcher:last} is then "
            "out for the rest of this game."
        ),
        "before": (
            "{team} will roll {count:die/dice}. Use {pitcher}'s ability before that: {ability}? Uses left: {left}."
        ),
        "team": "Roll {count:die/dice} for {team}. Their runs: {rule}.",
        "ability": "The dice show {dice}: {now}. Use {pitcher}'s ability: {ability}? Uses left: {left}.",
        "ability-reroll": "{pitcher}'s ability: {what}. Leave the others in place.",
        # Between games.
        "pitching-coach": (
            "Who does the Pitching Coach rest? One exhaustion token comes off now, and one more next. Tired: {tired}."
        ),
        "pitching-coach-again": "Who loses the second exhaustion token? Tired: {tired}.",
        "recover": "Three injured players are back. Which one joins your roster for free?",
        "recover-more": "Add another one to your roster for a star? You have {stars:star}.",
        "spend": "What do you buy for the playoffs? You have {stars:star}, and they're worth nothing later.",
        "team-bought": "Which tier 2 team do you face first in the semifinals?",
        # Cards that are read on the table.
        "blank-dice": "Read {batter}'s card: how many dice?",
        "blank-rerolls": "Read {batter}'s card: how many reroll tokens?",
        "blank-nudges": "Read {batter}'s card: how many +/-1 tokens?",
        "blank-outcome": "The dice show {dice}. Read {batter}'s card: what happens?",
        "blank-many": "Read {pitcher}'s card: {what}?",
        "blank-runs": "The dice show {dice}. Read {team}'s card: how many runs?",
    },
    titles={
        "roster-pitcher": "Draw a pitcher",
        "roster-batter": "Draw batter {number} of 9",
        "top": "Next tier {tier} card",
        "draft": "Draft: pick {step} of 3",
        "first-bat": "Who bats first?",
        "first-bat-die": "Odd: keep your seats",
        "duel-pitcher": "Your first pitcher",
        "duel-pitcher-drawn": "Draw a pitcher",
        "dealt": "Deal both hands",
        "hand": "Tier {tier} card",
        "pick": "Keep one of {count:card}",
        "kept": "Which card do you keep?",
        "opponent": "Game {number}: which team?",
        "line-up-again": "Same batting order?",
        "line-up": "Batting order",
        "line-up-die": "Leadoff spot: 1-{count}",
        "lead-off": "Leadoff batter",
        "pitcher": "Starting pitcher",
        "goat": "Deficit: none on a 1",
        "batter": "Pinch hit for {batter:last}?",
        "resources": "Dice for {batter:last}",
        "at-bat": "At bat: {batter:last}",
        "steal-second-dice": "Steal second: 5-6",
        "steal-third-dice": "Steal third: 6",
        "steal-second": "Steal second: 5-6",
        "steal-third": "Steal third: 6",
        "swing": "At bat: {batter:last}",
        "tokens": "Token: {short}",
        "reroll": "Reroll: {short}",
        "runner-out": "Which runner is out?",
        "outcome": "Outcome: {batter:last}",
        "extra-base": "Extra base: {short}",
        "extra-base-roll": "Extra base: {short}",
        "relief": "Reliever for {pitcher:last}?",
        "before": "Ability: {pitcher:last}",
        "team": "Roll for {team}",
        "ability": "Ability: {pitcher:last}",
        "ability-reroll": "Ability: reroll",
        "pitching-coach": "Rest which pitcher?",
        "pitching-coach-again": "Second token: who?",
        "recover": "Recover a player",
        "recover-more": "Recover one for a star?",
        "spend": "Spend {stars:star}",
        "team-bought": "Semifinal opponent",
        "blank-dice": "Dice: {batter:last}",
        "blank-rerolls": "Rerolls: {batter:last}",
        "blank-nudges": "+/-1: {batter:last}",
        "blank-outcome": "Read: {batter:last}",
        "blank-many": "Read: {pitcher:last}",
        "blank-runs": "Runs: {team}",
    },
    options={
        "agreed": "We agreed",
        "die": "Let a die decide",
        "ready": "All dealt",
        "same": "Same as before",
        "new": "Set a new order",
        "bats": "{batter} bats",
        "steal-second": "Steal second",
        "steal-third": "Steal third",
        "veteran": "Take the veteran's die",
        "keep": "Keep the dice",
        "reroll": "Reroll some dice",
        "hold": "Runners hold",
        "stays": "{pitcher} stays",
        "enough": "Don't use it",
        "nobody": "Nobody",
        "done": "Buy nothing more",
        "no-outcome": "Out",
        "single": "Single",
        "double": "Double",
        "triple": "Triple",
        "home-run": "Home run",
        "walk": "Walk",
        "sacrifice": "Sacrifice",
    },
    events={
        "season": "A new season.",
        "roster": "The roster: {batters}; {pitcher} pitches.",
        "spring": "Spring training: three players to gain, three teams to face.",
        "drafted": "{player} joins the roster; {team:goes/go} on the schedule.",
        "first-half": "The season's first half, against {teams}.",
        "deadline": "The first half is over, with {won:win}. All pitchers are rested. It's the trade deadline.",
        "second-half": "The season's second half, against {teams}.",
        "regular-season": "The regular season is over: {won} won, {lost} lost, {stars:star}.",
        "playoffs": "On to the playoffs, with {stars:star} left.",
        "recovered": "{player} joins the roster; {stars:star} left.",
        "opponents": "Waiting in the semifinals: {teams}.",
        "spent": "{what}: {stars:star} left.",
        "semifinals": "The semifinals begin, against {teams}.",
        "finals": "The finals! Against {teams}.",
        "series": "The series stands at {wins} to {losses}.",
        "stars": "Stars earned: {earned}, for {stars} in all.",
        "refreshed": "{pitcher} rests: {tokens} exhaustion left.",
        "season-over": "{ending}",
        "stay-seated": "The die shows {face}: keep your seats.",
        "change-chairs": "The die shows {face}: switch seats.",
        "duel-pitcher": "{team:starts/start} with {pitcher}.",
        "deal": "Each coach gets {what}.",
        "picked": "{team:keeps/keep} {player}.",
        "duel": "The duel begins: {visitors} at {hosts}.",
        "duel-over": "{ending}",
        "game": "Game {number}: {team}, {where}.",
        "line-up": "{team:bats/bat} in this order: {order}.",
        "lead-off": "{batter} leads off, from spot {spot}.",
        "pitches": "{pitcher} pitches.",
        "goat": "The die shows {face}: {down:run} behind from the start.",
        "half-inning": "Inning {inning}, {half}: {team} to bat.",
        "rookie": "A die, a reroll and a +/-1 token to start with.",
        "substitute": "{batter} bats for {out}.",
        "gathers": "{batter} comes to bat and brings {what}.",
        "veteran": "The veteran's die joins the pool. Uses left: {left}.",
        "rolled": "Rolled {faces}: {what}.",
        "rerolls": "Rerolled to {faces}: {what}.",
        "nudges": "Nudged to {faces}: {what}.",
        "stolen": "{runner} steals {base}!",
        "caught": "{runner} is caught stealing. Outs: {outs}.",
        "out": "{batter} is out. Outs: {outs}.",
        "single": "{batter} singles.",
        "double": "{batter} doubles.",
        "triple": "{batter} triples.",
        "home-run": "{batter} hits a home run!",
        "walk": "{batter} walks.",
        "sacrifice": "{batter} sacrifices. Outs: {outs}.",
        "goes-on": "They move up a base: {on}.",
        "thrown-out": "{runner} is thrown out. Outs: {outs}.",
        "scores": "{scored:run} in for {team}! {away} to {home}.",
        "half-over": "{team}: {runs:run} in this half. {away} to {home}.",
        "relieves": "{pitcher} comes in for {out}.",
        "team-rolled": "{team:rolls/roll} {faces}: {what}.",
        "ability": "{pitcher}: {what}. Exhaustion: {tokens} of {of}.",
        "dice-now": "The dice show {faces}: {what}.",
        "game-won": "{team:wins/win}, {best} to {least}.",
    },
    announced=ANNOUNCEMENT_RULES,
    thinking={
        "line-up": "sets the lineup",
        "pitcher": "picks a pitcher",
        "batter": "looks to the bench",
        "at-bat": "weighs the at-bat",
        "steal-second-dice": "eyes a steal",
        "steal-third-dice": "eyes a steal",
        "relief": "looks to the bullpen",
    },
)


# Cards in words ------------------------------------------------------------------------------------------------------


def describe_card(card: StretchBatter | StretchPitcher) -> str:
    if card.blank:
        return "Read the card."
    if isinstance(card, StretchPitcher):
        return f"Stamina {card.stamina}: {card.ability.text if card.ability else ''}."
    rule = card.dice.text
    dice = dice_in_words(int(rule[0])) + rule[1:] if rule[0].isdigit() else f"dice {rule}"
    lines = "; ".join(line.text for line in card.lines)
    return f"Brings {spoken_list([dice, *_token_words(card.rerolls, card.nudges)])}. {lines[:1].upper()}{lines[1:]}."


def describe_team(team: OpponentTeam, dice: int | None = None, least: int | None = None, more_runs: int = 0) -> str:
    """Return a team's dice and scoring in words. The printed numbers follow those that a playoff card changes."""
    count = dice_in_words(team.dice if dice is None else dice)
    count += "" if dice in (None, team.dice) else f" (printed {team.dice})"
    fewest = f"never fewer than {team.least if least is None else least}"
    fewest += "" if least in (None, team.least) else f" (printed {team.least})"
    return f"Rolls {count}, {fewest}. Runs: {describe_scoring(team, more_runs)}"


def describe_scoring(team: OpponentTeam, more_runs: int = 0) -> str:
    """Return a team's scoring in words, with `more_runs` that a playoff card adds in each half."""
    rule = team.runs.text if team.runs else "see the card"
    return f"{rule}, and {runs_text(more_runs)} more" if more_runs else rule


def describe_resources(got: Pool) -> str:
    return spoken_list([dice_in_words(got.dice), *_token_words(got.rerolls, got.nudges)])


def _token_words(rerolls: int, nudges: int) -> list[str]:
    kinds = ((rerolls, "reroll"), (nudges, "+/-1"))
    return [f"{count} {what} token{'' if count == 1 else 's'}" for count, what in kinds if count]


def runs_text(runs: int) -> str:
    return "1 run" if runs == 1 else f"{runs} runs"


def player_notes(s: State, names: Iterable[str]) -> dict[str, str]:
    return {name: describe_card(s.box.batters.get(name) or s.box.pitchers[name]) for name in names}


def team_notes(s: State, names: Iterable[str]) -> dict[str, str]:
    return {name: describe_team(s.box.teams[name]) for name in names}


def two_sided_notes(s: State, names: Iterable[str]) -> dict[str, str]:
    """Return notes on both sides of these cards (SI-017)."""
    teams = {name: s.box.teams[name] for name in names}
    return {
        name: f"{note} As a team, {teams[name].name} ({teams[name].short}): {describe_team(teams[name])}."
        for name, note in player_notes(s, teams).items()
    }


# Labels --------------------------------------------------------------------------------------------------------------


def manager_team_name(s: State) -> str:
    """Return the name of the team of a season's manager, who has the home seat."""
    return s.seat_name("home", MANAGER_TEAM_NAME)


def team_name(s: State, side: Seat) -> str:
    if s.duel:
        return s.seat_name(side, TEAM_NAMES[side])
    return manager_team_name(s) if side == s.side else s.opponent_team.name


def team_labels(s: State, names: Iterable[str]) -> dict[str, str]:
    """Return labels with the team on each card, and "B" or "P" for a batter or a pitcher on the back (SI-027)."""
    return {name: f"{s.box.teams[name].name} ({s.box.teams[name].letter})" for name in names}


def draft_labels(s: State, pair: Sequence[str]) -> dict[str, str]:
    """Return labels of both players, each with the short name of the team to be faced then."""
    first, second = pair
    return {
        first: f"{first}, and face {s.box.teams[second].short}",
        second: f"{second}, and face {s.box.teams[first].short}",
    }


def card_lines_text(s: State) -> str:
    card = s.batter_card
    return "see the card" if card.blank else "; ".join(line.text for line in card.lines)


def star_dice_text(card: StretchBatter) -> str:
    """Return the number of dice for each face of a die, in words."""
    return chart_in_words(dict(enumerate(map(dice_in_words, card.dice.table), 1)))


def tokens_left_text(s: State) -> str:
    left = s.usable_tokens
    return spoken_list(_token_words(left.rerolls, left.nudges)) or "none"


def lineup_place_labels(spots: Iterable[str]) -> dict[str, str]:
    return {spot: f"Bats number {spot}" for spot in spots}


def bench_labels(bench: Iterable[str]) -> dict[str, str]:
    return {name: f"{name} bats instead" for name in bench}


@cache
def dice_count_labels(options: tuple[str, ...]) -> dict[str, str]:
    return {one: "No dice" if one == "0" else dice_in_words(int(one)) for one in options if one.isdigit()}


@cache
def nudge_labels(options: tuple[str, ...]) -> dict[str, str]:
    labels = {}
    for code in options:
        if code[0].isdigit():
            face, way = code.split("-")
            labels[code] = f"A {face} {way} to {int(face) + (1 if way == 'up' else -1)}"
    return labels


def pitcher_labels(s: State, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{name}, exhaustion {s.tired.get(name, 0)} of {s.box.pitchers[name].stamina}" for name in names}


def use_labels(ways: Iterable[AbilityUse]) -> dict[str, str]:
    return {use.code: use.label[:1].upper() + use.label[1:] for use in ways}


def purchase_labels(prices: Mapping[str, int]) -> dict[str, str]:
    what = {
        "team": "A tier 2 team first in the semifinals",
        "flip-semifinals": "Home Field in the semifinals",
        "flip-both": "Home Field in both series",
        "lower-semifinals": "The semifinals card one level lower",
        "lower-finals": "The finals card one level lower",
    }
    return {code: f"{what[code]}, {cost} star{'' if cost == 1 else 's'}" for code, cost in prices.items()}
