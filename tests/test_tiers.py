"""The tiers of the tests: which a run has, in which order, and the list of the long ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.tiers import LONG, TOOLS

pytest_plugins = ("pytester",)

TESTS = """
import pytest
from hypothesis import settings

def test_quick():
    print(settings().max_examples, "examples")

@pytest.mark.slow
def test_slow():
    pass

@pytest.mark.slow
@pytest.mark.long("photos")
def test_pictures():
    pass

@pytest.mark.long("root")
def test_machine():
    pass
"""


@pytest.fixture
def house(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> Iterator[pytest.Pytester]:
    """A folder of four tests; what runs there sets the number of examples for this process too."""
    pytester.makeini("[pytest]\nmarkers =\n    slow: slow\n    long(name): long\n")
    pytester.makepyfile(TESTS)
    yield pytester
    settings.load_profile("full" if request.config.option.full else "default")


def run(house: pytest.Pytester, *more: str) -> pytest.RunResult:
    """Run its tests with the plugin, in this process."""
    return house.runpytest_inprocess("-p", "no:timeout", "-p", "no:cacheprovider", "-p", "tests.tiers", "-vs", *more)


def ran(result: pytest.RunResult) -> list[str]:
    """The tests that passed, in order."""
    return [line.partition("::")[2].split()[0] for line in result.outlines if "::" in line]


@pytest.mark.parametrize(
    ("options", "expected", "examples"),
    [
        ([], ["test_quick"], 25),
        (["--full"], ["test_slow", "test_quick"], 100),
        (["--long", "photos"], ["test_pictures"], None),
        (["--long", "root"], ["test_machine"], None),
    ],
)
def test_which_tests_run(house: pytest.Pytester, options: list[str], expected: list[str], examples: int | None) -> None:
    """Slow ones first; a long one only by its name, slow or not; random examples are fewer by default."""
    result = run(house, *options)
    assert expected == ran(result)
    assert 4 - len(expected) == result.parseoutcomes()["deselected"]
    if examples:
        result.stdout.fnmatch_lines(f"*{examples} examples*")


def test_the_long_ones_are_listed(house: pytest.Pytester) -> None:
    """With their minutes; nothing runs."""
    result = run(house, "--long")
    assert [] == ran(result)
    assert [*LONG, *TOOLS] == [line.split()[0] for line in result.outlines]


def test_a_name_that_is_none_stops_the_run(house: pytest.Pytester) -> None:
    """On the command line and in a mark; the test is named."""
    assert pytest.ExitCode.USAGE_ERROR == run(house, "--long", "evening").ret
    house.makepyfile(test_it='import pytest\n\n@pytest.mark.long("evening")\ndef test_strange():\n    pass\n')
    result = run(house)
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines("*test_it.py::test_strange: no such kind of long test: evening*")
