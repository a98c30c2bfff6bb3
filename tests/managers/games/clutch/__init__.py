"""Tests of the evaluator of Clutch."""
