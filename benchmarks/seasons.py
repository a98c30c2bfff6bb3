"""Seasons of 7th Inning Stretch: `python -m benchmarks.seasons [N]` prints the rows of docs/evidence/benchmarks.md.

The tests' manager plays N of each variant, and follows the computer's coach in N more. Times are medians of seven.
`python -m benchmarks.seasons N coach` prints only the coach's row. Close other programs first.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from device.storage.decks import house_deck
from engine.game import play_to_end
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.season.regular_season import HALF_SEASON_GAMES
from engine.games.seventh_inning_stretch.state import State
from engine.table import Table
from managers.manager import STRENGTHS, GameSetup
from managers.simulation import manager_player, simulate_game
from tests.engine.games.seventh_inning_stretch.fixture import true
from tests.engine.games.seventh_inning_stretch.manager import Manager

DECKS = [house_deck(GAME)]

VARIANTS: Mapping[str, Mapping[str, str]] = {
    "the standard rules": {},
    "rookie": {"difficulty": "rookie"},
    "G.O.A.T.": {"difficulty": "goat"},
    "Hitting Coach": {"coach": "hitting"},
    "Pitching Coach": {"coach": "pitching"},
}


def play_by_rules(house: Mapping[str, str], seed: int) -> State:
    """Play a season with only the rules."""
    state = true(Table(GAME, DECKS, house))
    return play_to_end(GAME, state, Manager(lambda: state, seed))


def play_at_table(house: Mapping[str, str], seed: int) -> Table:
    table = Table(GAME, DECKS, house)
    manager = Manager(lambda: true(table), seed)
    while table.open_asks():
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, manager(ask))
    return table


def play_coached(house: Mapping[str, str], seed: int) -> State:
    """Play a season in which the computer's coach makes every decision."""
    table = Table(GAME, DECKS, house)
    coach = manager_player(GameSetup(GAME.key, tuple(DECKS), table.house), STRENGTHS[-1])
    simulate_game(table, {"home": coach}, Random(seed))
    return true(table)


def play_by_engine(seed: int) -> None:
    """Play a season through `dugout engine` with random answers, and read the complete transcript."""
    command = [str(Path(sys.executable).with_name("dugout")), "engine", "--game", GAME.key, "--autoplay", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["outcome"]


def table_row(name: str, house: Mapping[str, str], count: int, season: Callable[..., State] = play_by_rules) -> str:
    seasons = [season(house, seed) for seed in range(count)]
    ends = Counter(s.outcome.reason for s in seasons if s.outcome)
    first, second = (
        sum(sum(s.won[part]) for s in seasons) for part in (slice(HALF_SEASON_GAMES), slice(HALF_SEASON_GAMES, None))
    )
    stars = sum(sum(s.won[:HALF_SEASON_GAMES]) + 2 * sum(s.won[HALF_SEASON_GAMES:]) for s in seasons) / count
    cells = [first / HALF_SEASON_GAMES / count, second / HALF_SEASON_GAMES / count]
    return (
        f"| {name} | {cells[0]:.0%} | {cells[1]:.0%} | {stars:.1f} | {1 - ends['no-playoffs'] / count:.0%} "
        f"| {ends['season-won'] / count:.0%} |"
    )


def median_s(season: Callable[[int], object], goes: int = 7) -> float:
    times = []
    for seed in range(goes):
        began = time.perf_counter()
        season(seed)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("| a season by | games 1 to 3 won | games 4 to 6 won | stars | in the playoffs | won |")
    print("|---|---|---|---|---|---|")
    if sys.argv[2:] == ["coach"]:
        print(table_row("the standard rules, as the coach says", {}, count, play_coached))
        return
    for name, house in VARIANTS.items():
        print(table_row(name, house, count), flush=True)
    print(table_row("the standard rules, as the coach says", {}, count, play_coached), flush=True)
    answers = statistics.mean(len(play_at_table({}, seed).answers) for seed in range(20))
    print("\n| a season | figure |\n|---|---|")
    print(f"| answers, on average | {answers:.0f} |")
    print(f"| the rules alone | {median_s(lambda seed: play_by_rules({}, seed)):.2f} s |")
    print(f"| through the table | {median_s(lambda seed: play_at_table({}, seed)):.2f} s |")
    print(f"| `dugout engine`, by bots, from its start to its end | {median_s(play_by_engine):.2f} s |")


if __name__ == "__main__":
    main()
