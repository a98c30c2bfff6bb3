"""What only one game knows stays in its folder, and in the files of pages and displays that bear its name."""

from __future__ import annotations

import re
from pathlib import Path

from engine.games import GAMES

ROOT = Path(__file__).parents[4]
ROOMS = ("device", "web", "managers", "vision")
COMMON = {"all-star", "at-bat", "double-play"}
"""Codes that are words of baseball, or of managers, too."""


def codes() -> set[str]:
    """Return the house rules and their values, and the codes of asks, that are no plain words."""
    found = set[str]()
    for game in GAMES.values():
        found |= {word for rule in game.house_rules for word in (rule.key, *rule.values)} | set(game.words.asks)
    return {word for word in found if re.search("[A-Z-]", word)} - COMMON


def named(text: str, known: set[str]) -> set[str]:
    """Return the codes that a file names, as a text or as a field."""
    return known & set(re.findall(r"""["'`.]([A-Za-z][A-Za-z0-9-]+)""", text))


def test_no_other_file_names_a_game_s_codes() -> None:
    known, found = codes(), {}
    own = re.compile("|".join(key.replace("-", "[-_]") for key in GAMES))
    for path in (one for room in ROOMS for one in (ROOT / room).rglob("*") if one.suffix in (".py", ".js", ".html")):
        file = path.relative_to(ROOT).as_posix()
        if not own.search(file) and (names := named(path.read_text("utf-8"), known)):
            found[file] = names
    assert {} == found


def test_a_planted_code_is_seen() -> None:
    assert {"forcedOnly", "again-bunt"} == named("if house.runs === 'forcedOnly' or why == \"again-bunt\":", codes())
