"""The rulebooks, as pure code: no clock, no chance, no files, no other room. The rulebook asks, the table answers."""
