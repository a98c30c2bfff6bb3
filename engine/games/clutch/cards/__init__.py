"""The cards of Clutch: their fields, the language of strategy cards, result charts, rosters, and texts about cards."""
