"""Synthetic dice, trays and boards for the simulator, tests and training.

Reading doesn't need this package, so a table with real devices can omit it.
"""
