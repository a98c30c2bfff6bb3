"""The score book, and the sentences of runners, line-ups and substitutions."""
