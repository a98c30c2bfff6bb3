"""Bottom of the 9th, rule by rule."""
