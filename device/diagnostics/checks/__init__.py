"""The checks, part by part: each is a function from `device.diagnostics.facts.DoctorFacts` to a `Finding`."""
