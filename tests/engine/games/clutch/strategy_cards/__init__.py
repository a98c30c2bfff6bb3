"""Tests of clutch/strategy_cards."""
