"""The hands, faces and program of the table."""
