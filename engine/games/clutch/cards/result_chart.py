"""Parsing, lookup and odds of Result Charts (CL-010, CL-021, CL-183, CL-184)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine.cards import quoted_value
from engine.dice import FACES_BY_KIND
from engine.events import spoken_list

RESULT_CODES = ("SO", "GB", "FB", "LD", "BB", "1B", "2B", "3B", "HR", "HBP")
"""Results on a chart. In the rulebook HBP comes only from cards, but house-made charts may have it (AM-24)."""

EXAMPLE_CHART = "1-2 SO, 3-4 GB, 5-6 FB, 7-9 BB, 10-15 1B, 16-18 2B, 19 3B, 20+ HR"  # As typed.

_ROW_PATTERN = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?)|(\+))? ([A-Z0-9]+)")


@dataclass(frozen=True, slots=True)
class ResultChart:
    """The rows of a chart in order, each with its lowest Swing and its result. The first Swing is 1."""

    rows: tuple[tuple[int, str], ...]

    def __getitem__(self, swing: int) -> str:
        """Return the result of a Swing. Off the chart it is that of the nearest end (CL-183, AM-27)."""
        return next((result for low, result in reversed(self.rows) if swing >= low), self.rows[0][1])

    def __str__(self) -> str:
        ends = [low - 1 for low, _ in self.rows[1:]]
        shut = [f"{_number_range(low, end)} {result}" for (low, result), end in zip(self.rows, ends, strict=False)]
        low, result = self.rows[-1]
        return ", ".join([*shut, f"{low}+ {result}"])


def parse_chart(text: Any) -> ResultChart:
    """Parse a chart on one line, like `EXAMPLE_CHART`. Its rows go up from 1 without a gap, and the last one is open.
    Raise ValueError with all faults. Whether a batter or a pitcher may have a result is not checked (AM-24).
    """
    if not isinstance(text, str):
        raise ValueError(f"needs a line like {EXAMPLE_CHART!r}, not {quoted_value(text)}.")
    line = re.sub(r" ?\+ ?", "+ ", re.sub(r" ?[-–—−] ?", "-", " ".join(text.upper().split())))
    rows: list[tuple[int, int | None, str]] = []
    faults: list[str] = []
    for part in (" ".join(one.split()) for one in line.rstrip(" ,").split(",")):
        row = _ROW_PATTERN.fullmatch(part)
        if not row:
            faults.append(f"{quoted_value(part)} is no row; one is '3-4 GB', '19 3B' or '20+ HR'.")
        elif row[4] not in RESULT_CODES:
            faults.append(f"{quoted_value(row[4])} is no result; there are {', '.join(RESULT_CODES)}.")
        else:
            rows.append((int(row[1]), None if row[3] else int(row[2] or row[1]), row[4]))
    if faults := faults or list(_row_faults(rows)):
        raise ValueError(" ".join(faults))
    return ResultChart(tuple((low, result) for low, _, result in rows))


def _row_faults(rows: list[tuple[int, int | None, str]]) -> Iterator[str]:
    """Yield the faults of a chart's rows, each (first, last or None for open, result)."""
    for low, high, _ in rows:
        if high is not None and high < low:
            yield f"{low}-{high} runs backwards."
    if any(high is not None and high < low for low, high, _ in rows):
        return
    for low, high, result in rows[:-1]:
        if high is None:
            yield f"{low}+ {result} is open, but not the last row."
    last, end, result = rows[-1]
    if end is not None:
        yield f"The last row must be open: {last}+ {result}."
    if any(after[0] < before[0] for before, after in pairwise(rows)):
        yield "The rows must go up."
    count = Counter(swing for low, high, _ in rows for swing in range(low, (low if high is None else high) + 1))
    top = max(count)
    if missing := [swing for swing in range(1, top) if not count[swing]]:
        yield f"There is nothing for {_number_list(missing)}."
    if twice := [swing for swing in range(1, top + 1) if count[swing] > 1]:
        yield f"{_number_list(twice)} {'is' if len(twice) == 1 else 'are'} there twice."


def _number_list(swings: list[int]) -> str:
    """Return numbers as people write them, such as "1, 4-6 and 9"."""
    runs: list[list[int]] = []
    for swing in swings:
        if runs and runs[-1][-1] == swing - 1:
            runs[-1].append(swing)
        else:
            runs.append([swing])
    return spoken_list(_number_range(run[0], run[-1]) for run in runs)


def _number_range(low: int, high: int) -> str:
    return f"{low}-{high}" if high > low else str(low)


def result_chances(chart: ResultChart, die: str = "d20", plus: int = 0) -> dict[str, Fraction]:
    """Return the exact chance of each result of one roll of `die` (a key of `FACES_BY_KIND`) with `plus` added."""
    faces = FACES_BY_KIND[die]
    count = Counter(chart[int(face) + plus] for face in faces)
    return {result: Fraction(count[result], len(faces)) for result in RESULT_CODES if count[result]}
