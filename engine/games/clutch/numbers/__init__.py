"""Every number of the game with the cards in force, such as Command, On-Base, ratings, speeds, rolls and odds."""
