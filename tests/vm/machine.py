"""The machine: started, asked, and cut from its power."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.device.process import free_port
from tests.vm.image import Image

STARTS = 900.0
"""Seconds the machine may take to its first answer: where a processor is only imitated it takes long."""


PROCESSORS = {
    "kvm": ("-accel", "kvm", "-cpu", "host", "-smp", "2"),
    # The oldest that the Python packages run on: what it has not need not be imitated. Its clock goes by what it does,
    # an instruction a nanosecond, so that it is never too slow for a watchdog, however much else goes on around it.
    "tcg": ("-accel", "tcg,tb-size=512", "-cpu", "Nehalem", "-icount", "shift=0", "-smp", "1"),
}


def accelerator() -> str:
    """The processor's own way to run a machine within it, where it has one; else it is imitated."""
    able = {"vmx", "svm"} & set(Path("/proc/cpuinfo").read_text().split())
    return "kvm" if able and os.access("/dev/kvm", os.R_OK | os.W_OK) else "tcg"


class MachineError(Exception):
    """The machine does not do what it was told; the message says what it did."""


class Machine:
    """A PC with 1.5 GiB and its disk; its port 80 is `port` here.

    Its disk has a memory of its own, as disks have: what was written and not synced is gone when the power is.
    """

    def __init__(self, image: Image, disk: Path, folder: Path) -> None:
        self.port, self._folder = free_port(), folder
        self.accelerator = accelerator()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._waiting = b""
        self._console = (folder / "console.log").open("ab")
        store, agent = folder / "disk.sock", folder / "agent.sock"
        for path in (store, agent):
            path.unlink(missing_ok=True)
        self._begin("nbdkit", "--foreground", f"--unix={store}", "--filter=cache", "file", str(disk), "cache=writeback")
        self._wait_for(store)
        self._begin(
            "qemu-system-x86_64",
            *PROCESSORS[self.accelerator],
            *("-m", "1536", "-display", "none", "-serial", "stdio", "-monitor", "none", "-no-reboot"),
            *("-kernel", str(image.kernel), "-initrd", str(image.first)),
            *("-append", "root=/dev/vda ro console=ttyS0 quiet edd=off audit=0 mitigations=off systemd.show_status=0"),
            *("-blockdev", f"driver=nbd,node-name=disk,server.type=unix,server.path={store}"),
            *("-device", "virtio-blk-pci,drive=disk"),
            *("-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:80"),
            *("-device", "virtio-net-pci,netdev=net", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=agent,path={agent},server=on,wait=off"),
            *("-device", "virtserialport,chardev=agent,name=bench"),
        )
        self._wait_for(agent)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(agent))

    def _begin(self, *words: str) -> None:
        command = ["nice", "-n", "5", *words]
        self._processes.append(
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._console, stderr=self._console)
        )

    def _wait_for(self, path: Path) -> None:
        late = time.monotonic() + 30
        while not path.exists():
            if time.monotonic() > late or self._processes[-1].poll() is not None:
                raise MachineError(f"There is no {path.name}: {self._folder / 'console.log'} says why.")
            time.sleep(0.05)

    def ask(self, run: str, limit: float = 60.0, grace: float = 30.0) -> tuple[int, str]:
        """Run a shell command in the machine, as root; its status and what it said. Raises MachineError when nothing
        comes back within `limit` and `grace` seconds."""
        self._line.settimeout(limit + grace)
        try:
            self._line.sendall(json.dumps({"run": run, "limit": limit}).encode() + b"\n")
            while b"\n" not in self._waiting:
                more = self._line.recv(1 << 16)
                if not more:
                    raise MachineError("the machine went off")
                self._waiting += more
        except TimeoutError as error:
            raise MachineError(f"the machine does not answer: {run}") from error
        line, _, self._waiting = self._waiting.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer["status"], str(answer["said"]).strip()

    def do(self, run: str, limit: float = 60.0) -> str:
        """Run a shell command in the machine that must succeed; what it said."""
        status, said = self.ask(run, limit)
        if status:
            raise MachineError(f"{run!r} ended with {status}: {said[-2000:]}")
        return said

    def started(self) -> None:
        self.ask("true", grace=STARTS)

    def cut(self) -> None:
        """Pull the plug: the processor stops where it is, and the disk forgets what was not synced."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._processes.clear()
        self._line.close()
        self._console.close()

    def __enter__(self) -> Machine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._processes:
            self.cut()
