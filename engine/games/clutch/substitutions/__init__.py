"""Starting pitchers, line-ups, the bench, and substitutions."""
