"""The real installation on a bare machine: one command, and there is a table; again, and nothing is lost; then off."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.install.versions import PROJECT_FILES, match_ignored_files
from tests.device.service.container import HOME, Box, NoBox, root
from tests.wheels import NoRegistry, fetch

pytestmark = pytest.mark.long("containers")


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Box]:
    """A machine that has the project, and no network: the wheels lie in a folder."""
    project, wheels, machine = (tmp_path / name for name in ("project", "wheels", "machine"))
    for folder in (project, wheels, machine):
        folder.mkdir()
    for part in PROJECT_FILES:
        if (HOME / part).is_dir():
            shutil.copytree(HOME / part, project / part, ignore=match_ignored_files)
        else:
            shutil.copy(HOME / part, project / part)
    try:
        python = (root() / "usr/bin/python3").readlink().name.removeprefix("python")
        fetch(wheels, python, platform.machine())
        box = Box(machine, bare=True, binds={"/home/pi/project": project, "/home/pi/wheels": wheels})
        box.boot()
    except (NoBox, NoRegistry) as error:
        pytest.skip(str(error))
    with box:
        yield box


def install(box: Box) -> str:
    offline = ["PIP_NO_INDEX=1", "PIP_FIND_LINKS=/home/pi/wheels", "PIP_NO_CACHE_DIR=1"]
    return box.run("env", *offline, "/home/pi/project/scripts/install", "--yes")


@pytest.mark.timeout(900)
def test_one_command_makes_a_table(bare: Box) -> None:
    """Of the whole project, with its own units: the pages are on port 80. The same again disturbs nobody; and what was
    played stays when the table goes."""
    assert "Open http://dugout.local/" in install(bare)
    with bare.phone() as phone:
        assert phone.get("/").is_success
    assert "running" == bare.run("systemctl", "is-system-running", "--wait")
    assert bare.shows("FragmentPath").startswith("/usr/local/lib/")
    before = bare.shows("MainPID")
    assert "is here already" in install(bare)
    assert before == bare.shows("MainPID")
    bare.run("/home/pi/project/scripts/uninstall")
    assert "not-found" == bare.shows("LoadState")
    assert (bare.data / "journal.db").exists()
    assert "" == bare.run("ls", "/opt/dugout", check=False)
