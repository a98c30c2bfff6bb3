"""Detect and read the dice in a still image, or return a doubt.

The pipeline is detect (candidates), lines (line maps), pose (the polyhedron that fits them), facets (signs on top) and
decide (doubts). `fitter` combines the steps up to the pose.
"""
