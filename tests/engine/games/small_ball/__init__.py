"""Tests of Small Ball, by section of its rulebook."""
