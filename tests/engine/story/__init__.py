"""How games are told."""
