"""One manager for each game. A module or folder is named after its game and has `build_game_manager(setup, strength)`.
"""
