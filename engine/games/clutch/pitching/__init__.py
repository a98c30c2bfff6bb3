"""A pitcher's record and fatigue in a game, and his rest between games. Pure functions over records."""
