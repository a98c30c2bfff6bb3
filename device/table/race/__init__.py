"""A race at the table: the open race, and the pure referee that decides it."""
