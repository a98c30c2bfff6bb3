"""Leagues and statistics: schedules, standings and record books of any game, computed from played games."""
