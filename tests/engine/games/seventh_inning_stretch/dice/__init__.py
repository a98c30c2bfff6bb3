"""Tests of seventh_inning_stretch/dice."""
