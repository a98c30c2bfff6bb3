"""The rulebooks as pure code, without clock, chance, files or other packages. Rulebooks ask and the table answers."""
