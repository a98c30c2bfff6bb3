"""The record of proved rules: what counts, what does not, and what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

ROOT = Path(__file__).parent.parent

INDEX = "| rule | says |\n|---|---|\n| SB-001 | a |\n| SB-002 | b |\n| SB-003 | c |\n| SB-004 | d |\n"

TESTS = """
import pytest

@pytest.mark.rule("SB-001", "SB-002")
def test_passes():
    pass

@pytest.mark.rule("SB-002")
def test_fails():
    assert False

@pytest.mark.rule("SB-003")
def test_skips():
    pytest.skip("no")

@pytest.fixture
def broken():
    yield
    raise ValueError

@pytest.mark.rule("SB-004")
def test_breaks_down(broken):
    pass

@pytest.mark.rule("SB-003")
@pytest.mark.xfail(strict=False)
def test_was_not_expected_to():
    pass
"""


@pytest.fixture
def house(pytester: pytest.Pytester) -> pytest.Pytester:
    """A repository with one game and one index."""
    pytester.makeini("[pytest]\nmarkers =\n    rule(*ids): rules\n")
    game = pytester.mkdir("engine") / "games/small_ball"
    game.mkdir(parents=True)
    (game / "__init__.py").write_text("", "utf-8")
    (game / "rules.md").write_text(INDEX, "utf-8")
    scripts = pytester.mkdir("scripts")
    shutil.copy(ROOT / "scripts/rules", scripts / "rules")
    return pytester


def run(house: pytest.Pytester, *more: str) -> pytest.RunResult:
    """Run its tests with the plugin, in this process."""
    return house.runpytest_inprocess("-p", "no:timeout", "-p", "no:cacheprovider", "-p", "tests.rules", *more)


def proved(house: pytest.Pytester) -> list[str]:
    """The rules on record."""
    return list(json.loads((house.path / ".rules.json").read_text("utf-8")))


def report(house: pytest.Pytester) -> tuple[int, list[str]]:
    """What scripts/rules says."""
    done = subprocess.run(
        [sys.executable, house.path / "scripts/rules"], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout.splitlines()


def test_only_a_test_that_ran_and_passed_proves(house: pytest.Pytester) -> None:
    """Failed, skipped, broken in its fixture or unexpectedly passed proves nothing; nor a rule with one failure."""
    house.makepyfile(TESTS)
    run(house)
    assert ["SB-001"] == proved(house)
    assert (1, ["small-ball  1 of 4 proved", "small-ball: no test proves SB-002 SB-003 SB-004"]) == report(house)


def test_each_run_replaces_the_record(house: pytest.Pytester) -> None:
    """A run of one test leaves that test's rules alone on record; collecting leaves the record as it is."""
    house.makepyfile(TESTS)
    run(house)
    run(house, "-k", "skips")
    assert [] == proved(house)
    run(house, "-k", "passes")
    assert ["SB-001", "SB-002"] == proved(house)
    run(house, "--collect-only")
    assert ["SB-001", "SB-002"] == proved(house)


def test_a_rule_that_no_index_lists_stops_the_run(house: pytest.Pytester) -> None:
    """The test that names it is named, and nothing runs."""
    house.makepyfile(test_it='import pytest\n\n@pytest.mark.rule("SB-999")\ndef test_strange():\n    pass\n')
    result = run(house)
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines("*test_it.py::test_strange: no such rule: SB-999*")


def test_all_proved_is_said_and_leaves_with_nothing(house: pytest.Pytester) -> None:
    """The line says how many of how many."""
    house.makepyfile('import pytest\n\n@pytest.mark.rule("SB-001", "SB-002", "SB-003", "SB-004")\ndef test_a(): pass\n')
    run(house)
    assert (0, ["small-ball  4 of 4 proved"]) == report(house)


def test_the_index_is_held_to_the_ledger(house: pytest.Pytester) -> None:
    """Where a ledger lies beside the repository, a rule too few and one too many are named; so is an empty index."""
    house.makepyfile('import pytest\n\n@pytest.mark.rule("SB-001", "SB-002", "SB-003", "SB-004")\ndef test_a(): pass\n')
    run(house)
    ledger = house.path.parent / "shared/rules/ledger.json"
    ledger.parent.mkdir(parents=True)
    ids = ["SB-001", "SB-002", "SB-003", "SB-005"]
    ledger.write_text(json.dumps([{"id": one, "game": "small-ball"} for one in ids]), "utf-8")
    try:
        code, said = report(house)
    finally:
        shutil.rmtree(ledger.parent.parent)
    assert (1, 3) == (code, len(said))
    assert [
        "small-ball: in the ledger, not in the index: SB-005",
        "small-ball: in the index, not in the ledger: SB-004",
    ] == said[1:]
    (house.path / "engine/games/small_ball/rules.md").write_text("", "utf-8")
    assert (1, "small-ball: engine/games/small_ball/rules.md lists no rules.") == (
        report(house)[0],
        report(house)[1][1],
    )
