"""Odd text wherever the product takes any: in requests, in options of commands, in patterns that read it."""
