"""House rules of Clutch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.games.clutch.house_rules import HOUSE_RULES

BOOK = Path(__file__).parents[5] / "shared/rules/clutch.md"

SHORT = {"starterPick": "starter", "d20Each": "d20"}
"""What is called otherwise here."""


def camel(name: str) -> str:
    """Return the ledger's key or value as it is written in the code."""
    here = re.sub(r"_(\w)", lambda found: found[1].upper(), name)
    return SHORT.get(here, here)


def test_keys_and_values_differ() -> None:
    keys = [rule.key for rule in HOUSE_RULES]
    assert sorted(set(keys)) == sorted(keys)
    assert all(len(set(rule.values)) == len(rule.values) > 0 for rule in HOUSE_RULES)


def test_every_switch_of_the_ledger_is_a_house_rule() -> None:
    if not BOOK.exists():
        pytest.skip("the ledger is not at hand")
    rules = {rule.key: rule for rule in HOUSE_RULES}
    seen = set()
    for line in BOOK.read_text("utf-8").splitlines():
        if not re.match(r"\| AM-\d\d \|", line):
            continue
        asked, *_, column, _ = (cell.strip() for cell in line.strip("|").split("|"))
        value = ""
        for part in reversed(re.split(r"[,;] ", column)):
            if not (named := re.match(r"`(\w+)`(?: = ([^(]*))?", part)):
                continue
            value = named[2] or value  # "a, b = none": both.
            rule = rules[camel(named[1])]
            if "see" in part:
                continue
            values = [camel(one.strip().removesuffix(" flat").replace("−", "-")) for one in value.split("/")]
            assert values == list(rule.values[: len(values)]), rule.key
            assert asked == rule.asked, rule.key
            seen.add(rule.key)
    ours = {"negatedCostReturned"}  # The ledger rules on it without a switch.
    assert {rule.key for rule in HOUSE_RULES if rule.asked} == seen | ours
