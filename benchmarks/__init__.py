"""Benchmarks and measurements, run by hand."""
