"""Strategy cards, coaches, stadiums and weather: windows, which cards may be played, and what they do."""
