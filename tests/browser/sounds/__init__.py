"""The sounds of the ballpark: what they are made of, which belong to a play, and when a page plays them."""
