"""What a run of tests took: where it is counted, and what happens when a folder grows."""

from __future__ import annotations

import re

import pytest

from tests import cpu

pytest_plugins = ("pytester",)

WORK = """
import subprocess
import sys
import time

import pytest

BUSY = "import time\\nwhile time.process_time() < {0}: pass\\n{1}"

def test_idle():
    time.sleep(0.3)

def test_busy():
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass

@pytest.mark.slow
def test_program_that_ended():
    subprocess.run([sys.executable, "-c", BUSY.format(0.5, "")], check=True)

@pytest.fixture(scope="module")
def program():
    with subprocess.Popen([sys.executable, "-c", BUSY.format(0.7, "print(1, flush=True); time.sleep(900)")],
                          stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        yield
        running.kill()

def test_program_that_runs(program):
    pass
"""


@pytest.fixture
def house(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of tests that take known CPU seconds, with a budget."""
    pytester.makeini("[pytest]\nmarkers =\n    slow: slow\n    long(name): long\n")
    folder = pytester.mkpydir("tests") / "device/table"
    folder.mkdir(parents=True)
    (folder / "test_work.py").write_text(WORK, "utf-8")
    monkeypatch.setattr(cpu, "BUDGET", pytester.path / "budget.toml")
    return pytester


def run(house: pytest.Pytester, *more: str) -> pytest.RunResult:
    """Run its tests with the plugins, in this process."""
    return house.runpytest_inprocess(
        "-p", "no:timeout", "-p", "no:cacheprovider", "-p", "tests.tiers", "-p", "tests.cpu", *more
    )


def seconds(result: pytest.RunResult) -> dict[str, float]:
    """The figures at the end."""
    lines = [re.fullmatch(r" *(\d+\.\d)  (\S+).*", line) for line in result.outlines]
    return {found[2].rpartition("::")[2]: float(found[1]) for found in lines if found}


def test_programs_count_and_waiting_does_not(house: pytest.Pytester) -> None:
    """A program that ended, and one that still runs; by test, by folder and in all."""
    found = seconds(run(house, "--full"))
    assert 0.3 > found["test_idle"]
    assert 0.3 <= found["test_busy"]
    assert 0.5 <= found["test_program_that_ended"]
    assert 0.7 <= found["test_program_that_runs"]
    assert 1.5 <= found["device/table"] == found["in"]


def test_a_folder_that_grows_fails_the_run(house: pytest.Pytester) -> None:
    """Only if it is asked; the folder is named, and for the default run only its own tests count."""
    budget = house.path / "budget.toml"
    budget.write_text('default."device/table" = 99\nfull."device/table" = 99\n')
    assert pytest.ExitCode.OK == run(house, "--full", "--budget", "-k", "ended").ret
    budget.write_text('default."device/table" = 99\nfull."device/table" = 0.2\n')
    result = run(house, "--full", "--budget", "-k", "ended")
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines("device/table took * CPU seconds of the full run; tests/budget.toml allows 0.2.")
    budget.write_text("[default]\n[full]\n")
    assert pytest.ExitCode.OK == run(house, "-k", "busy").ret
    result = run(house, "--budget", "-k", "busy")
    result.stdout.fnmatch_lines("device/table took 0.* CPU seconds of the default run; tests/budget.toml allows 0.")


def test_folders() -> None:
    """Two deep where there is most."""
    assert ["device/table", "engine/games", "browser", "."] == [
        cpu.folder(f"tests/{test}")
        for test in (
            "device/table/race/test_a.py::x",
            "engine/games/clutch/test_a.py::x",
            "browser/tv/t.py::x",
            "t.py::x",
        )
    ]
