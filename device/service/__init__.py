"""Running as a service: systemd, watchdog, safe mode, shutdown, the web server and access to it.

Imports storage and settings only; the table and everything above may import this.
"""
