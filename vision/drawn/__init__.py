"""Drawn dice and trays: the camera of the simulator, and a source of pictures to train and test with."""
