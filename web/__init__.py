"""Phones: pages, streams and the API. Knows the engine's words, and the table only through `Port`."""
