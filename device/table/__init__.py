"""The game on the table: the live game, the parts that act on it, play log and past games."""
