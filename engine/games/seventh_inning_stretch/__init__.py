"""7th Inning Stretch: a season alone from the seventh inning on, or a duel of two coaches."""
