"""Leagues of this machine: people, fixtures, the record book kept up to date, and fixtures that computers play."""
