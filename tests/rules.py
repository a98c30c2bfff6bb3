"""Records which rules of the ledger the last test run proved.

A rule counts as proved when a test marked with its ID ran and passed, and none so marked failed. Each run replaces
`.rules.json`, so a partial run proves only its part; `scripts/rules` reads the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ID = re.compile(r"^\| ([A-Z]{2}-\d{3}) \|", re.MULTILINE)
"""A rule in an index: the first cell of a row in a game's rules.md."""

IDS = "rules"


def known(root: Path) -> frozenset[str]:
    """Every rule that some game's index lists."""
    return frozenset(
        found for index in root.glob("engine/games/*/rules.md") for found in ID.findall(index.read_text("utf-8"))
    )


def ids(item: pytest.Item) -> Iterable[str]:
    """The rules a test is marked with."""
    return (found for mark in item.iter_markers("rule") for found in mark.args)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a mark that names no rule, and let each test's reports carry its rules."""
    rules = known(config.rootpath)
    if strange := [f"{item.nodeid}: no such rule: {one}" for item in items for one in ids(item) if one not in rules]:
        raise pytest.UsageError("\n".join(strange))
    for item in items:
        item.user_properties.append((IDS, sorted(ids(item))))


class Record:
    """What passed and what did not, in one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed: dict[str, set[str]] = {}
        self.unfit: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Every phase must pass: a skip or an error in one proves nothing."""
        for name, rules in report.user_properties:
            if name != IDS or not isinstance(rules, list):
                continue
            if report.failed:
                self.unfit |= set(rules)
            elif report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
                for rule in rules:
                    self.passed.setdefault(rule, set()).add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what this run proved."""
        proved = {rule: sorted(tests) for rule, tests in sorted(self.passed.items()) if rule not in self.unfit}
        self.path.write_text(json.dumps(proved, indent=1) + "\n", "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Only the run that owns the terminal records, and only if it runs tests."""
    if not config.option.collectonly and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Record(config.rootpath / ".rules.json"), "rules-record")
