"""The scorecard: one box for each plate appearance, folded from the events of any game."""
