"""7th Inning Stretch, rule by rule."""
