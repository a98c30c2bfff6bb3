"""What is written down and announced: the score book, batting lines and sentences."""
