"""The benchmarks: what they count, on pictures that need no renderer."""
