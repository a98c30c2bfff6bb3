"""Live pages: streams, the hubs that feed them, and the phones that listen."""
