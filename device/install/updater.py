"""`dugout update FILE`: checks a release before it is unpacked, and installs it.

minisign checks the signature with the keys of the version that is installed. The signed comment names the version.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

from device import named_file
from device.install.host import Host, SetupError
from device.install.versions import CURRENT, HOME

KEYS = f"{CURRENT}/device/install/keys"
"""The folder of the keys that may sign releases, `*.pub`."""

COMMENT = re.compile(r"dugout ([0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6})")
"""The signed comment of a release."""

LARGEST, UNPACKED = 256 << 20, 1 << 30
"""Bytes that a release may have, packed and unpacked."""

SIGNATURE = 4096
"""Bytes that a signature may have; minisign's has some 300."""

UNCHANGED = "Nothing was changed."


def update(host: Host, file: Path, older: bool = False) -> int:
    """Check a release and install it; return the installer's exit status.

    `older` allows a version before the one that is installed. Raises SetupError, and then nothing was changed.
    """
    if host.root == Path("/") and os.geteuid() != 0:
        raise SetupError("This changes the system: run it with sudo.")
    if not host.path(CURRENT).is_dir():
        raise SetupError("Nothing is installed here: run scripts/install.")
    _sweep(host)
    # A folder of our own: what is checked must be what is unpacked.
    with tempfile.TemporaryDirectory(dir=host.path(HOME), prefix=".update-") as work:
        release, signature = Path(work, "release.tar.gz"), Path(work, "release.tar.gz.minisig")
        _take(file, release, LARGEST)
        _take(file.with_name(file.name + ".minisig"), signature, SIGNATURE)
        version = _checked(host, file, release, signature)
        if _number(version) < _number(now := installed(host)) and not older:
            raise SetupError(
                f"{file.name} is version {version}, and {now} is installed: to go back, add --older. {UNCHANGED}"
            )
        project = _unpacked(release, Path(work), version)
        host.say(f"{file.name} is version {version}, and its signature is right.")
        command = [str(project / "scripts/install"), *(["--yes"] if host.yes else [])]
        return subprocess.run(command, cwd=project, check=False).returncode


def installed(host: Host) -> str:
    """Return the number of the version that is installed. Raises SetupError if it cannot be read."""
    return _version(host.path(CURRENT) / "pyproject.toml")


def _version(file: Path) -> str:
    try:
        return str(tomllib.loads(file.read_text("utf-8"))["project"]["version"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SetupError(f"{file} names no version. {UNCHANGED}") from error


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", version)))


def _sweep(host: Host) -> None:
    """Delete what an update left that was cut off."""
    for left in host.path(HOME).glob(".update-*"):
        shutil.rmtree(left, ignore_errors=True)


def _take(source: Path, target: Path, largest: int) -> None:
    try:
        with named_file.open_file(source) as given, target.open("xb") as taken:
            if os.fstat(given.fileno()).st_size > largest:
                raise SetupError(f"{source} is larger than {largest >> 10} kB: that is no release. {UNCHANGED}")
            shutil.copyfileobj(given, taken)
    except OSError as error:
        signed = " A release comes with its signature, in a file beside it." if source.suffix == ".minisig" else ""
        raise SetupError(f"{source} cannot be read: {error.strerror}.{signed} {UNCHANGED}") from error


def _checked(host: Host, file: Path, release: Path, signature: Path) -> str:
    """Return the version that the signature names. Raises SetupError unless one of our keys made it for this file."""
    keys = sorted(host.path(KEYS).glob("*.pub"))
    if not keys:
        raise SetupError(
            f"The installed version has no key to check releases with ({KEYS}/*.pub): update from a clone of the "
            f"project, as docs/install.md says. {UNCHANGED}"
        )
    if not host.has("minisign"):
        raise SetupError(f"Releases are checked by minisign: sudo apt install minisign. {UNCHANGED}")
    for key in keys:
        said = host.output("minisign", "-V", "-Q", "-p", str(key), "-x", str(signature), "-m", str(release))
        if said is not None:
            if found := COMMENT.fullmatch(said.strip()):
                return found[1]
            raise SetupError(f"{file} is signed, but not as a release of Dugout. {UNCHANGED}")
    raise SetupError(f"The signature of {file} is wrong: do not use this file, and download it again. {UNCHANGED}")


def _unpacked(release: Path, folder: Path, version: str) -> Path:
    """Unpack a checked release; return its project. Raises SetupError if it is not the version that it says."""
    top, safe = f"dugout-{version}", dict[str, Any]()
    if hasattr(tarfile, "data_filter"):  # Python 3.11.2 of bookworm may lack it
        safe["filter"] = "data"
    try:
        with tarfile.open(release, "r:gz") as packed:
            members = packed.getmembers()
            odd = [one.name for one in members if not (one.isfile() or one.isdir()) or not _inside(one.name, top)]
            if odd or sum(one.size for one in members) > UNPACKED:
                raise SetupError(f"This is no release of Dugout. {UNCHANGED}")
            packed.extractall(folder, members, **safe)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise SetupError(f"The release cannot be unpacked: {error}. {UNCHANGED}") from error
    if _version(folder / top / "pyproject.toml") != version:
        raise SetupError(f"The release is not version {version}, as its signature says. {UNCHANGED}")
    return folder / top


def _inside(name: str, top: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and path.parts[:1] == (top,)
