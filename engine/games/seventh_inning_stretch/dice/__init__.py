"""What dice on the table mean: measures, conditions, scores, abilities, goals and odds."""
