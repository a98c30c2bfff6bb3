"""The at-bat: substitutions and plans before the pitch, pitch, swing, result, outcome; intentional walks and bunts.

Only `half_innings` imports this folder. It may import every folder below: running, substitutions, strategy cards.
"""
