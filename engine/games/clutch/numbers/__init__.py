"""Every number of the game with the cards in force: Command, On-Base, ratings, speeds, rolls and odds."""
