"""The `dugout` commands, one file each. Only `device.cli` imports them."""
