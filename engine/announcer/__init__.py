"""Play-by-play announcements after each answer, as spectators may hear them.

`Announcer` subscribes to a table and keeps its newest calls. `calls` builds a call from events and two situations.
`situation` holds the knowledge of a listener and words it in baseball speech.
"""

from __future__ import annotations

from engine.announcer.announcer import Announcer
from engine.announcer.calls import Announcement, AnnouncementMark

__all__ = ["Announcement", "AnnouncementMark", "Announcer"]
