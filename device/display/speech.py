"""The table's announcer. Speaks the plays with espeak-ng, on a thread of its own.

It uses the public view only, so it reveals no secret. Pages speak the same calls with their device's voice
(`web/static/js/announcer.js`).
"""

from __future__ import annotations

import logging
import math
import os
import re
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from device.display.oled import RETRY_DELAYS_S
from device.settings import AnnouncerSettings
from engine.text import visible_text
from engine.views import AudienceView

SPEECH_PROGRAM = "espeak-ng"

MAJOR_CALL_MARKS = frozenset(("runs", "half", "final", "back"))  # marks of the calls that are spoken at the level "low"
MAX_KNOWN_CALLS = 48  # calls remembered so that none is spoken twice, four times as many as a view has

MAX_WAITING_CALLS = 4
"""Maximum length of the queue of calls. The newest are kept."""

MAX_CALL_LENGTH = 600
"""Maximum length of a spoken call in characters. Complete games have calls of up to 183."""

SPEECH_TIMEOUT_S = 10.0  # timeout of espeak-ng in seconds, in addition to twice the time to speak the words
STOP_TIMEOUT_S = 2.0  # timeout in seconds for a killed espeak-ng, and for the thread

SPEECH_NICENESS = 5
"""`nice` value of the speaking thread, so that other work goes first. The service may not set it, and does without."""

SILENT_PREFIX = "The announcer is silent"
NOT_INSTALLED_FAULT = f"{SILENT_PREFIX}: espeak-ng is not installed (sudo apt install espeak-ng)."
VOICE_FAULT = (
    f"{SILENT_PREFIX}: espeak-ng has no such voice. Choose one that espeak-ng --voices=en lists, for [announcer]."
)
SPEAKER_ADVICE = "Connect a speaker, or ask the doctor on /table."
SOUND_FAULT = f"{SILENT_PREFIX}: {{}}. {SPEAKER_ADVICE}"
NO_DEVICE_REASON = "there is no sound device"
DEVICE_BUSY_REASON = "another program uses the sound device"
SOUND_ERROR_REASONS = {
    "No such file or directory": NO_DEVICE_REASON,
    "No such device": NO_DEVICE_REASON,
    "Unknown error 524": NO_DEVICE_REASON,  # HDMI without a television
    "Device or resource busy": DEVICE_BUSY_REASON,
}
"""Reasons by error of the sound library. Other errors are quoted."""

HANG_FAULT = f"{SILENT_PREFIX}: the sound device or espeak-ng doesn't respond. Reconnect the speaker."
ESPEAK_FAULT = f"{SILENT_PREFIX}: espeak-ng failed ({{}})."

ERROR_PATTERN = re.compile(r"^error:\s*(.+?)\.?$", re.IGNORECASE | re.MULTILINE)
"""espeak-ng's own message among those of the sound library. Without a sound device it prints one, and exits with 0."""

log = logging.getLogger("dugout.announcer")


class SpeechAnnouncer:
    """The table's own announcer, with the level, voice, speed and sound device of `wanted`.

    Calls from before the start are not spoken, nor those of a resumed game. An undone or corrected answer stops the
    current call, and so does the next call if another is waiting. Nothing here delays the caller or raises. `missing`
    says why nothing can be heard, and a silent retry follows after `RETRY_DELAYS_S`. `clock` returns monotonic seconds.
    """

    name = "announcer"

    def __init__(self, wanted: AnnouncerSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._wanted, self._clock = wanted, clock
        self._news = threading.Condition()
        self._waiting: deque[str] = deque(maxlen=MAX_WAITING_CALLS)
        self._known: deque[str] = deque(maxlen=MAX_KNOWN_CALLS)
        self._game: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._unwanted = self._stopping = False
        self._failures, self._retry_at = 0, -math.inf
        self._thread: threading.Thread | None = None
        self.missing: str | None = None
        """Sentence about why nothing can be heard. None if all is well."""

    # What the table calls ------------------------------------------------------------------------------------------

    def handle_view(self, view: AudienceView) -> None:
        """Queue the new calls of a public view. Returns at once. Use it from one thread."""
        fresh = [call for call in view.calls if call.id not in self._known]
        self._known.extend(call.id for call in fresh)
        first, other = self._game is None, self._game not in (None, view.number)
        self._game = view.number
        if first or (other and any(call.n >= 0 for call in fresh)):
            fresh = []  # calls of a game that had begun before
        heard = [call for call in fresh if self._wanted.level == "full" or not MAJOR_CALL_MARKS.isdisjoint(call.marks)]
        with self._news:
            if other or (heard and self._waiting) or any("back" in call.marks for call in heard):
                self._cancel_speech()
            if self.missing is None:
                self._waiting.extend(call.text for call in heard)
            self._news.notify()

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run_loop, name="announcer", daemon=True)
        self._thread.start()

    def update(self, view: AudienceView, new: bool) -> float:
        """Handle the view if it is new. Return infinity, because no further update is needed."""
        if new:
            self.handle_view(view)
        return math.inf

    def stop(self) -> None:
        """Stop, even in the middle of a word."""
        with self._news:
            self._stopping = True
            self._cancel_speech()
            self._news.notify()
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S)
            if self._thread.is_alive():
                log.warning("The announcer did not end in time.")

    def probe_speech(self) -> str:
        """Speak silently, which takes at most a second. Return the fault or ""."""
        return self._speak_text("") or ""

    # The thread ----------------------------------------------------------------------------------------------------

    def _cancel_speech(self) -> None:
        """Stop speaking and clear the queue. The caller holds the condition."""
        self._waiting.clear()
        self._unwanted = True
        if self._process is not None:
            self._process.kill()

    def _run_loop(self) -> None:
        with suppress(OSError, AttributeError):  # only on Linux do threads have their own priority
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SPEECH_NICENESS)
        text: str | None = ""  # so that a fault is known before the first play
        while text is not None:
            try:
                self._set_fault(self._speak_text(text))
            except Exception as error:  # whatever it is, the game goes on
                log.exception("A call cannot be spoken.")
                self._set_fault(ESPEAK_FAULT.format(type(error).__name__))
            text = self._wait_for_text()

    def _wait_for_text(self) -> str | None:
        """Wait for the next text. "" is a silent retry, None the end."""
        with self._news:
            while not self._stopping:
                if self.missing is None and self._waiting:
                    self._unwanted = False
                    return self._waiting.popleft()
                pause = None if self.missing is None else self._retry_at - self._clock()
                if pause is not None and pause <= 0:
                    self._unwanted = False
                    return ""
                self._news.wait(pause)
            return None

    def _set_fault(self, fault: str | None) -> None:
        """Record a fault, or None after success."""
        with self._news:
            if fault is None:
                if self.missing is not None:
                    log.info("The announcer is back.")
                self._failures = 0
            else:
                if fault != self.missing:
                    log.warning("%s", fault)
                self._waiting.clear()
                self._retry_at = self._clock() + RETRY_DELAYS_S[min(self._failures, len(RETRY_DELAYS_S) - 1)]
                self._failures += 1
            self.missing = fault

    def _speak_text(self, text: str) -> str | None:
        """Speak a text, "" as a silent test. Return the fault or None. Canceled speech returns the earlier fault."""
        wanted, words = self._wanted, espeak_input(text or "a")
        options = ["-v", wanted.voice, "-s", str(wanted.speed)]
        options += ["-d", wanted.device] * bool(wanted.device) + ["-a", "0", "-z"] * (not text)
        try:
            process = subprocess.Popen(
                [SPEECH_PROGRAM, "--stdin", "-b", "1", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                # Ctrl-C at a terminal ends the table, and the table ends this.
                start_new_session=True,
                env={**os.environ, "LC_ALL": "C.UTF-8"},
            )
        except FileNotFoundError:
            return NOT_INSTALLED_FAULT
        except OSError as error:
            return ESPEAK_FAULT.format(error.strerror)
        with self._news:
            self._process = process
            if self._unwanted or self._stopping:
                process.kill()
        assert process.stdin is not None
        assert process.stderr is not None
        hangs = False
        try:
            with suppress(OSError), process.stdin as given:  # it may have ended already
                given.write(words)  # less than a pipe holds, so this never waits
            try:
                process.wait(SPEECH_TIMEOUT_S + 36 * len(text) / wanted.speed)  # about 18 letters in 60 / speed seconds
            except subprocess.TimeoutExpired:
                hangs = True
        finally:
            with self._news:
                self._process = None
                cut = self._unwanted or self._stopping
            process.kill()
            with suppress(subprocess.TimeoutExpired):  # a driver may block it
                process.wait(STOP_TIMEOUT_S)
            with process.stderr as errors:
                os.set_blocking(errors.fileno(), False)
                try:
                    said = os.read(errors.fileno(), 4096)
                except BlockingIOError:
                    said = b""
        if cut:
            return self.missing
        return HANG_FAULT if hangs else espeak_fault(process.returncode, said.decode("utf-8", "replace"))


def espeak_input(text: str) -> bytes:
    """Encode a text as one UTF-8 line without espeak-ng's commands."""
    return " ".join(visible_text.printable_text(text).replace("[[", " ").split())[:MAX_CALL_LENGTH].encode()


def espeak_fault(status: int, errors: str) -> str | None:
    """Fault of espeak-ng from its exit status and its messages. None if it could be heard."""
    found = ERROR_PATTERN.search(errors)
    if found and "voice" in found[1]:
        return VOICE_FAULT
    if found:
        return SOUND_FAULT.format(
            SOUND_ERROR_REASONS.get(found[1]) or f"no sound ({visible_text.printable_text(found[1])[:80]})"
        )
    if status == 0:
        return None
    last = [line for line in errors.splitlines() if line.strip()][-1:]
    return ESPEAK_FAULT.format(visible_text.printable_text(last[0]).strip(" .")[:80] if last else f"status {status}")
