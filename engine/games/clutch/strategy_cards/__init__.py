"""Strategy cards, coaches, stadiums and weather, with their windows, their legal plays and their effects."""
