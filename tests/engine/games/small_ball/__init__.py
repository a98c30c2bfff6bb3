"""Small Ball, by the sections of its rulebook."""
