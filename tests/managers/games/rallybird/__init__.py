"""Tests of the manager of RallyBird."""
