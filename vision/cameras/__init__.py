"""Frame sources: Pi camera, USB cameras, videos, folders and image files."""
