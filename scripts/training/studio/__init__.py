"""A photo studio: pictures of dice, rendered by a path tracer, with their truth. `scripts/training/photograph` runs it.

All modules but `render` do without the path tracer. The world is that of `vision.synthetic`: x right, y down the
picture, z up from the ground, in millimetres; the middle of the picture shows the origin.
"""
