"""The language of the cards: conditions on dice, runs, pitchers' abilities, and the chances of a roll.

The lowest folder: it imports nothing else of the game, and everything may import it.
"""
