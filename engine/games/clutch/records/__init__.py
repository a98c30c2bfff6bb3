"""The score book, and sentences about runners, lineups and substitutions."""
