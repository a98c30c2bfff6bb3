"""Look for inputs that break the program: `scripts/fuzz` runs this with Atheris, guided by coverage.

Each target of `targets.py` gets its share of the minutes, two at a time. What reaches code that no kept input reaches
is kept in `corpus/`, and from then on replayed by the tests. The status is 1 where an input broke something; it is
kept, too.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.hostile.fuzzing import corpus

LARGEST = 4096
"""Bytes of an input; a journal needs more, see `LARGER`."""

LARGER = {"journal": 64 << 10, "backup": 128 << 10}
KEPT = 150
"""Inputs kept of each target, the smallest."""


def fuzz(target: str, seconds: int, work: Path) -> str:
    """Fuzz one target in a process of its own, in an empty folder; return what broke, "" for nothing."""
    kept, inputs, broken = (work / name for name in ("kept", "inputs", "broken"))
    for folder in (kept, inputs, broken):
        folder.mkdir(parents=True)
    known = corpus.read(target)
    for number, data in enumerate(known):
        (kept / f"{number}").write_bytes(data)
    run = [sys.executable, "-m", "tests.hostile.fuzzing.one_target", target]
    limits = [f"-max_len={LARGER.get(target, LARGEST)}", "-timeout=10", "-rss_limit_mb=2048"]
    search = [f"-max_total_time={seconds}", f"-artifact_prefix={broken}/", *limits, str(inputs), str(kept)]
    log = work / "log"
    with log.open("w") as file:
        status = subprocess.run([*run, *search], stdout=file, stderr=file, check=False).returncode
    faults = contents(broken)
    # libFuzzer writes only what adds coverage.
    new = sorted(contents(inputs), key=len)[: max(0, KEPT - len(known))]
    corpus.write(target, known + faults + new)
    return log.read_text(errors="replace")[-4000:] if status or faults else ""


def contents(folder: Path) -> list[bytes]:
    """Return what is in the files of a folder."""
    return [one.read_bytes() for one in sorted(folder.iterdir())]


def main() -> int:
    """Fuzz every target, or those that are named."""
    from tests.hostile.fuzzing.targets import TARGETS

    parser = argparse.ArgumentParser(prog="scripts/fuzz", description="Look for inputs that break the program.")
    parser.add_argument("targets", nargs="*", help=f"some of {', '.join(TARGETS)}; all if none is named")
    parser.add_argument("--minutes", type=float, default=10, help="for all targets together (10)")
    given = parser.parse_args()
    if wrong := set(given.targets) - TARGETS.keys():
        parser.error(f"there is no target {', '.join(sorted(wrong))}")
    chosen, at_once = given.targets or list(TARGETS), 2
    seconds = max(1, int(given.minutes * 60 * min(at_once, len(chosen)) / len(chosen)))
    faults = 0
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(at_once) as pool:
        tried = {one: pool.submit(fuzz, one, seconds, Path(name) / one) for one in chosen}
        for one, result in tried.items():
            fault = result.result()
            faults += bool(fault)
            print(f"{one}: {f'broken{chr(10)}{fault}' if fault else 'nothing found'}", flush=True)
    return int(faults > 0)


if __name__ == "__main__":
    raise SystemExit(main())
