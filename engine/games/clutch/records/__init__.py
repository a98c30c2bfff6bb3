"""What is recorded and announced: the score book, and the sentences of runners, line-ups and substitutions.

Every chapter that plays may import this folder. It imports the state, pitching and cards.
"""
