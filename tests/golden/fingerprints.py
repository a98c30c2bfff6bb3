"""Fingerprints: digests of everything that random games ask, tell and show, one for each game of a contract's walk.

A change that nobody meant is noticed here wherever it is. If it was meant, `python -m tests.golden.fingerprints`
writes the new digests.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from engine.box_score import box_scores
from engine.seats import SEATS
from engine.secrets import redacted_data
from engine.table import Table
from engine.views import json_data
from tests.engine.games.contract.contract import Walk

FILE = Path(__file__).with_name("fingerprints.json")


def stored() -> dict[str, list[str]]:
    """Return the digests of every game by its key."""
    return dict(json.loads(FILE.read_text("utf-8")))


def digests(walk: Walk, games: Container[int]) -> Iterator[tuple[int, str]]:
    """Play some of the games of a walk, and yield the number and the digest of each."""
    for number, table in enumerate(walk.tables(Random(1))):
        if number not in games:
            continue
        chance, whole = Random(number), sha256()
        for moment in moments(table, walk, chance):
            whole.update(json.dumps(moment, sort_keys=True).encode())
        yield number, whole.hexdigest()[:16]


def moments(table: Table, walk: Walk, chance: Random) -> Iterator[Any]:
    """Play on, and yield after each answer what happened, what is asked with all its facts, and the scoreboard; at the
    end the whole play log, the box score, and the scoreboard as each seat sees it.
    """
    while table.open_asks() and len(table.answers) < walk.longest:
        asks = [
            [n, type(ask).__name__, redacted_data(ask.facts, None), json_data(table.ask_view(n, ask, ask.seat))]
            for n, ask in table.open_asks()
        ]
        yield [asks, json_data(table.scoreboard())]
        n, ask = chance.choice(table.open_asks())
        told = table.answer_ask(ask.seat, n, walk.pick(ask, chance.randrange(1 << 16)))
        yield [[one.event.code, redacted_data(one.event.facts, None)] for one in told]
    yield [
        json_data(table.outcome),
        table.last_play_text(),
        [redacted_data(line, None) for line in table.play_log_lines()],
        json_data(box_scores(table.log)),
    ]
    yield [json_data(table.view_for(seat).scoreboard) for seat in SEATS]


if __name__ == "__main__":
    from tests.engine.games.contract.games import CONTRACTS

    found = {key: [digest for _, digest in digests(contract.walk, range(1000))] for key, contract in CONTRACTS.items()}
    FILE.write_text(json.dumps(found, indent=0) + "\n", "utf-8")
