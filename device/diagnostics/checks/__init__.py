"""The checks, by part. Each is a function from `device.diagnostics.facts.DoctorFacts` to a `Finding`."""
