"""What is planted in the program in the box: it has this folder on its PYTHONPATH."""
