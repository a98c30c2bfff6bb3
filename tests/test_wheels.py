"""The lock on a Pi: each package that it names has a wheel for the Pi's processor and Python, and none is empty."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from packaging.utils import parse_wheel_filename

from tests.wheels import PYTHONS, NoRegistry, fetch, fits, wanted


def hollow(wheel: Path) -> bool:
    """Whether there is nothing in it but words about it."""
    with zipfile.ZipFile(wheel) as opened:
        return not any(one.file_size for one in opened.infolist() if ".dist-info/" not in one.filename)


@pytest.mark.long("wheels")
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.timeout(420)
def test_a_pi_has_a_wheel_for_every_package(tmp_path: Path, python: str) -> None:
    """Of the very hash that the lock names; lgpio is not among them, it comes from the system."""
    try:
        found = fetch(tmp_path, python)
    except NoRegistry as error:
        pytest.skip(str(error))
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
