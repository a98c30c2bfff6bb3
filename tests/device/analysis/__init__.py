"""What is computed from games in the background."""
