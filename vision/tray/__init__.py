"""The tray in the picture: its outline, motion in it, drift, and dice followed from throw to throw."""
