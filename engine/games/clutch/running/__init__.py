"""Base running and throws on hits, ground balls and steals, with defensive throws and checks."""
