"""Running as a service: systemd, watchdog, safe mode, shutdown, the web server and access to it.

Imports storage, settings, and the web that it serves. The table and everything above may import this.
"""
