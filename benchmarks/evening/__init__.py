"""Simulation of an evening at one table, from the throws and the camera's frames to the table's answers."""
