"""Computer managers that look where they must not, or give their secrets away: real ones, and some planted here."""
