"""The scorecard, with one box for each plate appearance, computed from the events of any game."""
