"""The at-bat in the order of the rulebook: pitch, swing, result, and what may take the place of a swing."""
