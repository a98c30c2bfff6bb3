"""The manager of each game, in a module or folder named as the game's: `make(setup, strength)` returns one."""
