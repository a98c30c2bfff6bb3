"""A pitcher's record in a game, when he tires, and the rest he owes between games.

Pure functions over records; they import only cards, and every other folder may import them.
"""
