"""The kept inputs: one archive for each target in the folder `corpus`, named after their digests."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).with_name("corpus")


def read(target: str) -> list[bytes]:
    """Return the inputs of a target."""
    file = FOLDER / f"{target}.zip"
    if not file.exists():
        return []
    with zipfile.ZipFile(file) as archive:
        return [archive.read(name) for name in sorted(archive.namelist())]


def write(target: str, inputs: Iterable[bytes]) -> None:
    """Keep these inputs of a target. The same inputs give the same file."""
    FOLDER.mkdir(exist_ok=True)
    with zipfile.ZipFile(FOLDER / f"{target}.zip", "w") as archive:
        for name, data in sorted({sha256(one).hexdigest()[:16]: one for one in inputs}.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
