"""Starting pitchers, lineups, the bench, and substitutions."""
