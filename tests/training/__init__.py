"""Tests of what the training scripts compute without a path tracer or a net."""
