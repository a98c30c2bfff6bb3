"""Cost of the rules: `python -m benchmarks.rules` prints the rows of docs/evidence/benchmarks.md about rules.

`engine.game.play_to_end` replays the recorded game of each rulebook (tests/golden), without table, views or disk. The
unit is the time of a fixed loop of pure Python, measured before and after each row, so that rows can be compared across
machines. `engine_calls` is the number of engine function calls in that game, which `scripts/check` bounds and which
does not depend on the machine.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from engine.asks import Ask
from engine.cards import cards_in_decks
from engine.game import GameState, Rulebook, play_to_end
from engine.games import GAMES
from engine.table import Table
from tests import golden

ROOT = str(Path(__file__).parents[1]) + "/engine/"

MIN_ROW_S = 2.0  # Minimum time for which a row is measured, in seconds.


class Replay:
    """Recorded game of a rulebook, to be replayed by `play`."""

    def __init__(self, game: Rulebook) -> None:
        house = golden.stored(game)[0]["header"]["house"]
        table = Table(game, golden.new(game).decks, house, golden.entries_of(game))
        self.game = game
        self._start: GameState = game.start(cards_in_decks(table.decks), table.house)
        self._answers = [(one.ask.seat, one.ask.why, one.value) for one in table.answers]

    def play(self) -> GameState:
        answers = iter(self._answers)
        seat, why, value = next(answers)

        def answer(ask: Ask) -> Any:
            nonlocal seat, why, value
            if (ask.seat, ask.why) != (seat, why):
                return None
            given = value
            seat, why, value = next(answers, ("away", "", None))
            return given

        return play_to_end(self.game, self._start.copy(), answer)


def engine_calls(game: Rulebook) -> int:
    """Return the number of engine function calls in the second replay of the recorded game."""
    count, replay = 0, Replay(game)
    replay.play()  # Fill caches.

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(ROOT)

    sys.setprofile(called)
    try:
        replay.play()
    finally:
        sys.setprofile(None)
    return count


def unit_ms() -> float:
    """Return the time of a fixed loop of pure Python with objects, dicts, calls and comparisons, as in rules, in ms."""

    def step(number: int, seen: dict[int, tuple[int, int]]) -> int:
        seen[number % 97] = number, number + 1
        return sum(seen[number % 97]) % 7

    began, seen, total = time.perf_counter(), dict[int, tuple[int, int]](), 0
    for number in range(20_000):
        total += step(number, seen)
    return (time.perf_counter() - began) * 1000


def median_ms(act: Callable[[], object]) -> tuple[float, float]:
    """Return the median time of `act` over at least `MIN_ROW_S`, and that of the unit around it, in ms."""
    units, times, began = [unit_ms() for _ in range(9)], list[float](), time.perf_counter()
    while time.perf_counter() - began < MIN_ROW_S or len(times) < 5:
        start = time.perf_counter()
        act()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), statistics.median([*units, *(unit_ms() for _ in range(9))])


def table_rows() -> Iterator[str]:
    for game in GAMES.values():
        replay = Replay(game)
        took, one = median_ms(replay.play)
        yield f"| {game.title} | {took:.2f} ms | {1000 / took:,.0f} | {took / one:.2f} | {engine_calls(game):,} |"


def main() -> None:
    print("| rulebook | a recorded game | games a second | in units | calls |\n|---|---|---|---|---|")
    for row in table_rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
