"""Every number of the game with the cards in force: Command, On-Base, ratings, speeds, rolls and odds.

`conditions` and `context` decide whether a card's condition holds, `modifiers` adds up what cards do to a number, and
the other modules build one number each. Any chapter above may import this folder; it imports only cards, pitching and
the state.
"""
