"""What somebody who never saw a game reads: three cards for each game, and the words of baseball."""
