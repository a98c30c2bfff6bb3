"""Calibration of win probabilities: how often home won where an evaluator gave it some chance, and Brier scores.

    python -m benchmarks.win_probability                       every game, 2,000 games each; takes hours on one core
    python -m benchmarks.win_probability --games 50 clutch     a quick look at one game
    python -m benchmarks.win_probability --simulate            only simulate the games
    python -m benchmarks.win_probability --building            games to build evaluators with, of other seeds

All-star managers play with random dice. Each finished game is a line of `out/win-probability/GAME.jsonl` with its seed,
answers and winner, so the next run continues from there. Then the evaluator sees the spectators' view at random moments
of each game, after an answer that caused a play. Its values are compared with the results.

The baseline knows only score, inning and outs. It is a logistic regression, fitted on the games of even numbers and
judged on those of odd ones, and the other way round. Intervals are 95 %, for games that are independent: the moments of
one game are not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.pool import Pool
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.managers import HOUSE_RULES, game_setup
from device.storage.decks import house_deck
from engine.games import GAMES
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.table import Table
from managers.evaluation import WIN_BY_WINNER, Evaluator, build_evaluator
from managers.manager import Manager, build_manager, next_decision
from managers.simulation import answer_one_ask

CHECKPOINTS = Path("out/win-probability")  # Git ignores this folder.

GAMES_PER_RULEBOOK: Mapping[str, int] = {"clutch": 500}
"""Games of a rulebook. Other rulebooks have 2,000."""

MEAN_MOMENTS = 12  # Random moments at which a game of average length is evaluated.
BANDS = 10  # Bands of equal width from 0 to 1.
MIN_BAND_MOMENTS = 100  # Moments that a band needs before its difference counts.

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A simulated game. `plays` are the indexes of the answers that caused a play before its end."""

    number: int
    seed: str
    winner: Seat | None
    answers: Sequence[tuple[Seat, int, Any]]
    plays: Sequence[int]


@dataclass(frozen=True, slots=True)
class Prediction:
    """Home's chance at one moment of a game, what the baseline knows of that moment, and home's result."""

    number: int
    win: float
    situation: tuple[float, ...]
    result: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Predictions of some games. `unknown` counts moments without a value; times are processor time."""

    predictions: list[Prediction]
    unknown: int
    times_s: list[float]
    study_s: float
    memory_mib: float
    margin: float


_managers: dict[str, Manager] = {}
_evaluators: dict[str, tuple[Evaluator, float, float]] = {}
"""Evaluators of this process, with the memory at the start in KiB and the processor time of the study."""


def new_table(key: str) -> Table:
    return Table(GAMES[key], [house_deck(GAMES[key])], HOUSE_RULES.get(key, {}))


def simulate_game(job: tuple[str, int, str]) -> PlayedGame:
    """Play one game between all-stars. Its random numbers depend only on its seed."""
    key, number, seed = job
    if key not in _managers:
        _managers[key] = build_manager(game_setup(key), "all-star")
    manager, table, chance = _managers[key], new_table(key), Random(seed)
    players = dict.fromkeys(SEATS, lambda view, chance: next_decision(manager, view, chance))
    plays, events = list[int](), 0
    while table.outcome is None:
        answer_one_ask(table, players, chance)
        if len(table.log) > events and table.outcome is None:
            plays.append(len(table.journal) - 1)
        events = len(table.log)
    answers = [(one.ask.seat, one.n, one.value) for one in table.answers]
    return PlayedGame(number, seed, table.outcome.winner, answers, plays)


def stored_games(path: Path) -> dict[int, PlayedGame]:
    """Read the finished games of a checkpoint by number. A damaged line, as after a power failure, is left out."""
    found = dict[int, PlayedGame]()
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            one = PlayedGame(**json.loads(line))
        except ValueError:
            continue
        found[one.number] = one
    return found


def simulate_missing_games(pool: Pool, key: str, games: int, name: str, folder: Path) -> list[PlayedGame]:
    """Return games 0 to `games` - 1 of a rulebook. Those not yet in the checkpoint are played and added to it.

    name: name of the seeds, "published" or "building".
    """
    path = folder / f"{key}{'' if name == 'published' else '-' + name}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    found = stored_games(path)
    jobs = [(key, number, f"{name} {key} {number}") for number in range(games) if number not in found]
    with path.open("a") as file:
        for one in pool.imap_unordered(simulate_game, jobs):
            found[one.number] = one
            file.write(json.dumps(asdict(one), separators=(",", ":")) + "\n")
            file.flush()
    return [found[number] for number in range(games)]


def cached_evaluator(key: str) -> tuple[Evaluator, float, float]:
    if key not in _evaluators:
        new_table(key).view_for(None)
        memory, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        made = build_evaluator(game_setup(key))
        while made.study_cards():
            pass
        _evaluators[key] = made, memory, time.process_time() - start
    return _evaluators[key]


def evaluate_games(job: tuple[str, float, Sequence[PlayedGame]]) -> Evaluation:
    """Evaluate games at a share of their plays, drawn by their seeds.

    Each play has the same chance. A fixed number for each game would draw those of short games more often, and how
    short a game is depends on what happens after the play.
    """
    key, share, games = job
    evaluator, before, study = cached_evaluator(key)
    found, unknown, times = list[Prediction](), 0, list[float]()
    for game in games:
        chance, table = Random(f"moments {game.seed}"), new_table(key)
        moments = {play for play in game.plays if chance.random() < share}
        for at, (seat, n, value) in enumerate(game.answers[: max(moments, default=-1) + 1]):
            table.answer_ask(seat, n, value)
            if at not in moments:
                continue
            view = table.view_for(None)
            start = time.process_time()
            win = evaluator.home_win_probability(view)
            times.append(time.process_time() - start)
            if win is None:
                unknown += 1
                continue
            situation = known_situation(view.scoreboard)
            found.append(Prediction(game.number, win, situation, WIN_BY_WINNER[game.winner]))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return Evaluation(found, unknown, times, study, grown, evaluator.margin)


def known_situation(board: Scoreboard) -> tuple[float, ...]:
    """Return the input of the baseline: score, inning and outs, and their products that matter."""
    lead = board.sides["home"].runs - board.sides["away"].runs
    left = max(0, 2 * (board.regulation - board.inning) + (board.half == "top"))
    side = 1 if board.half == "bottom" else -1
    per_half = lead / (left + 1) ** 0.5
    return (1.0, lead, per_half, lead / (left + 1), side, side * board.outs, side / (left + 1), per_half * board.outs)


def fit_baseline(situations: FloatArray, results: FloatArray) -> FloatArray:
    """Return the weights of a logistic regression with a slight ridge, by Newton's method."""
    weights = np.zeros(situations.shape[1])
    for _ in range(30):
        shares = baseline_chances(situations, weights)
        slope = situations.T @ (results - shares) - 0.1 * weights
        curve = (situations * (shares * (1 - shares))[:, None]).T @ situations + 0.1 * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def baseline_chances(situations: FloatArray, weights: FloatArray) -> FloatArray:
    chances: FloatArray = 1 / (1 + np.exp(-np.clip(situations @ weights, -30, 30)))
    return chances


def brier_scores(predictions: Sequence[Prediction]) -> tuple[float, float]:
    """Return the Brier score of the predictions, and that of the baseline on the same moments."""
    numbers = np.array([one.number for one in predictions])
    wins, results = (np.array([getattr(one, at) for one in predictions]) for at in ("win", "result"))
    situations = np.array([one.situation for one in predictions])
    guesses = np.empty(len(predictions))
    for part in (0, 1):
        judged = numbers % 2 == part
        guesses[judged] = baseline_chances(situations[judged], fit_baseline(situations[~judged], results[~judged]))
    return float(((wins - results) ** 2).mean()), float(((guesses - results) ** 2).mean())


def band_rows(predictions: Sequence[Prediction]) -> Iterator[str]:
    """Yield the calibration table by line. A band that is too far off is marked."""
    yield "| chance given | moments | mean | home won | difference in points | 95 % |"
    yield "|---|---|---|---|---|---|"
    for band in range(BANDS):
        some = [one for one in predictions if min(BANDS - 1, int(one.win * BANDS)) == band]
        if not some:
            continue
        mean, share = (statistics.fmean(getattr(one, at) for one in some) for at in ("win", "result"))
        by_game = dict[int, float]()
        for one in some:
            by_game[one.number] = by_game.get(one.number, 0.0) + one.result - one.win - (share - mean)
        error = 1.96 * sum(off**2 for off in by_game.values()) ** 0.5 / len(some)
        off = share - mean
        mark = " (!)" if abs(off) > 0.03 and len(some) >= MIN_BAND_MOMENTS else ""
        yield (
            f"| {band / BANDS:.0%} to {(band + 1) / BANDS:.0%} | {len(some)} | {mean:.1%} | {share:.1%} "
            f"| {off * 100:+.1f}{mark} | ± {error * 100:.1f} |"
        )


def summary_row(title: str, games: int, found: Evaluation) -> str:
    ms = sorted(one * 1000 for one in found.times_s)
    brier, baseline = brier_scores(found.predictions)
    return (
        f"| {title} | {games} | {len(found.predictions)} | {found.unknown} | {brier:.4f} | {baseline:.4f} "
        f"| {statistics.median(ms):.1f} ms | {ms[int(len(ms) * 0.99)]:.1f} ms | {ms[-1]:.0f} ms "
        f"| {found.study_s:.1f} s | {found.memory_mib:.0f} MiB | {found.margin:.3f} |"
    )


def evaluate_all(pool: Pool, key: str, games: Sequence[PlayedGame], jobs: int) -> Evaluation:
    """Evaluate games in as many parts as there are processes."""
    share = MEAN_MOMENTS / statistics.fmean(len(game.plays) for game in games)
    parts = pool.map(evaluate_games, [(key, share, games[part::jobs]) for part in range(jobs)], 1)
    return Evaluation(
        [one for part in parts for one in part.predictions],
        sum(part.unknown for part in parts),
        [one for part in parts for one in part.times_s],
        *(max(getattr(part, at) for part in parts) for at in ("study_s", "memory_mib", "margin")),
    )


def main() -> None:
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top.add_argument("rulebooks", nargs="*", metavar="GAME", help="key of a game (default: every game)")
    top.add_argument("--games", type=int, metavar="N", help="games of each rulebook (2,000; Clutch: 500)")
    top.add_argument("--processes", type=int, default=1, metavar="N", help="processes (%(default)s)")
    top.add_argument("--building", action="store_true", help="other games, to build evaluators with")
    top.add_argument("--simulate", action="store_true", help="only simulate the games")
    args = top.parse_args()
    keys = args.rulebooks or list(GAMES)
    if unknown := [key for key in keys if key not in GAMES]:
        sys.exit(f"There is no rulebook {', '.join(unknown)}; there are {', '.join(GAMES)}.")
    name = "building" if args.building else "published"
    heading = "| game | games | moments | unknown | Brier score | baseline | median | p99 | worst | study | memory "
    summary = [heading + "| margin |", "|---" * 12 + "|"]
    for key in keys:
        # New processes for each game, so that the memory is that of one evaluator.
        with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
            count = args.games or GAMES_PER_RULEBOOK.get(key, 2000)
            games = simulate_missing_games(pool, key, count, name, CHECKPOINTS)
        if args.simulate:
            print(f"{GAMES[key].title}: {len(games)} games", flush=True)
            continue
        with multiprocessing.get_context("spawn").Pool(args.processes) as pool:
            found = evaluate_all(pool, key, games, args.processes)
        print("\n".join((f"\n{GAMES[key].title}, {name} games:\n", *band_rows(found.predictions))), flush=True)
        summary.append(summary_row(GAMES[key].title, len(games), found))
    if not args.simulate:
        print("\n" + "\n".join(summary))


if __name__ == "__main__":
    main()
