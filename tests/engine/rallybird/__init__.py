"""RallyBird, rule by rule."""
