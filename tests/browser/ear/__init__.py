"""Games played by ear: phones that read aloud, and players who decide only from what they hear."""
