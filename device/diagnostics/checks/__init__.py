"""The checks, part by part: each is a function from `device.diagnostics.facts.Facts` to a `Finding`."""
