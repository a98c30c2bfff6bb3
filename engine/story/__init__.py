"""How a game was won, told from its events and from the win probability after each answer."""
