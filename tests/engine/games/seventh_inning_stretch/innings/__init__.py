"""Tests of seventh_inning_stretch/innings."""
