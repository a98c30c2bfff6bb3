"""The table in the machine, from outside: its pages, its buttons, its dice, and what its glass shows."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

import httpx
from PIL import Image

from device.settings import DEFAULT_PINS
from tests.device.display.panel_model import Glass
from tests.vm.machine import Machine, MachineError

T = TypeVar("T")

SEEN = 300.0
"""Seconds after which dice are thrown again."""

PATIENCE = 1800.0
"""Seconds after which a step fails."""

CODE = """\
/opt/dugout/current/.venv/bin/python -c "
import sqlite3
db = sqlite3.connect('file:/var/lib/dugout/journal.db?mode=ro', uri=True)
print(db.execute('select value from meta where key = ?', ('code',)).fetchone()[0])"
"""

BUS = "/sys/module/bench/parameters"


class Bench:
    """Hands, eyes and phone of a person at the table."""

    def __init__(self, machine: Machine, random: Random) -> None:
        self.machine, self.random = machine, random
        self.glass = Glass()
        self.doubts = 0
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{machine.port}", timeout=60, follow_redirects=True)
        self._heard = b""

    def wait(self, seen: Callable[[], T | None], limit: float) -> T | None:
        """Look until there is something that is neither None nor False, for at most `limit` seconds."""
        late = time.monotonic() + limit
        while (now := time.monotonic()) < late:
            with suppress(httpx.TransportError):
                if (found := seen()) is not None and found is not False:
                    return found
            # Where the processor is imitated a look costs the table as much as its game does.
            time.sleep(max(0.3, 4 * (time.monotonic() - now)))
        return None

    def until(self, what: str, seen: Callable[[], T | None]) -> T:
        """The same, but it must come. Raises MachineError, with `what` was waited for and what the service manager
        has to say."""
        if (found := self.wait(seen, PATIENCE)) is None:
            _, said = self.machine.ask("systemctl status dugout camera plug --no-pager -n 30")
            raise MachineError(f"waited in vain for {what}\n{said}")
        return found

    # Its phone -------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        self._client.post("/table", data={"code": self.machine.do(CODE)}).raise_for_status()

    def get(self, path: str) -> Any:
        return self._client.get(path).raise_for_status().json()

    def text(self, path: str) -> str:
        return self._client.get(path).raise_for_status().text

    def post(self, path: str, **body: Any) -> None:
        """Tell the table something. Raises httpx.HTTPError where it does not say yes."""
        self._client.post(path, json=body).raise_for_status()

    @property
    def table(self) -> dict[str, Any]:
        """What spectators see of the game."""
        found: dict[str, Any] = self.get("/api/view")["table"]
        return found

    def fault(self, part: str) -> str | None:
        """What is wrong with a part, or None."""
        return next((one["words"] for one in self.get("/api/health") if one["part"] == part and not one["ok"]), None)

    # The table as the service manager sees it ------------------------------------------------------------------------

    def shown(self, name: str) -> str:
        """A property of the service."""
        return self.machine.do(f"systemctl show --value -p {name} dugout")

    def ready(self) -> None:
        self.until("READY", lambda: (self.shown("ActiveState"), self.shown("SubState")) == ("active", "running"))
        self.until("the pages", lambda: self.get("/api/view"))

    def again(self, before: int) -> None:
        """Wait until it was started more often than `before`, and is open."""
        self.until("another start", lambda: int(self.shown("NRestarts")) > before)
        self.ready()

    # Its glass -------------------------------------------------------------------------------------------------------

    def look(self) -> Image.Image:
        """What the glass shows, from the bytes that went over the bus."""
        self._heard += base64.b64decode(self.machine.do("base64 -w0 /dev/bench"))
        while len(self._heard) >= 2 and len(self._heard) >= (end := 2 + int.from_bytes(self._heard[:2], "little")):
            self.glass.message(self._heard[2:end])
            self._heard = self._heard[end:]
        return self.glass.picture()

    def same(self) -> bool:
        """Whether the glass shows just what the table says that it does, and that is something."""
        png = self._client.get("/display.png").raise_for_status().content
        twin = Image.open(io.BytesIO(png)).convert("1", dither=Image.Dither.NONE)
        return twin.getbbox() is not None and self.look().tobytes() == twin.tobytes()

    def drawn(self) -> None:
        """Wait until the glass shows what it should."""
        self.until("the picture on the glass", self.same)

    def bus(self, name: str, value: int) -> None:
        """Have the bus die after this many messages (`left`, -1: live), or hang (`stalled`)."""
        self.machine.do(f"echo {value} >{BUS}/{name}")

    # Its buttons and dice --------------------------------------------------------------------------------------------

    def press(self, *names: str) -> None:
        """Push buttons, one after the other."""
        for name in names:
            pull = f"/run/bench/chip/sim_gpio{DEFAULT_PINS[name]}/pull"
            self.machine.do(f"echo pull-down >{pull}; sleep 0.4; echo pull-up >{pull}; sleep 0.2")

    def turn(self, seat: str, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Turn with "next" until what is pointed at is wanted, and take it."""

        def dial() -> dict[str, Any] | None:
            shown: dict[str, Any] | None = self.get("/api/view")["dial"]
            return shown

        for _ in range(20):
            if (shown := dial()) is not None and wanted(shown):
                self.press(f"{seat}-ok")
                return
            self.press(f"{seat}-next")
        raise MachineError(f"the buttons never came to it; they point at {dial()}")

    def answer(self, camera: bool = True) -> str:
        """Answer what is asked: decisions by the buttons, and dice by a throw before the camera, or else by the buttons
        too. Returns what was answered."""
        table = self.table
        (ask, *_), before = table["asks"], table["version"]
        if ask["kind"] != "roll":
            option = self.random.choice([*ask["options"][:1] * 2, *ask["options"]])
            self.turn(ask["seat"], lambda dial: dial["label"] == option["label"])
            self.until("the decision to count", lambda: self.table["version"] > before)
            return str(option["label"])
        values = [self.random.choice(die["faces"]) for die in ask["dice"]]
        if camera:
            self.throw(ask["dice"], values, before)
        else:
            for value in values:
                self.turn(ask["seat"], lambda dial, value=value: dial["label"].endswith(f": {value}"))  # type: ignore[misc]
        self.until("the roll to count", lambda: self.table["version"] > before)
        counted = self.get("/api/rolls?limit=1")[0]["value"]
        if [counted] != values and counted != values:
            raise MachineError(f"{values} was thrown, and {counted} counted")
        return f"rolled {', '.join(map(str, values))}"

    def throw(self, dice: list[dict[str, Any]], values: list[int], before: int) -> None:
        """Throw until the camera is sure: what it doubts is taken back with the undo button, and thrown again as what
        it did not see."""
        lines = "".join(f"{value} {die['colour'] or 'white'}\\n" for value, die in zip(values, dice, strict=True))
        for _ in range(4):
            self.machine.do(f"printf '{lines}' >/run/bench/new && mv /run/bench/new /run/bench/throw")
            seen = self.wait(lambda: self._seen(before), SEEN)
            if seen == "sure":
                return
            self.doubts += 1
            if seen is not None:
                self.press("undo")
        raise MachineError("the camera was never sure")

    def _seen(self, before: int) -> str | None:
        view = self.get("/api/view")
        if view["table"]["version"] > before:
            return "sure"
        proposal = view["proposal"]
        return None if proposal is None else "sure" if proposal["sure"] else "doubtful"
