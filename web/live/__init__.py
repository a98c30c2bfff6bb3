"""Live pages: streams, the hubs that feed them, and who is listening."""
