"""Commands of `dugout`, each in a module with `add_parser`. Only `device.cli` imports them."""
