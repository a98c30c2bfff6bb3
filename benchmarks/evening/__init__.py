"""An evening at one table, throw by throw: what is played, how the camera sees it, and what the table makes of it."""
