"""Running as a service: systemd, watchdog, safe mode, shutdown, the web server and access to it.

Imports storage, settings, and the web that it serves; the table and everything above may import this.
"""
