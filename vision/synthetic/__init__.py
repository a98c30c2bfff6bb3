"""Drawn dice, trays and boards: the simulator's cameras, and a source of pictures for tests and training.

Reading needs none of it, so it can be left out of a table with real devices.
"""
