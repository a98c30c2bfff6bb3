"""The at-bat, from substitutions and plans before the pitch to its outcome; intentional walks and bunts."""
