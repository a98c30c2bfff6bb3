"""A pitcher's record in a game, when he tires, and the rest he owes between games: pure functions over records."""
