"""Frames, wherever they come from."""

from __future__ import annotations


class CameraError(OSError):
    """A camera, video or picture cannot be opened or stopped answering; the message is a sentence for a person."""
