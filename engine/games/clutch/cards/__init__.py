"""The cards of Clutch: their fields, the language of strategy cards, result charts, rosters, and texts about cards.

The lowest folder: it imports nothing else of the game, and everything may import it.
"""
