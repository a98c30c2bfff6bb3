"""The lock's wheels for another machine: those that pip would take there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.markers import Marker, default_environment
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

LOCK = Path(__file__).parents[1] / "requirements.lock"


class NoRegistry(Exception):
    """Nobody can be asked for wheels here."""


PYTHONS = {"3.11": 36, "3.13": 41}
"""The Pythons of Raspberry Pi OS bookworm and trixie, and the second number of their glibc."""


def machine(python: str, arch: str = "aarch64") -> dict[str, str]:
    """What a Pi's Python says of itself."""
    found = {**default_environment(), "platform_machine": arch, "sys_platform": "linux", "platform_system": "Linux"}
    return {name: str(value) for name, value in found.items()} | {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "implementation_version": f"{python}.2",
    }


def wanted(lock: str, python: str, arch: str = "aarch64") -> Iterator[tuple[str, str]]:
    """The packages that the lock has for a Pi, each with its lines, without their conditions. pip would judge these by
    the machine that it runs on."""
    for entry in lock.replace("\\\n", " ").splitlines():
        pinned, _, hashes = entry.partition(" --hash")
        name, _, condition = pinned.partition(" ; ")
        if name and (not condition or Marker(condition).evaluate(machine(python, arch))):
            yield canonicalize_name(name.partition("==")[0]), f"{name.strip()} --hash{hashes}"


def fits(python: str, arch: str = "aarch64") -> set[Tag]:
    """The wheels that a Pi's Python takes."""
    version = tuple(int(part) for part in python.split("."))
    places = [f"manylinux_2_{minor}_{arch}" for minor in range(PYTHONS.get(python, 36), 16, -1)]
    places += [f"manylinux2014_{arch}", f"linux_{arch}"]
    tags = [*cpython_tags(version, platforms=places), *compatible_tags(version, f"cp{version[0]}{version[1]}", places)]
    return set(tags)


def fetch(folder: Path, python: str, arch: str = "aarch64") -> dict[str, Path]:
    """Every wheel for such a machine, by its package's name. Raises NoRegistry, and AssertionError where one is missing
    or has another hash."""
    packages = dict(wanted(LOCK.read_text(), python, arch))
    names = folder / "requirements"
    names.write_text("\n".join(packages.values()))
    places = sorted({tag.platform for tag in fits(python, arch)} - {"any"})
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
        "--retries=1",
    ]
    pip += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--implementation=cp", f"--python-version={python}"]
    pip += [*(f"--platform={place}" for place in places), f"--dest={folder}", f"--requirement={names}"]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=280)
    if done.returncode and ("connection" in done.stderr.lower() or "--no-index" in done.stderr):
        raise NoRegistry("No package registry answers.")
    assert 0 == done.returncode, done.stderr
    found = {str(parse_wheel_filename(wheel.name)[0]): wheel for wheel in folder.glob("*.whl")}
    assert packages.keys() == found.keys()
    return found
