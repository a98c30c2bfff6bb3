"""Small games for tests only, with features that no real game has, or not as clearly."""
