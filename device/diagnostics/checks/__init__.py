"""What the doctor looks at, part by part; each check is a function of a machine and a case that gives findings."""
