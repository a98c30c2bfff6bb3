"""How a table comes to live on a Pi, and leaves it again: `scripts/install` and `scripts/uninstall`.

Only the standard library: this runs with the system's Python, before anything is fetched.
"""
