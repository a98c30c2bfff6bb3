"""One manager for each game, in a module or folder named after the game. `build_game_manager(setup, strength)` builds
it.
"""
