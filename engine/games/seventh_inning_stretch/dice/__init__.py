"""The language of the cards, for conditions on dice, runs and pitchers' abilities, and the odds of a roll.

The lowest package, which imports nothing else of the game. Everything may import it.
"""
