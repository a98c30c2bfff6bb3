"""Sources of frames: the Pi camera, USB cameras, videos, folders and pictures."""
