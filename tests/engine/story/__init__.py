"""Stories of games."""
