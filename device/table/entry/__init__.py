"""How answers are entered at the table, step by step with three buttons."""
