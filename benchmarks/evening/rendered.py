"""Pictures of an evening that `scripts/training/evening` rendered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

GRAIN = 0xFFF8  # the bits of stored light that are kept: eight of a number's eleven digits


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """Return what a folder says about each of its pictures, in order; empty if there are none. A line that a power cut
    left unfinished is dropped, with its picture."""
    file = folder / "evening.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:
            continue
    return [row for row in rows if (folder / f"{row['picture']}.npz").exists()]
