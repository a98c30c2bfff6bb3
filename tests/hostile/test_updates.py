"""An update is installed only if the maintainers signed it, and nothing of another is unpacked."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from device.cli import main
from device.install import updater
from device.install.host import Host, SetupError
from device.install.versions import PARTS
from tests.device.install.sd_card import CHECKOUT, Card

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("minisign"), reason="There is no minisign here (apt install minisign)."),
]


def minisign(*words: object) -> None:
    subprocess.run(["minisign", *map(str, words)], check=True, capture_output=True, stdin=subprocess.DEVNULL)


class Maintainers:
    """Their folder, with a pair of keys made for this test alone."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.public, self.secret = folder, folder / "release.pub", folder / "release.key"
        minisign("-G", "-W", "-p", self.public, "-s", self.secret)

    def release(
        self, version: str = "9.9.9", comment: str | None = None, files: Mapping[str, bytes] | None = None
    ) -> Path:
        """Make a signed release whose installer writes `ran`; `files` are more members by name, or other contents."""
        file = self.folder / f"dugout-{version}.tar.gz"
        content = {
            "pyproject.toml": f'[project]\nversion = "{version}"\n'.encode(),
            "scripts/install": b'#!/bin/sh\nsed -n 2p pyproject.toml >"$DUGOUT_ROOT/ran"\n',
        } | dict(files or {})
        with tarfile.open(file, "w:gz") as packed:
            for name, data in content.items():
                member = tarfile.TarInfo(name if name.startswith(("/", "..")) else f"dugout-{version}/{name}")
                member.size, member.mode = len(data), 0o755
                packed.addfile(member, io.BytesIO(data))
        return self.sign(file, f"dugout {version}" if comment is None else comment)

    def sign(self, file: Path, comment: str) -> Path:
        minisign("-S", "-s", self.secret, "-t", comment, "-m", file)
        return file


@pytest.fixture
def maintainers(tmp_path: Path) -> Maintainers:
    return Maintainers(tmp_path / "maintainers")


@pytest.fixture
def root(tmp_path: Path, maintainers: Maintainers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A system with version 0.2.0, which has the maintainers' key. Whatever happens, it stays as it is."""
    root = tmp_path / "root"
    current = root / "opt/dugout/current"
    (current / "device/install/keys").mkdir(parents=True)
    (current / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    shutil.copy(maintainers.public, current / "device/install/keys")
    monkeypatch.setenv("DUGOUT_ROOT", str(root))
    before = files(root)
    yield root
    assert before == [name for name in files(root) if name != "ran" and not name.endswith(".pub.away")]


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def ran(root: Path) -> str:
    """Return the version whose installer ran; "" if none did."""
    file = root / "ran"
    return file.read_text().split('"')[1] if file.exists() else ""


def test_what_is_signed_is_installed(root: Path, maintainers: Maintainers, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one with the same number, as after a trial that failed."""
    for version in ("0.2.0", "0.10.0"):
        assert 0 == main(["update", str(maintainers.release(version))])
        assert version == ran(root)
    assert "dugout-0.10.0.tar.gz is version 0.10.0, and its signature is right." in capsys.readouterr().out


def test_the_status_is_the_installers(root: Path, maintainers: Maintainers) -> None:
    """It says itself why a version did not come up, and the one before runs again."""
    assert 1 == main(["update", str(maintainers.release(files={"scripts/install": b"#!/bin/sh\nexit 1\n"}))])


def test_an_older_one_is_installed_only_on_request(root: Path, maintainers: Maintainers) -> None:
    """It may have holes that were closed since, and its signature is as good."""
    file = maintainers.release("0.1.9")
    with pytest.raises(SetupError, match=r"is version 0\.1\.9, and 0\.2\.0 is installed: to go back, add --older\."):
        updater.update(Host(root), file)
    assert "" == ran(root)
    assert 0 == main(["update", str(file), "--older"])
    assert "0.1.9" == ran(root)


def unsigned(ours: Maintainers, folder: Path) -> Path:
    file = ours.release()
    file.with_name(f"{file.name}.minisig").unlink()
    return file


def altered(ours: Maintainers, folder: Path) -> Path:
    file = ours.release()
    data = bytearray(file.read_bytes())
    data[-9] ^= 1
    file.write_bytes(data)
    return file


def foreign(ours: Maintainers, folder: Path) -> Path:
    return Maintainers(folder / "strangers").release()


def renamed(ours: Maintainers, folder: Path) -> Path:
    """An old release under a new name and with its own signature."""
    file = ours.release("0.1.0")
    for end in ("", ".minisig"):
        shutil.move(f"{file}{end}", f"{file.with_name('dugout-9.9.9.tar.gz')}{end}")
    return file.with_name("dugout-9.9.9.tar.gz")


def swapped(ours: Maintainers, folder: Path) -> Path:
    """The signature of another release."""
    file, other = ours.release(), ours.release("9.9.8")
    shutil.copy(f"{other}.minisig", f"{file}.minisig")
    return file


def other_comment(ours: Maintainers, folder: Path) -> Path:
    """Something else that the maintainers signed."""
    return ours.release(comment="a list of games")


def untrue(ours: Maintainers, folder: Path) -> Path:
    return ours.release("9.9.9", files={"pyproject.toml": b'[project]\nversion = "0.1.0"\n'})


def outside(ours: Maintainers, folder: Path) -> Path:
    return ours.release(files={"../../../outside": b"x"})


def absolute(ours: Maintainers, folder: Path) -> Path:
    return ours.release(files={str(folder / "root/outside"): b"x"})


def linked(ours: Maintainers, folder: Path) -> Path:
    file = folder / "dugout-9.9.9.tar.gz"
    with tarfile.open(file, "w:gz") as packed:
        link = tarfile.TarInfo("dugout-9.9.9/scripts")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        packed.addfile(link)
    return ours.sign(file, "dugout 9.9.9")


def rubbish(ours: Maintainers, folder: Path) -> Path:
    file = folder / "rubbish.tar.gz"
    file.write_bytes(b"rubbish")
    return ours.sign(file, "dugout 9.9.9")


def pipe(ours: Maintainers, folder: Path) -> Path:
    os.mkfifo(folder / "pipe.tar.gz")
    return folder / "pipe.tar.gz"


def endless(ours: Maintainers, folder: Path) -> Path:
    """A signature that fills the disk."""
    file = ours.release()
    with open(f"{file}.minisig", "ab") as signature:
        signature.truncate(1 << 33)
    return file


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (unsigned, "No such file or directory. A release comes with its signature"),
        (altered, "is wrong: do not use this file"),
        (foreign, "is wrong: do not use this file"),
        (renamed, "is version 0.1.0, and 0.2.0 is installed"),
        (swapped, "is wrong: do not use this file"),
        (other_comment, "is signed, but not as a release of Dugout"),
        (untrue, "is not version 9.9.9, as its signature says"),
        (outside, "no release of Dugout"),
        (absolute, "no release of Dugout"),
        (linked, "no release of Dugout"),
        (rubbish, "cannot be unpacked"),
        (pipe, "it is not a regular file"),
        (endless, "is larger than 4 kB"),
    ],
)
def test_any_other_is_refused(
    root: Path,
    maintainers: Maintainers,
    tmp_path: Path,
    made: Callable[[Maintainers, Path], Path],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one line, and nothing of it stays (see `root`)."""
    assert 2 == main(["update", str(made(maintainers, tmp_path))])
    (said,) = capsys.readouterr().err.splitlines()
    assert reason in said
    assert said.endswith("Nothing was changed.")
    assert "" == ran(root)


def test_what_is_not_signed_is_never_opened(
    root: Path, maintainers: Maintainers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in unpacking would be one for everybody."""
    wrong = [made(maintainers, tmp_path) for made in (foreign, renamed)]
    monkeypatch.setattr(tarfile, "open", lambda *given, **more: pytest.fail("It was opened."))
    for file in wrong:
        with pytest.raises(SetupError):
            updater.update(Host(root), file)


def test_without_a_key_or_minisign_nothing_is_installed(
    root: Path, maintainers: Maintainers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails closed. A second key, such as the next one, is as good."""
    file, keys = maintainers.release(), root / "opt/dugout/current/device/install/keys"
    monkeypatch.setattr(Host, "has", lambda host, command: command != "minisign")
    with pytest.raises(SetupError, match="sudo apt install minisign"):
        updater.update(Host(root), file)
    monkeypatch.undo()
    monkeypatch.setenv("DUGOUT_ROOT", str(root))
    (keys / "release.pub").rename(keys / "release.pub.away")
    with pytest.raises(SetupError, match="has no key to check releases with"):
        updater.update(Host(root), file)
    (keys / "release.pub.away").rename(keys / "release.pub")
    Maintainers(root.parent / "others").public.rename(keys / "a.pub")
    try:
        assert 0 == updater.update(Host(root), file)
    finally:
        (keys / "a.pub").unlink()


def test_the_project_has_the_keys_that_it_says() -> None:
    """Anybody who adds one changes docs/install.md and the file beside it, which say that there is none."""
    keys = CHECKOUT / "device/install/keys"
    none = "There is none yet" in (keys / "README.md").read_text()
    assert none == (not list(keys.glob("*.pub")))


def test_a_release_of_the_project_updates_a_table(
    table: Card, maintainers: Maintainers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From `scripts/release` to a table that plays the new version; one that does not come up is taken back."""
    for name in ("scripts/release", "device/named_file.py"):
        shutil.copy(CHECKOUT / name, table.project / name)
    for part in PARTS:
        if (table.project / part).is_dir():
            (table.project / part / "any.txt").touch()  # git keeps no empty folders
    keys = table.project / "device/install/keys"
    assert not list(keys.glob("*.pub"))
    shutil.copy(maintainers.public, keys)
    shutil.copy(maintainers.public, table.root / "opt/dugout/current/device/install/keys")
    path = f"{table.folder / 'bin'}:{os.environ['PATH']}"

    def made(version: str, behaves: str) -> Path:
        table.newer(behaves)
        settings = table.project / "pyproject.toml"
        now = settings.read_text().split('version = "')[1].split('"')[0]
        settings.write_text(settings.read_text().replace(f'version = "{now}"', f'version = "{version}"', 1))
        git = ["git", "-C", str(table.project), "-c", "user.name=x", "-c", "user.email=x@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", version]):
            subprocess.run([*git, *words], check=True)
        command: list[str | Path] = [
            sys.executable,
            table.project / "scripts/release",
            "--key",
            maintainers.secret,
            "--out",
            tmp_path,
        ]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return tmp_path / f"dugout-{version}.tar.gz"

    good, bad = made("8.0.0", "well"), made("8.0.1", "fails")
    for name, value in {
        "PATH": path,
        "CARD": table.folder,
        "PYTHON": sys.executable,
        "DUGOUT_ROOT": table.root,
    }.items():
        monkeypatch.setenv(name, str(value))
    assert 0 == main(["update", str(good), "--yes"])
    assert table.plays.startswith("8.0.0-")
    assert 1 == main(["update", str(bad), "--yes"])
    assert table.plays.startswith("8.0.0-")
