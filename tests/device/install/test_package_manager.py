"""The package manager of a fresh Pi may be busy or interrupted: the installer waits, names the reason, or stops."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.install import package_manager, system_parts
from device.install.host import Host, SetupError

HOLDER = "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); print(); sys.stdin.read()"
WANTED = {"python3-lgpio": "Without it there are no buttons."}

APT = """\
#!/bin/sh
echo "${0##*/} $*" >> "$CALLS"
case "$*" in *$FAILS*) [ -f "$CALLS.mended" ] || { echo "$WORDS" >&2; exit 100; } ;; esac
case "$*" in *configure*) touch "$CALLS.mended" ;; *" install "*) touch "$CALLS.installed" ;; esac
"""
QUERY = '#!/bin/sh\n[ -f "$CALLS.installed" ] && echo "install ok installed"\n'
CACHE = '#!/bin/sh\n[ ! -f "$CALLS.unknown" ] && echo "Package: here"\n'


class FreshPi(Host):
    """A Pi whose package manager fails as told. After `free_after` checks of a lock, its holder ends."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.said: list[str] = []
        self.holder: subprocess.Popen[bytes] | None = None
        self.free_after, self.naps = -1, 0

    def print_text(self, words: str) -> None:
        self.said.append(words)

    def run_quietly(self, *command: str) -> bool:
        if command[0] != "sleep":
            return super().run_quietly(*command)
        self.naps += 1
        if self.naps == self.free_after and self.holder is not None:
            self.holder.communicate()
        return True

    @property
    def calls(self) -> list[str]:
        file = self.root / "calls"
        return file.read_text("utf-8").splitlines() if file.exists() else []


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FreshPi:
    (tmp_path / "bin").mkdir()
    for name, text in {"apt-get": APT, "dpkg": APT, "dpkg-query": QUERY, "apt-cache": CACHE}.items():
        (tmp_path / "bin" / name).write_text(text, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    for name in package_manager.LOCK_FILES:
        (tmp_path / name[1:]).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name[1:]).touch(mode=0o640)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("FAILS", "nothing")
    monkeypatch.setenv("WORDS", "")
    return FreshPi(tmp_path)


@contextmanager
def busy(pi: FreshPi, lock: str, script: str) -> Iterator[None]:
    """Another program holds a lock of the package manager."""
    program = pi.root / script
    program.write_text(HOLDER, "utf-8")
    command = [sys.executable, str(program), str(pi.root / lock[1:])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pi.holder:
        assert pi.holder.stdout is not None
        pi.holder.stdout.readline()
        try:
            yield
        finally:
            pi.holder.kill()


@pytest.mark.parametrize(
    ("lock", "script"),
    [
        ("/var/lib/dpkg/lock-frontend", "unattended-upgrade"),
        ("/var/lib/dpkg/lock", "dpkg.py"),
        ("/var/lib/apt/lists/lock", "packagekitd"),
        ("/var/cache/apt/archives/lock", "apt-daily"),
    ],
)
def test_a_busy_package_manager_is_named_and_waited_for(pi: FreshPi, lock: str, script: str) -> None:
    pi.free_after = 3
    with busy(pi, lock, script):
        assert pi.holder is not None
        held = (
            f"  Waiting for {script} (process {pi.holder.pid}), which is installing packages, for up to 5 minutes ..."
        )
        system_parts.install_packages(pi, WANTED)
    assert ["Installing packages: python3-lgpio ...", held] == pi.said
    assert 3 == pi.naps
    assert ["update", "python3-lgpio"] == [call.split()[-1] for call in pi.calls]


def test_a_package_manager_that_stays_busy_ends_the_installation(pi: FreshPi) -> None:
    """Instead of a table without buttons. Nothing was begun."""
    with (
        busy(pi, "/var/lib/dpkg/lock-frontend", "unattended-upgrade"),
        pytest.raises(SetupError, match=r"unattended-upgrade \(process \d+\) is still installing packages"),
    ):
        system_parts.install_packages(pi, WANTED)
    assert package_manager.LOCK_TIMEOUT_S == pi.naps * package_manager.CHECK_INTERVAL_S
    assert [] == pi.calls


def test_a_free_lock_has_no_holder(pi: FreshPi) -> None:
    """A lock file that nobody holds, or that is not there, is free."""
    assert package_manager.lock_holder(pi) is None
    (pi.root / package_manager.LOCK_FILES[0][1:]).unlink()
    assert package_manager.lock_holder(pi) is None


def test_a_lock_taken_between_the_check_and_the_installation_is_tried_again(
    pi: FreshPi, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)"
    monkeypatch.setenv("FAILS", " install ")
    monkeypatch.setenv("WORDS", words)
    with pytest.raises(SetupError, match="812"):
        system_parts.install_packages(pi, WANTED)
    assert ["update", *["python3-lgpio"] * package_manager.MAX_ATTEMPTS] == [call.split()[-1] for call in pi.calls]


def test_an_interrupted_installation_is_finished(pi: FreshPi, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a power cut during an update of the Pi."""
    monkeypatch.setenv("FAILS", " install ")
    monkeypatch.setenv(
        "WORDS", "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."
    )
    system_parts.install_packages(pi, WANTED)
    assert ["update", "python3-lgpio", "-a", "python3-lgpio"] == [call.split()[-1] for call in pi.calls]
    assert [line for line in pi.said if "was interrupted. Finishing it" in line]


def test_an_installation_that_cannot_be_finished_says_so(pi: FreshPi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILS", "a")
    monkeypatch.setenv("WORDS", "E: dpkg was interrupted, you must manually run 'dpkg --configure -a'")
    with pytest.raises(SetupError, match="repair it with sudo dpkg --configure -a"):
        system_parts.install_packages(pi, WANTED)


def test_a_failure_is_shown_in_the_words_of_the_package_manager(pi: FreshPi, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a package that the archive does not have is "not available here"."""
    monkeypatch.setenv("FAILS", " install ")
    monkeypatch.setenv("WORDS", "Reading\nE: Failed to fetch: Temporary failure resolving 'packages.example'")
    system_parts.install_packages(pi, WANTED)
    assert "  E: Failed to fetch: Temporary failure resolving 'packages.example'" in pi.said
    assert "  python3-lgpio could not be installed. Without it there are no buttons." == pi.said[-1]
    (pi.root / "calls.unknown").touch()
    system_parts.install_packages(pi, WANTED)
    assert "  python3-lgpio is not available here. Without it there are no buttons." == pi.said[-1]
