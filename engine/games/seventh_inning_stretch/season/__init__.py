"""What games are part of: the draft, the regular season, the playoffs, or a duel."""
