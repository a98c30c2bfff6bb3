"""Tests of the managers of Small Ball."""
