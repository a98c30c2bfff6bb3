"""The simulated table of the demo: a drawn tray, a drawn board and virtual buttons in place of the devices."""
