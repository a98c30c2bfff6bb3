"""Driver of the OLED. Shows the newest picture, prevents burn-in, and reconnects after a fault."""

from __future__ import annotations

import io
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from threading import Condition, Thread
from typing import Protocol

from PIL import Image, ImageChops

from device.display import panel
from device.display.pages import PageRotation
from device.display.panel import Panel
from device.service.watchdog import Watchdog
from engine.views import AudienceView

PIXEL_SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Shifts of the picture in turn, in pixels. Screens leave the outermost ring dark for them."""

RETRY_DELAYS_S = (
    1.0,
    2.0,
    5.0,
    10.0,
    30.0,
)
"""Seconds before the retry after the first, second … failure in a row. The last one repeats."""

MAX_TIMED_FRAMES = 5  # frames whose median time is measured

HANG_TIMEOUT_S = 15.0
"""Timeout in seconds for one picture, including faults and timeouts of the bus. Then the panel counts as hanging."""

log = logging.getLogger("dugout.oled")


class Screens(Protocol):
    """Screens for one height of display: the module `screens_64` or `screens_32`."""

    @property
    def SIZE_PX(self) -> tuple[int, int]:  # noqa: N802 - modules spell constants so
        """Width and height in pixels."""

    def draw_game(self, view: AudienceView, pages: PageRotation | None = None) -> Image.Image:
        """Draw the game from the public view, with the page rotation `pages`."""

    def draw_with_warnings(
        self, rows: Sequence[str], view: AudienceView, pages: PageRotation | None = None
    ) -> Image.Image:
        """Draw the warnings, and those rows of text for which there is space."""

    def draw_message(self, title: str, words: str, pages: PageRotation | None = None) -> Image.Image:
        """Draw a title and a text."""

    def draw_join_screen(self, url: str, other: str, code: str) -> Image.Image:
        """Draw how a phone joins."""

    def draw_scan_screen(self, url: str, address: str, invitation: str) -> Image.Image:
        """Draw how one phone signs in without the code."""

    def draw_menu(self, items: Sequence[str], index: int, pages: PageRotation | None = None) -> Image.Image:
        """Draw a menu with the line at `index` highlighted."""

    def draw_sleep_screen(self, tick: int, rows: Sequence[str] = ()) -> Image.Image:
        """Draw some rows of text on black, or one dot, at another place for each `tick`."""

    def draw_goodbye(self, words: str) -> Image.Image:
        """Draw the last picture, which the panel keeps until power-off."""


@dataclass(frozen=True, slots=True)
class DisplayCare:
    """Protection of the panel against wear.

    shift: seconds between pixel shifts.
    dim, sleep: idle seconds until the panel dims and sleeps, None for never.
    bright, low: brightness awake and dimmed, 0 to 255.
    """

    shift: float = 60.0
    dim: float | None = 120.0
    sleep: float | None = 900.0
    bright: int = 0xCF
    low: int = 0x10


@dataclass(frozen=True, slots=True)
class PanelState:
    """State of the panel: sleep, brightness, pixel shift, and number of shifts so far."""

    asleep: bool
    brightness: int
    offset: tuple[int, int]
    tick: int


def panel_state(care: DisplayCare, idle: float, age: float) -> PanelState:
    """State due `idle` seconds after the last activity and `age` seconds after the start."""
    tick = max(0, int(age // care.shift))
    dim = care.dim is not None and idle >= care.dim
    asleep = care.sleep is not None and idle >= care.sleep
    return PanelState(asleep, care.low if dim or asleep else care.bright, PIXEL_SHIFTS[tick % len(PIXEL_SHIFTS)], tick)


def shifted_image(image: Image.Image, offset: tuple[int, int]) -> Image.Image:
    """Picture shifted by `offset` pixels. Its edge is dark, so what wraps around to the other side shows nothing."""
    return ImageChops.offset(image, *offset) if offset != (0, 0) else image


class Oled:
    """The display, on its own thread between `start` and `stop`. Without `start`, call `update_panel` instead.

    opener: opens the panel. None for no panel, with only the twin on pages.
    words: makes a sentence of a failure. It is kept in `missing`, never reaches the game, and the driver retries after
        `RETRY_DELAYS_S`.
    draw: screens of the panel's size.
    clock: monotonic seconds.
    pulse: gets the thread's heartbeat.
    """

    def __init__(
        self,
        opener: Callable[[], Panel] | None,
        care: DisplayCare | None = None,
        words: Callable[[Exception], str] = panel.describe_fault,
        clock: Callable[[], float] = time.monotonic,
        *,
        draw: Screens,
        pulse: Watchdog | None = None,
    ) -> None:
        self.pulse = pulse or Watchdog()
        self._opener, self._care, self._words, self._clock = opener, care or DisplayCare(), words, clock
        self.draw = draw
        self._panel: Panel | None = None
        self._news = Condition()
        self._image = Image.new("1", draw.SIZE_PX)
        self._twin = self._image
        self._born = self._active = clock()
        self._sent: bytes | None = None
        self._times: deque[float] = deque(maxlen=MAX_TIMED_FRAMES)
        self._free_at = float("-inf")
        self._brightness: int | None = None
        self._failures = self._renewed = 0
        self._retry_at = float("-inf")
        self._stopping = self._stale = False
        self._thread: Thread | None = None
        self.sleep_rows: Callable[[], Sequence[str]] = tuple
        """Returns what the sleeping display shows. It is asked at each pixel shift."""
        self._rows: tuple[int, Sequence[str]] = -1, ()
        """The pixel shift at which they were asked for, and the rows."""
        self.missing: str | None = None
        """Sentence about why nothing can be shown. None if all is well."""

    # What the game calls -------------------------------------------------------------------------------------------

    def show_picture(self, image: Image.Image, news: bool = True) -> None:
        """Show a picture of the size of `draw`, mode "1". Returns at once. The newest picture wins.

        A changed picture wakes the display if it is `news`.
        """
        if image.size != self.draw.SIZE_PX or image.mode != "1":
            size = "x".join(map(str, self.draw.SIZE_PX))
            raise ValueError(f"A picture must be {size} in mode 1, not {image.size} in {image.mode}.")
        with self._news:
            if image.tobytes() == self._image.tobytes():
                return
            self._image = image.copy()
            if news:
                self._active = self._clock()
            self._stale = True
            self._news.notify()

    def wake_up(self) -> bool:
        """Wake up after a press. Return True if the display was asleep. Then the press should do nothing else."""
        slept = self.is_asleep
        self._set_activity_time(self._clock())
        return slept

    def sleep(self) -> None:
        """Sleep until a press or a new picture."""
        self._set_activity_time(float("-inf"))

    def _set_activity_time(self, active: float) -> None:
        """Set the time of the last activity, and make the thread draw again."""
        with self._news:
            self._active, self._stale = active, True
            self._news.notify()

    @property
    def displayed_picture(self) -> Image.Image:
        """Picture that was last sent to the panel, or would have been."""
        return self._twin

    @property
    def frame_time_s(self) -> float | None:
        """Median seconds of the last few frames on the bus. None before the first.

        The bus then rests for as long, so pictures never take more than half of its time.
        """
        return median(self._times) if self._times else None

    @property
    def is_asleep(self) -> bool:
        return self._panel_state(self._clock()).asleep

    def png_bytes(self, scale: int = 1) -> bytes:
        """Twin as a PNG file, enlarged `scale` times (1 or more)."""
        twin = self._twin
        buffer = io.BytesIO()
        twin.resize((twin.width * scale, twin.height * scale), Image.Resampling.NEAREST).save(buffer, "PNG")
        return buffer.getvalue()

    def start(self) -> None:
        self._thread = Thread(target=self._run_loop, name="oled", daemon=True)
        self._thread.start()

    def stop(self, last: Image.Image | None = None, timeout: float = 2.0) -> None:
        """Show `last`, bright and unshifted, and end the thread. Wait for it at most `timeout` seconds."""
        with self._news:
            self._stopping = True
            self._news.notify()
        if self._thread:
            self._thread.join(timeout)
            if self._thread.is_alive():
                log.warning("The display did not end in time.")
                return
            self._thread = None
        if last is not None:
            self._image, self._active = last.copy(), self._clock()
            self._retry_at = float("-inf")
            self.update_panel(still=True)
        if self._panel:
            self._close_panel()

    # Machinery -----------------------------------------------------------------------------------------------------

    def update_panel(self, still: bool = False) -> None:
        """Update the panel, unless the bus rests or nothing changed.

        `still` does not wait for the bus and leaves the picture unshifted.
        """
        with self._news:
            now = self._clock()
            if now < self._free_at and not still:
                return
            self._stale = False
            state = self._panel_state(now)
            image = self._image
        if state.asleep:
            image = self._sleep_picture(state.tick)
        twin = image if still or state.asleep else shifted_image(image, state.offset)
        self._twin = twin
        if self._opener is None or (self._panel is None and now < self._retry_at):
            return
        try:
            self._send_picture(twin, state)
        except Exception as error:  # luma's own base class, OSError and TimeoutError: whatever it is, the game goes on
            self._handle_failure(error, now)

    def _sleep_picture(self, tick: int) -> Image.Image:
        if self._rows[0] != tick:
            self._rows = tick, self.sleep_rows()
        return self.draw.draw_sleep_screen(tick, self._rows[1])

    def _panel_state(self, now: float) -> PanelState:
        return panel_state(self._care, now - self._active, now - self._born)

    def _send_picture(self, twin: Image.Image, state: PanelState) -> None:
        brightness = state.brightness
        if self._panel is None:
            assert self._opener is not None
            self._panel = self._opener()
            self._times.clear()
            self._sent = self._brightness = None
            self._renewed = state.tick
        if self._renewed != state.tick:
            self._sent = self._brightness = None
            self._panel.reinitialize()
            self._renewed = state.tick
        pixels = twin.tobytes()
        if pixels != self._sent:
            begun = self._clock()
            self._panel.display(twin)
            self._sent = pixels
            ended = self._clock()
            self._times.append(ended - begun)
            self._free_at = ended + median(self._times)
        if brightness != self._brightness:
            self._panel.contrast(brightness)
            self._brightness = brightness
        if self.missing:
            log.info("The display is back.")
        self.missing, self._failures = None, 0

    def _handle_failure(self, error: Exception, now: float) -> None:
        sentence = self._words(error)
        if sentence != self.missing:
            log.warning("%s (%s: %s)", sentence, type(error).__name__, error)
        self.missing = sentence
        self._retry_at = now + RETRY_DELAYS_S[min(self._failures, len(RETRY_DELAYS_S) - 1)]
        self._failures += 1
        if self._panel:
            self._close_panel()

    def _close_panel(self) -> None:
        panel_, self._panel = self._panel, None
        try:
            if panel_:
                panel_.cleanup()
        except Exception as error:  # the bus may be gone already
            log.debug("The display could not be closed: %s", error)

    def _run_loop(self) -> None:
        while True:
            self.pulse.beat("display", HANG_TIMEOUT_S)
            self.update_panel()
            with self._news:
                if self._stopping and not self._stale:
                    self.pulse.suspend("display")
                    return
                if (busy := self._free_at - self._clock()) > 0:
                    self._news.wait(busy)
                elif not self._stale and not self._stopping:
                    # Wakes for news, and each second for shifts, sleep and retries.
                    self._news.wait(1.0)
