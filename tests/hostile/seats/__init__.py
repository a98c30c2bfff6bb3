"""Attacks by a player on the other side."""
