"""Fuzzing: what is fed to the program as bytes, the inputs that are kept, and the command that looks for new ones."""
