"""Install Dugout on a Pi, update it, and remove it: `scripts/install` and `scripts/uninstall`.

Uses only the standard library, `device.storage.atomic_file` and `device.named_file`, because it runs with the system's
Python before any package is installed.
"""
