"""What only one game draws, in a file named for the game's key. A game without a file gets the common screens."""
