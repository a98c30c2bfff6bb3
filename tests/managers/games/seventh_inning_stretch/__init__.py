"""Tests of the evaluator of 7th Inning Stretch."""
