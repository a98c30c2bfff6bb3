"""The lock on a Pi: each package that it names has a wheel for the Pi's processor and Python, and none is empty."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.markers import Marker, default_environment
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

LOCK = Path(__file__).parents[1] / "requirements.lock"

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
    places = [f"manylinux_2_{minor}_{arch}" for minor in range(PYTHONS[python], 16, -1)]
    places += [f"manylinux2014_{arch}", f"linux_{arch}"]
    tags = [*cpython_tags(version, platforms=places), *compatible_tags(version, f"cp{version[0]}{version[1]}", places)]
    return set(tags)


def hollow(wheel: Path) -> bool:
    """Whether there is nothing in it but words about it."""
    with zipfile.ZipFile(wheel) as opened:
        return not any(one.file_size for one in opened.infolist() if ".dist-info/" not in one.filename)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.timeout(300)
def test_a_pi_has_a_wheel_for_every_package(tmp_path: Path, python: str) -> None:
    """Of the very hash that the lock names; lgpio is not among them, it comes from the system."""
    packages = dict(wanted(LOCK.read_text(), python))
    names = tmp_path / "requirements"
    names.write_text("\n".join(packages.values()))
    places = sorted({tag.platform for tag in fits(python)} - {"any"})
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
    pip += [*(f"--platform={place}" for place in places), f"--dest={tmp_path}", f"--requirement={names}"]
    done = subprocess.run(pip, capture_output=True, text=True, timeout=280)
    if done.returncode and ("connection" in done.stderr.lower() or "--no-index" in done.stderr):
        pytest.skip("No package registry answers.")
    assert 0 == done.returncode, done.stderr
    found = {parse_wheel_filename(wheel.name)[0]: wheel for wheel in tmp_path.glob("*.whl")}
    assert packages.keys() == found.keys()
    assert "lgpio" not in found
    for wheel in found.values():
        assert parse_wheel_filename(wheel.name)[3] & fits(python), wheel.name
        assert not hollow(wheel), f"{wheel.name} is empty"


def test_an_empty_wheel_would_be_seen(tmp_path: Path) -> None:
    """As lgpio's for a Python without one is."""
    wheel = tmp_path / "lgpio-0.0.0.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as opened:
        opened.writestr("lgpio-0.0.0.2.dist-info/METADATA", "Name: lgpio")
        opened.writestr("lgpio/__init__.py", "")
    assert hollow(wheel)


@pytest.mark.parametrize(("python", "number"), [("3.11", "2.4.6"), ("3.13", "2.5.5")])
def test_conditions_are_those_of_the_pi(python: str, number: str) -> None:
    """Not of the machine that the test runs on."""
    lock = "numpy==2.4.6 ; python_full_version < '3.12' \\\n  --hash=a\nnumpy==2.5.5 ; python_full_version >= '3.12'"
    lock += " --hash=b\ncolorama==1 ; sys_platform == 'win32' --hash=c\nluma-oled==3.16.0 \\\n  --hash=d \\\n --hash=e"
    found = dict(wanted(lock, python))
    assert {"numpy", "luma-oled"} == found.keys()
    assert found["numpy"].startswith(f"numpy=={number} --hash")
    assert ["luma-oled==3.16.0", "--hash=d", "--hash=e"] == found["luma-oled"].split()
