"""CPU seconds of each test, its programs and browsers included: they hardly change with what else the machine does.

The end of a run lists them by folder, with the 20 slowest tests. With `--budget`, a folder that takes more than
`tests/budget.toml` allows fails the run. Where there is no /proc, only processes that have ended are counted.
"""

from __future__ import annotations

import os
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

import pytest

from tests.tiers import is_default

BUDGET = Path(__file__).with_name("budget.toml")
SLOWEST = 20
SPENT = "cpu seconds"
IN_DEFAULT = "in the default run"


def children(process: int) -> Iterator[int]:
    """The living children of a process."""
    try:
        for thread in Path(f"/proc/{process}/task").iterdir():
            yield from map(int, (thread / "children").read_text().split())
    except OSError:  # it has ended, or there is no /proc
        return


def spent() -> float:
    """CPU seconds so far of this process and all that it started."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    living = list(children(os.getpid()))
    while living:
        process = living.pop()
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # utime, stime, and the same of the children that it waited for: proc_pid_stat(5), fields 14 to 17
        total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        living += children(process)
    return total


class Meter:
    """In each process that runs tests: what each step of a test took since the step before."""

    def __init__(self) -> None:
        self.last = spent()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Leave out what importing the tests took."""
        self.last = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write it into the report."""
        report = yield
        now = spent()
        report.user_properties += [(SPENT, max(now - self.last, 0)), (IN_DEFAULT, is_default(item))]
        self.last = now
        return report


class Summary:
    """In the process that owns the terminal: what all tests took."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.tests: dict[str, float] = defaultdict(float)
        self.default: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a step of a test."""
        found = dict(report.user_properties)
        if isinstance(seconds := found.get(SPENT), float):
            self.tests[report.nodeid] += seconds
        if found.get(IN_DEFAULT):
            self.default.add(report.nodeid)

    def by_folder(self, tests: set[str] | None = None) -> dict[str, float]:
        """The seconds of each folder in `tests`, of the tests named or of all."""
        folders: dict[str, float] = defaultdict(float)
        for test, seconds in self.tests.items():
            if tests is None or test in tests:
                folders[folder(test)] += seconds
        return folders

    def over(self) -> list[str]:
        """What took more than its budget."""
        budget = tomllib.loads(BUDGET.read_text("utf-8"))
        tiers = {"default": self.by_folder(self.default), "full": self.by_folder()}
        return [
            f"{name} took {seconds:.1f} CPU seconds of the {tier} run; tests/budget.toml allows {allowed:g}."
            for tier, folders in tiers.items()
            for name, seconds in sorted(folders.items())
            if seconds > (allowed := budget[tier].get(name, 0))
        ]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run if a folder grew beyond its budget."""
        if self.config.option.budget and self.over():
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the folders, the slowest tests, and what grew."""
        folders = self.by_folder()
        if not folders:
            return
        terminalreporter.section("CPU seconds")
        for name, seconds in slowest(folders):
            terminalreporter.write_line(f"{seconds:8.1f}  {name}")
        terminalreporter.write_line(f"{sum(folders.values()):8.1f}  in all; the {SLOWEST} slowest tests:")
        for test, seconds in slowest(self.tests)[:SLOWEST]:
            terminalreporter.write_line(f"{seconds:8.1f}  {test}")
        for line in self.over() if self.config.option.budget else ():
            terminalreporter.write_line(line, red=True)


def slowest(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    """What took most, first."""
    return sorted(seconds.items(), key=lambda one: -one[1])


def folder(test: str) -> str:
    """The folder in `tests` that a test is in: two deep in the large ones."""
    parts = test.partition("::")[0].split("/")[1:-1]
    return "/".join(parts[: 2 if parts[:1] in (["device"], ["engine"]) else 1]) or "."


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--budget`."""
    parser.addoption(
        "--budget", action="store_true", help="fail if a folder takes more CPU than tests/budget.toml allows"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure where tests run, and add up where the terminal is."""
    config.pluginmanager.register(Meter(), "cpu-meter")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Summary(config), "cpu-summary")
