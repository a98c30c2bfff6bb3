"""A box: a container with Debian and the real systemd as its first process, in which the table is a service.

mmdebstrap builds the root once, in the cache folder. A run writes only to memory, and its processes, mounts and control
groups disappear when the box is closed or the process that opened it dies. The units in systemd/ are used unchanged; a
drop-in adds mock pins and a recorded I²C bus (`inside/`), a drawn camera (`tests/pi`), and this checkout.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import httpx

HOME = Path(__file__).parents[3]
UNITS = HOME / "systemd"
INSIDE = Path(__file__).parent / "inside"

AGES = 240.0
"""Seconds after which a test gives up."""

PACKAGES = "systemd-sysv,dbus,polkitd,python3,python3-venv,libstdc++6,espeak-ng"
"""Packages beyond a minimal Debian. Python is the checkout's own; it only needs these libraries."""

BARE = ("man", "doc", "locale")
"""Folders of /usr/share that no service needs."""

TOOLS = {
    "systemd-nspawn": "systemd-container",
    "mmdebstrap": "mmdebstrap",
    "systemctl": "systemd",
    "systemd-sysusers": "systemd",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
}
"""The programs that a box needs, with their packages."""

PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
CLONE_NEWNET = 0x40000000

USERS = ("g gpio - -", "g i2c - -", "g spi - -", "u dugout - -", "m dugout gpio", "m dugout i2c", "m dugout spi")

DROP_IN = f"""\
[Service]
Environment=GPIOZERO_PIN_FACTORY=mock
Environment=PYTHONPATH=/opt/inside:/opt/checkout/tests/pi
Environment=PYTHONDONTWRITEBYTECODE=1
Environment=LD_LIBRARY_PATH=/opt/python/lib
ExecStartPre=/opt/python/bin/{PYTHON} -S /opt/inside/probe.py
"""

SETTINGS = """\
poweroff = true
[camera]
source = "picamera2"
[announcer]
level = "full"
device = "null"
[web]
port = 8000
"""

LINE = """\
# The box in a control group of its own. It ends when our input is closed; then the group goes.
name=$1
shift
groups=
for at in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
    if [ -e $at/cgroup.procs ] && mkdir $at/$name; then groups="$groups $at/$name"; fi
done
exec 3<&0 </dev/null
(
    pid=$(sh -c 'echo $PPID')
    for group in $groups; do echo $pid >$group/cgroup.procs; done
    exec setpriv --pdeathsig KILL "$@" 3<&-
) &
box=$!
# A second word has it end at once, not wait until its services did.
{ read -r _ <&3; kill $box; sleep 0.2; kill $box; } 2>/dev/null &
watch=$!
wait $box
status=$?
kill $watch 2>/dev/null
for group in $groups; do find $group -depth -type d -exec rmdir {} +; done
exit $status
"""


class NoBox(Exception):
    """No box can run here; the text says why, and what to do."""


def root() -> Path:
    """Return a Debian root of this machine's release; the first call builds it in about a minute.

    Raises NoBox.
    """
    if os.geteuid() != 0:
        raise NoBox("A container is booted by root only.")
    if missing := sorted({package for tool, package in TOOLS.items() if shutil.which(tool) is None}):
        raise NoBox(f"There is no container without these Debian packages: {', '.join(missing)}.")
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    suite = release.get("VERSION_CODENAME", "")
    if release["ID"] != "debian":
        raise NoBox("The container's Debian is fetched as this machine's own is, which is none.")
    recipe = ["mmdebstrap", "--quiet", "--mode=root", "--variant=essential", f"--include={PACKAGES}"]
    recipe += [f"--dpkgopt=path-exclude=/usr/share/{bare}/*" for bare in BARE]
    recipe += ['--aptopt=Acquire::Languages "none"', suite]
    digest = hashlib.sha256("\0".join(recipe).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "dugout"
    cache.mkdir(parents=True, exist_ok=True)
    made = cache / f"box-{digest}"
    with (cache / "box.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            half = cache / f"box-{digest}.half"
            shutil.rmtree(half, ignore_errors=True)
            sources = [str(file) for file in [Path("/etc/apt/sources.list.d/debian.sources")] if file.exists()]
            # SIGTERM first, so that mmdebstrap removes its mounts.
            build = ["timeout", "--kill-after=20", "300", *recipe, str(half), *sources]
            done = subprocess.run(build, capture_output=True, text=True)
            if done.returncode:
                shutil.rmtree(half, ignore_errors=True)
                raise NoBox(f"The container's Debian cannot be fetched in five minutes: {done.stderr.strip()[-200:]}")
            half.rename(made)
    return made


class Box:
    """A machine in a container. `folder` keeps what survives a reboot: settings, journal, display messages.

    A `bare` one has no table yet; `binds` are additional folders by their path in the box. Raises NoBox.
    """

    def __init__(self, folder: Path, bare: bool = False, binds: Mapping[str, Path] | None = None) -> None:
        self._root, self._folder = root(), folder
        self.data, self.etc = folder / "data", folder / "etc"
        self.name = f"dugout-{os.getpid()}-{time.monotonic_ns()}"
        self._line: subprocess.Popen[bytes] | None = None
        self._leader = 0
        self.data.mkdir()
        subprocess.run(["cp", "-a", self._root / "etc", self.etc], check=True)
        self.write("hostname", "dugout\n")
        self._binds = {"/opt/checkout": HOME, **(binds or {})}
        self.settings = self.etc / "dugout.toml"
        if not bare:
            self._install()

    def _install(self) -> None:
        """Install units, rules, users and settings, and the program's home."""
        service = (UNITS / "dugout.service").read_text()
        (self.etc / "modules-load.d").mkdir(exist_ok=True)
        for name, text in {
            "systemd/system/dugout.service": service,
            "systemd/system/dugout.socket": (UNITS / "dugout.socket").read_text(),
            "systemd/system/dugout.service.d/box.conf": DROP_IN,
            "modules-load.d/dugout.conf": (UNITS / "dugout.modules").read_text(),
            "polkit-1/rules.d/50-dugout.rules": (UNITS / "dugout.rules").read_text(),
        }.items():
            self.write(name, text)
        self.settings.write_text(SETTINGS)
        # World-writable, so that a refused write proves the service's sandbox.
        (self.etc / "open").mkdir()
        (self.etc / "open").chmod(0o777)
        (self._folder / "home").mkdir()
        (self._folder / "home" / "secret").touch()
        systemctl = ["systemctl", f"--root={self._folder}", "--quiet", "enable", "dugout.socket", "dugout.service"]
        subprocess.run(systemctl, check=True)
        inline = ["systemd-sysusers", f"--root={self._folder}", "--inline", *USERS]
        subprocess.run(inline, check=True, capture_output=True)
        (start,) = (line for line in service.splitlines() if line.startswith("ExecStart="))
        program = Path(start.removeprefix("ExecStart=").split()[0])
        # A virtual environment with the checkout's packages where the service looks for its program, because the
        # service cannot see /root, where the checkout may be.
        inside, venv = program.parents[1], self._folder / "venv"
        packages = venv / "lib" / PYTHON / "site-packages"
        packages.mkdir(parents=True)
        (packages / "box.pth").write_text("/opt/checkout\n/opt/packages\n")
        (venv / "pyvenv.cfg").write_text("home = /opt/python/bin\ninclude-system-site-packages = false\n")
        (venv / "bin").mkdir()
        (venv / "bin" / "python").symlink_to(f"/opt/python/bin/{PYTHON}")
        dugout = venv / "bin" / program.name
        dugout.write_text(f"#!{inside}/bin/python\nfrom device.cli import main\nraise SystemExit(main())\n")
        dugout.chmod(0o755)
        self._binds |= {str(inside): venv, "/home/pi": self._folder / "home", "/opt/inside": INSIDE}
        self._binds |= {"/opt/python": Path(sys.base_prefix), "/opt/packages": Path(httpx.__file__).parents[1]}

    def write(self, name: str, text: str) -> None:
        file = self.etc / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def boot(self) -> None:
        """Boot it, and return when systemd runs. Raises NoBox if it cannot boot."""
        log = self._folder / "console"
        nspawn = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--link-journal=no"]
        nspawn += ["--resolv-conf=off", "--timezone=off", f"--machine={self.name}", "--console=pipe"]
        nspawn += [f"--directory={self._root}", "--volatile=overlay"]
        nspawn += [f"--bind={self.etc}:/etc", f"--bind={self.data}:/var/lib/dugout"]
        nspawn += [f"--bind-ro={folder}:{at}" for at, folder in self._binds.items()]
        with log.open("wb") as out:
            self._line = subprocess.Popen(
                ["sh", "-c", LINE, "box", self.name, *nspawn, "--boot"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "TMPDIR": str(self._folder)},
            )
        late = time.monotonic() + AGES
        while not self._up():
            if self._line.poll() is not None or time.monotonic() > late:
                self.close()
                raise NoBox(f"systemd-nspawn cannot boot here: {log.read_text()[-300:]}")
            time.sleep(0.05)

    @property
    def on(self) -> bool:
        """Return whether it was booted and has not shut itself down."""
        return self._line is not None and self._line.poll() is None

    def _up(self) -> bool:
        """Return whether its systemd answers."""
        assert self._line is not None
        for shell in children(self._line.pid):
            if "systemd-nspawn" in name(shell):
                for first in children(shell):
                    self._leader = first
                    return name(first) == "systemd" and self.run("systemctl", "show-environment", check=False) != ""
        return False

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command as root in the box and return its output."""
        enter = ["nsenter", f"--target={self._leader}", "--all", "--wd=/", "--", "env", "-i"]
        done = subprocess.run(
            [*enter, "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *command], capture_output=True, text=True, timeout=AGES
        )
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def shows(self, what: str) -> str:
        """Return a property of the service, from systemd."""
        return self.run("systemctl", "show", "--value", f"--property={what}", "dugout.service")

    def signal(self, which: str) -> None:
        self.run("systemctl", "kill", "--kill-whom=main", f"--signal={which}", "dugout.service")

    def log(self) -> str:
        return self.run("journalctl", "--unit=dugout.service", "--no-pager", "--output=cat", check=False)

    def until(self, so: Callable[[], bool], what: str) -> None:
        late = time.monotonic() + AGES
        while not so():
            assert time.monotonic() < late, f"never {what}: {self.log()[-3000:]}"
            time.sleep(0.05)

    def ready(self) -> None:
        self.until(lambda: self.shows("ActiveState") == "active", "ready")

    def ended(self) -> int:
        """Wait until the box has shut down by itself; return its exit status."""
        assert self._line is not None
        return self._line.wait(AGES)

    @contextmanager
    def network(self) -> Iterator[None]:
        """Create this thread's sockets inside the box."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as here, open(f"/proc/{self._leader}/ns/net") as there:
            assert libc.setns(there.fileno(), CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
            try:
                yield
            finally:
                assert libc.setns(here.fileno(), CLONE_NEWNET) == 0

    def phone(self) -> httpx.Client:
        """Return a phone in its network, connected to port 80."""
        return httpx.Client(base_url="http://127.0.0.1", transport=Inside(self), timeout=AGES)

    def close(self) -> None:
        if self._line is not None:
            assert self._line.stdin is not None
            self._line.stdin.close()
            self._line.wait(AGES)
            self._line = None

    def __enter__(self) -> Box:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Inside(httpx.HTTPTransport):
    def __init__(self, box: Box) -> None:
        super().__init__()
        self._box = box

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._box.network():
            return super().handle_request(request)


def children(process: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def name(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


if __name__ == "__main__":
    try:
        root()
    except NoBox as error:
        sys.exit(str(error))
