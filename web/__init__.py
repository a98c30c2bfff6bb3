"""The pages, streams and API for phones. The web accesses the table only through `web.port.TablePorts`."""
