"""The at-bat, from substitutions and plans before the pitch to its outcome, with intentional walks and bunts."""
