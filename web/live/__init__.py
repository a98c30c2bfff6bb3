"""Live pages: streams, the hubs that feed them, the broadcast delay, and who is listening."""
