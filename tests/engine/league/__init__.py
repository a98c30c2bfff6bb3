"""Leagues: definitions, schedules, standings and statistics."""
