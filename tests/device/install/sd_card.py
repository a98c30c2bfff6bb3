"""A fresh card for `scripts/install`: a folder that stands for a Pi's root, a small project, and the system's commands
as `fake_system` does them: it notes each call, does what the installer can see of it, and fails or ends on request.

`python -m tests.device.install.sd_card` cuts an update off before every single change it makes.
"""

from __future__ import annotations

import compileall
import os
import pty
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.install.hotspot import GUARD_SCRIPT_PATHS
from device.install.versions import COMPLETE_MARK_FILE, PROJECT_FILES

CHECKOUT = Path(__file__).parents[3]

COMMANDS = (
    *(
        "apt-cache",
        "apt-get",
        "dpkg-query",
        "getent",
        "groupadd",
        "id",
        "nft",
        "nmcli",
        "python3",
        "raspi-config",
        "runuser",
    ),
    *("sleep", "sync", "systemctl", "timeout", "udevadm", "useradd", "userdel", "usermod"),
)

FAKE = """\
#!/bin/sh
case "${0##*/} $*" in
"python3 -m venv"* | "python3 -c import venv"*) ;;
"python3 -c"*) exec "$PYTHON" -IS "$@" ;;
python3*) PYTHONPATH="$CARD/site" exec "$PYTHON" "$@" ;;
esac
exec "$PYTHON" "$CARD/site/fake_system.py" "$0" "$@"
"""


class Card:
    """A card and the project that is unpacked on it. `fails` and `ends` are patterns of commands: those that fail, and
    those during which the installer gets a signal to end."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root, self.project = folder, folder / "root", folder / "project"

    @classmethod
    def fresh(cls, folder: Path) -> Card:
        """Return a card without Dugout: a Pi with raspi-config, and without the groups."""
        card = cls(folder)
        for name in (
            "bin",
            "site",
            "root/etc",
            "root/run/systemd/system",
            "root/boot/firmware",
            "root/proc/device-tree",
        ):
            (folder / name).mkdir(parents=True)
        for name in ("calls", "fails", "ends", "installed", "group", "passwd", "members"):
            (folder / name).touch()
        packages = (
            "python3-venv",
            "python3-lgpio",
            "python3-picamera2",
            "avahi-daemon",
            "espeak-ng",
            "polkitd",
        )
        (folder / "archive").write_text("".join(f"{one}\n" for one in packages))
        (card.root / "etc/os-release").write_text('PRETTY_NAME="Raspberry Pi OS"\nVERSION_CODENAME=bookworm\n')
        (card.root / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
        card.config.write_text("# a comment: dtparam=i2c_arm=on\n#dtparam=spi=on\ncamera_auto_detect=1\n[all]\n")
        (folder / "site/sitecustomize.py").write_text("import fake_system\nfake_system.load()\n")
        shutil.copy(Path(__file__).with_name("fake_system.py"), folder / "site")
        script = folder / "bin/fake"
        script.write_text(FAKE)
        script.chmod(0o755)
        for name in (*COMMANDS, "python", "dugout"):
            (folder / "bin" / name).symlink_to("fake")
        for part in PROJECT_FILES:
            (card.project / part).parent.mkdir(parents=True, exist_ok=True)
            if (CHECKOUT / part).is_dir():
                (card.project / part).mkdir()
            else:
                shutil.copy(CHECKOUT / part, card.project / part)
        for name in ("device/__init__.py", "device/storage/atomic_file.py", "scripts/install", "scripts/uninstall"):
            (card.project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, card.project / name)
        shutil.copytree(
            CHECKOUT / "device/install", card.project / "device/install", ignore=shutil.ignore_patterns("__*__")
        )
        (card.project / "device/install/__init__.py").touch()
        for source in (folder / "site", card.project / "device"):
            compileall.compile_dir(source, quiet=1)  # once, not in each process
        shutil.copytree(CHECKOUT / "systemd", card.project / "systemd", dirs_exist_ok=True)
        card.newer("well")
        return card

    @property
    def config(self) -> Path:
        return self.root / "boot/firmware/config.txt"

    def newer(self, behaves: str) -> None:
        """Unpack another version: it runs `well`, `fails`, `dies` after a while, or opens in `safe` mode only."""
        readme = self.project / "README.md"
        readme.write_text(readme.read_text() + "Newer.\n")
        (self.project / "engine/behaves").write_text(f"{behaves}\n")

    def copy(self, folder: Path) -> Card:
        shutil.copytree(self.folder, folder, symlinks=True)
        for link in folder.rglob("*"):
            if link.is_symlink() and str(link.readlink()).startswith(str(self.folder)):
                target = str(link.readlink()).replace(str(self.folder), str(folder))
                link.unlink()
                link.symlink_to(target)
        return Card(folder)

    def run(
        self, *options: str, script: str = "install", cut: int = 0, stdin: int = subprocess.DEVNULL
    ) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts, cut off before its change number `cut`, from 1, if it makes that many."""
        return subprocess.run(
            [str(self.project / "scripts" / script), *options],
            env={
                "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
                "CARD": str(self.folder),
                "PYTHON": sys.executable,
                "DUGOUT_ROOT": str(self.root),
                "CUT": str(cut),
            },
            stdin=stdin,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    def calls(self) -> list[str]:
        """The commands that were called since this was last asked."""
        lines = (self.folder / "calls").read_text().splitlines()
        (self.folder / "calls").write_text("")
        return lines

    def tell(self, file: str, *patterns: str) -> None:
        """Have these commands fail (`fails`), or end the installer (`ends`)."""
        (self.folder / file).write_text("".join(f"{pattern}\n" for pattern in patterns))

    def power(self) -> None:
        """Cut the power and restore it: what was in memory is lost, and the table starts if it is enabled."""
        shutil.rmtree(self.root / "run")
        (self.root / "run/systemd/system").mkdir(parents=True)
        (self.folder / "active").unlink(missing_ok=True)
        if (self.folder / "enabled").exists():
            subprocess.run(
                [self.folder / "bin/systemctl", "start", "dugout.service"],
                env={"PATH": "/usr/bin:/bin", "CARD": str(self.folder), "PYTHON": sys.executable},
                check=False,
            )

    @property
    def plays(self) -> str:
        """The version that plays now; empty where none does."""
        file = self.folder / "active"
        return Path(file.read_text().strip()).name if file.exists() else ""

    @property
    def versions(self) -> dict[str, bool]:
        """The versions there are, and whether each is whole."""
        return {one.name: (one / COMPLETE_MARK_FILE).exists() for one in (self.root / "opt/dugout/versions").iterdir()}

    def files(self) -> dict[str, tuple[str | bytes, int]]:
        """All below the root, with when it was changed."""
        return {
            str(path.relative_to(self.root)): (
                str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else "",
                path.lstat().st_mtime_ns,
            )
            for path in sorted(self.root.rglob("*"))
        }


@contextmanager
def typing(keys: bytes) -> Iterator[int]:
    """A terminal at which somebody types."""
    ours, its = pty.openpty()
    try:
        os.write(ours, keys)
        yield its
    finally:
        os.close(ours)
        os.close(its)


def hotspot(card: Card) -> tuple[str, str]:
    """The name and password that NetworkManager keeps."""
    name, word = ((card.folder / file).read_text().strip() for file in ("ssid", "psk"))
    return name, word


def guards(card: Card) -> list[str]:
    """The scripts that close the hotspot to the rest."""
    return [(card.root / name[1:]).read_text() for name in GUARD_SCRIPT_PATHS if (card.root / name[1:]).exists()]


def cut_off(ready: Card, folder: Path, number: int) -> bool:
    """Cut the update that `ready` is about to make before its change `number`: the table starts all the same, and the
    next run ends it well. Whether there was such a change."""
    card, old = ready.copy(folder), ready.plays
    done = card.run("--yes", cut=number)
    card.power()
    names = card.versions
    assert card.plays, (number, done)
    assert names[card.plays], (number, done)
    assert (card.root / "opt/dugout/current").exists(), number
    assert card.plays == old or done.returncode == 0 or "show" in "".join(card.calls()), number
    again = card.run("--yes")
    assert again.returncode == 0, (number, again)
    assert card.plays != old, number
    assert {old: True, card.plays: True} == card.versions, number
    assert not list((card.root / "run/systemd/system").iterdir()), number
    return done.returncode != 0


def installed(folder: Path) -> Card:
    """A card with a table that plays, a game in its journal, and a newer version unpacked."""
    card = Card.fresh(folder)
    done = card.run("--yes")
    assert done.returncode == 0, done
    (card.root / "var/lib/dugout").mkdir(parents=True)
    (card.root / "var/lib/dugout/journal.db").touch()
    card.calls()
    card.newer("well")
    return card


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as room:
        ready = installed(Path(room) / "ready")
        number = 1
        while cut_off(ready, Path(room) / str(number), number):
            shutil.rmtree(Path(room) / str(number))
            number += 1
        print(f"Cut off before each of {number - 1} changes: the table started each time.")
