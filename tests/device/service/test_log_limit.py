"""A log that somebody floods stays short, and says what it leaves out."""

from __future__ import annotations

import logging

from device.service.log_limit import LogLimit


class Log(logging.Handler):
    """Keeps the lines that two handlers with the same limit write."""

    def __init__(self, limit: LogLimit) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.addFilter(limit)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def test_a_few_lines_of_a_kind_each_minute() -> None:
    """Values do not make another kind; another message is one. Each handler writes the same."""
    now = 100.0
    limit = LogLimit(3, 60, lambda: now)
    both = Log(limit), Log(limit)
    logger = logging.Logger("dugout.flood")
    for one in both:
        logger.addHandler(one)
    for number in range(50):
        logger.warning("Odd request %d.", number)
    logger.warning("Something else.")
    now += 60
    logger.warning("Odd request %d.", 50)
    logger.warning("Something else.")
    assert [
        "Odd request 0.",
        "Odd request 1.",
        "Odd request 2. (More like this are left out for a minute.)",
        "Something else.",
        "Odd request 50. (47 more like this were left out.)",
        "Something else.",
    ] == both[0].lines
    assert both[0].lines == both[1].lines
