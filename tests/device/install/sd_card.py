"""A fresh card for `scripts/install`: a folder that stands for a Pi's root, a small project, and the system's commands
as a script that notes each call, does what the installer can see of it, and fails or is cut off on request.

`python -m tests.device.install.sd_card` cuts an update off before every single change it makes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from device.install.versions import MARK, PARTS

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
name=${0##*/}
cd "$CARD"
printf '%s\\n' "$name $*" >>calls
while read -r line; do
    case "$name $*" in $line) echo "$line fails"; exit 1 ;; esac
done <fails
while read -r line; do
    case "$name $*" in $line) kill -TERM $PPID ;; esac
done <ends
for last; do :; done
case $name in
apt-get) case " $* " in *" install "*) shift 6; for one; do echo "$one" >>installed; done ;; esac ;;
apt-cache) grep -x "$last" archive ;;
dpkg-query) grep -qx "$last" installed && echo "install ok installed" ;;
getent) grep -qx "$2" "$1" ;;
groupadd) echo "$last" >>group ;;
useradd) echo "$last" >>passwd ;;
userdel) : >passwd ;;
usermod) echo "$3" | tr , ' ' >members ;;
id) cat members ;;
raspi-config) case $2 in
    do_i2c) echo dtparam=i2c_arm=on ;;
    do_spi) echo dtparam=spi=on ;;
    set_config_var) echo "$3=$4" ;;
    esac >>root/boot/firmware/config.txt ;;
nmcli) case $* in
    *"connection edit"*)
        while read -r what which value; do
            case "$what $which" in "set wifi-sec.psk") echo "$value" >psk ;; esac
        done ;;
    *"connection add"* | *"connection modify"*)
        while [ $# -gt 0 ]; do
            case $1 in ssid | *.ssid) echo "$2" >ssid ;; *.psk) echo "$2" >psk ;; esac
            shift
        done ;;
    *.ssid*show*) cat ssid 2>/dev/null ;;
    *.psk*show*) cat psk 2>/dev/null ;;
    *connection.id*show*) [ -e ssid ] || exit 1 ;;
    *delete*) rm -f ssid psk ;;
    esac ;;
runuser) shift 3; exec "$@" ;;
timeout) shift; exec "$@" ;;
dugout) echo "of $0" >"$2" ;;
python) case $* in
    *"-m pip"*) [ -e "$last/pyproject.toml" ] && ln -s "$CARD/bin/dugout" "${0%/*}/dugout" ;;
    esac; exit 0 ;;
python3) case $* in
    "-m venv"*) mkdir -p "$last/bin" && ln -s "$CARD/bin/python" "$last/bin/python" ;;
    "-c import venv"*) exit 1 ;;
    *) cd "$OLDPWD" && PYTHONPATH="$CARD/site" exec "$PYTHON" "$@" ;;
    esac ;;
systemctl)
    case $* in
    stop*)
        [ ! -e active ] || [ -e "root$(cat active)/.venv" ] || echo "it ran, and was gone" >>calls
        rm -f active ;;
    "start dugout.service")
        for unit in run usr/local/lib; do
            [ -e "root/$unit/systemd/system/dugout.service" ] && break
        done
        version=$(sed -n 's#^ExecStart=\\(.*\\)/.venv/bin/dugout.*#\\1#p' "root/$unit/systemd/system/dugout.service")
        [ -e "root$version/.venv/bin/dugout" ] || exit 1
        grep -qx fails "root$version/engine/behaves" && exit 1
        echo "$version" >active ;;
    show*)
        behaves=$(cat "root$(cat active)/engine/behaves")
        echo "ActiveState=active"
        case $behaves in dies) echo "MainPID=$$" ;; *) echo "MainPID=7" ;; esac
        case $behaves in safe) more="Safe mode: it failed." ;; esac
        echo "StatusText=Open: http://card.local/ $more" ;;
    is-active*) [ -e active ] ;;
    enable*) echo "$*" >enabled ;;
    disable*) rm -f enabled active ;;
    esac ;;
esac
"""

CUT = """\
import os, signal, sys
left = int(os.environ.get("CUT", "0"))
CHANGES = {"os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "subprocess.Popen"}
def hook(event, args):
    global left
    if event in CHANGES or event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
if left:
    sys.addaudithook(hook)
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
            "minisign",
            "polkitd",
        )
        (folder / "archive").write_text("".join(f"{one}\n" for one in packages))
        (card.root / "etc/os-release").write_text('PRETTY_NAME="Raspberry Pi OS"\nVERSION_CODENAME=bookworm\n')
        (card.root / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
        card.config.write_text("# a comment: dtparam=i2c_arm=on\n#dtparam=spi=on\ncamera_auto_detect=1\n[all]\n")
        (folder / "site/sitecustomize.py").write_text(CUT)
        script = folder / "bin/fake"
        script.write_text(FAKE)
        script.chmod(0o755)
        for name in (*COMMANDS, "python", "dugout"):
            (folder / "bin" / name).symlink_to("fake")
        for part in PARTS:
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
            timeout=100,
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
                env={"PATH": "/usr/bin:/bin", "CARD": str(self.folder)},
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
        return {one.name: (one / MARK).exists() for one in (self.root / "opt/dugout/versions").iterdir()}

    def files(self) -> dict[str, tuple[str | bytes, int]]:
        """All below the root, with when it was changed."""
        return {
            str(path.relative_to(self.root)): (
                str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else "",
                path.lstat().st_mtime_ns,
            )
            for path in sorted(self.root.rglob("*"))
        }


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
