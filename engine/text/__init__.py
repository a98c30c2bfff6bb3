"""Text from outside: visible names, integers, file paths in sentences, and TOML that is parsed in bounded time."""
