"""Who may do what: sign-in by code, signed cookies, limits, and headers."""
