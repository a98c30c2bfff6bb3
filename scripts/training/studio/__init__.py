"""A virtual photo studio: path-traced images of dice with ground truth. `scripts/training/photograph` runs it.

Only `render` needs the path tracer. Axes are those of `vision.synthetic`: x right, y down the image, z up from the
ground, in mm, with the origin at the center of the image.
"""
