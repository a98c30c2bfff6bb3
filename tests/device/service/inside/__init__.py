"""Added to the program in the box: this folder is on its PYTHONPATH."""
