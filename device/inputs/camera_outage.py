"""Report a missing camera: to the session each time, to the log once for each new sentence."""

from __future__ import annotations

import logging

from device.table.session import Session


class CameraOutage:
    """Reports that `part` is missing, and that it is back."""

    def __init__(self, session: Session, part: str, log: logging.Logger) -> None:
        self._session, self._part, self._log = session, part, log
        self._words: str | None = None

    def tell(self, words: str | None) -> None:
        """Report what to do instead of using the camera; None: it is back."""
        if words != self._words:
            self._words = words
            if words is None:
                self._log.info("The camera is back.")
            else:
                self._log.warning("%s", words)
        self._session.miss(self._part, words)
