"""The tray in the picture: its outline, motion in it, its drift, and the dice at rest in it."""
