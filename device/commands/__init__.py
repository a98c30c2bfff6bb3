"""The `dugout` commands, one file each with `add(commands)`. Only `device.cli` imports them."""
