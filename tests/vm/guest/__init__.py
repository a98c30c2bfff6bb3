"""What runs inside the machine."""
