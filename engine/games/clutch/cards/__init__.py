"""The cards of Clutch, with their fields, the language of strategy cards, result charts, rosters, and card texts."""
