"""The simulated table of the demo: synthetic tray, synthetic board and virtual buttons in place of the devices."""
