"""What only a Pi has, without one."""
