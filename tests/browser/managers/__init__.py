"""One person, one phone, and a computer on the other side."""
