"""The tray in the image: outline, motion, drift, and the dice at rest."""
