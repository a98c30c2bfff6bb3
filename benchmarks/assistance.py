"""Questions of a game of which the coach answers what hardly matters, and the games won with it.

    python -m benchmarks.assistance                  the tables in docs/play/managers.md; takes hours on two cores
    python -m benchmarks.assistance --games 20       a quick look
    python -m benchmarks.assistance clutch small-ball --strength all-star

Two managers of the same strength stand for people. Only the first one has a coach, in every second game at the other
seat with the same random numbers. With an equal chance to win it wins half the games. The interval is Wilson's at 95 %.
A season has one seat, so it is played twice, and its first six games are compared. Moot questions are never asked.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from benchmarks.managers import HOUSE_RULES, wilson_interval
from device.storage.decks import house_deck
from device.table import preset_answers
from device.table.preset_answers import SeatSettings
from engine.games import GAMES
from engine.games.seventh_inning_stretch.season.regular_season import HALF_SEASON_GAMES
from engine.innings import Outcome
from engine.journal import Source
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import TableView
from managers.manager import (
    STRENGTHS,
    GameSetup,
    ManagerDecision,
    Strength,
    build_manager,
    cautious_answer,
    next_decision,
    next_manager_ask,
)
from managers.simulation import answer_one_ask
from tests.engine.games.seventh_inning_stretch.fixture import true

SEASON = "season"
"""7th Inning Stretch for one person, in addition to the duel of its key."""

NAMES = {**{key: game.title for key, game in GAMES.items()}, SEASON: "7th Inning Stretch, a season"}

MAX_ENTRIES = 20_000
"""More entries than a game's journal has. Their sources do not matter, because nothing is undone."""

MAX_PLAIN_GAMES = 50
"""Most games without a coach to count the questions of. A season's are all needed."""

SOURCES = [Source.UNKNOWN] * MAX_ENTRIES


@dataclass
class GameCount:
    """One game: the questions to each seat, those that the coach answered by code, and who won."""

    asked: Counter[Seat] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    is_won: bool = False
    season_wins: int = 0


def play_game(name: str, strength: Strength, assisted: Seat | None, seed: str) -> GameCount:
    """Play one game between two managers of a strength. The coach answers for `assisted`."""
    key, house = ("seventh-inning-stretch", {}) if name == SEASON else (name, HOUSE_RULES.get(name, {}))
    game, count, chance, usual = GAMES[key], GameCount(), Random(seed), SeatSettings()
    table = Table(game, [house_deck(game)], house)
    setup = GameSetup(key, table.decks, table.house)
    coach, person = build_manager(setup, STRENGTHS[-1]), build_manager(setup, strength)

    def answer(view: TableView, chance: Random) -> ManagerDecision | None:
        ask = next_manager_ask(view)
        assert ask is not None
        if ask.seat == assisted:
            open_ask = dict(table.open_asks())[ask.n]
            found = cautious_answer(coach, view, ask, preset_answers.usual_answer(table, open_ask))
            if found is not None:
                count.answered[ask.why] += 1
                return ManagerDecision(ask.n, found.value, "", ask.secret)
        count.asked[ask.seat] += 1
        return next_decision(person, view, chance)

    players = dict.fromkeys(SEATS, answer)
    while table.outcome is None:
        moot = preset_answers.next_automatic_answer(table, usual, SOURCES[: len(table.journal)])
        if moot:
            table.apply_entry(moot.answer)
        else:
            answer_one_ask(table, players, chance)
    assert isinstance(table.outcome, Outcome)
    if name == SEASON:
        count.season_wins = sum(true(table).won)
    elif assisted:
        count.is_won = table.outcome.winner == table.scoreboard().plays[assisted]
    return count


def table_row(name: str, strength: Strength, games: int) -> str:
    plain, helped, won = list[int](), list[int](), list[float]()
    for number in range(games):
        seat: Seat = "home" if name == SEASON else SEATS[number % 2]
        seed = f"{name} {number if name == SEASON else number // 2}"
        with_coach = play_game(name, strength, seat, seed)
        helped.append(with_coach.asked[seat])
        if name == SEASON:
            alone = play_game(name, strength, None, seed)
            plain.append(alone.asked[seat])
            won.append((with_coach.season_wins - alone.season_wins) / (2 * HALF_SEASON_GAMES))
        else:
            won.append(with_coach.is_won)
            if number < MAX_PLAIN_GAMES:
                plain.append(play_game(name, strength, None, seed).asked[seat])
    before, after = statistics.mean(plain), statistics.mean(helped)
    if name == SEASON:
        wide = 1.96 * statistics.stdev(won) / math.sqrt(games)
        middle = statistics.mean(won)
        share = f"{middle:+.1%} of its games | {middle - wide:+.1%} to {middle + wide:+.1%}"
    else:
        low, high = wilson_interval(int(sum(won)), games)
        share = f"{sum(won) / games:.1%} | {low:.1%} to {high:.1%}"
    return f"| {NAMES[name]} | {strength} | {before:.0f} | {after:.0f} | {after / before:.0%} | {games} | {share} |"


def table_rows(names: list[str], strength: Strength, games: int) -> Iterator[str]:
    yield "| a game of | people | questions to a seat | with the coach | left | games | won with the coach | 95 % |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in names:
        yield table_row(name, strength, games)


def main() -> None:
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("names", nargs="*", metavar="GAME", help=f"of {', '.join(NAMES)}; all")
    top.add_argument("--games", type=int, default=1000, metavar="N", help="games of each (%(default)s)")
    top.add_argument("--strength", choices=STRENGTHS, default="regular", help="of the people (%(default)s)")
    args = top.parse_args()
    if unknown := [name for name in args.names if name not in NAMES]:
        sys.exit(f"There is no {', '.join(unknown)}; there are {', '.join(NAMES)}.")
    for line in table_rows(args.names or list(NAMES), args.strength, args.games):
        print(line, flush=True)


if __name__ == "__main__":
    main()
