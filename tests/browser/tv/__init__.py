"""The television's page, and the announcer."""
