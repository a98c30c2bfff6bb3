"""A whole machine for the table: a real Debian in which the real parts run together. `scripts/test-vm` runs it."""
