"""Work grows as input does: whatever a phone or a file sends, twice as much of it costs about twice as many steps."""
