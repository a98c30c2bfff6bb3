"""Play-by-play: what an announcer says after each answer, as spectators may hear it.

`Announcer` follows a table and keeps its newest calls; `calls` builds one from events and two situations; `situation`
holds what a listener knows, and says it in plain baseball speech.
"""

from __future__ import annotations

from engine.announcer.announcer import Announcer
from engine.announcer.calls import Announcement, AnnouncementMark

__all__ = ["Announcement", "AnnouncementMark", "Announcer"]
