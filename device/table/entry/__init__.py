"""Entering answers at the table, step by step with three buttons."""
