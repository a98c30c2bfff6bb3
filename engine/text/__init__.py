"""Text that anybody may have written: names that everybody can see, and TOML that is parsed in bounded time."""
