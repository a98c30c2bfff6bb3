"""What is kept on disk: the journal and its copies, decks, and pictures of rolls."""
