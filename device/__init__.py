"""The table itself: hands, faces, the journal's file, settings and the program. It alone puts the rooms together."""
