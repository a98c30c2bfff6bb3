"""Hands: where answers come from besides the phones."""
