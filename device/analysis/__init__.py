"""Win probabilities, reviews and reports, computed in the background from games on the table and in the store."""
