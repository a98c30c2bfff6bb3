"""The printed board: sheets to print, and a reader that locates each piece on it."""
