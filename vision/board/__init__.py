"""The printed board and its pieces: the sheets to print, and reading which piece lies where."""
