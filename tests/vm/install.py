"""Puts the table on the machine's disk as a person does on a card: with `scripts/install`, before the first start."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.vm.image import HERE, ROOT, run

STEPS = """
set -eu
mkdir -p /run/systemd/system
export SYSTEMD_OFFLINE=1 PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
# No service manager runs here: all is laid down and switched on, and opened when the machine starts.
/project/scripts/install --yes || test -e /opt/dugout/current/.whole
cp /bench/*.service /etc/systemd/system/
cp /bench/camera.py /bench/plug /usr/lib/bench/
systemctl enable plug camera
"""


@contextmanager
def mounted(disk: Path, at: Path) -> Iterator[Path]:
    """The disk's files, at this folder for a while."""
    at.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", disk, at], check=True)
    try:
        yield at
    finally:
        subprocess.run(["umount", "--recursive", at], check=True)


def install(disk: Path, wheels: Path, folder: Path) -> str:
    """The checkout as it is, with its Python packages from `wheels`; the name of its version.

    Raises CalledProcessError; install.log in `folder` says why.
    """
    log = folder / "install.log"
    with mounted(disk, folder / "root") as root:
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        for name, brought in (("wheels", wheels), ("project", ROOT), ("bench", HERE / "guest"), ("dev", Path("/dev"))):
            (root / name).mkdir(exist_ok=True)
            subprocess.run(["mount", "--bind", brought, root / name], check=True)
        run("chroot", root, "sh", "-c", STEPS, log=log)
        return (root / "opt/dugout/current").readlink().name


def copied(disk: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", disk, to], check=True)
