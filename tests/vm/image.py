"""The machine's disk: Debian with its own kernel, the parts of a Pi as modules of that kernel, and nothing of ours yet.

Made once for each recipe, from the packages that this machine's own apt would fetch.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

SUITE = "bookworm"
PACKAGES = (
    "systemd systemd-sysv dbus udev kmod polkitd python3 python3-venv ca-certificates"
    " linux-image-amd64 linux-headers-amd64 initramfs-tools gcc make libc6-dev xz-utils"
)
SOURCES = "linux-source-6.1 v4l2loopback-dkms"
"""Packages of which only the sources are needed."""

SIZE = "4G"

COOK = r"""
set -eu
kernel=$(basename /lib/modules/*)
cd /usr/src
for package in *.deb; do dpkg -x "$package" /; done
mkdir -p bench
cd bench
tar -xJf ../linux-source-6.1.tar.xz --strip-components=3 linux-source-6.1/drivers/gpio/gpio-sim.c \
    linux-source-6.1/drivers/gpio/gpiolib.h linux-source-6.1/kernel/irq/irq_sim.c
cp ../v4l2loopback-*/v4l2loopback* .
# The kernel keeps irq_to_desc() to itself; this is the same for who is no part of it.
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' irq_sim.c
make -C "/lib/modules/$kernel/build" M=/usr/src/bench modules
cp ./*.ko /usr/lib/bench/
cd /usr/lib/bench
cp agent.service /etc/systemd/system/
rm -rf /usr/src/*
echo table >/etc/hostname
echo '/dev/vda / ext4 errors=remount-ro 0 1' >/etc/fstab
printf '[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' >/etc/systemd/network/table.network
systemctl enable systemd-networkd agent
systemctl mask systemd-timesyncd getty@tty1 serial-getty@ttyS0 apt-daily.timer apt-daily-upgrade.timer fstrim.timer
systemctl mask e2scrub_reap e2scrub_all.timer dpkg-db-backup.timer systemd-networkd-wait-online systemd-binfmt
echo MODULES=list >/etc/initramfs-tools/conf.d/table
printf 'virtio_pci\nvirtio_blk\next4\n' >>/etc/initramfs-tools/modules
update-initramfs -u
"""


@dataclass(frozen=True, slots=True)
class Image:
    """What a machine starts from: its kernel, that one's first files, and its disk. All are copied, never changed."""

    kernel: Path
    first: Path
    disk: Path


def run(*words: str | Path, log: Path) -> None:
    """A command that takes its time; what it says goes to the log. Raises CalledProcessError."""
    with log.open("a") as out:
        subprocess.run(["nice", "-n", "5", *words], check=True, stdin=subprocess.DEVNULL, stdout=out, stderr=out)


def image(cache: Path, say: Callable[[str], None]) -> Image:
    """The machine's disk, from the cache or made in some minutes. Raises CalledProcessError; the log says why."""
    parts = sorted([*(HERE / "modules").iterdir(), *(HERE / "guest").glob("agent.*")])
    recipe = b"".join(path.read_bytes() for path in (Path(__file__), *parts))
    kept = cache / f"image-{hashlib.sha256(recipe).hexdigest()[:12]}"
    found = Image(kept / "vmlinuz", kept / "initrd", kept / "disk")
    if kept.exists():
        say(f"the disk was made before: {kept.name}")
        return found
    for old in cache.glob("image-*"):
        shutil.rmtree(old)
    making, root, log = cache / "making", cache / "making" / "root", cache / "image.log"
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    log.unlink(missing_ok=True)
    bootstrap(root, log)
    say(f"Debian is there: {SUITE}, {(root / 'etc/debian_version').read_text().strip()}")
    for part in parts:
        place = root / ("usr/lib/bench" if part.parent.name == "guest" else "usr/src/bench")
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(part, place)
    run("chroot", root, "sh", "-c", COOK, log=log)
    # Where Debian has no python3-lgpio as Raspberry Pi OS has it, the same library is unpacked in its place.
    (lgpio,) = wheels(cache, log).glob("lgpio-*.whl")
    run(sys.executable, "-m", "zipfile", "-e", lgpio, root / "usr/lib/python3/dist-packages", log=log)
    (kernel,) = (root / "boot").glob("vmlinuz-*")
    (first,) = (root / "boot").glob("initrd.img-*")
    shutil.copy(kernel, making / "vmlinuz")
    shutil.copy(first, making / "initrd")
    run("mke2fs", "-q", "-t", "ext4", "-d", root, making / "disk", SIZE, log=log)
    shutil.rmtree(root)
    making.rename(kept)
    say(f"its disk is made: kernel {kernel.name.partition('-')[2]}, with gpio-sim, a recording bus and v4l2loopback")
    return found


def bootstrap(root: Path, log: Path) -> None:
    """A small Debian from this machine's own sources."""
    there = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("debian*"))]
    lists = [path for path in there if path.exists() and path.read_text().strip()]
    fetch = f'chroot "$1" sh -c "cd /usr/src && apt-get -qq download {SOURCES}"'
    wanted = (f"--include={PACKAGES.replace(' ', ',')}", '--aptopt=Apt::Install-Recommends "false"')
    run("mmdebstrap", "--variant=minbase", *wanted, f"--customize-hook={fetch}", SUITE, root, *lists, log=log)


def wheels(cache: Path, log: Path) -> Path:
    """A folder with what the lock names and lgpio, for the machine's Python; pip's own settings say from where."""
    lock = ROOT / "requirements.lock"
    folder = cache / f"wheels-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    if not folder.exists():
        making = cache / "fetching"
        shutil.rmtree(making, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "--no-deps", "-d", str(making)]
        pip += ["--python-version=3.11", *(f"--platform=manylinux_2_{glibc}_x86_64" for glibc in (17, 28, 34))]
        run(*pip, "--require-hashes", "-r", lock, log=log)
        run(*pip, "lgpio>=0.2.2", "setuptools>=80", log=log)
        making.rename(folder)
    return folder
