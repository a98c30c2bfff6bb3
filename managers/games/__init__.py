"""One manager for each game. Its module or folder is named after the game and has `build_game_manager`."""
