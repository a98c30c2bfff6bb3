"""Strength and speed of the computer managers: win rates of each pair, and decision times.

    python -m benchmarks.managers                 the strengths in docs/play/managers.md; takes hours on two cores
    python -m benchmarks.managers --games 50      a quick look
    python -m benchmarks.managers small-ball      one rulebook
    python -m benchmarks.managers --tempers       each temper against the same strength by the book
    python -m benchmarks.managers --times         decision times and memory

Each pair plays every seed twice, with the seats swapped. The interval is Wilson's at 95 %. Games follow the real rules
with random dice, and each manager sees only its own seat's view.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import multiprocessing.connection
import os
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from device.storage.decks import house_deck
from engine.games import GAMES
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import TableView
from managers.cast import CAST, CAST_BY_CHOICE, TemperedManager, tempered_policy
from managers.manager import (
    STRENGTHS,
    GameSetup,
    Manager,
    ManagerDecision,
    Strength,
    build_manager,
    build_unstudied_manager,
    next_decision,
    next_manager_ask,
)
from managers.simulation import SimulatedPlayer, random_decision, simulate_game

HOUSE_RULES: Mapping[str, Mapping[str, str]] = {"seventh-inning-stretch": {"mode": "duel", "cards": "dealt"}}
"""House rules that differ from their defaults. In 7th Inning Stretch, only a duel has two sides."""

GAMES_PER_PAIR: Mapping[str, int] = {"seventh-inning-stretch": 300, "clutch": 300}
"""Games of a pair of strengths. Other rulebooks have 1,000."""

FIRST_ANSWERS = 40  # Answers that count as a game's first ones: the draft, and the first plays.

RANDOM = "random"  # Name of the player that answers at random.

PAIRS: Sequence[tuple[str, str]] = [
    (RANDOM if lower is None else lower, strength)
    for i, strength in enumerate(STRENGTHS)
    for lower in ([STRENGTHS[i - 1], None] if i else [None])
]
"""Pairs of a weaker and a stronger player."""

TEMPER_PAIRS: Sequence[tuple[str, str]] = [
    (one.strength, one.key) for one in CAST.values() if one.temper != "by the book"
]
"""Pairs of a manager by the book and one of the same strength with another temper."""


@dataclass(frozen=True)
class Match:
    """Consecutive games of two players of one rulebook. `first` is the first game's number."""

    game: str
    one: str
    another: str
    first: int
    games: int


_players: dict[tuple[str, str], SimulatedPlayer] = {}


def game_setup(key: str) -> GameSetup:
    game = GAMES[key]
    return GameSetup(key, (house_deck(game),), game.resolve_house_rules(HOUSE_RULES.get(key, {})))


def cached_player(key: str, name: str) -> SimulatedPlayer:
    if (key, name) not in _players:
        if name == RANDOM:
            _players[key, name] = random_decision
        else:
            one = CAST_BY_CHOICE[name]
            made = TemperedManager(build_manager(game_setup(key), one.strength), one.temper)
            _players[key, name] = lambda view, chance: next_decision(made, view, chance)
    return _players[key, name]


def match_wins(match: Match) -> list[bool]:
    """Play games and return the wins of `one`. Seats are swapped in every second game."""
    game, found = GAMES[match.game], list[bool]()
    players = {name: cached_player(match.game, name) for name in (match.one, match.another)}
    for number in range(match.first, match.first + match.games):
        seat: Seat = SEATS[number % 2]
        table = Table(game, [house_deck(game)], HOUSE_RULES.get(match.game, {}))
        sides = {seat: players[match.one], opposite_seat(seat): players[match.another]}
        outcome = simulate_game(table, sides, Random(f"{match.game} {number // 2}"))
        # A seat may play either side. In Clutch the home side is random.
        found.append(outcome.winner == table.scoreboard().plays[seat])
    return found


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z, share = 1.96, wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def strength_rows(
    keys: Sequence[str], games: int | None, jobs: int, pairs: Sequence[tuple[str, str]] = PAIRS
) -> Iterator[str]:
    yield "| rulebook | who | against | games | won | 95 % |"
    yield "|---|---|---|---|---|---|"
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for key in keys:
            for another, one in pairs:
                count = games or GAMES_PER_PAIR.get(key, 1000)
                step = max(2, count // (jobs * 4) // 2 * 2)
                parts = [Match(key, one, another, at, min(step, count - at)) for at in range(0, count, step)]
                found = [win for part in pool.imap_unordered(match_wins, parts) for win in part]
                low, high = wilson_interval(sum(found), len(found))
                share = sum(found) / len(found)
                title = GAMES[key].title
                yield f"| {title} | {one} | {another} | {len(found)} | {share:.1%} | {low:.1%} to {high:.1%} |"


def temper_rows(keys: Sequence[str], games: int) -> Iterator[str]:
    """Yield what each temper changes in a game of two managers by the book, and what it costs, by line."""
    yield "| rulebook | manager | answers changed in a game | loss of win probability in a game |"
    yield "|---|---|---|---|"
    for key in keys:
        for strength in STRENGTHS:
            made, chance = build_manager(game_setup(key), strength), Random(1)
            tempered = [one for one in CAST.values() if one.strength == strength and one.temper != "by the book"]
            changed, lost = dict.fromkeys(CAST, 0.0), dict.fromkeys(CAST, 0.0)

            def compared(view: TableView, chance: Random) -> ManagerDecision | None:
                if (ask := next_manager_ask(view)) is not None:
                    usual = made.weigh_answers(view, ask)  # noqa: B023  (called before the next round)
                    for one in tempered:  # noqa: B023
                        new = tempered_policy(usual, one.temper, view.scoreboard.game, ask.secret)
                        for old, now in zip(usual, new, strict=True):
                            changed[one.key] += max(0.0, now.share - old.share)  # noqa: B023
                            lost[one.key] += (old.share - now.share) * old.win  # noqa: B023
                return next_decision(made, view, chance)  # noqa: B023

            for _ in range(games):
                table = Table(GAMES[key], [house_deck(GAMES[key])], HOUSE_RULES.get(key, {}))
                simulate_game(table, dict.fromkeys(SEATS, compared), chance)
            for one in tempered:
                title, sides = GAMES[key].title, games * len(SEATS)
                yield (
                    f"| {title} | {one.name} ({one.strength}, {one.temper}) | {changed[one.key] / sides:.1f} "
                    f"| {lost[one.key] / sides:.2%} |"
                )


def time_rows(keys: Sequence[str], games: int) -> Iterator[str]:
    """Yield the table of decision times by line. Both seats have the same strength. CPU time excludes other work.

    The first answer is that of a manager that has not studied yet, at the slowest of its first questions.
    """
    yield "| rulebook | strength | preparation | first answer | study | decisions | median | p99 | worst | memory |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for key in keys:
        for strength in STRENGTHS:
            context = multiprocessing.get_context("spawn")
            rows = []
            for studied in (False, True):
                receive, send = context.Pipe(duplex=False)
                process = context.Process(target=_measure_strength, args=(send, key, strength, games, studied))
                process.start()
                rows.append(receive.recv())
                process.join()
            (_, _, unstudied, _), (ready, study, taken, grown) = rows
            ms = sorted(one * 1000 for one in taken)
            yield (
                f"| {GAMES[key].title} | {strength} | {ready:.2f} s | {max(unstudied[:FIRST_ANSWERS]) * 1000:.0f} ms "
                f"| {study:.2f} s | {len(ms)} | {statistics.median(ms):.1f} ms | {ms[int(len(ms) * 0.99)]:.1f} ms "
                f"| {ms[-1]:.0f} ms | {grown:.0f} MiB |"
            )


def _measure_strength(
    send: multiprocessing.connection.Connection, key: str, strength: Strength, games: int, studied: bool
) -> None:
    """Measure one strength in a new process, so that its memory growth is the manager's."""
    import numpy  # noqa: F401  (a table has it loaded)

    game, chance, taken = GAMES[key], Random(1), list[float]()
    table = Table(game, [house_deck(game)], HOUSE_RULES.get(key, {}))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    made: Manager = build_unstudied_manager(game_setup(key), strength)
    ready = time.process_time() - start
    while studied and made.study_cards():
        pass
    study = time.process_time() - start - ready

    def timed(view: TableView, chance: Random) -> ManagerDecision | None:
        start = time.process_time()
        decision = next_decision(made, view, chance)
        taken.append(time.process_time() - start)
        return decision

    for _ in range(games if studied else 1):
        simulate_game(table, dict.fromkeys(SEATS, timed), chance)
        table = Table(game, [house_deck(game)], HOUSE_RULES.get(key, {}))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    send.send((ready, study, taken, grown))


def main() -> None:
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("rulebooks", nargs="*", metavar="RULEBOOK", help=f"of {', '.join(GAMES)}; all")
    top.add_argument("--games", type=int, metavar="N", help="games of each pair, or for --times in all (5)")
    top.add_argument("--tempers", action="store_true", help="what the tempers change, and their strength, instead")
    top.add_argument("--times", action="store_true", help="decision times and memory instead")
    top.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (%(default)s)")
    args = top.parse_args()
    keys = args.rulebooks or list(GAMES)
    if unknown := [key for key in keys if key not in GAMES]:
        sys.exit(f"There is no rulebook {', '.join(unknown)}; there are {', '.join(GAMES)}.")
    if args.times:
        lines = time_rows(keys, args.games or 5)
    elif args.tempers:
        lines = chain(temper_rows(keys, args.games or 10), strength_rows(keys, args.games, args.jobs, TEMPER_PAIRS))
    else:
        lines = strength_rows(keys, args.games, args.jobs)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
