"""Versions below /opt/dugout, each complete in its own folder, and the link to the current one.

A version is complete if it has its mark, which is written last. The link is switched by one rename, so it points to a
complete version at any moment, even after a power cut.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.install.host import Host, SetupError
from device.storage import atomic_file

HOME_FOLDER = "/opt/dugout"
CURRENT_LINK = f"{HOME_FOLDER}/current"
VERSIONS_FOLDER = f"{HOME_FOLDER}/versions"
PROJECT_FILES = (
    *("device", "docs", "engine", "managers", "scripts", "systemd", "vision", "web"),
    *("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "requirements.lock"),
)
"""Files and folders of the project that a version contains."""

match_ignored_files = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info", ".*")  # not part of a version
COMPLETE_MARK_FILE = ".whole"  # name of the file that marks a complete version


class Versions:
    """Installed versions of one machine."""

    def __init__(self, host: Host) -> None:
        self._host, self._link = host, host.path_below_root(CURRENT_LINK)
        self._folder = host.path_below_root(VERSIONS_FOLDER)

    @contextmanager
    def installation_lock(self) -> Iterator[None]:
        """Keep other installers out. Raises SetupError if one is running."""
        self._folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            if not atomic_file.try_lock(handle):
                raise SetupError("Another installation is running: wait for it.")
            yield
        finally:
            os.close(handle)

    @property
    def current_version(self) -> str | None:
        """Name of the current version. None if there is none."""
        return self._link.readlink().name if self._link.is_symlink() and self._link.exists() else None

    def version_folder(self, name: str) -> Path:
        return self._folder / name

    def is_complete(self, name: str) -> bool:
        return (self.version_folder(name) / COMPLETE_MARK_FILE).exists()

    def install_version(self, project: Path, name: str) -> None:
        """Install the version of `project` as `name`, unless it is complete. Other versions are unchanged.

        Raises SetupError and OSError.
        """
        folder = self.version_folder(name)
        if self.is_complete(name):
            self._host.print_text(f"Version {name} is here already.")
            return
        self.delete_version(name)
        try:
            folder.mkdir()
            for part in PROJECT_FILES:
                if (project / part).is_dir():
                    shutil.copytree(
                        project / part, folder / part, ignore=match_ignored_files, copy_function=shutil.copyfile
                    )
                else:
                    shutil.copyfile(project / part, folder / part)
            # Readable for the service's user and polkitd, regardless of how the project was unpacked.
            for inside in (one for one in folder.rglob("*") if one.is_dir()):
                inside.chmod(0o755)
            for script in (folder / "scripts").iterdir():
                script.chmod(0o755)
            self._install_packages(folder)
        except BaseException:
            self.delete_version(name)
            raise
        self._host.run_quietly("sync", "-f", str(folder))
        atomic_file.write_file(folder / COMPLETE_MARK_FILE, b"")

    def _install_packages(self, folder: Path) -> None:
        """Create a virtual environment that can use the system's picamera2 and lgpio, and install into it."""
        host, python = self._host, str(folder / ".venv/bin/python")
        host.run_or_fail(
            *("python3", "-m", "venv", "--system-site-packages", str(folder / ".venv")),
            sorry="Python's venv module is missing or broken: sudo apt install python3-venv. Nothing was changed.",
        )
        # The system's temporary folder may be in memory, of which a small Pi has too little.
        spare = folder / "tmp"
        spare.mkdir()
        pip = (python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
        lock = (
            "--ignore-installed",
            "--require-hashes",
            "--only-binary=:all:",
            "-r",
            str(folder / "requirements.lock"),
        )
        offline = (
            "The packages could not be downloaded: is there a network, and is the date right? Then run this again."
        )
        stands = (
            f"Version {self.current_version} is still current." if self.current_version else "Nothing is installed yet."
        )
        host.run_or_fail(*pip, *lock, sorry=f"{offline} {stands}", heard=self._report_progress, TMPDIR=str(spare))
        own = ("--no-deps", "--no-index", "--no-build-isolation", str(folder))
        host.run_or_fail(*pip, *own, sorry=f"Dugout itself cannot be installed. {stands}", TMPDIR=str(spare))
        for litter in (spare, folder / "build", folder / "dugout.egg-info"):
            shutil.rmtree(litter, ignore_errors=True)

    def _report_progress(self, line: str) -> None:
        if line.startswith("Collecting "):
            self._host.print_text(f"  {line.split()[1]}")

    def switch_version(self, name: str) -> None:
        """Make `name` the current version. Durable on return."""
        replace_link(self._link, Path("versions") / name)

    def delete_incomplete(self, named: set[str]) -> None:
        """Delete incomplete versions, except the current one and those `named` by systemd's units."""
        for name in (one.name for one in self._folder.iterdir()):
            if not self.is_complete(name) and name != self.current_version and name not in named:
                self.delete_version(name)

    def delete_old_versions(self, before: str | None) -> None:
        """Delete all versions but the current one and a complete other one, which is `before` or else the newest."""
        current = self.current_version
        others = [one for one in self._folder.iterdir() if one.name != current]
        whole = [one for one in others if (one / COMPLETE_MARK_FILE).exists()]
        kept = max(
            whole, key=lambda one: (one.name == before, (one / COMPLETE_MARK_FILE).stat().st_mtime), default=None
        )
        for one in others:
            if one != kept:
                self.delete_version(one.name)

    def delete_version(self, name: str) -> None:
        # The mark is deleted first, so that a half-deleted version does not count as complete.
        (self.version_folder(name) / COMPLETE_MARK_FILE).unlink(missing_ok=True)
        shutil.rmtree(self.version_folder(name), ignore_errors=True)


def replace_link(link: Path, target: Path) -> None:
    """Make `link` point to `target` atomically. Durable on return."""
    fresh = link.with_name(f".{link.name}.part")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
    atomic_file.sync_folder(link.parent)


def version_name(project: Path) -> str:
    """Name of a version, from its number, its Python's, and a hash of its files."""
    with open(project / "pyproject.toml", "rb") as file:
        number = tomllib.load(file)["project"]["version"]
    digest = hashlib.sha256()
    for part in PROJECT_FILES:
        for path in sorted([project / part, *(project / part).rglob("*")]):
            inside = path.relative_to(project)
            if path.is_file() and not any(match_ignored_files("", list(inside.parts))):
                data = path.read_bytes()
                digest.update(f"{inside.as_posix()}\0{len(data)}\0".encode() + data)
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{number}-python{python}-{digest.hexdigest()[:8]}"
