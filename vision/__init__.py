"""Vision: pictures in, dice out. A reading is certain, or it names its doubt.

From low to high: `reading` and `weights`, `cameras`, `dice`, `reader` and `matching`, `tray`, `board`, then `throws`,
`annotate` and `tuning`. `drawn` is on top of all and serves only the simulator, tests and training.
"""
