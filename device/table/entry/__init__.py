"""How answers are entered at the table: step by step with three buttons, and by laying pieces on the printed board."""
