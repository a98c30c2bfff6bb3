"""Installs Dugout on a Pi, updates it, and removes it: `scripts/install` and `scripts/uninstall`.

Uses only the standard library, `device.storage.atomic_file` and `device.named_file`, because it runs with the system's
Python before any package is installed.
"""
