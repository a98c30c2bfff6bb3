"""The game under way: session, proposed roll, race, answer entry, play log and past games."""
