"""Living as a service: systemd, watchdog, safe mode, shutdown, the web server and who may use it."""
