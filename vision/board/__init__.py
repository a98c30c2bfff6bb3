"""Printed boards with pieces on them: the sheets to print, and reading what lies where."""
